//! A table and its pool, read whole, for a comparison of two models.

use instep_flow::sweep::members_in;
use instep_flow::transition::{StoredPool, StoredTable};
use instep_model::Model;

use super::read::SEGMENT_ROWS;
use super::{SweepListener, SweepProgress};
use crate::instep::Instep;
use crate::run_options::RunOptions;

impl Instep {
    /// Reads the whole table once, into memory.
    ///
    /// # Errors
    /// The table cannot be read.
    pub async fn read_whole_table(
        &self,
        other: &Model,
        run: &RunOptions,
        listener: SweepListener<'_>,
    ) -> Result<StoredTable, String> {
        let (mut items, mut from) = (Vec::new(), None);
        // INVARIANT 8: a page has items, or is the last one.
        loop {
            let page = self.segment_page((0, 1), from, SEGMENT_ROWS, run.deadline).await;
            let page = page.map_err(|failure| failure.words("Scan"))?;
            listener(SweepProgress::Items(page.items.len() as u64));
            items.extend(page.items);
            from = page.next;
            if from.is_none() {
                break;
            }
        }
        Ok(StoredTable::new([&self.model, other], items))
    }

    /// Reads what the user pool has of this model and of another, into memory. `None`: there is no pool.
    ///
    /// # Errors
    /// The pool cannot be read.
    pub async fn read_whole_pool(
        &self,
        other: &Model,
        run: &RunOptions,
        listener: SweepListener<'_>,
    ) -> Result<Option<StoredPool>, String> {
        let Some(pool) = &self.settings.user_pool else { return Ok(None) };
        let spelling = self.cognito.spelling(pool, run).await.map_err(|failure| failure.words("DescribeUserPool"))?;
        let (mut stored, mut next) = (StoredPool::default(), None);
        loop {
            let page = self.cognito.groups_page(pool, next, run).await;
            let (groups, more) = page.map_err(|failure| failure.words("ListGroups"))?;
            listener(SweepProgress::Pool(groups.len() as u64));
            stored.groups.extend(groups.into_iter().map(|group| (group.name.clone(), group)));
            next = more;
            if next.is_none() {
                break;
            }
        }
        loop {
            let page = self.cognito.users(pool, &spelling, next, run).await;
            let (users, more) = page.map_err(|failure| failure.words("ListUsers"))?;
            listener(SweepProgress::Pool(users.len() as u64));
            stored.users.extend(users.into_iter().map(|user| (user.name.clone(), user)));
            next = more;
            if next.is_none() {
                break;
            }
        }
        let is_listed = |model: &Model, name: &str, mark| members_in(model, name, mark) || model.is_group_name(name);
        let groups = stored
            .groups
            .values()
            .filter(|group| [&*self.model, other].into_iter().any(|model| is_listed(model, &group.name, group.mark)));
        for name in groups.map(|group| group.name.clone()).collect::<Vec<_>>() {
            loop {
                let page = self.cognito.members(pool, &name, &spelling, next, run).await;
                let (members, more) = page.map_err(|failure| failure.words("ListUsersInGroup"))?;
                listener(SweepProgress::Pool(members.len() as u64));
                stored.members.extend(members);
                next = more;
                if next.is_none() {
                    break;
                }
            }
        }
        Ok(Some(stored))
    }
}
