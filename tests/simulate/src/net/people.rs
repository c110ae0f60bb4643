//! Calls to the services that do not come from Instep.

use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_types::body::SdkBody;
use instep_flow::bookkeeping::BookkeepingKind;
use instep_flow::work::{NamedObject, Work, WorkMessage};
use instep_local::{APP_CLIENT, CONFIRMATION_CODE, SignIn, USER_POOL, UserState};
use instep_model::{Create, Item, Key, Names, Object, UserValue, Value as ItemValue};
use serde_json::{Value, json};

use super::{COGNITO, Net};
use crate::chance::Chance;
use crate::implied::{Fact, FactState, PRECEDENCE};
use crate::people::{also, guests, is_guest};
use crate::sign_in::{ALIAS, DOMAIN};
use crate::watch::{OTHERS, STRANGER};
use crate::{TABLE, WORK};

/// The length of the names of groups that people make for items.
const BY_HAND_CHARS: usize = 1;

/// A precedence that no model and no item gives.
const DRIFTED_PRECEDENCE: i64 = 77;

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
        let address = format!("{STRANGER}@{DOMAIN}");
        let name = if self.services.sign_in() == SignIn::Addresses { &address } else { STRANGER };
        self.by_hand("AdminCreateUser", &json!({"UserPoolId": pool, "Username": name}))?;
        self.by_hand("AdminAddUserToGroup", &json!({"UserPoolId": pool, "Username": name, "GroupName": OTHERS}))?;
        let username = self.services.user(name).map(|user| user.username).filter(|username| username != name);
        self.watch().given.extend(username.map(|username| (username, STRANGER.to_owned())));
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

    /// Somebody signs up who has not yet, if items of the model name such accounts. Instep is told as the function
    /// behind the pool's trigger does it.
    ///
    /// # Errors
    /// The pool refuses.
    pub fn somebody_signs_up(&self) -> Result<(), String> {
        let Some((of, value)) = self.model.user_value() else { return Ok(()) };
        let mut open = guests();
        open.retain(|name| self.services.user(name).is_none_or(|user| user.username != *name));
        let Some(name) = self.chance.pick(&open) else { return Ok(()) };
        self.by_hand("SignUp", &json!({"ClientId": APP_CLIENT, "Username": name, "Password": "Pass-w0rd!"}))?;
        let code = json!({"ClientId": APP_CLIENT, "Username": name, "ConfirmationCode": CONFIRMATION_CODE});
        self.by_hand("ConfirmSignUp", &code)?;
        let sub = self.services.user(name).and_then(|user| user.attributes.get("sub").cloned()).unwrap_or_default();
        self.note(|| format!("{name} signs up: {sub}"));
        self.watch().implied.signed_up(name, &sub);
        self.pool();
        let text = if value == UserValue::Sub { sub } else { name.clone() };
        let object = Object { of, names: Names::from([(value.name().to_owned(), text)]) };
        let work = Work::Reconcile(vec![NamedObject::new(&self.model, &object, None)]);
        let body = serde_json::to_string(&WorkMessage::new(&self.model, TABLE, 0, self.now(), work));
        let body = body.map_err(|error| error.to_string())?;
        let sent = self.sqs("SendMessageBatch", WORK, json!({"Entries": [{"Id": "0", "MessageBody": body}]}));
        if sent.pointer("/Successful/0").is_none() { Err(format!("the message is not sent: {sent}")) } else { Ok(()) }
    }

    /// Somebody makes an account under a name that the user of an item has had, if no account has it.
    ///
    /// # Errors
    /// The pool refuses.
    pub fn somebody_takes_a_name(&self) -> Result<(), String> {
        let mut of_items = self.model.items.iter().filter_map(|ty| ty.user.as_ref());
        if of_items.any(|user| user.create == Create::Never) {
            return Ok(());
        }
        let free = self.watch().free_names();
        let is_free = |name: &&String| self.services.user(name).is_none() && !is_guest(name);
        let free: Vec<&String> = free.iter().filter(is_free).collect();
        let Some(name) = self.chance.pick(&free) else { return Ok(()) };
        let mut body = json!({"UserPoolId": USER_POOL, "Username": name});
        let alias = also(name);
        let has_alias = self.services.sign_in() == SignIn::Aliases && self.chance.of_thousand(500);
        let name = if has_alias {
            let preferred = json!([{"Name": ALIAS, "Value": name}]);
            body = json!({"UserPoolId": USER_POOL, "Username": alias, "UserAttributes": preferred});
            &alias
        } else {
            name
        };
        self.by_hand("AdminCreateUser", &body)?;
        self.note_name(name);
        let sub = self.sub_of(name).unwrap_or_default();
        self.note(|| format!("somebody takes the name {name}: {sub}"));
        self.count("(somebody takes a name)");
        let now_ms = self.now_ms();
        self.watch().takers.insert(sub, (name.clone(), now_ms));
        self.pool();
        Ok(())
    }

    /// The `sub` of the account under a name.
    pub(super) fn sub_of(&self, name: &str) -> Option<String> {
        self.user(name)?.attributes.get("sub").cloned()
    }

    /// The accounts that people made under names of users are gone: whoever has one that is a member of a group has
    /// access to what is another's.
    ///
    /// # Errors
    /// The pool refuses.
    pub fn takers_leave(&self) -> Result<(), String> {
        let takers = std::mem::take(&mut self.watch().takers);
        let (groups, _) = self.groups_and_users();
        let there = takers.into_iter().filter(|(sub, (name, _))| self.sub_of(name).as_ref() == Some(sub));
        // Their addresses may be others by now.
        for (sub, (name, _)) in there {
            if let Some(group) = groups.iter().find(|group| group.members.contains(&name)) {
                self.broken(format!("2: {name}, an account that people made, is a member of {}", group.name));
            }
            self.by_hand("AdminDeleteUser", &json!({"UserPoolId": USER_POOL, "Username": sub}))?;
        }
        self.pool();
        Ok(())
    }

    /// Changes the pool and the bookkeeping items at random, as no run of Instep does. Returns what was
    /// changed. Everything can be repaired: users and groups that people make are left alone.
    ///
    /// # Errors
    /// The pool refuses.
    pub fn drift(&self, chance: &Chance) -> Result<Vec<String>, String> {
        let (groups, users) = self.services.pool();
        // Other groups may exist and need not: those of people, and those without members that are
        // created on demand.
        let of_others = self.watch().of_others.clone();
        let implied = self.watch().implied.facts();
        let is_own = |group: &String| {
            let is_implied = matches!(implied.get(&Fact::Group(group.clone())), Some(FactState::Is(_)));
            is_implied && !of_others.contains(group) && group.len() > BY_HAND_CHARS
        };
        let groups: Vec<_> = groups.into_iter().filter(|group| is_own(&group.name)).collect();
        let is_own = |user: &UserState| {
            let name = self.called(&user.username);
            name != STRANGER && !is_guest(&name)
        };
        let users: Vec<_> = users.into_iter().filter(is_own).collect();
        let of_items = || self.model.with_keys().filter_map(|ty| ty.user.as_ref());
        let makes_users = of_items().all(|user| user.create != Create::Never);
        let has_rule = of_items().all(|user| user.disabled.is_some());
        let named = of_items().flat_map(|user| &user.attributes).next().map(|(name, _)| name);
        let mut calls: Vec<(&str, Value)> = Vec::new();
        if let (Some(group), Some(user)) = (chance.pick(&groups), chance.pick(&users)) {
            calls.push(("AdminAddUserToGroup", json!({"GroupName": group.name, "Username": user.username})));
        }
        let members = groups.iter().flat_map(|group| group.members.iter().map(|member| (&group.name, member)));
        if let Some((group, member)) = chance.pick(&members.collect::<Vec<_>>()) {
            calls.push(("AdminRemoveUserFromGroup", json!({"GroupName": group, "Username": member})));
        }
        if let Some(user) = chance.pick(&users) {
            let is_off = if user.enabled { "AdminDisableUser" } else { "AdminEnableUser" };
            calls.extend(has_rule.then(|| (is_off, json!({"Username": user.username}))));
            // Another address for each: two users of a pool cannot sign in with one.
            let drifted = format!("drift-{}@{DOMAIN}", user.username.split('@').next().unwrap_or_default());
            let attribute = |name: &String| json!([{"Name": name, "Value": drifted}]);
            calls.extend(named.map(|name| {
                ("AdminUpdateUserAttributes", json!({"Username": user.username, "UserAttributes": attribute(name)}))
            }));
        }
        let is_implied = |name: &str| implied.contains_key(&Fact::GroupSetting(name.to_owned(), PRECEDENCE));
        calls.extend(
            groups
                .iter()
                .find(|group| is_implied(&group.name))
                .map(|group| ("UpdateGroup", json!({"GroupName": group.name, "Precedence": DRIFTED_PRECEDENCE}))),
        );
        if let Some(group) = chance.pick(&groups) {
            calls.push(("DeleteGroup", json!({"GroupName": group.name})));
        }
        if let Some(user) = chance.pick(&users).filter(|_| makes_users) {
            calls.push(("AdminDeleteUser", json!({"Username": user.username})));
        }
        calls.retain(|_| chance.of_thousand(400));
        let mut done = Vec::new();
        for (operation, mut body) in calls {
            body.as_object_mut()
                .into_iter()
                .for_each(|body| drop(body.insert("UserPoolId".to_owned(), json!(USER_POOL))));
            self.by_hand(operation, &body)?;
            done.push(format!("{operation} {body}"));
        }
        self.pool();
        done.extend(self.drift_of_entries(chance));
        Ok(done)
    }

    /// Loses bookkeeping items, and puts one that nothing needs.
    fn drift_of_entries(&self, chance: &Chance) -> Vec<String> {
        let mut done = Vec::new();
        for kind in [
            BookkeepingKind::Reference,
            BookkeepingKind::Address,
            BookkeepingKind::Claim,
            BookkeepingKind::Due,
            BookkeepingKind::Group,
        ] {
            let is_of_kind = |key: &&Key| BookkeepingKind::of(key) == Some(kind);
            let entries: Vec<Key> = self.watch().implied.books.keys().filter(is_of_kind).cloned().collect();
            if let Some(key) = chance.pick(&entries).filter(|_| chance.of_thousand(400)) {
                self.write(key.clone(), None);
                done.push(format!("deletes {} | {}", key.pk, key.sk));
            }
        }
        let references: Vec<(Key, Item)> = {
            let watch = self.watch();
            let all = watch
                .implied
                .books
                .iter()
                .filter(|(key, _)| BookkeepingKind::of(key) == Some(BookkeepingKind::Reference));
            all.map(|(key, item)| (key.clone(), item.clone())).collect()
        };
        if let Some((key, item)) = chance.pick(&references).filter(|_| chance.of_thousand(400)) {
            // One of an object to which the item does not refer.
            let key = Key { pk: format!("{}x", key.pk), sk: key.sk.clone() };
            let mut item = item.clone();
            item.insert(self.model.table.pk.clone(), ItemValue::S(key.pk.clone()));
            done.push(format!("puts {} | {}", key.pk, key.sk));
            self.write(key, Some(item));
        }
        done
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
