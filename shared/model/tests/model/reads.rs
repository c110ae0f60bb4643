//! Named reads: what is read for the values of their names.

use instep_model::{Model, Names, ReadCondition, SortCondition};

use crate::{names, parsed};

const HALLS: &str = r##"
indexes.byOwner = { pk = "ownerKey", sk = "ownerSort" }
[items.Hall]
pk = "HALL#{hall|lower}"
sk = ["HALL", "H"]
byOwner = { pk = "OWNER#{owner|lower}", sk = "HALL#{hall|lower}", keep = true }
[items.Show]
pk = "HALL#{hall|lower}"
sk = "SHOW#{day}~{show|urlencode}"
[items.Seat]
pk = "HALL#{hall|lower}"
sk = "SEAT#{row|pad:3}#{seat}"
[items.Stand]
pk = "HALL#{hall|lower}"
sk = "STAND#{row|pad:3}"
[reads]
hall = { items = "Hall", given = "hall" }
of-owner = { items = "Hall", index = "byOwner", given = "owner" }
shows = { items = "Show", given = "hall", range = "day" }
shows-of-day = { items = "Show", given = ["hall", "day"], begins = "show" }
seats = { items = "Seat", given = ["hall", "row"] }
rows = { items = "Seat", given = "hall", range = "row" }
places = { items = ["Seat", "Stand"], given = ["hall", "row"] }
last-shows = { items = "Show", given = "hall", range = "day", descending = true }
"##;

fn asked(model: &Model, read: &str, names: &Names) -> Result<String, String> {
    let read = model.read_named(read).map_err(|refused| refused.to_string())?;
    let text = |sort: &SortCondition| match sort {
        SortCondition::Any => "any".to_owned(),
        SortCondition::Is(text) => format!("is {text}"),
        SortCondition::Begins(text) => format!("begins {text}"),
        SortCondition::Between(from, to) => format!("{from} to {to}"),
    };
    match model.read_condition(read, names).map_err(|refused| refused.to_string())? {
        ReadCondition::Keys(keys) => {
            Ok(keys.iter().map(|key| format!("{} / {}", key.pk, key.sk)).collect::<Vec<_>>().join(" or "))
        }
        ReadCondition::Part(part) => Ok(format!("{} / {}", part.pk, text(&part.sort))),
    }
}

#[test]
fn a_key_condition_follows_from_the_templates() {
    let model = parsed(HALLS);
    let ask = |read, pairs: &[(&str, &str)]| {
        let names = pairs.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        asked(&model, read, &names).unwrap()
    };
    assert_eq!(
        ask("hall", &[("hall", "Main")]),
        "HALL#main / HALL or HALL#main / H",
        "each spelling, as the key has it"
    );
    assert_eq!(ask("of-owner", &[("owner", "Ann")]), "OWNER#ann / begins HALL#");
    assert_eq!(ask("shows", &[("hall", "main")]), "HALL#main / begins SHOW#");
    let range = ask("shows", &[("hall", "main"), ("day", "2026-04-01..2026-05-01")]);
    assert_eq!(range, "HALL#main / SHOW#2026-04-01 to SHOW#2026-05-01\u{10ffff}");
    assert_eq!(
        ask("shows", &[("hall", "main"), ("day", "2026-04-01..")]),
        "HALL#main / SHOW#2026-04-01 to SHOW#\u{10ffff}",
        "the items of other types are after that"
    );
    assert_eq!(
        ask("shows-of-day", &[("hall", "main"), ("day", "2026-04-01"), ("show", "a b")]),
        "HALL#main / begins SHOW#2026-04-01~a%20b"
    );
    assert_eq!(ask("seats", &[("hall", "main"), ("row", "7")]), "HALL#main / begins SEAT#007#");
    assert_eq!(ask("rows", &[("hall", "main"), ("row", "7..12")]), "HALL#main / SEAT#007 to SEAT#012\u{10ffff}");
    assert_eq!(ask("places", &[("hall", "main"), ("row", "7")]), "HALL#main / begins S", "what both types have");
}

/// Promise 2 of answers: no value is read back as another one, reaches into the next name or into another partition.
#[test]
fn a_value_that_no_key_has_is_refused() {
    let model = parsed(HALLS);
    let refused = |read, pairs: &[(&str, &str)]| {
        let names = pairs.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        asked(&model, read, &names).unwrap_err()
    };
    assert!(refused("seats", &[("hall", "main"), ("row", "007")]).contains("without leading zeros"));
    assert!(refused("seats", &[("hall", "main"), ("row", "7#1")]).contains("contains `#`"));
    assert!(refused("shows-of-day", &[("hall", "main"), ("day", "2026-04-01~x")]).contains("contains `~`"));
    assert!(refused("shows-of-day", &[("hall", "main"), ("day", "2026-04-01"), ("show", "")]).contains("empty"));
    assert!(refused("rows", &[("hall", "main"), ("row", "7..1000")]).contains("more digits"));
    assert!(refused("rows", &[("hall", "main"), ("row", "7..8..9")]).contains("FROM..TO"));
    assert!(refused("hall", &[("hall", "")]).contains("empty"));
    assert!(refused("hall", &[("hall", &"x".repeat(2_100))]).contains("limit"));
    assert!(refused("shows", &[("hall", &"x".repeat(2_100))]).contains("too long"));
    assert!(refused("hall", &[]).contains("needs a value for `hall`"));
    assert!(refused("halls", &[]).contains("no read `halls`"));
    assert_eq!(
        asked(&model, "hall", &names([("hall", "main"), ("row", "1")])).unwrap_err(),
        "`hall` takes no `row`: it takes `hall`"
    );
}

#[test]
fn rows_of_a_type_are_told_by_their_own_beginning() {
    let model = parsed(HALLS);
    let read = model.read_named("places").unwrap();
    let ReadCondition::Part(part) = model.read_condition(read, &names([("hall", "main"), ("row", "7")])).unwrap()
    else {
        panic!("a query");
    };
    let allows = |of: &str, sort: &str| {
        let of = model.type_named(of).unwrap();
        part.rows.iter().any(|(row, condition)| *row == of && condition.allows(sort))
    };
    assert!(allows("Seat", "SEAT#007#a") && allows("Stand", "STAND#007"));
    assert!(!allows("Seat", "SEAT#008#a") && !allows("Stand", "STAND#0071") && !allows("Stand", "STAND#008"));
}

/// The order of the rows is no part of the condition, and `false` is what holds without the word.
#[test]
fn the_rows_of_a_query_have_an_order() {
    let (model, forward) = (parsed(HALLS), parsed(&HALLS.replace("descending = true", "descending = false")));
    let part = |model: &Model, read: &str, values: &Names| {
        let read = model.read_named(read).unwrap();
        match (model.read_condition(read, values).unwrap(), read.condition(model)) {
            (ReadCondition::Part(part), ReadCondition::Part(template)) => {
                assert_eq!(part.descending, template.descending, "with values as with templates");
                part
            }
            other => panic!("a query: {other:?}"),
        }
    };
    for values in [names([("hall", "main")]), names([("hall", "main"), ("day", "2026-04-01..")])] {
        let (first, last) = (part(&model, "shows", &values), part(&model, "last-shows", &values));
        assert!(!first.descending && last.descending);
        assert_eq!(first, part(&forward, "last-shows", &values));
        assert_eq!((first.pk, first.sort, first.rows), (last.pk, last.sort, last.rows));
    }
    let described = |model: &Model| instep_model::describe(model).split_whitespace().collect::<Vec<_>>().join(" ");
    let order = ", both included, from the last sort key to the first";
    assert_eq!((described(&model).matches(order).count(), described(&forward).matches(order).count()), (1, 0));
}
