//! What differs between two contracts in what decides rows: the verdict is the effect on a subscriber that keeps them.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::difference::{ContractDifference, ContractVerdict};
use crate::schema::at;

/// What differs.
pub(crate) fn compare(old: &Value, new: &Value, found: &mut Vec<ContractDifference>) {
    let mut whole = Differences { item: "", found };
    whole.tenant(at(old, "/tenant"), at(new, "/tenant"));
    let (was, is) = (at(old, "/correlation"), at(new, "/correlation"));
    if was != is {
        let what = format!("the correlation id came from {}, and comes from {}", shown(was), shown(is));
        whole.add(ContractVerdict::Compatible, "", what);
    }
    let nothing = Map::new();
    let rows = |contract: &Value| at(contract, "/rows").as_object().cloned();
    let (before, after) = (rows(old), rows(new));
    let (before, after) = (before.as_ref().unwrap_or(&nothing), after.as_ref().unwrap_or(&nothing));
    for (item, was) in before {
        let mut of = Differences { item, found };
        match after.get(item) {
            Some(is) => of.row(was, is),
            None if texts(was, "/publish").is_empty() => {}
            None => of.add(
                ContractVerdict::Breaking,
                "",
                "no event is about items of this type any more, also not when they are deleted: their rows stay. If \
                 the type has another name now, `formerly` keeps them",
            ),
        }
    }
    let entities: BTreeSet<&str> = before.values().flat_map(|row| texts(row, "/entity")).collect();
    for (item, is) in after.iter().filter(|(item, _)| !before.contains_key(*item)) {
        let is_known = texts(is, "/entity").iter().any(|entity| entities.contains(entity));
        Differences { item, found }.told(is, &BTreeSet::new(), is_known);
    }
}

/// The differences of one item type, or of the whole.
struct Differences<'a> {
    item: &'a str,
    found: &'a mut Vec<ContractDifference>,
}

impl Differences<'_> {
    fn add(&mut self, verdict: ContractVerdict, field: &str, what: impl Into<String>) {
        let (event, field, what) = (self.item.to_owned(), field.to_owned(), what.into());
        self.found.push(ContractDifference { verdict, event, field, what, is_countable: false });
    }

    /// The rows of some items and grants are to be built anew: a table shows whether it has any.
    fn rebuild(&mut self, what: String) {
        let (verdict, event) = (ContractVerdict::Rebuild, self.item.to_owned());
        self.found.push(ContractDifference { verdict, event, field: String::new(), what, is_countable: true });
    }

    /// Rules select by the tenant. Nobody selects by one that there was not.
    fn tenant(&mut self, was: &Value, is: &Value) {
        let is_none = |tenant: &Value| tenant.as_array().is_none_or(Vec::is_empty);
        if was == is {
            return;
        }
        if is_none(was) {
            self.add(ContractVerdict::Compatible, "", format!("events have a tenant, from {}", shown(is)));
        } else {
            let is = if is_none(is) { "there is none".to_owned() } else { format!("it comes from {}", shown(is)) };
            let what = format!("the tenant came from {}, and {is}: rules that select by it miss events", shown(was));
            self.add(ContractVerdict::Breaking, "", what);
        }
    }

    fn row(&mut self, was: &Value, is: &Value) {
        let breaking = [
            ("kind", "what the item is", "its rows begin or end with other events"),
            ("id", "the id in `metadata.item`", "rows of the old id stay"),
            ("entity", "the entity", "rows of the old name stay"),
            ("entityId", "`entityId`", "rows of the old id stay"),
            ("grant/subject", "who gets the role", "rows of the old subject stay"),
            ("grant/scope", "where the role is given", "rows of the old scope stay"),
            ("grant/roles", "the role", "rows of the old role stay"),
        ];
        parts(&breaking, was, is).for_each(|what| self.add(ContractVerdict::Breaking, "", what));
        let rebuild = [
            ("keys", "the key", "no event tells of the items that are of another type, or of none"),
            ("grant/window", "the time of a grant", "no event tells which grants begin or end by that"),
            ("grant/when", "the condition of a grant", "no event tells which grants begin or end by that"),
        ];
        parts(&rebuild, was, is).for_each(|what| self.rebuild(what));
        self.sources("the attribute of the roles", at(was, "/grant/roleAttributes"), at(is, "/grant/roleAttributes"));
        let none = Map::new();
        let from = |row: &Value| at(row, "/from").as_object().cloned();
        let after = from(is);
        for (name, was) in from(was).as_ref().unwrap_or(&none) {
            if let Some(is) = after.as_ref().and_then(|after| after.get(name)) {
                self.sources(&format!("the value of `{name}`"), was, is);
            }
        }
        if texts(was, "/publish").is_empty() && !texts(is, "/publish").is_empty() {
            self.told(is, &BTreeSet::new(), false);
        } else {
            self.told(is, &texts(was, "/publish"), true);
        }
    }

    /// Where a value comes from: the first place that has one. A further place before the old ones changes no item that has
    /// it in one of these alone.
    fn sources(&mut self, what: &str, was: &Value, is: &Value) {
        let (Some(before), Some(after)) = (was.as_array(), is.as_array()) else { return };
        if before == after {
            return;
        }
        let text = format!("{what} was in {}, and is in {}", shown(was), shown(is));
        if !before.is_empty() && after.ends_with(before) {
            self.add(ContractVerdict::Compatible, "", text);
        } else {
            self.rebuild(format!("{text}: no event tells of the items that have it in another place"));
        }
    }

    /// Events that come from now on, and that tell nothing of the items that exist.
    fn told(&mut self, is: &Value, known: &BTreeSet<&str>, are_rows_known: bool) {
        for (verb, is_of_grants) in [("granted", true), ("revoked", true), ("created", false), ("deleted", false)] {
            let is_new = texts(is, "/publish").contains(verb) && !known.contains(verb);
            if is_new && (is_of_grants || are_rows_known) {
                let what = format!("`{verb}` is published from now on: rows do not have what happened before");
                self.add(ContractVerdict::Rebuild, "", what);
            }
        }
    }
}

/// The parts that differ: each path, what is there, and what follows.
fn parts(parts: &[(&str, &str, &str)], was: &Value, is: &Value) -> impl Iterator<Item = String> {
    parts.iter().filter_map(move |(path, what, follows)| {
        let (was, is) = (at(was, &format!("/{path}")), at(is, &format!("/{path}")));
        // Where no event said the entity, no row has it.
        let is_begun = *path == "entity" && was.as_array().is_some_and(Vec::is_empty);
        (was != is && !is_begun).then(|| format!("{what} was {}, and is {}: {follows}", shown(was), shown(is)))
    })
}

fn texts<'v>(row: &'v Value, pointer: &str) -> BTreeSet<&'v str> {
    at(row, pointer).as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// A part of a contract in words.
fn shown(part: &Value) -> String {
    match part {
        Value::Null => "nothing".to_owned(),
        Value::String(text) if text.is_empty() => "nothing".to_owned(),
        Value::String(text) => format!("`{text}`"),
        Value::Array(values) if values.is_empty() => "nothing".to_owned(),
        Value::Array(values) => values.iter().map(shown).collect::<Vec<_>>().join(" or "),
        Value::Object(fields) => {
            let said = fields.iter().filter(|(_, value)| shown(value) != "nothing");
            let said: Vec<String> = said.map(|(name, value)| format!("{name} {}", shown(value))).collect();
            if said.is_empty() { "nothing".to_owned() } else { said.join(", ") }
        }
        Value::Bool(_) | Value::Number(_) => part.to_string(),
    }
}
