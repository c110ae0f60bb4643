//! What groups in tokens cost: the calls of a batch without those to Cognito, and the reads of a sign-in.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test fails by a panic, and prints what it measured")]

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bench::flow::{Cost, Flow};
use bench::mix::{self, Mix};
use bench::standin::StandInServices;
use instep_flow::reconcile::SigningInAccount;
use instep_model::Model;
use serde_json::json;

/// How long an answer takes.
const ANSWER: Duration = Duration::from_millis(5);

/// The model of the benchmark, and the same with its groups in tokens alone.
fn models() -> [Arc<Model>; 2] {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("model.toml")).unwrap();
    let in_tokens = text.replace("made = \"by-hand\"", "in = \"token\"");
    [text, in_tokens].map(|text| Arc::new(Model::parse("model.toml", &text).unwrap()))
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
    assert_eq!((in_pool.total(), in_pool.cognito()), (939, 600));
    assert_eq!((in_tokens.total(), in_tokens.cognito()), (325, 0));
}

/// A sign-in takes a query and a read where the keys of grants lead to them, and a query more for each 1,000 grants.
#[tokio::test(start_paused = true)]
async fn a_token_takes_few_reads() {
    let [_, model] = models();
    let text = |text: String| json!({"S": text});
    for (grants, calls, ms) in [(1, 2, 10), (100, 2, 10), (1_000, 3, 15)] {
        let grant = |nth: usize| {
            json!({"PK": text("U:ann".to_owned()), "SK": text(format!("G:g{nth:04}")), "email": text("ann".to_owned()),
                "groupId": text(format!("g{nth:04}")), "role": text("reader".to_owned())})
        };
        let user =
            json!({"PK": text("U:ann".to_owned()), "SK": text("U:ann".to_owned()), "email": text("ann".to_owned())});
        let items = (0..grants).map(grant).chain([user]).collect();
        let flow = Flow::new(&model, StandInServices::new(items), ANSWER);
        let account = SigningInAccount {
            username: "ann".to_owned(),
            sub: "s".to_owned(),
            addresses: Vec::new(),
            ignores_case: false,
        };
        let (groups, cost) = flow.token(account).await.unwrap();
        println!("{grants} grants: {:?}, {} ms", cost.calls, cost.wall.as_millis());
        assert_eq!(groups, grants);
        assert_eq!((cost.total(), cost.wall.as_millis()), (calls, ms), "{grants} grants: {:?}", cost.calls);
    }
}
