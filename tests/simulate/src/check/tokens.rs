//! Tokens of a drained world: their groups are those that the pool has, and those that the table implies in tokens alone.

use std::collections::BTreeSet;

use instep_flow::reconcile::{
    AccountGroups, AccountGroupsStep, ImpliedGroups, SigningInAccount, is_made_by_hand, is_of_model,
};
use instep_flow::transition::StoredTable;
use instep_local::{GroupState, UserState};
use instep_model::ADDRESSES;
use jiff::Timestamp;

use crate::implied::{Fact, FactState};
use crate::watch::{OTHERS, Watch};

/// Promises 1 and 2: what tokens give and what the pool has, where they differ. Groups and users are as Cognito has them.
pub(super) fn wrong(watch: &Watch, groups: &[GroupState], users: &[UserState], now: Timestamp) -> Vec<String> {
    let (implied, model) = (&watch.implied, &watch.implied.model);
    let table = implied.rows().values().map(|row| row.item.clone());
    let table = StoredTable::new([model, model], table.chain(implied.books.values().cloned()).collect());
    let facts = implied.facts();
    let mut wrong = Vec::new();
    // Who is disabled gets no token.
    for user in users.iter().filter(|user| user.enabled) {
        let in_pool = groups.iter().filter(|group| group.name != OTHERS && group.members.contains(&user.username));
        let in_pool: BTreeSet<&String> =
            in_pool.map(|group| &group.name).filter(|group| is_of_model(model, group)).collect();
        let called = watch.called(&user.username);
        // What is in tokens alone is compared with what the table implies.
        let in_tokens_alone = implied.in_tokens(called);
        let surely = in_tokens_alone.iter().filter(|(_, state)| matches!(state, FactState::Is(_)));
        let surely = surely.map(|(group, _)| group);
        let in_pool: BTreeSet<&String> = in_pool.into_iter().chain(surely).collect();
        let Some(found) = found(&table, watch, user, now) else {
            wrong.push(format!("1: no token has an answer for {}", user.username));
            continue;
        };
        let is_there = |group: &&String| in_pool.contains(*group) || !is_made_by_hand(model, group);
        let in_token: BTreeSet<&String> = found.groups.iter().filter(is_there).collect();
        let may_be = |group: &String| {
            let fact = Fact::Member(called.to_owned(), group.clone());
            [facts.get(&fact), in_tokens_alone.get(group)].contains(&Some(&FactState::Either))
        };
        for group in in_token.symmetric_difference(&in_pool).filter(|group| !may_be(group)) {
            let (what, where_not) = if in_pool.contains(*group) { ("1", "token") } else { ("2", "pool") };
            wrong.push(format!(
                "{what}: {} ({called}) is in {group}, and not in the {where_not}: {found:?}",
                user.username
            ));
        }
    }
    wrong
}

fn found(table: &StoredTable, watch: &Watch, user: &UserState, now: Timestamp) -> Option<ImpliedGroups> {
    let model = &watch.implied.model;
    let text = |name: &str| user.attributes.get(name).cloned();
    let account = SigningInAccount {
        username: user.username.clone(),
        sub: text("sub").unwrap_or_default(),
        addresses: ADDRESSES.into_iter().filter_map(text).collect(),
        ignores_case: model.pool_ignores_case(),
    };
    let mut groups = AccountGroups::new(model, account, now);
    loop {
        match groups.next() {
            AccountGroupsStep::Read(asks) => groups.read(table.answers(&asks, None)),
            AccountGroupsStep::Done(found) => return Some(found),
            AccountGroupsStep::Undecided => return None,
        }
    }
}
