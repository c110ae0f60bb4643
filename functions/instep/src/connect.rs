//! SDK configurations for services that are not embedded: an endpoint, or AWS.

use aws_config::environment::{EnvironmentVariableCredentialsProvider, EnvironmentVariableRegionProvider};
use aws_config::meta::region::ProvideRegion as _;
use aws_config::{BehaviorVersion, ConfigLoader, Region};
use aws_credential_types::Credentials;
use aws_credential_types::provider::{ProvideCredentials as _, SharedCredentialsProvider};
use aws_smithy_http_client::Builder;
use aws_smithy_http_client::tls::{Provider, rustls_provider::CryptoMode};
use aws_types::SdkConfig;
use instep_aws::calls::Calls;

/// Where an endpoint says it is unless the environment knows better.
const DEFAULT_REGION: &str = "us-east-1";

/// AWS itself, with region and credentials from environment, profile or role.
pub(crate) async fn aws(calls: &Calls) -> SdkConfig {
    loader(calls).load().await
}

/// One endpoint for all services. Stand-ins take any credentials, so there need be none in the environment.
pub(crate) async fn endpoint(url: &str, calls: &Calls) -> SdkConfig {
    let region = EnvironmentVariableRegionProvider::new().region().await;
    let mut loader = loader(calls).endpoint_url(url).region(region.unwrap_or(Region::from_static(DEFAULT_REGION)));
    if EnvironmentVariableCredentialsProvider::new().provide_credentials().await.is_err() {
        let nobody = Credentials::new("instep", "instep", None, None, "instep");
        loader = loader.credentials_provider(SharedCredentialsProvider::new(nobody));
    }
    loader.load().await
}

fn loader(calls: &Calls) -> ConfigLoader {
    let http = Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring)).build_https();
    aws_config::defaults(BehaviorVersion::latest()).http_client(calls.wrap(http))
}
