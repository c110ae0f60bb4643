//! Each design loads, and is understood as `tests/described` says: item types, access paths,
//! effects, events.

use expect_test::expect_file;
use instep_model::{Model, ToParent, describe, shipped_names};

use crate::{DESIGNS, design, parsed};

#[test]
fn each_is_understood() {
    for name in DESIGNS {
        expect_file![format!("../described/{name}.txt")].assert_eq(&describe(&design(name)));
    }
}

#[test]
fn all_that_ship_load() {
    for name in shipped_names() {
        assert!(DESIGNS.contains(name), "{name} has no description");
        assert_eq!(Model::shipped(name).map(|model| model.name).as_deref(), Some(*name));
    }
    assert!(Model::shipped("nothing").is_none());
}

#[test]
fn descriptions_fit_a_terminal() {
    for name in DESIGNS {
        let description = describe(&design(name));
        assert!(description.lines().all(|line| line.chars().count() <= 100), "{description}");
    }
}

#[test]
fn a_model_extends_a_shipped_one_and_a_file() {
    let own = r#"
        extends = "relational-store"
        model = "mine"
        [table]
        ttl = "expires"
        [[items.UniqueKeyValue.claims]]
        when = { _resourceType = "System.Team" }
        key = "slug"
        value = "{slug|lower}"
    "#;
    let model = Model::parse("mine.toml", own).unwrap();
    assert_eq!((model.name.as_str(), model.source.as_str()), ("mine", "instep.relational-store"));
    assert_eq!((model.table.ttl.as_str(), model.table.pk.as_str()), ("expires", "PK"));
    let guard = model.items.iter().find_map(|item| item.guard.as_ref()).unwrap();
    assert_eq!(guard.claims.len(), 1, "a list replaces");

    let folder = std::env::temp_dir().join(format!("instep-model-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("base.toml"), own).unwrap();
    std::fs::write(folder.join("over.toml"), "extends = \"base.toml\"\nmodel = \"over\"\n").unwrap();
    let model = Model::load(&folder.join("over.toml"));
    std::fs::remove_dir_all(&folder).unwrap();
    let model = model.unwrap();
    assert_eq!((model.name.as_str(), model.table.ttl.as_str()), ("over", "expires"));
}

/// A ticket has the day and the id of its show. Its day may be another, or its show may have none.
#[test]
fn an_index_of_what_a_reference_gives_comes_before_one_of_a_shared_name() {
    let items = r#"
        [items.Show]
        pk = "VENUE#{venueId}"
        sk = "SHOW#{showId}"
        byDay = { pk = "DAY#{day}", sk = "SHOW#{showId}" }
        byId = { pk = "SHOW#{showId}", sk = "SHOW" }
        [items.Ticket]
        pk = "TICKETS#{venue}"
        sk = "TICKET#{day}#{showId}"
        parent = { type = "Show", find = "back-reference" }
    "#;
    let (by_day, by_id) = ("byDay = { pk = \"D\", sk = \"DS\" }\n", "byId = { pk = \"I\", sk = \"IS\" }\n");
    for indexes in [[by_day, by_id], [by_id, by_day]] {
        let model = parsed(&format!("[indexes]\n{}{items}", indexes.concat()));
        let ToParent::Index { index, .. } = model.links[0].up else { panic!("{:?}", model.links[0].up) };
        assert_eq!(model.index_at(index).name, "byId");
    }
}

/// Where a partition of the table and an index lead to an item, the table is read: it is never late.
#[test]
fn a_partition_comes_before_an_index() {
    let model = parsed(
        r#"
        [indexes]
        byId = { pk = "I", sk = "IS" }
        [items.Task]
        pk = "PROJECT#{projectId}"
        sk = "TASK#{createdAt}#{taskId}"
        byId = { pk = "TASK#{taskId}", sk = "{createdAt}" }
        [items.Comment]
        pk = "PROJECT#{projectId}"
        sk = "COMMENT#{taskId}#{commentId}"
        parent = "Task"
        [items.Note]
        pk = "NOTE#{taskId}"
        sk = "NOTE#{noteId}"
        parent = "Task"
    "#,
    );
    let text = describe(&model).split_whitespace().collect::<Vec<_>>().join(" ");
    let partition = "the table's partition PROJECT#{projectId}, sort keys that begin with TASK#; several Task items with \
                     one projectId and taskId count as one";
    assert!(text.contains(partition), "{text}");
    assert!(text.contains("index byId, TASK#{taskId}; several Task items with one taskId count as one"), "{text}");
}

/// Promise 2: who reads the model learns that nothing tells a later person from an earlier one.
#[test]
fn a_user_that_is_deleted_later_and_has_no_address_is_noted() {
    let text = |attributes: &str| {
        let user = format!(r#"{{ name = "{{personId}}", delete = {{ after = "7d" }}{attributes} }}"#);
        let model =
            parsed(&format!("[items.Person]\npk = \"PERSON#{{personId}}\"\nsk = \"PERSON\"\ncognito.user = {user}"));
        describe(&model).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let note = "nothing tells people of one name apart: an item that is written under it within 7d gets the earlier \
                account, with its password. An attribute email or phone_number prevents that";
    for without in ["", r#", attributes = { name = "{name}" }"#] {
        assert!(text(without).contains(note), "{}", text(without));
    }
    for with in ["email", "phone_number"] {
        let text = text(&format!(r#", attributes = {{ {with} = "{{address}}" }}"#));
        assert!(!text.contains("apart"), "{text}");
    }
}
