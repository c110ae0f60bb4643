//! Histories as text.

use std::fmt::Write as _;

use crate::effect::{Ask, Effect, Write};
use crate::message::{Message, Named, Work};
use crate::run::{Run, Source};
use crate::state::State;
use crate::step::Step;
use crate::table::Record;
use crate::world::{Object, World};

/// The steps of a history, a line each. A run is named by its records and messages.
pub(crate) fn history(world: &World, steps: &[Step]) -> String {
    let mut state = State::first(world);
    let mut text = String::new();
    for step in steps {
        let _ = writeln!(text, "{}", line(&state, step));
        state = world.next(&state, step);
    }
    text
}

fn line(state: &State, step: &Step) -> String {
    let run = |at: &usize| state.runs.get(*at).map(|run| holder(state, run)).unwrap_or_default();
    let message = |at: &usize| state.queue.get(*at).map(work).unwrap_or_default();
    match step {
        Step::Write(object, None) => format!("writer: delete {object:?}"),
        Step::Write(object, Some(value)) => format!("writer: put {object:?} = {value}"),
        Step::CatchUp(object) => format!("index: shows a write of {object:?}"),
        Step::Deliver(shard, count) => format!("deliver records [{}]", records(state, *shard, *count)),
        Step::Receive(first, count) => {
            let all: Vec<_> = (*first..first + count).map(|at| message(&at)).collect();
            format!("deliver messages [{}]", all.join(", "))
        }
        Step::Replay(replayed) => format!("replay {}", record(replayed)),
        Step::Duplicate(at) => format!("SQS: will deliver {} twice", message(at)),
        Step::Abandon(at) => format!("SQS: delivers {} once more", message(at)),
        Step::Early(at) => format!("SQS: the delay of {} ends before the index catches up", message(at)),
        Step::Read(at, ask) => format!("{}: read {}", run(at), read(state, *ask)),
        Step::Apply(at, of) => format!("{}: {}", run(at), effect(of)),
        Step::Lost(at, of) => format!("{}: {}, answer lost", run(at), effect(of)),
        Step::NotFound(at, of) => format!("{}: {}, answered \"not found\"", run(at), effect(of)),
        Step::Late(at, of) => format!("{}: {} times out, and the run dies", run(at), effect(of)),
        Step::Land(at) => format!("Cognito: {} takes effect", state.late.get(*at).map(effect).unwrap_or_default()),
        Step::Fail(at) => format!("{}: a call fails", run(at)),
        Step::Crash(at) => format!("{}: dies", run(at)),
        Step::Publish(at) => format!("{}: publishes, and ends", run(at)),
        Step::Unpublished(at, done) => format!("{}: publishing fails after {done}", run(at)),
    }
}

fn holder(state: &State, run: &Run) -> String {
    match &run.source {
        Source::Shard(shard, count) => format!("run over [{}]", records(state, *shard, *count)),
        Source::Queue(messages) => format!("run over [{}]", messages.iter().map(work).collect::<Vec<_>>().join(", ")),
        Source::Once => "run that is not retried".to_owned(),
    }
}

fn records(state: &State, shard: u8, count: usize) -> String {
    let records = state.shards.get(&shard).into_iter().flatten().take(count);
    records.map(record).collect::<Vec<_>>().join(", ")
}

fn record(record: &Record) -> String {
    let value = |item: Option<crate::table::Item>| item.map_or("none".to_owned(), |item| item.value.to_string());
    format!("{:?} {} to {}", record.object, value(record.old), value(record.new))
}

fn work(message: &Message) -> String {
    let again = if message.redelivered { " again" } else { "" };
    let text = match &message.work {
        Work::Reconcile(all) => named(all),
        Work::Dependents(dependents) => {
            let after = dependents.place.map(|(_, after)| format!(" after {after:?}")).unwrap_or_default();
            format!("dependents of {:?}{after}{}", dependents.of, if dependents.late { ", late" } else { "" })
        }
        Work::Record(replayed) => format!("replay of {}", record(replayed)),
    };
    format!("{text}{again}")
}

fn named(all: &[Named]) -> String {
    let one = |named: &Named| {
        let image = named.image.map(|image| format!(" = {image}")).unwrap_or_default();
        format!("{:?}{image}{}", named.object, if named.late { ", late" } else { "" })
    };
    all.iter().map(one).collect::<Vec<_>>().join(" + ")
}

fn read(state: &State, ask: Ask) -> String {
    let exists = |object: Object| match state.table.items.get(&object) {
        Some(item) => item.value.to_string(),
        None => "none".to_owned(),
    };
    match ask {
        Ask::Item(object) => format!("{object:?}: {}", exists(object)),
        Ask::Tombstone(object) => {
            let found = state.table.tombstones.get(&object);
            let kept = found.is_some_and(|tombstone| tombstone.kept.is_some());
            let text = if kept { "with its item" } else { "without an item" };
            format!("the tombstone of {object:?}: {}", if found.is_some() { text } else { "none" })
        }
        Ask::Page(of, link, _) => format!("dependents of {of:?}, {link:?}"),
        Ask::Grants(of) => format!("all grants of {of:?}"),
        Ask::Groups(user) => format!("the Cognito groups of User({user})"),
    }
}

fn effect(effect: &Effect) -> String {
    match effect {
        Effect::WriteReference { to, from } => format!("write the back-reference {from:?} to {to:?}"),
        Effect::HandOn(all) => format!("send {}", named(all)),
        Effect::Continue(dependents) => {
            format!("send dependents of {:?}{}", dependents.of, if dependents.late { ", late" } else { "" })
        }
        Effect::Write(write) => written(write),
        Effect::RemoveMember(member) => {
            format!("remove User({}) from {}", member.user, cognito_group(member.group, member.role))
        }
        Effect::AddMember(member, _) => {
            format!("add User({}) to {}", member.user, cognito_group(member.group, member.role))
        }
        Effect::DeleteGroup(group, role) => format!("delete {}", cognito_group(*group, *role)),
        Effect::EnsureGroup(group, role) => format!("ensure {}", cognito_group(*group, *role)),
        Effect::DeleteUser(user) => format!("delete User({user}) in Cognito"),
        Effect::EnsureUser(user, value) => format!("ensure User({user}) = {value} in Cognito"),
    }
}

fn cognito_group(group: u8, role: u8) -> String {
    format!("Group({group})|{role}")
}

fn written(write: &Write) -> String {
    match write {
        Write::DeleteReference { to, from, .. } => format!("delete the back-reference {from:?} to {to:?}"),
        Write::Tombstone { of, .. } => format!("write the tombstone of {of:?}"),
        Write::DeleteChildren { parent, rows, .. } => {
            let rows: Vec<_> = rows.iter().map(|(row, _)| format!("{row:?}")).collect();
            format!("delete {} below {parent:?}", rows.join(" and "))
        }
        Write::DeleteSubject { user, .. } => format!("delete the subject {user:?}"),
        Write::Restore { user, .. } => format!("restore the subject {user:?}"),
        Write::Forget { user, .. } => format!("delete the tombstone of {user:?}"),
    }
}
