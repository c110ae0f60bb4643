//! Doctor: checks what a deployment needs, beyond what each function verifies itself. It changes
//! nothing.

use aws_sdk_cognitoidentityprovider::types::UserPoolType;
use aws_sdk_dynamodb::types::TimeToLiveStatus;
use aws_sdk_sqs::types::QueueAttributeName;
use instep_aws::{CallFailure, GIVEN_UP_PREFIX, Parking, call};
use instep_model::{COGNITO_NAME_MAX_CHARS, CognitoUser, Create, ItemType, Model, UserValue, template::Template};
use serde::Deserialize;

use crate::Doctor;
use crate::tokens;
use crate::verify::{CheckResult, Level};

/// The maximum groups of a pool, and of a user. Source: Amazon Cognito Developer Guide, "Quotas in
/// Amazon Cognito".
pub(crate) const POOL_GROUPS_MAX: usize = 10_000;
pub(crate) const USER_GROUPS_MAX: usize = 100;

/// The maximum groups of one page. Source: Amazon Cognito user pools API Reference, ListGroups.
const GROUPS_PAGE: i32 = 60;

/// The percentage of a quota from which a note is reported.
const NEAR_PERCENT: usize = 80;

/// The message size in bytes that a queue of parked records should allow. Source: Amazon SQS API
/// Reference, SetQueueAttributes.
const MESSAGE_BYTES: usize = 1_048_576;

const PARKED_QUEUE: &str = "parked queue";

/// The suffix of a FIFO queue's name. Source: Amazon SQS Developer Guide, "Amazon SQS FIFO queues".
const FIFO: &str = ".fifo";

/// The options of an examination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Examination {
    /// The services are AWS's own. They refuse calls without effect, which a stand-in might
    /// execute.
    pub is_aws: bool,
    /// The whole table is also read.
    pub scan: bool,
}

impl Doctor<'_> {
    /// Checks everything, and passes each finding to `found`.
    ///
    /// # Errors
    /// The errors of `found`.
    pub async fn examine<E>(
        &self,
        examination: Examination,
        mut found: impl FnMut(CheckResult) -> Result<(), E>,
    ) -> Result<(), E> {
        let verified = self.verify(None).await;
        // If a resource does not exist, its permissions cannot be checked.
        let is_there = |of: &str| {
            let mut of = verified.iter().filter(|finding| finding.resource == of);
            of.all(|finding| finding.level < Level::Unknown)
        };
        let (table, pool, bus) = (is_there("table"), is_there("pool"), is_there("bus"));
        verified.into_iter().try_for_each(&mut found)?;
        if table {
            found(self.time_to_live().await)?;
        }
        if pool && self.model.uses_cognito() {
            self.pool().await.into_iter().try_for_each(&mut found)?;
        }
        if let Some(parking) = &self.settings.parking {
            self.queue(parking).await.into_iter().try_for_each(&mut found)?;
            found(self.bucket(parking).await)?;
        } else {
            let fix = "set `--parked-queue` and `--bucket` (or INSTEP_PARKED_QUEUE and INSTEP_BUCKET)";
            found(CheckResult::note(PARKED_QUEUE, "not checked, nor the bucket: both must be named", fix))?;
        }
        if table && pool && bus {
            self.permissions(examination.is_aws).await.into_iter().try_for_each(&mut found)?;
        }
        names(self.model).into_iter().try_for_each(&mut found)?;
        if table && examination.scan {
            self.scan().await.into_iter().try_for_each(&mut found)?;
        }
        Ok(())
    }

    async fn time_to_live(&self) -> CheckResult {
        const OF: &str = "time to live";
        let (name, wanted) = (&self.settings.table, self.model.table.ttl.as_str());
        let describe = || self.clients.dynamodb().describe_time_to_live().table_name(name).send();
        let answer = match call(None, describe).await {
            Ok(answer) => answer.time_to_live_description,
            Err(failure) => return CheckResult::of_failure(OF, "DescribeTimeToLive", name, &failure),
        };
        let is_on = answer
            .as_ref()
            .and_then(|ttl| ttl.time_to_live_status())
            .is_some_and(|status| matches!(status, TimeToLiveStatus::Enabled | TimeToLiveStatus::Enabling));
        let attribute = answer.as_ref().and_then(|ttl| ttl.attribute_name()).unwrap_or_default();
        match (is_on, attribute == wanted) {
            (true, true) => CheckResult::fine(OF, format!("on, by `{wanted}`")),
            (true, false) => CheckResult::wrong(
                OF,
                format!("on, by `{attribute}`, but the model has `{wanted}`"),
                format!("set `ttl = \"{attribute}\"` under [table]: Instep's own items use it too"),
            ),
            (false, _) => CheckResult::note(
                OF,
                "off: the tombstones of deleted parents never expire",
                format!("enable it, with the attribute `{wanted}`"),
            ),
        }
    }

    async fn pool(&self) -> Vec<CheckResult> {
        let Some(name) = &self.settings.user_pool else { return Vec::new() };
        let describe = || self.clients.cognito().describe_user_pool().user_pool_id(name).send();
        let mut found = match call(None, describe).await {
            Ok(answer) => answer.user_pool.map(|pool| check_pool(self.model, &pool)).unwrap_or_default(),
            Err(failure) => vec![CheckResult::of_failure("pool", "DescribeUserPool", name, &failure)],
        };
        found.push(match self.count_groups(name).await {
            Ok(count) => quota("groups", "groups are in the pool", count, POOL_GROUPS_MAX),
            Err(failure) => CheckResult::of_failure("groups", "ListGroups", name, &failure),
        });
        found
    }

    async fn count_groups(&self, pool: &str) -> Result<usize, CallFailure> {
        let mut count = 0;
        let mut next = None;
        // INVARIANT 8: the number of groups in a pool is bounded.
        while count <= POOL_GROUPS_MAX {
            let list = || {
                let request = self.clients.cognito().list_groups().user_pool_id(pool).limit(GROUPS_PAGE);
                request.set_next_token(next.clone()).send()
            };
            let answer = call(None, list).await?;
            count += answer.groups().len();
            next = answer.next_token;
            if next.is_none() {
                break;
            }
        }
        Ok(count)
    }

    async fn queue(&self, parking: &Parking) -> Vec<CheckResult> {
        const OF: &str = PARKED_QUEUE;
        let url = &parking.queue_url;
        let wanted = [
            QueueAttributeName::ApproximateNumberOfMessages,
            QueueAttributeName::MaximumMessageSize,
            QueueAttributeName::RedrivePolicy,
        ];
        let get = || {
            let request = self.clients.sqs().get_queue_attributes().queue_url(url);
            request.set_attribute_names(Some(wanted.to_vec())).send()
        };
        let attributes = match call(None, get).await {
            Ok(answer) => answer.attributes.unwrap_or_default(),
            Err(failure)
                if failure.is("QueueDoesNotExist") || failure.is("AWS.SimpleQueueService.NonExistentQueue") =>
            {
                return vec![CheckResult::wrong(
                    OF,
                    format!("`{url}` does not exist"),
                    "create it, or correct its URL",
                )];
            }
            Err(failure) => return vec![CheckResult::of_failure(OF, "GetQueueAttributes", url, &failure)],
        };
        let number = |name: &QueueAttributeName| attributes.get(name).and_then(|text| text.parse::<usize>().ok());
        let mut found = vec![CheckResult::fine(OF, "it exists")];
        if let Some(bytes) = number(&QueueAttributeName::MaximumMessageSize).filter(|bytes| *bytes < MESSAGE_BYTES) {
            let message = format!("its messages have at most {bytes} bytes; it refuses larger parked records");
            found.push(CheckResult::wrong(OF, message, format!("set MaximumMessageSize to {MESSAGE_BYTES}")));
        }
        if url.ends_with(FIFO) {
            let fix = "create a standard queue: parked records need no order";
            found.push(CheckResult::wrong(
                OF,
                "it is a FIFO queue, which refuses messages without a message group",
                fix,
            ));
        }
        match attributes.get(&QueueAttributeName::RedrivePolicy).map(|policy| dead_letters(policy)) {
            None => {
                let fix = "add one, for records that are parked again and again";
                found.push(CheckResult::note(OF, "it has no dead-letter queue", fix));
            }
            Some(None) => {}
            Some(Some((account, name))) => found.extend(self.dead_letters(account, name).await),
        }
        if let Some(waiting) = number(&QueueAttributeName::ApproximateNumberOfMessages).filter(|count| *count > 0) {
            let message = format!("it has about {waiting} parked records");
            found.push(CheckResult::note(OF, message, "fix what their reasons name, then run `instep redrive parked`"));
        }
        found
    }

    async fn dead_letters(&self, account: String, name: String) -> Option<CheckResult> {
        const OF: &str = "dead letters";
        let find = || self.clients.sqs().get_queue_url().queue_name(&name).queue_owner_aws_account_id(&account).send();
        let url = match call(None, find).await {
            Ok(answer) => answer.queue_url?,
            Err(failure) => return Some(CheckResult::of_failure(OF, "GetQueueUrl", &name, &failure)),
        };
        let wanted = QueueAttributeName::ApproximateNumberOfMessages;
        let count = || self.clients.sqs().get_queue_attributes().queue_url(&url).attribute_names(wanted.clone()).send();
        let waiting = match call(None, count).await {
            Ok(answer) => answer.attributes.and_then(|attributes| attributes.get(&wanted)?.parse::<usize>().ok()),
            Err(failure) => return Some(CheckResult::of_failure(OF, "GetQueueAttributes", &url, &failure)),
        };
        let waiting = waiting.filter(|count| *count > 0)?;
        let message = format!(
            "it has about {waiting} messages, which nothing redrives; each expires 14 days after it was parked"
        );
        Some(CheckResult::note(OF, message, format!("fix what their reasons name, then run `instep redrive {url}`")))
    }

    async fn bucket(&self, parking: &Parking) -> CheckResult {
        const OF: &str = "bucket";
        let name = &parking.bucket;
        let list = || self.clients.s3().list_objects_v2().bucket(name).prefix(GIVEN_UP_PREFIX).max_keys(1).send();
        match call(None, list).await {
            Ok(answer) if answer.contents().is_empty() => {
                CheckResult::fine(OF, "it exists; Lambda has given up no batch")
            }
            Ok(_) => CheckResult::note(OF, "it has batches that Lambda gave up on", "run `instep redrive failed`"),
            Err(failure) if failure.is("NoSuchBucket") => {
                CheckResult::wrong(OF, format!("`{name}` does not exist"), "create it, or correct its name")
            }
            Err(failure) => CheckResult::of_failure(OF, "ListObjectsV2", name, &failure),
        }
    }
}

/// The account and name of the queue in a redrive policy.
fn dead_letters(policy: &str) -> Option<(String, String)> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Policy {
        dead_letter_target_arn: String,
    }
    let Policy { dead_letter_target_arn: arn } = serde_json::from_str(policy).ok()?;
    let mut parts = arn.split(':').skip(4);
    Some((parts.next()?.to_owned(), parts.next()?.to_owned()))
}

/// Checks whether a pool matches a model.
fn check_pool(model: &Model, pool: &UserPoolType) -> Vec<CheckResult> {
    let mut found = Vec::new();
    // Nobody can choose a `sub`.
    let is_named = |item: &&ItemType| item.user_value != Some(UserValue::Sub);
    let users = || model.items.iter().filter(is_named).filter_map(|item| item.user.as_ref());
    found.extend(check_sign_up(model, pool));
    found.extend(tokens::check(model, pool));
    let is_sensitive = pool.username_configuration().is_none_or(|names| names.case_sensitive());
    if !model.has_lowered_users() && !is_sensitive {
        let fix = "write user ids in one case, or use `|lower` in the model's user name";
        found.push(CheckResult::note(
            "pool",
            "names that differ only in case are one user in the pool, but two in the model",
            fix,
        ));
    }
    let aliases = pool.alias_attributes();
    if users().next().is_some() && !aliases.is_empty() {
        let names: Vec<&str> = aliases.iter().map(|name| name.as_str()).collect();
        let message = format!(
            "its users can also sign in by {}: a user name of the model may be the alias of another user, whom Instep \
             would change or delete",
            names.join(" or ")
        );
        let fix = "use a user pool without alias attributes (`AliasAttributes`); they cannot be removed from a pool";
        found.push(CheckResult::wrong("pool", message, fix));
    }
    let signs_in_by = pool.username_attributes();
    if users().next().is_some() && !signs_in_by.is_empty() {
        let names: Vec<&str> = signs_in_by.iter().map(|name| name.as_str()).collect();
        let is_known = |user: &CognitoUser| user.create != Create::Never && user.named_by_address;
        let message = format!("its users sign in by {}, and Cognito generates their names", names.join(" or "));
        if users().all(is_known) {
            let fix = "make sure that the model's user names have this form: Cognito refuses others";
            found.push(CheckResult::note("pool", message, fix));
        } else {
            let message = format!("{message}: an address can become another person's, so Instep gives it nothing");
            let fix = "give each user of the model the attribute `email` or `phone_number` with the template of its `name`; for \
                       people who sign up, write `cognito.member.user = { sub = \"…\" }`; or use a pool without \
                       `UsernameAttributes`, which cannot be removed from a pool";
            found.push(CheckResult::wrong("pool", message, fix));
        }
    }
    found
}

/// Checks whether people can sign up in a pool, if items name people who do.
fn check_sign_up(model: &Model, pool: &UserPoolType) -> Vec<CheckResult> {
    let mut found = Vec::new();
    if model.user_value().is_none() {
        return found;
    }
    if pool.admin_create_user_config().is_some_and(|create| create.allow_admin_create_user_only()) {
        let fix = "allow it, `AllowAdminCreateUserOnly: false`, unless accounts come from somewhere else";
        found.push(CheckResult::note("pool", "the model names people who sign up, and nobody can sign up", fix));
    }
    if pool.lambda_config().and_then(|triggers| triggers.post_confirmation()).is_none() {
        let message =
            "no function is invoked after a sign-up: pending grants take effect only when a sweep repairs them";
        let fix = "set the trigger PostConfirmation to the function `SignUpFunction` of the stack, or let the one that is \
                   set invoke it";
        found.push(CheckResult::note("pool", message, fix));
    }
    found
}

/// Reports the maximum length of names in group names. Cognito's names are shorter than keys.
fn names(model: &Model) -> Vec<CheckResult> {
    let mut found = Vec::new();
    for item in &model.items {
        let defined = item.groups.iter().map(|groups| &groups.name);
        let made = item.members.iter().filter(|member| member.group_link().is_none() && !member.is_by_hand());
        for template in defined.into_iter().chain(made.map(|member| &member.group)) {
            found.push(room(model, &item.name, template));
        }
    }
    if model.items.iter().flat_map(|item| &item.members).any(|member| !member.in_token) {
        let message = format!("a user can be in {USER_GROUPS_MAX} groups: each role of a grant takes one");
        found.push(CheckResult::fine("groups", message));
    }
    found
}

fn room(model: &Model, item: &str, template: &Template) -> CheckResult {
    // A name with a closed set needs as much as its longest value.
    let longest = |name: &str| {
        let values = model.names.get(name).map(|rule| &rule.values).into_iter().flatten();
        values.max_by_key(|value| value.chars().count()).cloned()
    };
    let free: Vec<&str> = template.names().filter(|name| longest(name).is_none()).collect();
    let fixed = template.render(&|name| Some(longest(name).unwrap_or_default())).unwrap_or_default();
    let left = COGNITO_NAME_MAX_CHARS.saturating_sub(fixed.chars().count());
    let names: Vec<String> = free.iter().map(|name| format!("`{name}`")).collect();
    let together = if names.len() > 1 { " together" } else { "" };
    let message = format!(
        "`{template}` of {item}: {} may have {left} characters{together}, without white space; Cognito allows \
         {COGNITO_NAME_MAX_CHARS}",
        names.join(" and ")
    );
    CheckResult::fine("names", message)
}

/// Compares a count with a quota.
pub(crate) fn quota(of: &'static str, what: &str, count: usize, most: usize) -> CheckResult {
    let message = format!("{count} {what}; Cognito allows {most}");
    if count >= most {
        CheckResult::wrong(of, message, "no group can be added: delete some, or divide the table among pools")
    } else if count * 100 >= most * NEAR_PERCENT {
        CheckResult::note(of, message, "it will soon be full: delete some, or divide the table among pools")
    } else {
        CheckResult::fine(of, message)
    }
}
