//! Calls to the services that do not come from Instep.

use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_types::body::SdkBody;
use instep_local::USER_POOL;
use serde_json::{Value, json};

use super::{COGNITO, Net};
use crate::watch::{OTHERS, STRANGER};

impl Net {
    /// Creates a user and a group of somebody else, and groups with names that items ask for.
    ///
    /// # Errors
    /// The pool refuses.
    pub fn others(&self) -> Result<(), String> {
        let pool = USER_POOL;
        let alike = crate::writers::groups_alike(self);
        for group in alike.iter().map(String::as_str).chain([OTHERS]) {
            self.by_hand("CreateGroup", &json!({"UserPoolId": pool, "GroupName": group}))?;
        }
        self.by_hand("AdminCreateUser", &json!({"UserPoolId": pool, "Username": STRANGER}))?;
        self.by_hand("AdminAddUserToGroup", &json!({"UserPoolId": pool, "Username": STRANGER, "GroupName": OTHERS}))?;
        self.watch().of_others.extend(alike);
        Ok(())
    }

    /// Creates groups and users that the model leaves to people.
    ///
    /// # Errors
    /// The pool refuses.
    pub fn people_make(&self, groups: &[&str], users: &[&str]) -> Result<(), String> {
        let pool = USER_POOL;
        for group in groups {
            self.by_hand("CreateGroup", &json!({"UserPoolId": pool, "GroupName": group}))?;
        }
        for user in users {
            self.by_hand("AdminCreateUser", &json!({"UserPoolId": pool, "Username": user}))?;
        }
        self.watch().implied.made_by_hand(groups, users);
        self.pool();
        Ok(())
    }

    /// Calls SQS as the event source mapping does.
    pub fn sqs(&self, operation: &str, queue: &str, mut body: Value) -> Value {
        let _ = self.now();
        if let Some(body) = body.as_object_mut() {
            body.insert("QueueUrl".to_owned(), json!(queue));
        }
        let mut request = HttpRequest::new(SdkBody::from(body.to_string()));
        request.headers_mut().insert("x-amz-target", format!("AmazonSQS.{operation}"));
        let answer = self.services.answer(&request, None).and_then(Result::ok);
        let answer = answer.as_ref().and_then(|answer| answer.body().bytes());
        answer.and_then(|bytes| serde_json::from_slice(bytes).ok()).unwrap_or_default()
    }

    fn by_hand(&self, operation: &str, body: &Value) -> Result<(), String> {
        let mut request = HttpRequest::new(SdkBody::from(body.to_string()));
        request.headers_mut().insert("x-amz-target", format!("{COGNITO}.{operation}"));
        match self.services.answer(&request, None) {
            Some(Ok(answer)) if answer.status().is_success() => Ok(()),
            answer => Err(format!("{operation} by hand: {answer:?}")),
        }
    }
}
