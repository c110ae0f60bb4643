//! What a sweep keeps in the bucket until S3 deletes it.

use aws_sdk_s3::primitives::ByteStream;
use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use instep_flow::sweep::KeptWant;
use instep_flow::sweep::units::{SweepUnit, UnitProgress};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::call::call;
use crate::instep::Instep;
use crate::run_options::RunOptions;

/// The key prefix of what sweeps keep. S3 deletes it after some days.
pub const SWEEPS_PREFIX: &str = "sweeps/";

/// The number of objects that are written or read at once.
pub(super) const CONCURRENT_OBJECTS: usize = 32;

/// The errors of a conditional write that say that another writer was faster.
const WAS_FASTER: [&str; 2] = ["PreconditionFailed", "ConditionalRequestConflict"];

/// The name of the progress of a unit.
fn progress_name(unit: SweepUnit) -> String {
    format!("{unit}/progress.json")
}

/// The name of a result of a step. Each step has a name of its own: two invocations of one unit that overlap
/// write no object of each other, and only the results that the progress names count. INVARIANT 1.
pub(super) fn result_name(unit: SweepUnit, step: &str, kind: &str) -> String {
    format!("{unit}/{step}/{kind}")
}

impl Instep {
    pub(super) async fn keep_bytes(
        &self,
        sweep: &str,
        name: &str,
        bytes: Vec<u8>,
        run: &RunOptions,
    ) -> Result<(), String> {
        let (s3, bucket) = self.bucket()?;
        let put = || s3.put_object().bucket(bucket).key(key(sweep, name)).body(ByteStream::from(bytes.clone())).send();
        call(run.deadline, put).await.map(drop).map_err(|failure| failure.words("PutObject"))
    }

    pub(super) async fn kept_bytes(&self, sweep: &str, name: &str, run: &RunOptions) -> Result<Vec<u8>, String> {
        match self.kept_object(sweep, name, run).await? {
            Some((bytes, _)) => Ok(bytes),
            None => Err(is_gone(sweep, name)),
        }
    }

    /// The bytes that were kept under a name, and their ETag. `None` if nothing was.
    async fn kept_object(
        &self,
        sweep: &str,
        name: &str,
        run: &RunOptions,
    ) -> Result<Option<(Vec<u8>, String)>, String> {
        let (s3, bucket) = self.bucket()?;
        let get = || s3.get_object().bucket(bucket).key(key(sweep, name)).send();
        let answer = match call(run.deadline, get).await {
            Ok(answer) => answer,
            Err(failure) if failure.is("NoSuchKey") => return Ok(None),
            Err(failure) => return Err(failure.words("GetObject")),
        };
        let etag = answer.e_tag.unwrap_or_default();
        let body = answer.body.collect().await.map_err(|_| "GetObject: the object ended early".to_owned())?;
        Ok(Some((body.to_vec(), etag)))
    }

    pub(crate) async fn keep_json(
        &self,
        sweep: &str,
        name: &str,
        value: &impl Serialize,
        run: &RunOptions,
    ) -> Result<(), String> {
        let bytes = to_json(name, value)?;
        self.keep_bytes(sweep, name, bytes, run).await
    }

    /// What is kept under a name. `None`: nothing is.
    pub(crate) async fn kept_if_there<T: DeserializeOwned>(
        &self,
        sweep: &str,
        name: &str,
        run: &RunOptions,
    ) -> Result<Option<T>, String> {
        let kept = self.kept_object(sweep, name, run).await?;
        kept.map(|(bytes, _)| read_json(sweep, name, &bytes)).transpose()
    }

    /// What is kept under a name that is written once. `None` if it is not written yet.
    pub(super) async fn final_if_there<T: DeserializeOwned>(
        &self,
        sweep: &str,
        name: &str,
        run: &RunOptions,
    ) -> Result<Option<T>, String> {
        if let Some(bytes) = self.final_objects.get(sweep, name) {
            return read_json(sweep, name, &bytes).map(Some);
        }
        let Some((bytes, _)) = self.kept_object(sweep, name, run).await? else { return Ok(None) };
        let value = read_json(sweep, name, &bytes)?;
        self.final_objects.add(sweep, name, bytes);
        Ok(Some(value))
    }

    pub(super) async fn final_json<T: DeserializeOwned>(
        &self,
        sweep: &str,
        name: &str,
        run: &RunOptions,
    ) -> Result<T, String> {
        self.final_if_there(sweep, name, run).await?.ok_or_else(|| is_gone(sweep, name))
    }

    /// What is known of a unit, and the ETag of what is kept, unless the unit is done: that is final. Of one that
    /// has not begun, nothing is known.
    pub(super) async fn kept_progress(
        &self,
        sweep: &str,
        unit: SweepUnit,
        run: &RunOptions,
    ) -> Result<(UnitProgress, Option<String>), String> {
        let name = progress_name(unit);
        if let Some(bytes) = self.final_objects.get(sweep, &name) {
            return Ok((read_json(sweep, &name, &bytes)?, None));
        }
        let Some((bytes, etag)) = self.kept_object(sweep, &name, run).await? else {
            return Ok((UnitProgress::default(), None));
        };
        let progress: UnitProgress = read_json(sweep, &name, &bytes)?;
        if progress.done {
            self.final_objects.add(sweep, &name, bytes);
        }
        Ok((progress, Some(etag)))
    }

    /// Keeps the progress of a unit if what is kept is as it was read. Returns the new ETag, or `None` if another
    /// invocation was faster.
    pub(super) async fn keep_progress(
        &self,
        sweep: &str,
        unit: SweepUnit,
        progress: &UnitProgress,
        etag: Option<&str>,
        run: &RunOptions,
    ) -> Result<Option<String>, String> {
        let name = progress_name(unit);
        let kept = self.keep_if(sweep, &name, progress, etag, run).await?;
        if kept.is_some() && progress.done {
            self.final_objects.add(sweep, &name, to_json(&name, progress)?);
        }
        Ok(kept)
    }

    pub(super) async fn kept_json<T: DeserializeOwned>(
        &self,
        sweep: &str,
        name: &str,
        run: &RunOptions,
    ) -> Result<T, String> {
        let bytes = self.kept_bytes(sweep, name, run).await?;
        read_json(sweep, name, &bytes)
    }

    /// Keeps one object for each part.
    pub(super) async fn keep_parts(
        &self,
        sweep: &str,
        name: &str,
        parts: Vec<Vec<u8>>,
        run: &RunOptions,
    ) -> Result<(), String> {
        let parts = parts
            .into_iter()
            .enumerate()
            .map(|(part, bytes)| async move { self.keep_bytes(sweep, &part_name(name, part), bytes, run).await });
        stream::iter(parts).buffer_unordered(CONCURRENT_OBJECTS).try_collect().await
    }

    /// Keeps a value if what is kept under its name is as it was read: `etag`, or nothing. Returns the new ETag, or
    /// `None` if it was not. Source: Amazon S3 User Guide, "How to prevent object overwrites with conditional writes".
    pub(super) async fn keep_if(
        &self,
        sweep: &str,
        name: &str,
        value: &impl Serialize,
        etag: Option<&str>,
        run: &RunOptions,
    ) -> Result<Option<String>, String> {
        let (s3, bucket) = self.bucket()?;
        let bytes = to_json(name, value)?;
        let put = || {
            let request = s3.put_object().bucket(bucket).key(key(sweep, name));
            let request = request.body(ByteStream::from(bytes.clone()));
            match etag {
                Some(etag) => request.if_match(etag).send(),
                None => request.if_none_match("*").send(),
            }
        };
        match call(run.deadline, put).await {
            Ok(answer) => Ok(Some(answer.e_tag.unwrap_or_default())),
            Err(failure) if WAS_FASTER.iter().any(|code| failure.is(code)) => Ok(None),
            Err(failure) => Err(failure.words("PutObject")),
        }
    }

    fn bucket(&self) -> Result<(&aws_sdk_s3::Client, &str), String> {
        self.sweeps().ok_or_else(|| "a sweep keeps what it reads in the bucket, and none is set".to_owned())
    }
}

fn is_gone(sweep: &str, name: &str) -> String {
    format!("`{}` is not there: S3 has deleted what the sweep read", key(sweep, name))
}

/// The key of an object.
pub(super) fn key(sweep: &str, name: &str) -> String {
    format!("{SWEEPS_PREFIX}{sweep}/{name}")
}

/// The name of the object of one part.
pub(super) fn part_name(name: &str, part: usize) -> String {
    format!("{name}-{part}")
}

/// What items want of the pool, by part.
pub(super) fn by_part(wanted: Vec<KeptWant>, parts: u32) -> Result<Vec<Vec<u8>>, String> {
    let mut all: Vec<Vec<KeptWant>> = (0..parts).map(|_| Vec::new()).collect();
    for kept in wanted {
        let part = usize::try_from(kept.part(parts)).unwrap_or_default();
        all.get_mut(part).into_iter().for_each(|part| part.push(kept.clone()));
    }
    all.iter().map(|part| to_json("wanted", part)).collect()
}

fn to_json(name: &str, value: &impl Serialize) -> Result<Vec<u8>, String> {
    serde_json::to_vec(value).map_err(|error| format!("`{name}` cannot be written: {error}"))
}

fn read_json<T: DeserializeOwned>(sweep: &str, name: &str, bytes: &[u8]) -> Result<T, String> {
    serde_json::from_slice(bytes).map_err(|_| format!("`{}` is not what a sweep wrote", key(sweep, name)))
}
