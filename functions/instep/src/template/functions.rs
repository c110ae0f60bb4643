//! `instep template functions`: copies a release's functions, and a model that is not shipped, to a bucket.

use std::path::Path;
use std::time::Duration;

use aws_sdk_s3::config::Builder;
use aws_sdk_s3::config::timeout::TimeoutConfig;
use aws_sdk_s3::primitives::ByteStream;
use instep_aws::calls::Calls;
use instep_aws::{Clients, call};
use instep_console::model_source::ModelSource;
use instep_console::output::Output;
use miette::{IntoDiagnostic as _, Result, WrapErr as _, miette};

use super::layer::Layer;
use super::release::{ARCHITECTURES, FUNCTIONS, VERSION, archive, folder};
use crate::cli::template::FunctionsArgs;
use crate::remote::{self, Target};

/// How long an upload may take: a function has some megabytes, and a line may be slow.
const UPLOAD_TIMEOUT: Duration = Duration::from_secs(600);

/// Reads everything first, so that nothing is copied if something is missing.
pub(super) async fn copy(args: &FunctionsArgs, out: &mut Output) -> Result<()> {
    let origin = ModelSource::named(&args.of.model)?;
    origin.load()?;
    let mut objects = functions(&args.folder)?;
    if let Some(layer) = Layer::of(&origin)? {
        objects.push(layer.archive()?);
    }
    let clients =
        Clients::new(&remote::config(Target::of_endpoint(args.endpoint.as_deref()), &Calls::default()).await?);
    let slow = TimeoutConfig::builder().operation_attempt_timeout(UPLOAD_TIMEOUT).build();
    for (name, content) in objects {
        let key = format!("{}{name}", args.prefix);
        let put = || {
            let request = clients.s3().put_object().bucket(&args.bucket).key(&key);
            let request = request.content_type("application/zip").body(ByteStream::from(content.clone()));
            request.customize().config_override(Builder::new().timeout_config(slow.clone())).send()
        };
        call(None, put).await.map_err(|failure| {
            miette!(
                help = "the bucket must exist in this region, and the credentials need `s3:PutObject` there",
                "cannot copy to `s3://{}/{key}`: {}",
                args.bucket,
                failure.words("PutObject")
            )
        })?;
        out.line(&format!("s3://{}/{key}", args.bucket))?;
        out.flush()?;
    }
    let prefix = if args.prefix.is_empty() { String::new() } else { format!(" CodePrefix={}", args.prefix) };
    out.line(&format!("\nParameters of the stack: CodeBucket={}{prefix}", args.bucket))
}

/// The archives of all functions in a folder, with their names in the bucket.
fn functions(at: &Path) -> Result<Vec<(String, Vec<u8>)>> {
    let named = std::path::absolute(at).into_diagnostic()?;
    let named = named.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if !at.is_dir() || !ARCHITECTURES.iter().any(|architecture| folder(architecture) == named) {
        return Err(miette!(
            help = format!(
                "unpack `{}.zip` of the release {VERSION}, and name the folder that comes of it. For another version, \
                 use the `instep` of that version: a template names functions of its own",
                folder(ARCHITECTURES[0])
            ),
            "`{}` is no folder of the functions of version {VERSION}",
            at.display()
        ));
    }
    let read = |name: &&str| {
        let file = at.join(archive(name));
        let content = std::fs::read(&file).into_diagnostic();
        let content = content.wrap_err_with(|| format!("cannot read the function `{}`", file.display()))?;
        Ok((format!("{named}/{}", archive(name)), content))
    };
    FUNCTIONS.iter().map(read).collect()
}
