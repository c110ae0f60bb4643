//! Writes a draft: what is sure enough is active, with the evidence beside it; what a person has to decide is a
//! comment.

mod item;

use std::collections::BTreeSet;

use instep_model::Item;

use crate::compile::{DraftLine, HEAD, LineKind, one_line};
use crate::groups::beginning;
use crate::relations::{OneofGuess, Relations};
use crate::schema::is_epoch;
use crate::slots::{TypeGuess, Types, ValueSlot};
use crate::text::KeyPart;
use crate::tokens::SampleTable;
use crate::words::{is_plain_name, is_secret, norm};

/// The lines of the draft.
pub(crate) fn lines(
    name: &str,
    table: &SampleTable<'_>,
    types: &Types,
    relations: &Relations,
    skipped: usize,
) -> Vec<DraftLine> {
    let mut writer = Writer { table, types, relations, lines: Vec::new(), block: HEAD };
    writer.head(name, skipped);
    writer.indexes();
    writer.names();
    for oneof in &relations.oneofs {
        writer.oneof(oneof);
    }
    for at in 0..types.types.len() {
        writer.item(at);
    }
    writer.lines
}

struct Writer<'w> {
    table: &'w SampleTable<'w>,
    types: &'w Types,
    relations: &'w Relations,
    lines: Vec<DraftLine>,
    block: usize,
}

/// A text in TOML.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// A key of a TOML table.
fn key(name: &str) -> String {
    let is_bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    if is_bare { name.to_owned() } else { quoted(name) }
}

fn list<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    format!("[{}]", texts.into_iter().map(quoted).collect::<Vec<_>>().join(", "))
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

impl Writer<'_> {
    fn push(&mut self, text: String, kind: LineKind) {
        self.lines.push(DraftLine { text, block: self.block, kind });
    }

    fn comment(&mut self, text: &str) {
        self.push(format!("# {}", one_line(text)), LineKind::Comment);
    }

    fn essential(&mut self, text: String) {
        self.push(text, LineKind::Essential);
    }

    fn setting(&mut self, text: String) {
        self.push(text, LineKind::Setting { or: None });
    }

    fn begin(&mut self, header: String) {
        self.push(String::new(), LineKind::Comment);
        self.block += 1;
        self.essential(header);
    }

    fn head(&mut self, name: &str, skipped: usize) {
        let items = self.table.items.len();
        self.comment(&format!(
            "A draft by `instep init`, from {}: a proposal. Read it line by line.",
            counted(items, "item")
        ));
        self.comment("Active lines have the evidence beside them. `decide:` marks what the items cannot say.");
        if skipped > 0 {
            self.comment(&format!("{} without string keys were left out.", counted(skipped, "item")));
        }
        for index in &self.table.schema.unusable {
            self.comment(&format!("The index `{index}` has a key that is no string, so no model can use it."));
        }
        if !self.relations.of.iter().any(|relation| relation.is_person) {
            self.comment(
                "decide: who signs in? No item type shows it. In that of people: cognito.user = { name = \"{id}\" }",
            );
        }
        self.essential(format!("model = {}", quoted(name)));
        self.essential(format!("source = {}", quoted(&format!("com.example.{name}"))));
        self.push(String::new(), LineKind::Comment);
        self.essential("[table]".to_owned());
        let schema = self.table.schema;
        self.essential(format!("pk = {}", quoted(&schema.pk)));
        self.essential(format!("sk = {}", quoted(&schema.sk)));
        if let Some(attribute) = &self.table.type_attribute {
            let count = self.table.items.iter().filter(|item| item.contains_key(attribute)).count();
            self.setting(format!("type = {} # in {count} of {items}", quoted(attribute)));
        }
        match (&schema.ttl, self.epoch_attribute()) {
            (Some(ttl), _) => self.setting(format!("ttl = {} # as the table says", quoted(ttl))),
            (None, Some(name)) => {
                self.comment(&format!(
                    "decide: `{name}` has epoch seconds. Is it the TTL attribute? ttl = {}",
                    quoted(&name)
                ));
            }
            (None, None) => {}
        }
        let secrets = self.secrets();
        if !secrets.is_empty() {
            let list = list(secrets.iter().map(String::as_str));
            self.setting(format!("secret = {list} # by their names; add others that no event and no log may contain"));
        }
    }

    fn epoch_attribute(&self) -> Option<String> {
        let names: BTreeSet<&String> = self.table.items.iter().flat_map(Item::keys).collect();
        let is_ttl = |name: &&&String| {
            let plain = norm(name);
            let mut values = self.table.items.iter().filter_map(|item| item.get(**name)).peekable();
            let is_called_so = ["ttl", "expire", "expiry", "expiration"].iter().any(|word| plain.contains(word));
            is_called_so && is_plain_name(name) && values.peek().is_some() && values.all(is_epoch)
        };
        names.iter().find(is_ttl).map(|name| (*name).clone())
    }

    fn secrets(&self) -> BTreeSet<String> {
        let keys = self.table.schema.attributes();
        let names = self.table.items.iter().flat_map(Item::keys);
        let secrets = names.filter(|name| is_secret(name) && is_plain_name(name) && !keys.contains(name.as_str()));
        secrets.cloned().collect()
    }

    fn indexes(&mut self) {
        let schema = self.table.schema;
        if schema.indexes.is_empty() {
            return;
        }
        self.push(String::new(), LineKind::Comment);
        let guess = if schema.is_described { "" } else { " # by the names of attributes: compare with the table" };
        self.essential(format!("[indexes]{guess}"));
        for index in &schema.indexes {
            let sk = index.sk.as_ref().map(|sk| format!(", sk = {}", quoted(sk))).unwrap_or_default();
            self.setting(format!("{} = {{ pk = {}{sk} }}", key(&index.name), quoted(&index.pk)));
        }
    }

    /// Shapes of names that are a whole key: without one, such keys of two item types look alike.
    fn names(&mut self) {
        let whole = |parts: &[KeyPart]| match parts {
            [KeyPart::Slot(at)] => self.types.slots.get(*at).map(|slot| slot.name.clone()),
            _ => None,
        };
        let of_keys = |of: &TypeGuess| [whole(&of.pk), whole(&of.sk)];
        if self.types.types.iter().filter(|of| whole(&of.pk).is_some()).count() < 2 {
            return;
        }
        let names: BTreeSet<String> = self.types.types.iter().flat_map(of_keys).flatten().collect();
        let mut rules = Vec::new();
        for name in &names {
            let values = || self.types.slots.iter().filter(|slot| slot.name == *name).flat_map(|slot| &slot.set);
            let heads: BTreeSet<String> = values().map(|value| beginning(value)).collect();
            let part = |end: &str| format!("{name}{end}");
            if let (Some(head), 1) = (heads.first().filter(|head| !head.is_empty()), heads.len()) {
                let like = quoted(&format!("{head}{{{}}}", part("Part")));
                rules.push(format!("{} = {{ like = {like} }} # all values begin so", key(name)));
            } else if values().all(|value| value.split('@').count() == 2) {
                let like = quoted(&format!("{{{}}}@{{{}}}", part("Box"), part("Host")));
                rules.push(format!("{} = {{ like = {like} }} # all values are addresses", key(name)));
            }
        }
        if !rules.is_empty() {
            self.push(String::new(), LineKind::Comment);
            self.essential("[names]".to_owned());
            rules.into_iter().for_each(|rule| self.setting(rule));
        }
    }

    fn oneof(&mut self, oneof: &OneofGuess) {
        self.begin(format!("[oneof.{}] # the word says the item type that the id is of", key(&oneof.name)));
        self.essential(format!("by = {}", quoted(&oneof.by)));
        for (word, (to, name)) in &oneof.cases {
            let Some(of) = self.types.types.get(*to) else { continue };
            let id = quoted(&format!("{{{}}}", oneof.id));
            self.setting(format!("{} = {{ type = {}, {} = {id} }}", key(word), quoted(&of.name), key(name)));
        }
    }

    fn template(&self, parts: &[KeyPart]) -> String {
        let part = |part: &KeyPart| match part {
            KeyPart::Constant(text) => text.replace('{', "{{").replace('}', "}}"),
            KeyPart::Slot(at) => self.types.slots.get(*at).map(|slot| self.name(slot)).unwrap_or_default(),
        };
        parts.iter().map(part).collect()
    }

    /// A name in a template, with how the key spells the attribute's value. All slots of the name in keys agree.
    fn name(&self, slot: &ValueSlot) -> String {
        let of_slot = |slot: &ValueSlot| {
            slot.attributes
                .values()
                .map(|(_, form)| *form)
                .max()
                .filter(|form| *form != crate::text::ValueForm::default())
        };
        let of_others = || {
            let others = self.types.slots.iter().filter(|other| other.name == slot.name && !other.is_in_index);
            others.filter_map(of_slot).find(|form| form.lower)
        };
        let form = of_slot(slot).or_else(of_others).map(|form| form.to_string()).unwrap_or_default();
        let end = slot.end.as_ref().map(|end| format!("{end}.")).unwrap_or_default();
        format!("{{{end}{}{form}}}", slot.name)
    }

    fn key_names(&self, of: &TypeGuess) -> BTreeSet<&str> {
        of.key_slots().filter_map(|at| self.types.slots.get(at)).map(|slot| slot.name.as_str()).collect()
    }
}
