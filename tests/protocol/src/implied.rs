//! What the table of a world implies.

use std::collections::{BTreeMap, BTreeSet};

use crate::cognito::SmallPool;
use crate::design::Design;
use crate::item::SmallItem;
use crate::table::SmallTable;
use crate::world::{SmallMembership, SmallObject, SmallWorld};

impl SmallWorld {
    /// The memberships that a table implies.
    #[must_use]
    pub fn implied_members(&self, table: &SmallTable) -> BTreeSet<SmallMembership> {
        let mut implied = BTreeSet::new();
        for (object, item) in &table.items {
            let exists = |target: SmallObject| self.has_no_item(target) || table.has(target);
            let all_exist = || self.targets(*object, item.value).iter().all(|(_, target)| exists(*target));
            if let Some(membership) = self.membership(*object, item.value)
                && all_exist()
            {
                implied.insert(membership);
            }
        }
        implied
    }

    /// What a table implies for Cognito.
    #[must_use]
    pub fn implied(&self, table: &SmallTable) -> SmallPool {
        let mut implied = SmallPool { members: self.implied_members(table), ..SmallPool::default() };
        for (object, item) in &table.items {
            match object {
                SmallObject::User(user) => drop(implied.users.insert(*user, item.value)),
                SmallObject::Group(group) => implied.groups.extend(self.group_roles(*group)),
                SmallObject::Grant(..) | SmallObject::Child(_) => {}
            }
        }
        implied
    }

    /// The table at the start.
    #[must_use]
    pub fn first_table(&self, design: &Design) -> SmallTable {
        let first = SmallItem { value: 1, written: 0 };
        let start = self.start.union(&self.never_handled).filter(|object| !self.has_no_item(**object));
        let items: BTreeMap<SmallObject, SmallItem> = start.map(|object| (*object, first)).collect();
        let references = items.keys().flat_map(|from| self.references(*from, 1).into_iter().map(|to| (to, *from)));
        let references = references.filter(|(_, from)| !self.never_handled.contains(from));
        let bookkeeping = references.filter_map(|(to, from)| design.reference(self, to, from)).collect();
        SmallTable { bookkeeping, index: items.clone(), items, ..SmallTable::default() }
    }
}
