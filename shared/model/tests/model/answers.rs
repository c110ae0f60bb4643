//! The words that only answers read.

use instep_model::{Conveys, ItemType, Link, Model, SettingClass, ToDependents, ToParent, Within};

use crate::{design, parsed};

fn item<'m>(model: &'m Model, name: &str) -> &'m ItemType {
    model.item(model.type_named(name).unwrap())
}

/// The names that a link gives, each with its template.
fn gives(link: &Link) -> String {
    let names: Vec<String> = link.names.iter().map(|(name, template)| format!("{name} = {template}")).collect();
    names.join(", ")
}

fn within(item: &ItemType) -> &[Link] {
    let Some(Within::Items(links)) = &item.within else { panic!("{:?}", item.within) };
    links
}

/// Promises 1 and 4: the stream does the same without these words. They are in no link of the model, and no message, image
/// or event has their values.
#[test]
fn nothing_follows_in_the_stream_from_what_only_answers_read() {
    for name in ["access-management", "account-management", "authorization", "relational-store"] {
        let path = format!("{}/models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let is_word = |line: &str| ["within", "permits", "inherits", "same"].iter().any(|word| line.starts_with(word));
        let without_reads = text.split("\n[reads]").next().unwrap();
        assert_ne!(without_reads, text, "{name} has no reads");
        let kept: Vec<&str> = without_reads.lines().filter(|line| !is_word(line)).collect();
        let without = kept.join("\n").replace(", conveys = \"child\"", "");
        assert_ne!(without.len(), text.trim_end().len(), "{name} has none of the words");
        let (with, without) = (design(name), Model::parse("without.toml", &without).unwrap());
        assert_eq!(format!("{:?}", with.links), format!("{:?}", without.links), "{name}");
        for (of, item) in with.types() {
            assert_eq!(format!("{:?}", with.uses(of)), format!("{:?}", without.uses(of)), "{name}: {}", item.name);
        }
        let changes = with.changes_since(&without);
        assert!(
            !changes.is_empty() && changes.iter().all(|change| change.class == SettingClass::Answers),
            "{changes:?}"
        );
    }
}

#[test]
fn a_reference_that_only_answers_read_gives_what_the_item_knows() {
    let model = design("account-management");
    let of = |name: &str| gives(&within(item(&model, name))[0]);
    assert_eq!(of("Project"), "client_id = {client_id}");
    assert_eq!(of("Building"), "client_id = {client_id}, project_id = {project_id}");
    let role = item(&model, "Role");
    assert_eq!(gives(role.inherits.as_ref().unwrap()), "client_id = {client_id}, role_id = {parent_role_id}");
    // From a role to what permits.
    let link = item(&model, "RolePermissionLink").permits.as_ref().unwrap().role.as_ref().unwrap();
    let ToDependents::Queries(queries) = &link.find else { panic!("{:?}", link.find) };
    assert_eq!(queries.iter().map(|query| query.pk.source()).collect::<Vec<_>>(), ["ROLE#{role_id}"]);
}

#[test]
fn an_edge_conveys_from_the_links_of_one_end_to_those_of_the_other() {
    let model = design("relational-store");
    let Conveys { end, to, from, when } = item(&model, "ParentChildRelationship").conveys.as_ref().unwrap();
    assert_eq!((end.as_str(), when.is_empty()), ("child", true));
    let of = |links: &[instep_model::LinkId]| links.iter().map(|link| gives(model.link(*link))).collect::<Vec<_>>();
    assert_eq!((of(to), of(from)), (vec!["urn = {child.urn}".to_owned()], vec!["urn = {parent.urn}".to_owned()]));
}

/// An item can be in several, in one of several types, and in one that an index alone finds.
#[test]
fn an_item_is_within_what_its_key_its_attributes_and_indexes_say() {
    let model = parsed(
        r#"
indexes.byId = { pk = "b1", sk = "b2" }
[oneof.Owner]
by = "owned"
site = { type = "Site", site = "{owner}" }
room = { type = "Room", site = "{at}", room = "{owner}" }
[items.Site]
pk = "SITE#{site}"
sk = "SITE"
[items.Room]
pk = "SITE#{site}"
sk = "ROOM#{room}"
byId = { pk = "BADGE#{badge}", sk = "{site}" }
within = "Site"
[items.Door]
pk = "DOOR#{door}"
sk = "DOOR"
within = [{ type = "Room", badge = "{key}" }, { type = "Site", site = "{at}" }]
[items.Box]
pk = "BOX#{owned}#{owner}"
sk = "BOX"
within = "Owner"
"#,
    );
    let door = within(item(&model, "Door"));
    assert_eq!(door.iter().map(gives).collect::<Vec<_>>(), ["badge = {key}", "site = {at}"]);
    assert!(matches!(door[0].up, ToParent::Index { .. }) && door[0].beside_key.contains("badge"), "{:?}", door[0]);
    let whens: Vec<_> = within(item(&model, "Box")).iter().map(|link| link.when.clone().unwrap().1).collect();
    assert_eq!(whens, ["site", "room"]);
}

/// What a reference leaves out, the subject's names give.
#[test]
fn what_a_role_lacks_is_completed_by_what_subject_scope_and_role_have_in_common() {
    let grant = |same: &str| {
        format!(
            r#"
model = "m"
table = {{ pk = "PK", sk = "SK" }}
[items.User]
pk = "TENANT#{{tenant}}"
sk = "USER#{{user}}"
[items.Role]
pk = "TENANT#{{tenant}}"
sk = "ROLE#{{role}}"
permits = {{ as = "{{name}}" }}
[items.Grant]
pk = "USER#{{user}}"
sk = "GRANT#{{role}}"
grant = {{ subject = {{ type = "User", tenant = "{{of}}", find = "back-reference" }}, roles = "{{role}}", role = "Role"{same} }}
"#
        )
    };
    assert!(Model::parse("m.toml", &grant("")).is_err());
    let model = Model::parse("m.toml", &grant(", same = \"tenant\"")).unwrap();
    assert_eq!(item(&model, "Grant").grant.as_ref().unwrap().same, ["tenant"]);
    // Without what it permits, no answer reads a role's item for more than that it exists.
    let plain = grant("").replace("permits = { as = \"{name}\" }\n", "");
    assert!(Model::parse("m.toml", &plain).is_ok());
}

/// What subject and scope have in common may be a name of what the scope is within, and it completes a reference that lacks
/// the partition and a part of the sort key.
#[test]
fn what_a_scope_lacks_the_item_has_that_it_is_within() {
    let text = |within: &str| {
        format!(
            r#"
model = "m"
table = {{ pk = "PK", sk = "SK" }}
[items.User]
pk = "TENANT#{{tenant}}"
sk = "USER#{{user}}"
[items.Site]
pk = "TENANT#{{tenant}}"
sk = "SITE#{{region}}#{{site}}"
[items.Desk]
pk = "DESK#{{desk}}"
sk = "DESK"
{within}
[items.Grant]
pk = "TENANT#{{tenant}}"
sk = "GRANT#{{user}}#{{desk}}"
grant = {{ subject = {{ type = "User", find = "back-reference" }}, scope = {{ type = "Desk", find = "back-reference" }}, same = "tenant" }}
"#
        )
    };
    let parse = |within: &str| Model::parse("m.toml", &text(within));
    assert!(parse("").is_err(), "no desk has a tenant");
    let model = parse("within = { type = \"Site\", site = \"{at}\" }").unwrap();
    assert_eq!(gives(&within(item(&model, "Desk"))[0]), "site = {at}");
}
