//! Objects of a bucket: listed, read, and deleted when all their content is sent.

use instep_contract::S3Object;
use tokio::time::Instant;

use crate::call::{CallFailure, call};
use crate::instep::Instep;
use crate::park::PARKED_PREFIX;

/// The maximum bytes of an object that is read. An on-failure object contains an event of at most 6
/// MB as escaped text. Source: AWS Lambda Developer Guide, "Lambda quotas", invocation payload.
const OBJECT_BYTES_MAX: i64 = 64 * 1024 * 1024;

/// A page of a bucket's keys.
pub(super) struct ObjectsPage {
    pub(super) keys: Vec<String>,
    pub(super) next: Option<String>,
}

impl Instep {
    /// A page of the objects under a prefix. Parked records are excluded unless they are requested,
    /// because their messages point to them.
    pub(super) async fn list(
        &self,
        bucket: &str,
        prefix: &str,
        next: Option<String>,
        deadline: Option<Instant>,
    ) -> Result<ObjectsPage, CallFailure> {
        let list = || {
            let request = self.clients.s3().list_objects_v2().bucket(bucket).prefix(prefix);
            request.set_continuation_token(next.clone()).send()
        };
        let answer = call(deadline, list).await?;
        let next = answer.next_continuation_token.filter(|_| answer.is_truncated == Some(true));
        let keys = answer.contents.unwrap_or_default().into_iter().filter_map(|object| object.key);
        let keys = keys.filter(|key| prefix.starts_with(PARKED_PREFIX) || !key.starts_with(PARKED_PREFIX));
        // A key that ends like this is a folder that the S3 console created.
        Ok(ObjectsPage { keys: keys.filter(|key| !key.ends_with('/')).collect(), next })
    }

    /// An object's bytes.
    pub(crate) async fn read_object(
        &self,
        object: &S3Object,
        deadline: Option<Instant>,
    ) -> Result<Vec<u8>, CallFailure> {
        let get = || self.clients.s3().get_object().bucket(&object.bucket).key(&object.key).send();
        let answer = call(deadline, get).await?;
        if answer.content_length.is_some_and(|bytes| bytes > OBJECT_BYTES_MAX) {
            let code = "EntityTooLarge".to_owned();
            return Err(CallFailure::Answer { code, message: String::new() });
        }
        let body =
            answer.body.collect().await.map_err(|_| CallFailure::Transient("the object ended early".to_owned()))?;
        Ok(body.to_vec())
    }

    pub(super) async fn delete(&self, object: &S3Object, deadline: Option<Instant>) -> Result<(), CallFailure> {
        let delete = || self.clients.s3().delete_object().bucket(&object.bucket).key(&object.key).send();
        call(deadline, delete).await.map(drop)
    }
}
