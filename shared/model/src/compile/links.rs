//! Links: the dependencies of item types, collected from parents, edges, grants and memberships.

use std::collections::{BTreeMap, BTreeSet};

use crate::errors::{Mistake, Mistakes};
use crate::file::{FindWord, ROLE, Reference, no_such_type};
use crate::messages::{list, near_word};
use crate::model::{Condition, Keep, KeyForm, Link, LinkId, LinkRole, ToDependents, ToParent, TypeId};
use crate::source::{Located, Span};
use crate::template::{Template, TemplatePart};

use super::context::Context;
use super::deletions;
use super::items::{names_from_key, plain_condition};
use super::link_mistakes;
use super::paths::{find, up};
use super::role_text;

/// Why there is a link.
#[derive(Debug)]
pub(super) struct LinkReason {
    pub(super) role: LinkRole,
    /// Whether an item has no effect without what it refers to.
    pub(super) needed: bool,
    /// What stands for `{role}` in the reference: the role of the grant, or each of its roles.
    pub(super) role_text: Option<Template>,
}

/// What a reference leads to.
pub(super) enum Resolution {
    /// To the item itself.
    Itself,
    /// To other items, by these links.
    Links(Vec<LinkId>),
    /// Nowhere: an error was reported.
    Failed,
}

pub(super) struct Links<'c, 'd> {
    context: &'c Context<'d>,
    links: Vec<Link>,
    /// By link: the place of the reference, the model's `find`, and whether finding matters.
    notes: Vec<Note>,
}

struct Note {
    at: Span,
    find: Option<FindWord>,
    matters: bool,
}

impl<'c, 'd> Links<'c, 'd> {
    pub(super) fn new(context: &'c Context<'d>) -> Self {
        Self { context, links: Vec::new(), notes: Vec::new() }
    }

    /// The names of the other item's key that a link gives.
    pub(super) fn names_of(&self, link: LinkId) -> BTreeSet<String> {
        self.links.get(link.0).map(|link| link.names.keys().cloned().collect()).unwrap_or_default()
    }

    /// Follows a reference. Links to the same item are one link.
    pub(super) fn resolve(
        &mut self,
        from: TypeId,
        reference: &Reference,
        reason: &LinkReason,
        mistakes: &mut Mistakes,
    ) -> Resolution {
        link_mistakes::of_parents_alone(reference, &reason.role, mistakes);
        if let Some(to) = self.context.type_id(&reference.to.value) {
            return self.add_link(from, to, None, reference, reason, mistakes);
        }
        let Some(oneof) = self.context.oneof(&reference.to.value) else {
            let mistake = no_such_type(&reference.to, &self.context.referable());
            mistakes.add(if reason.role == LinkRole::Group {
                link_mistakes::or_a_constant(mistake, &reference.to)
            } else {
                mistake
            });
            return Resolution::Failed;
        };
        if !self.is_known(from, &oneof.by.value) {
            let message = format!(
                "`{}` has no `{}`, which determines what it refers to",
                self.context.name(from),
                oneof.by.value
            );
            let help = format!("`oneof.{}` depends on that name: add it to a key or an index key", oneof.name.value);
            mistakes.add(Mistake::new(reference.to.span, message, "here").help(help));
            return Resolution::Failed;
        }
        let mut links = Vec::new();
        for (value, case) in &oneof.cases {
            let Some(to) = self.context.type_id(&case.to.value) else {
                mistakes.add(no_such_type(&case.to, &self.context.referable()));
                continue;
            };
            let is_given = |name: &Located<String>| reference.names.iter().any(|(own, _)| own.value == name.value);
            if let Some((name, _)) = case.names.iter().find(|(name, _)| is_given(name)) {
                let message = format!("the reference gives `{}`, too", name.value);
                let mistake =
                    Mistake::new(name.span, message, "never counts").also(reference.to.span, "this reference");
                mistakes.add(mistake.help("remove one of them"));
            }
            let names = reference.names.iter().chain(&case.names).cloned().collect();
            link_mistakes::check_finds((&reference.to, reference.find), (case.to.span, case.find), mistakes);
            let find = reference.find.or(case.find);
            let case = Reference {
                to: Located::new(reference.to.span, case.to.value.clone()),
                find,
                names,
                ..reference.clone()
            };
            let when = Some((oneof.by.value.clone(), value.value.clone()));
            match self.add_link(from, to, when, &case, reason, mistakes) {
                Resolution::Links(more) => links.extend(more),
                Resolution::Itself | Resolution::Failed => return Resolution::Failed,
            }
        }
        Resolution::Links(links)
    }

    /// A link, as far as it is known.
    pub(super) fn get(&self, link: LinkId) -> Option<&Link> {
        self.links.get(link.0)
    }

    /// The type that a link leads to.
    pub(super) fn leads_to(&self, link: LinkId) -> Option<TypeId> {
        self.links.get(link.0).map(|link| link.to)
    }

    /// Records that the item at the other end is deleted with the last item at this end.
    pub(super) fn cascade(&mut self, end: LinkId, other: LinkId) {
        if let Some(link) = self.links.get_mut(end.0) {
            link.cascades_to = Some(other);
        }
    }

    fn is_known(&self, from: TypeId, name: &str) -> bool {
        self.context.entry(from).known.contains(name)
    }

    fn add_link(
        &mut self,
        from: TypeId,
        to: TypeId,
        when: Option<(String, String)>,
        reference: &Reference,
        reason: &LinkReason,
        mistakes: &mut Mistakes,
    ) -> Resolution {
        let Some(mut names) = self.names(from, to, reference, reason, mistakes) else { return Resolution::Failed };
        let same = |(name, template): (&String, &Template)| template.as_single().is_some_and(|slot| slot.name == *name);
        if from == to && names.iter().all(same) && when.is_none() {
            if reason.role.is_deleted_with() {
                let message = format!("`{}` would be its own {}", self.context.name(from), reason.role.word());
                let help = "name the other item, such as `{ type = \"Folder\", folderId = \"{parentId}\" }`";
                mistakes.add(Mistake::new(reference.to.span, message, "leads back to the item itself").help(help));
                return Resolution::Failed;
            }
            return Resolution::Itself;
        }
        let key_names = &self.context.entry(to).key_names;
        let beside_key: BTreeSet<String> = names.keys().filter(|name| !key_names.contains(*name)).cloned().collect();
        let each = self.list_name(from, reference, &names, reason, mistakes);
        let up = up(self.context, from, to, &mut names);
        if !beside_key.is_empty() && !matches!(up, ToParent::Index { .. }) {
            let given: Vec<&String> = names.keys().collect();
            let message = format!(
                "{} are not all names of the partition key of an index of `{}`",
                list(&given),
                self.context.name(to)
            );
            let help = "give all names of the partition key of one index";
            mistakes.add(Mistake::new(reference.to.span, message, "leads to no item").help(help));
            return Resolution::Failed;
        }
        if each.is_some() && reason.role != LinkRole::Role && !matches!(up, ToParent::Key) {
            let message = format!("a list cannot name only a part of the key of `{}`", self.context.name(to));
            let help = "give every name of its key: each string in the list stands for one item";
            mistakes.add(Mistake::new(reference.to.span, message, "which items?").help(help));
        }
        // Of a list of parents, the item needs none in particular.
        let is_list_of_parents = each.is_some() && reason.role == LinkRole::Parent;
        let needed = reason.needed && reference.needed && !is_list_of_parents;
        let deleted_with = reason.role.is_deleted_with();
        let matters = deleted_with || needed;
        let condition = reference.when.as_ref().map_or_else(Condition::default, |when| plain_condition(&when.value));
        let (find, cascades_to, role) = (ToDependents::Sweep, None, reason.role.clone());
        let written = self.context.attributes_of(&reference.written);
        let link = Link {
            from,
            to,
            when,
            condition,
            names,
            beside_key,
            each,
            up,
            find,
            deleted_with,
            needed,
            cascades_to,
            role,
            written,
        };
        let note = Note { at: reference.to.span, find: reference.find, matters };
        Resolution::Links(vec![self.join(link, note, reference, mistakes)])
    }

    /// Adds a link, or if the item type has one that is alike, what the new one is for to that one.
    fn join(&mut self, link: Link, note: Note, reference: &Reference, mistakes: &mut Mistakes) -> LinkId {
        let alike = |other: &Link| {
            (other.to, &other.when, &other.condition, &other.names)
                == (link.to, &link.when, &link.condition, &link.names)
        };
        // The links of an item type are together.
        let first = self.links.iter().rposition(|other| other.from != link.from).map_or(0, |before| before + 1);
        if let Some(place) = self.links.iter().skip(first).position(alike).map(|place| first + place)
            && let (Some(same), Some(noted)) = (self.links.get_mut(place), self.notes.get_mut(place))
        {
            same.deleted_with |= link.deleted_with;
            same.needed |= link.needed;
            if same.written.is_empty() {
                same.written = link.written;
            }
            noted.matters |= note.matters;
            link_mistakes::check_finds((&reference.to, reference.find), (noted.at, noted.find), mistakes);
            if noted.find.is_none() && note.find.is_some() {
                (noted.find, noted.at) = (note.find, note.at);
            }
            return LinkId(place);
        }
        self.links.push(link);
        self.notes.push(note);
        LinkId(self.links.len() - 1)
    }

    /// The name with a list in the templates of a reference.
    fn list_name(
        &self,
        from: TypeId,
        reference: &Reference,
        names: &BTreeMap<String, Template>,
        reason: &LinkReason,
        mistakes: &mut Mistakes,
    ) -> Option<String> {
        let lists: Vec<&str> = names.values().filter_map(Template::each).collect();
        let first = *lists.first()?;
        let at = reference.names.iter().find(|(_, template)| template.value.each().is_some());
        let at = at.map_or(reference.to.span, |(_, template)| template.span);
        if lists.len() > 1 {
            let help = "write two references, or put both values into one string";
            mistakes.add(Mistake::new(at, "two lists in one reference", "which belong together?").help(help));
        }
        let is_free = matches!(reason.role, LinkRole::Parent | LinkRole::Group | LinkRole::Role);
        if !is_free {
            let message = format!("a `{}` is one item, and `{{{first}|each}}` is a list", reason.role.word());
            let help = "only a `parent`, a role and the `group` of a `cognito.member` can be a list: write an item for each, \
                        such as a membership, and refer to one from there";
            mistakes.add(Mistake::new(at, message, "which of them?").help(help));
        }
        if self.is_known(from, first) && reason.role == LinkRole::Role {
            mistakes.add(role_text::one_role(reference, first));
        } else if self.is_known(from, first) {
            let message = format!("`{first}` is a name in a key, so it has one value");
            mistakes.add(Mistake::new(at, message, "not a list").help("remove `|each`"));
        }
        Some(first.to_owned())
    }

    fn no_such_name(&self, name: &Located<String>, to: TypeId) -> Mistake {
        let known: Vec<&str> = self.context.entry(to).key_names.iter().map(String::as_str).collect();
        let help = match near_word(&name.value, &known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                format!(
                    "its key has {}; a reference also takes `type`, `find` and, in a `parent`, `when` and `written`",
                    list(&known)
                )
            }
        };
        let message = format!("`{}` is not a name in the key of `{}`", name.value, self.context.name(to));
        Mistake::new(name.span, message, "not known").help(help)
    }

    /// Templates for the key names of the other item, as far as the item determines them.
    fn names(
        &self,
        from: TypeId,
        to: TypeId,
        reference: &Reference,
        reason: &LinkReason,
        mistakes: &mut Mistakes,
    ) -> Option<BTreeMap<String, Template>> {
        let target = self.context.entry(to);
        let beside_key = self.names_beside_key(to, reason);
        let is_known = |name: &String| target.key_names.contains(name) || beside_key.contains(name);
        let unknown = reference.names.iter().map(|(name, _)| name).filter(|name| !is_known(&name.value));
        let unknown: Vec<Mistake> = unknown.map(|name| self.no_such_name(name, to)).collect();
        let all_known = unknown.is_empty();
        unknown.into_iter().for_each(|mistake| mistakes.add(mistake));
        let own = &self.context.entry(from).key_names;
        let mut names = BTreeMap::new();
        for name in &target.key_names {
            let given = reference.names.iter().find(|(given, _)| given.value == *name);
            let said = given.map(|(_, template)| template.value.clone());
            let Some(source) = said.or_else(|| self.unsaid(from, to, name, reason)) else { continue };
            let source = match &reason.role_text {
                Some(text) => role_text::with_role(reference, name, (&source, given), text, mistakes)?,
                None => source,
            };
            // A name that is in lower case in the item's own key needs no change.
            let is_lower = source.as_single().is_some()
                && source.names().all(|name| own.contains(name) && self.context.is_lower_in_key(from, name));
            let template = if is_lower { source } else { self.context.as_in_key(to, name, &source) };
            let at = given.map_or(reference.to.span, |(_, template)| template.span);
            self.context.check_text((from, to), name, (&template, at), mistakes);
            names.insert(name.clone(), template);
        }
        if !all_known {
            return None;
        }
        let given = reference.names.iter().filter(|(name, _)| beside_key.contains(&name.value));
        for pair @ (name, template) in given.clone() {
            let source = match &reason.role_text {
                Some(text) => {
                    role_text::with_role(reference, &name.value, (&template.value, Some(pair)), text, mistakes)?
                }
                None => template.value.clone(),
            };
            names.insert(name.value.clone(), source);
        }
        let is_beside_key = given.count() > 0;
        if let Some(text) = &reason.role_text
            && !names.values().any(|template| template.names().any(|name| text.names().any(|own| own == name)))
        {
            mistakes.add(role_text::no_role(reference, self.context.name(to), text));
            return None;
        }
        if names.is_empty() {
            mistakes.add(link_mistakes::no_name(self.context, from, to, reference, &reason.role));
            return None;
        }
        if let Some(mistake) = self.leads_to_several((from, to), (reference, &reason.role), &names, is_beside_key) {
            mistakes.add(mistake);
            return None;
        }
        Some(names)
    }

    /// What a key name of the other item is if a reference does not say it.
    fn unsaid(&self, from: TypeId, to: TypeId, name: &str, reason: &LinkReason) -> Option<Template> {
        let own = &self.context.entry(from).key_names;
        let end = format!("{}.{name}", reason.role.word());
        if matches!(reason.role, LinkRole::EdgeEnd(_)) && own.contains(&end) {
            return Some(Template::single(&end));
        }
        if name == ROLE && reason.role_text.is_some() || own.contains(name) || self.is_known(from, name) {
            return Some(Template::single(name));
        }
        match self.context.texts(to).values_of(name).unwrap_or_default() {
            // It has this value always.
            [only] => Some(Template::from_parts([TemplatePart::Constant(only.clone())])),
            _ => None,
        }
    }

    /// What is wrong with a reference that gives these names: they lead to no item, or to several.
    fn leads_to_several(
        &self,
        (from, to): (TypeId, TypeId),
        (reference, role): (&Reference, &LinkRole),
        names: &BTreeMap<String, Template>,
        is_beside_key: bool,
    ) -> Option<Mistake> {
        // Answers look for an item under each spelling, and accept one that is alone.
        let is_for_answers = role.is_for_answers();
        let spelling = if is_for_answers { None } else { self.other_spelling(to, reference, names) };
        if let Some(mistake) = spelling.or_else(|| self.two_spellings(from, to, reference, names)) {
            return Some(mistake);
        }
        // The index that has names beside the key leads to one item.
        let missing = self.missing_name(to, names).filter(|_| !is_beside_key)?;
        let is_led = is_for_answers || self.is_led(from, to, names);
        if is_led && tells_apart(&self.context.entry(to).forms, reference, names) {
            return None;
        }
        let lack = link_mistakes::Lack { names, missing: &missing, is_led };
        Some(link_mistakes::several(self.context, from, to, reference, &lack))
    }

    /// The names beside its key by which an index leads to the item of a role: those of one partition key.
    fn names_beside_key(&self, to: TypeId, reason: &LinkReason) -> BTreeSet<String> {
        if reason.role != LinkRole::Role && !reason.role.is_for_answers() {
            return BTreeSet::new();
        }
        let key_names = &self.context.entry(to).key_names;
        let indexes = self.context.index_templates_of_all_forms(to);
        let names = indexes.iter().flat_map(|keys| keys.pk.names());
        names.filter(|name| !key_names.contains(*name)).map(str::to_owned).collect()
    }

    /// Of spellings with different names, a reference tells one item apart, and under another spelling no item
    /// looks the same to it: otherwise the deletion of that one would count.
    fn other_spelling(&self, to: TypeId, reference: &Reference, names: &BTreeMap<String, Template>) -> Option<Mistake> {
        let forms = &self.context.entry(to).forms;
        let known = |form: &KeyForm| -> BTreeSet<String> {
            form.names.iter().filter(|name| names.contains_key(*name)).cloned().collect()
        };
        let told: Vec<BTreeSet<String>> =
            forms.iter().filter(|form| missing_in(form, names).is_none()).map(known).collect();
        let missing = forms.iter().find_map(|form| missing_in(form, names).filter(|_| told.contains(&known(form))))?;
        let name = self.context.name(to);
        let message = format!("only some spellings of the key of `{name}` have `{missing}`, and this does not give it");
        let help = format!("split `{name}` into an item type for each spelling, or give `{missing}`");
        Some(Mistake::new(reference.to.span, message, "which of them?").help(help))
    }

    /// A key has the names of one spelling. An item whose own key has names of two would refer to nothing.
    fn two_spellings(
        &self,
        from: TypeId,
        to: TypeId,
        reference: &Reference,
        names: &BTreeMap<String, Template>,
    ) -> Option<Mistake> {
        let known = names_from_key(self.context, from);
        let key_names = &self.context.entry(to).key_names;
        let is_always = |(name, template): &(&String, &Template)| {
            key_names.contains(*name) && template.names().all(|name| known.contains(name))
        };
        let always: Vec<&String> = names.iter().filter(is_always).map(|(name, _)| name).collect();
        let forms = &self.context.entry(to).forms;
        if forms.iter().any(|form| always.iter().all(|name| form.names.contains(*name))) {
            return None;
        }
        let (from, to) = (self.context.name(from), self.context.name(to));
        let message = format!("no spelling of the key of `{to}` has {} together", list(&always));
        let help = format!("rename one of them in the key of `{from}`, such as `{{other.{}}}`", always.first()?);
        Some(Mistake::new(reference.to.span, message, "leads to no item").help(help))
    }

    /// Whether the names that a reference gives are all names of the partition of the other item, or of an
    /// index that has it: then Instep sees whether another item has these names, too.
    fn is_led(&self, from: TypeId, to: TypeId, names: &BTreeMap<String, Template>) -> bool {
        let mut with_shared = names.clone();
        match up(self.context, from, to, &mut with_shared) {
            ToParent::Partition(_) => true,
            ToParent::Index { .. } => with_shared.len() == names.len(),
            ToParent::Key | ToParent::Unknown => false,
        }
    }

    /// A name that distinguishes an item from others of its type: one in its sort key, or in its
    /// partition key if the sort key has none. Without it, and if no query shows the others, the deletion of one
    /// item could delete dependents of others.
    fn missing_name(&self, of: TypeId, names: &BTreeMap<String, Template>) -> Option<String> {
        let mut missing = self.context.entry(of).forms.iter().map(|form| missing_in(form, names));
        let first = missing.next()?;
        if first.is_none() || missing.any(|missing| missing.is_none()) { None } else { first }
    }

    /// The links, each with the way to find its items.
    pub(super) fn finish(mut self, mistakes: &mut Mistakes) -> Vec<Link> {
        for (link, note) in self.links.iter_mut().zip(&self.notes) {
            // Nobody waits for the item of such a role, so it may seem not to exist.
            if note.matters || link.role != LinkRole::Role {
                check_looked_up(self.context, link, note.at, mistakes);
            }
            let way = find(self.context, link.from, link.to, link.when.as_ref(), &link.names);
            // What leads down follows from the key of the other item, which does not have these names.
            let way = way.filter(|_| link.beside_key.is_empty());
            link.find = match (note.find, way) {
                (Some(_), _) if !note.matters => {
                    let message = format!("nothing follows for a `{}` from this", self.context.name(link.from));
                    let help = "remove `find`: the referred item need not find the items that refer to it";
                    mistakes.add(Mistake::new(note.at, message, "`find` has no effect").help(help));
                    ToDependents::Sweep
                }
                (Some(FindWord::BackReference), _) => ToDependents::BackReference,
                (Some(FindWord::Sweep), _) => {
                    if link.needed {
                        mistakes.add(link_mistakes::needed(self.context, link, note.at));
                    }
                    ToDependents::Sweep
                }
                (None, Some(way)) => way,
                // Roles are usually a list, which no key and no index has.
                (None, None) if note.matters && link.role == LinkRole::Role => ToDependents::BackReference,
                // Nothing follows from such a link, so its items need not be found.
                (None, None) if !note.matters => ToDependents::Sweep,
                (None, None) => {
                    mistakes.add(link_mistakes::no_way(self.context, link, note.at));
                    ToDependents::Sweep
                }
            };
        }
        let said = self.links.iter().zip(&self.notes).map(|(link, note)| (link, note.at, note.find));
        deletions::check(self.context, &said.collect::<Vec<_>>(), mistakes);
        self.links
    }
}

/// The key that tells the items of a spelling apart.
fn telling(form: &KeyForm) -> &Template {
    if form.sk.names().next().is_some() { &form.sk } else { &form.pk }
}

/// The first name that tells the items of a spelling apart and is not given.
fn missing_in(form: &KeyForm, names: &BTreeMap<String, Template>) -> Option<String> {
    telling(form).names().find(|name| !names.contains_key(*name)).map(str::to_owned)
}

/// Whether a reference that leaves out a name gives another one that tells items apart, or says itself what it
/// gives. Names that it only has in common with the other item may be those of what both belong to.
fn tells_apart(forms: &[KeyForm], reference: &Reference, names: &BTreeMap<String, Template>) -> bool {
    !reference.names.is_empty() || forms.iter().any(|form| telling(form).names().any(|name| names.contains_key(name)))
}

/// INVARIANT 2: Instep removes no key of an index that leads to a parent. Children could be deleted: the index would
/// not show that the parent exists.
fn check_looked_up(context: &Context<'_>, link: &Link, at: Span, mistakes: &mut Mistakes) {
    let ToParent::Index { index, .. } = link.up else { return };
    let Some(index) = context.indexes.get(index) else { return };
    let to = context.entry(link.to).draft;
    if let Some(keys) = to.indexes.iter().find(|keys| keys.keep == Keep::Always && keys.index.value == index.name) {
        let (from, to) = (context.name(link.from), &to.name.value);
        let message =
            format!("a `{from}` finds its `{to}` through index `{}`, from which Instep would remove it", index.name);
        let help = "write `keep = \"fill\"`, which removes nothing: the item at the other end would seem not to exist";
        mistakes
            .add(Mistake::new(keys.index.span, message, "`keep = true` here").also(at, "this reference").help(help));
    }
}
