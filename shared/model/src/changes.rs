//! What a change of the model means for what was made under the old one.
//!
//! An item type and its parts are destructured without `..`, as in `uses`: a new field of the model does not compile
//! before a change of it is reported, or named here as one that nothing that was made depends on.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest as _, Sha256};

use crate::model::{
    Claim, CognitoGroups, CognitoMember, CognitoUser, Grant, Guard, IndexKeys, ItemType, Keep, KeyForm, Link, Model,
    OfGroups, Precedence, Subject, ToDependents, TypeId, UniqueAttribute, UniqueEnd, Verb,
};
use crate::template::Template;

/// The number of bytes of a fingerprint.
const FINGERPRINT_BYTES: usize = 4;

/// A difference between two models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelChange {
    /// What changed, such as `Team: cognito.groups`.
    pub what: String,
    /// What follows for items, Cognito, bookkeeping and subscribers.
    pub meaning: String,
    /// What to do. `None` if there is nothing to do.
    pub fix: Option<String>,
}

/// What to do so that Instep looks at every item again.
const BACKFILL: &str = "after the deployment, run `instep backfill`";

impl Model {
    /// What a change from `old` to this model means, in the order in which it should be read. Empty
    /// if everything that was made under `old` is still found.
    #[must_use]
    pub fn changes_since(&self, old: &Self) -> Vec<ModelChange> {
        let mut changes = Changes::default();
        changes.whole(old, self);
        for before in old.with_keys() {
            match self.items.iter().find(|item| item.stable_name() == before.stable_name()) {
                Some(after) => changes.item(old, self, before, after),
                None => changes.removed(self, before),
            }
        }
        // The memberships say what changes about people who sign up.
        for after in self.with_keys() {
            if !old.items.iter().any(|before| before.stable_name() == after.stable_name()) {
                changes.added(old, after);
            }
        }
        changes.found
    }

    /// A fingerprint of what the keys of bookkeeping items follow from: item types and the names in
    /// their keys. A model with another one may not find what was written under this one.
    #[must_use]
    pub fn fingerprint(&self) -> &str {
        &self.derived.fingerprint
    }
}

/// See [`Model::fingerprint`].
pub(crate) fn fingerprint(items: &[ItemType]) -> String {
    let names = |item: &ItemType| -> Vec<String> {
        item.forms.iter().map(|form| form.names.iter().cloned().collect::<Vec<_>>().join(",")).collect()
    };
    let items: BTreeMap<&str, Vec<String>> = items.iter().map(|item| (item.stable_name(), names(item))).collect();
    let text = items.iter().map(|(name, forms)| format!("{name}({})", forms.join("|")));
    let hash = Sha256::digest(text.collect::<Vec<_>>().join(";").as_bytes());
    hash.iter().take(FINGERPRINT_BYTES).map(|byte| format!("{byte:02x}")).collect()
}

#[derive(Default)]
struct Changes {
    found: Vec<ModelChange>,
}

impl Changes {
    fn note(&mut self, what: impl Into<String>, meaning: impl Into<String>) {
        self.found.push(ModelChange { what: what.into(), meaning: meaning.into(), fix: None });
    }

    fn add(&mut self, what: impl Into<String>, meaning: impl Into<String>, fix: impl Into<String>) {
        self.found.push(ModelChange { what: what.into(), meaning: meaning.into(), fix: Some(fix.into()) });
    }

    /// The settings of the whole model.
    fn whole(&mut self, old: &Model, new: &Model) {
        if old.name != new.name {
            let meaning = format!(
                "events get other ids, work messages of `{}` are parked, and Instep no longer knows its own Cognito \
                 groups by their mark",
                old.name
            );
            self.add("model", meaning, format!("keep `model = \"{}\"`", old.name));
        }
        let keys = |model: &Model| (model.table.pk.clone(), model.table.sk.clone());
        if keys(old) != keys(new) {
            let meaning = "this is another table: no item of the old one has these keys";
            self.add("table", meaning, "deploy a second Instep for the new table, and remove the old one");
        }
        if old.table.ttl != new.table.ttl {
            let meaning = "tombstones that were written before keep the old attribute and are never deleted by TTL";
            self.note("table.ttl", meaning);
        }
        if old.marker != new.marker {
            let meaning = "Instep knows its own Cognito groups by something else, and may not delete existing ones";
            self.add("cognito.marker", meaning, "keep the old value");
        }
        if old.tenant != new.tenant {
            let meaning = "events carry another tenant, and rules that select by it match others";
            self.note("tenant", meaning);
        }
        for secret in new.secret.difference(&old.secret) {
            let meaning = "messages, parked records and captures that exist contain it";
            self.note(format!("table.secret: {secret}"), meaning);
        }
    }

    fn removed(&mut self, new: &Model, before: &ItemType) {
        let (name, first) = (&before.name, before.stable_name());
        let renamed = new.items.iter().find(|item| item.forms.iter().any(|form| has_form(&before.forms, form)));
        if let Some(renamed) = renamed {
            let meaning = format!(
                "`{}` has its keys: bookkeeping and work messages say `{first}` and are not found, and events get other ids",
                renamed.name
            );
            let fix = format!("write `formerly = \"{first}\"` in `[items.{}]`", renamed.name);
            return self.add(format!("{name}: gone"), meaning, fix);
        }
        let mut left = vec!["items"];
        left.extend(before.user.as_ref().filter(|user| user.delete).map(|_| "Cognito users"));
        left.extend((!before.groups.is_empty()).then_some("Cognito groups"));
        left.extend((!before.members.is_empty()).then_some("memberships"));
        left.extend(before.guard.as_ref().map(|_| "reserved values"));
        let meaning = format!("its {} stay, and nothing deletes them any more", left.join(", "));
        let fix = "under the old model, delete these items first, and wait until Instep has handled that";
        self.add(format!("{name}: gone"), meaning, fix);
    }

    fn added(&mut self, old: &Model, after: &ItemType) {
        let name = &after.name;
        if old.items.iter().any(|before| after.forms.iter().any(|form| has_form(&before.forms, form))) {
            return;
        }
        self.add(format!("{name}: new"), "nothing was made yet for items that exist", BACKFILL);
    }

    fn item(&mut self, old: &Model, new: &Model, before: &ItemType, after: &ItemType) {
        let ItemType {
            name: _,
            forms,
            grant,
            guard,
            user,
            groups,
            members,
            entity,
            publish,
            attributes,
            index_keys,
            unique_end,
            // The model's `closed_set` of a type and a name has these.
            values: _,
            // This found `after`.
            formerly: _,
            // What Instep or a reader does from now on: no change of it is reported.
            entity_id: _,
            type_values: _,
            verb_words: _,
            is_entity: _,
            secret: _,
            assumed: _,
            due: _,
            // Only that of a value, which is not compared.
            user_value: _,
        } = before;
        self.keys(new, forms, after);
        self.index_keys(old, new, index_keys, after);
        self.sets(old, new, before, after);
        self.roles(old, new, before, after);
        self.user((old, new), user.as_ref(), after);
        self.groups(groups, after);
        self.members(old, new, members, after);
        self.grant(grant.as_ref(), after);
        self.links(old, new, before, after);
        self.guard(guard.as_ref(), after);
        self.unique_end((old, new), unique_end.as_ref(), after);
        self.entity(&before.name, entity, after);
        self.events(publish, attributes, after);
    }

    fn keys(&mut self, new: &Model, before: &[KeyForm], after: &ItemType) {
        let name = &after.name;
        for form in before.iter().filter(|form| !has_form(&after.forms, form)) {
            let key = format!("{} / {}", form.pk, form.sk);
            let renamed = after.forms.iter().find(|other| has_shape(other, form));
            if let Some(other) = renamed {
                let (was, is) = (names_of(form), names_of(other));
                let meaning = format!(
                    "its key has {is} instead of {was}: back-references, tombstones and pending claims that say {was} \
                     are not found, and events have other names"
                );
                self.add(format!("{name}: names in the key"), meaning, "keep the old names");
            } else {
                let meaning = format!("items with the key {key} belong to no item type any more");
                let is_owner = new.type_named(name).is_some_and(|of| !new.guards_of(of).is_empty());
                let fix = if is_owner {
                    "keep it: the owner of a guard has one spelling of its key"
                } else {
                    "keep it as a second spelling, or write these items under the new key and delete the old ones first"
                };
                self.add(format!("{name}: key"), meaning, fix);
            }
        }
    }

    /// Index keys that Instep writes now, and did not write so before.
    fn index_keys(&mut self, old: &Model, new: &Model, before: &[IndexKeys], after: &ItemType) {
        let text = |model: &Model, keys: &IndexKeys| {
            let index = model.index_at(keys.index);
            let first = [Some(&index.pk), index.sk.as_ref()].map(|spellings| spellings?.first().cloned());
            (first, keys.pk.clone(), keys.sk.clone())
        };
        let was: Vec<_> = before.iter().map(|keys| (text(old, keys), keys.keep)).collect();
        let wrote = |keys: &IndexKeys| {
            was.iter().any(|(was, keep)| *was == text(new, keys) && [Keep::Always, keys.keep].contains(keep))
        };
        for keys in after.index_keys.iter().filter(|keys| keys.keep.writes() && !wrote(keys)) {
            let index = &new.index_at(keys.index).name;
            let meaning = "existing items keep the index keys that they have until their next change";
            self.add(format!("{}: {index}", after.name), meaning, BACKFILL);
        }
    }

    /// Values that a name no longer has.
    fn sets(&mut self, old: &Model, new: &Model, before: &ItemType, after: &ItemType) {
        let (Some(was), Some(is)) = (old.type_named(&before.name), new.type_named(&after.name)) else { return };
        let each: BTreeSet<&str> = before.groups.iter().filter_map(|groups| groups.each.as_deref()).collect();
        for name in each {
            let (was, is) = (old.closed_set(was, name), new.closed_set(is, name));
            let gone: Vec<&String> = was.iter().filter(|value| !is.contains(value)).collect();
            if !gone.is_empty() {
                let gone = gone.into_iter().cloned().collect::<Vec<_>>().join(", ");
                let meaning = format!("the Cognito groups of {gone} stay with their members");
                let fix =
                    "under the old model, give every grant another role first; then deploy, and delete these groups";
                self.add(format!("{}: values of {name}", after.name), meaning, fix);
            }
            if is.iter().any(|value| !was.contains(value)) {
                let meaning = "existing items have no groups yet for the new values";
                self.add(format!("{}: values of {name}", after.name), meaning, BACKFILL);
            }
        }
    }

    /// Roles that a grant can no longer have.
    fn roles(&mut self, old: &Model, new: &Model, before: &ItemType, after: &ItemType) {
        let (Some(was), Some(is)) = (old.type_named(&before.name), new.type_named(&after.name)) else { return };
        let names = before.grant.iter().flat_map(|grant| &grant.role_names);
        for name in names {
            let (was, is) = (old.closed_set(was, name), new.closed_set(is, name));
            let gone: Vec<&str> = was.iter().filter(|value| !is.contains(value)).map(String::as_str).collect();
            if !gone.is_empty() && !is.is_empty() {
                let gone = gone.join(", ");
                let meaning = format!("grants of {gone} keep their memberships, and the next record of each is parked");
                let fix = "under the old model, give these grants another role first, or delete them";
                self.add(format!("{}: values of {name}", after.name), meaning, fix);
            }
        }
    }

    fn user(&mut self, (old, new): (&Model, &Model), before: Option<&CognitoUser>, after: &ItemType) {
        let what = format!("{}: cognito.user", after.name);
        match (before, &after.user) {
            (None, Some(_)) => self.add(what, "existing items have no Cognito users yet", BACKFILL),
            (Some(user), None) => {
                let meaning = format!("the Cognito users `{}` stay, and nothing changes or deletes them", user.name);
                self.add(what, meaning, "delete them by hand, if nobody needs them");
            }
            (Some(was), Some(is)) if was.name != is.name => {
                let meaning =
                    format!("the users `{}` stay with their memberships, beside new users `{}`", was.name, is.name);
                self.add(what, meaning, format!("{BACKFILL}; then delete the old users"));
            }
            (
                Some(CognitoUser {
                    name: _,
                    when,
                    disabled,
                    attributes,
                    unique,
                    grace,
                    create: _,
                    delete: _,
                    named_by_address: _,
                }),
                Some(is),
            ) => {
                if grace.is_some() && *grace != is.grace {
                    let meaning = "users whose items were deleted before wait for the time that was noted then";
                    let fix = "`instep users held` lists them, and `instep users delete` deletes one at once";
                    self.add(format!("{what}.delete"), meaning, fix);
                }
                if *when != is.when {
                    self.condition(&format!("{what}.when"), "users");
                }
                if *disabled != is.disabled || *attributes != is.attributes {
                    self.add(what, "existing users keep their state until their items change", BACKFILL);
                } else if unique_in(old, unique) != unique_in(new, &is.unique) {
                    let meaning =
                        "users have other attributes only while they hold the value: existing users keep their state";
                    self.add(format!("{what}.attributes"), meaning, BACKFILL);
                }
            }
            (None, None) => {}
        }
    }

    fn condition(&mut self, what: &str, of: &str) {
        let meaning =
            format!("{of} for which the old condition held and the new one does not stay until their items change");
        self.add(what, meaning, format!("{BACKFILL}; then remove what stays"));
    }

    fn groups(&mut self, before: &[CognitoGroups], after: &ItemType) {
        let what = format!("{}: cognito.groups", after.name);
        let has = |all: &[CognitoGroups], one: &CognitoGroups| all.iter().any(|other| other.name == one.name);
        for groups in before.iter().filter(|groups| !has(&after.groups, groups)) {
            let meaning = format!("the groups `{}` stay with their members, and nothing deletes them", groups.name);
            self.add(what.clone(), meaning, "after the deployment, delete them by hand");
        }
        if after.groups.iter().any(|groups| !has(before, groups)) {
            self.add(what.clone(), "existing items do not have the new groups yet", BACKFILL);
        }
        // A name with `each` has it in its text, and `sets` compares the values.
        for CognitoGroups { name, when, precedence, iam_role, each: _ } in before {
            let Some(now) = after.groups.iter().find(|other| other.name == *name) else { continue };
            if now.when != *when {
                self.condition(&format!("{what}.when"), "groups");
            }
            self.precedence(&what, precedence.as_ref(), now.precedence.as_ref());
            self.iam_role(&what, iam_role.as_ref(), now.iam_role.as_ref());
        }
    }

    /// Cognito has no call that takes a precedence away, so a group keeps one of which the model no longer says
    /// anything.
    fn precedence(&mut self, what: &str, before: Option<&Precedence>, after: Option<&Precedence>) {
        let what = format!("{what}.precedence");
        let is_dropped = match (before, after) {
            (Some(Precedence::Fixed(before)), Some(Precedence::Fixed(after))) => drops(before, after),
            (Some(_), Some(Precedence::OfItem(_)) | None) => before != after,
            (None, _) | (Some(Precedence::OfItem(_)), Some(Precedence::Fixed(_))) => false,
        };
        if is_dropped {
            let meaning = "groups of which the model no longer says the precedence keep the one that they have";
            self.add(what.clone(), meaning, "after the deployment, set it by hand where it is wrong");
        }
        if before != after && after.is_some() {
            self.add(what, "existing groups keep their precedence until their items change", BACKFILL);
        }
    }

    /// The same is so for IAM roles, which give access.
    fn iam_role(&mut self, what: &str, before: Option<&OfGroups<String>>, after: Option<&OfGroups<String>>) {
        let what = format!("{what}.iam_role");
        if before.is_some_and(|before| after.is_none_or(|after| drops(before, after))) {
            let meaning = "groups of which the model no longer says the IAM role keep the one that they have, and \
                           their members can still get its credentials";
            let fix = "before the deployment, give them a role that allows nothing, or change the role's trust policy";
            self.add(what.clone(), meaning, fix);
        }
        if before != after && after.is_some() {
            self.add(what, "existing groups keep their IAM role until their items change", BACKFILL);
        }
    }

    fn members(&mut self, old: &Model, new: &Model, before: &[CognitoMember], after: &ItemType) {
        let what = format!("{}: cognito.member", after.name);
        let key = |model: &Model, member: &CognitoMember| {
            let group_of = member.group_link().map(|link| link_text(model, model.link(link)));
            let CognitoMember { user, group, group_owner: _, when: _, sign_out: _, role: _, shared_with: _ } = member;
            let user = match user {
                Subject::Itself => None,
                Subject::Link(link) => Some(link_text(model, model.link(*link))),
            };
            (group.to_string(), group_of, user)
        };
        let was: BTreeMap<_, _> = before.iter().map(|member| (key(old, member), member)).collect();
        let is: BTreeMap<_, _> = after.members.iter().map(|member| (key(new, member), member)).collect();
        for (group, _, _) in was.keys().filter(|key| !is.contains_key(*key)) {
            let meaning =
                format!("memberships in `{group}` stay: no item implies them any more, so nothing removes them");
            self.add(what.clone(), meaning, "remove them by hand, or delete the groups if nobody else needs them");
        }
        if is.keys().any(|key| !was.contains_key(key)) {
            self.add(what.clone(), "existing items do not have the new memberships yet", BACKFILL);
        }
        for (key, member) in &was {
            let Some(other) = is.get(key) else { continue };
            if member.when != other.when {
                self.condition(&format!("{what}.when"), "memberships");
            }
            match (member.sign_out, other.sign_out) {
                (false, true) => self.note(
                    format!("{what}.sign_out"),
                    "users are signed out when a membership is removed from now on; sessions of those who lost one before go \
                     on",
                ),
                (true, false) => {
                    self.note(format!("{what}.sign_out"), "users who lose a membership stay signed in from now on");
                }
                (_, _) => {}
            }
            if member.is_on_demand() && other.is_by_hand() {
                self.note(format!("{what}.made"), "groups that Instep created stay");
            }
            let parents = |model: &Model, member: &CognitoMember| -> BTreeSet<String> {
                member.group_deleted_with().iter().map(|link| link_text(model, model.link(*link))).collect()
            };
            if !parents(new, other).is_subset(&parents(old, member)) {
                self.note(what.clone(), "groups that Instep created before are not deleted with the new parent");
            }
        }
    }

    /// Roles that are gone are reported by `roles`.
    fn grant(&mut self, before: Option<&Grant>, after: &ItemType) {
        match (before, &after.grant) {
            (
                Some(Grant {
                    when,
                    subject: _,
                    scope: _,
                    roles: _,
                    role_names: _,
                    role_links: _,
                    from: _,
                    until: _,
                    last: _,
                }),
                Some(is),
            ) if *when != is.when => self.condition(&format!("{}: grant.when", after.name), "memberships"),
            (Some(_), None) => {
                self.note(format!("{}: grant", after.name), "nothing publishes `revoked` for existing grants")
            }
            (_, _) => {}
        }
    }

    fn links(&mut self, old: &Model, new: &Model, before: &ItemType, after: &ItemType) {
        let of = |model: &Model, item: &ItemType| -> BTreeMap<String, Link> {
            let Some(id) = model.items.iter().position(|other| other.name == item.name) else { return BTreeMap::new() };
            model.links_from(TypeId(id)).map(|(_, link)| (link_text(model, link), link.clone())).collect()
        };
        let (was, is) = (of(old, before), of(new, after));
        for (text, link) in &was {
            let what = format!("{} -> {}", after.name, old.item(link.to).label());
            let Some(other) = is.get(text) else {
                let meaning = "this reference is gone: cascades that are under way do not continue over it, and its \
                               back-references stay (they do no harm)";
                self.note(what, meaning);
                continue;
            };
            let is_reference = |link: &Link| matches!(link.find, ToDependents::BackReference);
            if is_reference(other) && !is_reference(link) {
                self.add(what, no_back_references(new, other), BACKFILL);
            } else if !link.deleted_with && other.deleted_with {
                let meaning = "items whose parent was deleted before stay";
                self.note(what, meaning);
            }
        }
        let is_new = |(text, link): &(&String, &Link)| {
            !was.contains_key(*text) && matches!(link.find, ToDependents::BackReference)
        };
        for (_, link) in is.iter().filter(is_new) {
            let what = format!("{} -> {}", after.name, new.item(link.to).label());
            self.add(what, no_back_references(new, link), BACKFILL);
        }
        // Access that no item of a role backs stays until somebody asks for it again.
        let roles_of = |model: &Model, item: &ItemType| -> BTreeSet<String> {
            let links = item.grant.iter().flat_map(|grant| &grant.role_links).map(|link| model.link(*link));
            links.filter(|link| link.needed).map(|link| model.item(link.to).name.clone()).collect()
        };
        let needed = roles_of(old, before);
        if before.grant.is_some() && !after.members.is_empty() {
            for to in roles_of(new, after).iter().filter(|to| !needed.contains(*to)) {
                let meaning = format!("existing grants stay in force although their {to} does not exist");
                self.add(format!("{}: grant.role", after.name), meaning, BACKFILL);
            }
        }
        let needs_address = |model: &Model, link: &Link| link.needed && model.has_addresses(link);
        let is_new = |(text, link): &(&String, &Link)| {
            needs_address(new, link) && !was.get(*text).is_some_and(|was| needs_address(old, was))
        };
        for (_, link) in is.iter().filter(is_new) {
            let to = &new.item(link.to).name;
            let meaning = format!("existing {to} items have no addresses: a {} does not find its {to}", after.name);
            self.add(format!("{} -> {to}", after.name), &meaning, BACKFILL);
        }
    }

    fn guard(&mut self, before: Option<&Guard>, after: &ItemType) {
        let what = format!("{}: guard", after.name);
        match (before, &after.guard) {
            (None, Some(_)) => self.add(what, "owners that exist have reserved nothing yet", BACKFILL),
            (Some(_), None) => self.note(what, "guards that exist stay, and reserve nothing any more"),
            // The link is compared with those of the item type.
            (Some(Guard { owner_attributes, claims, owner_link: _, owner: _, writes: _ }), Some(is)) => {
                if *owner_attributes != is.owner_attributes {
                    let meaning = "guards that exist name their owner in other attributes: they have no owner any more";
                    self.add(what, meaning, "keep the attributes");
                } else if is.claims.is_empty() && !claims.is_empty() {
                    let meaning = "no owner claims a value any more: guards that exist stay as long as their owners do";
                    self.note(what, meaning);
                } else if texts(claims) != texts(&is.claims) {
                    let meaning =
                        "owners claim other values: the guards of the old values stay until their owners change";
                    self.add(what, meaning, BACKFILL);
                }
            }
            (None, None) => {}
        }
    }

    /// Which edges are in effect.
    fn unique_end(&mut self, (old, new): (&Model, &Model), before: Option<&UniqueEnd>, after: &ItemType) {
        let of = |model: &Model, UniqueEnd { end, guard, claim: _ }: &UniqueEnd| {
            (end.clone(), model.item(*guard).stable_name().to_owned())
        };
        let what = format!("{}: edge.unique", after.name);
        match (before.map(|end| of(old, end)), after.unique_end.as_ref().map(|end| of(new, end))) {
            (was, Some(is)) if was.as_ref() != Some(&is) => {
                let (end, guard) = is;
                let meaning = format!(
                    "of several edges of one {end}, all count until their {guard} names one of them; then the others \
                     have no effect"
                );
                self.add(what, meaning, BACKFILL);
            }
            (Some(_), None) => self.add(what, "edges that had no effect take effect with their next change", BACKFILL),
            (Some(_) | None, _) => {}
        }
    }

    /// Which events subscribers match.
    fn entity(&mut self, was: &str, before: &[Template], after: &ItemType) {
        let name = &after.name;
        let text = |entity: &[Template]| entity.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        if text(before) != text(&after.entity) || before.is_empty() && was != name {
            let gone = if before.is_empty() { was.to_owned() } else { text(before) };
            self.note(format!("{name}: entity"), format!("subscribers to `{gone}` no longer match"));
        }
    }

    /// What subscribers see.
    fn events(&mut self, publish: &BTreeSet<Verb>, attributes: &[String], after: &ItemType) {
        let name = &after.name;
        let verbs: Vec<&str> = publish.difference(&after.publish).map(|verb| verb.word()).collect();
        let lost = attributes.iter().filter(|path| !after.attributes.contains(path)).map(String::as_str).collect();
        for (what, gone) in [("publish", verbs), ("events", lost)] {
            if !gone.is_empty() {
                self.note(format!("{name}: {what}"), format!("subscribers no longer receive {}", gone.join(", ")));
            }
        }
    }
}

/// The attributes of users that are unique values, and the guard types of each.
fn unique_in<'m>(model: &'m Model, unique: &'m [UniqueAttribute]) -> BTreeSet<(&'m str, &'m str)> {
    let named = |UniqueAttribute { attribute, guard, claim: _ }: &'m UniqueAttribute| {
        (attribute.as_str(), model.item(*guard).stable_name())
    };
    unique.iter().map(named).collect()
}

fn texts(claims: &[Claim]) -> Vec<String> {
    claims.iter().map(|Claim { names, when, transfer: _ }| format!("{names:?}{when:?}")).collect()
}

/// What follows if items that exist have no back-references.
fn no_back_references(model: &Model, link: &Link) -> &'static str {
    match model.item(link.to).user_value {
        Some(_) => "existing items have no back-references: a sign-up does not find them",
        None => "existing items have no back-references: a deletion does not find them",
    }
}

/// What distinguishes a link, whatever its place in the model.
pub(crate) fn link_text(model: &Model, link: &Link) -> String {
    let names: Vec<String> = link.names.iter().map(|(name, template)| format!("{name}={template}")).collect();
    let when = link.when.as_ref().map(|(name, value)| format!("?{name}={value}")).unwrap_or_default();
    format!("{}({}){when}{:?}", model.item(link.to).stable_name(), names.join(","), link.condition.alternatives)
}

fn has_form(forms: &[KeyForm], form: &KeyForm) -> bool {
    forms.iter().any(|other| other.pk == form.pk && other.sk == form.sk)
}

/// Whether a setting has a value for some groups, and later none for these.
fn drops<T>(before: &OfGroups<T>, after: &OfGroups<T>) -> bool {
    match (before, after) {
        (_, OfGroups::All(_)) => false,
        (OfGroups::All(_), OfGroups::Each(_)) => true,
        (OfGroups::Each(before), OfGroups::Each(after)) => before.keys().any(|value| !after.contains_key(value)),
    }
}

/// Whether two forms match the same keys and differ in names only.
fn has_shape(one: &KeyForm, other: &KeyForm) -> bool {
    let shape = |template: &Template| -> String {
        let mut text = template.source().to_owned();
        for name in template.names() {
            text = text.replace(&format!("{{{name}"), "{");
        }
        text
    };
    shape(&one.pk) == shape(&other.pk) && shape(&one.sk) == shape(&other.sk)
}

fn names_of(form: &KeyForm) -> String {
    form.names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
