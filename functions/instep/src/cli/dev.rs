//! The command line of `instep dev`.

use std::path::PathBuf;

use clap::Args;
use instep_console::forward::ForwardTarget;
use instep_dev::DevOptions;

use crate::names;

/// Run everything on this machine, and show on a page what follows
///
/// The table, Cognito, EventBridge and SQS are in this process. Any AWS SDK reaches them at the port that it prints, with
/// `AWS_ENDPOINT_URL`. It listens on the loopback interface only, and sends nothing to AWS. Ctrl-C ends it.
#[derive(Debug, Args)]
pub(crate) struct DevArgs {
    /// The table model: the name of a shipped model, or a file.
    #[arg(value_name = "NAME|FILE")]
    model: String,
    /// Keep table, users and events in this directory [default: in memory].
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// The port of the page and of AWS's APIs; 0 for any free one.
    #[arg(long, value_name = "N", default_value_t = 4747)]
    port: u16,
    /// The table's name [default: the model's name].
    #[arg(long, value_name = "NAME")]
    table: Option<String>,
    /// Begin with these: captures, files of writes, scans, exports, and folders of them; `teams` has an example of its own.
    #[arg(long, value_name = "PATH", num_args = 0..)]
    load: Option<Vec<PathBuf>>,
    /// Let this share of Instep's calls fail, from 0 to 1.
    #[arg(long, value_name = "RATE", value_parser = rate)]
    faults: Option<f64>,
    /// Run the model anew whenever its file changes, with the same items [default: at a terminal].
    #[arg(long, overrides_with = "no_watch")]
    watch: bool,
    /// Do not look at the model's file again.
    #[arg(long, overrides_with = "watch")]
    no_watch: bool,
    /// Send each event to this HTTP server, as EventBridge delivers it.
    #[arg(long, value_name = "URL", value_parser = names::forward)]
    forward: Option<ForwardTarget>,
    #[command(flatten)]
    environment: AwsEnvironment,
}

impl From<DevArgs> for DevOptions {
    fn from(args: DevArgs) -> Self {
        let DevArgs { model, data, port, table, load, faults, watch, no_watch, forward, environment } = args;
        let watch = (watch || no_watch).then_some(watch);
        Self { model, data, port, table, load, faults, watch, forward, credentials: environment.credentials() }
    }
}

/// What an environment has that reaches a real account. It is only looked at, and used for nothing.
#[derive(Debug, Args)]
pub(crate) struct AwsEnvironment {
    #[arg(id = "environment-access-key", long = "environment-access-key", env = "AWS_ACCESS_KEY_ID", hide = true)]
    access_key: Option<String>,
    #[arg(id = "environment-profile", long = "environment-profile", env = "AWS_PROFILE", hide = true)]
    profile: Option<String>,
    #[arg(
        id = "environment-token-file",
        long = "environment-token-file",
        env = "AWS_WEB_IDENTITY_TOKEN_FILE",
        hide = true
    )]
    token_file: Option<String>,
    #[arg(
        id = "environment-container",
        long = "environment-container",
        env = "AWS_CONTAINER_CREDENTIALS_FULL_URI",
        hide = true
    )]
    container: Option<String>,
    #[arg(id = "environment-shared", long = "environment-shared", env = "AWS_SHARED_CREDENTIALS_FILE", hide = true)]
    shared: Option<PathBuf>,
    #[arg(id = "environment-home", long = "environment-home", env = "HOME", hide = true)]
    home: Option<PathBuf>,
}

impl AwsEnvironment {
    /// The name of what is set. `None` if nothing is.
    fn credentials(&self) -> Option<String> {
        let set = [
            ("AWS_ACCESS_KEY_ID", &self.access_key),
            ("AWS_PROFILE", &self.profile),
            ("AWS_WEB_IDENTITY_TOKEN_FILE", &self.token_file),
            ("AWS_CONTAINER_CREDENTIALS_FULL_URI", &self.container),
        ];
        let is_set = |(_, value): &(&str, &Option<String>)| value.as_ref().is_some_and(|value| !value.is_empty());
        let named = set.into_iter().find(is_set).map(|(name, _)| name.to_owned());
        let file = self.shared.clone().or_else(|| Some(self.home.as_ref()?.join(".aws/credentials")));
        named.or_else(|| file.filter(|file| file.is_file()).map(|file| file.display().to_string()))
    }
}

/// Parses a share.
fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate| (0.0..=1.0).contains(rate));
    rate.ok_or_else(|| format!("`{text}` is not a number from 0 to 1"))
}
