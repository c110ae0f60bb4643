//! What groups in tokens cost: the calls of a batch without those to Cognito, and the reads of a sign-in.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test fails by a panic, and prints what it measured")]

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bench::flow::{Cost, Flow};
use bench::mix::{self, Mix};
use bench::standin::StandInServices;
use bench::tokens;
use instep_model::Model;

fn models() -> [Arc<Model>; 2] {
    tokens::models(&Path::new(env!("CARGO_MANIFEST_DIR")).join("model.toml")).unwrap()
}

async fn batch(model: &Arc<Model>) -> Cost {
    let mix = Mix::new(1_000, 1, 0);
    let records: Vec<_> = mix.records.iter().map(|record| serde_json::value::to_raw_value(record).unwrap()).collect();
    let flow = Flow::new(model, StandInServices::new(mix::table(&mix.records)), Duration::ZERO);
    flow.batch(&records).await.unwrap()
}

/// A batch makes no call to Cognito for groups in tokens alone, and reads nothing again because of one.
#[tokio::test(start_paused = true)]
async fn groups_in_tokens_need_no_call_to_cognito() {
    let [in_pool, in_tokens] = models();
    let (in_pool, in_tokens) = (batch(&in_pool).await, batch(&in_tokens).await);
    println!("{:?}\n{:?}", in_pool.calls, in_tokens.calls);
    assert_eq!((in_pool.total(), in_pool.cognito()), (924, 600));
    assert_eq!((in_tokens.total(), in_tokens.cognito()), (310, 0));
}

/// A sign-in takes a query and a read where the keys of grants lead to them, and a query more for each 1,000 grants.
#[tokio::test(start_paused = true)]
async fn a_token_takes_few_reads() {
    let [_, model] = models();
    for (grants, calls, ms) in [(1, 2, 10), (100, 2, 10), (1_000, 3, 15)] {
        let (groups, cost) = tokens::sign_in(&tokens::with_grants(&model, grants)).await.unwrap();
        println!("{grants} grants: {:?}, {} ms", cost.calls, cost.wall.as_millis());
        assert_eq!(groups, grants);
        assert_eq!((cost.total(), cost.wall.as_millis()), (calls, ms), "{grants} grants: {:?}", cost.calls);
    }
}
