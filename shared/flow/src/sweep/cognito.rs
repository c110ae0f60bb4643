//! The pool's side: which users, groups and memberships no item implies, and which users differ.

use std::sync::Arc;

use instep_model::{ExtraPolicy, Marker, Model, Object, TypeId};

use super::{About, Difference, DifferenceKind, FormerPool, GroupMark, PoolGroup, PoolUser, Repair};
use crate::account::{self, AccountItem};
use crate::bookkeeping;
use crate::doubt::Doubt;
use crate::effect::{Action, Aside, Effect, Effects, EnsureUser};
use crate::entries::EntryId;
use crate::group_settings::GroupSettings;
use crate::implied::Membership;
use crate::plan::Plan;
use crate::queries;
use crate::work::{Leftovers, NamedObject};

/// Why something of a group that is in tokens alone differs, and what people can do.
const LEFT: &str = "left in the pool: the group is in tokens alone";
const LET: &str = "`cognito.extra.members = \"remove\"` in the model lets a sweep remove it";

/// A part of the pool, and what of the model can imply it.
#[derive(Debug, Default)]
pub struct Found {
    /// Users, with the objects that can have them.
    users: Vec<(PoolUser, Vec<Object>)>,
    /// Groups, with the objects that can have them.
    groups: Vec<(PoolGroup, Vec<Object>)>,
    /// Groups on demand.
    on_demand: Vec<String>,
    /// Groups that are in tokens alone: the pool has them of an earlier model.
    left: Vec<String>,
    /// Memberships.
    members: Vec<Membership>,
}

impl Found {
    /// The users, with the objects that can have them.
    pub(super) fn users(&self) -> &[(PoolUser, Vec<Object>)] {
        &self.users
    }
}

/// The plan that tells what of this the table implies.
#[must_use]
pub fn pool_plan(
    model: &Model,
    users: Vec<PoolUser>,
    groups: Vec<PoolGroup>,
    members: Vec<Membership>,
) -> (Plan, Found) {
    let mut plan = Plan::default();
    let mut found = Found { members, ..Found::default() };
    for user in users {
        let objects = queries::objects_with_user(model, &user.name);
        found.users.push((user, objects));
    }
    for group in groups {
        if model.is_token_group(&group.name) {
            found.left.push(group.name);
            continue;
        }
        let owners = queries::objects_with_group(model, &group.name);
        if owners.is_empty() {
            found.on_demand.push(group.name);
        } else {
            found.groups.push((group, owners));
        }
    }
    let objects = found.users.iter().flat_map(|(_, objects)| objects);
    for object in objects.chain(found.groups.iter().flat_map(|(_, objects)| objects)) {
        plan.add_named(model, EntryId(0), &NamedObject::new(model, object, None), Doubt::Sure);
    }
    // Whose it is, the account items say.
    let members = found.members.iter().map(|member| Membership { username: Aside(None), ..member.clone() });
    let extra = Leftovers { members: members.collect(), groups: found.on_demand.clone(), ..Leftovers::default() };
    plan.add_extra(EntryId(0), &extra);
    (plan, found)
}

/// Whether a sweep lists the members of a group: it is Instep's own, or one that people create for
/// memberships of the model.
#[must_use]
pub fn members_in(model: &Model, group: &str, mark: GroupMark) -> bool {
    let by_hand = |place: usize| {
        let of = TypeId(place);
        let mut rules = model.item(of).members.iter().filter(|rule| rule.is_by_hand());
        rules.any(|rule| {
            let of = rule.group_link().map_or(of, |link| model.link(link).to);
            model.read_name(of, &rule.group, group).is_some()
        })
    };
    mark == GroupMark::Own || (0..model.items.len()).any(by_hand)
}

/// What the first of these objects that has a user now implies for it.
pub(super) fn ensured<'e>(effects: &'e Effects, objects: &[Object]) -> Option<&'e EnsureUser> {
    objects.iter().find_map(|of| {
        let mut ensures = effects
            .keys()
            .filter_map(|effect| if let Effect::EnsureUser(user) = &**effect { Some(user) } else { None });
        ensures.find(|ensure| ensure.of == *of)
    })
}

/// The account item of the object that has this user's name, if it does not say that the user serves the object.
pub(super) fn unbound_from<'e>(user: &PoolUser, ensure: &'e EnsureUser) -> Option<&'e AccountItem> {
    let sub = user.attributes.get(account::SUB).map_or("", String::as_str);
    ensure.account.0.as_ref().filter(|account| !account.serves(sub))
}

/// The users that should not exist, and those that differ from their items.
#[must_use]
pub fn of_users(model: &Model, found: &Found, effects: &Effects, former: &FormerPool) -> Vec<Difference> {
    let mut differences = Vec::new();
    // A user that no template can name is a stranger.
    let is_stranger =
        |(user, objects): &&(PoolUser, Vec<Object>)| objects.is_empty() && !former.users.contains(&user.name);
    for (user, objects) in found.users.iter().filter(|user| !is_stranger(user)) {
        if let Some(ensure) = ensured(effects, objects) {
            differences.extend(compared(model, user, ensure));
            continue;
        }
        // Its deletion waits, or a person keeps it.
        let is_kept = |account: &AccountItem| {
            let is_own = user.mark().is_some_and(|mark| account::is_own_mark(model, mark));
            account.waiting().is_some_and(|waiting| waiting.sub == user.sub())
                || account.is_foreign(user.sub()) && is_own
        };
        let waits = |object: &Object| {
            effects.keys().any(|effect| {
                matches!(&**effect, Effect::DeleteUser { of, account: Aside(Some(account)), .. }
                    if of == object && is_kept(account))
            })
        };
        if objects.iter().any(waits) {
            continue;
        }
        if former.users.contains(&user.name) {
            differences.push(Difference {
                kind: DifferenceKind::FormerUser,
                about: About::User(user.name.clone()),
                why: "only an earlier model makes it".to_owned(),
                repair: Repair::Report("delete it if nobody needs it: its password, MFA and `sub` do not come back"),
            });
            continue;
        }
        let deletes = |object: &&Object| model.item(object.of).user.as_ref().is_some_and(|user| user.delete);
        let Some(object) = objects.iter().find(deletes) else { continue };
        let named = NamedObject { doubt: Doubt::MayBeDone, ..NamedObject::new(model, object, None) };
        // Of a user that Instep makes, the mark says whether it did.
        let is_kept = account::is_kept_for(model, object);
        let is_made = user.made().is_some();
        // The name that the pool has made says nothing of the object, and an address can become another's.
        let is_own = |mark: &String| {
            account::is_own_mark(model, mark) && (!is_made || account::is_made_for(model, object, mark))
        };
        let is_other = (is_kept || is_made) && !user.mark().is_some_and(is_own);
        let report = if is_other {
            "Instep did not make this user for it: delete it if nobody needs it"
        } else {
            "somebody else may have created the user: `cognito.extra.users = \"remove\"` in the model lets a sweep delete it"
        };
        differences.push(Difference {
            kind: DifferenceKind::ExtraUser,
            about: About::User(user.name.clone()),
            why: format!("{} does not exist, or has no user now", queries::label_of(model, object)),
            repair: if model.extra_users == ExtraPolicy::Remove && !is_other {
                Repair::Named(named)
            } else {
                Repair::Report(report)
            },
        });
    }
    differences
}

/// A user that is not known to serve its item.
fn unbound(model: &Model, user: &PoolUser, ensure: &EnsureUser) -> Option<Difference> {
    let account = unbound_from(user, ensure)?;
    let named = NamedObject::new(model, &ensure.of, None);
    let report = "Instep did not make this user, so it has no access: delete it, or let `instep backfill --adopt-before \
                  TIME` take it over";
    Some(Difference {
        kind: DifferenceKind::UnboundUser,
        about: About::User(user.name.clone()),
        why: format!("it is not known to be the account of {}", queries::label_of(model, &ensure.of)),
        // A run over it notes that it is not Instep's, and takes back what it has.
        repair: if account.is_foreign(user.sub()) { Repair::Report(report) } else { Repair::Named(named) },
    })
}

/// How a user differs from its item.
fn compared(model: &Model, user: &PoolUser, ensure: &EnsureUser) -> Option<Difference> {
    if let Some(unbound) = unbound(model, user, ensure) {
        return Some(unbound);
    }
    let has_rule = model.item(ensure.of.of).user.as_ref().is_some_and(|user| user.disabled.is_some());
    let mut differs: Vec<&str> = Vec::new();
    if has_rule && user.enabled != ensure.state.enabled {
        differs.push(if user.enabled { "enabled" } else { "disabled" });
    }
    let wrong = ensure.state.attributes.iter().filter(|(name, value)| {
        let actual = user.attributes.get(*name).map(String::as_str).unwrap_or_default();
        value.as_deref().unwrap_or_default() != actual
    });
    differs.extend(wrong.map(|(name, _)| name.as_str()));
    let named = NamedObject::new(model, &ensure.of, None);
    (!differs.is_empty()).then(|| Difference {
        kind: DifferenceKind::UserDiffers,
        about: About::User(user.name.clone()),
        why: format!("{} differs from {}", differs.join(", "), queries::label_of(model, &ensure.of)),
        repair: Repair::Named(named),
    })
}

/// How a group differs from what the model and its item say.
fn group_differs(model: &Model, group: &PoolGroup, of: &Object, settings: &GroupSettings) -> Option<Difference> {
    let GroupSettings { precedence, iam_role } = settings.lacking(&group.settings);
    let differs = [precedence.map(|_| "its precedence"), iam_role.map(|_| "its IAM role")];
    let differs: Vec<&str> = differs.into_iter().flatten().collect();
    (!differs.is_empty()).then(|| Difference {
        kind: DifferenceKind::GroupDiffers,
        about: About::Group(group.name.clone()),
        why: format!("{} is not as {} implies", differs.join(" and "), queries::label_of(model, of)),
        repair: Repair::Named(NamedObject::new(model, of, None)),
    })
}

/// The groups that should not exist, and those that differ from their items.
#[must_use]
pub fn of_groups(model: &Model, found: &Found, effects: &Effects, former: &FormerPool) -> Vec<Difference> {
    let ensured = |name: &String| {
        effects.keys().find_map(|effect| {
            let Effect::EnsureGroup { group, of, settings, .. } = &**effect else { return None };
            (group == name).then_some((of, settings))
        })
    };
    let mut differences = Vec::new();
    for (group, objects) in &found.groups {
        if let Some((of, settings)) = ensured(&group.name) {
            differences.extend(group_differs(model, group, of, settings));
            continue;
        }
        let Some(object) = objects.first() else { continue };
        differences.push(Difference {
            kind: DifferenceKind::ExtraGroup,
            about: About::Group(group.name.clone()),
            why: format!("{} does not exist, or has no such group now", queries::label_of(model, object)),
            repair: Repair::Named(NamedObject { doubt: Doubt::MayBeDone, ..NamedObject::new(model, object, None) }),
        });
    }
    differences.extend(found.left.iter().map(|group| Difference {
        kind: DifferenceKind::ExtraGroup,
        about: About::Group(group.clone()),
        why: LEFT.to_owned(),
        repair: match model.extra_members {
            ExtraPolicy::Remove => Repair::Extra(Leftovers { groups: vec![group.clone()], ..Leftovers::default() }),
            ExtraPolicy::Report => Repair::Report(LET),
        },
    }));
    for group in &found.on_demand {
        let is_over =
            |effect: &Arc<Effect>| matches!(&**effect, Effect::DeleteGroup { group: over, .. } if over == group);
        if effects.keys().any(is_over) {
            differences.push(Difference {
                kind: DifferenceKind::ExtraGroup,
                about: About::Group(group.clone()),
                why: "the parent that its name names was deleted".to_owned(),
                repair: Repair::Extra(Leftovers { groups: vec![group.clone()], ..Leftovers::default() }),
            });
        } else if effects.keys().any(|effect| writes_entry(effect, group)) {
            differences.push(Difference {
                kind: DifferenceKind::Bookkeeping,
                about: About::Group(group.clone()),
                why: "a bookkeeping item by which its parent finds the group is missing".to_owned(),
                repair: Repair::Extra(Leftovers { groups: vec![group.clone()], ..Leftovers::default() }),
            });
        } else if model.marker == Marker::Description && !model.is_group_name(group) {
            let is_former = former.groups.contains(group);
            differences.push(Difference {
                kind: if is_former { DifferenceKind::FormerGroup } else { DifferenceKind::ExtraGroup },
                about: About::Group(group.clone()),
                why: "it has the mark of this model, and no template of the model gives its name".to_owned(),
                repair: Repair::Report("the model has changed: delete the group if nobody needs it"),
            });
        }
    }
    differences
}

/// Whether an effect writes a bookkeeping item by which a parent finds a group.
fn writes_entry(effect: &Effect, group: &str) -> bool {
    let Some(write) = effect.as_write() else { return false };
    let is_entry = |action: &Action| {
        bookkeeping::BookkeepingKind::of(action.key()) == Some(bookkeeping::BookkeepingKind::Group)
            && action.key().sk == group
    };
    write.actions.iter().any(|action| matches!(action, Action::Put { .. }) && is_entry(action))
}

/// The memberships that no item implies.
#[must_use]
pub fn of_members(model: &Model, found: &Found, effects: &Effects, former: &FormerPool) -> Vec<Difference> {
    let report = "somebody may have added it: `cognito.extra.members = \"remove\"` in the model lets a sweep remove it";
    let unknown = "its address is that of no account of an item, so its item may be under another one";
    let is_known = |member: &Membership| {
        let (removal, _) = effects.get_key_value(&Effect::RemoveMember(member.clone()))?;
        let Effect::RemoveMember(known) = &**removal else { return None };
        // INVARIANT 2: of a user whose name the pool has made, the account item says whose it is, not the address.
        let made = member.username.0.as_ref();
        Some(made.is_none() || made == known.username.0.as_ref())
    };
    let removed = found.members.iter().filter_map(|member| Some((member, is_known(member)?)));
    let extra = removed.map(|(member, is_known)| {
        let is_in_token = model.is_token_group(&member.group);
        // Instep made it: nobody added it by hand.
        let is_former = former.members.contains(member) && !is_in_token;
        let why = match (is_in_token, is_former) {
            (true, _) => LEFT,
            (false, true) => "only an earlier model implies it",
            (false, false) => "no item implies it",
        };
        Difference {
            kind: if is_former { DifferenceKind::FormerMember } else { DifferenceKind::ExtraMember },
            about: About::Member(member.clone()),
            why: why.to_owned(),
            repair: match model.extra_members {
                _ if is_former && is_known => removal(member),
                ExtraPolicy::Remove if is_known => removal(member),
                ExtraPolicy::Remove => Repair::Report(unknown),
                ExtraPolicy::Report if is_former => Repair::Report(unknown),
                ExtraPolicy::Report if is_in_token => Repair::Report(LET),
                ExtraPolicy::Report => Repair::Report(report),
            },
        }
    });
    extra.collect()
}

/// A run that removes a membership unless an item implies it.
fn removal(member: &Membership) -> Repair {
    Repair::Extra(Leftovers { members: vec![member.clone()], ..Leftovers::default() })
}
