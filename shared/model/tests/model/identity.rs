//! Which item type a key belongs to, which keys an object has, and that no key can be forged.

use std::collections::BTreeSet;

use instep_model::{Differs, Identity, Item, Model, Names, Near, Object, Value};

use crate::{design, key, names, parsed};

/// Item type and names, or why the key has none.
fn identified(model: &Model, pk: &str, sk: &str) -> String {
    match model.identify(&key(pk, sk)) {
        Identity::Item { object, canonical } => {
            let names: Vec<String> = object.names.iter().map(|(name, text)| format!(" {name}={text}")).collect();
            let canonical = if canonical { "" } else { " (not canonical)" };
            format!("{}{}{canonical}", model.item(object.of).name, names.concat())
        }
        Identity::Bookkeeping => "bookkeeping".to_owned(),
        Identity::Unknown(None) => "unknown".to_owned(),
        Identity::Unknown(Some(Near { item, differs })) => match differs {
            Differs::Forged { name, character, .. } => format!("forged near {item} for {name} with {character}"),
            Differs::Value { name } => format!("unknown near {item} for {name}"),
            Differs::Case { written, found } => {
                format!("{item} in another case: {written}, not {}", found.unwrap_or("upper case".to_owned()))
            }
            Differs::Beginning { attribute, constant, is_case } => {
                format!("unknown near {item}: {attribute} {constant}{}", if is_case { " by case" } else { "" })
            }
            Differs::Otherwise => format!("unknown near {item}"),
        },
    }
}

/// The reason of a parked record leads to its cause, also if the key begins as that of another item type.
#[test]
fn a_misspelt_key_names_the_type_that_was_meant() {
    let model = design("platform");
    for (pk, sk, expected) in [
        ("ACCOUNTS#1", "METADATA", "unknown near Account: PK ACCOUNT#"),
        ("account#1", "METADATA", "Account in another case: ACCOUNT#, not account#"),
        ("account#1", "METADATAS", "unknown near Account: PK ACCOUNT# by case"),
        ("ACCOUNT#1", "Metadata", "Account in another case: METADATA, not Metadata"),
        ("ACCOUNT#1", "LICENCE#2", "unknown near License: SK LICENSE#"),
        ("ACCOUNT#1", "license#2", "License in another case: LICENSE#, not license#"),
        ("ACCOUNT#1", "INVOICE#2", "unknown near Account"),
        ("ORDER#1", "METADATA", "unknown"),
    ] {
        assert_eq!(identified(&model, pk, sk), expected, "{pk} / {sk}");
    }
    for (pk, sk, expected) in [
        (
            "account#1",
            "METADATAS",
            "Account comes nearest: its `PK` begins with `ACCOUNT#`, and upper and lower case differ",
        ),
        (
            "account#1",
            "METADATA",
            "it has the form of Account, except for upper and lower case: the model has `ACCOUNT#`, the key `account#`",
        ),
    ] {
        let Identity::Unknown(Some(near)) = model.identify(&key(pk, sk)) else { panic!("no item type") };
        assert_eq!(near.to_string(), expected);
    }
}

/// A key that differs in case alone is told so, whatever it is that the model has in one case. No text has a value.
#[test]
fn a_key_in_another_case_is_told_so() {
    let model = parsed(
        r##"
        names.kind = ["chess", "go"]
        items.Team = { pk = "$clubs#teamid_{teamId|lower}", sk = "$team_1#kind_{kind}" }
        items.Wide = { pk = "$clubs#wide_{teamId|lower|urlencode}", sk = "$wide_1#at_{at}" }
        items.Twice = { pk = "$clubs#twice_{teamId}", sk = "$twice_{teamId}" }
        "##,
    );
    for (pk, sk, expected) in [
        ("$clubs#teamid_a", "$team_1#kind_go", "Team kind=go teamId=a"),
        ("$clubs#teamId_a", "$team_1#kind_go", "Team in another case: $clubs#teamid_, not $clubs#teamId_"),
        ("$clubs#teamid_a", "$team_1#Kind_go", "Team in another case: $team_1#kind_, not $team_1#Kind_"),
        ("$clubs#teamid_a", "$team_1#kind_Go", "Team in another case: go, not Go"),
        ("$clubs#teamid_A", "$team_1#kind_go", "Team in another case: {teamId|lower}, not upper case"),
        ("$clubs#teamid_Ä", "$team_1#kind_go", "Team in another case: {teamId|lower}, not upper case"),
        ("$clubs#wide_A%2FB", "$wide_1#at_T", "Wide in another case: {teamId|lower|urlencode}, not upper case"),
        ("$Clubs#twice_Q", "$twice_Q", "Twice in another case: $clubs#twice_, not $Clubs#twice_"),
        ("$Clubs#twice_Q", "$twice_q", "unknown near Twice: PK $clubs#twice_ by case"),
        ("$clubs#teamid_A", "$team_1#kind_shogi", "unknown near Team for kind"),
    ] {
        assert_eq!(identified(&model, pk, sk), expected, "{pk} / {sk}");
    }
}

/// Promise 2: a key has one item type, and no value turns it into another object's key. That each item type reads the
/// keys that it renders is a property of `properties.rs`. These are keys that people could doubt.
#[test]
fn a_key_is_read_as_what_it_is_or_not_at_all() {
    let urn = "Resource#urn:pp:System.User::1-2#3";
    for (design_name, pk, sk, expected) in [
        ("access-management", "U:a@b.example", "U", "User email=a@b.example"),
        ("access-management", "U:Bob@x", "U:Bob@x", "User email=Bob@x (not canonical)"),
        ("access-management", "G:/", "G:/", "Group groupId=/"),
        ("access-management", "U:a@b", "G:/USA", "Membership email=a@b groupId=/USA (not canonical)"),
        ("access-management", "G:/usa", "G:/usa/nw", "Hierarchy child.groupId=/usa/nw parent.groupId=/usa"),
        ("access-management", "G:/usa|||admin", "G:/usa|||admin", "forged near Group for groupId with |"),
        ("access-management", "U:a@b.example", "G:/usa|||admin", "forged near Membership for groupId with |"),
        ("access-management", "G:/usa", "G:/usa|x", "forged near Hierarchy for child.groupId with |"),
        ("access-management", "U:a@b.example", "U:c@d.example", "unknown near User"),
        ("access-management", "U:", "U:", "unknown near User"),
        ("access-management", "u:a", "u:a", "User in another case: U:, not u:"),
        ("access-management", "INSTEP#job", "1", "bookkeeping"),
        ("access-management-sif", "u:a%40b", "g:%2Fusa", "Membership email=a@b groupId=/usa"),
        ("access-management-sif", "g:%2Fusa%7Cx", "g:%2Fusa%7Cx", "unknown near Group"),
        (
            "access-management-sif",
            "u:A%40b",
            "u:A%40b",
            "User in another case: {email|lower|urlencode}, not upper case",
        ),
        ("access-management-sif", "u:a@b", "u:a@b", "unknown near User"),
        ("relational-store", urn, urn, "Resource urn=urn:pp:System.User::1-2#3"),
        ("relational-store", "UniqueKeyValue#A#b#c", "UniqueKeyValue#A#x", "unknown near UniqueKeyValue"),
        (
            "relational-store",
            "UniqueKeyValue#A#b#c#d",
            "UniqueKeyValue#A#b",
            "UniqueKeyValue _resourceType=A key=b value=c#d",
        ),
        (
            "relational-store",
            "UniqueKeyValue#A#b#c",
            "UniqueKeyValue#A#b#c",
            "forged near UniqueKeyValue for key with #",
        ),
        ("relational-store", "Resource#urn:a:B:1", "Resource#urn:a:B:1", "unknown near Resource for urn"),
        ("authorization", "USER_EMAIL#a#b", "USER_EMAIL#a#b", "UserEmail email=a#b"),
        ("authorization", "ROLE_SCOPE#global", "ROLE_NAME#n", "Role name=n scope=global"),
        ("authorization", "ROLE_SCOPE#other", "ROLE_NAME#n", "unknown near Role for scope"),
        ("platform", "ACCOUNT#1#USERS", "METADATA", "forged near Account for account_id with #"),
        ("account-management", "CLIENT#c", "ROLE#r", "Role client_id=c role_id=r"),
        ("account-management", "SYSTEM", "ROLE#r", "Role role_id=r"),
        ("account-management", "SCOPE#project#p", "SETTING#k", "Setting key=k scope_id=p scope_type=project"),
        ("account-management", "CLIENT#c", "AUDIT#10:00#l", "AuditLog client_id=c log_id=l timestamp=10:00"),
    ] {
        assert_eq!(identified(&design(design_name), pk, sk), expected, "{design_name}: {pk} / {sk}");
    }
}

#[test]
fn all_spellings_of_a_key_are_given_the_written_one_first() {
    let model = design("access-management");
    let user = Object { of: model.type_named("User").unwrap(), names: names([("email", "a@b")]) };
    assert_eq!(model.keys(&user).unwrap(), [key("U:a@b", "U:a@b"), key("U:a@b", "U")]);
    let model = design("account-management");
    let role = model.type_named("Role").unwrap();
    let system = Object { of: role, names: names([("role_id", "r")]) };
    assert_eq!(model.keys(&system).unwrap(), [key("SYSTEM", "ROLE#r")]);
    let own = Object { of: role, names: names([("client_id", "c"), ("role_id", "r")]) };
    assert_eq!(model.keys(&own).unwrap(), [key("CLIENT#c", "ROLE#r")]);
    assert_eq!(model.id_text(&own), "c/r");
}

#[test]
fn a_key_that_would_match_another_object_is_refused_without_showing_values() {
    let model = design("access-management");
    let refused = |item: &str, names: Names| {
        let object = Object { of: model.type_named(item).unwrap(), names };
        model.keys(&object).map_err(|error| error.to_string())
    };
    let told = |text: &str| Err(text.to_owned());
    assert_eq!(
        refused("Group", names([("groupId", "/a|||admin")])),
        told(
            "the text of `groupId` cannot stand in a key of `Group`: it contains `|`, which ends `groupId` in \
              `{groupId|lower}|||{role}` (access-management.toml:37:18)"
        )
    );
    assert_eq!(
        refused("Group", names([("groupId", "")])),
        told("the text of `groupId` cannot stand in a key of `Group`: it is empty")
    );
    assert_eq!(refused("Group", names([("id", "x")])), told("`Group` has no key made of `id`"));
    assert_eq!(
        refused("Hierarchy", names([("parent.groupId", "/a"), ("child.groupId", "/a")])),
        told("a key of `Hierarchy` with these names would be read as `Group`")
    );
    assert_eq!(
        refused("Group", names([("groupId", &"x".repeat(1023))])),
        told("a sort key of `Group` would have 1025 bytes; DynamoDB's limit is 1024")
    );
    // Of a user's key only the other spelling remains.
    let spellings = refused("User", names([("email", &"x".repeat(1023))])).unwrap();
    assert_eq!(spellings.iter().map(|key| key.sk.as_str()).collect::<Vec<_>>(), ["U"]);
}

#[test]
fn templates_take_texts_from_keys_shapes_attributes_and_index_keys() {
    let store = design("relational-store");
    let edge = store.type_named("ParentChildRelationship").unwrap();
    let bound = names([("parent.urn", "urn:a:B::1"), ("child.urn", "urn:a:C::2")]);
    let lookup = store.lookup(edge, &bound, None);
    assert_eq!(lookup("parent.resourceType").as_deref(), Some("B"));
    assert_eq!(lookup("child.resourceId").as_deref(), Some("2"));
    assert_eq!(lookup("urn"), None);

    let text = |text: &str| Value::S(text.to_owned());
    let resource = store.type_named("Resource").unwrap();
    let item = Item::from([("_urn".to_owned(), text("urn:a:B::1")), ("empty".to_owned(), text(""))]);
    let none = Names::new();
    let lookup = store.lookup(resource, &none, Some(&item));
    assert_eq!(lookup("urn").as_deref(), Some("urn:a:B::1"), "by its second spelling");
    assert_eq!(lookup("resourceId").as_deref(), Some("1"));
    assert_eq!(lookup("empty"), None);

    let platform = design("platform");
    let user = platform.type_named("User").unwrap();
    let bound = names([("user_id", "u")]);
    let item =
        Item::from([("GSI2PK".to_owned(), text("ACCOUNT#a#USERS")), ("GSI3SK".to_owned(), text("2026-01-01#u"))]);
    let lookup = platform.lookup(user, &bound, Some(&item));
    assert_eq!(lookup("account_id").as_deref(), Some("a"), "from an index key");
    assert_eq!(lookup("end_date"), None, "a kept index key is no source");
}

#[test]
fn links_lead_where_the_item_says() {
    let model = design("account-management");
    let targets = |item: &str, bound: Names| -> Vec<String> {
        let of = model.type_named(item).unwrap();
        let led = model.links_from(of).filter_map(|(_, link)| {
            let target = model.link_target(link, &bound, None)?;
            let names: Vec<String> = target.iter().map(|(name, text)| format!(" {name}={text}")).collect();
            Some(format!("{}{}", model.item(link.to).name, names.concat()))
        });
        led.collect()
    };
    let assignment = names([("user_id", "u"), ("scope_type", "project"), ("scope_id", "p"), ("role_id", "r")]);
    assert_eq!(targets("UserRoleAssignment", assignment), ["User user_id=u", "Project project_id=p", "Role role_id=r"]);
    assert!(targets("Role", names([("role_id", "r")])).is_empty(), "a system role has no client");
    assert_eq!(targets("Role", names([("client_id", "c"), ("role_id", "r")])), ["Client client_id=c"]);
    let building = model.type_named("Building").unwrap();
    assert_eq!(model.links_to(building).count(), 5);
}

#[test]
fn cognito_names_are_refused_where_another_could_have_them() {
    let model = design("access-management");
    let group = model.type_named("Group").unwrap();
    let template = &model.item(group).groups[0].name;
    let named = |id: &str, role: &str| {
        let (id, role) = (id.to_owned(), role.to_owned());
        let lookup = move |name: &str| Some(if name == "role" { role.clone() } else { id.clone() });
        model.cognito_name(group, template, &lookup).map_err(|error| error.to_string())
    };
    assert_eq!(named("/Usa", "admin"), Ok("/usa|||admin".to_owned()));
    let told = "the text of `role` cannot stand in the Cognito name `{groupId|lower}|||{role}`: it is not one of `admin`, \
                `contributor`, `reader`";
    assert_eq!(named("/usa", "owner"), Err(told.to_owned()));
    assert!(named("/a|||b", "admin").unwrap_err().contains("it contains `|`"));
    assert!(named("/a b", "admin").unwrap_err().contains("white space"));
    assert!(named(&"x".repeat(121), "admin").unwrap_err().contains("128"));
    assert!(model.is_group_name("/usa|||admin"));
    assert!(!model.is_group_name("/usa|||owner"));
    assert!(!model.is_group_name("people"));
}

/// `007` would have the user of `7`.
#[test]
fn a_padded_cognito_name_is_that_of_one_number() {
    let text = "[items.Bot]\npk = \"BOT#{no}\"\nsk = \"BOT\"\n\
                entity = \"Bot\"\ncognito.user = { name = \"bot-{no|pad:4}\" }\n";
    let model = parsed(text);
    let template = &model.items[0].user.as_ref().unwrap().name;
    let named =
        |no: &str| model.cognito_name(model.type_named("Bot").unwrap(), template, &|_| Some(no.to_owned())).ok();
    assert_eq!(["0", "7", "12345"].map(named), ["bot-0000", "bot-0007", "bot-12345"].map(|name| Some(name.to_owned())));
    assert_eq!(["007", "00", "0007", "x"].map(named), [const { None }; 4]);
}

/// `x-y` and `z` would give the group that `x` and `y-z` give.
#[test]
fn a_cognito_name_is_read_in_one_way() {
    let text = "[items.Group]\npk = \"TENANT#{t}\"\nsk = \"GROUP#{g}\"\n\
                entity = \"Group\"\ncognito.groups = \"{t}-{g}\"\n";
    let model = parsed(text);
    let is_known = |pk: &str, sk: &str| matches!(model.identify(&key(pk, sk)), Identity::Item { .. });
    assert!(is_known("TENANT#x", "GROUP#y-z"));
    assert!(!is_known("TENANT#x-y", "GROUP#z"));
}

/// The order in which two item types with these sort keys are tried. The wider one comes first in
/// the file.
#[track_caller]
fn narrower(wide: &str, narrow: &str) {
    let text = format!(
        "[names]\nset = [\"one\", \"two\"]\nurn = {{ like = \"urn:{{x}}:{{y}}\" }}\n\
         [items.Wide]\npk = \"P#{{a}}\"\nsk = \"{wide}\"\n[items.Narrow]\npk = \"P#{{a}}\"\nsk = \"{narrow}\"\n\
         [items.Other]\npk = \"OTHER#{{set}}\"\nsk = \"{{urn}}\"\n"
    );
    let model = parsed(&text);
    let names: Vec<&str> = model.items.iter().map(|item| item.name.as_str()).collect();
    let names: Vec<&str> = names.into_iter().filter(|name| *name != "Other").collect();
    assert_eq!(names, ["Narrow", "Wide"], "{narrow} in {wide}");
}

#[test]
fn the_narrower_item_type_is_tried_first() {
    narrower("{b}", "METADATA");
    narrower("{b}", "{set}");
    narrower("{set}", "one");
    narrower("{b}", "{urn}");
    narrower("{urn}", "urn:z:{c}");
    narrower("{b}", "{a}");
    narrower("{b}", "X#{c}");
    narrower("{b}", "{c|lower}");
    narrower("{c|lower}", "{set}");
    narrower("{b}", "{c|urlencode}");
    narrower("{b|urlencode}", "{c|lower|urlencode}");
    narrower("X{b}", "X#{set}#{c}");
    narrower("N{b|lower}", "N{n|pad:4}");
    narrower("{n|pad:4}", "0042");
}

/// `USER#urn:user:1` with the attribute `accountUrn` would else be user 1 in the group of user 77.
#[test]
fn a_name_inside_a_name_of_the_key_comes_before_attributes() {
    let text = "[names]\nuserUrn = { like = \"urn:user:{path}\" }\n\
                path = { like = \"{site}/{id}\" }\naccountUrn = { like = \"urn:account:{id}\" }\n\
                [items.User]\npk = \"USER#{userUrn}\"\nsk = \"USER\"\nentity = \"User\"\n\
                [items.Account]\npk = \"ACCOUNT#{accountUrn}\"\nsk = \"ACCOUNT\"\nentity = \"Account\"\n";
    let model = parsed(text);
    let user = model.type_named("User").unwrap();
    let bound = names([("userUrn", "urn:user:x/1")]);
    let value = |text: &str| Value::S(text.to_owned());
    let item = Item::from([
        ("accountUrn".to_owned(), value("urn:account:77")),
        ("path".to_owned(), value("y/78")),
        ("id".to_owned(), value("79")),
    ]);
    let lookup = model.lookup(user, &bound, Some(&item));
    assert_eq!(lookup("id").as_deref(), Some("1"));
    assert_eq!(lookup("path").as_deref(), Some("x/1"));
    assert_eq!(lookup("accountUrn").as_deref(), Some("urn:account:77"));
    assert_eq!(model.sources(user, &bound, "id"), BTreeSet::new());
}

/// The name of a part's group has one `id`, and the key of the part has two.
#[test]
fn a_name_in_two_shapes_does_not_lead_back_to_an_item() {
    let text = "[names]\nurn = { like = \"urn:{id}\" }\n\
                arn = { like = \"arn:{id}\" }\n[items.Part]\npk = \"PART#{urn}\"\nsk = \"PART#{arn}\"\nentity = \"Part\"\n\
                [items.Whole]\npk = \"WHOLE#{urn}\"\nsk = \"WHOLE\"\nentity = \"Whole\"\n";
    let model = parsed(text);
    let named = |of: &str| model.object_named(model.type_named(of).unwrap(), &names([("id", "1")]));
    assert_eq!(named("Part"), None);
    assert_eq!(named("Whole").unwrap().names, names([("urn", "urn:1")]));
}
