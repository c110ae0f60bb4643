//! A window that closes during a run, and the time that the clock function leaves to the services.

use std::time::Duration;

use instep_aws::RunOptions;
use instep_aws::clock::SETTLED;
use instep_flow::entries::EntryId;
use jiff::SignedDuration;
use serde_json::json;
use tokio::time::Instant;

use crate::gate::take_records;
use crate::own::{self, put};
use crate::world::{now, run};

/// Persons, teams, and seats with a window.
const MODEL: &str = r#"
[items.Person]
pk = "P#{personId}"
sk = "P"
cognito.user = { name = "{personId}", create = "silent" }

[items.Team]
pk = "T#{teamId}"
sk = "T"
cognito.groups = "team|{teamId}"

[items.Seat]
pk = "T#{teamId}"
sk = "SEAT#{personId}"
GSI1 = { pk = "P#{personId}", sk = "SEAT#{teamId}" }
parent = ["Team", "Person"]
grant = { subject = "Person", scope = "Team", from = "opens", until = "closes" }
cognito.member = { user = "Person", group = "Team" }
events = ["opens", "closes"]

[indexes]
GSI1 = { pk = "g1p", sk = "g1s" }
"#;

/// Promise 2: a window closes while the run that grants waits for its turn at Cognito. The moment's item is
/// gone if the grant was deleted and written again meanwhile, so only this run can take back what it gave.
#[tokio::test(start_paused = true)]
async fn a_window_that_closes_during_a_run_grants_nothing() {
    let world = own::world(MODEL).await;
    for (key, of) in [("P#p", "P"), ("P#q", "P"), ("T#t", "T")] {
        put(&world, (key, of), json!({})).await;
    }
    world.drain().await;
    let world = world.pace(Duration::from_secs(10));
    let closes = now().checked_add(SignedDuration::from_secs(5)).unwrap().to_string();
    put(&world, ("T#t", "SEAT#p"), json!({"g1p": "P#p", "g1s": "SEAT#t", "closes": closes})).await;
    put(&world, ("T#t", "SEAT#q"), json!({"g1p": "P#q", "g1s": "SEAT#t"})).await;
    let records = take_records(&world).await;
    let run = RunOptions { deadline: Some(Instant::now() + Duration::from_secs(300)), ..run() };
    let report = world.instep.handle(&records, &run).await;
    assert_eq!(report.retry_from(), None);
    assert!(
        report.effects.iter().any(|effect| effect.operation == "AdminAddUserToGroup" && effect.records == [EntryId(0)])
    );
    assert_eq!(world.members("team|t").await, ["q"]);
}

/// The clock's own time needs no more than a few seconds after a moment.
#[test]
fn a_moment_is_sent_soon() {
    assert!(SETTLED < SignedDuration::from_secs(30));
}
