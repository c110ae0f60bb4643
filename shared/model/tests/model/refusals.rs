//! The errors of loading: each `tests/refusals/*.toml` has a `.txt` with the output that a person
//! sees.

use std::collections::BTreeSet;
use std::path::Path;

use expect_test::expect_file;
use instep_model::Model;

use crate::{HEAD, parsed, rendered};

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/refusals")
}

#[test]
fn each_error_is_shown_with_its_place_and_its_fix() {
    let mut names: BTreeSet<String> = BTreeSet::new();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            names.insert(path.file_stem().unwrap().to_string_lossy().into_owned());
        }
    }
    for name in names {
        let text = std::fs::read_to_string(folder().join(format!("{name}.toml"))).unwrap();
        let Err(errors) = Model::parse(&format!("{name}.toml"), &text) else { panic!("`{name}` was not refused") };
        for problem in errors.problems() {
            let help = miette::Diagnostic::help(problem).map(|help| help.to_string());
            assert!(problem.place().contains(".toml:"), "`{name}`: {problem} has no place");
            assert!(help.is_some_and(|help| !help.is_empty()), "`{name}`: {problem} has no fix");
        }
        expect_file![folder().join(format!("{name}.txt"))].assert_eq(&rendered(&errors));
    }
}

#[test]
fn a_mistake_in_an_extended_file_points_there() {
    let folder = std::env::temp_dir().join(format!("instep-model-extended-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let base =
        "model = \"base\"\ntable = { pk = \"PK\", sk = \"SK\" }\n\n[items.User]\npk = \"U#{id}\"\nsk = \"{id\"\n";
    std::fs::write(folder.join("base.toml"), base).unwrap();
    std::fs::write(folder.join("over.toml"), "extends = \"base.toml\"\n").unwrap();
    std::fs::write(folder.join("ring.toml"), "extends = \"ring.toml\"\n").unwrap();
    let extended = Model::load(&folder.join("over.toml"));
    let ring = Model::load(&folder.join("ring.toml"));
    let absent = Model::load(&folder.join("absent.toml"));
    std::fs::remove_dir_all(&folder).unwrap();
    let place = extended.unwrap_err().problems()[0].place().to_owned();
    assert!(place.ends_with("base.toml:6:7"), "{place}");
    assert_eq!(ring.unwrap_err().problems()[0].to_string(), "`ring.toml` extends itself");
    assert!(absent.unwrap_err().problems()[0].to_string().contains("cannot be read"));
}

/// Suggestions are made for short words only, because they cost the product of both lengths.
#[test]
fn a_word_of_any_length_is_refused_at_once() {
    let (known, unknown) = ("I".repeat(20_000), "I".repeat(19_000));
    let text = format!(
        "{HEAD}[indexes]\n{known} = {{ pk = \"P\" }}\n[items.A]\npk = \"A#{{id}}\"\nsk = \"A\"\n{unknown} = {{ pk = \"A\" }}\n"
    );
    let errors = Model::parse("long.toml", &text).unwrap_err();
    let places: Vec<&str> = errors.problems().iter().map(|problem| problem.place()).collect();
    assert!(places.iter().any(|place| place.starts_with("long.toml:8:")), "{places:?}");
}

/// Models that look like refused ones, and do what they say.
const ACCEPTED: [&str; 10] = [
    // A key with one text in both places, and one that never has that.
    r#"
    [items.Node]
    pk = "{id}"
    sk = "{id}"
    [items.User]
    pk = "USER#{u}"
    sk = "PROFILE"
    "#,
    // An index of a guard by its owner.
    r#"
    [indexes]
    byUser = { pk = "userId" }
    [items.User]
    pk = "USER#{userId}"
    sk = "USER"
    [items.Email]
    pk = "EMAIL#{email}"
    sk = "EMAIL"
    byUser.pk = "{userId}"
    guard = { owner = "User" }
    "#,
    // A scope in lower case, and the group's name as well.
    r#"
[items.Person]
pk = "PERSON#{personId}"
sk = "PERSON"
cognito.user = { name = "{personId}" }
[items.Org]
pk = "ORG#{slug|lower}"
sk = "ORG"
[items.Seat]
pk = "PERSON#{personId}"
sk = "SEAT#{n}"
grant = { subject = "Person", scope = { type = "Org", slug = "{org}", find = "back-reference" }, roles = "role" }
cognito.member = { user = "Person", group = "org:{org|lower}:{role}" }
"#,
    // An attribute of the same name as a name with fixed values that this item type does not use.
    r#"
[names]
role = ["editor", "viewer"]
[items.Person]
pk = "PERSON#{personId}"
sk = "PERSON"
cognito.user = { name = "{personId}", when = { role = "EMPLOYEE" } }
[items.Seat]
pk = "PERSON#{personId}"
sk = "SEAT#{teamId}"
grant = { subject = "Person", scope = "{teamId}", roles = "role" }
cognito.member = { user = "Person", group = "team:{teamId}:{role}" }
"#,
    // One role, and an item for it.
    r#"
[items.Person]
pk = "PERSON#{personId}"
sk = "PERSON"
[items.Role]
pk = "ROLE#{role}"
sk = "ROLE"
[items.Grant]
pk = "PERSON#{personId}"
sk = "GRANT#{n}"
parent = ["Person", { type = "Role", role = "{role}", find = "back-reference" }]
grant = { subject = "Person", roles = "{role}" }
"#,
    // A constant in upper case, which the key changes.
    r#"
[names]
tier = ["gold", "silver"]
[items.Tier]
pk = "TIER#{tier|lower}"
sk = "TIER"
[items.Offer]
pk = "OFFER#{offerId}"
sk = "OFFER"
parent = { type = "Tier", tier = "GOLD", find = "back-reference" }
"#,
    r#"
[names]
kind = ["user", "robot"]
[items.Account]
pk = "A#{kind}#{accountId}"
sk = "A"
entity = "Account"
[items.Plan]
pk = "PLAN#{kind}"
sk = "PLAN"
values.kind = ["basic", "full"]
entity = "Plan"
[items.Order]
pk = "ORDER#{orderId}"
sk = "ORDER"
entity = "Order"
parent = { type = "Plan", kind = "{kind}", find = "back-reference" }
"#,
    r#"
[names]
ends_at = { is = "time" }
tier = ["gold", "basic"]
[items.Plan]
pk = "PLAN#{tier|lower}"
sk = "PLAN"
entity = "Plan"
[items.Customer]
pk = "C#{customerId}"
sk = "C"
entity = "Customer"
parent = { type = "Plan", tier = "{tier}", find = "back-reference" }
due = [ { at = "ends_at", when = { status = "on" }, set = { status = "off", tier = "BASIC" } } ]
"#,
    r#"
[names]
ends_at = { is = "time" }
kind = ["user", "group"]
[items.Principal]
pk = "{kind}#{id}"
sk = "PRINCIPAL"
entity = "Principal"
[items.Ticket]
pk = "TICKET#{ticketId}"
sk = "TICKET"
entity = "Ticket"
parent = { type = "Principal", kind = "{ownerKind}", id = "{ownerId}", find = "back-reference" }
due = [ { at = "ends_at", when = { status = "on" }, set = { status = "off", kind = "expired" } } ]
"#,
    r#"
[names]
role = ["ADMIN", "READER"]
access = ["ADMIN", "READER"]
ends_at = { is = "time" }
[items.Person]
pk = "P#{personId}"
sk = "P"
entity = "Person"
cognito.user = { name = "{personId}" }
[items.Seat]
pk = "P#{personId}"
sk = "SEAT#{seatId}"
grant = { subject = "Person", roles = "access" }
cognito.member = { user = "Person", group = "seat:{seatId}:{role}" }
due = [ { at = "ends_at", when = { status = "on" }, set = { status = "off", role = "former employee" } } ]
"#,
];

#[test]
fn what_is_right_is_not_refused() {
    for text in ACCEPTED {
        parsed(text);
    }
}
