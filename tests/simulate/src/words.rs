//! Which words of the model language the worlds draw, and which of them have an effect there.

use std::collections::BTreeMap;

use instep_model::{
    Condition, Create, DueRule, ExtraPolicy, Item, ItemType, Keep, LinkId, Model, Object, Precedence, Roles, Scope,
    Subject, Test, ToDependents, ToParent, TypeId,
};

use crate::cause::WriteCause;
use crate::implied::{meets, value_of};
use crate::watch::{Watch, WrittenObject};

/// For each word of a world's model: whether it had an effect there.
pub type UsedWords = BTreeMap<&'static str, bool>;

/// The words of a model, and which of them had an effect on what was written.
#[must_use]
pub fn words(watch: &Watch) -> UsedWords {
    let model = &watch.implied.model;
    let written: Vec<&WrittenObject> = watch.due.values().filter_map(|due| due.written()).collect();
    let mut found = UsedWords::new();
    for (place, ty) in model.items.iter().enumerate().filter(|(_, ty)| ty.user_value.is_none()) {
        let own: Vec<&WrittenObject> =
            written.iter().copied().filter(|write| write.object.of == TypeId(place)).collect();
        let of = Of { model, of: TypeId(place), ty, own, turns: watch.turns() };
        of.words(&mut found);
    }
    let is_written = !written.is_empty();
    let mut whole = |word, is_used: bool| {
        if is_used {
            *found.entry(word).or_default() |= is_written;
        }
    };
    whole("table.type", model.table.type_attribute.is_some());
    whole("table.secret", !model.secret.is_empty());
    whole("tenant", !model.tenant.is_empty());
    whole("correlation", !model.correlation.is_empty());
    whole("table.orphans", model.orphans == ExtraPolicy::Remove);
    whole("names.like", model.names.values().any(|rule| rule.like.is_some()));
    whole("names.attribute", model.names.values().any(|rule| !rule.attributes.is_empty()));
    whole("names.values", model.names.values().any(|rule| !rule.values.is_empty()));
    if let Some(has_ended) = watch.ends_groups_on_demand() {
        *found.entry("made = on-demand, deleted with its parent").or_default() |= has_ended;
    }
    found
}

/// The words of an item type.
struct Of<'a> {
    model: &'a Model,
    of: TypeId,
    ty: &'a ItemType,
    own: Vec<&'a WrittenObject>,
    /// How many windows time has opened or closed in this world.
    turns: usize,
}

/// Whether a write has set what a `due` rule sets.
fn is_set_by(rule: &DueRule, write: &WrittenObject) -> bool {
    let has = |item: &Option<Item>| {
        item.as_ref().is_some_and(|item| rule.set.iter().all(|(name, value)| item.get(name) == Some(value)))
    };
    write.old.is_some() && !has(&write.old) && has(&write.new)
}

impl Of<'_> {
    fn images(&self) -> impl Iterator<Item = (&Object, &Item)> {
        self.own.iter().filter_map(|write| Some((&write.object, write.new.as_ref()?)))
    }

    /// Whether a condition held and did not hold.
    fn decides(&self, condition: &Condition) -> bool {
        let holds = |is_wanted: bool| self.images().any(|(object, item)| meets(condition, object, item) == is_wanted);
        holds(true) && holds(false)
    }

    /// A condition, and the forms of it.
    fn condition(&self, note: &mut impl FnMut(&'static str, bool, bool), word: &'static str, condition: &Condition) {
        let decides = self.decides(condition);
        note(word, !condition.is_empty(), decides);
        note("several conditions", condition.alternatives.len() > 1, decides);
        let tests: Vec<&Test> =
            condition.tests().map(|(_, test)| test).filter(|test| !test.values.is_empty()).collect();
        note("not", tests.iter().any(|test| test.not), decides);
        note("absent or a value", tests.iter().any(|test| test.absent), decides);
    }

    /// Whether a list had several texts.
    fn has_list(&self, name: &str) -> bool {
        let paths = self.model.attributes_of(name);
        let texts = |item: &Item| paths.iter().find_map(|path| value_of(item, path)).and_then(|value| value.texts());
        self.images().any(|(_, item)| texts(item).is_some_and(|texts| texts.len() > 1))
    }

    fn words(&self, found: &mut UsedWords) {
        let (ty, is_written) = (self.ty, !self.own.is_empty());
        let mut note = |word: &'static str, is_used: bool, has_effect: bool| {
            if is_used {
                *found.entry(word).or_default() |= has_effect;
            }
        };
        let slots = |word: &str| {
            let forms = ty.forms.iter().flat_map(|form| [form.pk.source(), form.sk.source()]);
            forms.into_iter().any(|source| source.contains(word))
        };
        note("lower", slots("|lower"), is_written);
        note("urlencode", slots("|urlencode"), is_written);
        note("pad", slots("|pad:"), is_written);
        note("spellings", ty.forms.len() > 1, is_written);
        note("keep", ty.index_keys.iter().any(|keys| keys.keep == Keep::Always), is_written);
        note("keep fill", ty.index_keys.iter().any(|keys| keys.keep == Keep::Fill), is_written);
        note("values", !ty.values.is_empty(), is_written);
        let has_shape = |name: &String| self.model.names.get(name).is_some_and(|rule| rule.like.is_some());
        note("names.like", ty.forms.iter().flat_map(|form| &form.names).any(has_shape), is_written);
        note("entity", !ty.entity.is_empty(), is_written);
        note("id", ty.entity_id.is_some(), is_written);
        note("events", !ty.attributes.is_empty(), is_written);
        note("secret", ty.secret, is_written);
        note("assumed", !ty.assumed.is_empty(), true);
        note("guard", ty.guard.is_some(), is_written);
        note("guard.find", ty.guard.as_ref().is_some_and(|guard| guard.owner_link.is_some()), is_written);
        let sets = |write: &&WrittenObject| ty.due.iter().any(|rule| is_set_by(rule, write));
        note("due", !ty.due.is_empty(), self.own.iter().any(sets));
        for words in ty.verb_words.values().flatten() {
            note("verb", true, is_written);
            let became = |write: &&WrittenObject| {
                let holds =
                    |item: &Option<Item>| item.as_ref().is_some_and(|item| meets(&words.when, &write.object, item));
                write.old.is_some() && !holds(&write.old) && holds(&write.new)
            };
            note("verb.when", !words.when.is_empty(), self.own.iter().any(became));
            let changed = |write: &&WrittenObject| {
                let value = |item: &Option<Item>, path: &str| item.as_ref().and_then(|item| value_of(item, path));
                write.old.is_some()
                    && words.changed.iter().any(|path| value(&write.old, path) != value(&write.new, path))
            };
            let has_expired = |write: &&WrittenObject| write.new.is_none() && write.cause == WriteCause::TimeToLive;
            note("verb.cause", words.by_ttl, self.own.iter().any(has_expired));
            note("verb.changed", !words.changed.is_empty(), self.own.iter().any(changed));
        }
        self.relations(&mut note, is_written);
        self.cognito(&mut note, is_written);
    }

    fn relations(&self, note: &mut impl FnMut(&'static str, bool, bool), is_written: bool) {
        let ty = self.ty;
        for (_, link) in self.model.links_from(self.of) {
            note("oneof", link.when.is_some(), is_written);
            self.condition(note, "parent.when", &link.condition);
            note("takes", link.cascades_to.is_some(), is_written);
            note("parent", link.deleted_with, is_written);
            note("find = sweep", matches!(link.find, ToDependents::Sweep) && link.deleted_with, is_written);
            note("find = back-reference", matches!(link.find, ToDependents::BackReference), is_written);
            note("found by an index", link.find.queries_index(), is_written);
            note("part of a key", !matches!(link.up, ToParent::Key), is_written);
            note("found in a partition", matches!(link.up, ToParent::Partition(_)), is_written);
            if let Some(each) = &link.each {
                note("each in a reference", true, self.has_list(each));
            }
        }
        note("unique", ty.unique_end.is_some(), is_written);
        if let Some(grant) = &ty.grant {
            note("grant", true, is_written);
            self.condition(note, "grant.when", &grant.when);
            note("grant.from, until", !grant.from.is_empty() || !grant.until.is_empty(), is_written);
            let turns = !grant.from.is_empty() || !grant.until.is_empty();
            note("grant.from, until: time passes", turns, self.turns > 0);
            note("grant.last", grant.last.is_some(), is_written);
            note("grant.scope", !matches!(grant.scope, Scope::Global), is_written);
            let of_each = |id: &LinkId| self.model.link(*id).each.as_ref();
            note("grant.role", !grant.role_links.is_empty(), is_written);
            let list = grant.role_links.iter().find_map(of_each);
            note("grant.role of a list", list.is_some(), list.is_some_and(|each| self.has_list(each)));
            let path = if let Roles::Attribute(paths) = &grant.roles { paths.first() } else { None };
            let path = path.filter(|path| path.contains('.'));
            let has_path = |path: &String| self.images().any(|(_, item)| value_of(item, path).is_some());
            note("roles in a map", path.is_some(), path.is_some_and(has_path));
        }
        let guards = self.model.items.iter().filter_map(|ty| ty.guard.as_ref());
        for claim in guards.filter(|guard| guard.owner == self.of).flat_map(|guard| &guard.claims) {
            self.condition(note, "claims.when", &claim.when);
            claim.transfer.iter().for_each(|when| self.condition(note, "claims.transfer", when));
        }
    }

    fn cognito(&self, note: &mut impl FnMut(&'static str, bool, bool), is_written: bool) {
        let ty = self.ty;
        if let Some(user) = &ty.user {
            note("cognito.user", true, is_written);
            self.condition(note, "cognito.user.when", &user.when);
            user.disabled.iter().for_each(|when| self.condition(note, "cognito.user.disabled", when));
            note("create = false", user.create == Create::Never, is_written);
            note("delete = false", !user.delete, is_written);
            note("delete.after", user.grace.is_some(), is_written);
        }
        note("cognito.groups", !ty.groups.is_empty(), is_written);
        note("several groups", ty.groups.len() > 1, is_written);
        for groups in &ty.groups {
            let (precedence, has_role) = (groups.precedence.as_ref(), groups.iam_role.is_some());
            note("cognito.groups.precedence", precedence.is_some(), is_written);
            note("precedence of an item", matches!(precedence, Some(Precedence::OfItem(_))), is_written);
            note("cognito.groups.iam_role", has_role, is_written);
            self.condition(note, "cognito.groups.when", &groups.when);
        }
        note("several memberships", ty.members.len() > 1, is_written);
        for member in &ty.members {
            note("cognito.member", true, is_written);
            let value = match member.user {
                Subject::Link(link) => self.model.item(self.model.link(link).to).user_value,
                Subject::Itself => None,
            };
            note("user by sub", value.is_some(), is_written);
            self.condition(note, "cognito.member.when", &member.when);
            note("cognito.member.sign_out", member.sign_out, is_written);
            note("cognito.member.in", member.in_token, is_written);
            note("made = on-demand", member.is_on_demand(), is_written);
            note("made = by-hand", member.is_by_hand(), is_written);
            note("shared membership", !member.shared_with.is_empty(), is_written);
            note("constant group", member.group_link().is_none() && member.group.names().next().is_none(), is_written);
            if let Some(each) = member.group.each() {
                note("each in a group", true, self.has_list(each));
            }
        }
    }
}
