//! SDK configurations: for AWS, or for an endpoint that stands in for it.

use std::time::Duration;

use aws_config::environment::{EnvironmentVariableCredentialsProvider, EnvironmentVariableRegionProvider};
use aws_config::meta::region::ProvideRegion as _;
use aws_config::retry::RetryConfig;
use aws_config::stalled_stream_protection::StalledStreamProtectionConfig;
use aws_config::timeout::TimeoutConfig;
use aws_config::{BehaviorVersion, ConfigLoader, Region};
use aws_credential_types::Credentials;
use aws_credential_types::provider::{ProvideCredentials as _, SharedCredentialsProvider};
use aws_smithy_http_client::tls::{Provider, rustls_provider::CryptoMode};
use aws_smithy_http_client::{Builder, Connector};
use aws_smithy_runtime_api::client::http::{HttpConnector as _, HttpConnectorSettings};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_types::byte_stream::ByteStream;
use aws_types::SdkConfig;

use crate::calls::Calls;

/// The region of an endpoint, unless the environment names another.
const DEFAULT_REGION: &str = "us-east-1";

/// The maximum time to connect.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// The maximum time of one attempt. It is longer than the services' own timeouts, because a
/// timed-out request can still complete and overwrite a newer one.
pub(crate) const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(20);

/// AWS, with region and credentials from environment, profile or role. `AWS_ENDPOINT_URL` overrides
/// the endpoint.
pub async fn aws(calls: &Calls) -> SdkConfig {
    loader(calls).load().await
}

/// AWS from inside a Lambda function: region and credentials are in the environment. Nothing else
/// is searched.
pub async fn lambda(calls: &Calls) -> SdkConfig {
    let region = EnvironmentVariableRegionProvider::new().region().await;
    loader(calls).region(region).credentials_provider(EnvironmentVariableCredentialsProvider::new()).load().await
}

/// One endpoint for all services. Stand-ins accept any credentials, so the environment needs none.
pub async fn endpoint(url: &str, calls: &Calls) -> SdkConfig {
    let region = EnvironmentVariableRegionProvider::new().region().await;
    let mut loader = loader(calls).endpoint_url(url).region(region.unwrap_or(Region::from_static(DEFAULT_REGION)));
    if EnvironmentVariableCredentialsProvider::new().provide_credentials().await.is_err() {
        let nobody = Credentials::new("instep", "instep", None, None, "instep");
        loader = loader.credentials_provider(SharedCredentialsProvider::new(nobody));
    }
    loader.load().await
}

/// What a URL has, without credentials. `None` if it answers nothing with status 200 in time.
pub async fn get(url: &str) -> Option<Vec<u8>> {
    let settings =
        HttpConnectorSettings::builder().connect_timeout(CONNECT_TIMEOUT).read_timeout(CONNECT_TIMEOUT).build();
    let connector = Connector::builder().connector_settings(settings);
    let connector = connector.tls_provider(Provider::Rustls(CryptoMode::Ring)).build();
    let answer = connector.call(HttpRequest::get(url).ok()?).await.ok()?;
    let is_found = answer.status().as_u16() == 200;
    let body = ByteStream::new(answer.into_body()).collect().await.ok()?;
    is_found.then(|| body.to_vec())
}

fn loader(calls: &Calls) -> ConfigLoader {
    let http = Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring)).build_https();
    let timeouts =
        TimeoutConfig::builder().connect_timeout(CONNECT_TIMEOUT).operation_attempt_timeout(ATTEMPT_TIMEOUT).build();
    aws_config::defaults(BehaviorVersion::latest())
        .http_client(calls.wrap(http))
        // The caller retries, with its own error classes.
        .retry_config(RetryConfig::disabled())
        // The timeout of an attempt ends a request that stalls. What watches each upload on top of it
        // costs every call some CPU time.
        .stalled_stream_protection(StalledStreamProtectionConfig::enabled().upload_enabled(false).build())
        .timeout_config(timeouts)
}
