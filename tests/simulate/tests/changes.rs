//! What `instep check NEW --against OLD` says of random models and their mutations.

use instep_model::{ChangeVerdict, Model, SettingClass};
use simulate::chance::Chance;
use simulate::{designs, strange};

/// So many pairs are compared.
const PAIRS: u64 = 400;

/// Each difference of a mutated model is in a class, and a difference of the texts of two models is never none.
#[test]
fn each_difference_of_a_mutated_model_has_a_class() {
    let (mut compared, mut different) = (0, 0);
    for seed in 0..PAIRS {
        let chance = Chance::new(seed);
        let text = designs::unchanged(&chance);
        let old = Model::parse("old.toml", &text).unwrap();
        assert_eq!(old.changes_since(&old), Vec::new(), "seed {seed}\n{text}");
        let mutated = strange::changed(&chance, &text);
        let Ok(new) = Model::parse("new.toml", &mutated) else { continue };
        compared += 1;
        for (from, to) in [(&old, &new), (&new, &old)] {
            let changes = to.changes_since(from);
            let unknown = changes.iter().find(|change| change.class == SettingClass::Unknown);
            assert_eq!(unknown, None, "seed {seed}\n{text}\n=====\n{mutated}");
            different += u64::from(ChangeVerdict::of(&changes) != ChangeVerdict::Deploy);
        }
    }
    assert!(compared > PAIRS / 5 && different > compared / 5, "{compared} models, {different} that differ");
}
