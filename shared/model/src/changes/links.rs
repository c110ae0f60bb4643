//! References: which items depend on which, and how each finds the other.

use std::collections::{BTreeMap, BTreeSet};

use super::canonical::text;
use super::{CHANGE, Found, MEANT, REBUILD, SettingClass, TAKE, TELL, link_text};
use crate::model::{FindQuery, Link, LinkRole, Model, ToDependents, ToParent};

/// What a sweep says of children without a parent.
const ORPHANS: &str = "then decide about each `orphan` that `instep sweep` lists";

impl Found<'_> {
    /// The references of the item types that both models have.
    pub(super) fn links(&mut self, was: &[Link], is: &[Link]) {
        let (was, is) = (by_text(self.old, was), by_text(self.new, is));
        for (text, link) in &was {
            let what = Self::path(self.old, link);
            match is.get(text) {
                Some(other) => self.compare(&what, *link, *other, |found| found.link(&what, link, other)),
                None => self.link_gone(&what, link),
            }
        }
        for (text, link) in &is {
            if !was.contains_key(text) {
                self.link_new(&Self::path(self.new, link), link);
            }
        }
    }

    /// The setting of a link.
    fn path(model: &Model, link: &Link) -> String {
        let (from, to) = (model.item(link.from), model.item(link.to));
        let setting = match &link.role {
            LinkRole::Parent => "parent",
            LinkRole::EdgeEnd(end) => &format!("edge.{end}"),
            LinkRole::Owner => "guard",
            LinkRole::Subject => "grant.subject",
            LinkRole::Scope => "grant.scope",
            LinkRole::Role => "grant.role",
            LinkRole::User => "cognito.member.user",
            LinkRole::Group => "cognito.member.group",
            role @ (LinkRole::Within | LinkRole::Inherits | LinkRole::Permits) => role.word(),
        };
        format!("items.{}.{setting}: {}", from.label(), to.label())
    }

    fn link_gone(&mut self, what: &str, link: &Link) {
        if link.deleted_with {
            let to = self.old.item(link.to).label();
            let meaning =
                format!("items that depended on a {to} by this reference stay from now on when it is deleted");
            let steps =
                [MEANT, "if the reference is written in another way: deploy with both attributes first (`names`)"];
            self.steps(SettingClass::References, what, meaning, &steps);
        } else {
            let meaning = "this reference is gone: cascades that are under way do not continue over it, and its \
                           back-references stay until a sweep deletes them";
            self.note(SettingClass::References, what, meaning);
        }
    }

    fn link_new(&mut self, what: &str, link: &Link) {
        if matches!(link.find, ToDependents::BackReference) {
            self.steps(SettingClass::Finding, what, no_back_references(self.new, link), &[CHANGE]);
        }
        if link.deleted_with {
            let meaning = "items are deleted with it from now on; those whose parent was deleted before stay";
            self.steps(SettingClass::References, what, meaning, &[CHANGE, ORPHANS]);
        } else if link.needed {
            let to = self.new.item(link.to).label();
            let meaning =
                format!("what it gives waits for the {to} from now on, and loses its access where there is none");
            self.steps(SettingClass::Grants, what, meaning, &[CHANGE, TAKE, REBUILD]);
        }
        self.addresses(what, None, link);
        if !matches!(link.find, ToDependents::BackReference) && !link.deleted_with && !link.needed {
            self.note(SettingClass::References, what, "events and cascades know this reference from now on");
        }
    }

    fn link(&mut self, what: &str, was: &Link, is: &Link) {
        let Link {
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
        } = was;
        // The two are the link of one text.
        let key = (from, to, when, condition, names);
        self.compare(what, &key, &(&is.from, &is.to, &is.when, &is.condition, &is.names), |found| {
            found.steps(SettingClass::References, what, "the reference leads to other items", &[CHANGE, TAKE]);
        });
        self.compare(what, &(each, beside_key), &(&is.each, &is.beside_key), |found| {
            let meaning = "the reference leads to the items of other texts: of one, or of each in a list";
            found.steps(SettingClass::References, what, meaning, &[CHANGE, TAKE, REBUILD]);
        });
        self.compare(what, up, &is.up, |found| found.up(what, (up, was), is));
        self.compare(what, find, &is.find, |found| found.find(what, find, is));
        self.lifetime(what, *deleted_with, *needed, is);
        self.compare(what, cascades_to, &is.cascades_to, |found| {
            let meaning = match is.cascades_to {
                Some(_) => "from now on, the item at the far end is deleted with the last one at this end",
                None => "from now on, the item at the far end stays when the last one at this end is deleted",
            };
            found.note(SettingClass::References, what, meaning);
        });
        self.compare(what, role, &is.role, |found| match (role, &is.role) {
            (LinkRole::EdgeEnd(_), _) | (_, LinkRole::EdgeEnd(_)) => {
                found.steps(
                    SettingClass::Events,
                    what,
                    "events call this end of an edge something else",
                    &[TELL, REBUILD],
                );
            }
            (_, _) => found.note(SettingClass::References, what, "output calls this reference something else"),
        });
        if *written != is.written {
            let meaning = "other attributes say from now on whether a child belongs to a parent that was written again";
            self.note(SettingClass::References, format!("{what}.written"), meaning);
        }
    }

    /// What the item is without what it depends on.
    fn lifetime(&mut self, what: &str, deleted_with: bool, needed: bool, is: &Link) {
        match (deleted_with, is.deleted_with) {
            (false, true) => {
                let meaning = "items are deleted with it from now on; those whose parent was deleted before stay";
                self.steps(SettingClass::References, what, meaning, &[CHANGE, ORPHANS]);
            }
            (true, false) => {
                let meaning = "items stay from now on when it is deleted";
                self.steps(SettingClass::References, what, meaning, &[MEANT]);
            }
            (_, _) => {}
        }
        if needed != is.needed {
            let meaning = if is.needed {
                "grants wait for it from now on: existing ones keep their access although it does not exist"
            } else {
                "grants no longer wait for it: those that were pending give access once they are written"
            };
            self.steps(SettingClass::Grants, what, meaning, &[MEANT, CHANGE, TAKE, REBUILD]);
        }
    }

    /// How an item finds what it depends on.
    fn up(&mut self, what: &str, (up, was): (&ToParent, &Link), is: &Link) {
        self.addresses(what, Some(was), is);
        match (up, &is.up) {
            (_, ToParent::Key | ToParent::Partition(_)) => {
                self.note(SettingClass::Finding, what, "what it depends on is found by its key in the table");
            }
            (_, ToParent::Index { index, pk, sk_prefix, sk_is_whole }) => {
                let whole = if *sk_is_whole { "" } else { " (the beginning)" };
                let index = &self.new.index_at(*index).name;
                let meaning = format!(
                    "what it depends on is found by index {index} with {pk} / {sk_prefix}{whole}: not if its items have no \
                     such keys yet"
                );
                self.steps(SettingClass::Finding, what, meaning, &["before the deployment, write these keys", CHANGE]);
            }
            (_, ToParent::Unknown) => {
                self.steps(
                    SettingClass::Finding,
                    what,
                    "what it depends on is found by notes that do not exist yet",
                    &[CHANGE],
                );
            }
        }
    }

    /// The texts of queries, and whether each is of an index.
    fn queries(model: &Model, queries: &[FindQuery]) -> BTreeSet<(bool, String)> {
        queries.iter().map(|query| (query.index.is_some(), text(model, query))).collect()
    }

    fn addresses(&mut self, what: &str, was: Option<&Link>, is: &Link) {
        let needs = |model: &Model, link: &Link| link.needed && model.has_addresses(link);
        if needs(self.new, is) && !was.is_some_and(|was| needs(self.old, was)) {
            let to = &self.new.item(is.to).name;
            let meaning = format!("existing {to} items have no addresses: what refers to one does not find it");
            self.steps(SettingClass::Finding, what, meaning, &[CHANGE]);
        }
    }

    /// How what depends on an item is found.
    fn find(&mut self, what: &str, was: &ToDependents, link: &Link) {
        match (was, &link.find) {
            (_, ToDependents::BackReference) => {
                let meaning = no_back_references(self.new, link);
                self.steps(SettingClass::Finding, what, meaning, &[CHANGE]);
            }
            (_, ToDependents::Sweep) => {
                let meaning = "from now on, no deletion finds them: they stay until a sweep";
                self.steps(SettingClass::Finding, what, meaning, &[MEANT, ORPHANS]);
            }
            (ToDependents::BackReference, ToDependents::Queries(_)) => {
                let meaning = "items without the keys of these queries stay when it is deleted. A sweep that repairs deletes \
                               the back-references, which are the only way to them";
                let steps = [
                    "before the deployment, write the index keys into every such item, or add `keep = true`",
                    CHANGE,
                    "let no sweep repair anything before that is done (`Sweep=report`)",
                ];
                self.steps(SettingClass::Finding, what, meaning, &steps);
            }
            (ToDependents::Sweep, ToDependents::Queries(_)) => {
                let meaning = "a deletion finds them from now on, if they have the keys of these queries";
                self.steps(
                    SettingClass::Finding,
                    what,
                    meaning,
                    &["before the deployment, write the keys", CHANGE, ORPHANS],
                );
            }
            (ToDependents::Queries(before), ToDependents::Queries(after)) => {
                let (was, is) = (Self::queries(self.old, before), Self::queries(self.new, after));
                let is_kept = |query: &(bool, String)| is.contains(query);
                let is_new_index = is.iter().any(|query| query.0 && !was.contains(query));
                let keeps_indexes = was.iter().filter(|query| query.0).all(is_kept);
                if keeps_indexes && (!is_new_index || was.iter().all(is_kept)) {
                    // The keys of the table say themselves what a change of them means.
                    self.note(
                        SettingClass::Finding,
                        what,
                        "they are found by other queries of the table, or by further ones",
                    );
                } else {
                    let meaning = "they are found by other queries: items and grants without the new keys are not found, and \
                                   stay when it is deleted";
                    let steps =
                        ["before the deployment, write the keys into every such item, or add `keep = true`", CHANGE];
                    self.steps(SettingClass::Finding, what, meaning, &steps);
                }
            }
        }
    }
}

/// The links of item types that another model has, too. What the others mean is said of their types.
pub(super) fn of_both(model: &Model, links: &[Link], other: &Model) -> Vec<Link> {
    let has = |link: &&Link| {
        let name = model.item(link.from).stable_name();
        other.items.iter().any(|item| item.stable_name() == name)
    };
    links.iter().filter(has).cloned().collect()
}

/// Links by their item types and texts.
fn by_text<'l>(model: &Model, links: &'l [Link]) -> BTreeMap<(String, String), &'l Link> {
    let key = |link: &Link| (model.item(link.from).stable_name().to_owned(), link_text(model, link));
    links.iter().map(|link| (key(link), link)).collect()
}

/// What follows if items that exist have no back-references.
fn no_back_references(model: &Model, link: &Link) -> &'static str {
    match model.item(link.to).user_value {
        Some(_) => "existing items have no back-references: a sign-up does not find them",
        None => "existing items have no back-references: a deletion does not find them",
    }
}
