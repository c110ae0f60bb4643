//! Why nothing follows from a write, and what a reason leaves out.

#![expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use instep_flow::effect::Effect;
use instep_flow::implied::Membership;
use instep_flow::reason::{because, member, withheld};
use instep_model::{Item, Model, Names, Object, Value};

const MODEL: &str = r#"
model = "own"
table = { pk = "pk", sk = "sk" }
[names]
role = ["editor", "viewer"]
[items.Person]
pk = "P#{personId}"
sk = "P"
cognito.user = { name = "{personId}", when = { status = "ACTIVE" } }
[items.Team]
pk = "T#{teamId}"
sk = "T"
cognito.groups = "team:{teamId}:{role}"
[items.Seat]
pk = "T#{teamId}"
sk = "S#{personId}"
grant = { subject = { type = "Person", find = "back-reference" }, scope = "Team", roles = "role", when = { signed = true } }
cognito.member = { user = { type = "Person", find = "back-reference" }, group = "Team" }
"#;

fn object(model: &Model, of: &str, names: &[(&str, &str)]) -> Object {
    let names: Names = names.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    Object { of: model.type_named(of).unwrap(), names }
}

fn item(attributes: &[(&str, Value)]) -> Item {
    attributes.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

fn text(text: &str) -> Value {
    Value::S(text.to_owned())
}

#[test]
fn what_an_item_withholds_names_the_setting_and_no_value() {
    let model = Model::parse("own.toml", MODEL).unwrap();
    let seat = object(&model, "Seat", &[("teamId", "t1"), ("personId", "p1")]);
    let says = |attributes: &[(&str, Value)]| withheld(&model, &seat, &item(attributes));
    assert_eq!(says(&[("role", text("editor")), ("signed", Value::Bool(true))]), [] as [&str; 0]);
    assert_eq!(
        says(&[("role", text("editor"))]),
        ["`grant.when` of Seat: grants nothing, because not: signed is true"]
    );
    assert_eq!(
        says(&[("signed", Value::Bool(true))]),
        ["`grant.roles` of Seat: grants nothing, because `role` is absent or empty"]
    );
    assert_eq!(
        says(&[("role", text("Editor")), ("signed", Value::Bool(true))]),
        ["`grant.roles` of Seat: grants nothing, because `role` has no value that the model allows"]
    );
    let person = object(&model, "Person", &[("personId", "p1")]);
    assert_eq!(
        withheld(&model, &person, &item(&[("status", text("GONE"))])),
        ["`cognito.user.when` of Person: no Cognito user, because not: status is ACTIVE"]
    );
}

#[test]
fn a_membership_has_its_person_its_item_and_its_role() {
    let model = Model::parse("own.toml", MODEL).unwrap();
    let seat = object(&model, "Seat", &[("teamId", "t1"), ("personId", "p1")]);
    let membership = Membership::named("p1", "team:t1:editor");
    let of =
        |role: &str| member(&model, &seat, &item(&[("role", text(role)), ("signed", Value::Bool(true))]), &membership);
    let expected =
        "`cognito.member` of Seat: Seat t1/p1 makes Person p1 a member of the group of Team t1 for role `editor`";
    assert_eq!(of("editor").as_deref(), Some(expected));
    assert_eq!(of("viewer"), None, "it does not ask for that group");
    let removed = because(&model, &Effect::RemoveMember(membership));
    assert_eq!(removed, "`cognito.member` of Seat: no Seat implies the membership now");
}

/// INVARIANT 9: a secret item is named by its type, and its role is not said.
#[test]
fn a_secret_item_is_not_told() {
    let model = Model::parse("own.toml", &format!("{MODEL}secret = true\n")).unwrap();
    let seat = object(&model, "Seat", &[("teamId", "t1"), ("personId", "p1")]);
    let membership = Membership::named("p1", "team:t1:editor");
    let attributes = item(&[("role", text("editor")), ("signed", Value::Bool(true))]);
    let told = member(&model, &seat, &attributes, &membership).unwrap();
    assert_eq!(told, "`cognito.member` of Seat: Seat makes Person a member of the group of Team");
}
