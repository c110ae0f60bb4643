//! What a search looks at: what the page shows, without regard to case.

use instep_flow::mask;
use instep_model::{Item, Key, Model, Value};

use super::request::label;
use super::trace_node::TraceNode;
use super::traces::Traces;

/// A text that is searched for. An empty one is in everything.
#[derive(Debug)]
pub(super) struct Needle(String);

impl Needle {
    pub(super) fn new(text: &str) -> Self {
        Self(text.trim().to_lowercase())
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a text has it.
    pub(super) fn is_in(&self, text: &str) -> bool {
        self.is_empty() || text.to_lowercase().contains(&self.0)
    }

    /// Whether a text that is in lower case has it.
    pub(super) fn is_in_lower(&self, text: &str) -> bool {
        text.contains(&self.0)
    }

    /// Whether a trace has it: in a label or a key of what was written, in an effect, or in an event.
    pub(super) fn is_in_trace(&self, traces: &Traces, root: u64) -> bool {
        traces.below(root).any(|node| self.is_in_node(node))
    }

    fn is_in_node(&self, node: &TraceNode) -> bool {
        let texts = [Some(&node.label), node.verb.as_ref(), node.item.as_ref(), node.file.as_ref(), node.why.as_ref()];
        texts.into_iter().flatten().chain(node.key.iter().flatten()).any(|text| self.is_in(text))
            || node.effects.iter().any(|effect| self.is_in(&effect.target))
            || node.events.iter().any(|event| self.is_in(&event.detail_type))
    }
}

/// What the page shows of an item, in lower case: its label, its key and its attributes, without secrets.
pub(super) fn shown_text(model: &Model, key: &Key, item: Option<&Item>) -> String {
    let mut text = label(model, key);
    // INVARIANT 9: nobody finds a secret by searching for it.
    if mask::key(model, key).is_some() {
        text.push('\n');
        text.push_str(&key.pk);
        text.push('\n');
        text.push_str(&key.sk);
    }
    for (name, value) in item.map(|item| mask::item(model, item.clone())).iter().flatten() {
        text.push('\n');
        text.push_str(name);
        words(value, &mut text);
    }
    text.to_lowercase()
}

fn words(value: &Value, text: &mut String) {
    let mut word = |word: &str| {
        text.push(' ');
        text.push_str(word);
    };
    match value {
        Value::S(one) | Value::N(one) => word(one),
        Value::Bool(is) => word(if *is { "true" } else { "false" }),
        Value::Ss(many) | Value::Ns(many) => many.iter().for_each(|one| word(one)),
        Value::L(values) => values.iter().for_each(|value| words(value, text)),
        Value::M(values) => values.iter().for_each(|(name, value)| {
            text.push(' ');
            text.push_str(name);
            words(value, text);
        }),
        Value::Null(_) | Value::B(_) | Value::Bs(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_finds_what_is_shown_and_no_secret() {
        let text = "model = \"m\"\ntable = { pk = \"pk\", sk = \"sk\", secret = [\"token\"] }\n\
            [items.Team]\npk = \"T#{teamId}\"\nsk = \"T\"\n\
            [items.Code]\npk = \"C#{code}\"\nsk = \"C\"\nsecret = true\n";
        let model = Model::parse("m.toml", text).unwrap();
        let found = |pk: &str, sk: &str, json: serde_json::Value, needle: &str| {
            let item: Item = serde_json::from_value(json).unwrap();
            let shown = shown_text(&model, &Key { pk: pk.into(), sk: sk.into() }, Some(&item));
            Needle::new(needle).is_in_lower(&shown)
        };
        let team = serde_json::json!({"pk": {"S": "T#1"}, "sk": {"S": "T"}, "name": {"S": "Ålesund"}, "token": {"S": "hush"},
            "size": {"N": "12"}, "tags": {"L": [{"M": {"kind": {"S": "Nordic"}}}]}});
        for needle in ["ålesund", "TEAM", "t#1", "12", "nordic", "Kind", ""] {
            assert!(found("T#1", "T", team.clone(), needle), "{needle}");
        }
        assert!(!found("T#1", "T", team.clone(), "hush") && !found("T#1", "T", team, "oslo"));
        let code = serde_json::json!({"pk": {"S": "C#4711"}, "sk": {"S": "C"}, "of": {"S": "ada"}});
        assert!(found("C#4711", "C", code.clone(), "code"));
        assert!(!found("C#4711", "C", code.clone(), "4711") && !found("C#4711", "C", code, "ada"));
    }
}
