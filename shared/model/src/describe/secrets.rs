//! Where the secrets of a model may still stand, although Instep masks them.

use std::collections::BTreeSet;

use crate::model::{Model, TypeId};
use crate::path::attribute_of;
use crate::template::Template;

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
    let mut copies = Vec::new();
    for (place, ty) in model.items.iter().enumerate().filter(|(_, ty)| !ty.secret) {
        let of = TypeId(place);
        let guard = model.item(secret).guard.as_ref().filter(|guard| guard.owner == of);
        let claims = guard.iter().flat_map(|guard| &guard.claims).flat_map(|claim| claim.names.values());
        let links = model.links_from(of).filter(|(_, link)| link.to == secret);
        let names = claims.chain(links.flat_map(|(_, link)| link.names.values())).flat_map(Template::names);
        let unbound = names.filter(|name| !ty.forms.iter().all(|form| form.names.contains(*name)));
        let paths = unbound.flat_map(|name| model.paths_with(of, name));
        let attributes: BTreeSet<String> = paths.map(|path| format!("`{}`", attribute_of(&path))).collect();
        if !attributes.is_empty() {
            copies.push((ty.name.clone(), attributes.into_iter().collect()));
        }
    }
    copies
}
