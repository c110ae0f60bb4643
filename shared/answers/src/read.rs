//! Named reads: a state machine without I/O, as [`Asking`](crate::Asking) is.

use instep_flow::answers::{Answers, Asks, Cursor, PageAsk, Query, View};
use instep_flow::known::{Known, Unread};
use instep_flow::queries::identify;
use instep_model::{
    Item, Key, KeyForm, Link, Model, NamedRead, Names, Object, PartitionPart, ReadCondition, ReadFollow, ReadKey,
    ReadRefusal, SortCondition, TypeId,
};
use serde_json::{Map, Value, json};
use thiserror::Error;

use crate::asking::{QuestionCost, calls_of};
use crate::cursor;

/// The rows that one page reads. Rows of other item types count, and are dropped.
pub const PAGE_ROWS: usize = 100;

/// A read that is being done.
#[derive(Debug)]
pub struct PageReading<'m> {
    model: &'m Model,
    read: &'m NamedRead,
    condition: ReadCondition,
    after: Option<Cursor>,
    answers: Answers,
    cost: QuestionCost,
}

/// What comes next.
#[derive(Debug)]
pub enum ReadingStep {
    /// This must be read.
    Read(Asks),
    /// A page.
    Done(ReadPage),
}

/// A page of a read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadPage {
    /// The items, in the order of the rows of the query. There may be none although there are more pages.
    pub items: Vec<ReadItem>,
    /// Where the next page begins. `None` after the last page.
    pub next: Option<String>,
    /// False if the index may lack items.
    pub complete: bool,
}

/// An item of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadItem {
    /// Its type.
    pub of: TypeId,
    /// Its key.
    pub key: Key,
    /// Its attributes, of an index those that the index has. INVARIANT 9: without secret ones.
    pub item: Item,
    /// The edge that led to it, if the read follows edges.
    pub edge: Option<Item>,
}

/// A read that cannot be done.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RefusedRead {
    /// The model has no such read, or no key has these values.
    #[error(transparent)]
    Read(#[from] ReadRefusal),
    /// The page does not begin in what the read reads.
    #[error("this is no cursor of the read with these values")]
    Cursor,
}

impl<'m> PageReading<'m> {
    /// A page of the read of this name: the first, or the one that begins at the `next` of a page with the same values.
    ///
    /// # Errors
    /// The model has no such read, no key has these values, or the cursor is of another read.
    pub fn new(model: &'m Model, name: &str, names: &Names, from: Option<&str>) -> Result<Self, RefusedRead> {
        let read = model.read_named(name)?;
        let condition = model.read_condition(read, names)?;
        let after = from.map(|from| cursor_of(model, &condition, from).ok_or(RefusedRead::Cursor)).transpose()?;
        Ok(Self { model, read, condition, after, answers: Answers::default(), cost: QuestionCost::default() })
    }

    /// What is read: the keys, or the query.
    #[must_use]
    pub const fn condition(&self) -> &ReadCondition {
        &self.condition
    }

    /// The next step.
    #[expect(clippy::should_implement_trait, reason = "it ends with a value, and asks its driver in between")]
    pub fn next(&mut self) -> ReadingStep {
        let mut view = View::new(self.model, &self.answers);
        // An ask that is answered is not asked again, so this ends after the page and what it leads to.
        match self.page(&mut view) {
            Ok(page) => ReadingStep::Done(page),
            Err(Unread) => {
                self.cost.rounds += 1;
                self.cost.calls += calls_of(&view.asks);
                ReadingStep::Read(view.asks)
            }
        }
    }

    /// Takes what was read.
    pub fn read(&mut self, answers: Answers) {
        self.answers.extend(answers);
    }

    /// What it has cost so far.
    #[must_use]
    pub const fn cost(&self) -> QuestionCost {
        self.cost
    }

    fn page(&self, view: &mut View<'_>) -> Known<ReadPage> {
        let (rows, next) = match &self.condition {
            ReadCondition::Keys(keys) => (view.items_under(keys)?.into_iter().map(|(_, item)| item).collect(), None),
            ReadCondition::Part(part) => {
                let query = query(self.model, part);
                let sort = query.sk_attribute.clone();
                let page = view.page(&PageAsk { query, after: self.after.clone(), rows_max: PAGE_ROWS })?;
                let rows: Vec<&Item> =
                    page.rows.iter().filter(|row| is_row(self.model, part, row.get(&sort), row)).collect();
                (rows, page.next.as_ref().map(cursor::encode))
            }
        };
        let items = match &self.read.follow {
            None => rows.into_iter().filter_map(|row| self.item(row, None)).collect(),
            Some(follow) => self.followed(view, follow, &rows)?,
        };
        Ok(ReadPage { items, next, complete: !self.read.partial })
    }

    /// What edges lead to, by strongly consistent reads.
    fn followed(&self, view: &mut View<'_>, follow: &ReadFollow, rows: &[&Item]) -> Known<Vec<ReadItem>> {
        let model = self.model;
        let mut found = Vec::new();
        let mut is_unread = false;
        for edge in rows {
            let Some((_, object)) = identify(model, edge) else { continue };
            let links = follow.links.iter().map(|link| model.link(*link)).filter(|link| link.from == object.of);
            let targets = |link: &Link| {
                let names = model.link_targets(link, &object.names, Some(edge)).into_iter();
                let of = link.to;
                names.map(move |names| Object { of, names }).collect::<Vec<_>>()
            };
            for end in links.flat_map(targets) {
                match view.items(&end) {
                    Ok(items) => found.extend(items.into_iter().filter_map(|(_, item)| self.item(item, Some(edge)))),
                    Err(Unread) => is_unread = true,
                }
            }
        }
        if is_unread { Err(Unread) } else { Ok(found) }
    }

    fn item(&self, item: &Item, edge: Option<&Item>) -> Option<ReadItem> {
        let (key, object) = identify(self.model, item)?;
        let shown = |item: &Item| {
            let mut shown = item.clone();
            shown.retain(|name, _| !self.model.secret.contains(name));
            shown
        };
        Some(ReadItem { of: object.of, key, item: shown(item), edge: edge.map(shown) })
    }
}

/// What a read asks DynamoDB for, for programs that ask themselves: with the values of its names, or with the templates.
#[must_use]
pub fn read_plan(model: &Model, read: &NamedRead, condition: &ReadCondition) -> Value {
    let mut plan = json!({
        "items": read.items.iter().map(|of| &model.item(*of).name).collect::<Vec<_>>(),
        "index": read.index.map(|index| &model.index_at(index).name),
        "consistent": read.index.is_none(),
        "complete": !read.partial,
    });
    let more = match condition {
        ReadCondition::Keys(keys) => {
            let key = |key: &Key| {
                let attribute = |name: &String, text: &String| (name.clone(), json!({ "S": text }));
                let table = &model.table;
                Value::Object([attribute(&table.pk, &key.pk), attribute(&table.sk, &key.sk)].into_iter().collect())
            };
            let operation = if keys.len() == 1 { "GetItem" } else { "BatchGetItem" };
            json!({"operation": operation, "keys": keys.iter().map(key).collect::<Vec<_>>()})
        }
        ReadCondition::Part(part) => {
            let query = query(model, part);
            let condition = query.key_condition();
            let texts = [(":pk", Some(&query.pk)), (":sk", Some(&query.sk_prefix)), (":last", query.sk_last.as_ref())];
            let values = texts.into_iter().filter_map(|(name, text)| Some((name, text?)));
            let values = values.filter(|(name, _)| condition.contains(name));
            let values: Map<String, Value> =
                values.map(|(name, text)| (name.to_owned(), json!({ "S": text }))).collect();
            let names = [("#pk", &query.pk_attribute), ("#sk", &query.sk_attribute)];
            let names = names.into_iter().filter(|(name, _)| condition.contains(name));
            let names: Map<String, Value> = names.map(|(name, text)| (name.to_owned(), json!(text))).collect();
            json!({
                "operation": "Query", "keyCondition": condition, "names": names, "values": values,
                "descending": query.descending,
            })
        }
    };
    let drops = match &read.key {
        ReadKey::Item => Vec::new(),
        ReadKey::Range(range) => range.dropped.iter().map(|of| &model.item(*of).name).collect(),
    };
    let follow = read.follow.as_ref().map(|follow| {
        let to: Vec<Value> = follow.links.iter().map(|link| end(model, model.link(*link))).collect();
        json!({"end": follow.end, "items": to})
    });
    for (name, value) in more.as_object().into_iter().flatten() {
        set(&mut plan, name, value.clone());
    }
    set(&mut plan, "drops", json!(drops));
    set(&mut plan, "follow", json!(follow));
    plan
}

/// The item that an edge leads to: the names of its key, over those of the edge, and the templates of its key.
fn end(model: &Model, link: &Link) -> Value {
    let names: Map<String, Value> =
        link.names.iter().map(|(name, template)| (name.clone(), json!(template.source()))).collect();
    let table = &model.table;
    let key = |form: &KeyForm| json!({table.pk.as_str(): form.pk.source(), table.sk.as_str(): form.sk.source()});
    let keys: Vec<Value> = model.item(link.to).forms.iter().map(key).collect();
    json!({"item": model.item(link.to).name, "names": names, "keys": keys})
}

fn set(plan: &mut Value, name: &str, value: Value) {
    plan.as_object_mut().into_iter().for_each(|plan| drop(plan.insert(name.to_owned(), value.clone())));
}

/// The query for a part of a partition.
fn query(model: &Model, part: &PartitionPart) -> Query {
    let (sk_prefix, sk_is_whole, sk_last) = match part.sort.clone() {
        SortCondition::Any => (String::new(), false, None),
        SortCondition::Is(text) => (text, true, None),
        SortCondition::Begins(text) => (text, false, None),
        SortCondition::Between(from, to) => (from, false, Some(to)),
    };
    let descending = part.descending;
    Query { sk_prefix, sk_is_whole, sk_last, descending, ..Query::of_partition(model, part.index, part.pk.clone()) }
}

/// Whether a row is one of the items that the read returns.
fn is_row(model: &Model, part: &PartitionPart, sort: Option<&instep_model::Value>, row: &Item) -> bool {
    let Some((_, object)) = identify(model, row) else { return false };
    let sort = sort.and_then(instep_model::Value::as_s).unwrap_or_default();
    part.rows.iter().any(|(of, condition)| *of == object.of && condition.allows(sort))
}

/// The cursor that a text is. `None` if it is none of this read: it would begin elsewhere.
fn cursor_of(model: &Model, condition: &ReadCondition, text: &str) -> Option<Cursor> {
    let ReadCondition::Part(part) = condition else { return None };
    let cursor: Cursor = cursor::decode(text)?;
    let query = query(model, part);
    let own = [&model.table.pk, &model.table.sk, &query.pk_attribute, &query.sk_attribute];
    let is_whole = own.iter().all(|name| name.is_empty() || cursor.contains_key(*name));
    (is_whole && cursor.keys().all(|name| own.contains(&name)) && query.matches(&cursor)).then_some(cursor)
}
