//! Scopes: what an item is in, by references, by its path, and by edges that convey.

use std::collections::BTreeSet;

use instep_flow::{bookkeeping, implied};
use instep_model::{Conveys, ItemType, Link, LinkId, Model, Names, Object, Scope, Subject, TypeId, Within};

use crate::evaluation::{Evaluation, EvaluationStop, FoundItem, Read, each};

/// The levels of scopes that a question follows.
pub(crate) const SCOPE_LEVELS_MAX: usize = 16;

/// The scopes that a question follows.
pub(crate) const SCOPES_MAX: usize = 100;

/// A scope that may apply: an item, or a leading part of a path that has no item.
#[derive(Debug, Clone)]
pub(crate) enum ScopeAt<'a> {
    Item(FoundItem<'a>),
    Gone(Object),
}

impl ScopeAt<'_> {
    pub(crate) const fn object(&self) -> &Object {
        match self {
            Self::Item(found) => &found.object,
            Self::Gone(object) => object,
        }
    }
}

impl<'a> Evaluation<'_, 'a> {
    /// What applies to an item of these scopes, too: one level up, each once.
    pub(crate) fn level_up(&mut self, level: &[ScopeAt<'a>], gaps: &Names) -> Read<Vec<ScopeAt<'a>>> {
        let items = level.iter().filter_map(|scope| match scope {
            ScopeAt::Item(found) => Some(found),
            ScopeAt::Gone(_) => None,
        });
        let up: Vec<Vec<ScopeAt<'a>>> = each(items, |found| {
            let (within, conveyed) = (self.within(found, gaps), self.conveyed_to(found));
            let (mut up, conveyed) = (within?, conveyed?);
            up.extend(conveyed.into_iter().map(ScopeAt::Item));
            Ok(up)
        })?;
        Ok(up.into_iter().flatten().collect())
    }

    /// What an item is in, by its own word.
    pub(crate) fn within(&mut self, of: &FoundItem<'a>, gaps: &Names) -> Read<Vec<ScopeAt<'a>>> {
        let model = self.model;
        match &model.item(of.object.of).within {
            None => Ok(Vec::new()),
            Some(Within::Items(links)) => {
                let found: Vec<Option<Vec<FoundItem<'a>>>> = each(links, |link| self.at(link, of, None, gaps))?;
                // Names that lead to several items lead to none.
                let single = found.into_iter().flatten().filter(|found| found.len() == 1);
                Ok(single.flatten().map(ScopeAt::Item).collect())
            }
            Some(Within::Path { name, separator }) => {
                let ancestors = leading_parts(&of.object, name, separator);
                if ancestors.len() > SCOPES_MAX {
                    return Err(EvaluationStop::Undecided);
                }
                each(ancestors, |object| {
                    let found = self.find(object.of, &object.names)?.into_iter().next();
                    let found = found.or_else(|| self.assumed(object.of, &object.names));
                    Ok(found.map_or(ScopeAt::Gone(object), ScopeAt::Item))
                })
            }
        }
    }

    /// The items at the other ends of the edges that convey access to an item.
    fn conveyed_to(&mut self, to: &FoundItem<'a>) -> Read<Vec<FoundItem<'a>>> {
        let model = self.model;
        let found: Vec<Vec<FoundItem<'a>>> = each(conveying(model, to.object.of), |(edge, conveys, names_of)| {
            let names = names_of(&to.object.names);
            let edges = self.find(edge, &names);
            // In the round that confirms the edges.
            for (of, names) in self.far_ends_shown(edge, &names, conveys) {
                let _ = self.find(of, &names);
            }
            let of_edges: Vec<Vec<FoundItem<'a>>> = each(edges?, |edge| self.far_ends(&edge, to, conveys))?;
            Ok(of_edges.into_iter().flatten().collect())
        })?;
        Ok(found.into_iter().flatten().collect())
    }

    /// What edges lead to that an index shows, whether they exist or not.
    pub(crate) fn far_ends_shown(&mut self, edge: TypeId, names: &Names, conveys: &Conveys) -> Vec<(TypeId, Names)> {
        let model = self.model;
        let of = |link: &LinkId, shown: &Object| {
            let link = model.link(*link);
            Some((link.to, model.reference_names(link, &shown.names, None, None)?))
        };
        let shown = self.shown(edge, names);
        shown.iter().flat_map(|shown| conveys.from.iter().filter_map(move |link| of(link, shown))).collect()
    }

    /// The item at the other end of an edge, if the edge conveys access now.
    fn far_ends(&mut self, edge: &FoundItem<'a>, to: &FoundItem<'a>, conveys: &Conveys) -> Read<Vec<FoundItem<'a>>> {
        let model = self.model;
        let none = Names::new();
        let leads = conveys.to.iter().any(|link| self.leads_to(model.link(*link), edge, to));
        if !leads || !conveys.when.holds(&edge.object.names, &edge.item) || self.is_set_aside(edge)? {
            return Ok(Vec::new());
        }
        let found: Vec<Option<Vec<FoundItem<'a>>>> =
            each(&conveys.from, |link| self.at(model.link(*link), edge, None, &none))?;
        Ok(found.into_iter().flatten().filter(|found| found.len() == 1).flatten().collect())
    }

    /// Whether an item, of which the item at an end may have at most one, is not known to be the one in effect.
    pub(crate) fn is_set_aside(&mut self, edge: &FoundItem<'a>) -> Read<bool> {
        let model = self.model;
        let Some(unique) = &model.item(edge.object.of).unique_end else { return Ok(false) };
        let Some(guard) = implied::guard_of_edge(model, unique, &edge.object, &edge.item) else { return Ok(true) };
        let found = self.view.object(&guard)?;
        let owner = found.and_then(|(_, item)| implied::owner(model, &guard, item));
        Ok(owner.as_ref() != Some(&edge.object))
    }

    /// The scopes of an item, level by level, each once: the item itself, then what it is in. `visit` sees each level.
    ///
    /// # Errors
    /// Something is unread, or there is more than a question may follow.
    pub(crate) fn climb(
        &mut self,
        start: &FoundItem<'a>,
        gaps: &Names,
        visit: &mut dyn FnMut(&mut Self, &[ScopeAt<'a>]) -> Read<bool>,
    ) -> Read<()> {
        let mut seen: BTreeSet<Object> = [start.object.clone()].into();
        let mut level = vec![ScopeAt::Item(start.clone())];
        for _ in 0..=SCOPE_LEVELS_MAX {
            // What is above is asked for in the round that reads the grants of a level.
            let up = self.level_up(&level, gaps);
            if visit(self, &level)? {
                return Ok(());
            }
            level = up?.into_iter().filter(|scope| seen.insert(scope.object().clone())).collect();
            if level.is_empty() {
                return Ok(());
            }
            if seen.len() > SCOPES_MAX {
                break;
            }
        }
        Err(EvaluationStop::Undecided)
    }

    /// Whether something that the item needs beside its subject, scope and roles does not exist.
    pub(crate) fn is_pending(&mut self, found: &FoundItem<'a>) -> Read<bool> {
        let model = self.model;
        let none = Names::new();
        let others: Vec<_> = others_of_grant(model, found.object.of).collect();
        let pending: Vec<bool> = each(others, |(_, link)| {
            let Some(targets) = self.at(link, found, None, &none)? else { return Ok(false) };
            if !targets.is_empty() || link.each.is_some() {
                return Ok(false);
            }
            if link.needed {
                return Ok(true);
            }
            // What is deleted with an item ends with it, also before the cascade has reached it.
            let Some(names) = self.names_at(link, found, None, &none) else { return Ok(false) };
            let known = implied::identified(model, link, names);
            Ok(self.view.item(&bookkeeping::tombstone_key(model, &known))?.is_some())
        })?;
        Ok(pending.contains(&true))
    }
}

/// The links from a grant to what it needs, or is deleted with, beside its subject, its scope and its roles.
pub(crate) fn others_of_grant(model: &Model, of: TypeId) -> impl Iterator<Item = (LinkId, &Link)> {
    let others = model.links_from(of).filter(move |(id, _)| !is_of_grant(model.item(of), *id));
    others.filter(|(_, link)| link.needed || link.deleted_with)
}

/// Whether a link is that of a grant's subject, scope or role, which are looked at anyway.
fn is_of_grant(ty: &ItemType, id: LinkId) -> bool {
    let Some(grant) = &ty.grant else { return false };
    let is_scope = matches!(&grant.scope, Scope::Links(links) if links.contains(&id));
    matches!(grant.subject, Subject::Link(subject) if subject == id) || is_scope || grant.role_links.contains(&id)
}

/// The edge types that convey access to items of a type, and the names of such an edge that the names of the item give.
pub(crate) fn conveying(model: &Model, to: TypeId) -> Vec<(TypeId, &Conveys, impl Fn(&Names) -> Names + use<'_>)> {
    let edges = model.types().filter_map(|(of, ty)| Some((of, ty.conveys.as_ref()?)));
    let ends = edges.flat_map(|(of, conveys)| conveys.to.iter().map(move |link| (of, conveys, model.link(*link))));
    let ends = ends.filter(move |(_, _, link)| link.to == to);
    ends.map(|(of, conveys, link)| (of, conveys, move |names: &Names| model.names_before(link, names))).collect()
}

/// The objects whose path is a leading part of an object's path, the nearest first: whole parts. Of a path that begins with
/// the separator, the separator alone is the first.
pub(crate) fn leading_parts(object: &Object, name: &str, separator: &str) -> Vec<Object> {
    let mut found = Vec::new();
    let Some(mut path) = object.names.get(name).map(String::as_str) else { return found };
    while let Some((head, _)) = path.rsplit_once(separator) {
        path = if head.is_empty() && path != separator { separator } else { head };
        if path.is_empty() {
            break;
        }
        let names = Names::from([(name.to_owned(), path.to_owned())]);
        found.push(Object { of: object.of, names });
        if path == separator {
            break;
        }
    }
    found
}
