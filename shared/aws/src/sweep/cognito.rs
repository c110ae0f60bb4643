//! The pool's side: every user, group and membership of Cognito is looked up in the table.

use std::collections::{BTreeMap, BTreeSet};

use aws_sdk_cognitoidentityprovider::types::GroupType;
use instep_flow::account::SUB;
use instep_flow::effect::{Aside, Effect};
use instep_flow::group_mark;
use instep_flow::implied::Membership;
use instep_flow::queries::is_by_sub;
use instep_flow::sweep::units::Spelling;
use instep_flow::sweep::{
    About, Difference, DifferenceKind, ExistingUser, FormerPool, GroupMark, PoolGroup, PoolUser, PoolView, Repair,
    members_in, of_existing, of_groups, of_members, of_users, pool_plan,
};
use instep_model::Marker;

use super::table::names;
use super::{SweepListener, SweepProgress};
use crate::call::{CallFailure, call};
use crate::cognito::{Cognito, settings_of, texts, timestamp};
use crate::instep::Instep;
use crate::pace::Category;
use crate::run_options::RunOptions;

/// The maximum entries of a page of groups, users or members. Source: Amazon Cognito User Pools API
/// Reference, ListUsersInGroup, `Limit`.
const PAGE: i32 = 60;

impl Instep {
    /// The differences of a part of the pool.
    pub(super) async fn check_pool(
        &self,
        users: Vec<PoolUser>,
        groups: Vec<PoolGroup>,
        members: Vec<Membership>,
        run: &RunOptions,
    ) -> Result<Vec<Difference>, String> {
        let model = &self.model;
        let mut former = FormerPool::default();
        for earlier in self.former.iter() {
            let (plan, _) = pool_plan(&earlier.model, users.clone(), groups.clone(), members.clone());
            former.note(&earlier.implied(plan, run).await?.effects);
        }
        let (plan, found) = pool_plan(model, users, groups, members);
        let effects = self.implied(plan, run).await?.effects;
        let mut differences = of_users(model, &found, &effects, &former);
        differences.extend(of_groups(model, &found, &effects, &former));
        differences.extend(of_members(model, &found, &effects, &former));
        Ok(differences)
    }

    /// What users have who sign in by other addresses than their items say, and no item implies.
    pub(super) async fn check_drifted(&self, pool: &PoolView, run: &RunOptions) -> Result<Vec<Difference>, String> {
        let (Some(id), mut members) = (&self.settings.user_pool, pool.drifted().to_vec()) else {
            return Ok(Vec::new());
        };
        if members.is_empty() {
            return Ok(Vec::new());
        }
        let managed = self.cognito.managed(id, &members, run).await?;
        members.retain(|member| managed.contains(&member.group));
        self.check_pool(Vec::new(), Vec::new(), members, run).await
    }

    /// The accounts under the names of items that Instep did not make, by their names. A list of Cognito may show an
    /// account twice.
    ///
    /// # Errors
    /// A service failed.
    pub async fn existing_users(
        &self,
        run: &RunOptions,
        listener: SweepListener<'_>,
    ) -> Result<Vec<ExistingUser>, String> {
        let Some(pool) = &self.settings.user_pool else { return Ok(Vec::new()) };
        let spelling = self.cognito.spelling(pool, run).await.map_err(|failure| failure.words("DescribeUserPool"))?;
        let (mut existing, mut next) = (BTreeMap::new(), None);
        loop {
            let page = self.cognito.users(pool, &spelling, next, run).await;
            let (users, more) = page.map_err(|failure| failure.words("ListUsers"))?;
            listener(SweepProgress::Pool(users.len() as u64));
            let (plan, found) = pool_plan(&self.model, users, Vec::new(), Vec::new());
            let effects = self.implied(plan, run).await?.effects;
            let page = of_existing(&self.model, &found, &effects);
            existing.extend(page.into_iter().map(|user| (user.user.clone(), user)));
            next = more;
            if next.is_none() {
                return Ok(existing.into_values().collect());
            }
        }
    }

    /// About how many items, users and memberships there are. `None` if the services do not say it.
    pub async fn size(&self, run: &RunOptions) -> Option<u64> {
        let describe = || self.clients.dynamodb.describe_table().table_name(&self.settings.table).send();
        let items = call(run.deadline, describe).await.ok()?.table?.item_count?;
        let Some(pool) = &self.settings.user_pool else { return u64::try_from(items).ok() };
        let describe = || self.clients.cognito.describe_user_pool().user_pool_id(pool).send();
        let users =
            self.cognito.call(Category::GroupRead, run, describe).await.ok()?.user_pool?.estimated_number_of_users;
        // Users are listed once by themselves, and once in their groups.
        u64::try_from(items).ok().map(|items| items + 2 * u64::try_from(users).unwrap_or_default())
    }
}

impl Cognito {
    /// What the pool has of the users and groups that effects are about. `None` without a pool.
    pub(super) async fn pool_of<'e>(
        &self,
        effects: impl Iterator<Item = &'e Effect>,
        run: &RunOptions,
    ) -> Result<Option<PoolView>, String> {
        let Some(id) = &self.pool else { return Ok(None) };
        let (users, groups) = names(effects);
        let mut pool = PoolView::default();
        for group in groups {
            if let Some(group) = self.group(id, &group, run).await? {
                pool.add_group(group);
            }
        }
        for ((user, sub), made) in users {
            let name = if sub { self.name_by_sub(id, &user, run).await? } else { Some(user.clone()) };
            let Some(name) = name else { continue };
            let found = if sub { None } else { self.user(id, &name, run).await? };
            let drifted = made.filter(|made| found.as_ref().is_none_or(|found| found.username != *made));
            if sub {
                pool.add_sub(&user);
            } else if drifted.is_none() && found.is_some() {
                pool.add_user(&user);
            } else if drifted.is_none() {
                continue;
            }
            let groups = self.groups_of(drifted.as_ref().unwrap_or(&name), run).await;
            for group in groups.map_err(|failure| failure.words("AdminListGroupsForUser"))? {
                let member = Membership { sub, ..Membership::named(&user, group) };
                match &drifted {
                    Some(made) => pool.add_drifted(Membership { username: Aside(Some(made.clone())), ..member }),
                    None => pool.add_member(member),
                }
            }
        }
        Ok(Some(pool))
    }

    /// The name of the user whose account has a `sub`.
    pub(super) async fn name_by_sub(&self, pool: &str, sub: &str, run: &RunOptions) -> Result<Option<String>, String> {
        self.user_by_sub(pool, sub, run).await.map_err(|failure| failure.words("ListUsers"))
    }

    pub(super) async fn spelling(&self, pool: &str, run: &RunOptions) -> Result<Spelling, CallFailure> {
        Ok(self.naming(pool, run).await?.spelling.clone())
    }

    /// A page of the groups of the pool, of which there are at most 10,000. Source: Amazon Cognito Developer
    /// Guide, "Quotas in Amazon Cognito".
    pub(super) async fn groups_page(
        &self,
        pool: &str,
        next: Option<String>,
        run: &RunOptions,
    ) -> Result<(Vec<PoolGroup>, Option<String>), CallFailure> {
        let list = || {
            let request = self.cognito.list_groups().user_pool_id(pool).limit(PAGE);
            request.set_next_token(next.clone()).send()
        };
        let answer = self.call(Category::GroupRead, run, list).await?;
        let groups = answer.groups().iter().filter_map(|group| self.pool_group(group)).collect();
        Ok((groups, answer.next_token))
    }

    fn pool_group(&self, group: &GroupType) -> Option<PoolGroup> {
        let name = group.group_name()?;
        let description = group.description().unwrap_or_default();
        let is_own = match self.model.marker {
            Marker::Name => self.model.is_group_name(name),
            Marker::Description => group_mark::is_marked(&self.model, description),
        };
        let mark = if is_own { GroupMark::Own } else { GroupMark::Unmarked };
        let after = group_mark::after(&self.model, description).map(|after| after.at);
        Some(PoolGroup { name: name.to_owned(), mark, settings: settings_of(group), after })
    }

    /// A group, if it exists.
    pub(super) async fn group(&self, pool: &str, name: &str, run: &RunOptions) -> Result<Option<PoolGroup>, String> {
        let get = || self.cognito.get_group().user_pool_id(pool).group_name(name).send();
        match self.call(Category::GroupRead, run, get).await {
            Ok(answer) => Ok(answer.group().and_then(|group| self.pool_group(group))),
            Err(failure) if failure.is("ResourceNotFoundException") => Ok(None),
            Err(failure) => Err(failure.words("GetGroup")),
        }
    }

    /// A user, if it exists.
    pub(super) async fn user(&self, pool: &str, name: &str, run: &RunOptions) -> Result<Option<PoolUser>, String> {
        let found = self.get_user(pool, name, run).await.map_err(|failure| failure.words("AdminGetUser"))?;
        Ok(found.map(|user| PoolUser {
            name: name.to_owned(),
            enabled: user.enabled(),
            attributes: texts(user.user_attributes()),
            username: user.username().to_owned(),
            status: user.user_status().map_or("", |status| status.as_str()).to_owned(),
            created: user.user_create_date().and_then(timestamp),
        }))
    }

    pub(super) async fn users(
        &self,
        pool: &str,
        spelling: &Spelling,
        next: Option<String>,
        run: &RunOptions,
    ) -> Result<(Vec<PoolUser>, Option<String>), CallFailure> {
        let list = || {
            let request = self.cognito.list_users().user_pool_id(pool).limit(PAGE);
            request.set_pagination_token(next.clone()).send()
        };
        let answer = self.call(Category::UserList, run, list).await?;
        let users = answer.users().iter().filter_map(|user| {
            let attributes = texts(user.attributes());
            let username = user.username()?;
            Some(PoolUser {
                name: self.spelled(username, &attributes, spelling),
                enabled: user.enabled(),
                attributes,
                username: username.to_owned(),
                status: user.user_status().map_or("", |status| status.as_str()).to_owned(),
                created: user.user_create_date().and_then(timestamp),
            })
        });
        Ok((users.collect(), answer.pagination_token().map(str::to_owned)))
    }

    pub(super) async fn members(
        &self,
        pool: &str,
        group: &str,
        spelling: &Spelling,
        next: Option<String>,
        run: &RunOptions,
    ) -> Result<(Vec<Membership>, Option<String>), CallFailure> {
        let list = || {
            let request = self.cognito.list_users_in_group().user_pool_id(pool).group_name(group).limit(PAGE);
            request.set_next_token(next.clone()).send()
        };
        let answer = match self.call(Category::UserList, run, list).await {
            Ok(answer) => answer,
            // It was deleted since the groups were listed.
            Err(failure) if failure.is("ResourceNotFoundException") => return Ok((Vec::new(), None)),
            Err(failure) => return Err(failure),
        };
        let by_sub = is_by_sub(&self.model, group);
        let members = answer.users().iter().filter_map(|user| {
            let mut attributes = texts(user.attributes());
            let sub = attributes.remove(SUB);
            let made = sub.as_deref() == user.username();
            if let Some(user) = sub.filter(|_| by_sub) {
                return Some(Membership { sub: true, ..Membership::named(user, group) });
            }
            let username = Aside(made.then(|| user.username().map(str::to_owned)).flatten());
            let name = self.spelled(user.username()?, &attributes, spelling);
            Some(Membership { username, ..Membership::named(name, group) })
        });
        Ok((members.collect(), answer.next_token().map(str::to_owned)))
    }

    /// The name by which the model knows a user.
    fn spelled(&self, name: &str, attributes: &BTreeMap<String, String>, spelling: &Spelling) -> String {
        let signs_in = spelling.by.iter().find_map(|attribute| attributes.get(attribute));
        let name = signs_in.map_or(name, String::as_str);
        if spelling.folds_case && self.model.has_lowered_users() { name.to_lowercase() } else { name.to_owned() }
    }

    /// INVARIANT 2: whom a name of the pool stands for may be unknown. Then a sweep removes nothing by that
    /// name, because the item may exist under another one.
    pub(super) async fn without_doubtful(
        &self,
        mut differences: Vec<Difference>,
        run: &RunOptions,
    ) -> Result<Vec<Difference>, String> {
        let Some(pool) = &self.pool else { return Ok(differences) };
        let is_removal = |difference: &Difference| {
            // A `sub` stands for one account, however its name is written.
            let by_sub = matches!(&difference.about, About::Member(member) if member.sub);
            use DifferenceKind::{ExtraMember, ExtraUser, FormerMember};
            matches!(difference.kind, ExtraUser | ExtraMember | FormerMember) && difference.is_repairable() && !by_sub
        };
        if !differences.iter().any(is_removal) {
            return Ok(differences);
        }
        let spelling = self.spelling(pool, run).await.map_err(|failure| failure.words("DescribeUserPool"))?;
        if spelling.folds_case && !self.model.has_lowered_users() {
            for difference in differences.iter_mut().filter(|difference| is_removal(difference)) {
                difference.repair = Repair::Report(
                    "the pool takes no notice of case while the model does, so its item may be under another name",
                );
            }
        }
        Ok(differences)
    }

    /// All members of a group.
    pub(super) async fn all_members(
        &self,
        pool: &str,
        group: &str,
        run: &RunOptions,
    ) -> Result<Vec<Membership>, String> {
        let spelling = self.spelling(pool, run).await.map_err(|failure| failure.words("DescribeUserPool"))?;
        let (mut all, mut next) = (Vec::new(), None);
        loop {
            let page = self.members(pool, group, &spelling, next, run).await;
            let (members, more) = page.map_err(|failure| failure.words("ListUsersInGroup"))?;
            all.extend(members);
            next = more;
            if next.is_none() {
                return Ok(all);
            }
        }
    }

    /// Those of the groups of memberships whose members a sweep looks at.
    pub(super) async fn managed(
        &self,
        pool: &str,
        members: &[Membership],
        run: &RunOptions,
    ) -> Result<BTreeSet<String>, String> {
        let groups: BTreeSet<&String> = members.iter().map(|member| &member.group).collect();
        let mut managed = BTreeSet::new();
        for group in groups {
            let found = self.group(pool, group, run).await?;
            managed.extend(found.filter(|found| members_in(&self.model, group, found.mark)).map(|found| found.name));
        }
        Ok(managed)
    }

    /// The name that the pool has made for the account of a user, if its users sign in by an address.
    async fn made_name(&self, pool: &str, user: &str, run: &RunOptions) -> Result<Option<String>, String> {
        let naming = self.naming(pool, run).await.map_err(|failure| failure.words("DescribeUserPool"))?;
        if naming.spelling.by.is_empty() {
            return Ok(None);
        }
        Ok(self.user(pool, user, run).await?.and_then(|found| found.made().map(str::to_owned)))
    }

    /// Those of these memberships that exist.
    pub(super) async fn present(&self, members: Vec<Membership>, run: &RunOptions) -> Result<Vec<Membership>, String> {
        let mut by_user: BTreeMap<(String, bool), BTreeSet<String>> = BTreeMap::new();
        for Membership { user, group, sub, .. } in members {
            by_user.entry((user, sub)).or_default().insert(group);
        }
        let mut present = Vec::new();
        let Some(pool) = &self.pool else { return Ok(present) };
        for ((user, sub), groups) in by_user {
            let name = if sub { self.name_by_sub(pool, &user, run).await? } else { Some(user.clone()) };
            let Some(name) = name else { continue };
            let made = if sub { None } else { self.made_name(pool, &name, run).await? };
            let actual = self.groups_of(made.as_ref().unwrap_or(&name), run).await;
            let actual = actual.map_err(|failure| failure.words("AdminListGroupsForUser"))?;
            let both = groups.intersection(&actual);
            let username = Aside(made);
            let member = |group| Membership { sub, username: username.clone(), ..Membership::named(&user, group) };
            present.extend(both.map(member));
        }
        Ok(present)
    }
}
