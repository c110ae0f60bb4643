//! What an item is in: the item types whose names a question about it may give.

use instep_model::{LinkId, Model, TypeId, Within};

/// A type and all types that its items may be in, the nearest first.
pub(crate) fn with_above(model: &Model, of: TypeId) -> Vec<TypeId> {
    let mut types = vec![of];
    let mut next = 0;
    while let Some(of) = types.get(next).copied() {
        for above in above(model, of) {
            if !types.contains(&above) {
                types.push(above);
            }
        }
        next += 1;
    }
    types
}

fn above(model: &Model, of: TypeId) -> Vec<TypeId> {
    let to = |links: &[LinkId]| links.iter().map(|link| model.link(*link).to).collect::<Vec<_>>();
    let within = match &model.item(of).within {
        Some(Within::Items(links)) => links.iter().map(|link| link.to).collect(),
        Some(Within::Path { .. }) | None => Vec::new(),
    };
    let conveys = model.items.iter().filter_map(|ty| ty.conveys.as_ref());
    let conveyed = conveys.filter(|conveys| to(&conveys.to).contains(&of)).flat_map(|conveys| to(&conveys.from));
    within.into_iter().chain(conveyed).collect()
}
