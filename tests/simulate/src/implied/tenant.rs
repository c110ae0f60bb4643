//! Which tenant an item says for its events, and which items say it for those of a grant.

use instep_model::{Item, Object, Scope, Subject};

use super::{Implied, said};

/// What says the tenant of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TenantSource {
    /// It is known from the record: this one, or none.
    Record(Option<String>),
    /// The items of these objects, the first that has one.
    Items(Vec<Object>),
}

impl Implied {
    /// What says the tenant of the events of an image.
    #[must_use]
    pub fn tenant_source(&self, object: &Object, image: &Item) -> TenantSource {
        let own = self.tenant_of(object, Some(image));
        let Some(grant) = self.model.item(object.of).grant.as_ref().filter(|_| own.is_none()) else {
            return TenantSource::Record(own);
        };
        let mut others = Vec::new();
        if let Subject::Link(link) = grant.subject {
            others.extend(self.named_targets(link, object, image).into_iter().next());
        }
        if let Scope::Links(links) = &grant.scope {
            others.extend(links.iter().flat_map(|link| self.named_targets(*link, object, image)).next());
        }
        others.retain(|other| {
            let ty = self.model.item(other.of);
            other != object && !ty.secret && ty.guard.is_none()
        });
        match others.iter().find_map(|other| self.tenant_of(other, None)) {
            None if !others.is_empty() => TenantSource::Items(others),
            named => TenantSource::Record(named),
        }
    }

    /// The tenant that an object's names say, or its item.
    #[must_use]
    pub fn tenant_of(&self, object: &Object, item: Option<&Item>) -> Option<String> {
        self.model.tenant.iter().find_map(|name| said(&self.model, object, item)(name))
    }
}
