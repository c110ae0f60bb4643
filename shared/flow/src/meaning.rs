//! What a model says of one item, in names and texts: no place in the model is in it. So the meanings of an item under
//! two models can be compared.

use std::collections::{BTreeMap, BTreeSet};

use instep_contract::Cause;
use instep_model::{Identity, Item, Key, LinkId, Model, Names, Object, Scope, Value};

use crate::bookkeeping;
use crate::change::Change;
use crate::decode;
use crate::due::{self, Moment};
use crate::events;
use crate::implied::{self, DesiredUser, Membership};
use crate::queries;
use crate::reconcile::corrected;
use crate::tenants;
use crate::valid;

/// The code of an item whose records are skipped, because no item type has its key.
pub const SKIPPED: &str = "skipped";

/// What a model says of an item. Whether what it depends on exists, is another question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ItemMeaning {
    /// The first name of its type. `None` if no type has its key.
    pub item: Option<String>,
    /// The names in its key.
    pub names: Names,
    /// What others that depend on it call it.
    pub label: String,
    /// Why its records are not handled: the code with which they are parked, or [`SKIPPED`].
    pub refused: Option<&'static str>,
    /// What it depends on, by its label.
    pub depends_on: BTreeMap<String, Dependence>,
    /// What it grants, if the time has come.
    pub grants: BTreeSet<MeantGrant>,
    /// The memberships that it asks for.
    pub members: BTreeSet<Membership>,
    /// The groups that it has.
    pub groups: BTreeSet<String>,
    /// Its user.
    pub user: Option<MeantUser>,
    /// The guards of its unique values.
    pub claims: BTreeSet<Key>,
    /// What becomes due.
    pub moments: BTreeSet<Moment>,
    /// The attributes that Instep keeps as index keys and that differ from their templates, with what they will be.
    pub index_keys: BTreeMap<String, Option<Value>>,
    /// Instep's own items that lead to it.
    pub own: BTreeSet<Key>,
    /// What its events call it: entity, id and tenant.
    pub event: Option<(String, String, Option<String>)>,
}

/// How an item depends on another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dependence {
    /// The first name of the other's type.
    pub on: String,
    /// Whether it is deleted with the other.
    pub is_deleted_with: bool,
    /// By what the other finds it, as it is now. `None`: by nothing.
    pub found_by: Option<String>,
}

impl Dependence {
    /// Whether it goes when the other is deleted.
    #[must_use]
    pub const fn goes(&self) -> bool {
        self.is_deleted_with && self.found_by.is_some()
    }
}

/// A grant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MeantGrant {
    /// Who has it: a label.
    pub subject: String,
    /// Where.
    pub scope: Option<String>,
    /// As what.
    pub role: Option<String>,
}

/// The Cognito user of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeantUser {
    /// Its name.
    pub name: String,
    /// Its state.
    pub state: DesiredUser,
    /// Whether the model says who can sign in.
    pub is_state_managed: bool,
}

/// What a model says of an item. `None` for Instep's own items, and for what is no item of the table.
#[must_use]
pub fn meaning(model: &Model, item: &Item) -> Option<ItemMeaning> {
    let key = model.table.key_of(item)?;
    let (object, canonical) = match model.identify(&key) {
        Identity::Item { object, canonical } => (object, canonical),
        Identity::Bookkeeping => return None,
        Identity::Unknown(near) => {
            let refused = decode::unknown(model, near.as_ref()).map_or_else(|reject| reject.code, |_| SKIPPED);
            return Some(ItemMeaning { refused: Some(refused), ..ItemMeaning::default() });
        }
    };
    Some(of_object(model, &key, &object, canonical, item))
}

fn of_object(model: &Model, key: &Key, object: &Object, canonical: bool, item: &Item) -> ItemMeaning {
    let ty = model.item(object.of);
    let change = Change {
        object: object.clone(),
        key: key.clone(),
        old: None,
        new: Some(item.clone()),
        epoch: String::new(),
        sequence: String::new(),
        recorded_at: None,
        cause: Cause::Write,
        notes: Vec::new(),
    };
    let kept = corrected(model, object, item);
    let names = item.keys().chain(kept.keys()).filter(|name| item.get(*name) != kept.get(*name));
    let index_keys = names.map(|name| (name.clone(), kept.get(name).cloned())).collect();
    let moments = due::moments(model, object, item);
    let noted = moments.iter().map(|moment| bookkeeping::due_key(model, object, *moment));
    let own = bookkeeping::references(model, object, item).into_keys().chain(noted).collect();
    let is_published = !ty.publish.is_empty() && !ty.secret;
    let event = is_published.then(|| {
        let (entity, id) = events::named(model, object, Some(item));
        (entity, id, tenants::of_record(model, object, item))
    });
    let groups =
        implied::groups(model, object).into_iter().zip(std::iter::repeat(implied::active_groups(model, object, item)));
    let groups = groups.filter(|((rule, _), active)| active.get(*rule).copied().unwrap_or_default());
    let claims = implied::claims(model, object, item).into_keys();
    ItemMeaning {
        item: Some(ty.stable_name().to_owned()),
        names: object.names.clone(),
        label: label(model, object),
        refused: valid::change(model, &change, canonical).err().map(|reject| reject.code),
        depends_on: depends_on(model, object, &kept),
        grants: grants(model, object, item),
        members: implied::memberships(model, object, item),
        groups: groups.map(|((_, name), _)| name).collect(),
        user: user(model, object, item),
        claims: claims.flat_map(|guard| model.keys(&guard).unwrap_or_default()).collect(),
        moments,
        index_keys,
        own,
        event,
    }
}

/// An object in texts that do not depend on the name of its type now.
fn label(model: &Model, object: &Object) -> String {
    model.item_text(object)
}

fn depends_on(model: &Model, object: &Object, item: &Item) -> BTreeMap<String, Dependence> {
    let mut all: BTreeMap<String, Dependence> = BTreeMap::new();
    for (id, link) in model.links_from(object.of).filter(|(_, link)| link.deleted_with || link.needed) {
        for target in implied::named_targets(model, id, object, Some(item)) {
            let on = model.item(target.of).stable_name().to_owned();
            let one = all.entry(label(model, &target)).or_insert(Dependence { on, ..Dependence::default() });
            one.is_deleted_with |= link.deleted_with;
            // What only leads to a grant does not find an item that is to be deleted.
            if is_found(model, id, &target, item) && (link.deleted_with || !one.is_deleted_with) {
                one.found_by = Some(queries::found_through(model, link));
            }
        }
    }
    all
}

/// Whether an item finds another by one of its queries, as that is now.
fn is_found(model: &Model, id: LinkId, target: &Object, item: &Item) -> bool {
    let mut queries = queries::queries(model, id).filter_map(|nth| queries::query(model, nth, target));
    match &model.link(id).find {
        // Instep writes it with the item.
        instep_model::ToDependents::BackReference => true,
        instep_model::ToDependents::Sweep => false,
        instep_model::ToDependents::Queries(_) => queries.any(|query| query.matches(item)),
    }
}

fn grants(model: &Model, object: &Object, item: &Item) -> BTreeSet<MeantGrant> {
    let Some(grant) = &model.item(object.of).grant else { return BTreeSet::new() };
    let Some(subject) = implied::named_subject(model, &grant.subject, object, Some(item)) else {
        return BTreeSet::new();
    };
    let subject = label(model, &subject);
    let scope = match &grant.scope {
        Scope::Links(links) => {
            implied::named_scope_object(model, links, object, item).map(|scope| label(model, &scope))
        }
        Scope::Global | Scope::Value(_) => implied::scope_text(model, grant, object, item),
    };
    let roles = implied::roles(model, object, item).into_iter();
    roles.map(|role| MeantGrant { subject: subject.clone(), scope: scope.clone(), role }).collect()
}

fn user(model: &Model, object: &Object, item: &Item) -> Option<MeantUser> {
    let user = model.item(object.of).user.as_ref().filter(|_| implied::has_user(model, object, item))?;
    Some(MeantUser {
        name: implied::user_name(model, object)?,
        state: implied::user_state(model, user, object, item),
        is_state_managed: user.disabled.is_some(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = r##"
model = "fleet"
source = "org.example.fleet"

[table]
pk = "PK"
sk = "SK"

[indexes]
BySailor = { pk = "P1", sk = "S1" }

[names]
rank = ["captain", "cook"]

[items.Sailor]
pk = "SAILOR#{sailor}"
sk = "SAILOR"
entity = "Sailor"
cognito.user.name = "{sailor}"

[items.Ship]
pk = "SHIP#{ship}"
sk = "SHIP"
entity = "Ship"
cognito.groups = "ship:{ship}:{rank}"

[items.Berth]
pk = "SHIP#{ship}"
sk = "BERTH#{sailor}"
BySailor = { pk = "SAILOR#{sailor}", sk = "SHIP#{ship}" }
parent = ["Ship", "Sailor"]
grant = { subject = "Sailor", scope = "Ship", roles = "rank" }
cognito.member = { user = "Sailor", group = "Ship" }
"##;

    fn item(attributes: &[(&str, &str)]) -> Item {
        attributes.iter().map(|(name, text)| ((*name).to_owned(), Value::S((*text).to_owned()))).collect()
    }

    fn berth(more: &[(&str, &str)]) -> Item {
        item(&[&[("PK", "SHIP#s1"), ("SK", "BERTH#eve"), ("rank", "cook")], more].concat())
    }

    /// An item depends on another also if that does not find it: then it stays.
    #[test]
    fn an_item_goes_with_what_finds_it() {
        let model = Model::parse("fleet.toml", MODEL).unwrap();
        let goes = |item: &Item| {
            let all = meaning(&model, item).unwrap().depends_on;
            all.into_iter().map(|(label, one)| (label, one.goes())).collect::<Vec<_>>()
        };
        let on = |ship, sailor| vec![("Sailor eve".to_owned(), sailor), ("Ship s1".to_owned(), ship)];
        assert_eq!(goes(&berth(&[("P1", "SAILOR#eve"), ("S1", "SHIP#s1")])), on(true, true));
        assert_eq!(goes(&berth(&[])), on(true, false));
        assert_eq!(goes(&berth(&[("P1", "SAILOR#kim"), ("S1", "SHIP#s1")])), on(true, false));
        let kept = MODEL.replace("sk = \"SHIP#{ship}\" }", "sk = \"SHIP#{ship}\", keep = true }");
        let kept = meaning(&Model::parse("fleet.toml", &kept).unwrap(), &berth(&[])).unwrap();
        assert!(kept.depends_on.values().all(Dependence::goes), "{kept:?}");
        assert_eq!(kept.index_keys.keys().collect::<Vec<_>>(), ["P1", "S1"]);
    }

    /// What it says does not depend on the order of a model, or on what an item type is called now.
    #[test]
    fn a_meaning_is_in_texts() {
        let model = Model::parse("fleet.toml", MODEL).unwrap();
        let (head, ship) = MODEL.split_once("[items.Ship]").unwrap();
        let other = format!("{head}[items.Vessel]\nformerly = \"Ship\"{}", ship.replace("\"Ship\"", "\"Vessel\""));
        let (first, rest) = other.split_once("[items.Sailor]").unwrap();
        let (sailor, rest) = rest.split_once("[items.Vessel]").unwrap();
        let other = format!("{first}[items.Vessel]{rest}\n[items.Sailor]{sailor}");
        let other = Model::parse("fleet.toml", &other).unwrap();
        let berth = berth(&[("P1", "SAILOR#eve"), ("S1", "SHIP#s1")]);
        let said = meaning(&model, &berth).unwrap();
        assert_eq!(meaning(&other, &berth).unwrap(), said);
        assert_eq!(said.members.into_iter().collect::<Vec<_>>(), [Membership::named("eve", "ship:s1:cook")]);
        let grant = MeantGrant {
            subject: "Sailor eve".to_owned(),
            scope: Some("Ship s1".to_owned()),
            role: Some("cook".to_owned()),
        };
        assert_eq!(said.grants.into_iter().collect::<Vec<_>>(), [grant]);
    }

    /// Instep's own items mean nothing, and what no record of is handled says why.
    #[test]
    fn what_is_not_handled_says_why() {
        let model = Model::parse("fleet.toml", MODEL).unwrap();
        let refused = |item: &Item| meaning(&model, item).map(|meaning| meaning.refused);
        assert_eq!(refused(&item(&[("PK", "INSTEP#GONE#Ship/ship=s1"), ("SK", "GONE")])), None);
        assert_eq!(refused(&item(&[("PK", "PORT#p1"), ("SK", "PORT")])), Some(Some("unknown-item")));
        assert_eq!(
            refused(&item(&[("PK", "SHIP#s1"), ("SK", "BERTH#eve"), ("rank", "boy")])),
            Some(Some("wrong-value"))
        );
        assert_eq!(refused(&berth(&[])), Some(None));
        let skips = MODEL.replace("sk = \"SK\"\n", "sk = \"SK\"\nunknown = \"skip\"\n");
        let skips = Model::parse("fleet.toml", &skips).unwrap();
        assert_eq!(meaning(&skips, &item(&[("PK", "PORT#p1"), ("SK", "PORT")])).unwrap().refused, Some(SKIPPED));
    }
}
