//! A sweep ends, and does each unit once, whatever happens to its messages.

use std::collections::{BTreeMap, VecDeque};

use proptest::prelude::*;

use super::super::Kind;
use super::*;

fn start(mode: Mode, workers: u32) -> Start {
    Start { mode, max_removals: 1, workers, grace_seconds: 0 }
}

fn layout(has_pool: bool, segments: u32, parts: u32) -> Layout {
    Layout { has_pool, segments, parts, ..Layout::default() }
}

fn now() -> Timestamp {
    Timestamp::UNIX_EPOCH
}

/// What a step does in these tests: some units take two steps, and some find something.
fn piece(state: &State, unit: Unit, lane: &Lane) -> Piece {
    let mut piece = Piece::default();
    let nth = lane.unit.unwrap_or_default();
    if nth % 3 == 1 && lane.place.is_none() && state.phase != Phase::Confirm {
        piece.place = Some(Place::Chunk(1));
    }
    match unit {
        Unit::Groups => piece.listed = 2,
        Unit::Users | Unit::Members { .. } | Unit::Segment(_) | Unit::Part(_) => {
            piece.tally.items = 1;
            piece.tally.found = 1;
            piece.found = Some(format!("{:?}-{nth}-{}", state.phase, lane.done));
        }
        Unit::Gather => piece.chunks = 3,
        Unit::Chunk(_) => (piece.tally.repairable, piece.tally.kinds) = (2, BTreeMap::from([(Kind::Due, 2)])),
        Unit::Send => piece.tally.sent = 6,
    }
    piece
}

/// A sweep whose messages are lost to crashes, delivered twice and out of order. `draws` decides.
fn swept(mut state: State, draws: &[u8]) -> (State, BTreeMap<String, u32>) {
    let mut draws = draws.iter().copied().cycle();
    let mut draw = move |below: usize| usize::from(draws.next().unwrap_or_default()) % below.max(1);
    // A step, whether it is delivered again, and when.
    let mut queue: VecDeque<(Step, bool, Timestamp)> = VecDeque::new();
    let message = |state: &State, lane: usize, at: Timestamp| {
        (Step { sweep: state.id.clone(), lane, step: state.lanes[lane].step }, false, at)
    };
    // A message that failed comes again, or as a new one, much later, out of the dead-letter queue.
    let failed = |step: &Step, is_dead: bool, at: Timestamp| {
        (step.clone(), !is_dead, if is_dead { at + SignedDuration::from_hours(1) } else { at })
    };
    let mut clock = now();
    queue.extend(state.active().into_iter().map(|lane| message(&state, lane, clock)));
    let mut counted: BTreeMap<String, u32> = BTreeMap::new();
    for rounds in 0.. {
        assert!(rounds < 10_000, "it does not end: {state:?}");
        if queue.is_empty() {
            return (state, counted);
        }
        let (step, redelivered, at) = queue.remove(draw(queue.len())).unwrap();
        clock = at.max(clock) + SignedDuration::from_millis(1);
        let place = step.lane;
        let (fate, is_dead) = (draw(8), draw(2) == 0);
        if fate == 0 {
            // A duplicate.
            queue.push_back((step.clone(), false, clock));
        }
        let Some(lane) = state.lanes.get(place).cloned() else { continue };
        if state.sends_again(&step, redelivered, clock) {
            let next = state.send_again(place, clock, "by");
            let count = if fate == 2 { draw(next.len() + 1) } else { next.len() };
            queue.extend(next.iter().take(count).map(|lane| message(&state, *lane, clock)));
            if count < next.len() {
                // It dies before it has sent all.
                queue.push_back(failed(&step, is_dead, clock));
            }
            continue;
        }
        let Some(unit) = state.unit(&lane).filter(|_| lane.step == step.step) else { continue };
        let piece = piece(&state, unit, &lane);
        if fate == 1 {
            // The worker dies before its write.
            queue.push_back(failed(&step, is_dead, clock));
            continue;
        }
        *counted.entry(format!("{:?} {:?} {}", state.phase, unit, lane.done)).or_default() += 1;
        let next = state.advance(place, piece, clock, "by");
        let count = if fate == 2 { draw(next.len() + 1) } else { next.len() };
        queue.extend(next.iter().take(count).map(|lane| message(&state, *lane, clock)));
        if count < next.len() || fate == 3 {
            // It dies after its write, before it has sent all: the message is delivered again.
            queue.push_back(failed(&step, is_dead, clock));
        }
    }
    (state, counted)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_096))]

    /// Promise 1: a sweep ends, and counts each step once, whatever happens to its messages.
    #[test]
    fn a_sweep_ends_and_counts_each_step_once(
        draws in proptest::collection::vec(any::<u8>(), 40..200),
        workers in 1_u32..5,
        segments in 1_u32..5,
        parts in 1_u32..4,
        has_pool: bool,
    ) {
        let state = State::new("s".to_owned(), &start(Mode::Repair, workers), layout(has_pool, segments, parts), now(), "by");
        let (state, counted) = swept(state, &draws);
        prop_assert_eq!(state.phase, Phase::Over);
        prop_assert!(counted.values().all(|count| *count == 1), "{:?}", counted);
        let of_pool = if has_pool { 1 + 2 + parts } else { 0 };
        let units = counted.keys().filter(|key| key.ends_with(" 0")).count();
        prop_assert_eq!(units, usize::try_from(segments + of_pool + u32::from(has_pool) + 1 + 3 + 1).unwrap());
        let pieces = counted.keys().filter(|key| key.starts_with("Read") || key.starts_with("Compare")).count();
        prop_assert_eq!((state.tally.items, state.tally.sent), (u64::try_from(pieces).unwrap(), 6));
        prop_assert_eq!(state.found.len(), pieces);
    }
}

/// A message that started a sweep, and comes again, sends the steps of the sweep: so does the next one
/// if nothing has moved for long.
#[test]
fn a_message_to_start_sends_the_lost_steps_of_a_sweep_under_way() {
    let mut state = State::new("s".to_owned(), &start(Mode::Repair, 2), layout(false, 2, 1), now(), "by");
    let after = |seconds: i64| now() + SignedDuration::from_secs(seconds);
    assert!(state.starts_again(true, now()) && !state.starts_again(false, now()));
    assert!(state.starts_again(false, after(31)), "its message may have died before it sent the first steps");
    assert_eq!(state.advance(0, Piece { place: Some(Place::Chunk(1)), ..Piece::default() }, now(), "by"), [0]);
    assert!(!state.starts_again(false, after(31)) && state.starts_again(false, after(1_801)));
}

/// Promise 8: late copies of a message send what follows once, and only what has not moved on.
#[test]
fn late_copies_send_what_follows_once() {
    let mut state = State::new("s".to_owned(), &start(Mode::Repair, 3), layout(true, 3, 1), now(), "by");
    let after = |seconds: i64| now() + SignedDuration::from_secs(seconds);
    let step = Step { sweep: "s".to_owned(), lane: 0, step: 0 };
    assert_eq!(state.advance(0, Piece::default(), after(0), "by"), [1, 2, 0]);
    assert!(!state.sends_again(&step, false, after(30)) && state.sends_again(&step, true, after(1)));
    assert_eq!(state.advance(1, Piece::default(), after(2), "by"), [1]);
    assert!(state.sends_again(&step, false, after(31)));
    assert_eq!(state.send_again(0, after(31), "by"), [2, 0], "lane 1 has moved on");
    assert!(!state.sends_again(&step, false, after(60)) && state.sends_again(&step, false, after(62)));
    assert_eq!(state.send_again(0, after(62), "by"), [2, 0]);
}

#[test]
fn a_sweep_that_would_remove_too_much_sends_nothing() {
    let mut state = State::new("s".to_owned(), &start(Mode::Repair, 1), layout(false, 1, 1), now(), "by");
    let found = Piece { found: Some("f".to_owned()), ..Piece::default() };
    assert_eq!(state.advance(0, found, now(), "by"), [0]);
    assert_eq!(state.advance(0, Piece { chunks: 1, ..Piece::default() }, now(), "by"), [0]);
    let mut confirmed = Piece::default();
    (confirmed.tally.repairable, confirmed.tally.removals) = (2, 2);
    assert_eq!(state.advance(0, confirmed, now(), "by"), [0_usize; 0]);
    assert!(state.is_stopped() && !state.is_under_way());
}

/// A backfill reads the table only.
#[test]
fn a_backfill_has_segments_only() {
    let mut state = State::new("s".to_owned(), &start(Mode::Backfill, 2), layout(true, 3, 1), now(), "by");
    assert_eq!((state.phase, state.active()), (Phase::Read, vec![0, 1]));
    assert_eq!(state.unit(&state.lanes[1]), Some(Unit::Segment(1)));
    assert_eq!(state.advance(0, Piece::default(), now(), "by"), [0]);
    assert_eq!(state.advance(0, Piece::default(), now(), "by"), [0_usize; 0]);
    assert!(state.is_under_way());
    assert_eq!(state.advance(1, Piece::default(), now(), "by"), [0_usize; 0]);
    assert!(!state.is_under_way());
}

/// INVARIANT 8: the state has a bounded size.
#[test]
fn a_sweep_keeps_a_bounded_number_of_finds() {
    let mut state = State::new("s".to_owned(), &start(Mode::Report, 1), layout(false, 1, 1), now(), "by");
    for nth in 0..FOUND_MAX + 2 {
        let mut piece = Piece { place: Some(Place::Chunk(0)), found: Some(nth.to_string()), ..Piece::default() };
        piece.tally.found = 3;
        state.advance(0, piece, now(), "by");
    }
    assert_eq!((state.found.len(), state.tally.more), (FOUND_MAX, 6));
}
