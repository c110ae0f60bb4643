//! What a change of a model means: pairs of models with what a person has to hear before NEW is deployed.
//!
//! A verdict that needs the table's items is the careful one here: steps, which a table may show to be needless.
#![expect(clippy::too_many_lines, reason = "each function is a table of cases")]

use instep_model::ChangeVerdict::{Deploy, DeployWithSteps as Steps, DoNotDeploy as Never};
use instep_model::{Advice, ChangeVerdict, Model, SettingClass};

use crate::{DESIGNS, design};

/// Clubs with players, who have ranks in them.
const CLUBS: &str = r##"
model = "clubs"
source = "org.example.clubs"

[table]
pk = "PK"
sk = "SK"

[indexes]
ByPlayer = { pk = "P1", sk = "S1" }

[names]
rank = ["captain", "player", "guest"]

[items.Player]
pk = "PLAYER#{player}"
sk = "PROFILE"
entity = "Player"
events = ["nick"]

[items.Player.cognito.user]
name = "{player}"
attributes = { email = "{mail}" }
disabled = { status = "banned" }

[items.Mail]
pk = "MAIL#{mail|lower}"
sk = "MAIL"
guard = { owner = "Player" }

[items.Club]
pk = "CLUB#{club}"
sk = "CLUB"
entity = "Club"
cognito.groups = "club:{club}:{rank}"
events = ["title"]

[items.Place]
pk = "CLUB#{club}"
sk = "PLACE#{player}"
ByPlayer = { pk = "PLAYER#{player}", sk = "CLUB#{club}" }
parent = ["Club", "Player"]
grant = { subject = "Player", scope = "Club", roles = "rank" }
cognito.member = { user = "Player", group = "Club" }
events = ["rank"]

[items.Match]
pk = "CLUB#{club}"
sk = "MATCH#{match}"
entity = "Match"
parent = "Club"
events = ["day"]

[items.Photo]
pk = "PHOTO#{photo}"
sk = "PHOTO"
entity = "Photo"
parent = { type = "Club", club = "{home}", find = "back-reference" }
events = ["caption"]
"##;

const RANKS: &str = "rank = [\"captain\", \"player\", \"guest\"]";
const MAIL: &str = "[items.Mail]\npk = \"MAIL#{mail|lower}\"\nsk = \"MAIL\"\nguard = { owner = \"Player\" }\n";
const PLACE: &str = "[items.Place]\npk = \"CLUB#{club}\"\nsk = \"PLACE#{player}\"\n";
const INDEXED: &str = "ByPlayer = { pk = \"PLAYER#{player}\", sk = \"CLUB#{club}\" }\n";
const GRANT: &str = "grant = { subject = \"Player\", scope = \"Club\", roles = \"rank\" }";
const MEMBER: &str = "cognito.member = { user = \"Player\", group = \"Club\" }\n";
const GROUPS: &str = "cognito.groups = \"club:{club}:{rank}\"\n";
const USER: &str = "[items.Player.cognito.user]\nname = \"{player}\"\nattributes = { email = \"{mail}\" }\n\
                    disabled = { status = \"banned\" }\n";
const MATCH: &str = "sk = \"MATCH#{match}\"\n";
const HOME: &str = "parent = { type = \"Club\", club = \"{home}\", find = \"back-reference\" }";
const ON_DEMAND: &str = "cognito.member = { user = \"Player\", group = \"team:{club}:{role}\" }\n";

type Edits<'a> = &'a [(&'a str, &'a str)];

/// A change, and what is expected of it.
struct Case<'a> {
    name: &'a str,
    /// What the old model has instead of lines of [`CLUBS`].
    old: Edits<'a>,
    /// What the new one has instead of lines of the old one.
    new: Edits<'a>,
    /// The verdict that a table with such items gives.
    table: ChangeVerdict,
    /// The verdict without a table.
    verdict: ChangeVerdict,
    /// A setting that is named, and its class.
    what: Option<(&'a str, SettingClass)>,
}

const fn case<'a>(
    name: &'a str,
    old: Edits<'a>,
    new: Edits<'a>,
    table: ChangeVerdict,
    verdict: ChangeVerdict,
    what: Option<(&'a str, SettingClass)>,
) -> Case<'a> {
    Case { name, old, new, table, verdict, what }
}

fn edited(text: &str, edits: Edits<'_>) -> String {
    edits.iter().fold(text.to_owned(), |text, (before, after)| {
        assert!(text.contains(before), "{before}");
        text.replacen(before, after, 1)
    })
}

fn parse(text: &str) -> Model {
    Model::parse("clubs.toml", text).unwrap_or_else(|errors| panic!("{}\n{text}", crate::rendered(&errors)))
}

fn check(cases: &[Case<'_>]) {
    let mut wrong = String::new();
    for Case { name, old, new, table, verdict, what } in cases {
        let old = edited(CLUBS, old);
        let changes = parse(&edited(&old, new)).changes_since(&parse(&old));
        let found = ChangeVerdict::of(&changes);
        let is_named =
            what.is_none_or(|(what, class)| changes.iter().any(|one| one.what == what && one.class == class));
        let is_known = !changes.iter().any(|change| change.class == SettingClass::Unknown);
        if found != *verdict || found < *table || !is_named || !is_known {
            wrong += &format!("{name}: {found:?}, expected {verdict:?} and {what:?}\n{changes:#?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn keys_and_item_types() {
    let place = format!("{PLACE}{INDEXED}parent = [\"Club\", \"Player\"]\n{GRANT}\n{MEMBER}events = [\"rank\"]\n");
    check(&[
        case(
            "model",
            &[],
            &[("model = \"clubs\"", "model = \"teams\"")],
            Never,
            Never,
            Some(("model", SettingClass::Identity)),
        ),
        case(
            "type without formerly",
            &[],
            &[("[items.Photo]", "[items.Picture]")],
            Never,
            Never,
            Some(("items.Photo", SettingClass::Identity)),
        ),
        case(
            "type without formerly, with other names in its key",
            &[],
            &[("[items.Photo]\npk = \"PHOTO#{photo}\"", "[items.Picture]\npk = \"PHOTO#{picture}\"")],
            Never,
            Never,
            Some(("items.Photo", SettingClass::Identity)),
        ),
        case(
            "type with formerly",
            &[],
            &[("[items.Photo]", "[items.Picture]\nformerly = \"Photo\"")],
            Deploy,
            Deploy,
            Some(("items.Picture", SettingClass::Identity)),
        ),
        case(
            "type with a narrower key than another one",
            &[],
            &[("[items.Photo]", "[items.Final]\npk = \"CLUB#{club}\"\nsk = \"MATCH#1\"\n[items.Photo]")],
            Never,
            Never,
            Some(("items.Final", SettingClass::Identity)),
        ),
        case("grant's type gone", &[], &[(&place, "")], Steps, Steps, Some(("items.Place", SettingClass::Identity))),
        case("guard's type gone", &[], &[(MAIL, "")], Steps, Steps, Some(("items.Mail", SettingClass::Identity))),
        case(
            "guard's type new",
            &[(MAIL, "")],
            &[("[items.Club]", &format!("{MAIL}[items.Club]"))],
            Steps,
            Steps,
            Some(("items.Mail", SettingClass::Identity)),
        ),
        case(
            "spelling of a key added",
            &[],
            &[(MATCH, "sk = [\"GAME#{match}\", \"MATCH#{match}\"]\n")],
            Deploy,
            Deploy,
            Some(("items.Match.pk, sk", SettingClass::Keys)),
        ),
        case(
            "spelling of a key gone",
            &[(MATCH, "sk = [\"GAME#{match}\", \"MATCH#{match}\"]\n")],
            &[("sk = [\"GAME#{match}\", \"MATCH#{match}\"]\n", "sk = \"GAME#{match}\"\n")],
            Steps,
            Steps,
            Some(("items.Match.pk, sk", SettingClass::Keys)),
        ),
        case(
            "key of a child",
            &[],
            &[(MATCH, "sk = \"GAME#{match}\"\n")],
            Steps,
            Steps,
            Some(("items.Match.pk, sk", SettingClass::Keys)),
        ),
        case(
            "key of a grant",
            &[],
            &[("sk = \"PLACE#{player}\"", "sk = \"SPOT#{player}\"")],
            Steps,
            Steps,
            Some(("items.Place.pk, sk", SettingClass::Keys)),
        ),
        case(
            "key of the owner of a guard",
            &[],
            &[("pk = \"PLAYER#{player}\"\nsk = \"PROFILE\"", "pk = \"PLAYER#{player}\"\nsk = \"PERSON\"")],
            Steps,
            Never,
            Some(("items.Player.pk, sk", SettingClass::Keys)),
        ),
        case(
            "pad in a key",
            &[(MATCH, "sk = \"MATCH#{match|pad:3}\"\n")],
            &[("pad:3", "pad:5")],
            Steps,
            Steps,
            Some(("items.Match.pk, sk", SettingClass::Keys)),
        ),
        case(
            "urlencode in a key",
            &[],
            &[(MATCH, "sk = \"MATCH#{match|urlencode}\"\n")],
            Steps,
            Steps,
            Some(("items.Match.pk, sk", SettingClass::Keys)),
        ),
        case(
            "name in a key",
            &[],
            &[(MATCH, "sk = \"MATCH#{matchId}\"\n")],
            Steps,
            Steps,
            Some(("items.Match.pk, sk", SettingClass::Keys)),
        ),
        case(
            "a character that ends a name from now on",
            &[],
            &[("pk = \"PHOTO#{photo}\"", "pk = [\"PICTURE#{photo}!\", \"PHOTO#{photo}\"]")],
            Steps,
            Steps,
            Some(("photo: characters", SettingClass::Keys)),
        ),
    ]);
}

#[test]
fn names_and_values() {
    let both = "rank = { values = [\"captain\", \"player\", \"guest\"], attribute = [\"standing\", \"rank\"] }";
    check(&[
        case(
            "value new",
            &[],
            &[("\"guest\"]", "\"guest\", \"coach\"]")],
            Deploy,
            Steps,
            Some(("names.rank.values", SettingClass::Values)),
        ),
        case(
            "value gone",
            &[],
            &[("[\"captain\", ", "[")],
            Steps,
            Steps,
            Some(("names.rank.values", SettingClass::Values)),
        ),
        case(
            "values in another order",
            &[],
            &[("\"captain\", \"player\"", "\"player\", \"captain\"")],
            Deploy,
            Deploy,
            None,
        ),
        case(
            "further attribute",
            &[],
            &[(RANKS, both)],
            Deploy,
            Deploy,
            Some(("names.rank.attribute", SettingClass::Source)),
        ),
        case(
            "another attribute of roles",
            &[],
            &[(RANKS, &both.replace("[\"standing\", \"rank\"]", "\"standing\""))],
            Steps,
            Steps,
            Some(("names.rank.attribute", SettingClass::Source)),
        ),
        case(
            "old attribute gone",
            &[(RANKS, both)],
            &[("[\"standing\", \"rank\"]", "\"standing\"")],
            Steps,
            Steps,
            Some(("names.rank.attribute", SettingClass::Source)),
        ),
        case(
            "old attribute first",
            &[],
            &[(RANKS, &both.replace("[\"standing\", \"rank\"]", "[\"rank\", \"standing\"]"))],
            Deploy,
            Steps,
            Some(("names.rank.attribute", SettingClass::Source)),
        ),
        case(
            "attribute of a parent",
            &[],
            &[(RANKS, &format!("{RANKS}\nhome = {{ attribute = \"homeClub\" }}"))],
            Steps,
            Steps,
            Some(("names.home.attribute", SettingClass::Source)),
        ),
    ]);
}

#[test]
fn references_and_how_dependents_are_found() {
    let found = "{ type = \"Player\", find = \"back-reference\" }";
    check(&[
        case(
            "back-reference to index",
            &[],
            &[(
                HOME,
                "ByPlayer = { pk = \"PHOTOS#{home}\", sk = \"PHOTO#{photo}\" }\nparent = { type = \"Club\", club = \"{home}\" }",
            )],
            Steps,
            Steps,
            Some(("items.Photo.parent: Club", SettingClass::Finding)),
        ),
        case(
            "back-reference to an index without a sort key",
            &[(
                "ByPlayer = { pk = \"P1\", sk = \"S1\" }",
                "ByPlayer = { pk = \"P1\", sk = \"S1\" }\nAll = { pk = \"A1\" }",
            )],
            &[(HOME, "All = { pk = \"PHOTOS#{home}\" }\nparent = { type = \"Club\", club = \"{home}\" }")],
            Steps,
            Steps,
            Some(("items.Photo.parent: Club", SettingClass::Finding)),
        ),
        case(
            "index to back-reference",
            &[],
            &[
                ("parent = [\"Club\", \"Player\"]", &format!("parent = [\"Club\", {found}]")),
                ("subject = \"Player\"", &format!("subject = {found}")),
                ("user = \"Player\"", &format!("user = {found}")),
            ],
            Steps,
            Steps,
            Some(("items.Place.parent: Player", SettingClass::Finding)),
        ),
        case(
            "back-reference to sweep",
            &[],
            &[("find = \"back-reference\"", "find = \"sweep\"")],
            Steps,
            Steps,
            Some(("items.Photo.parent: Club", SettingClass::Finding)),
        ),
        case(
            "index template",
            &[],
            &[(INDEXED, &INDEXED.replace("PLAYER#", "P#"))],
            Steps,
            Steps,
            Some(("items.Place.ByPlayer", SettingClass::Finding)),
        ),
        case(
            "index template that Instep keeps",
            &[],
            &[(
                INDEXED,
                &INDEXED
                    .replace("PLAYER#", "P#")
                    .replace(" }", ", keep = true }")
                    .replace("{player, keep = true }", "{player }"),
            )],
            Deploy,
            Steps,
            Some(("items.Place.ByPlayer", SettingClass::Finding)),
        ),
        case(
            "keep",
            &[],
            &[(INDEXED, &INDEXED.replace("\" }", "\", keep = true }"))],
            Steps,
            Steps,
            Some(("items.Place.ByPlayer.keep", SettingClass::Finding)),
        ),
        case(
            "parent new",
            &[("entity = \"Match\"\nparent = \"Club\"\n", "entity = \"Match\"\n")],
            &[("entity = \"Match\"\n", "entity = \"Match\"\nparent = \"Club\"\n")],
            Steps,
            Steps,
            Some(("items.Match.parent: Club", SettingClass::References)),
        ),
        case(
            "parent gone",
            &[],
            &[("entity = \"Match\"\nparent = \"Club\"\n", "entity = \"Match\"\n")],
            Steps,
            Steps,
            Some(("items.Match.parent: Club", SettingClass::References)),
        ),
        case(
            "attribute in a reference",
            &[],
            &[("club = \"{home}\"", "club = \"{base}\"")],
            Steps,
            Steps,
            Some(("items.Photo.parent: Club", SettingClass::References)),
        ),
        case(
            "optional scope",
            &[],
            &[
                (GROUPS, ""),
                ("parent = [\"Club\", \"Player\"]", "parent = \"Player\""),
                ("scope = \"Club\"", "scope = \"Club?\""),
                (MEMBER, "cognito.member = { user = \"Player\", group = \"club:{club}:{role}\" }\n"),
            ],
            Steps,
            Steps,
            Some(("items.Club.cognito.groups", SettingClass::Cognito)),
        ),
        case(
            "references in another order",
            &[],
            &[("parent = [\"Club\", \"Player\"]", "parent = [\"Player\", \"Club\"]")],
            Deploy,
            Deploy,
            None,
        ),
    ]);
}

#[test]
fn grants_and_times() {
    let with = |word: &str| GRANT.replace(" }", &format!(", {word} }}"));
    let (from, until, later) = (with("from = \"since\""), with("until = \"end\""), with("until = \"stop\""));
    let when = with("when = { active = true }");
    check(&[
        case("from new", &[], &[(GRANT, &from)], Steps, Steps, Some(("items.Place.grant.from", SettingClass::Time))),
        case(
            "until new",
            &[],
            &[(GRANT, &until)],
            Deploy,
            Steps,
            Some(("items.Place.grant.until", SettingClass::Time)),
        ),
        case(
            "until gone",
            &[(GRANT, &until)],
            &[(&until, GRANT)],
            Steps,
            Steps,
            Some(("items.Place.grant.until", SettingClass::Time)),
        ),
        case(
            "until moved",
            &[(GRANT, &until)],
            &[(&until, &later)],
            Steps,
            Steps,
            Some(("items.Place.grant.until", SettingClass::Time)),
        ),
        case(
            "when stricter",
            &[],
            &[(GRANT, &when)],
            Steps,
            Steps,
            Some(("items.Place.grant.when", SettingClass::Grants)),
        ),
        case(
            "when gone",
            &[(GRANT, &when)],
            &[(&when, GRANT)],
            Steps,
            Steps,
            Some(("items.Place.grant.when", SettingClass::Grants)),
        ),
        case(
            "scope gone",
            &[],
            &[("scope = \"Club\", ", "")],
            Steps,
            Steps,
            Some(("items.Place.grant.scope", SettingClass::Grants)),
        ),
        case(
            "roles moved",
            &[],
            &[
                ("roles = \"rank\"", "roles = \"level\""),
                (RANKS, &format!("{RANKS}\nlevel = [\"captain\", \"player\", \"guest\"]")),
            ],
            Steps,
            Steps,
            Some(("items.Place.grant.roles", SettingClass::Grants)),
        ),
        case(
            "last new",
            &[],
            &[(GRANT, &with("last = { delete = \"subject\", written = [\"changed\"] }"))],
            Deploy,
            Deploy,
            Some(("items.Place.grant.last", SettingClass::Grants)),
        ),
        case(
            "due new",
            &[],
            &[
                (RANKS, &format!("{RANKS}\ncloses = {{ is = \"date\" }}")),
                (
                    "events = [\"day\"]",
                    "events = [\"day\"]\ndue = [{ at = \"closes\", when = { state = \"open\" }, set = { state = \"shut\" } }]",
                ),
            ],
            Deploy,
            Steps,
            Some(("items.Match.due", SettingClass::Time)),
        ),
    ]);
}

#[test]
fn guards_users_groups_and_memberships() {
    let name = "cognito.user]\nname = \"{player}\"\n";
    check(&[
        case(
            "guard names its owner in another attribute",
            &[],
            &[("guard = { owner = \"Player\" }", "guard = { owner = \"Player\", by = { player = \"holder\" } }")],
            Deploy,
            Steps,
            Some(("items.Mail.guard.by", SettingClass::Guards)),
        ),
        case(
            "claims of another value",
            &[],
            &[(
                "guard = { owner = \"Player\" }\n",
                "guard = { owner = \"Player\" }\n[[items.Mail.claims]]\nmail = \"{address}\"\n",
            )],
            Steps,
            Steps,
            Some(("items.Mail.guard.claims", SettingClass::Guards)),
        ),
        case(
            "user new",
            &[(USER, ""), (MEMBER, "")],
            &[("[items.Mail]", &format!("{USER}\n[items.Mail]")), (GRANT, &format!("{GRANT}\n{}", MEMBER.trim_end()))],
            Steps,
            Steps,
            Some(("items.Player.cognito.user", SettingClass::Cognito)),
        ),
        case(
            "user gone",
            &[],
            &[(USER, ""), (MEMBER, "")],
            Steps,
            Steps,
            Some(("items.Player.cognito.user", SettingClass::Cognito)),
        ),
        case(
            "name of users",
            &[],
            &[(name, "cognito.user]\nname = \"p-{player}\"\n")],
            Steps,
            Steps,
            Some(("items.Player.cognito.user.name", SettingClass::Cognito)),
        ),
        case(
            "name of users in lower case",
            &[],
            &[(name, "cognito.user]\nname = \"{player|lower}\"\n")],
            Steps,
            Steps,
            Some(("player: |lower", SettingClass::Keys)),
        ),
        case(
            "users' when stricter",
            &[],
            &[(name, &format!("{name}when = {{ kind = \"person\" }}\n"))],
            Steps,
            Steps,
            Some(("items.Player.cognito.user.when", SettingClass::Cognito)),
        ),
        case(
            "users stay",
            &[],
            &[(name, &format!("{name}delete = false\n"))],
            Deploy,
            Deploy,
            Some(("items.Player.cognito.user.delete", SettingClass::Cognito)),
        ),
        case(
            "disabled gone",
            &[],
            &[("disabled = { status = \"banned\" }\n", "")],
            Steps,
            Steps,
            Some(("items.Player.cognito.user.disabled", SettingClass::Cognito)),
        ),
        case(
            "attribute gone",
            &[],
            &[("attributes = { email = \"{mail}\" }\n", "")],
            Steps,
            Steps,
            Some(("items.Player.cognito.user.attributes.email", SettingClass::Cognito)),
        ),
        case(
            "attribute from elsewhere",
            &[],
            &[("{ email = \"{mail}\" }", "{ email = \"{address}\" }")],
            Steps,
            Steps,
            Some(("items.Player.cognito.user.attributes.email", SettingClass::Cognito)),
        ),
        case(
            "name of groups",
            &[],
            &[("\"club:{club}:{rank}\"", "\"c:{club}:{rank}\"")],
            Steps,
            Steps,
            Some(("items.Club.cognito.groups", SettingClass::Cognito)),
        ),
        case(
            "member gone",
            &[],
            &[(MEMBER, "")],
            Steps,
            Steps,
            Some(("items.Place.cognito.member", SettingClass::Cognito)),
        ),
        case(
            "groups on demand instead",
            &[],
            &[(GROUPS, ""), (MEMBER, ON_DEMAND)],
            Steps,
            Steps,
            Some(("items.Place.cognito.member", SettingClass::Cognito)),
        ),
        case(
            "groups in tokens alone",
            &[],
            &[(MEMBER, "cognito.member = { user = \"Player\", group = \"Club\", in = \"token\" }\n")],
            Steps,
            Steps,
            Some(("items.Place.cognito.member.in", SettingClass::Cognito)),
        ),
        case(
            "groups by hand",
            &[(GROUPS, ""), (MEMBER, ON_DEMAND)],
            &[(ON_DEMAND, &ON_DEMAND.replace(" }", ", made = \"by-hand\" }"))],
            Steps,
            Steps,
            Some(("items.Place.cognito.member.made", SettingClass::Cognito)),
        ),
    ]);
}

#[test]
fn the_table_the_sweep_and_the_events() {
    check(&[
        case(
            "extra",
            &[],
            &[("[names]", "[cognito]\nextra = { members = \"remove\" }\n[names]")],
            Deploy,
            Steps,
            Some(("cognito.extra.members", SettingClass::Sweep)),
        ),
        case(
            "orphans",
            &[],
            &[("sk = \"SK\"", "sk = \"SK\"\norphans = \"remove\"")],
            Deploy,
            Steps,
            Some(("table.orphans", SettingClass::Sweep)),
        ),
        case(
            "marker",
            &[],
            &[("[names]", "[cognito]\nmarker = \"name\"\n[names]")],
            Deploy,
            Steps,
            Some(("cognito.marker", SettingClass::Sweep)),
        ),
        case(
            "unknown",
            &[],
            &[("sk = \"SK\"", "sk = \"SK\"\nunknown = \"skip\"")],
            Deploy,
            Deploy,
            Some(("table.unknown", SettingClass::Records)),
        ),
        case(
            "ttl",
            &[],
            &[("sk = \"SK\"", "sk = \"SK\"\nttl = \"gone\"")],
            Steps,
            Steps,
            Some(("table.ttl", SettingClass::Stack)),
        ),
        case(
            "another table",
            &[],
            &[("pk = \"PK\"", "pk = \"HK\"")],
            Never,
            Never,
            Some(("table.pk", SettingClass::Identity)),
        ),
        case(
            "secret",
            &[],
            &[("sk = \"SK\"", "sk = \"SK\"\nsecret = [\"token\"]")],
            Deploy,
            Deploy,
            Some(("table.secret: token", SettingClass::Privacy)),
        ),
        case(
            "index's keys",
            &[],
            &[("pk = \"P1\"", "pk = \"Q1\"")],
            Never,
            Never,
            Some(("indexes.ByPlayer", SettingClass::Stack)),
        ),
        case(
            "id",
            &[],
            &[("entity = \"Club\"", "entity = \"Club\"\nid = \"c-{club}\"")],
            Steps,
            Steps,
            Some(("items.Club.id", SettingClass::Events)),
        ),
        case(
            "tenant",
            &[],
            &[("[names]", "[tenant]\n[names]"), ("[tenant]\n", ""), ("source = ", "tenant = \"club\"\nsource = ")],
            Steps,
            Steps,
            Some(("tenant", SettingClass::Events)),
        ),
        case(
            "source",
            &[],
            &[("org.example.clubs", "org.example.teams")],
            Steps,
            Steps,
            Some(("source", SettingClass::Events)),
        ),
        case(
            "events in another order",
            &[("events = [\"day\"]", "events = [\"day\", \"goals\"]")],
            &[("[\"day\", \"goals\"]", "[\"goals\", \"day\"]")],
            Deploy,
            Deploy,
            None,
        ),
    ]);
}

/// Answers read the model at a question: nothing that exists follows from these words.
#[test]
fn what_only_answers_read() {
    const CLUB: &str = "entity = \"Club\"\n";
    const NEXT: &str = "[items.Match]\n";
    const SAME: (&str, &str) = ("events = [\"title\"]", "events = [\"title\", \"nick\"]");
    let within = |what: &str| format!("{CLUB}within = {what}\n");
    let (path, dots) = (within("{ path = \"club\" }"), within("{ path = \"club\", separator = \".\" }"));
    let (part, other) =
        (within("{ type = \"Club\", club = \"{part}\" }"), within("{ type = \"Club\", club = \"{of}\" }"));
    let same = GRANT.replace(" }", ", same = \"nick\" }");
    let role = GRANT.replace(" }", ", role = { type = \"Rank?\", rank = \"{role}\" } }");
    let rank = format!("[items.Rank]\npk = \"RANK#{{rank}}\"\nsk = \"RANK\"\nentity = \"Rank\"\n{NEXT}");
    let with = |word: &str| rank.replace(NEXT, &format!("{word}\n{NEXT}"));
    let (permits, any) = (with("permits = { as = \"{what}\" }"), with("permits = { as = \"{what}\", any = \"*\" }"));
    let inherits = with("inherits = { type = \"Rank\", rank = \"{above}\" }");
    let ranks: Edits<'_> = &[(GRANT, &role), (NEXT, &rank)];
    let edge = "edge = { a = \"Club\", b = { type = \"Club\", find = \"back-reference\" } }";
    let friends = format!("[items.Friends]\npk = \"CLUB#{{a.club}}\"\nsk = \"FRIEND#{{b.club}}\"\n{edge}\n{NEXT}");
    let conveys = edge.replace("} }", "}, conveys = \"a\" }");
    let sometimes = edge.replace("} }", "}, conveys = { to = \"a\", when = { close = true } } }");
    let read = |items: &str| format!("[reads]\nof-club = {{ items = \"{items}\", given = \"club\" }}\n{NEXT}");
    let (places, matches) = (read("Place"), read("Match"));
    let descending = |read: &str| read.replace("\"club\" }", "\"club\", descending = true }");
    let last_places = descending(&places);
    let answers = |name, old, new, what| case(name, old, new, Deploy, Deploy, Some((what, SettingClass::Answers)));
    check(&[
        answers("same new", &[SAME], &[(GRANT, &same)], "items.Place.grant.same"),
        answers("within new", &[], &[(CLUB, &path)], "items.Club.within"),
        answers("within gone", &[(CLUB, &path)], &[(&path, CLUB)], "items.Club.within"),
        answers("within by another separator", &[(CLUB, &path)], &[(&path, &dots)], "items.Club.within"),
        answers("within an item instead", &[(CLUB, &path)], &[(&path, &part)], "items.Club.within"),
        answers("within another item", &[(CLUB, &part)], &[(&part, &other)], "items.Club.within"),
        answers("permits new", ranks, &[(&rank, &permits)], "items.Rank.permits"),
        answers("permits any", &[(GRANT, &role), (NEXT, &permits)], &[(&permits, &any)], "items.Rank.permits"),
        answers("inherits new", ranks, &[(&rank, &inherits)], "items.Rank.inherits"),
        answers("read new", &[], &[(NEXT, &places)], "reads.of-club"),
        answers("read gone", &[(NEXT, &places)], &[(&places, NEXT)], "reads.of-club"),
        answers("read other items", &[(NEXT, &places)], &[(&places, &matches)], "reads.of-club"),
        answers("read in the other order", &[(NEXT, &places)], &[(&places, &last_places)], "reads.of-club"),
        answers("read in order again", &[(NEXT, &last_places)], &[(&last_places, &places)], "reads.of-club"),
        answers("conveys new", &[(NEXT, &friends)], &[(edge, &conveys)], "items.Friends.edge.conveys"),
        answers(
            "conveys sometimes",
            &[(NEXT, &friends), (edge, &conveys)],
            &[(&conveys, &sometimes)],
            "items.Friends.edge.conveys",
        ),
    ]);
}

/// Programs that page through a read have to hear that it goes the other way.
#[test]
fn a_read_in_another_order_is_told_from_one_of_other_items() {
    let model = |items: &str, more: &str| {
        let read = format!("[reads]\nof-club = {{ items = \"{items}\", given = \"club\"{more} }}\n");
        parse(&format!("{CLUBS}{read}"))
    };
    let told = |was: &Model, is: &Model| {
        let meanings = is.changes_since(was).into_iter().map(|change| change.meaning);
        let meanings: Vec<String> = meanings.collect();
        let has = |words: &str| meanings.iter().any(|meaning| meaning.contains(words));
        (has("in the other order"), has("other items"), meanings.len())
    };
    let (places, last_places) = (model("Place", ""), model("Place", ", descending = true"));
    let last_matches = model("Match", ", descending = true");
    assert_eq!(told(&places, &last_places), (true, false, 1));
    assert_eq!(told(&last_places, &places), (true, false, 1));
    assert_eq!(told(&last_places, &last_matches), (false, true, 1));
    assert_eq!(told(&places, &last_matches), (true, true, 2));
}

#[test]
fn a_model_does_not_differ_from_itself() {
    for name in DESIGNS {
        assert_eq!(design(name).changes_since(&design(name)), Vec::new(), "{name}");
    }
}

/// Whatever differs has a class that this version knows, also between models that have nothing in common.
#[test]
fn every_difference_of_two_designs_has_a_class() {
    for (old, new) in DESIGNS.iter().flat_map(|old| DESIGNS.map(|new| (*old, new))).filter(|(old, new)| old != new) {
        let changes = design(new).changes_since(&design(old));
        assert!(!changes.is_empty(), "{old} -> {new}");
        for change in changes {
            assert_ne!(change.class, SettingClass::Unknown, "{old} -> {new}: {change:#?}");
            assert_ne!(change.advice, Advice::Steps(Vec::new()), "{old} -> {new}: {change:#?}");
        }
    }
}
