//! Explanations for programs: why a user is in a group.

use instep_aws::WaitingUser;
use instep_aws::sweep::{ExplainedItem, ExplainedWaiting, Explanation};
use instep_flow::account::Waiting;
use serde_json::{Value, json};

/// The explanation for programs.
pub fn as_json(explained: &Explanation) -> Value {
    let item = |item: &ExplainedItem| {
        let asks: Vec<Value> = item
            .asks
            .iter()
            .map(|(member, asked)| {
                let there = explained.actual.contains(member);
                let mut asks = json!({"user": member.user, "group": member.group, "implied": asked.is_implied, "because": asked.because, "inCognito": there});
                if let (Some(asks), true) = (asks.as_object_mut(), asked.in_token) {
                    asks.insert("inToken".to_owned(), json!(true));
                }
                asks
            })
            .collect();
        let due: Vec<Value> = item.due.iter().map(|due| json!({"at": due.at, "turn": due.kind})).collect();
        let (pk, sk) = item.key.as_ref().map(|key| (&key.pk, &key.sk)).unzip();
        json!({"item": item.label, "pk": pk, "sk": sk, "memberships": asks, "notes": item.notes, "since": item.since, "times": item.times, "due": due})
    };
    let actual = explained.actual.iter().map(|member| json!({"user": member.user, "group": member.group}));
    let differences = explained
        .differences
        .iter()
        .map(|found| json!({"kind": found.kind.word(), "about": found.about.to_string(), "why": found.why}));
    json!({
        "object": explained.label,
        "user": explained.user.as_ref().map(|user| json!({"name": user.name, "enabled": user.enabled})),
        "waiting": explained.waiting.iter().map(waiting).collect::<Vec<_>>(),
        "items": explained.items.iter().map(item).collect::<Vec<_>>(),
        "inCognito": actual.collect::<Vec<_>>(),
        "differences": differences.collect::<Vec<_>>(),
    })
}

/// A user whose deletion waits, for programs.
pub fn waiting_as_json(user: &WaitingUser) -> Value {
    let Waiting { username, since, until, is_approved, is_replaced, .. } = &user.waiting;
    let held = user.waiting.is_held();
    let until = (!held && !is_approved).then_some(until);
    json!({"user": username, "item": user.label, "held": held, "since": since, "until": until, "approved": is_approved, "replaced": is_replaced})
}

fn waiting(explained: &ExplainedWaiting) -> Value {
    let mut waiting = waiting_as_json(&explained.user);
    if let Some(fields) = waiting.as_object_mut() {
        fields.insert("enabled".to_owned(), json!(explained.enabled));
        fields.insert("groups".to_owned(), json!(explained.groups));
    }
    waiting
}
