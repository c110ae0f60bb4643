use std::collections::BTreeMap;

use super::super::About;
use super::super::units::{Spelling, Swept};
use super::*;

fn division(has_pool: bool) -> Division {
    let began = jiff::Timestamp::UNIX_EPOCH;
    let user_pool = has_pool.then(|| "pool".to_owned());
    let of = Swept { model: "model".to_owned(), table: "table".to_owned(), user_pool };
    Division { began, of, segments: 2, parts: 2, spelling: Spelling::default() }
}

fn ask(mode: Mode) -> Ask {
    Ask { mode, max_removals: 1, grace_seconds: 60, ran: None }
}

fn done(tally: Tally) -> Progress {
    Progress { done: true, tally, ..Progress::default() }
}

/// Lists each phase as the plan asks for it, and does all its units. Returns the units in their order.
fn all(mode: Mode, division: &Division, chunks: usize, tally: &Tally) -> Vec<String> {
    let (mut known, mut ran) = (Known::default(), Vec::new());
    for _ in 0..50 {
        match known.next(&ask(mode)).unwrap() {
            Next::List(phase) => {
                let units = known.list(phase, division, 3, chunks);
                known.add(phase, units.into_iter().map(|unit| (unit, Progress::default())).collect());
            }
            Next::Run { phase, units, .. } => {
                ran.extend(units.iter().map(ToString::to_string));
                let of =
                    |unit: &Unit| done(if matches!(unit, Unit::Confirm(0)) { tally.clone() } else { Tally::default() });
                known.add(phase, units.iter().map(|unit| (*unit, of(unit))).collect());
            }
            Next::Over => return ran,
        }
    }
    panic!("the plan does not end: {ran:?}");
}

fn repairable(removals: u64) -> Tally {
    let kinds = BTreeMap::from([(Kind::Bookkeeping, 1)]);
    Tally { repairable: 2, removals, kinds, ..Tally::default() }
}

const READ: [&str; 9] = [
    "groups-0",
    "users-0",
    "members-0",
    "members-1",
    "members-2",
    "segment-0",
    "segment-1",
    "compare-0-0-1",
    "compare-1-0-1",
];

/// Phases follow each other, and one without units is skipped.
#[test]
fn a_phase_follows_the_other() {
    assert_eq!(all(Mode::Report, &division(true), 0, &Tally::default()), READ);
    assert_eq!(all(Mode::Report, &division(false), 0, &Tally::default()), ["segment-0", "segment-1"]);
    assert_eq!(all(Mode::Backfill, &division(true), 0, &Tally::default()), ["backfill-0", "backfill-1"]);
    let confirmed = [&READ[..], &["confirm-0", "confirm-1"]].concat();
    assert_eq!(all(Mode::Repair, &division(true), 2, &Tally::default()), confirmed, "nothing is left to repair");
}

/// Promise 1: a report sends nothing, and a repair sends nothing that removes too much. Promise 2: lost
/// back-references are written before any repair.
#[test]
fn only_a_repair_within_its_limit_sends() {
    let confirmed = [&READ[..], &["confirm-0", "confirm-1"]].concat();
    let sent = [&confirmed[..], &["references-0", "send-0"]].concat();
    assert_eq!(all(Mode::Repair, &division(true), 2, &repairable(1)), sent);
    assert_eq!(all(Mode::Repair, &division(true), 2, &repairable(2)), confirmed);
    assert_eq!(all(Mode::Report, &division(true), 2, &repairable(0)), confirmed);
}

/// Promise 1: a driver may say that it ran a phase and have lost a unit of it.
#[test]
fn a_plan_does_not_believe_its_driver() {
    let mut known = Known::default();
    known.add(Phase::Groups, vec![(Unit::Groups, done(Tally::default()))]);
    known.add(Phase::Pool, vec![(Unit::Users, done(Tally::default())), (Unit::Members(0), Progress::default())]);
    let again = Next::Run { phase: Phase::Pool, units: vec![Unit::Members(0)], wait: 0 };
    assert_eq!(known.next(&ask(Mode::Report)), Ok(again), "a driver that goes on does what is left");
    let error = known.next(&Ask { ran: Some(Phase::Pool), ..ask(Mode::Report) }).unwrap_err();
    assert_eq!(error.to_string(), "1 units of the phase pool are not done, such as members-0");
}

/// The grace passes once, before the first difference is read again.
#[test]
fn the_grace_passes_once() {
    let mut known = Known::default();
    let before = [Phase::Groups, Phase::Pool, Phase::Table, Phase::Compare];
    before.into_iter().for_each(|phase| known.add(phase, Vec::new()));
    let (first, second) = ((Unit::Confirm(0), Progress::default()), (Unit::Confirm(1), Progress::default()));
    known.add(Phase::Confirm, vec![first, second.clone()]);
    assert!(matches!(known.next(&ask(Mode::Report)), Ok(Next::Run { wait: 60, .. })));
    known.add(Phase::Confirm, vec![(Unit::Confirm(0), done(Tally::default())), second]);
    assert!(matches!(known.next(&ask(Mode::Report)), Ok(Next::Run { wait: 0, .. })));
}

/// INVARIANT 8: a part with more names than estimated is compared in shares that fit.
#[test]
fn shares_come_from_what_was_counted() {
    let mut known = Known::default();
    let read = |names| Progress { done: true, names, ..Progress::default() };
    known.add(Phase::Pool, vec![(Unit::Users, read(vec![SHARE_NAMES, 1])), (Unit::Members(0), read(vec![1, 1]))]);
    let units = known.list(Phase::Compare, &division(true), 0, 0);
    let names: Vec<String> = units.iter().map(ToString::to_string).collect();
    assert_eq!(names, ["compare-0-0-2", "compare-0-1-2", "compare-1-0-1"]);
}

fn candidate(kind: Kind, name: usize, reported: bool) -> Candidate {
    Candidate { kind, about: About::User(name.to_string()), keys: BTreeSet::new(), reported }
}

/// Promise 1: the users of another application leave room for what is missing, and children without a
/// parent are no drift, however many. A difference that two units have found is one.
#[test]
fn what_is_only_reported_leaves_room_for_what_is_repaired() {
    let mut gathered = Gathered::default();
    (0..20_000).for_each(|name| gathered.add(candidate(Kind::Orphan, name, true)));
    (0..20_000).for_each(|name| gathered.add(candidate(Kind::ExtraUser, name, true)));
    (0..2).for_each(|_| gathered.add(candidate(Kind::MissingUser, 0, false)));
    let (chunks, tally) = gathered.chunks();
    assert_eq!((tally.found, tally.more, tally.more_of_writers), (40_001, 38_000, 19_000));
    let kept: Vec<Kind> = chunks.iter().flatten().map(|candidate| candidate.kind).collect();
    assert_eq!((kept.len(), kept.first()), (2_001, Some(&Kind::MissingUser)));
    assert!(tally.has_more_drift() && chunks.iter().all(|chunk| chunk.len() <= CHUNK_MAX));
}
