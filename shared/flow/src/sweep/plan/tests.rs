use std::collections::BTreeMap;

use super::super::About;
use super::super::units::{Spelling, SweepTarget};
use super::*;

fn division(has_pool: bool) -> Division {
    let began = jiff::Timestamp::UNIX_EPOCH;
    let user_pool = has_pool.then(|| "pool".to_owned());
    let of = SweepTarget { model: "model".to_owned(), table: "table".to_owned(), user_pool, former: Vec::new() };
    Division { began, of, segments: 2, parts: 2, spelling: Spelling::default() }
}

fn ask(mode: Mode) -> SweepRequest {
    SweepRequest { mode, max_removals: 1, grace_seconds: 60, ran: None }
}

fn done(tally: SweepTally) -> UnitProgress {
    UnitProgress { done: true, tally, ..UnitProgress::default() }
}

/// Lists each phase as the plan asks for it, and does all its units. Returns the units in their order.
fn all(mode: Mode, division: &Division, chunks: usize, tally: &SweepTally) -> Vec<String> {
    let (mut known, mut ran) = (SweepUnits::default(), Vec::new());
    for _ in 0..50 {
        match known.next(&ask(mode)).unwrap() {
            SweepNext::List(phase) => {
                let units = known.list(phase, division, 3, chunks);
                known.add(phase, units.into_iter().map(|unit| (unit, UnitProgress::default())).collect());
            }
            SweepNext::Run { phase, units, .. } => {
                ran.extend(units.iter().map(ToString::to_string));
                let of = |unit: &SweepUnit| {
                    done(if matches!(unit, SweepUnit::Confirm(0)) { tally.clone() } else { SweepTally::default() })
                };
                known.add(phase, units.iter().map(|unit| (*unit, of(unit))).collect());
            }
            SweepNext::Over => return ran,
        }
    }
    panic!("the plan does not end: {ran:?}");
}

fn repairable(removals: u64) -> SweepTally {
    let kinds = BTreeMap::from([(DifferenceKind::Bookkeeping, 1)]);
    SweepTally { repairable: 2, removals, kinds, ..SweepTally::default() }
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
    assert_eq!(all(Mode::Report, &division(true), 0, &SweepTally::default()), READ);
    assert_eq!(all(Mode::Report, &division(false), 0, &SweepTally::default()), ["segment-0", "segment-1"]);
    assert_eq!(all(Mode::Backfill, &division(true), 0, &SweepTally::default()), ["backfill-0", "backfill-1"]);
    let confirmed = [&READ[..], &["confirm-0", "confirm-1"]].concat();
    assert_eq!(all(Mode::Repair, &division(true), 2, &SweepTally::default()), confirmed, "nothing is left to repair");
}

/// Promise 1: a report sends nothing, and a repair sends nothing that removes too much. Promise 2: lost
/// back-references are written before any repair.
#[test]
fn only_a_repair_within_its_limit_sends() {
    let confirmed = [&READ[..], &["confirm-0", "confirm-1"]].concat();
    let sent = [&confirmed[..], &["references-0", "send-0"]].concat();
    assert_eq!(all(Mode::Repair, &division(true), 2, &repairable(1)), sent);
    assert_eq!(all(Mode::Repair, &division(true), 2, &repairable(2)), confirmed);
    assert_eq!(all(Mode::Change, &division(true), 2, &repairable(1)), sent);
    assert_eq!(all(Mode::Change, &division(true), 2, &repairable(2)), confirmed, "a change has the same limit");
    assert_eq!(all(Mode::Report, &division(true), 2, &repairable(0)), confirmed);
}

/// Promise 1: a driver may say that it ran a phase and have lost a unit of it.
#[test]
fn a_plan_does_not_believe_its_driver() {
    let mut known = SweepUnits::default();
    known.add(SweepPhase::Groups, vec![(SweepUnit::Groups, done(SweepTally::default()))]);
    known.add(
        SweepPhase::Pool,
        vec![(SweepUnit::Users, done(SweepTally::default())), (SweepUnit::Members(0), UnitProgress::default())],
    );
    let again = SweepNext::Run { phase: SweepPhase::Pool, units: vec![SweepUnit::Members(0)], wait: 0 };
    assert_eq!(known.next(&ask(Mode::Report)), Ok(again), "a driver that goes on does what is left");
    let error = known.next(&SweepRequest { ran: Some(SweepPhase::Pool), ..ask(Mode::Report) }).unwrap_err();
    assert_eq!(error.to_string(), "1 units of the phase pool are not done, such as members-0");
}

/// The grace passes once, before the first difference is read again.
#[test]
fn the_grace_passes_once() {
    let mut known = SweepUnits::default();
    let before = [SweepPhase::Groups, SweepPhase::Pool, SweepPhase::Table, SweepPhase::Compare];
    before.into_iter().for_each(|phase| known.add(phase, Vec::new()));
    let (first, second) =
        ((SweepUnit::Confirm(0), UnitProgress::default()), (SweepUnit::Confirm(1), UnitProgress::default()));
    known.add(SweepPhase::Confirm, vec![first, second.clone()]);
    assert!(matches!(known.next(&ask(Mode::Report)), Ok(SweepNext::Run { wait: 60, .. })));
    known.add(SweepPhase::Confirm, vec![(SweepUnit::Confirm(0), done(SweepTally::default())), second]);
    assert!(matches!(known.next(&ask(Mode::Report)), Ok(SweepNext::Run { wait: 0, .. })));
}

/// INVARIANT 8: a part with more names than estimated is compared in shares that fit.
#[test]
fn shares_come_from_what_was_counted() {
    let mut known = SweepUnits::default();
    let read = |names| UnitProgress { done: true, names, ..UnitProgress::default() };
    known.add(
        SweepPhase::Pool,
        vec![(SweepUnit::Users, read(vec![SHARE_NAMES, 1])), (SweepUnit::Members(0), read(vec![1, 1]))],
    );
    let units = known.list(SweepPhase::Compare, &division(true), 0, 0);
    let names: Vec<String> = units.iter().map(ToString::to_string).collect();
    assert_eq!(names, ["compare-0-0-2", "compare-0-1-2", "compare-1-0-1"]);
}

fn candidate(kind: DifferenceKind, name: usize, reported: bool) -> Candidate {
    Candidate { kind, about: About::User(name.to_string()), keys: BTreeSet::new(), reported }
}

/// Promise 1: the users of another application leave room for what is missing, and children without a
/// parent are no drift, however many. A difference that two units have found is one.
#[test]
fn what_is_only_reported_leaves_room_for_what_is_repaired() {
    let mut gathered = Gathered::default();
    (0..20_000).for_each(|name| gathered.add(candidate(DifferenceKind::Orphan, name, true)));
    (0..20_000).for_each(|name| gathered.add(candidate(DifferenceKind::ExtraUser, name, true)));
    (0..2).for_each(|_| gathered.add(candidate(DifferenceKind::MissingUser, 0, false)));
    let (chunks, tally) = gathered.chunks();
    assert_eq!((tally.found, tally.more, tally.more_of_writers), (40_001, 38_000, 19_000));
    let kept: Vec<DifferenceKind> = chunks.iter().flatten().map(|candidate| candidate.kind).collect();
    assert_eq!((kept.len(), kept.first()), (2_001, Some(&DifferenceKind::MissingUser)));
    assert!(tally.has_more_drift() && chunks.iter().all(|chunk| chunk.len() <= CHUNK_MAX));
}
