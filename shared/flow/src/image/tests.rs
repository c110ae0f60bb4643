use instep_model::{Names, TypeId};
use proptest::prelude::*;

use super::*;
use crate::bookkeeping;
use crate::due::{Moment, MomentKind};
use crate::stream_record::RecordPlace;
use crate::work::NamedObject;

const MODEL: &str = r#"
model = "own"
table = { pk = "pk", sk = "sk", secret = ["pin"] }
names.place = { attribute = ["here.name", "there"] }

[items.Person]
pk = "P#{personId}"
sk = "P"
cognito.user = { name = "{personId}" }

[items.Seat]
pk = "P#{personId}"
sk = "T#{teamId}"
grant = { subject = "Person", scope = "{teamId}", roles = "access.roles", until = "access.until", when = { "state.word" = ["on", "open"], contract = { present = true } } }
cognito.member = { user = "Person", group = "{teamId}:{role}:{place}" }
"#;

fn model() -> Model {
    Model::parse("own.toml", MODEL).unwrap()
}

fn seat(model: &Model) -> Object {
    let names = Names::from([("teamId".to_owned(), "t".to_owned()), ("personId".to_owned(), "p".to_owned())]);
    Object { of: model.type_named("Seat").unwrap_or(TypeId(0)), names }
}

fn item(json: &str) -> Item {
    serde_json::from_str(json).unwrap()
}

/// Promise 9: a message carries no more than a run needs.
#[test]
fn an_image_has_the_parts_that_count() {
    let model = model();
    let whole = item(
        r#"{"access":{"M":{"roles":{"L":[{"S":"b"},{"S":"a"},{"S":"b"}]},"until":{"S":"2030"},"flags":{"L":[{"BOOL":true}]}}},
            "state":{"M":{"word":{"S":"on"},"since":{"N":"1"}}},"contract":{"S":"a long text"},"pin":{"S":"1234"},
            "here":{"M":{"name":{"S":"x"},"map":{"B":"AAAA"}}},"there":{"L":[{"S":"y"}]},"name":{"S":"Ann"}}"#,
    );
    let expected = item(
        r#"{"access":{"M":{"roles":{"L":[{"S":"a"},{"S":"b"}]},"until":{"S":"2030"}}},"state":{"M":{"word":{"S":"on"}}},
            "contract":{"M":{}},"here":{"M":{"name":{"S":"x"}}},"there":{"M":{}}}"#,
    );
    assert_eq!(needed_image(&model, &seat(&model), &whole), expected);
}

/// Promise 1: a list of roles has each role once, also if the name of the group is read from it.
#[test]
fn a_list_that_a_group_is_named_after_has_each_text_once() {
    let text = r#"
model = "own"
table = { pk = "pk", sk = "sk" }
names.role = ["dev", "ops"]
[items.Person]
pk = "P#{personId}"
sk = "P"
cognito.user.name = "{personId}"
[items.Team]
pk = "T#{teamId}"
sk = "T"
cognito.groups = "{teamId}:{role}"
[items.Seat]
pk = "T#{teamId}"
sk = "SEAT#{personId}"
grant = { subject = { type = "Person", find = "back-reference" }, scope = "Team", roles = "role" }
cognito.member = { user = "Person", group = "Team" }
"#;
    let model = Model::parse("own.toml", text).unwrap();
    let whole = Item::from([("role".to_owned(), Value::L(vec![Value::S("ops".to_owned()); 90_000]))]);
    let image = needed_image(&model, &seat(&model), &whole);
    assert_eq!(image, item(r#"{"role":{"L":[{"S":"ops"}]}}"#));
}

/// Promise 9: of a list of roles, a message about one membership carries the role that leads to it.
#[test]
fn an_image_of_a_membership_has_its_role_alone() {
    let model = model();
    let whole = item(
        r#"{"access":{"M":{"roles":{"SS":["admin","reader","writer"]}}},"state":{"M":{"word":{"S":"on"}}},
            "contract":{"BOOL":true},"there":{"S":"x"}}"#,
    );
    let memberships = implied::memberships(&model, &seat(&model), &whole);
    assert_eq!(memberships.len(), 3);
    for membership in memberships {
        let image = image_of_membership(&model, &seat(&model), &whole, &membership);
        assert_eq!(implied::memberships(&model, &seat(&model), &image), [membership].into());
    }
}

fn value() -> impl Strategy<Value = Value> {
    let texts = prop::sample::select(vec!["", "a", "on", "open", "2030", "x"]);
    let leaf = prop_oneof![
        6 => texts.prop_map(|text| Value::S(text.to_owned())),
        1 => any::<bool>().prop_map(Value::Bool),
        1 => Just(Value::Null(true)),
        1 => Just(Value::N("12345678901234567890123456789012345678".to_owned())),
        1 => Just(Value::Ss(vec!["b".to_owned(), "a".to_owned()])),
        1 => Just(Value::B(instep_model::Bytes(vec![0; 9]))),
        1 => (0..400_000usize).prop_map(|length| Value::S("z".repeat(length))),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let member = prop::sample::select(vec!["roles", "until", "word", "name", "all", "other"]);
        prop_oneof![
            2 => prop::collection::vec(inner.clone(), 0..4).prop_map(Value::L),
            3 => prop::collection::btree_map(member.prop_map(str::to_owned), inner, 0..4).prop_map(Value::M),
        ]
    })
}

fn items() -> impl Strategy<Value = Item> {
    let attributes = vec!["access", "state", "contract", "here", "there", "place", "role"];
    prop::collection::btree_map(prop::sample::select(attributes).prop_map(str::to_owned), value(), 0..9)
}

proptest! {
    /// Promise 1: an image without what does not count implies what the whole item implies, and is no larger.
    /// Promise 9: it has no secret.
    #[test]
    fn an_image_implies_what_its_item_implies(whole in items()) {
        let model = model();
        let seat = seat(&model);
        let image = needed_image(&model, &seat, &whole);
        prop_assert_eq!(implied::memberships(&model, &seat, &image), implied::memberships(&model, &seat, &whole));
        prop_assert_eq!(implied::roles(&model, &seat, &image), implied::roles(&model, &seat, &whole));
        let ty = model.item(seat.of);
        let grant = ty.grant.as_ref().unwrap();
        prop_assert_eq!(crate::due::window(grant, &image), crate::due::window(grant, &whole));
        let bytes = |item: &Item| serde_json::to_vec(item).unwrap().len();
        prop_assert!(bytes(&image) <= bytes(&whole));
        let again = needed_image(&model, &seat, &image);
        prop_assert_eq!(again, image);
    }

    /// Promise 1: the item of a moment fits into the table, however large the item of the object is.
    #[test]
    fn the_item_of_a_moment_fits(whole in items()) {
        let model = model();
        let moment = Moment { at: jiff::Timestamp::UNIX_EPOCH, kind: MomentKind::Closes };
        let (_, noted) = bookkeeping::due(&model, &seat(&model), Some(&whole), moment, &RecordPlace::default());
        prop_assert!(serde_json::to_vec(&noted).unwrap().len() < 100_000);
        prop_assert!(NamedObject::of_moment(&noted).is_some());
    }
}
