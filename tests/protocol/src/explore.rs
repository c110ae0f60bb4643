//! Every state of a small world.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use crate::breach::Breach;
use crate::design::Design;
use crate::show;
use crate::state::State;
use crate::step::Step;
use crate::world::SmallWorld;

/// The result of exploring a world.
#[derive(Debug)]
pub struct Explored {
    /// The number of visited states.
    pub states: usize,
    /// Whether every state was visited.
    pub whole: bool,
    /// A shortest history that leads to a breach.
    pub broken: Option<Broken>,
}

/// A history that leads to a breach.
#[derive(Debug)]
pub struct Broken {
    /// The breach at its end.
    pub breaches: Vec<Breach>,
    /// The steps.
    pub steps: Vec<Step>,
    /// The steps, a line each.
    pub text: String,
}

/// Visits every state of a world, or `most` of them, near ones first.
#[must_use]
pub fn nearest_breach(world: &SmallWorld, most: usize) -> Explored {
    let design = Design::of(world);
    let first = State::first(world, &design);
    let mut from: HashMap<u64, Option<(u64, u16)>> = HashMap::from([(first.print(), None)]);
    let mut level = vec![first];
    while !level.is_empty() {
        let mut next = Vec::new();
        for state in level {
            let breaches = state.breaches(world);
            if !breaches.is_empty() {
                let steps = steps_to(world, &design, &from, state.print());
                let broken = Some(broken(world, breaches, steps));
                return Explored { states: from.len(), whole: false, broken };
            }
            if from.len() > most {
                return Explored { states: from.len(), whole: false, broken: None };
            }
            for (nth, step) in (0..).zip(world.few_steps(&state)) {
                let to = world.next(&state, step);
                if let Entry::Vacant(new) = from.entry(to.print()) {
                    new.insert(Some((state.print(), nth)));
                    next.push(to);
                }
            }
        }
        level = next;
    }
    Explored { states: from.len(), whole: true, broken: None }
}

/// Visits every state of a world, or `most` of them, depth first. It needs little memory, and finds
/// steps that never end.
#[must_use]
pub fn every_state(world: &SmallWorld, most: usize) -> Explored {
    let design = Design::of(world);
    let first = State::first(world, &design);
    let mut seen = HashSet::from([first.print()]);
    let mut path = HashSet::from([first.print()]);
    let mut stack = vec![(first.print(), world.few_steps(&first), first, None)];
    let taken = |stack: &[(u64, Vec<Step>, State<'_>, Option<Step>)]| -> Vec<Step> {
        stack.iter().filter_map(|(_, _, _, step)| *step).collect()
    };
    while let Some((at, steps, state, _)) = stack.last_mut() {
        let Some(step) = steps.pop() else {
            path.remove(at);
            stack.pop();
            continue;
        };
        let to = world.next(state, step);
        let print = to.print();
        let breaches = if path.contains(&print) { vec![Breach::Endless] } else { to.breaches(world) };
        if !breaches.is_empty() {
            let steps = taken(&stack).into_iter().chain([step]).collect();
            return Explored { states: seen.len(), whole: false, broken: Some(broken(world, breaches, steps)) };
        }
        if seen.insert(print) {
            if seen.len() > most {
                return Explored { states: seen.len(), whole: false, broken: None };
            }
            path.insert(print);
            stack.push((print, world.few_steps(&to), to, Some(step)));
        }
    }
    Explored { states: seen.len(), whole: true, broken: None }
}

fn steps_to(world: &SmallWorld, design: &Design, from: &HashMap<u64, Option<(u64, u16)>>, mut at: u64) -> Vec<Step> {
    let mut nths = Vec::new();
    while let Some(Some((before, nth))) = from.get(&at) {
        nths.push(*nth);
        at = *before;
    }
    let (mut state, mut steps) = (State::first(world, design), Vec::new());
    for nth in nths.into_iter().rev() {
        let Some(step) = world.few_steps(&state).into_iter().nth(nth.into()) else { break };
        state = world.next(&state, step);
        steps.push(step);
    }
    steps
}

/// A broken history with its text.
#[must_use]
pub fn broken(world: &SmallWorld, breaches: Vec<Breach>, steps: Vec<Step>) -> Broken {
    let text = show::history(world, &steps);
    Broken { breaches, steps, text }
}
