//! What the page shows, page by page.

use instep_console::explanation::as_json;
use instep_console::model_source::ModelSource;
use instep_flow::{bookkeeping, mask, queries};
use instep_local::UserState;
use instep_model::{Identity, Item, Key, Object};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Port, on_one_thread};
use crate::index::{KeyIndex, Of};
use crate::request::label;
use crate::search::Needle;
use crate::shared_state::PassedEvent;
use crate::trace_node::{CascadeLevel, TraceNode, TraceState, worst};
use crate::traces::Counts;

/// The rows of a page, if the page does not say how many.
const PAGE: usize = 50;

/// The most rows of a page.
const PAGE_MAX: usize = 200;

/// The siblings that a trace shows before it says how many more there are.
const SIBLINGS: usize = 4;

/// The first calls of a delivery that are sent to the page, and as many of the last: it reads a trace again whenever
/// something happens in it.
const CALLS_SHOWN: usize = 20;

/// The nodes that a trace shows at most.
const SHOWN_MAX: usize = 150;

/// Which part of a list.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ListPart {
    /// An item type, `Instep's own` or `unknown`.
    pub(super) r#type: String,
    /// A text that it contains.
    pub(super) q: String,
    /// The last of the page before.
    pub(super) after: Option<String>,
    pub(super) before: Option<u64>,
    pub(super) offset: usize,
    pub(super) limit: Option<usize>,
    pub(super) name: String,
    /// The state that traces are in.
    pub(super) state: String,
}

impl ListPart {
    fn limit(&self) -> usize {
        self.limit.unwrap_or(PAGE).clamp(1, PAGE_MAX)
    }

    fn needle(&self) -> Needle {
        Needle::new(&self.q)
    }

    /// This part of all that have a name, in the order of their names, and how many there are.
    fn named<T>(&self, mut all: Vec<T>, name: impl Fn(&T) -> &String, row: impl Fn(&T) -> Value) -> Value {
        let needle = self.needle();
        all.retain(|one| needle.is_in(name(one)));
        let after = |one: &&T| self.after.as_ref().is_none_or(|after| name(one) > after);
        let rows: Vec<_> = all.iter().filter(after).take(self.limit()).collect();
        let next = rows.last().filter(|_| rows.len() == self.limit()).map(|one| name(one));
        json!({"rows": rows.iter().map(|one| row(one)).collect::<Vec<_>>(), "total": all.len(), "next": next})
    }
}

/// An answer, or why there is none.
pub(super) type QueryResult = Result<Value, String>;

/// What runs, and how it is.
pub(super) fn state(port: &Port) -> Value {
    let hub = &port.hub;
    let states = hub.traces().states();
    json!({
        "run": port.run, "modelErrors": hub.model_errors(), "states": states, "waiting": hub.origins().waiting().len(), "retryInMs": hub.retry_in_ms(), "model": port.model().name, "table": hub.table, "port": port.number, "userPool": port.user_pool, "bus": port.bus,
        "now": hub.clock.now().to_string(), "paused": hub.is_paused(), "idle": hub.is_idle(), "loading": hub.loading(),
        "failing": hub.failures.failing(), "faults": hub.failures.rate(), "remarks": hub.remarks(0),
    })
}

impl Port {
    /// The number of items of the table.
    pub(super) async fn count_items(&self) -> Result<usize, String> {
        Ok(self.current_index().await?.total())
    }

    /// The keys of the table, as writes have left them.
    async fn current_index(&self) -> Result<tokio::sync::MutexGuard<'_, KeyIndex>, String> {
        let mut index = self.index.lock().await;
        let updated = index.update(&self.reader, self.hub.take_touched(&self.run)).await;
        updated.map_err(|error| error.to_string())?;
        Ok(index)
    }

    /// The item types with the number of their items, and of those with a text.
    pub(super) async fn types(&self, part: &ListPart) -> QueryResult {
        let index = self.current_index().await?;
        let needle = part.needle();
        let count =
            |name: &str, of: Of| json!({"type": name, "items": index.count(of), "found": index.found(of, &needle)});
        let model = self.model();
        let of_model = model.types().filter(|(_, item)| item.user_value.is_none());
        let counts: Vec<Value> = of_model
            .map(|(of, item)| count(&item.name, Of::Type(of)))
            .chain([count("unknown", Of::Unknown), count("Instep's own", Of::Own)])
            .collect();
        Ok(json!({"types": counts, "of": index.total(), "isPartial": index.is_partial()}))
    }

    /// A page of items of a type.
    pub(super) async fn items(&self, part: &ListPart) -> QueryResult {
        let model = self.model();
        let of = match part.r#type.as_str() {
            "unknown" => Of::Unknown,
            "Instep's own" => Of::Own,
            name => Of::Type(model.type_named(name).ok_or_else(|| format!("there is no item type `{name}`"))?),
        };
        let (keys, total) = {
            let index = self.current_index().await?;
            index.page(of, &part.needle(), part.offset, part.limit())
        };
        let items = self.read(&keys).await?;
        let rows: Vec<Value> = items.iter().map(|(key, item)| self.row(key, item)).collect();
        let next = Some(part.offset + keys.len()).filter(|next| *next < total);
        Ok(json!({"rows": rows, "total": total, "next": next}))
    }

    async fn read(&self, keys: &[Key]) -> Result<Vec<(Key, Item)>, String> {
        let mut items = Vec::new();
        for keys in keys.chunks(100) {
            items.extend(self.reader.items(keys).await.map_err(|error| error.to_string())?);
        }
        Ok(items)
    }

    fn row(&self, key: &Key, item: &Item) -> Value {
        let model = self.model();
        // INVARIANT 9: what the model calls secret is not shown.
        let shown = mask::item(model, item.clone());
        let Some(key) = model.table.key_of(item) else { return json!({"label": label(model, key), "item": shown}) };
        let of = match model.identify(&key) {
            Identity::Item { object, .. } => Some(model.item(object.of).name.clone()),
            Identity::Bookkeeping | Identity::Unknown(_) => None,
        };
        let parts = mask::key(model, &key).map(|_| [key.pk.clone(), key.sk.clone()]);
        let is_whole = shown == *item;
        json!({"label": label(model, &key), "key": parts, "type": of, "item": shown, "isWhole": is_whole})
    }

    /// An item, what it implies, and why.
    pub(super) async fn item(&self, key: &Key) -> QueryResult {
        let model = self.model();
        let items = self.read(std::slice::from_ref(key)).await?;
        let row = items.first().map(|(key, item)| self.row(key, item));
        let (of, object) = match model.identify(key) {
            Identity::Item { object, .. } => (Some(object.of), Some(object)),
            Identity::Bookkeeping | Identity::Unknown(_) => (None, None),
        };
        let implies = of.map(|of| instep_model::follows(model, of)).unwrap_or_default();
        let explained = match &object {
            Some(object) => Some(self.explained(object).await?),
            None => None,
        };
        Ok(json!({"label": label(model, key), "row": row, "type": of.map(|of| model.item(of).name.clone()),
            "implies": implies, "explained": explained}))
    }

    async fn explained(&self, object: &Object) -> QueryResult {
        let now = self.hub.clock.now();
        let run = instep_aws::RunOptions {
            now,
            publish: false,
            dry_run: true,
            deadline: None,
            adopt_before: None,
            trace: None,
        };
        let (instep, object) = (self.instep.clone(), object.clone());
        let explained = on_one_thread(async move || instep.explain(&object, &run).await).await?;
        explained.map(|explained| as_json(&explained))
    }

    /// A user of Cognito: its groups, and why it is in them.
    pub(super) async fn user(&self, name: &str) -> QueryResult {
        let (groups, users) = self.front.pool();
        let user = users.into_iter().find(|user| user.username == name);
        let is_member = |group: &&instep_local::GroupState| group.members.iter().any(|member| member == name);
        let groups: Vec<String> = groups.iter().filter(is_member).map(|group| group.name.clone()).collect();
        let mut explained = Vec::new();
        for object in queries::objects_with_user(self.instep.model(), name) {
            explained.push(self.explained(&object).await?);
        }
        let user = user.map(|user| json!({"enabled": user.enabled, "attributes": user.attributes}));
        Ok(json!({"name": name, "user": user, "groups": groups, "explained": explained}))
    }

    /// A page of groups.
    pub(super) fn groups(&self, part: &ListPart) -> Value {
        part.named(
            self.front.pool().0,
            |group| &group.name,
            |group| {
                let first: Vec<_> = group.members.iter().take(SIBLINGS).collect();
                json!({
                    "name": group.name,
                    "members": group.members.len(),
                    "first": first,
                    "precedence": group.precedence,
                    "iamRole": group.iam_role,
                })
            },
        )
    }

    /// A page of the members of a group.
    pub(super) fn members(&self, part: &ListPart) -> QueryResult {
        let groups = self.front.pool().0;
        let group = groups.into_iter().find(|group| group.name == part.name);
        let group = group.ok_or_else(|| format!("there is no group `{}`", part.name))?;
        let after = |name: &&String| part.after.as_ref().is_none_or(|after| *name > after);
        let rows: Vec<_> = group.members.iter().filter(after).take(part.limit()).collect();
        let next = rows.last().filter(|_| rows.len() == part.limit());
        Ok(json!({
            "name": group.name,
            "rows": rows,
            "total": group.members.len(),
            "next": next,
            "precedence": group.precedence,
            "iamRole": group.iam_role,
        }))
    }

    /// A page of users.
    pub(super) fn users(&self, part: &ListPart) -> Value {
        let row = |user: &UserState| json!({"name": user.username, "enabled": user.enabled});
        part.named(self.front.pool().1, |user| &user.username, row)
    }

    /// The guards with their owners, and who waits for them.
    pub(super) async fn guards(&self, part: &ListPart) -> QueryResult {
        let model = self.model();
        let (mut keys, mut total, mut claims) = (Vec::new(), 0, Vec::new());
        {
            let index = self.current_index().await?;
            for (of, _) in model.types().filter(|(_, item)| item.guard.is_some()) {
                let (of_type, count) = index.page(Of::Type(of), &part.needle(), 0, part.limit());
                keys.extend(of_type);
                total += count;
            }
            claims.extend(index.page(Of::Own, &Needle::new("INSTEP#CLAIM#"), 0, PAGE_MAX).0);
        }
        let claims = self.read(&claims).await?;
        let waiting = |guard: &Object| {
            let of =
                claims.iter().filter(|(_, claim)| bookkeeping::claimed_guard(model, claim).as_ref() == Some(guard));
            let of = of.filter_map(|(_, claim)| Some((bookkeeping::object(model, claim)?, bookkeeping::since(claim))));
            let of = of.map(|(owner, since)| json!({"owner": queries::label_of(model, &owner), "since": since}));
            of.collect::<Vec<_>>()
        };
        let mut rows = Vec::new();
        for (key, item) in self.read(&keys).await? {
            let Identity::Item { object, .. } = model.identify(&key) else { continue };
            let shown = !model.item(object.of).secret;
            rows.push(
                json!({"label": queries::label_of(model, &object), "key": shown.then(|| [key.pk.clone(), key.sk.clone()]),
                "owner": self.owner(&object, &item), "waiting": waiting(&object)}),
            );
        }
        Ok(json!({"rows": rows, "total": total}))
    }

    fn owner(&self, guard: &Object, item: &Item) -> Option<String> {
        let model = self.model();
        let of = model.item(guard.of).guard.as_ref()?;
        let name =
            |(name, attribute): &(String, String)| Some((name.clone(), item.get(attribute)?.to_text()?.into_owned()));
        let names = of.owner_attributes.iter().map(name).collect::<Option<_>>()?;
        Some(queries::label_of(model, &Object { of: of.owner, names }))
    }

    /// A page of events, the newest first.
    pub(super) fn events(&self, part: &ListPart) -> Value {
        let events = self.hub.events();
        let needle = part.needle();
        let has = |event: &&PassedEvent| needle.is_in(&event.detail_type) || needle.is_in(&event.detail.to_string());
        let found: Vec<&PassedEvent> = events.iter().rev().filter(has).collect();
        let older = found.iter().filter(|event| part.before.is_none_or(|before| event.id < before));
        let rows: Vec<_> = older.take(part.limit()).collect();
        json!({"rows": rows, "total": found.len(), "of": events.len()})
    }

    /// An event, by its own id.
    pub(super) fn event(&self, id: &str) -> QueryResult {
        let events = self.hub.events();
        let is_it = |event: &&PassedEvent| event.detail.pointer("/metadata/id").and_then(Value::as_str) == Some(id);
        let event = events.iter().rev().find(is_it).ok_or_else(|| {
            "there is no such event here: the page shows those that this process has published".to_owned()
        })?;
        let forward = self.forwarding.as_ref().map(|forwarding| &forwarding.url);
        Ok(json!({"event": event, "source": self.model().source, "bus": self.bus, "forward": forward}))
    }

    /// A page of traces, the newest first.
    pub(super) fn traces(&self, part: &ListPart) -> Value {
        let traces = self.hub.traces();
        let waiting = traces.roots_of(&self.hub.origins().waiting());
        let needle = part.needle();
        let state_of = |root: u64, counts: &Counts| counts.state(waiting.contains(&root));
        let is_asked = |(root, counts): &(&TraceNode, &Counts)| {
            (part.state.is_empty() || json!(state_of(root.id, counts)) == part.state)
                && (needle.is_empty() || needle.is_in_trace(&traces, root.id))
        };
        let found: Vec<_> = traces.roots(None).filter(is_asked).collect();
        let older = found.iter().filter(|(root, _)| part.before.is_none_or(|before| root.id < before));
        let rows = older
            .take(part.limit())
            .map(|(root, counts)| json!({"root": root, "counts": counts, "state": state_of(root.id, counts)}));
        json!({"rows": rows.collect::<Vec<_>>(), "total": found.len(), "of": traces.roots(None).count()})
    }

    /// A trace: what follows from a write, in the order in which it happened. Of many like siblings, the first.
    pub(super) fn trace(&self, id: u64) -> QueryResult {
        let waiting = self.hub.origins().waiting();
        let traces = self.hub.traces();
        let gone = || "this trace is not remembered any more".to_owned();
        let root = traces.node(id).map(|node| node.root).ok_or_else(gone)?;
        let (mut shown, mut more) = (Vec::new(), Vec::new());
        let mut deliveries = std::collections::BTreeMap::new();
        let mut todo: Vec<(u64, usize)> = vec![(root, 0)];
        while let Some((id, depth)) = todo.pop() {
            let Some(node) = traces.node(id) else { continue };
            if shown.len() >= SHOWN_MAX {
                break;
            }
            let (calls, more_calls, together) = traces.calls(node);
            let waits = waiting.contains(&node.delivery);
            shown.push(json!({"node": node, "depth": depth, "waits": waits, "line": self.line_of(node)}));
            // The records of one delivery have their calls in common.
            deliveries.entry(node.delivery).or_insert_with(|| {
                let last = calls.len().saturating_sub(CALLS_SHOWN).max(CALLS_SHOWN);
                let shown: Vec<_> = calls.iter().take(CALLS_SHOWN).chain(calls.iter().skip(last)).collect();
                let more = more_calls + u64::try_from(calls.len() - shown.len()).unwrap_or_default();
                json!({"calls": shown, "moreCalls": more, "together": together})
            });
            let mut alike: std::collections::BTreeMap<(String, String), (usize, [usize; 3])> =
                std::collections::BTreeMap::new();
            let mut next = Vec::new();
            for child in traces.children(id) {
                let (count, sums) = alike.entry(kind(child)).or_default();
                *count += 1;
                if *count <= SIBLINGS {
                    next.push((child.id, depth + 1));
                } else {
                    sums[0] += child.effects.len();
                    sums[1] += child.events.len();
                    sums[2] += usize::from(child.state != TraceState::Done);
                }
            }
            todo.extend(next.into_iter().rev());
            let hidden = alike.into_iter().filter(|(_, (count, _))| *count > SIBLINGS);
            more.extend(hidden.map(|((what, verb), (count, [effects, events, open]))| {
                json!({"parent": id, "depth": depth + 1, "what": what, "verb": verb, "count": count - SIBLINGS,
                    "effects": effects, "events": events, "open": open})
            }));
        }
        let counts = traces.counts(root);
        // The guard of a deleted child is released, which its own record says.
        let model = self.model();
        let is_guard = |item: &str| model.type_named(item).is_some_and(|of| model.item(of).guard.is_some());
        let levels = counts.iter().flat_map(|counts| &counts.levels).filter(|((_, item), _)| !is_guard(item));
        let levels: Vec<Value> = levels.map(level).collect();
        let state = counts.map(|counts| counts.state(traces.roots_of(&waiting).contains(&root)));
        Ok(
            json!({"root": root, "counts": counts, "state": state, "retryInMs": self.hub.retry_in_ms(), "failing": self.hub.failures.failing(), "levels": levels, "nodes": shown, "more": more,
            "deliveries": deliveries}),
        )
    }

    /// The line of the model's file with the item type of a parked record.
    fn line_of(&self, node: &TraceNode) -> Option<String> {
        let item = node.parked.as_ref().and(node.item.as_ref())?;
        let ModelSource::File(path) = &self.source else { return None };
        let text = std::fs::read_to_string(path).ok()?;
        let head = format!("[items.{item}");
        let is_head = |line: &str| line.strip_prefix(&head).is_some_and(|rest| rest.starts_with([']', '.']));
        let line = text.lines().position(is_head)?;
        Some(format!("{}:{}", path.display(), line + 1))
    }

    /// The children of a node, from a place on.
    pub(super) fn children(&self, id: u64, part: &ListPart) -> Value {
        let traces = self.hub.traces();
        let alike = traces.children(id).filter(|child| part.name.is_empty() || kind(child).0 == part.name);
        let rows: Vec<&TraceNode> = alike.skip(part.offset).take(part.limit()).collect();
        json!({ "rows": rows })
    }
}

/// A level of a cascade.
fn level(((deep, item), level): (&(u32, String), &CascadeLevel)) -> Value {
    let handled = level.states.iter().filter(|(state, _)| **state != TraceState::Waits).map(|(_, count)| count);
    let records: u64 = level.states.values().sum();
    json!({"level": deep, "item": item, "through": level.through, "deleted": handled.sum::<u64>(),
        "of": level.deleted.max(records), "events": level.events, "state": worst(&level.states)})
}

/// What siblings have in common.
fn kind(node: &TraceNode) -> (String, String) {
    let what = node.item.clone().unwrap_or_else(|| {
        if node.kind == "message" {
            "work message".to_owned()
        } else {
            node.label.split(' ').next().unwrap_or_default().to_owned()
        }
    });
    (what, node.verb.clone().unwrap_or_default())
}
