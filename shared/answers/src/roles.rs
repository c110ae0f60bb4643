//! Roles that are items, and what they permit.

use std::collections::BTreeSet;

use instep_model::{Item, Link, Model, Names, Object, Permission, Permits, TypeId, Value, value_at};

use crate::answer::Reason;
use crate::evaluation::{Evaluation, FoundItem, Read, each};

/// The levels of roles from which a role inherits.
pub(crate) const ROLE_LEVELS_MAX: usize = 8;

/// The item of a role, or why the role does not count. `None` if the role is only a text.
pub(crate) type RoleItem<'a> = Result<Option<FoundItem<'a>>, Reason>;

/// What a role permits.
#[derive(Debug, Default)]
pub(crate) struct Permitted {
    /// The permissions, and the item that gives each.
    pub(crate) permissions: BTreeSet<GivenPermission>,
    /// Whether there are more roles than a question follows.
    pub(crate) is_cut: bool,
}

/// A permission that an item gives.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct GivenPermission {
    pub(crate) by_type: TypeId,
    pub(crate) permission: Permission,
    /// The name of the item in answers.
    pub(crate) by: String,
}

/// The item types that link a role of a type to permissions.
fn links_of_role(model: &Model, role: TypeId) -> Vec<(TypeId, &Link)> {
    let links = model.types().filter_map(|(of, ty)| Some((of, ty.permits.as_ref()?.role.as_ref()?)));
    links.filter(|(_, link)| link.to == role).collect()
}

impl<'a> Evaluation<'_, 'a> {
    /// The item of a role of a grant. What links it to permissions is asked for at the same time.
    pub(crate) fn role_item(
        &mut self,
        found: &FoundItem<'a>,
        role: Option<&str>,
        gaps: &Names,
        permissions: bool,
    ) -> Read<RoleItem<'a>> {
        let model = self.model;
        let Some((grant, role)) = self.grant_of(found.object.of).zip(role) else { return Ok(Ok(None)) };
        let links = grant.role_links.iter().map(|link| model.link(*link));
        let links: Vec<&Link> =
            links.filter(|link| model.applies(link, &found.object.names, Some(&found.item))).collect();
        if grant.role_links.is_empty() {
            return Ok(Ok(None));
        }
        for link in links.iter().filter(|_| permissions) {
            if let Some(names) = self.names_at(link, found, Some(role), gaps) {
                self.ask_for_links(link.to, &names);
            }
        }
        let items: Vec<Option<Vec<FoundItem<'a>>>> = each(&links, |link| self.at(link, found, Some(role), gaps))?;
        let mut items: Vec<FoundItem<'a>> = items.into_iter().flatten().flatten().collect();
        items.dedup_by(|one, other| one.object == other.object);
        // `?` says that memberships do not wait for the item of a role. INVARIANT 2: an answer does.
        Ok(match (items.pop(), items.is_empty()) {
            (None, _) => Err(Reason::NoRole),
            (Some(item), true) => Ok(Some(item)),
            (Some(_), false) => Err(Reason::Ambiguous),
        })
    }

    fn ask_for_links(&mut self, role: TypeId, names: &Names) {
        for (of, link) in links_of_role(self.model, role) {
            let names = self.model.names_before(link, names);
            let _ = self.find(of, &names);
        }
    }

    /// What a role permits: its item, the items that link it to permissions, and the roles from which it inherits. `is_enough`
    /// ends the search early.
    pub(crate) fn permitted(
        &mut self,
        role: &FoundItem<'a>,
        is_enough: &dyn Fn(&GivenPermission) -> bool,
    ) -> Read<Permitted> {
        let mut permitted = Permitted::default();
        let mut seen: BTreeSet<Object> = [role.object.clone()].into();
        let mut level = vec![role.clone()];
        for _ in 0..=ROLE_LEVELS_MAX {
            for role in &level {
                permitted.permissions.extend(self.given(role));
            }
            if permitted.permissions.iter().any(is_enough) {
                return Ok(permitted);
            }
            let (linked, parents) = (self.linked(&level), self.inherited(&level));
            permitted.permissions.extend(linked?);
            if permitted.permissions.iter().any(is_enough) {
                return Ok(permitted);
            }
            level = parents?.into_iter().filter(|role| seen.insert(role.object.clone())).collect();
            if level.is_empty() {
                return Ok(permitted);
            }
        }
        permitted.is_cut = true;
        Ok(permitted)
    }

    /// The permissions of the items that link these roles to them.
    fn linked(&mut self, roles: &[FoundItem<'a>]) -> Read<Vec<GivenPermission>> {
        let model = self.model;
        let asked = roles
            .iter()
            .flat_map(|role| links_of_role(model, role.object.of).into_iter().map(move |(of, link)| (role, of, link)));
        let asked: Vec<_> = asked.collect();
        let found: Vec<Vec<GivenPermission>> = each(asked, |(role, of, link)| {
            let found = self.find(of, &model.names_before(link, &role.object.names))?;
            let of_role = found.into_iter().filter(|found| self.leads_to(link, found, role));
            Ok(of_role.flat_map(|found| self.given(&found)).collect())
        })?;
        Ok(found.into_iter().flatten().collect())
    }

    /// The roles from which these inherit.
    fn inherited(&mut self, roles: &[FoundItem<'a>]) -> Read<Vec<FoundItem<'a>>> {
        let model = self.model;
        let none = Names::new();
        let asked = roles.iter().filter_map(|role| Some((role, model.item(role.object.of).inherits.as_ref()?)));
        let found: Vec<Option<Vec<FoundItem<'a>>>> =
            each(asked.collect::<Vec<_>>(), |(role, link)| self.at(link, role, None, &none))?;
        Ok(found.into_iter().flatten().filter(|found| found.len() == 1).flatten().collect())
    }

    /// The permissions that an item gives itself.
    fn given(&self, found: &FoundItem<'_>) -> Vec<GivenPermission> {
        let Some(permits) = &self.model.item(found.object.of).permits else { return Vec::new() };
        let permissions = match &permits.list {
            None => permits.of(&|name: &str| self.value(found, name)).into_iter().collect(),
            Some(path) => listed(permits, value_at(&found.item, path)),
        };
        let (by_type, by) = (found.object.of, self.label(found));
        permissions.into_iter().map(|permission| GivenPermission { by_type, permission, by: by.clone() }).collect()
    }
}

/// The permissions of a list of maps. An element that is none gives nothing.
fn listed(permits: &Permits, list: Option<&Value>) -> Vec<Permission> {
    elements(permits, list).flatten().collect()
}

fn elements(permits: &Permits, list: Option<&Value>) -> impl Iterator<Item = Option<Permission>> {
    let elements = if let Some(Value::L(elements)) = list { elements.as_slice() } else { &[] };
    elements.iter().map(|element| match element {
        Value::M(map) => permits.of(&|name: &str| map.get(name)?.to_text()),
        Value::S(_) | Value::N(_) | Value::B(_) | Value::Bool(_) | Value::Null(_) | Value::L(_) => None,
        Value::Ss(_) | Value::Ns(_) | Value::Bs(_) => None,
    })
}

/// How many elements of its list of permissions are none, and give nothing.
#[must_use]
pub fn elements_without_permission(permits: &Permits, item: &Item) -> usize {
    let list = permits.list.as_ref().and_then(|path| value_at(item, path));
    elements(permits, list).filter(Option::is_none).count()
}

#[cfg(test)]
mod tests {
    use instep_model::Model;

    use super::*;

    /// An element of a list that lacks a value, or has a separator in one, is counted, and gives nothing.
    #[test]
    fn an_element_that_is_no_permission_is_counted() {
        let model = Model::shipped("account-management").unwrap();
        let role = model.item(model.type_named("Role").unwrap());
        let permits = role.permits.as_ref().unwrap();
        let element = |module: &str| {
            let texts = [("module", module), ("action", "read"), ("resource", "meters")];
            let texts = texts.into_iter().filter(|(_, text)| !text.is_empty());
            Value::M(texts.map(|(name, text)| (name.to_owned(), Value::S(text.to_owned()))).collect())
        };
        let list =
            Value::L(vec![element("energy"), element(""), element("a:b"), Value::S("energy:read:meters".to_owned())]);
        let item: Item = [("permissions".to_owned(), list.clone())].into_iter().collect();
        assert_eq!(elements_without_permission(permits, &item), 3);
        assert_eq!(listed(permits, Some(&list)).len(), 1);
    }
}
