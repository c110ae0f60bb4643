//! What a run may have done, if it fails.

use std::collections::BTreeSet;

use instep_model::Object;

use super::applied::Applied;
use crate::effect::{AddMember, Effect, IfMissing};
use crate::entries::{Entries, EntryId};
use crate::work::NamedObject;

/// What a run may have done. Whoever handles its entries again, or replaces their messages, marks the objects
/// that it may have touched as [in doubt](NamedObject::doubt).
#[derive(Debug, Default, Clone)]
pub struct Attempted {
    /// Objects whose user or groups it may have created or deleted.
    pub objects: BTreeSet<Object>,
    /// The entries for which it may have applied other effects.
    pub entries: Entries,
}

impl Attempted {
    pub(super) fn add(&mut self, effect: &Effect, entries: &Entries, applied: &Applied) {
        let (ensures, deletes) = (effect.ensures(), effect.deletes());
        // One call may have created a user or group before the next one was refused.
        let on_demand = matches!(effect, Effect::AddMember(AddMember { if_no_group: IfMissing::Create(..), .. }));
        let has_done = match applied {
            Applied::Done { created } => *created || ensures.is_none(),
            Applied::Skipped | Applied::Missing(_) => on_demand,
            Applied::Refused { .. } => on_demand || ensures.is_some(),
            Applied::CreatedInPart { .. } | Applied::Changed | Applied::Failed(_) => true,
        };
        match ensures.or(deletes) {
            _ if !has_done => {}
            Some(of) => drop(self.objects.insert(of.clone())),
            None => self.entries.extend(entries),
        }
    }

    /// Adds what was attempted by a run whose batch began with the entry at `from`.
    pub fn add_run(&mut self, from: usize, run: Self) {
        self.objects.extend(run.objects);
        self.entries.extend(run.entries.into_iter().map(|entry| entry.in_whole(from)));
    }

    /// Whether the run may have done something for an object that a message names, of which a
    /// later run has to know. Where a message names an object only so that its user or groups exist, that is
    /// their creation or deletion. A message about a `due` rule leads to nothing else.
    #[must_use]
    pub fn touches(&self, entry: EntryId, object: &Object, named: &NamedObject) -> bool {
        let asks_for_more = named.image.is_some() || named.late || named.moment.is_some();
        !named.is_of_rule() && (self.objects.contains(object) || asks_for_more && self.entries.contains(entry))
    }

    /// As [`Self::touches`]. Of several messages that name an object, the first one that can lead to what
    /// follows is marked: one is enough.
    pub fn touches_first(&mut self, entry: EntryId, object: &Object, named: &NamedObject) -> bool {
        let touches = self.touches(entry, object, named);
        self.followed(object, named);
        touches
    }

    /// Whatever follows for an object is left to a message that names it, or was done by a run over that.
    pub fn followed(&mut self, object: &Object, named: &NamedObject) {
        if !named.is_of_rule() {
            self.objects.remove(object);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use instep_model::{Item, Model};
    use jiff::Timestamp;

    use super::*;
    use crate::due::{ArrivedMoment, MomentKind};
    use crate::effect::Aside;
    use crate::group_settings::GroupSettings;
    use crate::implied::Membership;
    use crate::reconcile::Missing;
    use crate::stream_record::RecordPlace;

    fn group() -> Object {
        let names = [("groupId".to_owned(), "/a".to_owned())].into();
        Object { of: Model::shipped("access-management").unwrap().type_named("Group").unwrap(), names }
    }

    fn named(moment: Option<MomentKind>) -> NamedObject {
        let model = Model::shipped("access-management").unwrap();
        let moment =
            moment.map(|kind| ArrivedMoment { at: Timestamp::UNIX_EPOCH, kind, place: RecordPlace::default() });
        NamedObject { moment, ..NamedObject::new(&model, &group(), None) }
    }

    /// Promise 1: of several messages one leads to what follows. One about a `due` rule does not: it leads to
    /// nothing else.
    #[test]
    fn the_first_message_that_can_lead_to_what_follows_is_marked() {
        let mut attempted = Attempted { objects: [group()].into(), entries: (0..4).map(EntryId).collect() };
        let messages = [Some(MomentKind::Rule), None, None, Some(MomentKind::Rule)];
        let marked = messages.map(|moment| attempted.touches_first(EntryId(0), &group(), &named(moment)));
        assert_eq!(marked, [false, true, false, false]);
        attempted.objects.insert(group());
        attempted.followed(&group(), &named(Some(MomentKind::Rule)));
        assert!(attempted.touches(EntryId(0), &group(), &named(None)));
        attempted.followed(&group(), &named(None));
        assert!(!attempted.touches(EntryId(0), &group(), &named(None)));
    }

    /// Promise 1: what an effect may have created or deleted counts, also if a later call was refused.
    #[test]
    fn what_an_effect_may_have_done_counts() {
        let refused = || Applied::Refused { code: "quota-reached", reason: String::new() };
        let outcomes = [
            Applied::DONE,
            Applied::Done { created: true },
            Applied::Skipped,
            Applied::Changed,
            Applied::Missing(Missing::User),
            Applied::Failed(String::new()),
            refused(),
        ];
        let add = |if_no_group| {
            let membership = Membership::named("ann", "g");
            let (grant, image, if_no_user) = (group(), Arc::new(Item::new()), IfMissing::Pending);
            let (unbound, adopt_before) = (Aside::default(), Aside::default());
            Effect::AddMember(AddMember { membership, grant, image, if_no_user, if_no_group, unbound, adopt_before })
        };
        let counts = |effect: &Effect| {
            let count = |applied: &Applied| {
                let mut attempted = Attempted::default();
                attempted.add(effect, &Entries::from(EntryId(3)), applied);
                (attempted.objects.len(), attempted.entries.len())
            };
            outcomes.iter().map(count).collect::<Vec<_>>()
        };
        let (nothing, object, entry) = ((0, 0), (1, 0), (0, 1));
        let ensure = Effect::EnsureGroup {
            group: "g".to_owned(),
            of: group(),
            settings: GroupSettings::default(),
            removal: Aside::default(),
        };
        assert_eq!(counts(&ensure), [nothing, object, nothing, object, nothing, object, object]);
        let delete = Effect::DeleteGroup { group: "g".to_owned(), of: group(), created: None };
        assert_eq!(counts(&delete), [object, object, nothing, object, nothing, object, nothing]);
        let to_existing = add(IfMissing::Pending);
        assert_eq!(counts(&to_existing), [entry, entry, nothing, entry, nothing, entry, nothing]);
        assert_eq!(counts(&add(IfMissing::Create(Vec::new(), GroupSettings::default()))), [entry; 7]);
    }

    /// A message that names an object with an image, a moment of its window or late asks for more than its
    /// user and groups.
    #[test]
    fn an_object_is_touched_by_what_its_message_asks_for() {
        let attempted = Attempted { objects: BTreeSet::new(), entries: Entries::from(EntryId(1)) };
        let with_image = NamedObject { image: Some(Item::new()), ..named(None) };
        let late = NamedObject { late: true, ..named(None) };
        let touched = [named(None), with_image, late, named(Some(MomentKind::Opens)), named(Some(MomentKind::Rule))]
            .map(|named| [0, 1].map(|entry| attempted.touches(EntryId(entry), &group(), &named)));
        assert_eq!(touched, [[false; 2], [false, true], [false, true], [false, true], [false; 2]]);
    }
}
