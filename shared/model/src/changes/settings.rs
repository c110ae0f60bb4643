//! The settings of the whole model: its name, its table, its names, and what a sweep does.

use std::collections::{BTreeMap, BTreeSet};

use super::links::of_both;
use super::{CHANGE, DRAIN, DROP_GROUPS, Found, MEANT, REBUILD, SettingClass, TAKE, TELL, canonical};
use crate::model::{ExtraPolicy, Index, ItemType, Marker, Model, NameRule, Reads, TableSchema, Unknown};
use crate::template::base;

impl Found<'_> {
    /// The whole model.
    pub(super) fn model(&mut self) {
        let (old, new) = (self.old, self.new);
        let Model {
            name,
            source,
            detail_type,
            correlation,
            tenant,
            secret,
            table,
            indexes,
            names,
            items,
            links,
            reads,
            marker,
            extra_members,
            extra_users,
            orphans,
            derived: _,
        } = old;
        if *name != new.name {
            let meaning = format!(
                "events get other ids, work messages of `{name}` are parked, and Instep no longer knows its own Cognito \
                 groups by their mark"
            );
            self.refuse(SettingClass::Identity, "model", meaning, format!("keep `model = \"{name}\"`"));
        }
        self.compare("source", source, &new.source, |found| found.no_rule_matches("source"));
        self.compare("detail_type", detail_type, &new.detail_type, |found| found.no_rule_matches("detail_type"));
        self.compare("correlation", correlation, &new.correlation, |found| {
            found.note(SettingClass::Events, "correlation", "events have another correlation id, or none");
        });
        self.compare("tenant", tenant, &new.tenant, |found| {
            let meaning = "events carry another tenant, or none: rules that select by it match others, and say nothing";
            found.steps(SettingClass::Events, "tenant", meaning, &[TELL]);
        });
        self.secret(secret, &new.secret);
        self.compare("table", table, &new.table, |found| found.table(table, &new.table));
        self.indexes(indexes, &new.indexes);
        self.names(names, &new.names);
        self.compare("cognito.marker", marker, &new.marker, |found| found.marker(new.marker));
        let removes = [
            ("cognito.extra.members", extra_members, new.extra_members, "memberships that no item implies"),
            ("cognito.extra.users", extra_users, new.extra_users, "users whose item does not exist"),
            ("table.orphans", orphans, new.orphans, "children whose parent was deleted"),
        ];
        for (what, was, is, which) in removes {
            self.compare(what, was, &is, |found| found.policy(what, is, which));
        }
        self.texts_of_names();
        self.pool();
        let differ = canonical::texts(old, items) != canonical::texts(new, &new.items);
        self.part("items", differ, |found| found.items(items, &new.items));
        let (was, is) = (of_both(old, links, new), of_both(new, &new.links, old));
        let differ = canonical::texts(old, &was) != canonical::texts(new, &is);
        self.part("links", differ, |found| found.links(&was, &is));
        self.reads(reads, &new.reads);
    }

    fn no_rule_matches(&mut self, what: &str) {
        let meaning = "the rules of subscribers match no event any more, and say nothing";
        self.steps(SettingClass::Events, what, meaning, &[TELL]);
    }

    fn secret(&mut self, was: &BTreeSet<String>, is: &BTreeSet<String>) {
        for secret in is.difference(was) {
            let meaning =
                "messages, parked records, captures and archives that exist keep the value: delete them by hand";
            self.note(SettingClass::Privacy, format!("table.secret: {secret}"), meaning);
        }
        for secret in was.difference(is) {
            let meaning = "records that are parked have it masked and cannot be redriven, and it can leave the table";
            let steps = ["before the deployment, redrive or drop what is parked (`instep redrive`)", MEANT];
            self.steps(SettingClass::Privacy, format!("table.secret: {secret}"), meaning, &steps);
        }
    }

    fn table(&mut self, was: &TableSchema, is: &TableSchema) {
        let TableSchema { pk, sk, type_attribute, ttl, unknown } = was;
        for (what, was, is) in [("table.pk", pk, &is.pk), ("table.sk", sk, &is.sk)] {
            if was != is {
                let meaning = "this is another table: no item of the old one has these keys";
                self.refuse(SettingClass::Identity, what, meaning, "deploy a second Instep for the new table");
            }
        }
        if *type_attribute != is.type_attribute {
            let meaning =
                "guards that Instep writes from now on have another attribute; those that exist stay as they are";
            self.note(SettingClass::Records, "table.type", meaning);
        }
        if *ttl != is.ttl {
            let meaning = "AWS refuses another TTL attribute while one is enabled. Tombstones that exist keep the old \
                           attribute and never expire";
            let steps = [
                "before the deployment, disable the table's time to live, in a deployment of its own",
                "deploy the new model an hour later",
            ];
            self.steps(SettingClass::Stack, "table.ttl", meaning, &steps);
        }
        if *unknown != is.unknown {
            let meaning = match is.unknown {
                Unknown::Skip => {
                    "from now on, records of items that no item type describes are skipped, and nobody is told"
                }
                Unknown::Park => "from now on, each record of an item that no item type describes is parked",
            };
            self.note(SettingClass::Records, "table.unknown", meaning);
        }
    }

    fn indexes(&mut self, was: &[Index], is: &[Index]) {
        let by_name = |indexes: &[Index]| -> BTreeMap<String, Index> {
            indexes.iter().map(|index| (index.name.clone(), index.clone())).collect()
        };
        let (was, is) = (by_name(was), by_name(is));
        for Index { name, pk, sk } in was.values() {
            let what = format!("indexes.{name}");
            let Some(now) = is.get(name) else {
                let steps =
                    ["deploy the new model in a template that still has the index", "then deploy one without it"];
                self.steps(SettingClass::Stack, what, "what queries it is under way while it is deleted", &steps);
                continue;
            };
            let own = |spellings: Option<&Vec<String>>| spellings.and_then(|all| all.first().cloned());
            if own(Some(pk)) != own(Some(&now.pk)) || own(sk.as_ref()) != own(now.sk.as_ref()) {
                let meaning = "AWS changes the keys of no index";
                let fix = "give the index another name: add that one, deploy, and remove this one afterwards";
                self.refuse(SettingClass::Stack, what, meaning, fix);
            } else if *pk != now.pk || *sk != now.sk {
                let gone = pk.iter().chain(sk.iter().flatten());
                let kept: Vec<&String> = now.pk.iter().chain(now.sk.iter().flatten()).collect();
                if gone.into_iter().all(|spelling| kept.contains(&spelling)) {
                    self.note(
                        SettingClass::Finding,
                        what,
                        "items with the further spelling are in the index once Instep keeps it",
                    );
                } else {
                    let meaning = "items that have only the spelling that is gone give none of these keys any more";
                    let steps = ["before the deployment, write the index's own attributes into them", MEANT];
                    self.steps(SettingClass::Finding, what, meaning, &steps);
                }
            }
        }
        for name in is.keys().filter(|name| !was.contains_key(*name)) {
            let steps = [
                "before the deployment, deploy a template that only adds the index, under the old model",
                &format!("wait until `aws dynamodb describe-table` says that {name} is ACTIVE"),
                "then deploy the new model: the change that it starts writes the index keys that Instep keeps",
            ];
            let meaning = "records whose queries it serves fail, or are parked, until the index is there";
            self.steps(SettingClass::Stack, format!("indexes.{name}"), meaning, &steps);
        }
    }

    /// A name without a rule has that of its own attribute.
    fn names(&mut self, was: &BTreeMap<String, NameRule>, is: &BTreeMap<String, NameRule>) {
        let all: BTreeSet<&String> = was.keys().chain(is.keys()).collect();
        for name in all {
            let plain = || NameRule { attributes: vec![name.clone()], ..NameRule::default() };
            let (was, is) = (was.get(name).cloned().unwrap_or_else(plain), is.get(name).cloned().unwrap_or_else(plain));
            let what = format!("names.{name}");
            self.compare(&what, &was, &is, |found| found.name(name, &was, &is));
        }
    }

    fn name(&mut self, name: &str, was: &NameRule, is: &NameRule) {
        let NameRule { values, attributes, like, is: time } = was;
        self.values(&format!("names.{name}.values"), name, values, &is.values);
        if *attributes != is.attributes {
            self.attributes(name, attributes, &is.attributes);
        }
        if *like != is.like {
            let meaning = "its texts bind other names: references, tenants and words change, and keys that do not have the \
                           shape belong to no item type";
            let steps =
                ["before the deployment, move the items whose text has another shape", DRAIN, CHANGE, TAKE, REBUILD];
            self.steps(SettingClass::Source, format!("names.{name}.like"), meaning, &steps);
        }
        if *time != is.is {
            let meaning = "times of items that exist are read in another way, and no time is noted for them yet";
            self.steps(SettingClass::Time, format!("names.{name}.is"), meaning, &[CHANGE]);
        }
    }

    /// Where the value of a name is.
    fn attributes(&mut self, name: &str, was: &[String], is: &[String]) {
        let what = format!("names.{name}.attribute");
        // The old ones in their order, after new ones: an item without a new one has the value that it had.
        if is.ends_with(was) {
            let new: Vec<String> =
                is.iter().take(is.len().saturating_sub(was.len())).map(|one| format!("`{one}`")).collect();
            let meaning = format!(
                "an item without {} keeps its value; one that has it already has that value from now on",
                new.join(", ")
            );
            return self.note(SettingClass::Source, what, meaning);
        }
        let meaning = format!(
            "items that have the value in {} alone lose it, with their access and their parents, and a sweep deletes their \
             back-references",
            was.iter().map(|one| format!("`{one}`")).collect::<Vec<_>>().join(", ")
        );
        let mut both: Vec<&String> = is.iter().collect();
        both.extend(was.iter().filter(|one| !is.contains(one)));
        let both =
            format!("before the deployment, deploy `attribute = {both:?}` and write each item with the new attribute");
        self.steps(SettingClass::Source, what, meaning, &[&both, DRAIN, CHANGE, TAKE, REBUILD]);
    }

    /// The values that a name can have, in all item types or in one.
    pub(super) fn values(&mut self, what: &str, name: &str, was: &[String], is: &[String]) {
        let gone: Vec<&str> = was.iter().filter(|value| !is.contains(value)).map(String::as_str).collect();
        let is_narrower = !is.is_empty() && (was.is_empty() || !gone.is_empty());
        if is_narrower {
            let which = if was.is_empty() { "any other value".to_owned() } else { gone.join(", ") };
            let meaning = format!(
                "records of items with {which} are parked, also those of deletions, and no `revoked` is published; groups of \
                 these values stay, without the members that Instep made"
            );
            let steps = [
                "under the old model, give each item with such a value another one, or delete it",
                DRAIN,
                "deploy the new model",
                CHANGE,
                TAKE,
                DROP_GROUPS,
                REBUILD,
            ];
            self.steps(SettingClass::Values, what, meaning, &steps);
        }
        if is.iter().any(|value| !was.contains(value)) || is.is_empty() {
            let meaning = format!("items that exist have no groups yet for the new values of `{name}`");
            self.steps(SettingClass::Values, what, meaning, &[CHANGE]);
        }
    }

    fn marker(&mut self, is: Marker) {
        match is {
            Marker::Name => {
                let meaning = "a group of people whose name matches a template belongs to Instep from now on, which may \
                               delete it";
                self.steps(SettingClass::Sweep, "cognito.marker", meaning, &["keep the old value", MEANT]);
            }
            Marker::Description => {
                let meaning = "groups that Instep made have no mark: they are not deleted with their item";
                self.steps(SettingClass::Sweep, "cognito.marker", meaning, &["keep the old value", CHANGE]);
            }
        }
    }

    fn policy(&mut self, what: &str, is: ExtraPolicy, which: &str) {
        match is {
            ExtraPolicy::Remove => {
                let meaning = format!("the next sweep that repairs removes {which}: all that there are");
                let step = "before the deployment, look at what `instep sweep` lists under the old model";
                self.steps(SettingClass::Sweep, what, meaning, &[step]);
            }
            ExtraPolicy::Report => {
                self.note(SettingClass::Sweep, what, format!("a sweep only reports {which} from now on"))
            }
        }
    }

    /// What follows from all templates together: characters that end a name, and names that have to be in lower case.
    fn texts_of_names(&mut self) {
        let (old, new) = (&self.old.derived, &self.new.derived);
        for name in new.lowered.difference(&old.lowered) {
            let meaning = format!(
                "records of items with upper case in `{name}` are parked. They lose their access, and their users and guards \
                 stay"
            );
            let steps = [
                "under the old model, move the items with upper case in it to other keys",
                DRAIN,
                "deploy the new model",
                CHANGE,
                TAKE,
            ];
            self.steps(SettingClass::Keys, format!("{name}: |lower"), meaning, &steps);
        }
        for name in old.lowered.difference(&new.lowered) {
            let meaning = format!("items with upper case in `{name}` were parked and are handled from now on");
            self.steps(SettingClass::Keys, format!("{name}: |lower"), meaning, &[CHANGE]);
        }
        for (name, ends) in &new.forbidden {
            let before = old.forbidden.get(name);
            for (c, end) in ends.iter().filter(|(c, _)| !before.is_some_and(|before| before.contains_key(c))) {
                if reads(self.old, name) {
                    let meaning = format!(
                        "`{c}` ends `{name}` in {}: items with that character in it belong to no item type any more",
                        end.template
                    );
                    let steps = ["under the old model, move such items to other keys", DRAIN, "deploy the new model"];
                    self.steps(SettingClass::Keys, format!("{name}: characters"), meaning, &steps);
                }
            }
        }
    }

    /// Whether there is still a pool, and whether the names of its users tell upper case from lower case, which no pool
    /// changes.
    fn pool(&mut self) {
        let (old, new) = (self.old, self.new);
        let gives = old.items.iter().flat_map(|item| &item.members).any(|rule| !rule.in_token);
        if gives && !new.uses_cognito() {
            let meaning = "nothing uses the user pool any more, so Instep has no right to it: the memberships that it made \
                           stay, and give access";
            let fix = "first deploy a model without memberships (`cognito.member`) that still has users or groups, and wait \
                       until its change is complete (`instep change`)";
            self.refuse(SettingClass::Cognito, "cognito", meaning, fix);
        }
        let has_pool = old.uses_cognito();
        match (old.pool_ignores_case(), new.pool_ignores_case()) {
            (true, false) if has_pool && !new.has_lowered_users() => {
                let meaning = "names of users have upper case from now on. If the stack made the pool, it ignores case, and \
                               Cognito refuses to change that: two items could share a user";
                let fix = "write the names of users with `|lower`, or make another pool. With a pool of your own that tells \
                           upper case from lower case, this does not matter";
                self.refuse(SettingClass::Stack, "cognito.user.name", meaning, fix);
            }
            (false, true) if has_pool => {
                let meaning = "if the stack made the pool, it tells upper case from lower case, and Cognito refuses to \
                               change that: people type their name in lower case. `instep template stack --force` keeps \
                               `CaseSensitive: true`";
                self.note(SettingClass::Stack, "cognito.user.name", meaning);
            }
            (_, _) => {}
        }
    }
}

/// Whether items have, or read, a name with this base.
fn reads(model: &Model, name: &str) -> bool {
    let is_it = |other: &str| base(other) == name;
    let is_read = |read: &Reads| match read {
        Reads::Name(other) | Reads::List(other) => is_it(other),
        Reads::Paths(_) | Reads::Test(_, _) => false,
    };
    let in_key = |item: &ItemType| item.forms.iter().flat_map(|form| &form.names).any(|other| is_it(other));
    model.types().any(|(of, item)| in_key(item) || model.uses(of).iter().any(|one| is_read(&one.reads)))
}
