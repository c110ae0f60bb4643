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
use instep_aws::{Failure, PARKED_PREFIX, call, key_to_sdk};
use instep_model::Key;

use crate::Doctor;
use crate::access::{Access, Function, Resource, needed};
use crate::verify::Finding;

const OF: &str = "permissions";

/// A key, group and user that do not exist.
const NOBODY: &str = "INSTEP#DOCTOR#nobody";

/// White space, which no Cognito name can contain.
const NO_NAME: &str = "instep doctor";

/// A character that no message can contain.
const NO_MESSAGE: &str = "\u{FFFF}";

/// An ETag that no object has.
const NO_ETAG: &str = "\"00000000000000000000000000000000\"";

/// The outcome of checking an action.
enum Tried {
    Allowed,
    Denied,
    Unknown(String),
    /// The call could have an effect.
    Not,
}

impl Doctor<'_> {
    /// Checks every action of the stream function.
    pub(crate) async fn permissions(&self, is_aws: bool) -> Vec<Finding> {
        let mut found = Vec::new();
        let (mut allowed, mut not_tried) = (0, Vec::new());
        let mut needed = needed(self.model, Function::Stream);
        // Without a work queue in the settings, its permission cannot be checked.
        if self.settings.work_queue.is_empty() {
            needed.retain(|access| access.on != Resource::WorkQueue);
        }
        for access in &needed {
            let what = self.what(access.on);
            match self.try_out(access, is_aws).await {
                Tried::Allowed => allowed += 1,
                Tried::Not => not_tried.push(access.action),
                Tried::Denied => {
                    let says = format!("{} on {what} is denied", access.action);
                    let fix = "allow it: `instep template policies` prints the statements";
                    found.push(Finding::wrong(OF, says, fix));
                }
                Tried::Unknown(why) => {
                    let says = format!("{} on {what}: {why}", access.action);
                    found.push(Finding::note(OF, says, "try again"));
                }
            }
        }
        let all = needed.len();
        let says = format!("the caller may call {allowed} of the {all} actions of the stream function");
        found.push(Finding::fine(OF, says));
        if !not_tried.is_empty() {
            let fix = "check them on AWS: a stand-in may accept what AWS refuses";
            found.push(Finding::note(OF, format!("not checked here: {}", not_tried.join(", ")), fix));
        }
        found
    }

    fn what(&self, on: Resource) -> String {
        match on {
            Resource::Table => format!("table `{}`", self.settings.table),
            Resource::Index(place) => format!("index `{}`", self.model.index_at(place).name),
            Resource::Stream => "the stream".to_owned(),
            Resource::UserPool => "the user pool".to_owned(),
            Resource::Bus => format!("bus `{}`", self.settings.bus),
            Resource::WorkQueue => "the work queue".to_owned(),
            Resource::ParkedQueue => "the queue of parked records".to_owned(),
            Resource::ParkedObjects | Resource::Objects | Resource::Bucket => "the bucket".to_owned(),
        }
    }

    async fn try_out(&self, access: &Access, is_aws: bool) -> Tried {
        let action = access.action;
        match (access.on, action) {
            // The resource existed a moment ago.
            (_, "dynamodb:DescribeTable" | "cognito-idp:DescribeUserPool" | "events:DescribeEventBus") => {
                Tried::Allowed
            }
            (Resource::Table | Resource::Index(_), _) => self.try_table(access).await,
            // A stand-in may accept what AWS refuses.
            (_, "cognito-idp:CreateGroup" | "cognito-idp:AdminCreateUser") if !is_aws => Tried::Not,
            (Resource::UserPool, _) => self.try_pool(action).await,
            (_, _) if !is_aws => Tried::Not,
            (Resource::Bus, _) => self.try_bus().await,
            (Resource::ParkedQueue, "sqs:SendMessage") => match &self.settings.parking {
                Some(parking) => self.try_queue(&parking.queue_url).await,
                None => Tried::Not,
            },
            (Resource::WorkQueue, "sqs:SendMessage") => self.try_queue(&self.settings.work_queue).await,
            (Resource::ParkedObjects, "s3:PutObject") => self.try_bucket().await,
            (_, _) => Tried::Not,
        }
    }

    async fn try_table(&self, access: &Access) -> Tried {
        let (table, model) = (&self.settings.table, self.model);
        let dynamodb = &self.clients.dynamodb();
        let key = key_to_sdk(model, &Key { pk: NOBODY.to_owned(), sk: NOBODY.to_owned() });
        let must_be_there = "attribute_exists(#pk)";
        let pk = model.table.pk.as_str();
        match (access.on, access.action) {
            (_, "dynamodb:BatchGetItem") => {
                let Ok(keys) = KeysAndAttributes::builder().keys(key).build() else { return Tried::Not };
                judge(call(None, || dynamodb.batch_get_item().request_items(table, keys.clone()).send())).await
            }
            (on, "dynamodb:Query") => {
                let index = if let Resource::Index(place) = on { Some(model.index_at(place)) } else { None };
                let name = index.and_then(|index| index.pk.first()).map_or(pk, String::as_str);
                let query = || {
                    let request =
                        dynamodb.query().table_name(table).set_index_name(index.map(|index| index.name.clone()));
                    let request = request.key_condition_expression("#pk = :pk").expression_attribute_names("#pk", name);
                    request.expression_attribute_values(":pk", AttributeValue::S(NOBODY.to_owned())).limit(1).send()
                };
                judge(call(None, query)).await
            }
            (_, "dynamodb:PutItem") => {
                let put = dynamodb.put_item().table_name(table).set_item(Some(key));
                let put = put.condition_expression(must_be_there).expression_attribute_names("#pk", pk);
                judge(call(None, || put.clone().send())).await
            }
            (_, "dynamodb:DeleteItem") => {
                let delete = dynamodb.delete_item().table_name(table).set_key(Some(key));
                let delete = delete.condition_expression(must_be_there).expression_attribute_names("#pk", pk);
                judge(call(None, || delete.clone().send())).await
            }
            (_, "dynamodb:UpdateItem") => {
                let update = dynamodb.update_item().table_name(table).set_key(Some(key));
                let update = update.condition_expression(must_be_there).expression_attribute_names("#pk", pk);
                judge(call(None, || update.clone().send())).await
            }
            (_, "dynamodb:ConditionCheckItem") => {
                let check = ConditionCheck::builder().table_name(table).set_key(Some(key));
                let check = check.condition_expression(must_be_there).expression_attribute_names("#pk", pk).build();
                let Ok(check) = check else { return Tried::Not };
                let item = TransactWriteItem::builder().condition_check(check).build();
                judge(call(None, || dynamodb.transact_write_items().transact_items(item.clone()).send())).await
            }
            // This call has no condition, but there is no item to delete.
            (_, "dynamodb:BatchWriteItem") => {
                let Ok(delete) = DeleteRequest::builder().set_key(Some(key)).build() else { return Tried::Not };
                let write = vec![WriteRequest::builder().delete_request(delete).build()];
                judge(call(None, || dynamodb.batch_write_item().request_items(table, write.clone()).send())).await
            }
            (_, _) => Tried::Not,
        }
    }

    async fn try_pool(&self, action: &str) -> Tried {
        let Some(pool) = &self.settings.user_pool else { return Tried::Not };
        let cognito = &self.clients.cognito();
        let tried: BoxFuture<'_, Result<(), Failure>> = match action {
            "cognito-idp:CreateGroup" => {
                tried(move || cognito.create_group().user_pool_id(pool).group_name(NO_NAME).send())
            }
            "cognito-idp:AdminCreateUser" => {
                tried(move || cognito.admin_create_user().user_pool_id(pool).username(NO_NAME).send())
            }
            "cognito-idp:GetGroup" => tried(move || cognito.get_group().user_pool_id(pool).group_name(NOBODY).send()),
            "cognito-idp:UpdateGroup" => {
                tried(move || cognito.update_group().user_pool_id(pool).group_name(NOBODY).send())
            }
            "cognito-idp:DeleteGroup" => {
                tried(move || cognito.delete_group().user_pool_id(pool).group_name(NOBODY).send())
            }
            "cognito-idp:AdminGetUser" => {
                tried(move || cognito.admin_get_user().user_pool_id(pool).username(NOBODY).send())
            }
            "cognito-idp:AdminDeleteUser" => {
                tried(move || cognito.admin_delete_user().user_pool_id(pool).username(NOBODY).send())
            }
            "cognito-idp:AdminEnableUser" => {
                tried(move || cognito.admin_enable_user().user_pool_id(pool).username(NOBODY).send())
            }
            "cognito-idp:AdminDisableUser" => {
                tried(move || cognito.admin_disable_user().user_pool_id(pool).username(NOBODY).send())
            }
            "cognito-idp:AdminListGroupsForUser" => {
                tried(move || cognito.admin_list_groups_for_user().user_pool_id(pool).username(NOBODY).send())
            }
            "cognito-idp:AdminAddUserToGroup" => tried(move || {
                cognito.admin_add_user_to_group().user_pool_id(pool).username(NOBODY).group_name(NOBODY).send()
            }),
            "cognito-idp:AdminRemoveUserFromGroup" => tried(move || {
                cognito.admin_remove_user_from_group().user_pool_id(pool).username(NOBODY).group_name(NOBODY).send()
            }),
            "cognito-idp:AdminUpdateUserAttributes" => tried(move || {
                let request = cognito.admin_update_user_attributes().user_pool_id(pool).username(NOBODY);
                request.set_user_attributes(Some(Vec::new())).send()
            }),
            "cognito-idp:AdminDeleteUserAttributes" => tried(move || {
                let request = cognito.admin_delete_user_attributes().user_pool_id(pool).username(NOBODY);
                request.user_attribute_names("name").send()
            }),
            _ => return Tried::Not,
        };
        judge(tried).await
    }

    /// An entry whose detail is not JSON is refused, after the permission was checked.
    async fn try_bus(&self) -> Tried {
        let entry = PutEventsRequestEntry::builder().source("instep.doctor").detail_type("Doctor").detail("no JSON");
        let entry = entry.event_bus_name(&self.settings.bus).build();
        judge(call(None, || self.clients.events().put_events().entries(entry.clone()).send())).await
    }

    async fn try_queue(&self, url: &str) -> Tried {
        let Ok(entry) = SendMessageBatchRequestEntry::builder().id("0").message_body(NO_MESSAGE).build() else {
            return Tried::Not;
        };
        let send = || self.clients.sqs().send_message_batch().queue_url(url).entries(entry.clone()).send();
        judge(call(None, send)).await
    }

    /// Nothing is written, because the object to replace does not exist.
    async fn try_bucket(&self) -> Tried {
        let Some(parking) = &self.settings.parking else { return Tried::Not };
        let key = format!("{}doctor", PARKED_PREFIX);
        let put = || self.clients.s3().put_object().bucket(&parking.bucket).key(&key).if_match(NO_ETAG).send();
        judge(call(None, put)).await
    }
}

/// A call to Cognito, without its answer.
fn tried<'a, T, E, F, Fut>(attempt: F) -> BoxFuture<'a, Result<(), Failure>>
where
    T: Send + 'a,
    E: aws_smithy_types::error::metadata::ProvideErrorMetadata + Send + 'a,
    F: FnMut() -> Fut + Send + 'a,
    Fut: Future<Output = Result<T, aws_sdk_cognitoidentityprovider::error::SdkError<E>>> + Send + 'a,
{
    Box::pin(async move { call(None, attempt).await.map(drop) })
}

async fn judge<T>(answer: impl Future<Output = Result<T, Failure>>) -> Tried {
    match answer.await {
        Ok(_) => Tried::Allowed,
        Err(failure) if failure.is_denied() => Tried::Denied,
        Err(Failure::Answer { .. }) => Tried::Allowed,
        Err(Failure::Transient(why)) => Tried::Unknown(why),
        Err(Failure::OutOfTime) => Tried::Unknown("no time was left".to_owned()),
    }
}
