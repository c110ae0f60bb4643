//! Messages of the work queue, and what a run over them or over records holds.

use std::collections::BTreeMap;

use instep_flow::doubt::Doubt;
use instep_flow::entries::EntryId;
use instep_flow::plan::{Delivery, Plan};
use instep_flow::work::{Origin, Records, Work, WorkMessage};

use crate::design::Design;
use crate::item::SmallRecord;
use crate::rules::Rule;
use crate::world::{SmallObject, SmallWorld};

/// The table's name in messages.
const TABLE: &str = "world";

/// A message of the work queue.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Message {
    /// Its text.
    pub body: String,
    /// The queue delivered it before.
    pub redelivered: bool,
    /// It is delivered when the index has shown so many more writes of these objects.
    pub until: BTreeMap<SmallObject, u8>,
}

impl Message {
    /// A message. `None` if it has no text.
    pub(crate) fn new(design: &Design, work: Work, until: BTreeMap<SmallObject, u8>) -> Option<Self> {
        // Hops are left out: states that differ in them alone are one.
        let body = serde_json::to_string(&WorkMessage::new(&design.model, TABLE, 0, jiff::Timestamp::UNIX_EPOCH, work))
            .ok()?;
        Some(Self { body, redelivered: false, until })
    }

    /// A message that replays a record.
    pub(crate) fn replay(world: &SmallWorld, design: &Design, record: &SmallRecord) -> Option<Self> {
        let records = vec![design.raw(world, record)?];
        let (objects, records_of) = (Vec::new(), None);
        let is_capture = world.rules.has(Rule::ReplayRevokesNoSubject);
        let origin = if is_capture { Origin::Captured } else { Origin::Failed };
        let records = Records { origin, records, objects, records_of, publish: true, adopt_before: None };
        Self::new(design, Work::Records(records), BTreeMap::new())
    }

    /// What it asks for. `None` if the product refuses it.
    pub(crate) fn work(&self, design: &Design) -> Option<Work> {
        WorkMessage::parse(&design.model, TABLE, &self.body).ok().map(|message| message.work)
    }
}

/// What a run over stream records holds. `None` if the product refuses one.
pub(crate) fn plan_of_records<'r>(
    world: &SmallWorld,
    design: &Design,
    records: impl IntoIterator<Item = &'r SmallRecord>,
    delivery: Delivery,
) -> Option<Plan> {
    let mut plan = Plan::default();
    for (place, record) in records.into_iter().enumerate() {
        plan.add(&design.model, EntryId(place), &design.change(&design.raw(world, record)?)?, delivery);
    }
    Some(plan)
}

/// What a run over messages holds. `None` if the product refuses one.
pub(crate) fn plan_of_messages(design: &Design, messages: &[Message], counts_redelivery: bool) -> Option<Plan> {
    let (model, mut plan) = (&design.model, Plan::default());
    let mut next = 0;
    for message in messages {
        let entry = EntryId(next);
        let doubt = if message.redelivered && counts_redelivery { Doubt::MayBeDone } else { Doubt::Sure };
        match message.work(design)? {
            Work::Reconcile(objects) => {
                objects.iter().for_each(|object| plan.add_named(model, entry, object, doubt));
            }
            Work::Dependents(dependents) => plan.add_dependents(entry, &dependents, doubt, true),
            Work::Extra(extra) => plan.add_extra(entry, &extra),
            Work::Kept(_) => {}
            Work::Records(records) => {
                let delivery = Delivery { origin: records.origin, doubt, adopt_before: records.adopt_before };
                for raw in &records.records {
                    plan.add(model, EntryId(next), &design.change(raw)?, delivery);
                    next += 1;
                }
                continue;
            }
        }
        next += 1;
    }
    Some(plan)
}
