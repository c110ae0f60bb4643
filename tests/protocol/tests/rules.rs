//! Each rule is needed: without it, some world breaks.

use protocol::random::walk;
use protocol::{Rule, Rules};

/// Worlds in which a breach is looked for.
const MOST: u64 = 2_000;

fn breaks(rule: Rule) {
    let rules = Rules::without(rule);
    let broken = (0..MOST).any(|seed| walk(seed, &rules, |_| ()).broken.is_some());
    assert!(broken, "no world breaks without the rule {rule}");
}

#[test]
fn without_fan_out() {
    breaks(Rule::FanOut);
}
