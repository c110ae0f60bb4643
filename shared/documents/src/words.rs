//! What the documents say of events in words.

use instep_contract::EventVerb;
use instep_model::{Model, Verb};

use crate::event_type::{EventType, Variant};

/// When an event comes.
pub(crate) fn when(model: &Model, event: &EventType) -> String {
    let says = event.variants.iter().map(|variant| when_variant(model, variant));
    let snapshot = event.snapshot.iter().map(|verb| when_snapshot(*verb));
    says.chain(snapshot).collect::<Vec<_>>().join(" Or: ")
}

fn when_snapshot(verb: EventVerb) -> String {
    let says = if verb == EventVerb::Started {
        "A snapshot began: until its end come the items that the table has."
    } else {
        "A snapshot ended: it says how many events it has, and whether the whole table was read."
    };
    says.to_owned()
}

fn when_variant(model: &Model, variant: &Variant) -> String {
    let published = &variant.published;
    let item = model.item(published.of);
    let of = &item.name;
    let about = &model.item(published.about).name;
    let window = item.grant.as_ref().filter(|grant| !grant.from.is_empty() || !grant.until.is_empty());
    match published.verb {
        Verb::Created => format!("An item of type {of} was created."),
        Verb::Updated if item.publish_unchanged => format!("An item of type {of} was written again."),
        Verb::Updated if item.is_entity => format!("An item of type {of} was changed in what its events show."),
        Verb::Updated => format!("An item of type {of} was changed in what its events show, beside its roles."),
        Verb::Deleted => format!("An item of type {of} was deleted."),
        Verb::Granted => {
            let window = window.map_or("", |_| ", or its window opened");
            format!("An item of type {of} gave its {about} a role{window}. There is one event for each role.")
        }
        Verb::Revoked => {
            let window = window.map_or("", |_| ", or its window closed");
            format!(
                "An item of type {of} no longer gives its {about} a role{window}. There is one event for each role."
            )
        }
        Verb::Conflicted => format!(
            "An item of type {of} claims a unique value ({}) that another owner has. The claim is pending.",
            published.guards.join(", ")
        ),
        Verb::Resolved => {
            format!("The pending claim of an item of type {of} got its unique value ({}).", published.guards.join(", "))
        }
    }
}
