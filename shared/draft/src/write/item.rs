//! Writes an item type.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::Item;

use super::{Writer, counted, key, list, quoted};
use crate::compile::LineKind;
use crate::relations::{GrantGuess, ParentGuess, Relation};
use crate::slots::{IndexKeysGuess, TypeGuess};
use crate::text::{KeyPart, slots};
use crate::words::{is_plain_name, is_time, is_word, norm, snake};

/// The most attributes that a comment lists.
const LISTED_MAX: usize = 12;

impl Writer<'_> {
    pub(super) fn item(&mut self, at: usize) {
        let (Some(of), Some(relation)) = (self.types.types.get(at), self.relations.of.get(at)) else { return };
        let items: Vec<&Item> = of.items.iter().filter_map(|place| self.table.items.get(*place)).collect();
        self.begin(format!("[items.{}] # {}", key(&of.name), counted(items.len(), "item")));
        self.essential(format!("pk = {}", quoted(&self.template(&of.pk))));
        self.essential(format!("sk = {}", quoted(&self.template(&of.sk))));
        self.index_keys(of, items.len());
        let words: Vec<&str> = of.type_values.iter().map(String::as_str).filter(|value| is_word(value)).collect();
        match words[..] {
            [] => {}
            [only] if only == of.name => {}
            [only] => self.setting(format!("type = {}", quoted(only))),
            [..] => self.setting(format!("type = {}", list(words))),
        }
        if relation.guard.is_some() {
            return self.guard(of, relation);
        }
        if relation.grant.is_none() && relation.edge.is_none() {
            self.setting(format!("entity = {}", quoted(&of.name)));
        }
        self.edge(of, relation);
        self.parents(of, relation);
        self.references(of, at, &items);
        if let Some(grant) = &relation.grant {
            self.grant(of, relation, grant, &items);
        } else if let (Some(roles), [parent]) = (self.roles(&items), &relation.parents[..])
            && let Some(scope) = self.types.types.get(parent.to)
        {
            let (own, scope) = (quoted(&of.name), quoted(&scope.name));
            self.comment(&format!(
                "decide: does it give somebody roles? grant = {{ subject = {own}, scope = {scope}, roles = {} }}, with the \
                 item type of the person as subject",
                quoted(&roles)
            ));
        }
        if relation.is_person {
            self.person(of, &items);
        }
        self.attributes(of, relation, &items);
    }

    fn index_keys(&mut self, of: &TypeGuess, items: usize) {
        let own = self.key_names(of);
        let mut found = Vec::new();
        for keys in &of.indexes {
            let Some(index) = self.table.schema.indexes.get(keys.index) else { continue };
            let parts = [("pk", &keys.pk), ("sk", &keys.sk)];
            let written = parts.iter().filter_map(|(word, parts)| Some((word, self.template(parts.as_ref()?))));
            let written: Vec<String> = written.map(|(word, text)| format!("{word} = {}", quoted(&text))).collect();
            let seen = if keys.seen == items { String::new() } else { format!(" # in {} of {items}", keys.seen) };
            let only: BTreeSet<&str> = (parts.iter().filter_map(|(_, parts)| parts.as_ref()))
                .flat_map(|parts| slots(parts))
                .filter_map(|at| self.types.slots.get(at))
                .filter(|slot| slot.attributes.is_empty() && !own.contains(slot.name.as_str()))
                .map(|slot| slot.name.as_str())
                .collect();
            let only = only.into_iter().collect::<Vec<_>>().join(", ");
            let unknown = if only.is_empty() { String::new() } else { format!(" # only this index key has {only}") };
            found.push(format!("{} = {{ {} }}{seen}{unknown}", key(&index.name), written.join(", ")));
        }
        found.into_iter().for_each(|line| self.setting(line));
    }

    fn guard(&mut self, of: &TypeGuess, relation: &Relation) {
        let Some(guard) = &relation.guard else { return };
        let Some(owner) = self.types.types.get(guard.owner) else { return };
        let by: Vec<String> = guard
            .by
            .iter()
            .filter(|(name, attribute)| name != attribute)
            .map(|(name, attribute)| format!("{} = {}", key(name), quoted(attribute)))
            .collect();
        let by = if by.is_empty() { String::new() } else { format!(", by = {{ {} }}", by.join(", ")) };
        let claims: Vec<String> =
            guard.claims.iter().map(|(name, attribute)| format!("{name} is `{attribute}` of {}", owner.name)).collect();
        self.setting(format!("guard = {{ owner = {}{by} }} # {}", quoted(&owner.name), claims.join(", ")));
        self.comment(
            "decide: Instep creates a guard for each such value, and deletes it when the owner no longer has the value.",
        );
        let renamed: BTreeMap<&String, &String> =
            guard.claims.iter().filter(|(name, attribute)| name != attribute).collect();
        if renamed.is_empty() {
            return;
        }
        self.essential(format!("[[items.{}.claims]]", key(&of.name)));
        for (name, attribute) in renamed {
            self.setting(format!("{} = {}", key(name), quoted(&format!("{{{attribute}}}"))));
        }
    }

    fn edge(&mut self, of: &TypeGuess, relation: &Relation) {
        let Some(end) = relation.edge.and_then(|at| self.types.types.get(at)) else { return };
        let ends = |find: &dyn Fn(&str) -> bool| {
            let of_end = |label: &String| {
                let target = quoted(&end.name);
                let reference =
                    if find(label) { target } else { format!("{{ type = {target}, find = \"back-reference\" }}") };
                format!("{} = {reference}", key(label))
            };
            format!("edge = {{ {} }}", of.ends.iter().map(of_end).collect::<Vec<_>>().join(", "))
        };
        let of_partition = |label: &str| {
            let mut own = slots(&of.pk).filter_map(|at| self.types.slots.get(at)).peekable();
            own.peek().is_some() && own.all(|slot| slot.end.as_deref() == Some(label))
        };
        let (line, other) = (ends(&of_partition), ends(&|_| false));
        self.push(line, LineKind::Setting { or: Some(other) });
        self.comment(&format!(
            "decide: add takes = {} if the child is deleted with its last parent",
            quoted(of.ends.last().map_or("child", String::as_str))
        ));
    }

    /// A reference to a parent.
    fn reference(&self, parent: &ParentGuess, find: bool) -> String {
        let Some(of) = self.types.types.get(parent.to) else { return String::new() };
        let mut words = vec![format!("type = {}", quoted(&of.name))];
        words.extend(parent.given.iter().map(|name| format!("{} = {}", key(name), quoted(&format!("{{{name}}}")))));
        if find {
            words.push("find = \"back-reference\"".to_owned());
        }
        if words.len() == 1 { quoted(&of.name) } else { format!("{{ {} }}", words.join(", ")) }
    }

    fn parents(&mut self, of: &TypeGuess, relation: &Relation) {
        let mut all: Vec<Suggested> = Vec::new();
        // An index finds the appointments of a doctor, which belong to the clinic that is in their key.
        let is_at_home = relation.grant.is_none() && relation.parents.iter().any(|parent| parent.is_in_key);
        let is_person = |at: usize| self.relations.of.get(at).is_some_and(|of| of.is_person);
        for parent in &relation.parents {
            let find = !self.is_findable(of, parent);
            let lines = [self.reference(parent, find), self.reference(parent, true)];
            let name = self.types.types.get(parent.to).map(|to| to.name.as_str()).unwrap_or_default();
            let doubt = if !parent.evidence.is_enough() {
                Some("few exist")
            } else if !parent.is_in_key && is_at_home && is_person(parent.to) {
                Some("only an index names it")
            } else {
                None
            };
            all.push(Suggested { lines, why: format!("{name}: {}", parent.evidence), doubt });
        }
        if let Some(oneof) = relation.oneof.and_then(|at| self.relations.oneofs.get(at)) {
            let name = quoted(&oneof.name);
            let lines = [name.clone(), format!("{{ type = {name}, find = \"back-reference\" }}")];
            let why = format!("{}: by {}, {}", oneof.name, oneof.by, relation.of_oneof);
            let doubt = (!relation.of_oneof.is_enough()).then_some("few exist");
            all.push(Suggested { lines, why, doubt });
        }
        if relation.edge.is_some() {
            return;
        }
        let (enough, doubtful): (Vec<&Suggested>, Vec<&Suggested>) =
            all.iter().partition(|parent| parent.doubt.is_none());
        match parent_lines(&enough) {
            None => {}
            Some([first, _]) if is_record_of_the_past(&of.name) => {
                self.comment(&format!("decide: is it deleted with its parent? {first}"));
            }
            Some([first, second]) => self.push(first, LineKind::Setting { or: Some(second) }),
        }
        for parent in doubtful {
            // The whole line: a model has one `parent` for an item type.
            if let (Some(doubt), Some([line, _])) = (parent.doubt, parent_lines(&[&enough[..], &[parent]].concat())) {
                self.comment(&format!("decide: {doubt}, so is it really deleted with that, too? {line}"));
            }
        }
        for above in relation
            .above
            .iter()
            .filter_map(|at| self.types.types.get(*at))
            .map(|of| of.name.clone())
            .collect::<Vec<_>>()
        {
            self.comment(&format!("An index key also names {above}, which is a parent of its parent."));
        }
    }

    /// Whether the partition or an index leads from a parent to these items.
    fn is_findable(&self, of: &TypeGuess, parent: &ParentGuess) -> bool {
        let Some(to) = self.types.types.get(parent.to) else { return false };
        let theirs = self.key_names(to);
        let leads = |parts: &[KeyPart]| {
            let mut names = slots(parts).filter_map(|at| self.types.slots.get(at)).peekable();
            names.peek().is_some() && names.all(|slot| theirs.contains(slot.name.as_str()))
        };
        let by_index = |keys: &IndexKeysGuess| {
            let is_in_all = keys.seen == of.items.len();
            is_in_all && keys.pk.as_ref().is_some_and(|parts| leads(parts))
        };
        let is_inverted = self.table.schema.indexes.iter().any(|index| index.pk == self.table.schema.sk);
        leads(&of.pk) || parent.given.is_empty() && (of.indexes.iter().any(by_index) || is_inverted && leads(&of.sk))
    }

    /// Attributes that contain the id of another item type.
    fn references(&mut self, of: &TypeGuess, at: usize, items: &[&Item]) {
        let own = self.key_names(of);
        let attributes: BTreeSet<&str> =
            items.iter().flat_map(|item| self.table.attributes(item)).map(|(name, _)| name).collect();
        let mut found = Vec::new();
        for (other, to) in self.types.types.iter().enumerate() {
            let names = self.key_names(to);
            let is_parent = self
                .relations
                .of
                .get(at)
                .is_some_and(|relation| relation.parents.iter().any(|parent| parent.to == other));
            let is_guard = self.relations.of.get(other).is_some_and(|relation| relation.guard.is_some());
            let Some(name) =
                names.first().filter(|name| names.len() == 1 && attributes.contains(**name) && !own.contains(**name))
            else {
                continue;
            };
            if other != at && !is_parent && !is_guard {
                let reference = format!(
                    "{{ type = {}, {} = {}, find = \"back-reference\" }}",
                    quoted(&to.name),
                    key(name),
                    quoted(&format!("{{{name}}}"))
                );
                found.push(format!("decide: `{name}` names a {}. Is that a parent, too? {reference}", to.name));
            }
        }
        found.iter().for_each(|text| self.comment(text));
    }

    fn grant(&mut self, of: &TypeGuess, relation: &Relation, grant: &GrantGuess, items: &[&Item]) {
        let reference = |to: usize| {
            let parent = relation.parents.iter().find(|parent| parent.to == to);
            parent.map(|parent| self.reference(parent, false)).unwrap_or_default()
        };
        let oneof = relation.oneof.and_then(|at| self.relations.oneofs.get(at));
        let scope = grant.scope.map(reference).or_else(|| oneof.map(|oneof| quoted(&oneof.name))).unwrap_or_default();
        let subject = reference(grant.subject);
        let roles = grant.roles.as_ref().map(|roles| format!(", roles = {}", quoted(roles))).unwrap_or_default();
        let evidence = match &grant.roles {
            Some(roles) => {
                let with: Vec<_> = items.iter().filter_map(|item| item.get(roles)).collect();
                let different: BTreeSet<String> = with.iter().filter_map(|value| value.texts()).flatten().collect();
                format!("roles in {} of {}, {}", with.len(), items.len(), counted(different.len(), "different role"))
            }
            None => "no attribute with a role was seen".to_owned(),
        };
        self.setting(format!("grant = {{ subject = {subject}, scope = {scope}{roles} }} # {evidence}"));
        let names: Vec<String> = match grant.scope.and_then(|at| self.types.types.get(at)) {
            Some(scope) => self.key_names(scope).into_iter().map(|name| format!("{{{name}}}")).collect(),
            None => {
                oneof.map(|oneof| vec![format!("{{{}}}", oneof.by), format!("{{{}}}", oneof.id)]).unwrap_or_default()
            }
        };
        let role = if grant.roles.is_some() { ":{role}" } else { "" };
        let group = quoted(&format!("{}:{}{role}", snake(&of.name), names.join(":")));
        self.comment(&format!(
            "decide: a Cognito group for each scope and role? cognito.member = {{ user = {subject}, group = {group} }}"
        ));
    }

    fn roles(&self, items: &[&Item]) -> Option<String> {
        let has = |name: &&str| items.iter().any(|item| item.contains_key(*name));
        ["role", "roles", "permission", "permissions"].into_iter().find(has).map(str::to_owned)
    }

    fn person(&mut self, of: &TypeGuess, items: &[&Item]) {
        let Some(slot) = of.key_slots().next().and_then(|at| self.types.slots.get(at)) else { return };
        let is_mail = |name: &&str| matches!(norm(name).as_str(), "email" | "mail" | "emailaddres");
        let mail = items.iter().flat_map(|item| self.table.attributes(item)).map(|(name, _)| name).find(is_mail);
        let attributes = mail.map(|mail| format!(", attributes = {{ email = {} }}", quoted(&format!("{{{mail}}}"))));
        let name = format!("{{{}}}", slot.name);
        self.comment(&format!(
            "decide: does Cognito know a person by {}? cognito.user = {{ name = {}{} }}",
            slot.name,
            quoted(&name),
            attributes.unwrap_or_default()
        ));
    }

    /// What a person may want of the other attributes: times, states, and what subscribers see.
    fn attributes(&mut self, of: &TypeGuess, relation: &Relation, items: &[&Item]) {
        let own = self.key_names(of);
        let mut names: BTreeSet<&str> =
            items.iter().flat_map(|item| self.table.attributes(item)).map(|(name, _)| name).collect();
        names.retain(|name| is_plain_name(name) && !own.contains(name));
        let is_called = |name: &&&str, words: &[&str]| words.iter().any(|word| norm(name).contains(word));
        let has_time = |name: &&&str| {
            items.iter().any(|item| item.get(**name).and_then(|value| value.as_s()).is_some_and(is_time))
        };
        let times: Vec<&str> = names
            .iter()
            .filter(|name| is_called(name, &["expir", "until", "start", "valid", "end"]))
            .filter(has_time)
            .copied()
            .collect();
        if !times.is_empty() {
            let of_grant = if relation.grant.is_some() { ", and `from` and `until` of the grant" } else { "" };
            self.comment(&format!("decide: times in {}: see `due`{of_grant}", times.join(", ")));
        }
        const STATES: [&str; 6] = ["status", "state", "deletedat", "archived", "active", "enabled"];
        let states: Vec<&str> =
            names.iter().filter(|name| STATES.iter().any(|word| norm(word) == norm(name))).copied().collect();
        if !states.is_empty() {
            self.comment(&format!(
                "decide: does something depend on {}? See conditions (`when`, `disabled`)",
                states.join(", ")
            ));
        }
        if !names.is_empty() {
            let shown = list(names.iter().take(LISTED_MAX).copied());
            self.comment(&format!("decide: which attributes may subscribers see? events = {shown}"));
        }
    }
}

/// Whether items tell of the past, and stay when what they tell of is gone.
fn is_record_of_the_past(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains("audit") || name.contains("history") || name.contains("archive") || name.ends_with("log")
}

/// A parent that the draft suggests.
struct Suggested {
    /// The reference, and one that any model accepts.
    lines: [String; 2],
    why: String,
    /// Why the line is no active one.
    doubt: Option<&'static str>,
}

/// The setting for some parents, and one that any model accepts. `None` without parents.
fn parent_lines(parents: &[&Suggested]) -> Option<[String; 2]> {
    let why: Vec<&str> = parents.iter().map(|parent| parent.why.as_str()).collect();
    let line = |texts: Vec<&str>| {
        let texts = if let [only] = texts[..] { only.to_owned() } else { format!("[{}]", texts.join(", ")) };
        format!("parent = {texts} # {}", why.join("; "))
    };
    let lines = |of: fn(&Suggested) -> &str| line(parents.iter().map(|parent| of(parent)).collect());
    (!parents.is_empty()).then(|| [lines(|parent| &parent.lines[0]), lines(|parent| &parent.lines[1])])
}
