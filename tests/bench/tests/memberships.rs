//! Who is in which group after a batch whose records change the same memberships again and again.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test fails by a panic, and prints its seed")]

use std::path::Path;
use std::sync::Arc;

use bench::mix::Mix;
use bench::{memberships, wrong};
use instep_model::Model;

/// Promise 1: after a batch, the user pool has the memberships that the table grants, in whatever order the
/// services answer.
#[tokio::test(start_paused = true)]
async fn after_a_hot_batch_the_user_pool_has_what_the_table_grants() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("model.toml");
    let model = Arc::new(Model::load(&model).unwrap());
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    for hot in [0, 60, 100] {
        let mix = Mix::new(300, seed, hot);
        let [before, after] = memberships::before_and_after(&mix.records);
        assert!(before != after && !after.is_empty());
        assert_eq!(wrong::count(&model, &mix, seed).await, Ok((0, 0)), "hot {hot}");
    }
}
