//! S3 in a folder: the objects of one bucket are files. A sweep in the process of a command keeps there what
//! it reads, which may be more than fits the memory.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_types::SdkConfig;
use percent_encoding::percent_decode_str;

use crate::dir::{lock, write_whole};
use crate::error::LocalError;
use crate::s3::{Buckets, S3Error, etag, may_put, refuse, respond, split};
use crate::stack::sdk_config;

/// A folder as the bucket of an S3. Only this process uses it, and only its owner reads it.
#[derive(Debug, Clone)]
pub struct Folder(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    path: PathBuf,
    /// Held while a condition is checked and the object written.
    writing: Mutex<()>,
    /// The lock, held as long as the file is open.
    _lock: fs::File,
}

impl Folder {
    /// Opens or creates the folder.
    ///
    /// # Errors
    /// Another process uses it, or it cannot be created.
    pub fn open(path: &Path) -> Result<Self, LocalError> {
        make(path).map_err(LocalError::io("make", path))?;
        let lock = lock(path)?;
        Ok(Self(Arc::new(Inner { path: path.to_owned(), writing: Mutex::new(()), _lock: lock })))
    }

    /// A configuration for clients of S3, to which this folder is every bucket.
    #[must_use]
    pub fn sdk_config(&self) -> SdkConfig {
        sdk_config("http://folder.invalid", SharedHttpClient::new(self.clone()))
    }

    fn answer(&self, request: &HttpRequest) -> Result<HttpResponse, ConnectorError> {
        match self.done(request) {
            Ok(Ok((body, etag))) => {
                let mut response = respond(200, body)?;
                response.headers_mut().insert("etag", etag);
                Ok(response)
            }
            Ok(Err((status, code))) => refuse(status, code),
            Err(error) => Err(ConnectorError::io(error.into())),
        }
    }

    fn done(&self, request: &HttpRequest) -> io::Result<Result<(Vec<u8>, String), S3Error>> {
        let (path, _) = split(request.uri());
        let key = path.split_once('/').map(|(_, key)| percent_decode_str(key).decode_utf8_lossy().into_owned());
        // A key names a file below the folder, and no other one.
        let is_name = |word: &str| !word.is_empty() && word != "." && word != "..";
        let Some(key) = key.filter(|key| key.split('/').all(is_name)) else { return Ok(Err((400, "InvalidRequest"))) };
        let file = self.0.path.join(key);
        match Buckets::operation(request) {
            "PutObject" => {
                let _writing = self.0.writing.lock().unwrap_or_else(PoisonError::into_inner);
                if let Err(refused) = may_put(request, read(&file)?.map(|body| etag(&body)).as_deref()) {
                    return Ok(Err(refused));
                }
                let body = request.body().bytes().unwrap_or_default();
                file.parent().map(make).transpose()?;
                write_whole(&file, body).map_err(io::Error::other)?;
                Ok(Ok((Vec::new(), etag(body))))
            }
            "GetObject" => Ok(match read(&file)? {
                Some(body) => {
                    let etag = etag(&body);
                    Ok((body, etag))
                }
                None => Err((404, "NoSuchKey")),
            }),
            _ => Ok(Err((501, "NotImplemented"))),
        }
    }
}

/// Creates a folder that only its owner reads: the objects have names of users.
fn make(path: &Path) -> io::Result<()> {
    let mut folder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
    folder.recursive(true).create(path)
}

/// The content of a file, if there is one.
fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(body) => Ok(Some(body)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

impl HttpConnector for Folder {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        HttpConnectorFuture::ready(self.answer(&request))
    }
}

impl HttpClient for Folder {
    fn http_connector(&self, _: &HttpConnectorSettings, _: &RuntimeComponents) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}
