//! What the documents say of events in words.

use instep_model::{Model, Verb};

use crate::event_type::{EventType, Variant};

/// When an event comes.
pub(crate) fn when(model: &Model, event: &EventType) -> String {
    let says: Vec<String> = event.variants.iter().map(|variant| when_variant(model, variant)).collect();
    says.join(" Or: ")
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
    }
}
