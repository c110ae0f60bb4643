//! Groups that no item has: each goes with the parents that its name contains.

use instep_model::{CognitoMember, Item, Link, LinkId, Object, Roles, ToDependents, ToParent, TypeId};

use super::row::Parent;
use super::{Implied, ImpliedRow};

impl Implied {
    /// The groups that an item asks for and that are created with their first member, each with the
    /// parents that its name contains.
    pub(super) fn on_demand(&self, object: &Object, item: &Item, parents: &[Parent]) -> Vec<(String, Vec<Parent>)> {
        let rules = self.model.item(object.of).members.iter().filter(|rule| rule.is_on_demand() && !rule.in_token);
        let groups = rules.flat_map(|rule| {
            let ends = |parent: &&Parent| self.is_in_name(object.of, rule, parent.link);
            let parents: Vec<Parent> = parents.iter().filter(ends).cloned().collect();
            let asked = self.groups_asked(rule, object, item).into_iter();
            asked.map(move |(_, group, _)| (group, parents.clone()))
        });
        groups.collect()
    }

    /// Whether the name of a rule's groups contains the parent at a link, in this item type and in
    /// every other one with such a group.
    fn is_in_name(&self, of: TypeId, rule: &CognitoMember, link: LinkId) -> bool {
        let here = self.model.link(link);
        let is_same = |there: &Link| {
            let texts = |link: &Link| -> Vec<(String, String)> {
                link.names.iter().map(|(name, template)| (name.clone(), template.source().to_owned())).collect()
            };
            there.to == here.to && there.when == here.when && texts(there) == texts(here)
        };
        let mut types = self.model.types();
        self.contains(of, rule, here)
            && types.all(|(of, ty)| {
                let mut like = ty.members.iter().filter(|their| their.is_on_demand());
                let is_other = |their: &CognitoMember| their.group.source() != rule.group.source();
                like.all(|their| {
                    let mut links = self.model.links_from(of).map(|(_, link)| link);
                    is_other(their) || links.any(|link| is_same(link) && self.contains(of, their, link))
                })
            })
    }

    fn contains(&self, of: TypeId, rule: &CognitoMember, link: &Link) -> bool {
        let names = link.names.values().flat_map(|template| template.names().map(str::to_owned));
        let mut names = names.chain(link.when.iter().map(|(name, _)| name.clone()));
        link.deleted_with
            && link.each.is_none()
            && link.condition.is_empty()
            && !matches!(link.find, ToDependents::Sweep)
            && names.all(|name| self.is_named(of, rule, &name))
    }

    /// Whether the text of a group's name tells the text of one name.
    fn is_named(&self, of: TypeId, rule: &CognitoMember, name: &str) -> bool {
        let plain = name.rsplit('.').next().unwrap_or(name);
        let before = name.strip_suffix(plain).unwrap_or_default();
        let shape = self.model.names.get(plain).and_then(|rule| rule.like.as_ref());
        // A role stands in the group's name for one name, whatever the item has under that name.
        let is_role = name == rule.role
            && self.model.item(of).grant.as_ref().is_some_and(|grant| match &grant.roles {
                Roles::None => false,
                Roles::Template(template) => template.source() != format!("{{{name}}}"),
                Roles::Attribute(_) => true,
            });
        rule.group.names().any(|own| own == name && !is_role)
            || self.closed(of, name).len() == 1
            || shape.is_some_and(|shape| shape.names().all(|own| self.is_named(of, rule, &format!("{before}{own}"))))
    }

    /// Whether a parent of a group was deleted, so that the group has to go with it. If another object exists
    /// that the group's name may mean as well, the group may have been created for that one since.
    #[must_use]
    pub fn is_over(&self, parents: &[Parent]) -> bool {
        let may_mean_another = |parent: &Parent| {
            matches!(self.model.link(parent.link).up, ToParent::Unknown) && self.exists(&parent.known)
        };
        parents.iter().any(|parent| self.is_deleted(parent) && !may_mean_another(parent))
    }
}

impl ImpliedRow {
    /// The groups that no item has and that this one asks for.
    #[must_use]
    pub fn on_demand(&self) -> &[(String, Vec<Parent>)] {
        &self.on_demand
    }
}
