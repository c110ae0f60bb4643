//! The runtime of a process.

use std::sync::Arc;
use std::time::Duration;

use aws_smithy_runtime_api::client::http::SharedHttpClient;
use aws_smithy_types::checksum_config::{RequestChecksumCalculation, ResponseChecksumValidation};
use instep_aws::{Clients, Instep, Parking, Settings};
use instep_local::{BUS, USER_POOL, sdk_config};
use instep_model::Model;

use crate::net::{Net, ProcessClient};
use crate::{BUCKET, QUEUE, TABLE, WORK, watch};

/// The interval of calls to Cognito in every fourth world: what waits for its turn may outlast an invocation.
const PACE: Duration = Duration::from_millis(800);

/// In some worlds, so many users are deleted in an hour. All others wait for a person.
pub(crate) const FEW_DELETIONS: u32 = 2;

/// The clients of a process. Checksums of objects are left out: no world damages an object.
fn clients(process: ProcessClient) -> Clients {
    let config = sdk_config("https://simulated.invalid", SharedHttpClient::new(process)).into_builder();
    let config = config
        .request_checksum_calculation(RequestChecksumCalculation::WhenRequired)
        .response_checksum_validation(ResponseChecksumValidation::WhenRequired);
    Clients::new(&config.build())
}

pub(crate) fn instep(model: &Arc<Model>, net: &Arc<Net>, process: usize, seed: u64) -> Instep {
    let clients = clients(ProcessClient { net: Arc::clone(net), process });
    let settings = Settings {
        table: TABLE.to_owned(),
        records_of: Some(TABLE.to_owned()),
        table_arn: None,
        user_pool: Some(USER_POOL.to_owned()),
        bus: BUS.to_owned(),
        work_queue: WORK.to_owned(),
        // Of each two such worlds, one lets sweeps remove what people made.
        deletions_per_hour: if seed % 5 == 3 { FEW_DELETIONS } else { u32::MAX },
        cognito_interval: (seed % 8 < 2).then_some(PACE),
        index_lag: Duration::from_millis(watch::INDEX_LAG_MS.unsigned_abs()),
        parking: Some(Parking { queue_url: QUEUE.to_owned(), bucket: BUCKET.to_owned() }),
    };
    Instep::new(Arc::clone(model), clients, settings).with_marks_from(fastrand::u64(..))
}
