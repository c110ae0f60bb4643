//! Permissions, checked by calls without effect: on resources that do not exist, with conditions
//! that cannot succeed, or with values that the services refuse. Any error other than a missing
//! permission means that the call was allowed.

use std::future::Future;

use aws_sdk_dynamodb::types::{
    AttributeValue, ConditionCheck, DeleteRequest, KeysAndAttributes, TransactWriteItem, WriteRequest,
};
use aws_sdk_eventbridge::types::PutEventsRequestEntry;
use aws_sdk_sqs::types::SendMessageBatchRequestEntry;
use futures::future::BoxFuture;
use instep_aws::{CallFailure, PARKED_PREFIX, call, key_to_sdk};
use instep_model::Key;

use crate::Doctor;
use crate::access::{Access, FunctionRole, Resource, needed};
use crate::verify::CheckResult;

const OF: &str = "permissions";

/// A key, group and user that do not exist.
const ABSENT: &str = "INSTEP#DOCTOR#nobody";

/// White space, which no Cognito name can contain.
const NO_NAME: &str = "instep doctor";

/// A character that no message can contain.
const NO_MESSAGE: &str = "\u{FFFF}";

/// An ETag that no object has.
const NO_ETAG: &str = "\"00000000000000000000000000000000\"";

/// The outcome of checking an action.
enum ActionCheck {
    Allowed,
    Denied,
    Unknown(String),
    /// The call could have an effect.
    NotChecked,
}

impl Doctor<'_> {
    /// Checks every action of the stream function.
    pub(crate) async fn permissions(&self, is_aws: bool) -> Vec<CheckResult> {
        let mut found = Vec::new();
        let (mut allowed, mut not_checked) = (0, Vec::new());
        let mut needed = needed(self.model, FunctionRole::Stream);
        // Without a work queue in the settings, its permission cannot be checked.
        if self.settings.work_queue.is_empty() {
            needed.retain(|access| access.on != Resource::WorkQueue);
        }
        for access in &needed {
            let what = self.what(access.on);
            match self.check_action(access, is_aws).await {
                ActionCheck::Allowed => allowed += 1,
                ActionCheck::NotChecked => not_checked.push(access.action),
                ActionCheck::Denied => {
                    let message = format!("{} on {what} is denied", access.action);
                    let fix = "allow it: `instep template policies` prints the statements";
                    found.push(CheckResult::wrong(OF, message, fix));
                }
                ActionCheck::Unknown(why) => {
                    let message = format!("{} on {what}: {why}", access.action);
                    found.push(CheckResult::note(OF, message, "try again"));
                }
            }
        }
        let all = needed.len();
        let message = format!("the caller may call {allowed} of the {all} actions of the stream function");
        found.push(CheckResult::fine(OF, message));
        if !not_checked.is_empty() {
            let fix = if is_aws {
                "no call without an effect shows whether they are allowed: compare with `instep template policies`"
            } else {
                "check them on AWS: a stand-in may accept what AWS refuses"
            };
            found.push(CheckResult::note(OF, format!("not checked here: {}", not_checked.join(", ")), fix));
        }
        found
    }

    fn what(&self, on: Resource) -> String {
        match on {
            Resource::Table => format!("table `{}`", self.settings.table),
            Resource::Index(place) => format!("index `{}`", self.model.index_at(place).name),
            Resource::ModelItems => format!("the models in table `{}`", self.settings.table),
            Resource::Stream => "the stream".to_owned(),
            Resource::UserPool => "the user pool".to_owned(),
            Resource::GroupRoles => "the IAM roles of groups".to_owned(),
            Resource::Bus => format!("bus `{}`", self.settings.bus),
            Resource::WorkQueue => "the work queue".to_owned(),
            Resource::ParkedQueue => "the queue of parked records".to_owned(),
            Resource::ParkedObjects | Resource::SweptObjects | Resource::GivenUpObjects | Resource::Bucket => {
                "the bucket".to_owned()
            }
        }
    }

    async fn check_action(&self, access: &Access, is_aws: bool) -> ActionCheck {
        let action = access.action;
        match (access.on, action) {
            // The resource existed a moment ago.
            (_, "dynamodb:DescribeTable" | "cognito-idp:DescribeUserPool" | "events:DescribeEventBus") => {
                ActionCheck::Allowed
            }
            (Resource::Table | Resource::Index(_), _) => self.check_table_action(access).await,
            // A stand-in may accept what AWS refuses.
            (_, "cognito-idp:CreateGroup" | "cognito-idp:AdminCreateUser") if !is_aws => ActionCheck::NotChecked,
            (Resource::UserPool, _) => self.check_pool_action(action).await,
            (_, _) if !is_aws => ActionCheck::NotChecked,
            (Resource::Bus, _) => self.check_bus().await,
            (Resource::ParkedQueue, "sqs:SendMessage") => match &self.settings.parking {
                Some(parking) => self.check_queue(&parking.queue_url).await,
                None => ActionCheck::NotChecked,
            },
            (Resource::WorkQueue, "sqs:SendMessage") => self.check_queue(&self.settings.work_queue).await,
            (Resource::ParkedObjects, "s3:PutObject") => self.check_bucket().await,
            (_, _) => ActionCheck::NotChecked,
        }
    }

    async fn check_table_action(&self, access: &Access) -> ActionCheck {
        let (table, model) = (&self.settings.table, self.model);
        let dynamodb = &self.clients.dynamodb();
        let key = key_to_sdk(model, &Key { pk: ABSENT.to_owned(), sk: ABSENT.to_owned() });
        let must_be_there = "attribute_exists(#pk)";
        let pk = model.table.pk.as_str();
        match (access.on, access.action) {
            (_, "dynamodb:BatchGetItem") => {
                let Ok(keys) = KeysAndAttributes::builder().keys(key).build() else { return ActionCheck::NotChecked };
                classify(call(None, || dynamodb.batch_get_item().request_items(table, keys.clone()).send())).await
            }
            (on, "dynamodb:Query") => {
                let index = if let Resource::Index(place) = on { Some(model.index_at(place)) } else { None };
                let name = index.and_then(|index| index.pk.first()).map_or(pk, String::as_str);
                let query = || {
                    let request =
                        dynamodb.query().table_name(table).set_index_name(index.map(|index| index.name.clone()));
                    let request = request.key_condition_expression("#pk = :pk").expression_attribute_names("#pk", name);
                    request.expression_attribute_values(":pk", AttributeValue::S(ABSENT.to_owned())).limit(1).send()
                };
                classify(call(None, query)).await
            }
            (_, "dynamodb:PutItem") => {
                let put = dynamodb.put_item().table_name(table).set_item(Some(key));
                let put = put.condition_expression(must_be_there).expression_attribute_names("#pk", pk);
                classify(call(None, || put.clone().send())).await
            }
            (_, "dynamodb:DeleteItem") => {
                let delete = dynamodb.delete_item().table_name(table).set_key(Some(key));
                let delete = delete.condition_expression(must_be_there).expression_attribute_names("#pk", pk);
                classify(call(None, || delete.clone().send())).await
            }
            (_, "dynamodb:UpdateItem") => {
                let update = dynamodb.update_item().table_name(table).set_key(Some(key));
                let update = update.condition_expression(must_be_there).expression_attribute_names("#pk", pk);
                classify(call(None, || update.clone().send())).await
            }
            (_, "dynamodb:ConditionCheckItem") => {
                let check = ConditionCheck::builder().table_name(table).set_key(Some(key));
                let check = check.condition_expression(must_be_there).expression_attribute_names("#pk", pk).build();
                let Ok(check) = check else { return ActionCheck::NotChecked };
                let item = TransactWriteItem::builder().condition_check(check).build();
                classify(call(None, || dynamodb.transact_write_items().transact_items(item.clone()).send())).await
            }
            // This call has no condition, but there is no item to delete.
            (_, "dynamodb:BatchWriteItem") => {
                let Ok(delete) = DeleteRequest::builder().set_key(Some(key)).build() else {
                    return ActionCheck::NotChecked;
                };
                let write = vec![WriteRequest::builder().delete_request(delete).build()];
                classify(call(None, || dynamodb.batch_write_item().request_items(table, write.clone()).send())).await
            }
            (_, _) => ActionCheck::NotChecked,
        }
    }

    async fn check_pool_action(&self, action: &str) -> ActionCheck {
        let Some(pool) = &self.settings.user_pool else { return ActionCheck::NotChecked };
        let cognito = &self.clients.cognito();
        let attempt: BoxFuture<'_, Result<(), CallFailure>> = match action {
            "cognito-idp:CreateGroup" => {
                boxed(move || cognito.create_group().user_pool_id(pool).group_name(NO_NAME).send())
            }
            "cognito-idp:AdminCreateUser" => {
                boxed(move || cognito.admin_create_user().user_pool_id(pool).username(NO_NAME).send())
            }
            "cognito-idp:GetGroup" => boxed(move || cognito.get_group().user_pool_id(pool).group_name(ABSENT).send()),
            "cognito-idp:UpdateGroup" => {
                boxed(move || cognito.update_group().user_pool_id(pool).group_name(ABSENT).send())
            }
            "cognito-idp:DeleteGroup" => {
                boxed(move || cognito.delete_group().user_pool_id(pool).group_name(ABSENT).send())
            }
            "cognito-idp:AdminGetUser" => {
                boxed(move || cognito.admin_get_user().user_pool_id(pool).username(ABSENT).send())
            }
            "cognito-idp:ListUsers" => boxed(move || cognito.list_users().user_pool_id(pool).limit(1).send()),
            "cognito-idp:AdminDeleteUser" => {
                boxed(move || cognito.admin_delete_user().user_pool_id(pool).username(ABSENT).send())
            }
            "cognito-idp:AdminEnableUser" => {
                boxed(move || cognito.admin_enable_user().user_pool_id(pool).username(ABSENT).send())
            }
            "cognito-idp:AdminDisableUser" => {
                boxed(move || cognito.admin_disable_user().user_pool_id(pool).username(ABSENT).send())
            }
            "cognito-idp:AdminUserGlobalSignOut" => {
                boxed(move || cognito.admin_user_global_sign_out().user_pool_id(pool).username(ABSENT).send())
            }
            "cognito-idp:AdminListGroupsForUser" => {
                boxed(move || cognito.admin_list_groups_for_user().user_pool_id(pool).username(ABSENT).send())
            }
            "cognito-idp:AdminAddUserToGroup" => boxed(move || {
                cognito.admin_add_user_to_group().user_pool_id(pool).username(ABSENT).group_name(ABSENT).send()
            }),
            "cognito-idp:AdminRemoveUserFromGroup" => boxed(move || {
                cognito.admin_remove_user_from_group().user_pool_id(pool).username(ABSENT).group_name(ABSENT).send()
            }),
            "cognito-idp:AdminUpdateUserAttributes" => boxed(move || {
                let request = cognito.admin_update_user_attributes().user_pool_id(pool).username(ABSENT);
                request.set_user_attributes(Some(Vec::new())).send()
            }),
            "cognito-idp:AdminDeleteUserAttributes" => boxed(move || {
                let request = cognito.admin_delete_user_attributes().user_pool_id(pool).username(ABSENT);
                request.user_attribute_names("name").send()
            }),
            _ => return ActionCheck::NotChecked,
        };
        classify(attempt).await
    }

    /// An entry whose detail is not JSON is refused, after the permission was checked.
    async fn check_bus(&self) -> ActionCheck {
        let entry = PutEventsRequestEntry::builder().source("instep.doctor").detail_type("Doctor").detail("no JSON");
        let entry = entry.event_bus_name(&self.settings.bus).build();
        classify(call(None, || self.clients.events().put_events().entries(entry.clone()).send())).await
    }

    async fn check_queue(&self, url: &str) -> ActionCheck {
        let Ok(entry) = SendMessageBatchRequestEntry::builder().id("0").message_body(NO_MESSAGE).build() else {
            return ActionCheck::NotChecked;
        };
        let send = || self.clients.sqs().send_message_batch().queue_url(url).entries(entry.clone()).send();
        classify(call(None, send)).await
    }

    /// Nothing is written, because the object to replace does not exist.
    async fn check_bucket(&self) -> ActionCheck {
        let Some(parking) = &self.settings.parking else { return ActionCheck::NotChecked };
        let key = format!("{}doctor", PARKED_PREFIX);
        let put = || self.clients.s3().put_object().bucket(&parking.bucket).key(&key).if_match(NO_ETAG).send();
        classify(call(None, put)).await
    }
}

/// A call to Cognito, without its answer.
fn boxed<'a, T, E, F, Fut>(attempt: F) -> BoxFuture<'a, Result<(), CallFailure>>
where
    T: Send + 'a,
    E: aws_smithy_types::error::metadata::ProvideErrorMetadata + Send + 'a,
    F: FnMut() -> Fut + Send + 'a,
    Fut: Future<Output = Result<T, aws_sdk_cognitoidentityprovider::error::SdkError<E>>> + Send + 'a,
{
    Box::pin(async move { call(None, attempt).await.map(drop) })
}

async fn classify<T>(answer: impl Future<Output = Result<T, CallFailure>>) -> ActionCheck {
    match answer.await {
        Ok(_) => ActionCheck::Allowed,
        Err(failure) if failure.is_denied() => ActionCheck::Denied,
        Err(failure) if failure.is_expired() => ActionCheck::Unknown("the credentials have expired".to_owned()),
        Err(CallFailure::Answer { .. }) => ActionCheck::Allowed,
        Err(CallFailure::Transient(why)) => ActionCheck::Unknown(why),
        Err(CallFailure::OutOfTime) => ActionCheck::Unknown("no time was left".to_owned()),
    }
}
