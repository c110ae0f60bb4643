//! Where the secrets of a model may still stand, although Instep masks them.

use crate::model::{ItemType, Model, TypeId};

/// For each secret attribute and item type, what Instep does not mask.
pub(super) fn secrets(model: &Model) -> Vec<(String, Vec<String>)> {
    let attributes = model.secret.iter().map(|name| {
        let what = "masked, and so is each other attribute that contains its value (from 4 characters on), but for keys \
                    and attributes from which something follows";
        (name.clone(), vec![what.to_owned()])
    });
    let types = model.items.iter().enumerate().filter(|(_, ty)| ty.secret).map(|(place, ty)| {
        let mut says = vec![
            "not shown. Messages of the work queue, Instep's own items and the batches that Lambda gives up on contain its \
             key"
            .to_owned(),
        ];
        for (of, attributes) in copies(model, TypeId(place)) {
            says.push(format!(
                "its key has the value of {} of {of}, which parked records and messages show",
                attributes.join(", ")
            ));
        }
        says.extend(
            (ty.user.is_some() || !ty.groups.is_empty()).then(|| "Cognito has names that its key determines".to_owned()),
        );
        (ty.name.clone(), says)
    });
    attributes.chain(types).collect()
}

/// The attributes of other item types whose values are in the key of a secret one.
fn copies(model: &Model, secret: TypeId) -> Vec<(String, Vec<String>)> {
    let types = model.items.iter().enumerate().filter(|(_, ty)| !ty.secret);
    let shown = |(place, ty): (usize, &ItemType)| {
        let attributes = model.attributes_in_keys_of(TypeId(place), secret);
        let names: Vec<String> = attributes.iter().map(|name| format!("`{name}`")).collect();
        (!names.is_empty()).then(|| (ty.name.clone(), names))
    };
    types.filter_map(shown).collect()
}
