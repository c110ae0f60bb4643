//! The table models of the worlds: those that ship, the example of the documents, and random ones.

use std::fmt::Write as _;
use std::sync::Arc;

use instep_model::Model;

use crate::chance::Chance;

/// An example that uses what the shipped ones do not.
const BOOKINGS: &str = include_str!("../../../events/bookings/model.toml");

/// The model of a world.
///
/// # Errors
/// A random model that its loader refuses, with what it says.
pub fn design(chance: &Chance) -> Result<Arc<Model>, String> {
    let model = match chance.below(10) {
        0..2 => Model::shipped("access-management"),
        2 => Model::shipped("access-management-sif"),
        3 => Model::shipped("account-management"),
        4 => Model::shipped("authorization"),
        5 => Model::shipped("platform"),
        6 => Model::shipped("relational-store"),
        7 => return parse("bookings.toml", BOOKINGS),
        _ => return parse("random.toml", &random(chance)),
    };
    Ok(Arc::new(model.ok_or("a shipped model is not there")?))
}

fn parse(name: &str, text: &str) -> Result<Arc<Model>, String> {
    Model::parse(name, text).map(Arc::new).map_err(|errors| format!("{errors}\n{text}"))
}

/// A model of people, teams, seats in them, things that belong to each other, and unique values, each written in one of the ways that
/// there are.
#[must_use]
pub fn random(chance: &Chance) -> String {
    let one = |of: &[&'static str]| chance.pick(of).copied().unwrap_or_default();
    let often = |thousandths| chance.of_thousand(thousandths);
    let (pk, sk, sep) = (one(&["pk", "hash"]), one(&["sk", "range"]), one(&["#", ":", "/"]));
    let mut text = format!("model = \"random\"\n[table]\npk = \"{pk}\"\nsk = \"{sk}\"\n");
    let _ = writeln!(text, "unknown = \"{}\"", one(&["park", "skip"]));
    if often(300) {
        text.push_str("secret = [\"pin\"]\n");
    }
    let by_index = often(500);
    text.push_str("[indexes]\nGSI1 = { pk = \"g1p\", sk = \"g1s\" }\nGSI2 = { pk = \"g2p\", sk = \"g2s\" }\n");
    let closed = often(600);
    if closed {
        text.push_str("[names]\nrole = [\"owner\", \"guest\"]\n");
    }
    // People, who may be users, with a value of their own.
    let lower = if often(300) { "|lower" } else { "" };
    let _ = writeln!(text, "[items.Person]\npk = \"P{sep}{{personId}}\"\nsk = \"{}\"", one(&["P", "PERSON"]));
    let _ = writeln!(text, "entity = \"Person\"\nevents = [\"email\", \"state\"]");
    let disabled = if often(500) { ", disabled = { state = \"off\" }" } else { "" };
    let create = one(&["\"silent\"", "\"invite\""]);
    let _ = writeln!(
        text,
        "cognito.user = {{ name = \"{{personId{lower}}}\", create = {create}{disabled}, attributes = {{ email = \"{{email}}\" }} }}"
    );
    if often(700) {
        let _ = writeln!(text, "[items.Email]\npk = \"E{sep}{{email}}\"\nsk = \"E\"\nguard = {{ owner = \"Person\" }}");
        if often(400) {
            text.push_str("[[items.Email.claims]]\nemail = \"{email}\"\ntransfer = { when = { state = \"sure\" } }\n");
        }
    }
    // Teams, with groups of their own or made on demand; what they belong to, if anything.
    let has_house = often(600);
    if has_house {
        let _ = writeln!(text, "[items.House]\npk = \"H{sep}{{houseId}}\"\nsk = \"H\"\nentity = \"House\"");
    }
    let brings = closed && often(600);
    let _ =
        writeln!(text, "[items.Team]\npk = \"T{sep}{{teamId}}\"\nsk = \"T\"\nentity = \"Team\"\nevents = [\"title\"]");
    if brings {
        let _ = writeln!(text, "cognito.groups = \"team|{{teamId}}|{{role}}\"");
    }
    if has_house {
        let _ =
            writeln!(text, "GSI2 = {{ pk = \"H{sep}{{houseId}}\", sk = \"T{sep}{{teamId}}\" }}\nparent = \"House\"");
    }
    // Seats: under the team or under the person, the other way by an index or by back-references.
    let (under, other) =
        if often(500) { (("T", "teamId"), ("P", "personId")) } else { (("P", "personId"), ("T", "teamId")) };
    let _ = writeln!(text, "[items.Seat]\npk = \"{}{sep}{{{}}}\"\nsk = \"SEAT{sep}{{{}}}\"", under.0, under.1, other.1);
    let (of_team, of_person) = if by_index {
        let _ =
            writeln!(text, "GSI1 = {{ pk = \"{}{sep}{{{}}}\", sk = \"SEAT{sep}{{{}}}\" }}", other.0, other.1, under.1);
        ("\"Team\"", "\"Person\"")
    } else if under.0 == "T" {
        ("\"Team\"", "{ type = \"Person\", find = \"back-reference\" }")
    } else {
        ("{ type = \"Team\", find = \"back-reference\" }", "\"Person\"")
    };
    let _ = writeln!(text, "parent = [{of_team}, {of_person}]\nevents = [\"role\"]");
    let group =
        if brings { "\"Team\"".to_owned() } else { "\"team|{teamId}|{role}\", made = \"on-demand\"".to_owned() };
    let _ = writeln!(text, "cognito.member = {{ user = \"Person\", group = {group} }}");
    let _ = writeln!(text, "[items.Seat.grant]\nsubject = \"Person\"\nscope = \"Team\"\nroles = \"role\"");
    if often(400) {
        text.push_str("from = \"opens\"\nuntil = \"closes\"\n");
    }
    if often(300) {
        text.push_str("last = { delete = \"subject\", written = [\"updatedAt\"] }\n");
    }
    // Things below a team, and below those; the lower ones may know their parent by its id alone.
    if often(600) {
        let _ = writeln!(
            text,
            "[items.Board]\npk = \"T{sep}{{teamId}}\"\nsk = \"B{sep}{{boardId}}\"\nGSI1 = {{ pk = \"B{sep}{{boardId}}\", sk = \"B\" }}\nentity = \"Board\"\nid = \"{{boardId}}\"\nparent = \"Team\""
        );
        let kept = often(400);
        if kept {
            let _ = writeln!(
                text,
                "GSI2 = {{ pk = \"S{sep}{{status}}\", sk = \"{{boardId}}\", keep = true }}\nvalues.status = [\"open\", \"shut\"]"
            );
        }
        let _ = writeln!(
            text,
            "[items.Card]\npk = \"B{sep}{{boardId}}\"\nsk = \"C{sep}{{cardId}}\"\nentity = \"Card\"\nparent = \"Board\""
        );
    }
    // Things in things, which go with the last that holds them.
    if often(400) {
        let _ = writeln!(text, "[items.Node]\npk = \"N{sep}{{nodeId}}\"\nsk = \"N\"\nentity = \"Node\"");
        let takes = if often(600) { ", takes = \"child\"" } else { "" };
        let (find, index) = if often(500) {
            let index = format!("GSI1 = {{ pk = \"N{sep}{{child.nodeId}}\", sk = \"UP{sep}{{parent.nodeId}}\" }}\n");
            ("child = \"Node\"", index)
        } else {
            ("child = { type = \"Node\", find = \"back-reference\" }", String::new())
        };
        let _ = writeln!(
            text,
            "[items.Within]\npk = \"N{sep}{{parent.nodeId}}\"\nsk = \"IN{sep}{{child.nodeId}}\"\n{index}edge = {{ parent = \"Node\", {find}{takes} }}"
        );
    }
    if often(300) {
        let _ = writeln!(
            text,
            "[items.Key]\npk = \"P{sep}{{personId}}\"\nsk = \"KEY{sep}{{keyId}}\"\nparent = \"Person\"\nsecret = true"
        );
    }
    text
}
