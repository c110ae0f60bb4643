//! Histories as text.

use std::fmt::Write as _;

use instep_flow::answers::Query;
use instep_flow::effect::{Action, DeleteSubject, Effect};
use instep_flow::work::{Dependents, Extent, NamedObject, Which, Work};
use instep_model::{Key, Names, Value};

use crate::design::{Design, group_of, user_of};
use crate::item::{SmallItem, SmallRecord};
use crate::message::Message;
use crate::run::{Ask, Run, Source};
use crate::state::State;
use crate::step::Step;
use crate::world::SmallWorld;

/// The steps of a history, a line each. A run is named by its records and messages.
pub(crate) fn history(world: &SmallWorld, steps: &[Step]) -> String {
    let design = Design::of(world);
    let mut state = State::first(world, &design);
    let mut text = String::new();
    for step in steps {
        let _ = writeln!(text, "{}", line(world, &state, *step));
        state = world.next(&state, *step);
    }
    text
}

fn line(world: &SmallWorld, state: &State<'_>, step: Step) -> String {
    let run = |at: usize| state.runs.get(at).map(|run| holder(state, run)).unwrap_or_default();
    let message = |at: usize| state.queue.get(at).map(|message| work(state.design, message)).unwrap_or_default();
    let of = |at: usize, nth: usize| {
        let effect = state.runs.get(at).and_then(|run| run.effect(nth));
        effect.map(|of| effect_text(state.design, of)).unwrap_or_default()
    };
    match step {
        Step::Write(object, None) => format!("writer: delete {object:?}"),
        Step::Write(object, Some(value)) => format!("writer: put {object:?} = {value}"),
        Step::SignUp(user) => format!("user {user}: signs up"),
        Step::Leave(user) => format!("people: delete the account of user {user}"),
        Step::CatchUp(object) => format!("index: shows a write of {object:?}"),
        Step::Deliver(shard, count) => format!("deliver records [{}]", records(state, shard, count)),
        Step::Receive(first, count) => {
            let all: Vec<_> = (first..first + count).map(message).collect();
            format!("deliver messages [{}]", all.join(", "))
        }
        Step::Replay(replayed) => format!("replay {}", record(&replayed)),
        Step::Duplicate(at) => format!("SQS: will deliver {} twice", message(at)),
        Step::Abandon(at) => format!("SQS: delivers {} once more", message(at)),
        Step::Early(at) => format!("SQS: the delay of {} ends before the index catches up", message(at)),
        Step::Refer(at) => format!("{}: write a back-reference", run(at)),
        Step::Read(at, nth) => {
            let ask = state.runs.get(at).and_then(|run| run.asks.iter().nth(nth));
            format!("{}: read {}", run(at), ask.map(|ask| read(world, state, ask)).unwrap_or_default())
        }
        Step::Apply(at, nth) => format!("{}: {}", run(at), of(at, nth)),
        Step::Lost(at, nth) => format!("{}: {}, answer lost", run(at), of(at, nth)),
        Step::NotFound(at, nth) => format!("{}: {}, answered \"not found\"", run(at), of(at, nth)),
        Step::Late(at, nth) => format!("{}: {} times out, and the run dies", run(at), of(at, nth)),
        Step::Land(at) => {
            let late = state.late.get(at).map(|effect| effect_text(state.design, effect));
            format!("Cognito: {} takes effect", late.unwrap_or_default())
        }
        Step::Fail(at) => format!("{}: a call fails", run(at)),
        Step::Crash(at) => format!("{}: dies", run(at)),
        Step::Publish(at) => format!("{}: publishes, and ends", run(at)),
        Step::Unpublished(at, done) => format!("{}: publishing fails after {done}", run(at)),
    }
}

fn holder(state: &State<'_>, run: &Run<'_>) -> String {
    match &run.source {
        Source::Shard(shard, count) => format!("run over [{}]", records(state, *shard, *count)),
        Source::Queue(messages) => {
            let all: Vec<_> = messages.iter().map(|message| work(state.design, message)).collect();
            format!("run over [{}]", all.join(", "))
        }
        Source::Once => "run that is not retried".to_owned(),
    }
}

fn records(state: &State<'_>, shard: u8, count: usize) -> String {
    let records = state.shards.get(&shard).into_iter().flatten().take(count);
    records.map(record).collect::<Vec<_>>().join(", ")
}

fn record(record: &SmallRecord) -> String {
    let value = |item: Option<SmallItem>| item.map_or("none".to_owned(), |item| item.value.to_string());
    format!("{:?} {} to {}", record.object, value(record.old), value(record.new))
}

fn work(design: &Design, message: &Message) -> String {
    let again = if message.redelivered { " again" } else { "" };
    let text = match message.work(design) {
        Some(Work::Reconcile(objects)) => named(&objects),
        Some(Work::Dependents(of)) => dependents(&of),
        Some(work @ (Work::Extra(_) | Work::Kept(_))) => work.summary(),
        Some(Work::Records(records)) => {
            let changes = records.records.iter().filter_map(|raw| design.change(raw));
            let text = changes.map(|change| {
                let role = |item: &Option<_>| item.as_ref().map_or("none".to_owned(), image);
                format!("{} {} to {}", label(design, &change.key), role(&change.old), role(&change.new))
            });
            format!("replay of {}", text.collect::<Vec<_>>().join(", "))
        }
        None => message.body.clone(),
    };
    format!("{text}{again}")
}

/// What distinguishes an image from others of its object.
fn image(item: &instep_model::Item) -> String {
    let text = ["role", "value"].iter().find_map(|name| item.get(*name)).and_then(Value::as_s);
    text.map_or("exists", |text| text.trim_start_matches('r')).to_owned()
}

fn named(all: &[NamedObject]) -> String {
    let one = |named: &NamedObject| {
        let image = named.image.as_ref().map(|item| format!(" = {}", image(item))).unwrap_or_default();
        format!("{}{image}{}", object(&named.of, &named.names), if named.late { ", late" } else { "" })
    };
    all.iter().map(one).collect::<Vec<_>>().join(" + ")
}

fn object(of: &str, names: &Names) -> String {
    format!("{of} {}", names.values().cloned().collect::<Vec<_>>().join(" "))
}

fn dependents(of: &Dependents) -> String {
    let after = if matches!(of.which, Which::From(_)) { ", next page" } else { "" };
    format!(
        "dependents of {}{after}{}",
        object(&of.of, &of.names),
        if of.extent == Extent::Late { ", late" } else { "" }
    )
}

/// An item, for people.
fn label(design: &Design, key: &Key) -> String {
    design.object(key).map_or_else(|| format!("{} {}", key.pk, key.sk), |object| format!("{object:?}"))
}

fn read(world: &SmallWorld, state: &State<'_>, ask: &Ask) -> String {
    let rows = |query: &Query| {
        let index = query.index.as_ref().map(|index| format!(" of index {index}")).unwrap_or_default();
        format!("{} {}*{index}", query.pk, query.sk_prefix)
    };
    match ask {
        Ask::Item(key) => {
            let found = state.table.get(world, state.design, key);
            let kept =
                found.as_ref().and_then(instep_flow::bookkeeping::deleted_item).map_or("", |_| ", with its item");
            format!("{}: {}{kept}", label(state.design, key), found.as_ref().map_or("none".to_owned(), image))
        }
        Ask::Rows(query) => format!("all of {}", rows(query)),
        Ask::Page(page) => format!("a page of {}", rows(&page.query)),
        Ask::Groups(user) => format!("the Cognito groups of {user}"),
    }
}

fn effect_text(design: &Design, effect: &Effect) -> String {
    let group = |name: &str| group_of(name).map_or(name.to_owned(), |(group, role)| format!("Group({group})|{role}"));
    let user = |name: &str| user_of(name).map_or(name.to_owned(), |user| format!("User({user})"));
    match effect {
        Effect::SendObjects(all) => format!("send {}", named(all)),
        Effect::SendDependents(of) => format!("send {}", dependents(of)),
        Effect::Write(write) | Effect::DeleteSubject(DeleteSubject { write, .. }) => actions(design, &write.actions),
        Effect::MarkDeleted(marked) => actions(design, &[marked.action()]),
        Effect::DeletePage(page) => {
            let all: Vec<_> = page.units.iter().map(|unit| actions(design, &unit.actions)).collect();
            format!("{} below {}", all.join(" and "), page.target)
        }
        Effect::RemoveMember(of) => format!("remove {} from {}", user(&of.user), group(&of.group)),
        Effect::AddMember(add) => format!("add {} to {}", user(&add.membership.user), group(&add.membership.group)),
        Effect::DeleteGroup { group: name, .. } => format!("delete {}", group(name)),
        Effect::EnsureGroup { group: name, .. } => format!("ensure {}", group(name)),
        Effect::SignOut { user: name, .. } => format!("sign {} out", user(name)),
        Effect::DisableUser { user: name, .. } => format!("disable {} in Cognito", user(name)),
        Effect::DeleteUser { user: name, .. } => format!("delete {} in Cognito", user(name)),
        Effect::EnsureUser(ensure) => format!("ensure {} in Cognito", user(&ensure.user)),
    }
}

fn actions(design: &Design, actions: &[Action]) -> String {
    let one = |action: &Action| match action {
        Action::Put { key, .. } => format!("put {}", label(design, key)),
        Action::Delete { key, .. } => format!("delete {}", label(design, key)),
        Action::Set { key, .. } => format!("set attributes of {}", label(design, key)),
    };
    actions.iter().map(one).collect::<Vec<_>>().join(" and ")
}
