//! Changes of a model over a table, each with what a plan has to find.
#![expect(clippy::too_many_lines, reason = "each function is a table of cases")]

/// Ships, with sailors who have berths in them.
pub const FLEET: &str = r##"
model = "fleet"
source = "org.example.fleet"

[table]
pk = "PK"
sk = "SK"

[indexes]
BySailor = { pk = "P1", sk = "S1" }

[names]
rank = ["captain", "mate", "cook"]

[items.Sailor]
pk = "SAILOR#{sailor}"
sk = "SAILOR"
entity = "Sailor"
events = ["name"]

[items.Sailor.cognito.user]
name = "{sailor}"
attributes = { email = "{mail}" }
disabled = { status = "ashore" }

[items.Mail]
pk = "MAIL#{mail|lower}"
sk = "MAIL"
guard = { owner = "Sailor" }

[items.Ship]
pk = "SHIP#{ship}"
sk = "SHIP"
entity = "Ship"
cognito.groups = "ship:{ship}:{rank}"
events = ["title"]

[items.Berth]
pk = "SHIP#{ship}"
sk = "BERTH#{sailor}"
BySailor = { pk = "SAILOR#{sailor}", sk = "SHIP#{ship}" }
parent = ["Ship", "Sailor"]
grant = { subject = "Sailor", scope = "Ship", roles = "rank" }
cognito.member = { user = "Sailor", group = "Ship" }
events = ["rank"]

[items.Cabin]
pk = "SHIP#{ship}"
sk = "CABIN#{cabin}"
entity = "Cabin"
parent = "Ship"
events = ["title"]

[items.Log]
pk = "LOG#{log}"
sk = "LOG"
entity = "Log"
parent = { type = "Ship", ship = "{of}", find = "back-reference" }
events = ["title"]
"##;

pub const SHIP: &str = r#"{"at": "2026-06-01T08:00:00Z", "put": {"PK": "SHIP#s1", "SK": "SHIP", "title": "Ark"}}"#;
pub const EVE: &str =
    r#"{"at": "2026-06-01T08:01:00Z", "put": {"PK": "SAILOR#eve", "SK": "SAILOR", "mail": "eve@sea.example"}}"#;
pub const KIM: &str =
    r#"{"at": "2026-06-01T08:02:00Z", "put": {"PK": "SAILOR#kim", "SK": "SAILOR", "mail": "kim@sea.example"}}"#;
pub const BERTH_OF_EVE: &str = r#"{"at": "2026-06-01T08:03:00Z", "put": {"PK": "SHIP#s1", "SK": "BERTH#eve", "P1": "SAILOR#eve", "S1": "SHIP#s1", "rank": "captain"}}"#;
pub const BERTH_OF_KIM: &str = r#"{"at": "2026-06-01T08:04:00Z", "put": {"PK": "SHIP#s1", "SK": "BERTH#kim", "P1": "SAILOR#kim", "S1": "SHIP#s1", "rank": "cook"}}"#;
pub const CABIN: &str = r#"{"at": "2026-06-01T08:05:00Z", "put": {"PK": "SHIP#s1", "SK": "CABIN#c1", "title": "aft"}}"#;
pub const LOG: &str =
    r#"{"at": "2026-06-01T08:06:00Z", "put": {"PK": "LOG#l1", "SK": "LOG", "of": "s1", "title": "day 1"}}"#;

/// What the table has.
pub const ALL: &[&str] = &[SHIP, EVE, KIM, BERTH_OF_EVE, BERTH_OF_KIM, CABIN, LOG];

/// Parts of the model.
pub const USER: &str = "[items.Sailor.cognito.user]\nname = \"{sailor}\"\nattributes = { email = \"{mail}\" }\ndisabled = { status = \"ashore\" }\n";
pub const MAIL: &str = "[items.Mail]\npk = \"MAIL#{mail|lower}\"\nsk = \"MAIL\"\nguard = { owner = \"Sailor\" }\n";
pub const GROUPS: &str = "cognito.groups = \"ship:{ship}:{rank}\"\n";
pub const MEMBER: &str = "cognito.member = { user = \"Sailor\", group = \"Ship\" }\n";
pub const GRANT: &str = "grant = { subject = \"Sailor\", scope = \"Ship\", roles = \"rank\" }";
pub const BERTH: &str = "[items.Berth]\npk = \"SHIP#{ship}\"\nsk = \"BERTH#{sailor}\"\nBySailor = { pk = \"SAILOR#{sailor}\", sk = \"SHIP#{ship}\" }\nparent = [\"Ship\", \"Sailor\"]\ngrant = { subject = \"Sailor\", scope = \"Ship\", roles = \"rank\" }\ncognito.member = { user = \"Sailor\", group = \"Ship\" }\nevents = [\"rank\"]\n";
pub const KEYS: &str = "BySailor = { pk = \"SAILOR#{sailor}\", sk = \"SHIP#{ship}\" }";
pub const RANK: &str = "rank = [\"captain\", \"mate\", \"cook\"]";
pub const LOG_PARENT: &str = "parent = { type = \"Ship\", ship = \"{of}\", find = \"back-reference\" }";
pub const CABIN_KEY: &str = "sk = \"CABIN#{cabin}\"";
pub const CABIN_PARENT: &str = "entity = \"Cabin\"\nparent = \"Ship\"\n";
pub const TABLE: &str = "sk = \"SK\"\n";

/// What is put in the place of what.
pub type Edits = &'static [(&'static str, &'static str)];

/// A change of a model over a table.
pub struct PlannedChange {
    pub name: &'static str,
    /// What the old model has instead of the one above.
    pub old: Edits,
    /// What the new one has instead of the old one.
    pub new: Edits,
    pub writes: &'static [&'static str],
    pub status: i32,
    /// The kinds of what is found, each with its number.
    pub found: &'static str,
}

pub const fn case(name: &'static str, new: Edits, status: i32, found: &'static str) -> PlannedChange {
    PlannedChange { name, old: &[], new, writes: ALL, status, found }
}

impl PlannedChange {
    pub const fn over(self, writes: &'static [&'static str]) -> Self {
        Self { writes, ..self }
    }

    pub const fn from(self, old: Edits) -> Self {
        Self { old, ..self }
    }
}

/// Users, groups, memberships and grants.
pub fn of_access() -> Vec<PlannedChange> {
    vec![
        case("a condition of grants", &[(GRANT, "grant = { subject = \"Sailor\", scope = \"Ship\", roles = \"rank\", when = { active = true } }")], 1, "taken 2, untold 2"),
        case("another name of groups", &[(GROUPS, "cognito.groups = \"s:{ship}:{rank}\"\n")], 1, "given 2, taken 2, new-groups 3, left-groups 3"),
        case("a member dropped", &[(MEMBER, "")], 1, "taken 2"),
        case("groups by a template", &[(GROUPS, ""), (MEMBER, "cognito.member = { user = \"Sailor\", group = \"crew:{ship}:{role}\" }\n")], 1, "given 2, taken 2, new-groups 2, left-groups 3, new-group-entries 2"),
        case("groups left to people", &[("group = \"crew:{ship}:{role}\" }", "group = \"crew:{ship}:{role}\", made = \"by-hand\" }")], 1, "peoples-groups 2, left-group-entries 2")
            .from(&[(GROUPS, ""), (MEMBER, "cognito.member = { user = \"Sailor\", group = \"crew:{ship}:{role}\" }\n")]),
        case("an optional scope", &[
            (GROUPS, ""),
            ("parent = [\"Ship\", \"Sailor\"]", "parent = \"Sailor\""),
            ("scope = \"Ship\"", "scope = \"Ship?\""),
            (MEMBER, "cognito.member = { user = \"Sailor\", group = \"ship:{ship}:{role}\" }\n"),
        ], 1, "left-groups 1, stays 2"),
        case("a grant without scope", &[("scope = \"Ship\", ", "")], 1, "untold 4"),
        case("the role in another attribute", &[(RANK, "rank = { values = [\"captain\", \"mate\", \"cook\"], attribute = \"post\" }")], 1, "taken 2, untold 2"),
        case("the role in one more attribute", &[(RANK, "rank = { values = [\"captain\", \"mate\", \"cook\"], attribute = [\"post\", \"rank\"] }")], 0, ""),
        case("a role added", &[(RANK, "rank = [\"captain\", \"mate\", \"cook\", \"boy\"]")], 0, "new-groups 1"),
        case("a role dropped", &[(RANK, "rank = [\"mate\", \"cook\"]")], 1, "taken 1, left-groups 1, parked 1 (wrong-value)"),
        case("a role dropped that nobody has", &[(RANK, "rank = [\"captain\", \"cook\"]")], 1, "left-groups 1"),
        case("users added", &[("[items.Ship]", "[items.Sailor.cognito.user]\nname = \"{sailor}\"\nattributes = { email = \"{mail}\" }\n\n[items.Ship]"), (GRANT, "grant = { subject = \"Sailor\", scope = \"Ship\", roles = \"rank\" }\ncognito.member = { user = \"Sailor\", group = \"Ship\" }")], 1, "given 2, new-users 2")
            .from(&[(USER, ""), (MEMBER, "")]),
        case("users dropped", &[(USER, ""), (MEMBER, "")], 1, "taken 2, left-users 2"),
        case("all of Cognito dropped", &[(USER, ""), (GROUPS, ""), (MEMBER, "")], 3, "taken 2, left-users 2, left-groups 3"),
        case("another name of users", &[("name = \"{sailor}\"", "name = \"u-{sailor}\"")], 1, "given 2, taken 2, new-users 2, left-users 2"),
        case("user names in lower case", &[("name = \"{sailor}\"", "name = \"{sailor|lower}\"")], 1, "taken 1, left-users 1, parked 2 (key-not-canonical)").over(&[
            SHIP,
            r#"{"at": "2026-06-01T08:01:00Z", "put": {"PK": "SAILOR#Eve", "SK": "SAILOR", "mail": "eve@sea.example"}}"#,
            r#"{"at": "2026-06-01T08:03:00Z", "put": {"PK": "SHIP#s1", "SK": "BERTH#Eve", "P1": "SAILOR#Eve", "S1": "SHIP#s1", "rank": "captain"}}"#,
        ]),
        case("a condition of users", &[("name = \"{sailor}\"", "name = \"{sailor}\"\nwhen = { kind = \"human\" }")], 1, "taken 2, left-users 2"),
        case("an attribute of users dropped", &[("attributes = { email = \"{mail}\" }\n", "")], 1, "unmanaged 2"),
        case("`disabled` dropped", &[("disabled = { status = \"ashore\" }\n", "")], 1, "unmanaged 1").over(&[
            SHIP,
            r#"{"at": "2026-06-01T08:01:00Z", "put": {"PK": "SAILOR#eve", "SK": "SAILOR", "mail": "eve@sea.example", "status": "ashore"}}"#,
            BERTH_OF_EVE,
        ]),
        case("users stay", &[("name = \"{sailor}\"", "name = \"{sailor}\"\ndelete = false")], 0, ""),
        case("a sweep removes memberships", &[(TABLE, "sk = \"SK\"\n\n[cognito]\nextra = { members = \"remove\" }\n")], 0, ""),
    ]
}

/// What the berth of somebody has in its last attribute.
pub const BERTH_FROM: &str = r#"{"at": "2026-06-01T08:03:00Z", "put": {"PK": "SHIP#s1", "SK": "BERTH#eve", "P1": "SAILOR#eve", "S1": "SHIP#s1", "rank": "captain", "since": "2026-12-01T00:00:00Z"}}"#;
pub const BERTH_UNTIL: &str = r#"{"at": "2026-06-01T08:03:00Z", "put": {"PK": "SHIP#s1", "SK": "BERTH#eve", "P1": "SAILOR#eve", "S1": "SHIP#s1", "rank": "captain", "end": "2026-06-10T00:00:00Z"}}"#;
pub const BERTH_ENDED: &str = r#"{"at": "2026-06-01T08:03:00Z", "put": {"PK": "SHIP#s1", "SK": "BERTH#eve", "P1": "SAILOR#eve", "S1": "SHIP#s1", "rank": "captain", "end": "2026-06-01T07:00:00Z"}}"#;
pub const UNTIL: (&str, &str) =
    (GRANT, "grant = { subject = \"Sailor\", scope = \"Ship\", roles = \"rank\", until = \"end\" }");

/// Times, guards and last grants.
pub fn of_time_and_guards() -> Vec<PlannedChange> {
    vec![
        case("a rule that becomes due", &[(RANK, "rank = [\"captain\", \"mate\", \"cook\"]\nends = { is = \"date\" }"), (CABIN_PARENT, "entity = \"Cabin\"\nparent = \"Ship\"\ndue = [{ at = \"ends\", when = { state = \"on\" }, set = { state = \"off\" } }]\n")], 0, "new-times 1")
            .over(&[SHIP, r#"{"at": "2026-06-01T08:05:00Z", "put": {"PK": "SHIP#s1", "SK": "CABIN#c1", "title": "aft", "state": "on", "ends": "2026-06-10"}}"#]),
        case("grants begin", &[(GRANT, "grant = { subject = \"Sailor\", scope = \"Ship\", roles = \"rank\", from = \"since\" }")], 1, "taken 1, new-times 1").over(&[SHIP, EVE, BERTH_FROM]),
        case("grants end", &[UNTIL], 0, "new-times 1").over(&[SHIP, EVE, BERTH_UNTIL]),
        case("grants have ended", &[UNTIL], 1, "taken 1").over(&[SHIP, EVE, BERTH_ENDED]),
        case("grants no longer end", &[(UNTIL.1, GRANT)], 1, "left-times 1").from(&[UNTIL]).over(&[SHIP, EVE, BERTH_UNTIL]),
        case("what has ended begins again", &[(UNTIL.1, GRANT)], 1, "given 1").from(&[UNTIL]).over(&[SHIP, EVE, BERTH_ENDED]),
        case("the last grant", &[(GRANT, "grant = { subject = \"Sailor\", scope = \"Ship\", roles = \"rank\", last = { delete = \"subject\", written = [\"updated\"] } }")], 0, "last-grants 1")
            .over(&[SHIP, r#"{"at": "2026-06-01T08:01:00Z", "put": {"PK": "SAILOR#eve", "SK": "SAILOR", "mail": "eve@sea.example", "updated": "2026-06-01T08:01:00Z"}}"#, BERTH_OF_EVE]),
        case("a guard added", &[("[items.Ship]", "[items.Mail]\npk = \"MAIL#{mail|lower}\"\nsk = \"MAIL\"\nguard = { owner = \"Sailor\" }\n\n[items.Ship]")], 1, "user-state 1, new-guards 1, new-claims 1")
            .from(&[(MAIL, "")])
            .over(&[EVE, r#"{"at": "2026-06-01T08:02:00Z", "put": {"PK": "SAILOR#kim", "SK": "SAILOR", "mail": "eve@sea.example"}}"#]),
        case("a guard names its owner", &[("guard = { owner = \"Sailor\" }", "guard = { owner = \"Sailor\", by = { sailor = \"owner\" } }")], 0, "written 1").over(&[EVE]),
        case("a guard dropped", &[(MAIL, "")], 1, "parked 1 (unknown-item), stays 1").over(&[EVE]),
    ]
}

/// Keys, references, and the whole model.
pub fn of_keys_and_references() -> Vec<PlannedChange> {
    vec![
        case(
            "the template of index keys",
            &[(KEYS, "BySailor = { pk = \"S#{sailor}\", sk = \"SHIP#{ship}\" }")],
            1,
            "stays 2",
        ),
        case(
            "the template of kept index keys",
            &[(KEYS, "BySailor = { pk = \"S#{sailor}\", sk = \"SHIP#{ship}\", keep = true }")],
            0,
            "written 2",
        ),
        case(
            "index keys are kept",
            &[(KEYS, "BySailor = { pk = \"SAILOR#{sailor}\", sk = \"SHIP#{ship}\", keep = true }")],
            1,
            "goes 1, written 1",
        )
        .over(&[
            SHIP,
            EVE,
            BERTH_OF_EVE,
            KIM,
            r#"{"at": "2026-06-01T08:04:00Z", "put": {"PK": "SHIP#s1", "SK": "BERTH#kim", "rank": "cook"}}"#,
        ]),
        case(
            "found by an index",
            &[(
                LOG_PARENT,
                "BySailor = { pk = \"LOGS#{of}\", sk = \"LOG#{log}\" }\nparent = { type = \"Ship\", ship = \"{of}\" }",
            )],
            1,
            "stays 1, left-references 1",
        ),
        case(
            "found by a new index",
            &[
                ("[names]", "ByShip = { pk = \"P2\", sk = \"S2\" }\n\n[names]"),
                (
                    LOG_PARENT,
                    "ByShip = { pk = \"LOGS#{of}\", sk = \"LOG#{log}\", keep = true }\nparent = { type = \"Ship\", ship = \"{of}\" }",
                ),
            ],
            1,
            "written 1, left-references 1",
        ),
        case(
            "found by back-references",
            &[
                (
                    "parent = [\"Ship\", \"Sailor\"]",
                    "parent = [\"Ship\", { type = \"Sailor\", find = \"back-reference\" }]",
                ),
                ("subject = \"Sailor\"", "subject = { type = \"Sailor\", find = \"back-reference\" }"),
                ("user = \"Sailor\"", "user = { type = \"Sailor\", find = \"back-reference\" }"),
            ],
            0,
            "new-references 2",
        ),
        case("two spellings of a key", &[(CABIN_KEY, "sk = [\"ROOM#{cabin}\", \"CABIN#{cabin}\"]")], 0, ""),
        case("another key", &[(CABIN_KEY, "sk = \"ROOM#{cabin}\"")], 1, "parked 1 (unknown-item), stays 1"),
        case("another key that no item has", &[(CABIN_KEY, "sk = \"ROOM#{cabin}\"")], 0, "").over(&[
            SHIP,
            EVE,
            BERTH_OF_EVE,
        ]),
        case(
            "another key of grants",
            &[("sk = \"BERTH#{sailor}\"", "sk = \"BUNK#{sailor}\"")],
            1,
            "taken 2, parked 2 (unknown-item), stays 4",
        ),
        case("another padding", &[("{cabinNo|pad:4}", "{cabinNo|pad:6}")], 1, "parked 1 (unknown-item), stays 1")
            .from(&[(CABIN_KEY, "sk = \"CABIN#{cabinNo|pad:4}\"")])
            .over(&[SHIP, r#"{"at": "2026-06-01T08:05:00Z", "put": {"PK": "SHIP#s1", "SK": "CABIN#0007"}}"#]),
        case("another name in a key", &[(CABIN_KEY, "sk = \"CABIN#{room}\"")], 1, "renamed-names 1"),
        case(
            "the name of a parent in another attribute",
            &[(RANK, "rank = [\"captain\", \"mate\", \"cook\"]\nof = { attribute = \"vessel\" }")],
            1,
            "stays 1, left-references 1",
        ),
        case(
            "a reference by another attribute",
            &[("ship = \"{of}\"", "ship = \"{vessel}\"")],
            1,
            "stays 1, left-references 1",
        ),
        case("a parent added", &[("entity = \"Cabin\"\n", "entity = \"Cabin\"\nparent = \"Ship\"\n")], 1, "orphans 1")
            .from(&[(CABIN_PARENT, "entity = \"Cabin\"\n")])
            .over(&[SHIP, CABIN, r#"{"at": "2026-06-01T09:00:00Z", "delete": {"PK": "SHIP#s1", "SK": "SHIP"}}"#]),
        case("a parent dropped", &[(CABIN_PARENT, "entity = \"Cabin\"\n")], 1, "stays 1"),
        case("an item type dropped", &[(BERTH, "")], 1, "taken 2, parked 2 (unknown-item), stays 4").from(&[(
            "entity = \"Cabin\"\n",
            "entity = \"Cabin\"\nBySailor = { pk = \"SHIP#{ship}\", sk = \"CABIN#{cabin}\" }\n",
        )]),
        case("an item type renamed", &[("[items.Log]", "[items.Diary]")], 3, "new-references 1, left-references 1"),
        case(
            "an item type renamed, with its first name",
            &[("[items.Log]", "[items.Diary]\nformerly = \"Log\"")],
            0,
            "",
        ),
        case("the model renamed", &[("model = \"fleet\"", "model = \"navy\"")], 3, ""),
        case("a secret added", &[(TABLE, "sk = \"SK\"\nsecret = [\"mail\"]\n")], 0, "").from(&[(MAIL, "")]),
        case("another attribute for the time to live", &[(TABLE, "sk = \"SK\"\nttl = \"expires\"\n")], 1, ""),
        case("unknown items skipped", &[(TABLE, "sk = \"SK\"\nunknown = \"skip\"\n")], 0, ""),
        case(
            "what events call an item",
            &[("entity = \"Log\"\n", "entity = \"Log\"\nid = \"log-{log}\"\n")],
            1,
            "renamed-in-events 1",
        ),
    ]
}
