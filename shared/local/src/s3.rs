//! S3: objects in buckets, addressed by path, in memory. A bucket must be created before it is used.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};

use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use percent_encoding::percent_decode_str;

use crate::wire::md5;

/// The maximum number of keys in one page of a list. Source: Amazon S3 API Reference,
/// ListObjectsV2, `max-keys`.
const LIST_KEYS_MAX: usize = 1_000;

/// The buckets.
#[derive(Debug, Default)]
pub(crate) struct Buckets {
    buckets: Mutex<BTreeMap<String, BTreeMap<String, Vec<u8>>>>,
}

/// A refusal: status and code.
pub(crate) type S3Error = (u16, &'static str);

impl Buckets {
    fn buckets(&self) -> MutexGuard<'_, BTreeMap<String, BTreeMap<String, Vec<u8>>>> {
        self.buckets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn make(&self, name: &str) {
        self.buckets().entry(name.to_owned()).or_default();
    }

    pub(crate) fn put(&self, bucket: &str, key: &str, body: Vec<u8>) {
        self.buckets().entry(bucket.to_owned()).or_default().insert(key.to_owned(), body);
    }

    /// The objects of a bucket, sorted by key.
    pub(crate) fn objects(&self, bucket: &str) -> Vec<(String, Vec<u8>)> {
        let buckets = self.buckets();
        let objects = buckets.get(bucket).into_iter().flatten();
        objects.map(|(key, body)| (key.clone(), body.clone())).collect()
    }

    /// The operation of a request, as call counts and faults name it.
    pub(crate) fn operation(request: &HttpRequest) -> &'static str {
        match request.method() {
            "PUT" => "PutObject",
            "DELETE" => "DeleteObject",
            "GET" if is_list(request.uri()) => "ListObjectsV2",
            _ => "GetObject",
        }
    }

    pub(crate) fn call(&self, request: &HttpRequest) -> Result<HttpResponse, ConnectorError> {
        match self.answer(request) {
            Ok((body, etag)) => {
                let mut response = respond(200, body)?;
                etag.into_iter().for_each(|etag| drop(response.headers_mut().insert("etag", etag)));
                Ok(response)
            }
            Err((status, code)) => refuse(status, code),
        }
    }

    fn answer(&self, request: &HttpRequest) -> Result<(Vec<u8>, Option<String>), S3Error> {
        let (path, query) = split(request.uri());
        let (bucket, key) = path.split_once('/').unwrap_or((path, ""));
        let key = percent_decode_str(key).decode_utf8_lossy().into_owned();
        let mut buckets = self.buckets();
        let objects = buckets.get_mut(bucket).ok_or((404, "NoSuchBucket"))?;
        match Self::operation(request) {
            "PutObject" => {
                let body = request.body().bytes().unwrap_or_default().to_vec();
                may_put(request, objects.get(&key).map(|body| etag(body)).as_deref())?;
                let etag = etag(&body);
                objects.insert(key, body);
                Ok((Vec::new(), Some(etag)))
            }
            "DeleteObject" => {
                objects.remove(&key);
                Ok((Vec::new(), None))
            }
            "ListObjectsV2" => Ok((list(objects, query), None)),
            _ => {
                let body = objects.get(&key).cloned().ok_or((404, "NoSuchKey"))?;
                let etag = etag(&body);
                Ok((body, Some(etag)))
            }
        }
    }
}

/// Whether the conditions of a PutObject hold. Source: Amazon S3 User Guide, "How to prevent object
/// overwrites with conditional writes".
pub(crate) fn may_put(request: &HttpRequest, present: Option<&str>) -> Result<(), S3Error> {
    let header = |name: &str| request.headers().get(name);
    match (header("if-match"), present) {
        (Some(_), None) => return Err((404, "NoSuchKey")),
        (Some(expected), Some(present)) if expected != present => return Err((412, "PreconditionFailed")),
        (Some(_) | None, _) => {}
    }
    if header("if-none-match").is_some() && present.is_some() { Err((412, "PreconditionFailed")) } else { Ok(()) }
}

/// The ETag of an object: it follows from the content.
pub(crate) fn etag(body: &[u8]) -> String {
    format!("\"{}\"", md5(body))
}

/// An error in S3's form.
pub(crate) fn refuse(status: u16, code: &str) -> Result<HttpResponse, ConnectorError> {
    let body = format!("<?xml version=\"1.0\"?><Error><Code>{code}</Code><Message>{code}</Message></Error>");
    respond(status, body.into_bytes())
}

pub(crate) fn respond(status: u16, body: Vec<u8>) -> Result<HttpResponse, ConnectorError> {
    let status = StatusCode::try_from(status).map_err(|error| ConnectorError::user(error.into()))?;
    Ok(HttpResponse::new(status, SdkBody::from(body)))
}

/// Path, without its first slash, and query of a URI.
pub(crate) fn split(uri: &str) -> (&str, &str) {
    let after_scheme = uri.split_once("://").map_or(uri, |(_, rest)| rest);
    let path = after_scheme.split_once('/').map_or("", |(_, path)| path);
    path.split_once('?').unwrap_or((path, ""))
}

fn is_list(uri: &str) -> bool {
    split(uri).1.contains("list-type=2")
}

fn parameter(query: &str, name: &str) -> Option<String> {
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let value = pairs.into_iter().find(|(found, _)| *found == name)?.1;
    Some(percent_decode_str(value).decode_utf8_lossy().into_owned())
}

/// A page of keys. Its token is the last key.
fn list(objects: &BTreeMap<String, Vec<u8>>, query: &str) -> Vec<u8> {
    let prefix = parameter(query, "prefix").unwrap_or_default();
    let after = parameter(query, "continuation-token").or_else(|| parameter(query, "start-after"));
    let is_next = |key: &&String| key.starts_with(&prefix) && after.as_ref().is_none_or(|after| *key > after);
    let mut keys = objects.keys().filter(is_next).peekable();
    let mut body = String::from("<?xml version=\"1.0\"?><ListBucketResult>");
    let mut last = None;
    for key in keys.by_ref().take(LIST_KEYS_MAX) {
        let size = objects.get(key).map_or(0, Vec::len);
        let _ = write!(body, "<Contents><Key>{}</Key><Size>{size}</Size></Contents>", escape(key));
        last = Some(key);
    }
    let more = keys.peek().is_some();
    let _ = write!(body, "<IsTruncated>{more}</IsTruncated>");
    if let (true, Some(last)) = (more, last) {
        let _ = write!(body, "<NextContinuationToken>{}</NextContinuationToken>", escape(last));
    }
    body.push_str("</ListBucketResult>");
    body.into_bytes()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
