//! What a release has of the functions, and where a bucket has it: under the same names, so that a template of one
//! version never deploys the functions of another, and CloudFormation sees that the code is new.

use serde_json::{Value, json};

/// The functions of a release, each in an archive of its own. They are binaries of this workspace, each in a folder of
/// its name under `functions`.
pub(super) const FUNCTIONS: [&str; 9] =
    ["stream", "work", "redrive", "clock", "sweep", "signup", "token", "authorizer", "consumer"];

/// The folder of their sources.
pub(super) const SOURCES: &str = "functions";

/// The processor architectures, as Lambda names them.
pub(super) const ARCHITECTURES: [&str; 2] = ["arm64", "x86_64"];

/// The version of this program, and of the functions that a template of it deploys.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The folder of the functions for a processor architecture.
pub(super) fn folder(architecture: &str) -> String {
    format!("functions-{VERSION}-{architecture}")
}

/// The file of a function, in that folder.
pub(super) fn archive(function: &str) -> String {
    format!("{function}.zip")
}

/// The archive of the function whose source is in a folder. `None` if a release has no such function.
pub(super) fn archive_of(source: &str) -> Option<String> {
    let name = source.strip_prefix(SOURCES)?.strip_prefix('/').filter(|name| FUNCTIONS.contains(name))?;
    Some(format!("{}/{}", folder("${Architecture}"), archive(name)))
}

/// The object of an archive, with parameters of the template.
pub(super) fn object(archive: &str) -> Value {
    json!({ "S3Bucket": { "Ref": "CodeBucket" }, "S3Key": { "Fn::Sub": format!("${{CodePrefix}}{archive}") } })
}
