//! Reports the effects of calls to the watch.

use std::sync::PoisonError;

use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use instep_flow::work::NamedObject;
use instep_model::{Create, Item, Object};
use jiff::Timestamp;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::Net;
use super::call::SeenCall;
use super::faults::Fate;
use super::wire::is_cognito;
use crate::implied::{Fact, noted};
use crate::people::is_guest;
use crate::watch::WatchFinding;
use crate::writers::SECRET;
use crate::{QUEUE, WORK, WORK_DEAD_LETTERS};

/// A slow call takes no longer than this.
const JUST_NOW_MS: i64 = 30_000;

/// How much younger than a deletion of its item a group may be, and count as older: a record says the second.
const SKEW_MS: i64 = 4_000;

/// Nor does one that hangs at Cognito.
const HANGS_MS: i64 = 4_000;

impl Net {
    /// Reports the effect of a call to a service.
    pub(super) fn answered(&self, call: &SeenCall, answer: &HttpResponse) {
        let SeenCall { process, operation, request, body, fate, .. } = call;
        let text = |name: &str| body.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let answer = || -> Value {
            answer.body().bytes().and_then(|bytes| serde_json::from_slice(bytes).ok()).unwrap_or_default()
        };
        let recent = |kind: &str, name: &str, exists| {
            let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
            recent.insert(format!("{kind}:{}", text(name)), (Instant::now(), exists));
        };
        match operation.as_str() {
            "AdminAddUserToGroup" => {
                let (user, group) = (self.called(&text("Username")), text("GroupName"));
                self.watch().has_again(&user, &group);
                let found = self.watch().granted(&user, &group);
                self.found(found);
                // The invocation that sent a late request has ended.
                let sender = (*fate != Fate::Late).then_some(*process);
                let found = self.watch().adds(sender, Fact::Member(user, group));
                self.found(found);
            }
            "AdminRemoveUserFromGroup" => {
                if let Some(user) = self.user(&text("Username")) {
                    self.watch().lost(&user, &text("GroupName"));
                }
            }
            "CreateGroup" => {
                recent("group", "GroupName", true);
                let (group, now_ms) = (text("GroupName"), self.now_ms());
                self.watch().groups_made_ms.insert(group, now_ms);
            }
            // The description marks the group as Instep's.
            "UpdateGroup" => drop(self.watch().of_others.remove(&text("GroupName"))),
            "DeleteGroup" => {
                recent("group", "GroupName", false);
                if self.watch().of_others.remove(&text("GroupName")) {
                    self.broken(format!("9: Instep deleted group {} of somebody else", text("GroupName")));
                }
            }
            "PutEvents" => self.published(*process, body, &answer()),
            "SendMessageBatch" => self.sent(call, &answer()),
            // A record that is too large for a work message.
            "PutObject" => self.watch().sent_work(*process, &body.to_string()),
            "ReceiveMessage" => self.received(&answer()),
            "DeleteMessageBatch" => self.deleted(*process, body, &answer()),
            operation => {
                if operation == "AdminCreateUser" {
                    self.note_name(&text("Username"));
                }
                self.answered_of_user(operation, *process, &self.called(&text("Username")));
            }
        }
        if is_cognito(request) {
            self.pool_after(body);
        }
    }

    /// The effect of a call about a user.
    fn answered_of_user(&self, operation: &str, process: usize, name: &str) {
        let recent = |exists| {
            let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
            recent.insert(format!("user:{name}"), (Instant::now(), exists));
        };
        match operation {
            "AdminUserGlobalSignOut" => {
                if let Some(user) = self.user(name) {
                    let found = self.watch().signed_out(process, &user.username);
                    self.found(found);
                }
            }
            "AdminCreateUser" => {
                recent(true);
                let made = self.sub_of(name).map(|sub| (sub, self.now_ms()));
                self.watch().made_ms.extend(made);
                if self.watch().implied.users_are(|user| user.create == Create::Never) {
                    let what = format!("9: Instep created user {}, whom only people create", name);
                    self.found(Some(WatchFinding::Broken(what)));
                }
            }
            "AdminDeleteUser" => {
                recent(false);
                self.watch().sessions_end(name);
                self.taker_is_gone(name);
                if is_guest(name) {
                    self.broken(format!("9: Instep deleted {}, who has signed up", name));
                }
                if self.watch().implied.users_are(|user| !user.delete) {
                    let what = format!("9: Instep deleted user {}, whom the model keeps", name);
                    self.found(Some(WatchFinding::Broken(what)));
                }
            }
            "AdminDisableUser" | "AdminEnableUser" | "AdminUpdateUserAttributes" | "AdminDeleteUserAttributes"
                if is_guest(name) =>
            {
                self.broken(format!("9: Instep changed {}, who has signed up", name));
            }
            "AdminDisableUser" => {
                let user = self.user(name);
                self.watch().sessions_end(&user.map_or_else(|| name.to_owned(), |user| user.username));
            }
            _ => {}
        }
    }

    /// Whether the account that a call deletes was made for an earlier item of its name, and the table says so: the item
    /// was deleted after the account was made, or just before, or its deletion waited while there was no item.
    pub(super) fn is_of_an_earlier_item(&self, body: &Value) -> bool {
        let name = body.get("Username").and_then(Value::as_str).unwrap_or_default();
        // The answer to an earlier attempt was lost.
        let Some(sub) = self.sub_of(name) else { return true };
        let watch = self.watch();
        let made_ms = watch.made_ms.get(&sub).copied().unwrap_or(i64::MAX);
        // Two runs delete one account, and one of the calls takes so long that the other run has made the next one.
        if self.now_ms() - made_ms < HANGS_MS {
            drop(watch);
            self.count("(open race: a slow deletion reaches the next account)");
            return true;
        }
        let is_noted = |item: &Item| {
            let after = noted(item, "after").and_then(|after| after.split('/').next()?.parse::<Timestamp>().ok());
            // Without a deletion that was known, it was noted while the item did not exist.
            let is_since = after.is_none_or(|after| made_ms - after.as_millisecond() < JUST_NOW_MS);
            noted(item, "old") == Some(sub.as_str()) && (is_since || watch.waited.contains(&sub))
        };
        watch.implied.books.values().any(is_noted)
    }

    /// Whether the group that a call deletes was made before an item that had it was deleted, or just after.
    pub(super) fn is_group_of_an_earlier_item(&self, body: &Value) -> bool {
        let name = body.get("GroupName").and_then(Value::as_str).unwrap_or_default();
        let watch = self.watch();
        let made_ms = watch.groups_made_ms.get(name).copied().unwrap_or(i64::MIN);
        watch.groups_removed_ms.get(name).is_some_and(|removed_ms| made_ms.saturating_sub(*removed_ms) < SKEW_MS)
    }

    /// Instep has deleted the user under a name. Calls are by name: between its own read of the account and the deletion
    /// somebody may have taken the name.
    fn taker_is_gone(&self, name: &str) {
        let now_ms = self.now_ms();
        let there = self.sub_of(name);
        let mut watch = self.watch();
        let is_gone = |sub: &String, of: &(String, i64)| of.0 == name && there.as_ref() != Some(sub);
        let gone: Vec<i64> =
            watch.takers.extract_if(.., |sub, of| is_gone(sub, of)).map(|(_, (_, since))| since).collect();
        drop(watch);
        for since in gone {
            if now_ms - since > JUST_NOW_MS {
                self.broken(format!("9: Instep deleted {name}, an account that people made"));
            } else {
                self.count("(open race: an account that takes the name of another)");
            }
        }
    }

    /// Reports events that the bus has accepted.
    fn published(&self, process: usize, body: &Value, answer: &Value) {
        self.note_handed_on();
        let nothing = Vec::new();
        let results = answer.get("Entries").and_then(Value::as_array).unwrap_or(&nothing);
        let entries = body.get("Entries").and_then(Value::as_array).unwrap_or(&nothing);
        let put = entries.iter().zip(results).filter(|(_, result)| result.get("ErrorCode").is_none());
        let word = |entry: &Value, name: &str| entry.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let put: Vec<_> = put.map(|(entry, _)| (word(entry, "DetailType"), word(entry, "Detail"))).collect();
        let found = self.watch().events(process, &put);
        self.found(found);
    }

    /// Reports messages that a queue has accepted: work messages and parked messages.
    fn sent(&self, call: &SeenCall, answer: &Value) {
        let SeenCall { process, body, .. } = call;
        if body.get("QueueUrl") == Some(&json!(WORK)) {
            for text in succeeded(body, answer, "MessageBody") {
                if text.contains(SECRET) {
                    self.broken(format!("9: a work message contains a secret: {text}"));
                }
                self.watch().sent_work(*process, text);
            }
            return;
        }
        let is_full = self.log().faults.contains_key("Quota");
        for text in succeeded(body, answer, "MessageBody") {
            let found = self.watch().parked(*process, text, is_full);
            self.found(found);
        }
    }

    /// Reports messages that a redrive has received.
    fn received(&self, answer: &Value) {
        let messages = answer.get("Messages").and_then(Value::as_array);
        for message in messages.into_iter().flatten() {
            let text = |name: &str| message.get(name).and_then(Value::as_str).unwrap_or_default();
            self.watch().received(text("ReceiptHandle"), text("Body"));
        }
    }

    /// Reports messages that a redrive has deleted.
    fn deleted(&self, process: usize, body: &Value, answer: &Value) {
        for receipt in succeeded(body, answer, "ReceiptHandle") {
            let found = self.watch().deleted(process, receipt);
            self.found(found);
        }
    }

    /// Reports which objects the undelivered work messages name. A message is parsed when it is first seen.
    pub fn note_handed_on(&self) {
        let mut watch = self.watch();
        let mut known = std::mem::take(&mut watch.handed_on);
        for url in [WORK, WORK_DEAD_LETTERS, QUEUE] {
            self.services.with_messages(url, |messages| {
                for message in messages {
                    let objects = known.remove(&message.id).unwrap_or_else(|| self.named(&message.body));
                    watch.handed_on.insert(message.id.clone(), objects);
                }
            });
        }
    }

    /// The objects that a work message names. The message may be parked.
    fn named(&self, body: &str) -> Vec<Object> {
        // Most messages carry records. Parsing them all would be a tenth of the time of a run.
        if !body.contains("\"reconcile\"") {
            return Vec::new();
        }
        let body: Value = serde_json::from_str(body).unwrap_or_default();
        let body = body.get("record").unwrap_or(&body);
        let objects = body.pointer("/work/reconcile").cloned().unwrap_or_default();
        let objects: Vec<NamedObject> = serde_json::from_value(objects).unwrap_or_default();
        objects.into_iter().filter_map(|object| object.object(&self.model)).collect()
    }

    /// Tells the watch what the pool is.
    pub(super) fn pool(&self) {
        let (groups, users) = self.groups_and_users();
        self.watch().pool(&groups, &users);
    }

    /// Tells the watch what a request may have changed in the pool. To read all of the pool after each request would
    /// take as long as its users are many, for each of them.
    fn pool_after(&self, body: &Value) {
        let name = |name: &str| body.get(name).and_then(Value::as_str);
        match (name("Username"), name("GroupName")) {
            (Some(user), Some(group)) => {
                let is_member = self.services.is_member(user, group);
                let user = self.user(user).map_or_else(|| self.called(user), |state| state.username);
                self.watch().member_is(user, group, is_member);
            }
            (Some(user), None) => {
                let (state, name) = (self.user(user), self.called(user));
                let is_known = self.watch().has_user(&name);
                match state {
                    Some(state) => self.watch().user_is(&state),
                    None if is_known => self.watch().user_is_gone(&name),
                    // Under another spelling, another name may be gone.
                    None => self.pool(),
                }
            }
            (None, Some(group)) => self.watch().group_is(group, self.services.group(group).as_ref()),
            (None, None) => self.watch().pool_is_as_before(),
        }
    }
}

/// A field of those entries of a batch that the service has accepted.
fn succeeded<'a>(body: &'a Value, answer: &'a Value, field: &'static str) -> impl Iterator<Item = &'a str> {
    let entries = |of: &'a Value, name: &str| of.get(name).and_then(Value::as_array).into_iter().flatten();
    let is_done = move |entry: &&Value| entries(answer, "Successful").any(|done| done.get("Id") == entry.get("Id"));
    let done = entries(body, "Entries").filter(is_done);
    done.filter_map(move |entry| entry.get(field).and_then(Value::as_str))
}
