//! The tenant of an event: what the changed item says, or, of a grant, what its subject and its scope say.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use instep_model::{Item, LinkId, Model, Object, Scope, Subject, TypeId};

use crate::answers::View;
use crate::implied;
use crate::known::{Known, all};

/// The tenants that the items of subjects and scopes say, of those that exist. An object that does not exist, or was not
/// read, is not among them.
pub type Tenants = BTreeMap<Object, Option<String>>;

/// The tenant of an event of an item. If the item is a grant and does not say it, the names by which it refers to its
/// subject and its scope do. If these do not say it either, the table does: the subject's item, then the scope's.
///
/// INVARIANT 9: rules select events by their tenant. Nothing stands in for a subject that does not exist or was not
/// read: its item could have said another tenant than that of the scope.
pub(crate) fn tenant(model: &Model, object: &Object, image: &Item, tenants: &Tenants) -> Option<String> {
    if let Some(tenant) = of_record(model, object, image) {
        return Some(tenant);
    }
    for reference in references(model, object, image) {
        if let Some(tenant) = tenants.get(&reference)? {
            return Some(tenant.clone());
        }
    }
    None
}

/// Reads what the tenant of an item's events depends on, and adds it to `tenants`.
///
/// # Errors
/// Something was not read yet, and the view now requests it.
pub fn read(view: &mut View<'_>, object: &Object, image: &Item, tenants: &mut Tenants) -> Known<()> {
    let model = view.model;
    let ty = model.item(object.of);
    if model.tenant.is_empty() || ty.publish.is_empty() || of_record(model, object, image).is_some() {
        return Ok(());
    }
    // The scope is read together with the subject, and not only if that says nothing: one more key costs less than one
    // more round.
    all(references(model, object, image), |reference| {
        let tenant = match view.object(&reference)? {
            Some((_, item)) => Some(said(model, &reference, Some(item))),
            // It exists without an item.
            None => model.item(reference.of).assumed.contains(&reference.names).then_some(None),
        };
        tenants.extend(tenant.map(|tenant| (reference, tenant)));
        Ok(())
    })
}

/// The attributes of other items that say the tenants of grants' events.
pub(crate) fn attributes(model: &Model) -> BTreeSet<String> {
    let grants = model.items.iter().filter(|ty| !ty.publish.is_empty()).filter_map(|ty| ty.grant.as_ref());
    let links = grants.flat_map(|grant| {
        let subject = if let Subject::Link(link) = &grant.subject { Some(*link) } else { None };
        subject.into_iter().chain(scopes(&grant.scope).iter().copied())
    });
    let types: BTreeSet<TypeId> = links.map(|link| model.link(link).to).collect();
    let of_type = |of| model.tenant.iter().flat_map(move |name| model.sources(of, &model.names_in_each_key(of), name));
    types.into_iter().flat_map(of_type).collect()
}

/// The tenant that an object's names and its item say.
pub(crate) fn said(model: &Model, object: &Object, item: Option<&Item>) -> Option<String> {
    let lookup = model.lookup(object.of, &object.names, item);
    model.tenant.iter().find_map(|name| lookup(name)).map(Cow::into_owned)
}

/// The tenant that an image of an item says, and, of a grant, the names of its subject and its scope.
pub(crate) fn of_record(model: &Model, object: &Object, image: &Item) -> Option<String> {
    let named = || references(model, object, image).iter().find_map(|reference| said(model, reference, None));
    said(model, object, Some(image)).or_else(named)
}

/// The subject of a grant and its scope, as far as they are other items.
///
/// INVARIANT 9: the keys of guards and of secret items have values that no event shows.
fn references(model: &Model, object: &Object, image: &Item) -> Vec<Object> {
    let Some(grant) = &model.item(object.of).grant else { return Vec::new() };
    let subject = implied::named_subject(model, &grant.subject, object, Some(image));
    let scope = implied::named_scope_object(model, scopes(&grant.scope), object, image);
    let may_say = |other: &Object| {
        let ty = model.item(other.of);
        other != object && ty.guard.is_none() && !ty.secret
    };
    subject.into_iter().chain(scope).filter(may_say).collect()
}

const fn scopes(scope: &Scope) -> &[LinkId] {
    match scope {
        Scope::Links(links) => links.as_slice(),
        Scope::Global | Scope::Value(_) => &[],
    }
}
