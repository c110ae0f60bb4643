//! Reads: what a run must read from the table and the user pool, and what it has read so far.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{Item, Key, Model, Object, Value};

use crate::known::{Known, Unread, all};

/// A partition of the table or of an index, or a part of one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Query {
    /// The index's name. `None` queries the table itself, strongly consistently.
    pub index: Option<String>,
    /// Partition attribute.
    pub pk_attribute: String,
    /// Partition value.
    pub pk: String,
    /// Sort attribute.
    pub sk_attribute: String,
    /// Prefix of the sort value; may be empty.
    pub sk_prefix: String,
    /// Whether the prefix is the whole sort value.
    pub sk_is_whole: bool,
    /// The last sort value that counts, if there is one. `sk_prefix` is then the first one.
    pub sk_last: Option<String>,
    /// Whether the rows come from the last sort value to the first.
    pub descending: bool,
    /// So many rows at least, if there are more. `None` reads all, up to a run's limit.
    pub limit: Option<usize>,
}

/// The maximum number of bytes of a partition key. Source: Amazon DynamoDB Developer Guide, "Service,
/// account, and table quotas".
const PARTITION_BYTES_MAX: usize = 2_048;

/// The maximum number of bytes of a sort key. Source: as above.
const SORT_BYTES_MAX: usize = 1_024;

/// The rows of a query that no row can match.
static NO_ROWS: Page = Page { rows: Vec::new(), next: None };

/// The key attributes of the last row of a page: DynamoDB's `LastEvaluatedKey`.
pub type Cursor = BTreeMap<String, Value>;

/// A request for one page of a query.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageAsk {
    /// The query.
    pub query: Query,
    /// The page starts after this row. `None` starts at the first row.
    pub after: Option<Cursor>,
    /// The maximum number of rows in the page.
    pub rows_max: usize,
}

/// The answer to a [`PageAsk`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Page {
    /// The rows.
    pub rows: Vec<Item>,
    /// Where the next page starts. `None` after the last page.
    pub next: Option<Cursor>,
}

/// What a run must read next.
#[derive(Debug, Default, Clone, PartialEq, Eq, Hash)]
pub struct Asks {
    /// Items, by key, strongly consistently.
    pub keys: BTreeSet<Key>,
    /// Queries that are read at once, to their end or their limit.
    pub queries: BTreeSet<Query>,
    /// Single pages of queries.
    pub pages: BTreeSet<PageAsk>,
    /// Cognito users whose groups are needed.
    pub groups_of: BTreeSet<String>,
}

impl Asks {
    /// Whether nothing is requested.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty() && self.queries.is_empty() && self.pages.is_empty() && self.groups_of.is_empty()
    }
}

impl Query {
    /// A whole partition of an index, by its place in the model, or of the table. The sort attribute of an index without
    /// one has no name.
    #[must_use]
    pub fn of_partition(model: &Model, index: Option<usize>, pk: String) -> Self {
        let first = |spellings: &[String]| spellings.first().cloned().unwrap_or_default();
        let (index, pk_attribute, sk_attribute) = match index.map(|index| model.index_at(index)) {
            None => (None, model.table.pk.clone(), model.table.sk.clone()),
            Some(index) => {
                (Some(index.name.clone()), first(&index.pk), index.sk.as_deref().map(first).unwrap_or_default())
            }
        };
        Self {
            index,
            pk_attribute,
            pk,
            sk_attribute,
            sk_prefix: String::new(),
            sk_is_whole: false,
            sk_last: None,
            descending: false,
            limit: None,
        }
    }

    /// DynamoDB's key condition, of the attributes `#pk` and `#sk` and the values `:pk`, `:sk` (`sk_prefix`) and `:last`.
    /// DynamoDB takes no empty value of a key.
    #[must_use]
    pub const fn key_condition(&self) -> &'static str {
        match (self.sk_prefix.is_empty(), &self.sk_last, self.sk_is_whole) {
            (true, Some(_), _) => "#pk = :pk AND #sk <= :last",
            (false, Some(_), _) => "#pk = :pk AND #sk BETWEEN :sk AND :last",
            (true, None, _) => "#pk = :pk",
            (false, None, true) => "#pk = :pk AND #sk = :sk",
            (false, None, false) => "#pk = :pk AND begins_with(#sk, :sk)",
        }
    }

    /// Whether an item is one of its rows. An index without a sort key has every item of the partition, and one with a sort key
    /// only items that have it.
    #[must_use]
    pub fn matches(&self, item: &Item) -> bool {
        let text = |name: &str| item.get(name).and_then(Value::as_s);
        let begins = |sort: &str| match &self.sk_last {
            // DynamoDB compares the bytes of texts, as Rust does.
            Some(last) => self.sk_prefix.as_str() <= sort && sort <= last.as_str(),
            None if self.sk_is_whole => sort == self.sk_prefix,
            None => sort.starts_with(&self.sk_prefix),
        };
        let is_sorted = self.sk_attribute.is_empty() || text(&self.sk_attribute).is_some_and(begins);
        text(&self.pk_attribute) == Some(&self.pk) && is_sorted
    }
}

/// What was read so far.
#[derive(Debug, Default, Clone, Hash)]
pub struct Answers {
    items: BTreeMap<Key, Option<Item>>,
    rows: BTreeMap<Query, Vec<Item>>,
    /// Queries with more rows than were read.
    cut: BTreeSet<Query>,
    pages: BTreeMap<PageAsk, Page>,
    groups_of: BTreeMap<String, BTreeSet<String>>,
}

impl Answers {
    /// Stores the item under a key, or that there is none.
    pub fn item(&mut self, key: Key, item: Option<Item>) {
        self.items.insert(key, item);
    }

    /// Stores the rows of a query.
    pub fn rows(&mut self, query: Query, rows: Vec<Item>) {
        self.rows.insert(query, rows);
    }

    /// Records that a query has more rows than were stored.
    pub fn cut(&mut self, query: Query) {
        self.cut.insert(query);
    }

    /// Stores a page.
    pub fn page(&mut self, ask: PageAsk, page: Page) {
        self.pages.insert(ask, page);
    }

    /// Stores the groups of a Cognito user: none for a user that does not exist.
    pub fn groups_of(&mut self, user: String, groups: BTreeSet<String>) {
        self.groups_of.insert(user, groups);
    }

    /// Adds answers to these.
    pub fn extend(&mut self, more: Self) {
        self.items.extend(more.items);
        self.rows.extend(more.rows);
        self.cut.extend(more.cut);
        self.pages.extend(more.pages);
        self.groups_of.extend(more.groups_of);
    }

    /// Takes the answers to these requests. Items under `shared` keys and the rows of queries stay, because
    /// others wait for them, too. A page belongs to one object, and so to one who asks.
    #[must_use]
    pub(crate) fn take(&mut self, asks: &Asks, shared: &BTreeSet<Key>) -> Self {
        let mut taken = Self::default();
        for key in &asks.keys {
            let found = if shared.contains(key) {
                self.items.get(key).map(|item| (key.clone(), item.clone()))
            } else {
                self.items.remove_entry(key)
            };
            taken.items.extend(found);
        }
        taken.rows.extend(asks.queries.iter().filter_map(|ask| self.rows.get_key_value(ask)).map(owned));
        taken.cut.extend(self.cut.intersection(&asks.queries).cloned());
        taken.pages.extend(asks.pages.iter().filter_map(|ask| self.pages.remove_entry(ask)));
        taken.groups_of.extend(asks.groups_of.iter().filter_map(|ask| self.groups_of.get_key_value(ask)).map(owned));
        taken
    }

    /// Removes the answers that may have changed, and returns the requests to read these items and
    /// queries again. Groups are requested again when they are needed. Pages are kept: deletions
    /// from a page have conditions on its rows.
    #[must_use]
    pub fn ask_again(&mut self) -> Asks {
        self.groups_of.clear();
        self.cut.clear();
        Asks {
            keys: std::mem::take(&mut self.items).into_keys().collect(),
            queries: std::mem::take(&mut self.rows).into_keys().collect(),
            ..Asks::default()
        }
    }

    /// Removes all pages. They are read again if they are still needed.
    pub fn forget_pages(&mut self) {
        self.pages.clear();
    }
}

fn owned<K: Clone, V: Clone>((key, value): (&K, &V)) -> (K, V) {
    (key.clone(), value.clone())
}

/// The answers so far, and what must be read beyond them.
#[derive(Debug)]
pub struct View<'a> {
    /// The model.
    pub model: &'a Model,
    answers: &'a Answers,
    /// What the answers do not contain yet.
    pub asks: Asks,
    /// Whether a key was requested that is longer than DynamoDB allows. DynamoDB would refuse the
    /// whole read.
    asked_too_long: bool,
}

#[expect(
    clippy::missing_errors_doc,
    reason = "each error means that it is not read yet, and that the view now requests it"
)]
impl<'a> View<'a> {
    /// A view on the answers.
    #[must_use]
    pub fn new(model: &'a Model, answers: &'a Answers) -> Self {
        Self { model, answers, asks: Asks::default(), asked_too_long: false }
    }

    /// The item under a key.
    pub fn item(&mut self, key: &Key) -> Known<Option<&'a Item>> {
        if !is_possible(&key.pk, &key.sk) {
            self.asked_too_long = true;
            return Ok(None);
        }
        let found = self.answers.items.get(key);
        if found.is_none() {
            self.asks.keys.insert(key.clone());
        }
        found.map(Option::as_ref).ok_or(Unread)
    }

    /// The rows of a query.
    pub fn rows(&mut self, query: &Query) -> Known<&'a [Item]> {
        if self.is_empty(query) {
            return Ok(&NO_ROWS.rows);
        }
        let rows = self.answers.rows.get(query);
        if rows.is_none() {
            self.asks.queries.insert(query.clone());
        }
        rows.map(Vec::as_slice).ok_or(Unread)
    }

    /// Whether a query has more rows than were read.
    #[must_use]
    pub fn is_cut(&self, query: &Query) -> bool {
        self.answers.cut.contains(query)
    }

    /// A page.
    pub fn page(&mut self, ask: &PageAsk) -> Known<&'a Page> {
        if self.is_empty(&ask.query) {
            return Ok(&NO_ROWS);
        }
        let page = self.answers.pages.get(ask);
        if page.is_none() {
            self.asks.pages.insert(ask.clone());
        }
        page.ok_or(Unread)
    }

    /// Whether no row can match a query, because its key is longer than DynamoDB allows.
    fn is_empty(&mut self, query: &Query) -> bool {
        let too_long = !is_possible(&query.pk, &query.sk_prefix);
        self.asked_too_long |= too_long;
        too_long
    }

    /// Whether a key that is too long was requested since the last call of this function.
    pub fn take_too_long(&mut self) -> bool {
        std::mem::take(&mut self.asked_too_long)
    }

    /// The Cognito groups of a user.
    pub fn groups_of(&mut self, user: &str) -> Known<&'a BTreeSet<String>> {
        let groups = self.answers.groups_of.get(user);
        if groups.is_none() {
            self.asks.groups_of.insert(user.to_owned());
        }
        groups.ok_or(Unread)
    }

    /// An object, under the first spelling of its key that has an item. An object whose key cannot
    /// be rendered does not exist.
    pub fn object(&mut self, object: &Object) -> Known<Option<(Key, &'a Item)>> {
        Ok(self.items(object)?.into_iter().next())
    }

    /// The items of an object, one for each spelling of its key that has one.
    pub fn items(&mut self, object: &Object) -> Known<Vec<(Key, &'a Item)>> {
        self.items_under(&self.model.keys(object).unwrap_or_default())
    }

    /// The items that these keys have.
    pub fn items_under(&mut self, keys: &[Key]) -> Known<Vec<(Key, &'a Item)>> {
        let items: Vec<_> = all(keys, |key| Ok(self.item(key)?.map(|item| (key.clone(), item))))?;
        Ok(items.into_iter().flatten().collect())
    }
}

/// Whether DynamoDB allows a key this long. `sk` may also be a prefix of a sort key.
pub(crate) fn is_possible(pk: &str, sk: &str) -> bool {
    pk.len() <= PARTITION_BYTES_MAX && sk.len() <= SORT_BYTES_MAX
}
