//! The SDK clients.

use std::sync::{Arc, OnceLock};

use aws_types::SdkConfig;

/// The SDK clients. Production, local and simulated runs differ only in the HTTP client of the
/// configuration.
#[derive(Debug, Clone)]
pub struct Clients {
    pub(crate) dynamodb: aws_sdk_dynamodb::Client,
    pub(crate) cognito: aws_sdk_cognitoidentityprovider::Client,
    pub(crate) events: aws_sdk_eventbridge::Client,
    pub(crate) lazy: LazyClients,
}

/// The clients that not every process needs, each created for its first call.
#[derive(Debug, Clone)]
pub(crate) struct LazyClients(Arc<Others>);

#[derive(Debug)]
struct Others {
    config: SdkConfig,
    sqs: OnceLock<aws_sdk_sqs::Client>,
    s3: OnceLock<aws_sdk_s3::Client>,
    streams: OnceLock<aws_sdk_dynamodbstreams::Client>,
}

impl Clients {
    /// Creates the clients from one configuration. It should disable the SDK's retries
    /// (`RetryConfig::disabled()`), because the SDK treats Cognito's hard quotas as throttling.
    #[must_use]
    pub fn new(config: &SdkConfig) -> Self {
        Self {
            dynamodb: aws_sdk_dynamodb::Client::new(config),
            cognito: aws_sdk_cognitoidentityprovider::Client::new(config),
            events: aws_sdk_eventbridge::Client::new(config),
            lazy: LazyClients(Arc::new(Others {
                config: config.clone(),
                sqs: OnceLock::new(),
                s3: OnceLock::new(),
                streams: OnceLock::new(),
            })),
        }
    }

    /// The client of DynamoDB.
    #[must_use]
    pub const fn dynamodb(&self) -> &aws_sdk_dynamodb::Client {
        &self.dynamodb
    }

    /// The client of Cognito's user pools.
    #[must_use]
    pub const fn cognito(&self) -> &aws_sdk_cognitoidentityprovider::Client {
        &self.cognito
    }

    /// The client of EventBridge.
    #[must_use]
    pub const fn events(&self) -> &aws_sdk_eventbridge::Client {
        &self.events
    }

    /// The client of SQS.
    #[must_use]
    pub fn sqs(&self) -> &aws_sdk_sqs::Client {
        self.lazy.sqs()
    }

    /// The client of S3.
    #[must_use]
    pub fn s3(&self) -> &aws_sdk_s3::Client {
        self.lazy.s3()
    }

    /// The client of DynamoDB's streams.
    pub(crate) fn streams(&self) -> &aws_sdk_dynamodbstreams::Client {
        self.lazy.streams()
    }
}

impl LazyClients {
    pub(crate) fn sqs(&self) -> &aws_sdk_sqs::Client {
        self.0.sqs.get_or_init(|| aws_sdk_sqs::Client::new(&self.0.config))
    }

    pub(crate) fn s3(&self) -> &aws_sdk_s3::Client {
        self.0.s3.get_or_init(|| s3(&self.0.config))
    }

    fn streams(&self) -> &aws_sdk_dynamodbstreams::Client {
        self.0.streams.get_or_init(|| aws_sdk_dynamodbstreams::Client::new(&self.0.config))
    }
}

/// An endpoint that stands in for AWS has no host name for each bucket, so bucket names are in the
/// path.
pub(crate) fn s3(config: &SdkConfig) -> aws_sdk_s3::Client {
    let path_style = config.endpoint_url().is_some();
    aws_sdk_s3::Client::from_conf(aws_sdk_s3::config::Builder::from(config).force_path_style(path_style).build())
}
