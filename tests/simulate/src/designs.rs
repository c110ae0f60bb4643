//! The table models of the worlds: the shipped models, the example of the documents, and random
//! models.

use std::fmt::Write as _;
use std::sync::Arc;

use instep_model::Model;

use crate::chance::Chance;

/// An example with features that no shipped model uses.
const BOOKINGS: &str = include_str!("../../../events/bookings/model.toml");

/// The IAM role of some groups.
const IAM_ROLE: &str = "arn:aws:iam::123456789012:role/owner";

/// The model of a world, and its text for the trace. A shipped model has no text there.
type Design = (Arc<Model>, String);

/// Draws the model of a world. Crowded worlds have a random model more often.
///
/// # Errors
/// The loader's message, if it refuses a random model.
pub fn design(chance: &Chance, is_crowded: bool) -> Result<Design, String> {
    // Random models have most features that scenes need.
    let model = match chance.below(if is_crowded { 16 } else { 10 }) {
        0..2 => Model::shipped("access-management"),
        2 => Model::shipped("access-management-sif"),
        3 => Model::shipped("account-management"),
        4 => Model::shipped("authorization"),
        5 => Model::shipped("platform"),
        6 => Model::shipped("relational-store"),
        7 => return parse("bookings.toml", BOOKINGS.to_owned()),
        _ => return parse("random.toml", random(chance, is_crowded)),
    };
    Ok((Arc::new(model.ok_or("a shipped model is not there")?), String::new()))
}

/// A random model, whose words a world knows how to change.
///
/// # Errors
/// The loader's message, if it refuses the model.
pub fn changeable(chance: &Chance) -> Result<Design, String> {
    // The table keeps the text of its model, and no condition of a real one names a secret.
    parse("random.toml", random(chance, false).replace("SECRET0", "X"))
}

/// A random model with more item types, and with some of its words changed. `None` if it is refused, as many are.
///
/// # Errors
/// The refusal does not say what is wrong.
pub fn strange(chance: &Chance) -> Result<Option<Design>, String> {
    let text = crate::strange::changed(chance, &unchanged(chance));
    match Model::parse("strange.toml", &text) {
        Ok(model) => Ok(Some((Arc::new(model), text))),
        Err(errors) if errors.problems().iter().all(|problem| problem.place().contains(':')) => Ok(None),
        Err(errors) => Err(format!("refused without a place: {errors}\n{text}")),
    }
}

/// A random model with more item types, as strange models begin.
#[must_use]
pub fn unchanged(chance: &Chance) -> String {
    let mut draft = draft(chance, false);
    draft.unusual();
    draft.text
}

fn parse(name: &str, text: String) -> Result<Design, String> {
    match Model::parse(name, &text) {
        Ok(model) => Ok((Arc::new(model), text)),
        Err(errors) => Err(format!("{errors}\n{text}")),
    }
}

/// Draws a model of persons, teams, seats, objects in other objects, and unique values. Each is
/// written in one of several ways. In some crowded worlds Instep may not create users, or not
/// delete them.
#[must_use]
pub fn random(chance: &Chance, is_crowded: bool) -> String {
    draft(chance, is_crowded).text
}

fn draft(chance: &Chance, is_crowded: bool) -> DrawnModel<'_> {
    let sep = chance.pick(&["#", ":", "/"]).copied().unwrap_or_default();
    let role = chance.pick(&["role", "level"]).copied().unwrap_or_default();
    let path = chance.of_thousand(150).then(|| format!("access.{role}"));
    let mut draft = DrawnModel { chance, sep, role, path, has_pin: chance.of_thousand(300), text: String::new() };
    draft.table();
    // A team has a group for each role, or groups are created on demand.
    let has_roles = draft.often(600);
    let attribute = draft.path.as_ref().map(|path| format!("attribute = \"{path}\""));
    match (has_roles, attribute) {
        (true, None) => draft.line(&format!("[names]\n{role} = [\"owner\", \"guest\"]")),
        (true, Some(path)) => draft.line(&format!("[names]\n{role} = {{ values = [\"owner\", \"guest\"], {path} }}")),
        (false, Some(path)) => draft.line(&format!("[names]\n{role} = {{ {path} }}")),
        (false, None) => {}
    }
    let has_rule = draft.often(300);
    if has_rule {
        draft.line(if draft.text.contains("[names]") {
            "dueAt = { is = \"time\" }"
        } else {
            "[names]\ndueAt = { is = \"time\" }"
        });
    }
    draft.people(is_crowded);
    let has_own_groups = has_roles && draft.often(600);
    draft.teams(has_own_groups);
    draft.seats(has_own_groups);
    if has_rule || draft.often(600) {
        draft.boards(has_rule);
    }
    if draft.often(400) {
        draft.nodes();
    }
    if draft.often(150) {
        draft.friends();
    }
    if draft.often(300) {
        let of = draft.partition("P", "personId");
        let key = draft.key("sk", "KEY", "keyId");
        draft.line(&format!("[items.Key]\n{of}\n{key}\nparent = \"Person\"\nsecret = true"));
    }
    if draft.often(300) {
        let members = draft.one(&["remove", "report"]);
        draft.line(&format!("[cognito.extra]\nmembers = \"{members}\""));
        // In some crowded worlds Instep deletes no users.
        if !is_crowded {
            let users = draft.one(&["remove", "report"]);
            draft.line(&format!("users = \"{users}\""));
        }
    }
    draft
}

/// The text of a model file so far.
pub(crate) struct DrawnModel<'a> {
    chance: &'a Chance,
    /// What separates a name in a key from what is before it.
    pub(crate) sep: &'static str,
    /// Persons, and all other items, have a secret attribute.
    has_pin: bool,
    /// The attribute with the roles, and the name that stands for a role in a team's own groups.
    pub(crate) role: &'static str,
    /// The path to the roles, if they are in a map.
    path: Option<String>,
    text: String,
}

impl DrawnModel<'_> {
    pub(crate) fn often(&self, thousandths: usize) -> bool {
        self.chance.of_thousand(thousandths)
    }

    pub(crate) fn one(&self, of: &[&'static str]) -> &'static str {
        self.chance.pick(of).copied().unwrap_or_default()
    }

    pub(crate) fn has(&self, text: &str) -> bool {
        self.text.contains(text)
    }

    pub(crate) fn replace(&mut self, before: &str, after: &str) {
        self.text = self.text.replace(before, after);
    }

    pub(crate) fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{text}");
    }

    /// `pk = "P#{personId}"`.
    pub(crate) fn key(&self, attribute: &str, prefix: &str, name: &str) -> String {
        format!("{attribute} = \"{prefix}{}{{{name}}}\"", self.sep)
    }

    /// A partition key, now and then with a second spelling: `pk = ["P#{personId}",
    /// "PP#{personId}"]`.
    fn partition(&self, prefix: &str, name: &str) -> String {
        if !self.often(200) {
            return self.key("pk", prefix, name);
        }
        format!("pk = [\"{prefix}{sep}{{{name}}}\", \"{prefix}{prefix}{sep}{{{name}}}\"]", sep = self.sep)
    }

    /// `GSI1 = { pk = "P#{personId}", sk = "SEAT#{teamId}" }`.
    pub(crate) fn index(&self, index: &str, pk: (&str, &str), sk: (&str, &str)) -> String {
        let keep = self.one(&["", ", keep = \"fill\""]);
        format!("{index} = {{ {}, {}{keep} }}", self.key("pk", pk.0, pk.1), self.key("sk", sk.0, sk.1))
    }

    fn table(&mut self) {
        let (pk, sk) = (self.one(&["pk", "hash"]), self.one(&["sk", "range"]));
        let (unknown, tenant) = match self.one(&["park", "skip", "of persons", "of houses", "of either"]) {
            "of persons" => ("park", "tenant = \"state\"\n"),
            "of houses" => ("skip", "tenant = \"houseId\"\n"),
            "of either" => ("park", "tenant = [\"title\", \"state\"]\n"),
            other => (other, ""),
        };
        let keys = format!("pk = \"{pk}\"\nsk = \"{sk}\"");
        self.line(&format!("model = \"random\"\n{tenant}[table]\n{keys}\nunknown = \"{unknown}\""));
        if self.often(400) {
            self.line("orphans = \"remove\"");
        }
        if self.has_pin {
            self.line("secret = [\"pin\"]");
        }
        self.line("[indexes]\nGSI1 = { pk = \"g1p\", sk = \"g1s\" }\nGSI2 = { pk = \"g2p\", sk = \"g2s\" }");
    }

    /// Persons may be in groups of their own.
    fn own_groups(&mut self) {
        if self.often(150) {
            let group = self.one(&["\"club|{clubs|each}\"", "\"club|{clubs|lower|each}\""]);
            self.line(&format!("cognito.member = {{ user = \"Person\", group = {group} }}"));
        } else if self.often(150) {
            self.line(
                "cognito.member = { user = \"Person\", group = { name = \"people\" }, when = { state = \"sure\" } }",
            );
        }
    }

    /// Persons are users. Some have a unique value.
    fn people(&mut self, is_crowded: bool) {
        let (pk, sk) = (self.key("pk", "P", "personId"), self.one(&["P", "PERSON"]));
        self.line(&format!(
            "[items.Person]\n{pk}\nsk = \"{sk}\"\nentity = \"Person\"\nevents = [\"email\", \"state\"]"
        ));
        let name = self.one(&["{personId}", "{personId|lower}"]);
        let disabled = [
            "",
            ", disabled = { state = \"off\" }",
            ", disabled = { failures = 3.0 }",
            ", disabled = { \"profile.state\" = [\"off\", \"gone\"] }",
            ", disabled = { verified = { present = false } }",
            ", disabled = { verified = [false, { present = false }] }",
            ", disabled = [{ state = \"off\" }, { failures = { not = [3.0, { present = false }] } }]",
        ];
        let mut disabled = self.one(&disabled);
        if self.has_pin && self.often(500) {
            disabled = ", disabled = { pin = \"SECRET0\" }";
        }
        let mut create = self.one(&["\"silent\"", "\"invite\""]);
        if is_crowded && self.often(250) {
            create = self.one(&["false", "\"silent\", delete = false"]);
        }
        if self.often(150) {
            create = "\"silent\", delete = { after = \"90s\" }";
        }
        let mut only_while = String::new();
        let is_usual = matches!(create, "\"silent\"" | "\"invite\"");
        if is_usual && self.often(200) {
            let when = self.one(&[
                "kind = [\"human\", \"robot\"]",
                "left = { present = false }",
                "\"profile.on\" = true",
                "left = { not = true }",
            ]);
            disabled = self.one(&["", ", disabled = { state = \"off\" }"]);
            only_while = format!(", when = {{ {when} }}");
        }
        self.own_groups();
        let user = format!("name = \"{name}\", create = {create}{disabled}{only_while}");
        self.line(&format!("cognito.user = {{ {user}, attributes = {{ email = \"{{email}}\" }} }}"));
        if self.often(700) {
            let pk = self.key("pk", "E", self.one(&["email", "email|lower"]));
            self.line(&format!("[items.Email]\n{pk}\nsk = \"E\"\nguard = {{ owner = \"Person\" }}"));
            if self.often(400) {
                self.line("[[items.Email.claims]]\nemail = \"{email}\"\ntransfer = { when = { state = \"sure\" } }");
                if self.often(300) {
                    self.line(self.one(&[
                        "when = { left = { present = false } }",
                        "when = { kind = [\"human\", \"robot\"] }",
                        "when = [{ kind = \"human\" }, { left = { not = true }, kind = { not = \"robot\" } }]",
                    ]));
                }
            }
        }
    }

    /// Teams. Some belong to a house, which finds them through an index only.
    fn teams(&mut self, has_own_groups: bool) {
        let has_house = self.often(600);
        if has_house {
            let pk = self.key("pk", "H", "houseId");
            self.line(&format!("[items.House]\n{pk}\nsk = \"H\"\nentity = \"House\""));
        }
        let pk = self.key("pk", "T", "teamId");
        self.line(&format!("[items.Team]\n{pk}\nsk = \"T\"\nentity = \"Team\"\nevents = [\"title\"]"));
        if has_own_groups {
            let of_roles = format!("\"team|{{teamId}}|{{{}}}\"", self.role);
            let open = self.one(&["open = true", "title = { present = true }", "open = { not = false }"]);
            let settings = format!("precedence = {{ owner = 1, guest = 2 }}, iam_role = {{ owner = \"{IAM_ROLE}\" }}");
            let groups = match self.one(&["", "", "all", "when", "both", "settings", "settings", "rank", "rank"]) {
                "settings" => format!("{{ name = {of_roles}, {settings} }}"),
                "rank" => format!(
                    "[{of_roles}, {{ name = \"all|{{teamId}}\", precedence = \"{{rank}}\", when = {{ {open} }} }}]"
                ),
                "all" => format!("[{of_roles}, \"all|{{teamId}}\"]"),
                "when" => format!("{{ name = {of_roles}, when = {{ {open} }} }}"),
                "both" => format!("[{of_roles}, {{ name = \"all|{{teamId}}\", when = {{ {open} }} }}]"),
                _ => of_roles,
            };
            self.line(&format!("cognito.groups = {groups}"));
        }
        if has_house {
            let index = self.index("GSI2", ("H", "houseId"), ("T", "teamId"));
            self.line(&format!("{index}\nparent = \"House\""));
        }
    }

    /// Seats are in the partition of the team or of the person. The other one finds them through an
    /// index or back-references.
    fn seats(&mut self, has_own_groups: bool) {
        if has_own_groups && self.often(150) {
            self.rosters();
        }
        const TEAM: (&str, &str) = ("T", "teamId");
        const PERSON: (&str, &str) = ("P", "personId");
        let (under, other) = if self.often(500) { (TEAM, PERSON) } else { (PERSON, TEAM) };
        let (pk, mut sk) = (self.partition(under.0, under.1), self.key("sk", "SEAT", other.1));
        // A person may have several seats in a team: they imply one membership.
        if self.often(200) {
            sk = format!("sk = \"SEAT{sep}{{{}}}{sep}{{shift}}\"", other.1, sep = self.sep);
        }
        let roles = self.path.clone().unwrap_or_else(|| self.role.to_owned());
        self.line(&format!("[items.Seat]\n{pk}\n{sk}\nevents = [\"{roles}\"]"));
        let mut parents = ["\"Team\"", "\"Person\""];
        if self.often(500) {
            let index = self.index("GSI1", other, ("SEAT", under.1));
            self.line(&index);
        } else if under == TEAM {
            parents[1] = "{ type = \"Person\", find = \"back-reference\" }";
        } else {
            parents[0] = "{ type = \"Team\", find = \"back-reference\" }";
        }
        let group = if has_own_groups { "\"Team\"" } else { "\"team|{teamId}|{role}\", made = \"on-demand\"" };
        let mut member = format!("{{ user = \"Person\", group = {group} }}");
        if self.often(200) {
            let when = self.one(&[
                "",
                ", when = { crew = true }",
                ", when = { gone = { present = false } }",
                ", when = [{ crew = true }, { gone = \"no\" }]",
            ]);
            member = format!("[{member}, {{ user = \"Person\", group = \"crew|{{teamId}}\"{when} }}]");
        }
        self.line(&format!("parent = [{}]\ncognito.member = {member}", parents.join(", ")));
        if self.often(300) {
            self.line("verb.revoked = [{ word = \"expired\", cause = \"ttl\" }, \"withdrawn\"]");
        }
        self.line(&format!("[items.Seat.grant]\nsubject = \"Person\"\nscope = \"Team\"\nroles = \"{}\"", self.role));
        if self.often(400) {
            self.line("from = \"opens\"\nuntil = \"closes\"");
        }
        if self.often(250) {
            self.line(self.one(&[
                "when = { phase = [\"on\", \"now\"] }",
                "when = { gone = { present = false } }",
                "when = { gone = { not = true } }",
                "when = [{ phase = \"on\" }, { gone = [false, { present = false }] }]",
            ]));
        }
        // In other partitions a query is not consistent enough to find a grant that was just
        // created.
        if under == PERSON && self.often(600) {
            self.line("last = { delete = \"subject\", written = [\"updatedAt\"] }");
        }
    }

    /// A roster makes its person a member of several teams.
    fn rosters(&mut self) {
        let pk = self.key("pk", "P", "personId");
        let roles = self.role;
        self.line(&format!("[items.Roster]\n{pk}\nsk = \"ROSTER\"\nparent = \"Person\""));
        self.line(&format!("grant = {{ subject = \"Person\", roles = \"{roles}\" }}"));
        let group = "{ type = \"Team\", teamId = \"{teams|each}\", find = \"back-reference\" }";
        self.line(&format!("cognito.member = {{ user = \"Person\", group = {group} }}"));
    }

    /// Boards belong to a team. Cards belong to a board and know only its id. Some boards have an
    /// index key that Instep keeps.
    fn boards(&mut self, has_rule: bool) {
        let (pk, sk) = (self.key("pk", "T", "teamId"), self.key("sk", "B", "boardId"));
        let keep = self.one(&["", ", keep = \"fill\""]);
        let index = format!("GSI1 = {{ {}, sk = \"B\"{keep} }}", self.key("pk", "B", "boardId"));
        self.line(&format!(
            "[items.Board]\n{pk}\n{sk}\n{index}\nentity = \"Board\"\nid = \"{{boardId}}\"\nparent = {}",
            self.one(&[
                "\"Team\"",
                "\"Team\"",
                "{ type = \"Team\", when = { \"owned.by\" = \"team\" } }",
                "{ type = \"Team\", when = { \"owned.by\" = { not = [\"nobody\", \"people\"] } } }",
                "[\"Team\", { type = \"Team\", teamId = \"{copies|each}\", find = \"back-reference\" }]",
            ])
        ));
        if self.often(400) {
            let pk = self.key("pk", "S", "status");
            self.line(&format!(
                "GSI2 = {{ {pk}, sk = \"{{boardId}}\", keep = true }}\nvalues.status = [\"open\", \"shut\"]"
            ));
        }
        if has_rule {
            let open = self.one(&["{ status = \"open\" }", "{ status = { not = \"shut\" } }"]);
            self.line(&format!("due = {{ at = \"dueAt\", when = {open}, set = {{ status = \"shut\" }} }}"));
        }
        if self.often(300) {
            let word = self.one(&[
                "{ word = \"shown\", when = { title = { present = true } } }",
                "{ word = \"closed\", when = [{ status = { not = \"open\" } }, { title = \"closed\" }] }",
                "{ word = \"moved\", changed = [\"owned.by\", \"copies\"] }",
                "[{ word = \"shut\", when = { status = \"shut\" } }, \"touched\"]",
            ]);
            self.line(&format!("verb.updated = {word}"));
        }
        if self.often(300) {
            self.line(self.one(&[
                "verb.deleted = { word = \"expired\", cause = \"ttl\" }",
                "verb.deleted = [{ word = \"purged\", when = { status = \"shut\" }, cause = \"ttl\" }, \"dropped\"]",
            ]));
        }
        let card = self.one(&["cardId", "cardId", "cardNo|pad:3"]);
        let (pk, sk) = (self.partition("B", "boardId"), self.key("sk", "C", card));
        self.line(&format!("[items.Card]\n{pk}\n{sk}\nentity = \"Card\"\nparent = \"Board\""));
    }

    /// Two rows that belong to each other.
    fn friends(&mut self) {
        let rows = [("Asked", "Answered", ("from", "to"), "TO"), ("Answered", "Asked", ("to", "from"), "FROM")];
        for (own, other, (pk, sk), prefix) in rows {
            let (pk, sk) = (self.key("pk", "F", pk), self.key("sk", prefix, sk));
            self.line(&format!("[items.{own}]\n{pk}\n{sk}\nparent = \"{other}\""));
        }
    }

    /// Nodes in nodes. Some are deleted with their last parent.
    fn nodes(&mut self) {
        let pk = self.key("pk", "N", "nodeId");
        self.line(&format!("[items.Node]\n{pk}\nsk = \"N\"\nentity = \"Node\""));
        let (pk, sk) = (self.key("pk", "N", "parent.nodeId"), self.key("sk", "IN", "child.nodeId"));
        self.line(&format!("[items.Within]\n{pk}\n{sk}"));
        let takes = self.one(&["", ", takes = \"child\"", ", takes = \"child\", unique = \"child\""]);
        let child = if self.often(500) {
            let index = self.index("GSI1", ("N", "child.nodeId"), ("UP", "parent.nodeId"));
            self.line(&index);
            "\"Node\""
        } else {
            "{ type = \"Node\", find = \"back-reference\" }"
        };
        self.line(&format!("edge = {{ parent = \"Node\", child = {child}{takes} }}"));
        if takes.contains("unique") {
            let pk = self.key("pk", "SOLE", "child.nodeId");
            let by = "{ \"parent.nodeId\" = \"above\", \"child.nodeId\" = \"below\" }";
            self.line(&format!("[items.Sole]\n{pk}\nsk = \"SOLE\"\nguard = {{ owner = \"Within\", by = {by} }}"));
        }
    }
}
