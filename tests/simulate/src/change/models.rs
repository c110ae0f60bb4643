//! The models that worlds change to: that of the world with one or two of its settings changed, as the owner of a table
//! changes them.

use std::sync::Arc;

use instep_model::{ChangeVerdict, Model};

use crate::chance::Chance;
use crate::{deployment, strange};

/// How many times a change is drawn until the loader takes one.
const DRAWS: usize = 24;

/// How many of a thousand models are also written in another way.
const REWRITTEN: usize = 250;

/// How many of a thousand models have random words changed.
const STRANGE: usize = 300;

/// How many of a thousand models have another change beside the first.
const ANOTHER: usize = 300;

/// The model that a world changes to.
#[derive(Debug, Clone)]
pub(crate) struct LaterModel {
    /// The model that was deployed.
    pub(crate) old: Arc<Model>,
    /// The one that is deployed in the middle of the traffic.
    pub(crate) new: Arc<Model>,
    /// Its text.
    pub(crate) text: String,
    /// What was changed.
    pub(crate) what: String,
}

/// Changes a text. `None`: it has nothing of the kind.
type Mutation = fn(&Chance, &str) -> Option<String>;

/// What is changed.
const MUTATIONS: [(&str, Mutation); 16] = [
    ("a role dropped", role_dropped),
    ("a membership with a condition", member_when),
    ("groups in tokens alone", in_tokens),
    ("a parent dropped", parent_dropped),
    ("back-references", referenced),
    ("no back-references", not_referenced),
    ("an index instead of back-references", indexed),
    ("claims with a condition", claim_when),
    ("groups with another name", group_renamed),
    ("users with another name", user_renamed),
    ("users with a condition", user_when),
    ("a scope dropped", scope_dropped),
    ("a window", window),
    ("a grant with a condition", grant_when),
    ("a last grant", last),
    ("a rule of time dropped", due_dropped),
];

/// Words are changed at random, as people change a model by mistake. The loader refuses many of these, and a plan others.
const WORDS: (&str, Mutation) = ("some words", |chance, text| Some(strange::changed(chance, text)));

/// The change of a model that has this text. `None` if nothing was drawn that an owner may deploy.
pub(crate) fn drawn(chance: &Chance, old: &Arc<Model>, text: &str) -> Option<LaterModel> {
    let is_strange = chance.of_thousand(STRANGE);
    (0..DRAWS).find_map(|_| {
        let (first, mutation) = if is_strange { &WORDS } else { chance.pick(&MUTATIONS)? };
        let (mut what, mut changed) = ((*first).to_owned(), mutation(chance, text)?);
        if chance.of_thousand(ANOTHER)
            && let Some((second, mutation)) = chance.pick(&MUTATIONS)
            && let Some(more) = mutation(chance, &changed)
        {
            (what, changed) = (format!("{what}, {second}"), more);
        }
        if text.starts_with("model = \"random\"") && chance.of_thousand(REWRITTEN) {
            changed = deployment::rewritten(chance, &changed);
        }
        let mut new = Model::parse("changed.toml", &changed).ok()?;
        (new.extra_members, new.extra_users) = (old.extra_members, old.extra_users);
        let changes = new.changes_since(old);
        let may_deploy = !changes.is_empty() && ChangeVerdict::of(&changes) != ChangeVerdict::DoNotDeploy;
        let may_deploy = may_deploy && keeps_secrets(old, &new);
        may_deploy.then(|| LaterModel { old: Arc::clone(old), new: Arc::new(new), text: changed, what })
    })
}

/// Whether what was secret still is. The watch knows secrets by their text, whatever model they are of.
fn keeps_secrets(old: &Model, new: &Model) -> bool {
    let mut types = old.items.iter().filter(|item| item.secret);
    old.secret.is_subset(&new.secret)
        && types.all(|item| new.items.iter().any(|other| other.secret && other.stable_name() == item.stable_name()))
}

/// The text with one of the lines replaced that the function changes.
fn of_line(chance: &Chance, text: &str, changed: impl Fn(&str) -> Option<String>) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let places: Vec<(usize, String)> =
        lines.iter().enumerate().filter_map(|(place, line)| Some((place, changed(line)?))).collect();
    let (place, line) = chance.pick(&places)?;
    let own = |(at, other): (usize, &&str)| if at == *place { line.clone() } else { (*other).to_owned() };
    Some(lines.iter().enumerate().map(own).collect::<Vec<_>>().join("\n") + "\n")
}

/// The text with every occurrence of a part replaced. `None`: it has none.
fn replaced(text: &str, before: &str, after: &str) -> Option<String> {
    text.contains(before).then(|| text.replace(before, after))
}

fn role_dropped(_: &Chance, text: &str) -> Option<String> {
    let text = replaced(text, "[\"owner\", \"guest\"]", "[\"owner\"]")?;
    Some(text.replace("{ owner = 1, guest = 2 }", "{ owner = 1 }"))
}

/// A table in one line with another setting at its end.
fn with(line: &str, setting: &str) -> Option<String> {
    let line = line.strip_suffix(" }").filter(|line| !line.contains("when = "))?;
    Some(format!("{line}, {setting} }}"))
}

fn member_when(chance: &Chance, text: &str) -> Option<String> {
    of_line(chance, text, |line| {
        line.contains("member = {").then_some(line).and_then(|line| with(line, "when = { crew = true }"))
    })
}

fn in_tokens(_: &Chance, text: &str) -> Option<String> {
    let is_rule = |line: &str| line.trim_start().starts_with("cognito.member = ") || line.starts_with("member = ");
    let own = |line: &str| {
        if is_rule(line) { line.replace("{ user =", "{ in = \"token\", user =") } else { line.to_owned() }
    };
    let changed: String = text.lines().map(|line| own(line) + "\n").collect();
    (changed != text).then_some(changed)
}

fn parent_dropped(chance: &Chance, text: &str) -> Option<String> {
    let is_first = chance.of_thousand(500);
    of_line(chance, text, |line| {
        let parents = line.strip_prefix("parent = ")?;
        let Some(list) = parents.strip_prefix('[').and_then(|list| list.strip_suffix(']')) else {
            return Some(String::new());
        };
        // The lists of these models have two parents: the comma between them is the one that no brace encloses.
        let place = list.char_indices().find(|(place, sign)| {
            let before = list.get(..*place).unwrap_or_default();
            *sign == ',' && before.matches('{').count() == before.matches('}').count()
        });
        let (first, second) = list.split_at(place?.0);
        Some(format!("parent = {}", if is_first { first } else { second.trim_start_matches([',', ' ']) }))
    })
}

fn referenced(chance: &Chance, text: &str) -> Option<String> {
    of_line(chance, text, |line| {
        let parents = line.strip_prefix("parent = ")?;
        let types: Vec<&str> = ["\"Team\"", "\"Person\"", "\"House\"", "\"Board\""].to_vec();
        let of = types.into_iter().find(|of| parents.contains(of) && !parents.contains("type"))?;
        Some(format!("parent = {}", parents.replacen(of, &format!("{{ type = {of}, find = \"back-reference\" }}"), 1)))
    })
}

fn not_referenced(chance: &Chance, text: &str) -> Option<String> {
    of_line(chance, text, |line| replaced(line, ", find = \"back-reference\"", ""))
}

/// Seats are found through an index, and not by back-references.
fn indexed(_: &Chance, text: &str) -> Option<String> {
    let seat = text.split_once("[items.Seat]\n")?.1;
    let (pk, sep) = ["T", "P"].into_iter().find_map(|under| {
        let signs = ['#', ':', '/'].into_iter();
        signs.clone().find(|sep| seat.starts_with(&format!("pk = \"{under}{sep}"))).map(|sep| (under, sep))
    })?;
    let (other, name, own) = if pk == "T" { ("P", "personId", "teamId") } else { ("T", "teamId", "personId") };
    let of = if pk == "T" { "Person" } else { "Team" };
    let text = replaced(text, &format!("{{ type = \"{of}\", find = \"back-reference\" }}"), &format!("\"{of}\""))?;
    let keys = format!("GSI1 = {{ pk = \"{other}{sep}{{{name}}}\", sk = \"SEAT{sep}{{{own}}}\", keep = true }}");
    let (before, seat) = text.split_once("[items.Seat]\n")?;
    let (pk_line, rest) = seat.split_once('\n')?;
    let (sk_line, rest) = rest.split_once('\n')?;
    Some(format!("{before}[items.Seat]\n{pk_line}\n{sk_line}\n{keys}\n{rest}"))
}

fn claim_when(_: &Chance, text: &str) -> Option<String> {
    if text.contains("[[items.Email.claims]]") {
        return replaced(
            text,
            "transfer = { when = { state = \"sure\" } }",
            "transfer = { when = { kind = \"human\" } }",
        );
    }
    let (before, after) = text.split_once("guard = { owner = \"Person\" }\n")?;
    let claims = "[[items.Email.claims]]\nemail = \"{email}\"\nwhen = { left = { present = false } }\n";
    Some(format!("{before}guard = {{ owner = \"Person\" }}\n{claims}{after}"))
}

fn group_renamed(_: &Chance, text: &str) -> Option<String> {
    replaced(text, "\"team|{teamId}|", "\"squad|{teamId}|")
}

fn user_renamed(chance: &Chance, text: &str) -> Option<String> {
    of_line(chance, text, |line| {
        let is_plain = line.starts_with("cognito.user = { name = \"{personId") && !line.contains('@');
        is_plain.then(|| line.replacen("name = \"{personId", "name = \"p-{personId", 1))
    })
}

fn user_when(chance: &Chance, text: &str) -> Option<String> {
    of_line(chance, text, |line| {
        let is_free = line.starts_with("cognito.user = ") && !line.contains("when = ");
        is_free.then(|| line.replacen(", attributes = ", ", when = { state = \"on\" }, attributes = ", 1))
    })
}

/// The settings of the grants of seats, and what stands before and after them.
fn seat_grant(text: &str) -> Option<(&str, &str, &str)> {
    let begin = text.find("[items.Seat.grant]\n")?;
    let (before, rest) = text.split_at(begin);
    let end = rest.get(1..).and_then(|rest| rest.find("\n[")).map_or(rest.len(), |end| end + 2);
    let (grant, after) = rest.split_at(end);
    Some((before, grant, after))
}

fn scope_dropped(_: &Chance, text: &str) -> Option<String> {
    let (before, grant, after) = seat_grant(text)?;
    Some(format!("{before}{}{after}", replaced(grant, "scope = \"Team\"\n", "")?))
}

fn window(chance: &Chance, text: &str) -> Option<String> {
    let (before, grant, after) = seat_grant(text)?;
    let grant = if grant.contains("until = ") {
        let (both, begin) = ("from = \"opens\"\nuntil = \"closes\"\n", "from = \"opens\"\n");
        replaced(grant, both, if chance.of_thousand(500) { "" } else { begin })?
    } else {
        format!("{grant}from = \"opens\"\nuntil = \"closes\"\n")
    };
    Some(format!("{before}{grant}{after}"))
}

fn grant_when(_: &Chance, text: &str) -> Option<String> {
    let (before, grant, after) = seat_grant(text)?;
    let begins = |line: &&str| line.starts_with("when = ");
    let grant = match grant.lines().find(begins) {
        Some(line) => grant.replace(&format!("{line}\n"), ""),
        None => format!("{grant}when = {{ phase = [\"on\", \"now\"] }}\n"),
    };
    Some(format!("{before}{grant}{after}"))
}

fn last(_: &Chance, text: &str) -> Option<String> {
    let (before, grant, after) = seat_grant(text)?;
    let setting = "last = { delete = \"subject\", written = [\"updatedAt\"] }\n";
    let grant = if grant.contains(setting) { grant.replace(setting, "") } else { format!("{grant}{setting}") };
    Some(format!("{before}{grant}{after}"))
}

fn due_dropped(chance: &Chance, text: &str) -> Option<String> {
    of_line(chance, text, |line| line.starts_with("due = ").then(String::new))
}
