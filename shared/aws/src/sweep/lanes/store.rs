//! What a sweep keeps in the bucket until it has ended.

use aws_sdk_s3::primitives::ByteStream;
use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use instep_contract::S3Object;
use instep_flow::sweep::{Candidate, Piece, State};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::super::{KEPT_MAX, REPORTED_MAX};
use crate::call::call;
use crate::instep::{Instep, Run};

/// The key prefix of what sweeps keep. S3 deletes it after some days.
pub const SWEEPS_PREFIX: &str = "sweeps/";

/// The number of objects that are written or read at once.
pub(super) const CONCURRENT_OBJECTS: usize = 32;

/// The objects of a sweep after which one with nothing to repair is only counted: half of those that a state
/// has room for.
const REPORTED_OBJECTS_MAX: usize = 250;

impl Instep {
    pub(super) async fn keep_bytes(&self, sweep: &str, name: &str, bytes: Vec<u8>, run: &Run) -> Result<(), String> {
        let object = self.object_of(sweep, name)?;
        let put = || {
            let request = self.clients.s3().put_object().bucket(&object.bucket).key(&object.key);
            request.body(ByteStream::from(bytes.clone())).send()
        };
        call(run.deadline, put).await.map(drop).map_err(|failure| failure.words("PutObject"))
    }

    pub(super) async fn kept_bytes(&self, sweep: &str, name: &str, run: &Run) -> Result<Vec<u8>, String> {
        let object = self.object_of(sweep, name)?;
        self.read_object(&object, run.deadline).await.map_err(|failure| failure.words("GetObject"))
    }

    pub(super) async fn keep_json(
        &self,
        sweep: &str,
        name: &str,
        value: &impl Serialize,
        run: &Run,
    ) -> Result<(), String> {
        let bytes = serde_json::to_vec(value).map_err(|error| format!("`{name}` cannot be written: {error}"))?;
        self.keep_bytes(sweep, name, bytes, run).await
    }

    pub(super) async fn kept_json<T: DeserializeOwned>(&self, sweep: &str, name: &str, run: &Run) -> Result<T, String> {
        let bytes = self.kept_bytes(sweep, name, run).await?;
        serde_json::from_slice(&bytes).map_err(|_| format!("`{SWEEPS_PREFIX}{sweep}/{name}` is not what a sweep wrote"))
    }

    /// Keeps one object for each part.
    pub(super) async fn keep_parts(
        &self,
        sweep: &str,
        name: &str,
        parts: Vec<Vec<u8>>,
        run: &Run,
    ) -> Result<(), String> {
        let parts = parts
            .into_iter()
            .enumerate()
            .map(|(part, bytes)| async move { self.keep_bytes(sweep, &part_name(name, part), bytes, run).await });
        stream::iter(parts).buffer_unordered(CONCURRENT_OBJECTS).try_collect().await
    }

    /// Keeps differences, and says so in the outcome of the step.
    pub(super) async fn keep_found(
        &self,
        state: &State,
        name: String,
        found: Vec<Candidate>,
        piece: &mut Piece,
        run: &Run,
    ) -> Result<(), String> {
        let all = found.len();
        piece.tally.found = all as u64;
        let (mut reported, mut found): (Vec<_>, Vec<_>) = found.into_iter().partition(|candidate| candidate.reported);
        found.truncate(KEPT_MAX);
        // The state has room for only so many objects, and the rest of it is for what is repaired.
        let has_enough = found.is_empty() && state.found.len() >= REPORTED_OBJECTS_MAX;
        let dropped = reported.split_off(if has_enough { 0 } else { reported.len().min(REPORTED_MAX) });
        let of_writers = dropped.iter().filter(|candidate| candidate.kind.is_of_writers());
        piece.tally.more_of_writers = of_writers.count() as u64;
        found.append(&mut reported);
        piece.tally.more = (all - found.len()) as u64;
        if found.is_empty() {
            return Ok(());
        }
        self.keep_json(&state.id, &name, &found, run).await?;
        piece.found = Some(name);
        Ok(())
    }

    fn object_of(&self, sweep: &str, name: &str) -> Result<S3Object, String> {
        let Some(parking) = &self.settings.parking else {
            return Err("a sweep on the work queue keeps what it reads in the bucket, and none is set".to_owned());
        };
        Ok(S3Object { bucket: parking.bucket.clone(), key: format!("{SWEEPS_PREFIX}{sweep}/{name}") })
    }
}

/// The name of the object of one part.
pub(super) fn part_name(name: &str, part: usize) -> String {
    format!("{name}-{part}")
}
