//! What follows from each record: its events, its parked message, and the position of its shard.

use std::collections::{BTreeMap, BTreeSet};

use instep_flow::bookkeeping::BookkeepingKind;
use instep_flow::work::Origin;
use instep_model::{BOOKKEEPING_ATTRIBUTE, Item, Key, Object, Value as ItemValue, Verb};
use serde_json::Value;

use super::claims::names_text;
use super::facts::absent_and_off;
use super::invocations::Invocation;
use super::{Batch, Due, OTHER_SPELLING, Watch, WatchFinding, WrittenObject};
use crate::implied::{DueEvent, Fact};
use crate::process::FEW_DELETIONS;
use crate::table::STREAM_LABEL;
use crate::writers::{SECRET, UNNAMED};

/// Whether a batch has no redriven or replayed records, which are in no order.
fn is_of_the_stream(batch: &Batch) -> bool {
    let Batch { records, has_failed_pointers, .. } = batch;
    !has_failed_pointers && records.iter().all(|(origin, _)| *origin == Origin::Stream)
}

impl Watch {
    /// Promises 4, 5 and 9, and the contract: checks the events of one call.
    pub fn events(&mut self, process: usize, details: &[(String, String)]) -> Vec<WatchFinding> {
        let is_stream = self.invocations.get(&process).is_some_and(|run| is_of_the_stream(&run.batch));
        let mut found = Vec::new();
        let mut places: BTreeMap<String, (String, u64)> = BTreeMap::new();
        [4, 5, 9].into_iter().for_each(|promise| self.checked(promise));
        for (detail_type, detail) in details {
            let broken = |what: String| WatchFinding::Broken(format!("{what}: {detail_type} {detail}"));
            let is_told = detail.contains(SECRET) || detail.contains(UNNAMED);
            found.extend(is_told.then(|| broken("9: it contains what the model does not list".to_owned())));
            found.extend(self.of_no_contract(detail_type, detail));
            let detail: Value = serde_json::from_str(detail).unwrap_or_default();
            let text = |name: &str| detail.pointer(name).and_then(Value::as_str).unwrap_or_default().to_owned();
            found.extend(self.of_another_tenant(process, &detail).then(|| broken("9: not its tenant".to_owned())));
            found.extend(is_of_another_stream(&detail).then(|| broken("5: not its record's stream".to_owned())));
            if text("/metadata/cause") == "due" {
                found.extend(self.turned(detail_type, &detail));
                continue;
            }
            let (id, item, sequence) = (text("/metadata/id"), text("/metadata/item"), text("/metadata/sequence"));
            let index = detail.pointer("/metadata/index").and_then(Value::as_u64).unwrap_or_default();
            let place = (sequence.clone(), index);
            let is_live = detail.pointer("/metadata/replay") == Some(&Value::Bool(false));
            if is_stream && is_live && places.get(&item).is_some_and(|before| *before >= place) {
                found.push(broken("5: events of one item in one call are out of order".to_owned()));
            }
            places.insert(item.clone(), place);
            let place = (item, sequence.clone(), index);
            if *self.ids.entry(id.clone()).or_insert_with(|| place.clone()) != place {
                found.push(broken("5: one id has two places".to_owned()));
            }
            if *self.places.entry(place).or_insert_with(|| id.clone()) != id {
                found.push(broken("5: one place has two ids".to_owned()));
            }
            let number: u128 = sequence.parse().unwrap_or_default();
            let verb = Verb::ALL.into_iter().find(|verb| verb.word() == text("/metadata/verb"));
            let (Some(due), Some(verb)) = (self.due.get(&number), verb) else {
                found.push(broken("4: an event of an unknown record".to_owned()));
                continue;
            };
            let event = (verb, whose(verb, &detail));
            let word = due.words.get(&verb).map_or(verb.word(), String::as_str);
            let is_of_a_claim = matches!(verb, Verb::Conflicted | Verb::Resolved);
            if !is_of_a_claim && !detail_type.to_lowercase().ends_with(&format!(" {}", word.to_lowercase())) {
                found.push(broken(format!("4: an event whose type should say {word}")));
            }
            if verb != Verb::Conflicted && !due.events.contains(&event) {
                found.push(broken("4: an event of a change that did not happen".to_owned()));
            }
            if text("/metadata/cause") != due.cause.word() {
                found.push(broken(format!("4: an event whose cause should be {}", due.cause.word())));
            }
            let is_parked = detail.pointer("/metadata/parked") == Some(&Value::Bool(true));
            if is_parked && is_live && !self.parked.contains(&number) {
                found.push(broken("4: an event says parked before the message was sent".to_owned()));
            }
            if let Some(fact) = self.early(due, number, self.invocations.get(&process)).filter(|_| !is_parked) {
                found.push(broken(format!("4: an event was published before {fact:?} was applied")));
            }
            self.published.entry(number).or_default().insert(event);
        }
        found
    }

    /// Promise 4: an event is as the schemas of a deployed model say.
    fn of_no_contract(&self, detail_type: &str, detail: &str) -> Option<WatchFinding> {
        let source = &self.implied.model.source;
        let mut wrong = None;
        for contract in &self.contracts {
            match contract.check(source, detail_type, detail) {
                Ok(()) => return None,
                Err(why) => wrong = wrong.or(Some(WatchFinding::Broken(format!("4: the contract: {why}")))),
            }
        }
        wrong
    }

    /// Promises 6 and 9: checks a parked message.
    pub fn parked(&mut self, process: usize, body: &str, is_full: bool) -> Option<WatchFinding> {
        self.checked(6);
        if let Some(invocation) = self.invocations.get_mut(&process) {
            invocation.has_parked = true;
        }
        let message: Value = serde_json::from_str(body).unwrap_or_default();
        let text = |name: &str| message.get(name).and_then(Value::as_str).unwrap_or_default();
        let number: u128 = text("sequence").parse().unwrap_or_default();
        self.parked.insert(number);
        let is_rightly = match self.due.get(&number) {
            Some(due) => {
                due.is_bad
                    || due.deletes_bad && text("code") == OTHER_SPELLING
                    || is_full && text("code") == "quota-reached"
            }
            None => text("code") == "quota-reached" || text("code") == OTHER_SPELLING && names_upper_case(&message),
        };
        let is_held = text("code") == "user-held" && self.are_deletions_limited();
        let is_rightly = is_rightly || is_held || self.excused == Some(text("code"));
        if body.contains(SECRET) {
            return Some(WatchFinding::Broken(format!("9: a parked record contains a secret: {body}")));
        }
        let is_kept = ["record", "s3"].iter().any(|name| message.get(*name).is_some_and(|kept| !kept.is_null()));
        if text("code").is_empty() || text("reason").is_empty() || !is_kept {
            return Some(WatchFinding::Broken(format!("6: parked without its record or the reason: {body}")));
        }
        (!is_rightly).then(|| WatchFinding::Broken(format!("6: a good record was parked: {body}")))
    }

    /// Whether more users may have had to be deleted than a world with a limit allows in an hour: deletions are stopped, or
    /// were until a person let them go on.
    fn are_deletions_limited(&self) -> bool {
        let is_used_up = |item: &Item| {
            let Some(ItemValue::N(count)) = item.get(BOOKKEEPING_ATTRIBUTE) else { return false };
            count.parse::<u32>().is_ok_and(|count| count >= FEW_DELETIONS)
        };
        let limits =
            self.implied.books.iter().filter(|(key, _)| BookkeepingKind::of(key) == Some(BookkeepingKind::Limit));
        limits.into_iter().any(|(key, item)| key.sk == "STOPPED" || is_used_up(item))
    }

    /// Promise 6: the position of a shard moves past handled and parked records only.
    pub fn passed(&mut self, sequence: u128) -> Option<WatchFinding> {
        self.checked(6);
        self.passed.insert(sequence);
        let due = self.due.get(&sequence)?;
        if self.parked.contains(&sequence) {
            return None;
        }
        let broken = |what: String| {
            Some(WatchFinding::Broken(format!("6: the position moved past {sequence} of {}: {what}", due.label)))
        };
        if due.is_bad {
            return broken("it is neither handled nor parked".to_owned());
        }
        let nothing = BTreeSet::new();
        let published = self.published.get(&sequence).unwrap_or(&nothing);
        if let Some(missing) = due.events.difference(published).find(|missing| !self.may_be_untrue(due, missing)) {
            return broken(format!("{missing:?} was not published"));
        }
        self.early(due, sequence, None).and_then(|fact| broken(format!("{fact:?} is not applied")))
    }

    /// A fact that the record changed and that has differed from what is implied ever since. The
    /// absence of a disabled user is harmless: the first record of that user's item creates the
    /// user. A run over replayed records may come before the earlier records of the stream, whose items may
    /// then be hidden from it. `run` is the run that publishes an event of the record.
    fn early<'a>(&self, due: &'a Due, sequence: u128, run: Option<&Invocation>) -> Option<&'a Fact> {
        let replay = run.filter(|run| !is_of_the_stream(&run.batch));
        let is_hidden = |fact| replay.is_some_and(|run| self.is_hidden(fact, run.began_ms));
        let is_late =
            |fact: &&&Fact| self.wrong.get(**fact).is_some_and(|since| *since <= sequence) && self.is_wrong(fact);
        due.facts.iter().filter(|fact| is_late(&fact)).find(|fact| {
            let is_harmless = absent_and_off(&self.facts, &self.actual, fact).is_some();
            let may_follow = self.is_handed_on(due, fact)
                || self.is_of_later_items(fact, sequence, run)
                || self.by_time.contains_key(fact)
                || self.is_reserved(fact)
                || self.facts.contains_key(*fact) && is_hidden(fact);
            !is_harmless && !may_follow
        })
    }

    /// Whether the guard of a claimed value names an owner that does not exist, or did not when it was read: the record
    /// of its creation is still to come. That record decides, so the claim is pending.
    fn is_reserved(&self, fact: &Fact) -> bool {
        let Fact::Value(guard, _) = fact else { return false };
        let mut held = self.implied.rows().values().filter(|row| row.object == *guard);
        let is_to_come = |owner| self.created_with.get(owner).is_some_and(|created| !self.passed.contains(created));
        held.any(|row| row.owner.as_ref().is_some_and(|owner| !self.implied.exists(owner) || is_to_come(owner)))
    }

    /// The claims of the value of a guard that are pending because the guard is reserved.
    pub(super) fn reserved_under(&self, key: &Key) -> Vec<Fact> {
        let Some(guard) = self.implied.rows().get(key).map(|row| &row.object) else { return Vec::new() };
        let is_claim = |fact: &&Fact| matches!(fact, Fact::Value(of, _) if of == guard) && self.is_reserved(fact);
        self.wrong.keys().filter(is_claim).cloned().collect()
    }

    /// A write of the guard has ended the reservation. The claims follow from its record, and not from those of the
    /// claimants.
    pub(super) fn free(&mut self, reserved: Vec<Fact>, sequence: u128) {
        for fact in reserved {
            if !self.is_reserved(&fact) {
                self.wrong.insert(fact, sequence);
            }
        }
    }

    /// Whether only items imply a membership that were created after a record, or whose own records are
    /// still to come from another shard. It follows from these, and until then no back-reference shows the
    /// items.
    fn is_of_later_items(&self, fact: &Fact, sequence: u128, run: Option<&Invocation>) -> bool {
        let is_in_hand = |created| run.is_some_and(|run| run.batch.records.iter().any(|(_, own)| *own == created));
        let is_to_come = |created| created != sequence && !is_in_hand(created) && !self.passed.contains(&created);
        let is_later = |created| created > sequence || is_to_come(created);
        self.facts.contains_key(fact) && self.is_of_items_created_with(fact, is_later)
    }

    /// Whether a membership is missing because its grant was handed on: Cognito did not know its
    /// user or group. The record's own item may be gone by then, while an earlier item implies the
    /// membership, whose own record is still to come.
    fn is_handed_on(&self, due: &Due, fact: &Fact) -> bool {
        let Fact::Member(user, group) = fact else { return false };
        let mut rows = self.implied.asking_for(user, group);
        let is_named = |object: &Object| self.handed_on.values().any(|objects| objects.contains(object));
        let is_own = due.written.as_ref().is_some_and(|write| is_named(&write.object));
        self.facts.contains_key(fact) && (is_own || rows.any(|row| is_named(&row.object)))
    }

    /// Whether an event may be left out because items existed under several spellings of its item's key. The item
    /// under the other one may have been written before Instep handled the record.
    fn may_be_untrue(&self, due: &Due, event: &DueEvent) -> bool {
        let is_spelled_twice =
            |write: &WrittenObject| self.spellings.get(&write.object).is_some_and(|keys| keys.len() > 1);
        matches!(event.0, Verb::Deleted | Verb::Revoked) && due.written.as_ref().is_some_and(is_spelled_twice)
    }

    /// Promise 4: all due events were published.
    #[must_use]
    pub fn unpublished(&self) -> Vec<String> {
        let nothing = BTreeSet::new();
        let missing = self.due.iter().flat_map(|(sequence, due)| {
            let published = self.published.get(sequence).unwrap_or(&nothing);
            let missing = due.events.difference(published).filter(|missing| !self.may_be_untrue(due, missing));
            missing.map(move |missing| (sequence, due, missing))
        });
        missing
            .map(|(sequence, due, what)| format!("4: {what:?} of {sequence}, {}, was never published", due.label))
            .collect()
    }
}

/// The role of an event, or the owner whose claim ended.
fn whose(verb: Verb, detail: &Value) -> Option<String> {
    let whose = match verb {
        Verb::Granted | Verb::Revoked => detail.pointer("/data/role").and_then(Value::as_str).map(str::to_owned),
        Verb::Resolved => Some(owner_text(detail)),
        Verb::Created | Verb::Updated | Verb::Deleted | Verb::Conflicted => None,
    };
    whose.filter(|whose| !whose.is_empty())
}

/// The owner that an event is about, as its key says.
fn owner_text(detail: &Value) -> String {
    let keys = detail.pointer("/data/keys").and_then(Value::as_object);
    let keys = keys.into_iter().flatten().filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())));
    names_text(&keys.collect())
}

/// Whether a parked work message is about an object with a name that is not in lower case.
fn names_upper_case(parked: &Value) -> bool {
    let objects = parked.pointer("/record/work/reconcile").and_then(Value::as_array);
    let names = objects.into_iter().flatten().filter_map(|object| object.get("names").and_then(Value::as_object));
    names.flat_map(|names| names.values()).filter_map(Value::as_str).any(|name| name.chars().any(char::is_uppercase))
}

/// Whether an event of a record says another stream. A backfill notes moments without a record.
fn is_of_another_stream(detail: &Value) -> bool {
    let text = |name: &str| detail.pointer(name).and_then(Value::as_str).unwrap_or_default();
    text("/metadata/sequence").bytes().any(|digit| digit != b'0') && text("/metadata/epoch") != STREAM_LABEL
}
