//! Random worlds, and random walks through them. A seed gives one world and one walk.

use std::hash::{DefaultHasher, Hash, Hasher};

use fastrand::Rng;

use crate::breach::Breach;
use crate::design::Design;
use crate::explore::{Broken, broken};
use crate::rules::Rules;
use crate::state::State;
use crate::step::Step;
use crate::world::{Budget, Find, SmallObject, SmallWorld};

/// A walk that takes more steps than this does not end.
const STEPS_MAX: usize = 20_000;

/// A walk through a random world.
#[derive(Debug)]
pub struct Walk {
    /// The world.
    pub world: SmallWorld,
    /// The number of its steps.
    pub steps: usize,
    /// The breach that it ended with.
    pub broken: Option<Broken>,
}

/// How a walk chooses between steps, as weights.
struct Pace {
    seed: u64,
    /// How far slow and fast runs are apart, in powers of two.
    spread: u64,
    /// How rare faults are, in powers of two.
    faults: u32,
    /// How rare writes are, in powers of two.
    writes: u32,
    /// How slow indexes are, in powers of two.
    lag: u32,
    /// After so many steps writers pause for as many steps.
    burst: usize,
}

/// A random world with a protocol.
#[must_use]
pub fn world(seed: u64, rules: &Rules) -> SmallWorld {
    make_world(&mut Rng::with_seed(seed), rules)
}

/// Walks through the random world of a seed.
#[must_use]
pub fn walk(seed: u64, rules: &Rules) -> Walk {
    let mut rng = Rng::with_seed(seed);
    let world = make_world(&mut rng, rules);
    walk_with(seed, rng, world)
}

/// Walks through a world, as a seed leads.
#[must_use]
pub fn walk_in(seed: u64, world: SmallWorld) -> Walk {
    walk_with(seed, Rng::with_seed(seed), world)
}

/// Walks until nothing is left to do, or something is wrong.
fn walk_with(seed: u64, mut rng: Rng, world: SmallWorld) -> Walk {
    let pace = Pace {
        seed,
        spread: rng.u64(1..15),
        faults: rng.u32(..8),
        writes: rng.u32(..10),
        lag: rng.u32(..15),
        burst: rng.usize(2..42),
    };
    let design = Design::of(&world);
    let (mut state, mut taken) = (State::first(&world, &design), Vec::new());
    loop {
        let steps = world.steps(&state);
        let mut breaches = state.breaches(&world);
        if taken.len() > STEPS_MAX {
            breaches.push(Breach::Endless);
        }
        let weights: Vec<u64> = steps.iter().map(|step| pace.weight(&state, step, taken.len()).max(1)).collect();
        let mut at = rng.u64(..weights.iter().sum::<u64>().max(1));
        let chosen = steps.into_iter().zip(weights).find(|(_, weight)| {
            let hit = at < *weight;
            at = at.saturating_sub(*weight);
            hit
        });
        let (true, Some((step, _))) = (breaches.is_empty(), chosen) else {
            let steps = taken.len();
            let broken = (!breaches.is_empty()).then(|| broken(&world, breaches, taken));
            return Walk { world, steps, broken };
        };
        state = world.next(&state, step);
        taken.push(step);
    }
}

impl Pace {
    /// Each run and each row of an index has a pace of its own: a slow run acts on what it read
    /// long ago.
    fn of(&self, what: impl Hash) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.seed, what).hash(&mut hasher);
        1 << (15 - hasher.finish() % self.spread)
    }

    fn weight(&self, state: &State<'_>, step: &Step, taken: usize) -> u64 {
        let run = |at: &usize| state.runs.get(*at).map_or(1, |run| self.of(&run.source));
        match step {
            Step::Write(..) | Step::Replay(_) if taken / self.burst % 2 == 1 => 1,
            Step::Write(..) | Step::Replay(_) | Step::SignUp(_) | Step::Leave(_) => 4096 >> self.writes,
            Step::Crash(at) => run(at) << 2 >> self.faults,
            Step::Fail(at)
            | Step::Unpublished(at, _)
            | Step::Lost(at, _)
            | Step::Late(at, _)
            | Step::NotFound(at, _) => run(at) >> self.faults,
            Step::Duplicate(_) | Step::Abandon(_) | Step::Early(_) | Step::Land(_) => 256,
            Step::Refer(at) | Step::Read(at, _) | Step::Apply(at, _) | Step::Publish(at) => run(at),
            Step::CatchUp(object) => self.of((object, state.table.unseen.get(object))) >> self.lag,
            Step::Deliver(..) | Step::Receive(..) => 4096,
        }
    }
}

fn make_world(rng: &mut Rng, rules: &Rules) -> SmallWorld {
    let mut world = SmallWorld::new(rng.u8(1..=3), rng.u8(1..=2), rng.u8(1..=2));
    while world.grants.len() > 1 && chance(rng, 30) {
        world.grants.swap_remove(rng.usize(..world.grants.len()));
    }
    world.grants.sort_unstable();
    world.find_children = if chance(rng, 50) { Find::Partition } else { Find::Index };
    world.attributes = rng.u8(1..=2);
    world.keeps_users = chance(rng, 15);
    world.role_moves = chance(rng, 25);
    find_grants(rng, &mut world);
    world.grants_belong = chance(rng, 20);
    world.last_revocation = chance(rng, 30);
    if chance(rng, 40) {
        add_children(rng, &mut world);
    }
    world.batch = rng.usize(1..=4);
    world.messages = rng.usize(1..=3);
    world.page = rng.usize(1..=3);
    world.any_order = true;
    let objects = world.objects();
    let shards = u8::try_from(objects.len()).unwrap_or(1).max(1);
    let shards = rng.u8(1..=shards);
    world.shards = objects.iter().map(|object| (*object, rng.u8(..shards))).collect();
    if chance(rng, 60) {
        world.fixed = objects.iter().copied().filter(|_| chance(rng, 50)).collect();
    }
    let start = objects.iter().copied().filter(|_| chance(rng, 60));
    world.start = start.chain(world.fixed.iter().copied()).collect();
    close_start(&mut world);
    if chance(rng, 10) {
        forget(rng, &mut world);
    }
    world.budget = budget(rng);
    world.rules = rules.clone();
    world
}

/// A grant is in the partition of its user, of its group, or of neither. It is never in that of a
/// group that follows from its role.
fn find_grants(rng: &mut Rng, world: &mut SmallWorld) {
    let other = |rng: &mut Rng| if chance(rng, 67) { Find::Index } else { Find::Reference };
    (world.find_by_user, world.find_by_group) = match rng.u8(..10) {
        0..4 if !world.role_moves => (other(rng), Find::Partition),
        0..8 => (Find::Partition, other(rng)),
        _ => (other(rng), other(rng)),
    };
}

fn add_children(rng: &mut Rng, world: &mut SmallWorld) {
    for child in 0..rng.u8(1..=3) {
        let parents = [
            SmallObject::User(rng.u8(..world.users)),
            SmallObject::Group(rng.u8(..world.groups)),
            SmallObject::Child(child.saturating_sub(1)),
        ];
        let most = if child == 0 { 2 } else { 3 };
        world.children.extend(parents.get(rng.usize(..most)));
    }
}

/// At the start, everything that an item belongs to exists: its parent was never deleted.
fn close_start(world: &mut SmallWorld) {
    let children: Vec<(SmallObject, SmallObject)> =
        (0..).map(SmallObject::Child).zip(world.children.iter().copied()).collect();
    for (child, parent) in children {
        if !world.start.contains(&parent) {
            world.start.remove(&child);
            world.fixed.remove(&child);
        }
    }
}

/// Instep has never handled a record of some items: the table is older than its deployment. A grant
/// among them is of a group among them, whose creation in Cognito leads to it.
fn forget(rng: &mut Rng, world: &mut SmallWorld) {
    world.children.clear();
    (world.last_revocation, world.grants_belong, world.role_moves) = (false, false, false);
    for find in [&mut world.find_by_user, &mut world.find_by_group] {
        // No run has written their back-references.
        if *find == Find::Reference {
            *find = Find::Index;
        }
    }
    world.never_handled = (0..world.groups).map(SmallObject::Group).filter(|_| chance(rng, 50)).collect();
    for (user, group) in world.grants.clone() {
        if world.never_handled.contains(&SmallObject::Group(group)) && chance(rng, 70) {
            world.never_handled.insert(SmallObject::Grant(user, group));
        }
    }
    world.start.retain(|object| !world.never_handled.contains(object));
}

fn budget(rng: &mut Rng) -> Budget {
    let mut few = |most: u8| rng.u8(..=most);
    Budget {
        writes: 1 + few(7),
        crashes: few(3),
        failures: few(1),
        unpublished: few(1),
        lost: few(1),
        replays: few(2),
        duplicates: few(2),
        ..Budget::default()
    }
}

fn chance(rng: &mut Rng, percent: u8) -> bool {
    rng.u8(..100) < percent
}
