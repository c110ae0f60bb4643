//! Answers, for people and for programs.

use instep_answers::{
    Answer, AskedPlace, Denied, Holder, Holding, NamedItem, NearGrant, Question, QuestionCost, WantedAccess,
};
use instep_model::Model;
use serde_json::{Map, Value, json};

/// What was asked.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The model.
    pub model: &'a Model,
    /// The question.
    pub question: &'a Question,
}

impl Asked<'_> {
    fn label(&self, item: &NamedItem) -> String {
        item.label(self.model)
    }

    fn place(&self, at: &AskedPlace) -> Option<String> {
        match at {
            AskedPlace::Nowhere => None,
            AskedPlace::Text(text) => Some(text.clone()),
            AskedPlace::Item(item) => Some(self.label(item)),
        }
    }

    /// The question, for programs.
    fn fields(&self) -> Map<String, Value> {
        let mut fields = Map::new();
        let mut add = |name: &str, text: Option<String>| {
            if let Some(text) = text {
                fields.insert(name.to_owned(), Value::String(text));
            }
        };
        match self.question {
            Question::Can { subject, wanted, at } => {
                add("subject", Some(self.label(subject)));
                add(wanted.kind(), wanted.text());
                add("at", self.place(at));
            }
            Question::What { subject } => add("subject", Some(self.label(subject))),
            Question::Scopes { at } => add("at", Some(self.label(at))),
            Question::Who { wanted, at, from: _ } => {
                add(wanted.kind(), wanted.text());
                add("at", self.place(at));
            }
        }
        fields
    }

    /// The question, for people.
    fn text(&self) -> String {
        match self.question {
            Question::Can { subject, wanted, at } => {
                let at = self.place(at).map(|at| format!(" at {at}")).unwrap_or_default();
                format!("{}{}{at}", self.label(subject), wanted_text(wanted))
            }
            Question::What { subject } => self.label(subject),
            Question::Scopes { at } => self.label(at),
            Question::Who { wanted, at, from: _ } => {
                format!("who{} at {}", wanted_text(wanted), self.place(at).unwrap_or_default())
            }
        }
    }
}

fn wanted_text(wanted: &WantedAccess) -> String {
    match wanted {
        WantedAccess::Access => String::new(),
        WantedAccess::Role(role) => format!(" role {role}"),
        WantedAccess::Permission(permission) => format!(" {permission}"),
    }
}

/// An answer, for programs.
#[must_use]
pub fn as_json(asked: &Asked<'_>, answer: &Answer, cost: QuestionCost) -> Value {
    let mut fields = asked.fields();
    match answer {
        Answer::Allow(allowed) => {
            fields.insert("answer".to_owned(), json!("allow"));
            fields.insert("because".to_owned(), json!(allowed));
            fields.insert("until".to_owned(), json!(allowed.until));
        }
        Answer::Deny(Denied { reasons, near }) => {
            fields.insert("answer".to_owned(), json!("deny"));
            fields.insert("reasons".to_owned(), json!(reasons));
            fields.insert("near".to_owned(), json!(near));
        }
        Answer::Holds(holdings) => {
            let grant =
                |held: &Holding| json!({"role": held.role, "at": held.at, "until": held.until, "grant": held.grant});
            fields.insert("grants".to_owned(), holdings.grants.iter().map(grant).collect());
            fields.insert("permissions".to_owned(), json!(holdings.permissions));
            fields.insert("reasons".to_owned(), json!(holdings.reasons));
            fields.insert("near".to_owned(), json!(holdings.near));
            fields.insert("complete".to_owned(), json!(holdings.is_complete()));
        }
        Answer::Scopes(scopes) => {
            fields.insert("scopes".to_owned(), json!(scopes));
        }
        Answer::Who(holders) => {
            let subjects: Vec<&String> = holders.subjects.iter().map(|holder| &holder.subject).collect();
            let because = |Holder { subject, allowed }: &Holder| {
                let mut because = json!(allowed);
                because.as_object_mut().into_iter().for_each(|because| {
                    because.insert("until".to_owned(), json!(allowed.until));
                });
                (subject.clone(), because)
            };
            let because: Map<String, Value> = holders.subjects.iter().map(because).collect();
            fields.insert("subjects".to_owned(), json!(subjects));
            fields.insert("because".to_owned(), Value::Object(because));
            fields.insert("complete".to_owned(), json!(holders.is_complete));
            fields.insert("reasons".to_owned(), json!(holders.reasons));
            fields.insert("next".to_owned(), json!(holders.next));
        }
    }
    fields.insert("calls".to_owned(), json!(cost.calls));
    fields.insert("rounds".to_owned(), json!(cost.rounds));
    Value::Object(fields)
}

/// An answer, for people.
#[must_use]
pub fn as_text(asked: &Asked<'_>, answer: &Answer, cost: QuestionCost) -> String {
    let mut lines = Vec::new();
    match answer {
        Answer::Allow(allowed) => {
            lines.push(format!("allow: {}", asked.text()));
            let role = allowed.role.as_ref().map(|role| format!("role {role} ")).unwrap_or_default();
            let at = if allowed.at == "everywhere" { allowed.at.clone() } else { format!("at {}", allowed.at) };
            let grant =
                allowed.grant.as_ref().map(|key| format!(" by the grant {} | {}", key.0, key.1)).unwrap_or_default();
            lines.push(format!("  {role}{at}{grant}"));
            lines.extend(allowed.permitted_by.iter().map(|by| format!("  permitted by {by}")));
            lines.extend(allowed.until.map(|until| format!("  until {until}")));
        }
        Answer::Deny(Denied { reasons, near }) => {
            lines.push(format!("deny: {}", asked.text()));
            lines.extend(reasons.iter().map(|reason| format!("  {}: {}", reason.word(), reason.sentence())));
            lines.extend(near.iter().map(near_line));
        }
        Answer::Holds(holdings) => {
            lines.push(asked.text());
            let until = |held: &Holding| held.until.map(|until| format!(", until {until}")).unwrap_or_default();
            lines.extend(holdings.grants.iter().map(|held| format!("  {}{}", held.text(), until(held))));
            if holdings.grants.is_empty() {
                lines.push("  no grant counts".to_owned());
            }
            lines.extend(holdings.permissions.iter().map(|permission| format!("    may {permission}")));
            let of_subject =
                holdings.reasons.iter().filter(|reason| holdings.near.iter().all(|near| near.reason != **reason));
            lines.extend(of_subject.map(|reason| format!("  {}: {}", reason.word(), reason.sentence())));
            lines.extend(holdings.near.iter().map(near_line));
        }
        Answer::Scopes(scopes) => {
            if scopes.is_empty() {
                lines.push(format!("{} does not exist", asked.text()));
            }
            lines.extend(scopes.iter().cloned());
        }
        Answer::Who(holders) => {
            lines.push(asked.text());
            lines.extend(holders.subjects.iter().map(|Holder { subject, allowed }| {
                let role = allowed.role.as_ref().map(|role| format!("{role} ")).unwrap_or_default();
                let at = if allowed.at == "everywhere" { allowed.at.clone() } else { format!("at {}", allowed.at) };
                let until = allowed.until.map(|until| format!(", until {until}")).unwrap_or_default();
                format!("  {subject}: {role}{at}{until}")
            }));
            if holders.subjects.is_empty() {
                lines.push("  nobody".to_owned());
            }
            lines.extend(holders.reasons.iter().map(|reason| format!("  {}: {}", reason.word(), reason.sentence())));
            if !holders.is_complete && holders.reasons.is_empty() {
                lines.push("  not complete: there may be grants to which nothing leads from here".to_owned());
            }
            lines.extend(holders.next.iter().map(|next| format!("more: --from {next}")));
        }
    }
    lines.push(cost_text(cost));
    lines.join("\n")
}

/// What an answer cost, for people.
#[must_use]
pub fn cost_text(QuestionCost { calls, rounds }: QuestionCost) -> String {
    format!("({} in {})", count(calls, "call"), count(rounds, "round"))
}

fn near_line(NearGrant { grant, reason }: &NearGrant) -> String {
    format!("  does not count: {} | {}: {}", grant.0, grant.1, reason.word())
}

fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
