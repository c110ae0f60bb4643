//! What a story finds in its world, and in what its last delivery led to.

use std::collections::{BTreeMap, BTreeSet};

use instep_aws::WaitingUser;
use instep_aws::token::TokenRequest;
use instep_flow::report::{EffectReport, Outcome, RecordReport};
use instep_model::Item;
use serde_json::{Value, json};

use super::stage::{Delivered, Stage};
use crate::world::{QUEUE, now, pk};
use crate::{own, sweep};

impl Stage {
    /// What the published events say of themselves.
    fn metadata(&self) -> impl Iterator<Item = Value> {
        let published = self.world.stack.published().into_iter().skip(self.forgotten);
        published.map(|event| serde_json::from_str::<Value>(&event.detail).unwrap()["metadata"].take())
    }

    /// The events of granted and revoked roles, with their causes, and their ids.
    fn grants(&self) -> Vec<(String, String)> {
        let said = |metadata: Value| {
            let text = |name: &str| metadata[name].as_str().unwrap().to_owned();
            (format!("{} by {}", text("verb"), text("cause")), text("id"))
        };
        let of_roles = |(said, _): &(String, String)| said.starts_with("granted") || said.starts_with("revoked");
        self.metadata().map(said).filter(of_roles).collect()
    }

    /// What there is of something.
    pub(super) async fn found(&self, what: &str) -> String {
        let words: Vec<&str> = what.split(' ').collect();
        let found: Vec<String> = match words[..] {
            ["count", ..] => vec![self.all(&words[1..]).await.len().to_string()],
            ["sorted", ..] => {
                let mut all = self.all(&words[1..]).await;
                all.sort();
                all
            }
            _ => self.all(&words).await,
        };
        found.join(", ")
    }

    async fn all(&self, what: &[&str]) -> Vec<String> {
        let state = self.world.state().await;
        let key = |item: &Item| format!("{} {}", pk(item, self.key_names().0), pk(item, self.key_names().1));
        match *what {
            ["members", group] => self.world.members(group).await,
            ["groups"] => state.groups.into_iter().map(|group| group.name).collect(),
            ["groups", "with", "members"] => {
                let groups = state.groups.into_iter().filter(|group| !group.members.is_empty());
                groups.map(|group| group.name).collect()
            }
            ["users"] => {
                let said = |enabled| if enabled { "" } else { " (disabled)" };
                state.users.into_iter().map(|user| format!("{}{}", user.username, said(user.enabled))).collect()
            }
            ["items", ref start @ ..] => {
                let start = start.join(" ");
                let own = |key: &String| !key.starts_with("INSTEP#") && key.starts_with(&start);
                state.items.iter().map(key).filter(own).collect()
            }
            ["waiting"] => {
                let waiting = self.world.instep.waiting_users(&self.run()).await.unwrap();
                let held = |user: &WaitingUser| if user.waiting.is_held() { "held" } else { "waits" };
                waiting.iter().map(|user| format!("{} {}", held(user), user.waiting.username)).collect()
            }
            ["user", name, attribute] => {
                let user = state.users.into_iter().find(|user| user.username == name).unwrap();
                user.attributes.get(attribute).cloned().into_iter().collect()
            }
            ["token", name] => self.token_groups(name).await,
            ["group", name, "precedence"] => {
                let group = state.groups.into_iter().find(|group| group.name == name).unwrap();
                group.precedence.map(|precedence| precedence.to_string()).into_iter().collect()
            }
            ["group", name, "role"] => {
                let group = state.groups.into_iter().find(|group| group.name == name).unwrap();
                group.iam_role.into_iter().collect()
            }
            ["books", kind] => {
                let of_kind = format!("INSTEP#{kind}#");
                state.items.iter().map(key).filter(|key| key.starts_with(&of_kind)).collect()
            }
            ["value", pk, sk, name] => {
                let item = state.items.iter().find(|item| key(item) == format!("{pk} {sk}"));
                let value = item.and_then(|item| item.get(name));
                value.map(|value| serde_json::to_string(value).unwrap()).into_iter().collect()
            }
            ["drift"] => sweep::found(&self.world).await,
            ["drift", "why"] => {
                let swept = sweep::sweep_at(&self.world, &sweep::options(false), &self.run()).await;
                swept.differences.iter().map(|found| found.why.to_string()).collect()
            }
            ref what => self.sent(what),
        }
    }

    /// The groups in the next token of a user, as the function of tokens answers Cognito.
    async fn token_groups(&self, name: &str) -> Vec<String> {
        let (model, state) = (self.world.instep.model(), self.world.state().await);
        let user = state.users.iter().find(|user| user.username == name).unwrap();
        let own = state.groups.iter().filter(|group| group.members.iter().any(|member| member == name));
        let groups: Vec<&String> = own.map(|group| &group.name).collect();
        let event = json!({
            "version": "1", "triggerSource": "TokenGeneration_Authentication", "userPoolId": "pool", "userName": name,
            "request": {"userAttributes": user.attributes, "groupConfiguration": {"groupsToOverride": groups}}, "response": {},
        });
        let request = TokenRequest::read(&event.to_string(), None, model.pool_ignores_case()).unwrap();
        let reader = self.world.instep.reader();
        let implied = reader.groups(request.account().unwrap().clone(), self.run().now).await.unwrap();
        let answer = request.answer(model, &implied, 4_096).event;
        let groups = &answer["response"]["claimsOverrideDetails"]["groupOverrideDetails"]["groupsToOverride"];
        groups.as_array().unwrap().iter().map(|group| group.as_str().unwrap().to_owned()).collect()
    }

    /// Events, and messages of queues.
    fn sent(&self, what: &[&str]) -> Vec<String> {
        match *what {
            ["events"] => {
                let said = |parked: bool| if parked { " (parked)" } else { "" };
                let verbs = self.world.verbs().into_iter().skip(self.forgotten).zip(self.metadata());
                verbs.map(|(verb, metadata)| format!("{verb}{}", said(metadata["parked"] == true))).collect()
            }
            ["event", ref path @ ..] => {
                let event = self.world.stack.published().pop().unwrap();
                let detail: Value = serde_json::from_str(&event.detail).unwrap();
                vec![detail.pointer(path[0]).unwrap().to_string()]
            }
            ["grants"] => self.grants().into_iter().map(|(said, _)| said).collect(),
            ["grants", "once"] => {
                let mut ids = BTreeSet::new();
                self.grants().into_iter().filter(|(_, id)| ids.insert(id.clone())).map(|(said, _)| said).collect()
            }
            ["tenants"] => {
                let said = |metadata: Value| {
                    let tenant = metadata["tenant"].as_str().unwrap_or("nobody's");
                    format!("{} {tenant}", metadata["verb"].as_str().unwrap())
                };
                self.metadata().map(said).collect()
            }
            ["ids"] => {
                let ids: BTreeSet<String> = self.metadata().map(|metadata| metadata["id"].to_string()).collect();
                ids.into_iter().collect()
            }
            ["delayed"] => vec![self.world.stack.queue_counts(self.world.stack.work_queue()).delayed.to_string()],
            ["queue"] => self.world.parked(QUEUE).iter().map(Value::to_string).collect(),
            ref what => self.of_the_last_delivery(what),
        }
    }

    fn of_the_last_delivery(&self, what: &[&str]) -> Vec<String> {
        let Delivered { reports, failed, tick } = &self.done;
        let records = || reports.iter().flat_map(|report| &report.records);
        let changes = || records().filter_map(|record| record.change.as_ref());
        match *what {
            ["parked"] => own::parked(reports).into_iter().map(str::to_owned).collect(),
            ["reasons"] => {
                let parked = records().filter_map(|record| match &record.outcome {
                    Outcome::Parked(parked) => Some(parked.reason.clone()),
                    Outcome::Handled | Outcome::Skipped { .. } | Outcome::Retry { .. } => None,
                });
                parked.collect()
            }
            ["retried"] => {
                let retried = records().filter(|record| record.outcome.is_retry());
                let id = |record: &RecordReport| record.change.as_ref().map_or("?", |change| &change.id).to_owned();
                retried.map(id).collect()
            }
            ["notes"] => changes().flat_map(|change| change.notes.clone()).collect(),
            ["effects"] => {
                let effects = reports.iter().flat_map(|report| &report.effects);
                let why = |effect: &EffectReport| effect.why.iter().map(|why| format!(" ({why})")).collect::<String>();
                effects.map(|effect| format!("{}{}", effect.operation, why(effect))).collect()
            }
            ["findings"] => vec![reports.iter().flat_map(|report| report.findings.values()).sum::<u64>().to_string()],
            ["failed"] => vec![failed.to_string()],
            ["ticked"] => {
                let oldest = tick.oldest.map(|oldest| format!(", oldest {}", oldest.duration_since(now()).as_secs()));
                let behind = if tick.is_behind { ", behind" } else { "" };
                vec![format!("{} sent, {} refused{}{behind}", tick.sent, tick.refused, oldest.unwrap_or_default())]
            }
            ["calls", operation] => {
                let calls = |snapshot: &BTreeMap<String, u64>| snapshot.get(operation).copied().unwrap_or_default();
                vec![(calls(&self.world.stack.calls().snapshot()) - calls(&self.calls)).to_string()]
            }
            _ => unreachable!("nothing is called {what:?}"),
        }
    }
}
