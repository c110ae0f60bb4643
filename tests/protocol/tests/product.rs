//! The product without [`Rule::NOT_IN_PRODUCT`]. `tests/rules.rs` shows what each of these rules is
//! needed for.

use protocol::random::{walk, walk_in, world};
use protocol::{Breach, Rules, World};

const SEEDS: std::ops::Range<u64> = 0..5_000;

/// Worlds without last revocations hold as the product is.
#[test]
fn worlds_without_last_revocations_hold() {
    for seed in SEEDS {
        let world = World { last_revocation: false, ..world(seed, &Rules::of_product()) };
        let walk = walk_in(seed, world);
        assert_eq!(walk.broken.map(|broken| broken.text), None, "seed {seed}: {:?}", walk.world);
    }
}

/// Worlds with last revocations break only by what the missing rules are for.
#[test]
fn worlds_with_last_revocations_break_only_as_known() {
    for seed in SEEDS {
        let Some(broken) = walk(seed, &Rules::of_product()).broken else { continue };
        let known =
            |breach: &Breach| matches!(breach, Breach::NoSubject(_) | Breach::DeletedGrant(_) | Breach::Endless);
        assert!(broken.breaches.iter().all(known), "seed {seed}: {:?}\n{}", broken.breaches, broken.text);
    }
}
