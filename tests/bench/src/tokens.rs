//! Groups in tokens: what a sign-in takes, and how long an import takes beside one whose groups are in the pool.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use instep_flow::reconcile::SigningInAccount;
use instep_model::Model;
use serde_json::{json, value};
use tokio::time::Instant;

use crate::flow::{Cost, Flow, Quota};
use crate::standin::StandInServices;
use crate::{mistakes, mix};

/// How long an answer takes.
pub const ANSWER: Duration = Duration::from_millis(5);

/// The grants of the users who sign in.
const GRANTS: [usize; 3] = [1, 100, 1_000];

/// How often each signs in.
const TIMES: usize = 200;

/// The grants of an import, and of each of its batches.
const IMPORTED: usize = 100_000;
const BATCH: usize = 1_000;

/// Changes of memberships a second. Source: Amazon Cognito Developer Guide, "Quotas in Amazon Cognito".
const QUOTA: u32 = 25;

/// The sign-ins of a user.
#[derive(Debug)]
pub struct SignIns {
    /// The user's grants.
    pub grants: usize,
    /// The calls of one sign-in.
    pub calls: u64,
    /// CPU time of one: the median.
    pub cpu: Duration,
    /// The median by the clock.
    pub p50: Duration,
    /// What 99 of 100 do not exceed.
    pub p99: Duration,
}

/// An import.
#[derive(Debug)]
pub struct Import {
    /// Its grants.
    pub grants: usize,
    /// How long it takes with groups in the pool, by a virtual clock.
    pub in_pool: Duration,
    /// How long with groups in tokens alone.
    pub in_tokens: Duration,
}

/// The model of a file, and the same with its groups in tokens alone.
///
/// # Errors
/// The file has no model.
pub fn models(path: &Path) -> Result<[Arc<Model>; 2], String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let in_tokens = text.replace("made = \"by-hand\"", "in = \"token\"");
    let model = |text| Model::parse("model.toml", text).map(Arc::new).map_err(|errors| mistakes(&errors));
    Ok([model(&text)?, model(&in_tokens)?])
}

/// A user with so many grants, and services that answer after [`ANSWER`].
#[must_use]
pub fn with_grants(model: &Arc<Model>, grants: usize) -> Flow {
    let text = |text: String| json!({"S": text});
    let grant = |nth: usize| {
        json!({"PK": text("U:ann".to_owned()), "SK": text(format!("G:g{nth:04}")), "email": text("ann".to_owned()),
            "groupId": text(format!("g{nth:04}")), "role": text("reader".to_owned())})
    };
    let user = json!({"PK": text("U:ann".to_owned()), "SK": text("U:ann".to_owned()), "email": text("ann".to_owned())});
    Flow::new(model, StandInServices::new((0..grants).map(grant).chain([user]).collect()), ANSWER)
}

/// One sign-in of the user of [`with_grants`]: its groups, and what it cost.
///
/// # Errors
/// The table does not answer.
pub async fn sign_in(flow: &Flow) -> Result<(usize, Cost), String> {
    let (username, sub) = ("ann".to_owned(), "s".to_owned());
    flow.token(SigningInAccount { username, sub, addresses: Vec::new(), ignores_case: false }).await
}

/// Measures sign-ins. The clock is a real one.
///
/// # Errors
/// The table does not answer.
pub async fn sign_ins(model: &Arc<Model>) -> Result<Vec<SignIns>, String> {
    let mut all = Vec::new();
    for grants in GRANTS {
        let flow = with_grants(model, grants);
        // The first builds what all others use.
        sign_in(&flow).await?;
        let (mut cpu, mut wall, mut calls) = (Vec::new(), Vec::new(), 0);
        for _ in 0..TIMES {
            let (_, cost) = sign_in(&flow).await?;
            calls = cost.total();
            cpu.push(cost.cpu);
            wall.push(cost.wall);
        }
        cpu.sort();
        wall.sort();
        let of = |all: &[Duration], percent: usize| all.get(all.len() * percent / 100).copied().unwrap_or_default();
        all.push(SignIns { grants, calls, cpu: of(&cpu, 50), p50: of(&wall, 50), p99: of(&wall, 99) });
    }
    Ok(all)
}

/// How long an import takes. The clock of the runtime has to be paused: the time is that of the answers and of Cognito's quota.
///
/// # Errors
/// A record was not handled.
pub async fn import([in_pool, in_tokens]: &[Arc<Model>; 2]) -> Result<Import, String> {
    Ok(Import { grants: IMPORTED, in_pool: imported(in_pool).await?, in_tokens: imported(in_tokens).await? })
}

async fn imported(model: &Arc<Model>) -> Result<Duration, String> {
    let flow = Flow::at_rate(model, StandInServices::default(), ANSWER, QUOTA);
    flow.enforce(Quota::new(QUOTA));
    let began = Instant::now();
    for from in (0..IMPORTED).step_by(BATCH) {
        let records: Vec<_> = (from..from + BATCH).map(mix::grant).collect();
        let raw: Vec<_> = records.iter().filter_map(|record| value::to_raw_value(record).ok()).collect();
        flow.reset(StandInServices::new(mix::table(&records)));
        flow.batch(&raw).await?;
    }
    Ok(began.elapsed())
}
