//! What Instep is made of, for the doctor: it looks at the same table, pool, bus, queue and bucket.

use crate::handler::{Clients, Instep, Settings};

impl Instep {
    /// The SDK clients.
    #[must_use]
    pub const fn clients(&self) -> &Clients {
        &self.clients
    }

    /// What it brings in step.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }
}

impl Clients {
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
    pub const fn sqs(&self) -> &aws_sdk_sqs::Client {
        &self.sqs
    }

    /// The client of S3.
    #[must_use]
    pub const fn s3(&self) -> &aws_sdk_s3::Client {
        &self.s3
    }
}
