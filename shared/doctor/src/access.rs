//! Access: which actions Instep calls for a model, and on which resources. Policies are generated
//! from this, `instep doctor` checks it, and a test compares it with the calls in the source.

use std::collections::BTreeSet;

use instep_flow::due::needs_clock;
use instep_model::{CognitoUser, Create, ExtraPolicy, ItemType, Link, Marker, Model, ToDependents, UserValue};

/// The resource of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Resource {
    /// The table.
    Table,
    /// An index of the table, by its place in the model.
    Index(usize),
    /// The items of the table that say which models were deployed.
    ModelItems,
    /// The table's stream.
    Stream,
    /// The user pool.
    UserPool,
    /// The IAM roles of the model's groups.
    GroupRoles,
    /// The event bus.
    Bus,
    /// The queue of work messages.
    WorkQueue,
    /// The queue of parked records.
    ParkedQueue,
    /// Parked records in the bucket, which did not fit a message.
    ParkedObjects,
    /// What a sweep keeps in the bucket.
    SweptObjects,
    /// Batches that Lambda gave up on, in the bucket.
    GivenUpObjects,
    /// The bucket itself.
    Bucket,
}

/// An action that a function calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Access {
    /// The resource.
    pub on: Resource,
    /// The IAM action (`dynamodb:PutItem`).
    pub action: &'static str,
}

/// The function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FunctionRole {
    /// The one behind the stream.
    Stream,
    /// The one behind the work queue.
    Work,
    /// The one that sends failed work to the work queue.
    Redrive,
    /// The one that sends what has become due to the work queue. Its policy allows only the items
    /// that say so.
    Clock,
    /// The one that does the units of sweeps and backfills.
    Sweep,
    /// The one that Cognito invokes after a sign-up.
    SignUp,
    /// The one that Cognito invokes before it issues tokens.
    Token,
    /// The one that API Gateway asks about a request.
    Authorizer,
}

/// All actions that a function calls for a model, sorted.
#[must_use]
pub fn needed(model: &Model, function: FunctionRole) -> Vec<Access> {
    let mut needed = Vec::new();
    let mut add = |on: Resource, actions: &[&'static str]| {
        needed.extend(actions.iter().map(|action| Access { on, action }));
    };
    if function == FunctionRole::Token {
        // It reads, and nothing else.
        tokens(model, &mut add);
        needed.sort();
        return needed;
    }
    if function == FunctionRole::Authorizer {
        // It reads by the keys and the queries that answers need, and of indexes only keys count.
        add(Resource::Table, &["dynamodb:BatchGetItem", "dynamodb:Query"]);
        (0..model.indexes.len()).for_each(|index| add(Resource::Index(index), &["dynamodb:Query"]));
        return needed;
    }
    add(Resource::WorkQueue, &["sqs:SendMessage"]);
    if function == FunctionRole::SignUp {
        // It sends a message, and nothing else.
    } else if function == FunctionRole::Clock {
        add(Resource::Table, &["dynamodb:Query", "dynamodb:DeleteItem"]);
    } else if function == FunctionRole::Sweep {
        sweep(model, &mut add);
    } else if function != FunctionRole::Redrive {
        table(model, &mut add);
        cognito(model, &mut add);
        add(Resource::Bus, &["events:DescribeEventBus", "events:PutEvents"]);
        add(Resource::ParkedQueue, &["sqs:SendMessage"]);
        add(Resource::ParkedObjects, &["s3:PutObject"]);
        if function == FunctionRole::Work {
            // A record that does not fit a message is stored there. Without the second permission, S3 does not say
            // whether an object is missing. Source: Amazon S3 API Reference, GetObject.
            add(Resource::ParkedObjects, &["s3:GetObject"]);
            add(Resource::Bucket, &["s3:ListBucket"]);
            if model.uses_cognito() {
                // What only an earlier model implies is taken, also if this one gives no memberships.
                add(Resource::UserPool, &["cognito-idp:AdminRemoveUserFromGroup"]);
            }
        }
    } else {
        add(Resource::ParkedObjects, &["s3:GetObject", "s3:PutObject"]);
        add(Resource::ParkedQueue, &["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:ChangeMessageVisibility"]);
        add(Resource::GivenUpObjects, &["s3:GetObject", "s3:DeleteObject"]);
        add(Resource::Bucket, &["s3:ListBucket"]);
        add(Resource::Stream, &["dynamodb:GetShardIterator", "dynamodb:GetRecords"]);
    }
    needed.sort();
    needed.dedup();
    needed
}

/// Whether Instep deletes users of a model. It also does so to make another account for an item that was written again.
#[must_use]
pub fn deletes_users(model: &Model) -> bool {
    let mut users = model.items.iter().filter_map(|item| item.user.as_ref());
    users.any(|user| user.delete || user.create != Create::Never)
}

/// What the function of tokens reads.
fn tokens(model: &Model, add: &mut impl FnMut(Resource, &[&'static str])) {
    add(Resource::Table, &["dynamodb:BatchGetItem", "dynamodb:Query"]);
    for index in model.queried_indexes().collect::<BTreeSet<_>>() {
        add(Resource::Index(index), &["dynamodb:Query"]);
    }
}

/// What a sweep reads and writes. It reads what a run reads, and of what a run writes only lost back-references.
fn sweep(model: &Model, add: &mut impl FnMut(Resource, &[&'static str])) {
    let is_read = |action: &&'static str| {
        matches!(
            *action,
            "dynamodb:BatchGetItem" | "dynamodb:BatchWriteItem" | "dynamodb:DescribeTable" | "dynamodb:Query"
        )
    };
    table(model, &mut |on, actions| add(on, &actions.iter().copied().filter(is_read).collect::<Vec<_>>()));
    add(Resource::Table, &["dynamodb:Scan"]);
    // It notes which model is deployed.
    add(Resource::ModelItems, &["dynamodb:PutItem"]);
    // A backfill waits while much work is in the queue. A record that does not fit a message is stored beside it.
    add(Resource::WorkQueue, &["sqs:GetQueueAttributes"]);
    add(Resource::ParkedObjects, &["s3:PutObject"]);
    add(Resource::SweptObjects, &["s3:GetObject", "s3:PutObject"]);
    // Without it, S3 does not say whether an object is missing. Source: Amazon S3 API Reference, GetObject.
    add(Resource::Bucket, &["s3:ListBucket"]);
    if needs_clock(model) {
        // It sends what the clock has not sent.
        add(Resource::Table, &["dynamodb:Query", "dynamodb:DeleteItem"]);
    }
    if model.uses_cognito() {
        add(Resource::UserPool, &["cognito-idp:DescribeUserPool"]);
        let lists = ["cognito-idp:ListGroups", "cognito-idp:ListUsers", "cognito-idp:ListUsersInGroup"];
        add(Resource::UserPool, &lists);
        let reads = ["cognito-idp:AdminGetUser", "cognito-idp:AdminListGroupsForUser", "cognito-idp:GetGroup"];
        add(Resource::UserPool, &reads);
    }
}

fn table(model: &Model, add: &mut impl FnMut(Resource, &[&'static str])) {
    let guards = model.items.iter().any(|item| item.guard.is_some());
    let keeps_index_keys = model.items.iter().any(|item| item.index_keys.iter().any(|keys| keys.keep.writes()));
    let deletes_subjects = model.items.iter().any(|item| item.grant.as_ref().is_some_and(|grant| grant.last.is_some()));
    // The dependents of an object are read when it is deleted and when it is created.
    let fans_out = model.links.iter().any(|link| (link.deleted_with || link.needed) && link.leads_down());
    let cascades = model.links.iter().any(|link| link.deleted_with);
    let is_noted = |link: &Link| matches!(link.find, ToDependents::BackReference) || model.has_addresses(link);
    let has_back_references = model.links.iter().any(is_noted);
    add(Resource::Table, &["dynamodb:DescribeTable", "dynamodb:BatchGetItem"]);
    if has_back_references {
        add(Resource::Table, &["dynamodb:BatchWriteItem"]);
    }
    if fans_out || cascades || guards || has_back_references || deletes_subjects {
        // A transaction needs the permissions of its parts, and none of its own.
        add(
            Resource::Table,
            &["dynamodb:Query", "dynamodb:PutItem", "dynamodb:DeleteItem", "dynamodb:ConditionCheckItem"],
        );
    }
    // The account items.
    if model.items.iter().filter_map(|item| item.user.as_ref()).any(|user| user.create != Create::Never) {
        add(Resource::Table, &["dynamodb:PutItem", "dynamodb:DeleteItem"]);
    }
    // The number of users that are deleted in an hour.
    if deletes_users(model) {
        add(Resource::Table, &["dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:ConditionCheckItem"]);
    }
    if guards || keeps_index_keys {
        add(Resource::Table, &["dynamodb:UpdateItem"]);
    }
    if needs_clock(model) {
        add(Resource::Table, &["dynamodb:PutItem", "dynamodb:DeleteItem"]);
    }
    if model.items.iter().any(|item| !item.due.is_empty()) {
        add(Resource::Table, &["dynamodb:UpdateItem"]);
    }
    for index in model.queried_indexes() {
        add(Resource::Index(index), &["dynamodb:Query"]);
    }
}

fn cognito(model: &Model, add: &mut impl FnMut(Resource, &[&'static str])) {
    if !model.uses_cognito() {
        return;
    }
    add(Resource::UserPool, &["cognito-idp:DescribeUserPool"]);
    let items = &model.items;
    // Groups in tokens alone are in no pool.
    let defines_groups = items.iter().flat_map(|item| &item.groups).any(|groups| !groups.in_token);
    let creates_group = |item: &ItemType| item.members.iter().any(|member| !member.is_by_hand() && !member.in_token);
    if defines_groups || items.iter().any(creates_group) {
        add(Resource::UserPool, &["cognito-idp:CreateGroup"]);
        // Another service gets a role: the caller may give only these. Source: IAM User Guide, "Grant a user permissions
        // to pass a role to an AWS service".
        if !model.iam_roles().is_empty() {
            add(Resource::GroupRoles, &["iam:PassRole"]);
        }
        let mut groups = items.iter().flat_map(|item| &item.groups);
        let has_settings = groups.any(|groups| groups.precedence.is_some() || groups.iam_role.is_some());
        let is_marked = model.marker == Marker::Description;
        // Of a group whose item was deleted: it may be older than that.
        if is_marked || defines_groups {
            add(Resource::UserPool, &["cognito-idp:GetGroup"]);
        }
        if is_marked || has_settings {
            add(Resource::UserPool, &["cognito-idp:UpdateGroup"]);
        }
    }
    let deletes_group = |item: &ItemType| item.members.iter().any(|member| !member.group_deleted_with().is_empty());
    if defines_groups || items.iter().any(deletes_group) {
        add(Resource::UserPool, &["cognito-idp:DeleteGroup"]);
    }
    if items.iter().flat_map(|item| &item.members).any(|member| !member.in_token) {
        add(Resource::UserPool, &["cognito-idp:AdminAddUserToGroup", "cognito-idp:AdminRemoveUserFromGroup"]);
    }
    // What an earlier model left in the pool.
    if model.has_token_groups() && model.extra_members == ExtraPolicy::Remove {
        let removals = ["cognito-idp:AdminRemoveUserFromGroup", "cognito-idp:DeleteGroup", "cognito-idp:GetGroup"];
        add(Resource::UserPool, &removals);
    }
    if model.signs_out() {
        add(Resource::UserPool, &["cognito-idp:AdminUserGlobalSignOut"]);
    }
    if items.iter().any(|item| item.grant.as_ref().is_some_and(|grant| grant.last.is_some())) {
        add(Resource::UserPool, &["cognito-idp:AdminListGroupsForUser"]);
    }
    for user in items.iter().filter(|item| item.user_value.is_none()).filter_map(|item| item.user.as_ref()) {
        users(user, add);
    }
    match model.user_value() {
        Some((_, UserValue::Sub)) => add(Resource::UserPool, &["cognito-idp:ListUsers", "cognito-idp:AdminGetUser"]),
        Some((_, UserValue::Name)) => add(Resource::UserPool, &["cognito-idp:AdminGetUser"]),
        None => {}
    }
}

fn users(user: &CognitoUser, add: &mut impl FnMut(Resource, &[&'static str])) {
    let pool = Resource::UserPool;
    add(pool, &["cognito-idp:AdminGetUser", "cognito-idp:AdminEnableUser"]);
    if user.create != Create::Never {
        add(pool, &["cognito-idp:AdminCreateUser"]);
    }
    if user.delete || user.create != Create::Never {
        add(pool, &["cognito-idp:AdminDeleteUser"]);
    }
    if user.disabled.is_some() || user.delete || user.create != Create::Never {
        add(pool, &["cognito-idp:AdminDisableUser"]);
    }
    if !user.attributes.is_empty() {
        add(pool, &["cognito-idp:AdminUpdateUserAttributes", "cognito-idp:AdminDeleteUserAttributes"]);
    }
}
