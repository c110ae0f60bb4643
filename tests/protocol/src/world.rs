//! The constants of a world: its objects, their links, and what may happen.

use std::collections::{BTreeMap, BTreeSet};

use crate::rules::Rules;

/// An object of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SmallObject {
    /// A user. The value of its item is an attribute.
    User(u8),
    /// A group. It has a Cognito group for each role.
    Group(u8),
    /// A grant, by user and group. The value of its item is a role.
    Grant(u8, u8),
    /// A child of the parent that [`SmallWorld::children`] names.
    Child(u8),
}

/// A user in the Cognito group of a group and a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SmallMembership {
    /// The user.
    pub user: u8,
    /// The group.
    pub group: u8,
    /// The role.
    pub role: u8,
}

/// How an object finds its dependents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Find {
    /// By a strongly consistent query.
    Partition,
    /// By an index, which is eventually consistent.
    Index,
    /// By back-references.
    Reference,
    /// By an index that nothing queries. For objects that nobody writes.
    Nothing,
}

impl Find {
    /// Whether the model has an index for it.
    pub(crate) const fn has_index(self) -> bool {
        matches!(self, Self::Index | Self::Nothing)
    }
}

/// How one object depends on another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SmallLink {
    /// A grant depends on its user.
    GrantOfUser,
    /// A grant depends on its group.
    GrantOfGroup,
    /// A child depends on its parent.
    Child,
}

/// A race that stays open, and has no fault of its own in [`Budget`].
/// `docs/design/races.md` lists races.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Race {
    /// A torn read: a membership must have been implied at one moment since its run began to read.
    TornRead,
    /// A subject deleted twice: a user must be what a writer wrote last.
    SubjectDeletedTwice,
    /// Children of a restored subject: they must exist.
    ChildrenOfRestored,
}

/// What may still happen, each so many times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Budget {
    /// A writer writes an item.
    pub writes: u8,
    /// A run dies. What it held is delivered again.
    pub crashes: u8,
    /// A call fails and ends its run.
    pub failures: u8,
    /// Parking or publishing fails after the run has reconciled.
    pub unpublished: u8,
    /// A call succeeds, and its answer is lost.
    pub lost: u8,
    /// A record, whether it was ever written or not, is replayed.
    pub replays: u8,
    /// SQS delivers a message twice, and each until a run over it ends.
    pub duplicates: u8,
    /// SQS delivers a message twice, and the second delivery is not repeated if its run dies.
    pub abandoned: u8,
    /// A call to Cognito takes effect after its run was given up.
    pub late: u8,
    /// Cognito answers "not found" to a removal that had something to remove.
    pub not_found: u8,
    /// A delayed message is delivered before the index has caught up.
    pub early: u8,
    /// Somebody signs up. Only where people do.
    pub sign_ups: u8,
    /// People delete an account. Only where people sign up. Nobody gets the `sub` of an account that was deleted.
    pub leaves: u8,
}

/// What stays the same while states change.
#[derive(Debug, Clone)]
pub struct SmallWorld {
    /// Users.
    pub users: u8,
    /// Groups.
    pub groups: u8,
    /// Roles that can be granted: 1 and up.
    pub roles: u8,
    /// Values that a user's attribute can have: 1 and up.
    pub attributes: u8,
    /// Grants that can exist, by user and group.
    pub grants: Vec<(u8, u8)>,
    /// The parent of each child.
    pub children: Vec<SmallObject>,
    /// People sign up: a user is an account that Instep does not make, no item has it, and a grant names its `sub`.
    pub signs_up: bool,
    /// The role of a grant says in which group it is, too.
    pub role_moves: bool,
    /// A Cognito user stays when its item is deleted.
    pub keeps_users: bool,
    /// Grants are deleted with their user or group.
    pub grants_belong: bool,
    /// A user is deleted with its last grant.
    pub last_revocation: bool,
    /// How a user finds its grants. Not by its partition if a group does so.
    pub find_by_user: Find,
    /// How a group finds its grants. Not by its partition if the role of a grant says in which
    /// group it is.
    pub find_by_group: Find,
    /// How a parent finds its children. Never by back-references.
    pub find_children: Find,
    /// The shard of each object. An object that is not here has shard 0.
    pub shards: BTreeMap<SmallObject, u8>,
    /// Most records of a batch.
    pub batch: usize,
    /// Most messages of a batch.
    pub messages: usize,
    /// Most rows of a page.
    pub page: usize,
    /// Effects of one phase are applied in any order, not only in one.
    pub any_order: bool,
    /// Items that exist at the start. Cognito is reconciled with them.
    pub start: BTreeSet<SmallObject>,
    /// Items that exist at the start, and of which Instep has never handled a record. Cognito has
    /// nothing of them.
    pub never_handled: BTreeSet<SmallObject>,
    /// Objects that no writer writes.
    pub fixed: BTreeSet<SmallObject>,
    /// What may happen.
    pub budget: Budget,
    /// The protocol.
    pub rules: Rules,
    /// Races whose consequences count as breaches.
    pub closed: BTreeSet<Race>,
}

impl SmallWorld {
    /// A world of one user, one group and one role: what exists at the start, and what no writer writes.
    #[must_use]
    pub fn of_one(start: &[SmallObject], fixed: &[SmallObject], budget: Budget) -> Self {
        let (start, fixed) = (start.iter().copied().collect(), fixed.iter().copied().collect());
        Self { start, fixed, budget, ..Self::new(1, 1, 1) }
    }

    /// A world with no faults in which nothing exists, each object has a shard of its own,
    /// groups and parents find their dependents by queries, and users do not find theirs.
    #[must_use]
    pub fn new(users: u8, groups: u8, roles: u8) -> Self {
        let grants = (0..users).flat_map(|user| (0..groups).map(move |group| (user, group))).collect();
        let world = Self {
            users,
            groups,
            roles,
            attributes: 1,
            grants,
            children: Vec::new(),
            signs_up: false,
            role_moves: false,
            keeps_users: false,
            grants_belong: false,
            last_revocation: false,
            find_by_user: Find::Nothing,
            find_by_group: Find::Partition,
            find_children: Find::Partition,
            shards: BTreeMap::new(),
            batch: 1,
            messages: 1,
            page: 2,
            any_order: false,
            start: BTreeSet::new(),
            never_handled: BTreeSet::new(),
            fixed: BTreeSet::new(),
            budget: Budget::default(),
            rules: Rules::ALL,
            closed: BTreeSet::new(),
        };
        world.with_own_shards()
    }

    /// The same where people sign up.
    #[must_use]
    pub fn with_sign_ups(self) -> Self {
        Self { signs_up: true, find_by_user: Find::Reference, ..self }.with_own_shards()
    }

    /// The same with a shard for each object.
    #[must_use]
    pub fn with_own_shards(mut self) -> Self {
        self.shards = self.objects().into_iter().zip(0..).collect();
        self
    }

    /// All objects that have items.
    #[must_use]
    pub fn objects(&self) -> Vec<SmallObject> {
        let users = (0..self.users).map(SmallObject::User).filter(|user| !self.has_no_item(*user));
        let groups = (0..self.groups).map(SmallObject::Group);
        let grants = self.grants.iter().map(|(user, group)| SmallObject::Grant(*user, *group));
        let children = (0..).zip(&self.children).map(|(child, _)| SmallObject::Child(child));
        users.chain(groups).chain(grants).chain(children).collect()
    }

    /// Whether an object is an account of somebody who signs up.
    #[must_use]
    pub const fn has_no_item(&self, object: SmallObject) -> bool {
        self.signs_up && matches!(object, SmallObject::User(_))
    }

    /// The values that the item of an object can have.
    #[must_use]
    pub const fn values(&self, object: SmallObject) -> u8 {
        match object {
            SmallObject::User(_) => self.attributes,
            SmallObject::Group(_) | SmallObject::Child(_) => 1,
            SmallObject::Grant(..) => self.roles,
        }
    }

    /// The shard that has the records of an object.
    #[must_use]
    pub fn shard(&self, object: SmallObject) -> u8 {
        self.shards.get(&object).copied().unwrap_or_default()
    }

    /// How a link finds dependents.
    #[must_use]
    pub const fn find(&self, link: SmallLink) -> Find {
        match link {
            SmallLink::GrantOfUser => self.find_by_user,
            SmallLink::GrantOfGroup => self.find_by_group,
            SmallLink::Child => self.find_children,
        }
    }

    /// Whether dependents behind a link are deleted with the object that they depend on.
    #[must_use]
    pub const fn belongs(&self, link: SmallLink) -> bool {
        match link {
            SmallLink::GrantOfUser => self.grants_belong && !self.signs_up,
            SmallLink::GrantOfGroup => self.grants_belong,
            SmallLink::Child => true,
        }
    }

    /// Whether the subject is deleted with the last dependent behind a link.
    #[must_use]
    pub fn is_last(&self, link: SmallLink) -> bool {
        self.last_revocation && link == SmallLink::GrantOfUser
    }

    /// The objects that an object with this value depends on.
    #[must_use]
    pub fn targets(&self, object: SmallObject, value: u8) -> Vec<(SmallLink, SmallObject)> {
        match object {
            SmallObject::User(_) | SmallObject::Group(_) => vec![],
            SmallObject::Grant(user, _) => {
                let group = self.membership(object, value).map(|membership| SmallObject::Group(membership.group));
                let user = [(SmallLink::GrantOfUser, SmallObject::User(user))];
                user.into_iter().chain(group.map(|group| (SmallLink::GrantOfGroup, group))).collect()
            }
            SmallObject::Child(child) => {
                let parent = self.children.get(usize::from(child));
                parent.map(|parent| (SmallLink::Child, *parent)).into_iter().collect()
            }
        }
    }

    /// The membership that a grant with a role names.
    #[must_use]
    pub fn membership(&self, grant: SmallObject, role: u8) -> Option<SmallMembership> {
        let SmallObject::Grant(user, group) = grant else { return None };
        let moved = if self.role_moves { role.saturating_sub(1) } else { 0 };
        Some(SmallMembership { user, group: (group + moved) % self.groups.max(1), role })
    }

    /// Whether a role's Cognito groups of a group exist.
    pub(crate) fn group_roles(&self, group: u8) -> impl Iterator<Item = (u8, u8)> {
        (1..=self.roles).map(move |role| (group, role))
    }

    /// The back-references that exist because of what an object is.
    #[must_use]
    pub fn references(&self, object: SmallObject, value: u8) -> Vec<SmallObject> {
        let targets = self.targets(object, value).into_iter();
        targets.filter(|(link, _)| self.find(*link) == Find::Reference).map(|(_, target)| target).collect()
    }
}
