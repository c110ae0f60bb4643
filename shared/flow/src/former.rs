//! What an earlier model may have made in Cognito of an item that this model refuses, because a name in its key, or in
//! a reference, is not in lower case. That model had no `lower` there, and wrote the name as it is. This one grants
//! nothing for such an item, and takes back what may be left of it.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{CognitoGroups, CognitoMember, Item, Model, Object, UserValue};

use crate::implied::{self, Membership};

/// For each membership that an item would imply if its names were in lower case, the memberships that an earlier
/// model may have made of it: with each name in lower case, or as it is. Without those of an item that this model
/// takes as it is.
pub(crate) fn memberships(model: &Model, object: &Object, item: &Item) -> BTreeMap<Membership, BTreeSet<Membership>> {
    let mut found: BTreeMap<Membership, BTreeSet<Membership>> = BTreeMap::new();
    let rules =
        model.item(object.of).members.iter().filter(|rule| !rule.in_token && rule.when.holds(&object.names, item));
    let roles = implied::roles(model, object, item);
    for rule in rules {
        let Some(subject) = implied::named_subject(model, &rule.user, object, Some(item)) else { continue };
        let groups_of = rule.group_link().map(|link| implied::named_targets(model, link, object, Some(item)));
        let mut named = [object, &subject].into_iter().chain(groups_of.iter().flatten());
        if named.all(|object| model.has_canonical_key(object)) {
            continue;
        }
        let Some(user) = &model.item(subject.of).user else { continue };
        let written = CognitoMember { group: rule.group.as_written(), ..rule.clone() };
        let targets = implied::named_targets;
        let groups = |rule| implied::member_groups(model, rule, object, item, (&roles, targets)).into_iter();
        let users = [&user.name, &user.name.as_written()].map(|name| implied::user_name_by(model, name, &subject).ok());
        for ((_, group), (_, written)) in groups(rule).zip(groups(&written)) {
            let ([Some(user), Some(user_written)], Ok(group), Ok(group_written)) = (&users, group, written) else {
                continue;
            };
            let sub = implied::user_value(model, rule) == Some(UserValue::Sub);
            let member = |user: &String, group: &String| Membership { sub, ..Membership::named(user, group) };
            let made = [user, user_written].map(|user| [&group, &group_written].map(|group| member(user, group)));
            found.entry(member(user, &group)).or_default().extend(made.into_iter().flatten());
        }
    }
    found
}

/// The user that an earlier model may have made of an object, under its name as it is written.
pub(crate) fn user(model: &Model, object: &Object) -> Option<String> {
    let user = model.item(object.of).user.as_ref()?;
    implied::user_name_by(model, &user.name.as_written(), object).ok()
}

/// The groups that an earlier model may have made of an object, each with the index of its rule.
pub(crate) fn groups(model: &Model, object: &Object) -> BTreeSet<(usize, String)> {
    let rules = model.item(object.of).groups.iter().enumerate().filter(|(_, groups)| !groups.in_token);
    let groups = rules.flat_map(|(rule, groups)| {
        let written = CognitoGroups { name: groups.name.as_written(), ..groups.clone() };
        let asked = implied::asked_groups(model, &written, object).into_iter();
        asked.filter_map(move |(_, group)| Some((rule, group.ok()?)))
    });
    groups.collect()
}
