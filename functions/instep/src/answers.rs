//! `instep can`, `what`, `who` and `scopes`: who may do what, where, now.

use std::collections::BTreeSet;
use std::process::ExitCode;

use instep_answers::{
    Answer, AskedPlace, NamedItem, NearGrant, Question, QuestionCost, RefusedQuestion, WantedAccess, scope_types,
};
use instep_aws::reader::{AskError, Reader};
use instep_aws::sweep::object_named;
use instep_console::answer::{Asked, as_json, as_text};
use instep_console::output::Output;
use instep_flow::queries;
use instep_model::{Model, Names, Object, Scope, Subject, TypeId, escaped};
use jiff::Timestamp;
use miette::miette;

use crate::cli::{AskedArgs, CanArgs, ScopesArgs, WhatArgs, WhoArgs};
use crate::remote::Needs;
use crate::workspace::Workspace;

/// A deny, or nothing of which an answer could tell.
const DENIED: u8 = 1;

/// The table cannot be read, so there is no answer.
pub(crate) const UNREAD: u8 = 3;

/// The grants of an object that no answer counts. Nothing, if it is no subject.
pub(crate) async fn uncounted(
    reader: &Reader,
    Object { of, names }: Object,
    now: Timestamp,
) -> miette::Result<BTreeSet<NearGrant>> {
    match reader.ask(Question::What { subject: NamedItem { of, names } }, now).await {
        Ok((Answer::Holds(holdings), _)) => Ok(holdings.near),
        Ok(_) | Err(AskError::Refused(_)) => Ok(BTreeSet::new()),
        Err(AskError::Failed(why)) => Err(miette!(help = "run the same command again", "{why}")),
    }
}

/// Answers `can`.
pub(crate) async fn can(args: CanArgs, out: &mut Output) -> miette::Result<ExitCode> {
    let CanArgs { subject, permission, role, at, asked } = args;
    ask(&asked, out, |model| {
        let wanted = wanted(permission, role);
        let subject = subject_named(model, &subject)?;
        // What is wrong with the subject is said before what is wrong with the place.
        Question::What { subject: subject.clone() }.check(model).map_err(|why| refused(&why))?;
        let scopes: BTreeSet<TypeId> = scope_types(model, subject.of).into_iter().collect();
        let at = if at.is_empty() { AskedPlace::Nowhere } else { place(model, &scopes, &at)? };
        Ok(Question::Can { subject, wanted, at })
    })
    .await
}

/// Answers `what`.
pub(crate) async fn what(args: WhatArgs, out: &mut Output) -> miette::Result<ExitCode> {
    let WhatArgs { subject, asked } = args;
    ask(&asked, out, |model| Ok(Question::What { subject: subject_named(model, &subject)? })).await
}

/// Answers `who`.
pub(crate) async fn who(args: WhoArgs, out: &mut Output) -> miette::Result<ExitCode> {
    let WhoArgs { at, permission, role, from, asked } = args;
    ask(&asked, out, |model| {
        let subjects: Vec<TypeId> = model.types().map(|(of, _)| of).collect();
        let scopes: BTreeSet<TypeId> = subjects.into_iter().flat_map(|subject| scope_types(model, subject)).collect();
        let at = place(model, &scopes, &at)?;
        Ok(Question::Who { wanted: wanted(permission, role), at, from })
    })
    .await
}

/// What is asked for: any grant, a role or a permission.
fn wanted(permission: Option<String>, role: Option<String>) -> WantedAccess {
    match (permission, role) {
        (Some(permission), _) => WantedAccess::Permission(permission),
        (None, Some(role)) => WantedAccess::Role(role),
        (None, None) => WantedAccess::Access,
    }
}

/// Answers `scopes`.
pub(crate) async fn scopes(args: ScopesArgs, out: &mut Output) -> miette::Result<ExitCode> {
    let ScopesArgs { at, asked } = args;
    ask(&asked, out, |model| match item(model, &at) {
        Some(at) => Ok(Question::Scopes { at: at? }),
        None => Err(no_item(&at)),
    })
    .await
}

async fn ask(
    args: &AskedArgs,
    out: &mut Output,
    question: impl FnOnce(&Model) -> miette::Result<Question>,
) -> miette::Result<ExitCode> {
    let needs = Needs { only_table: true, ..Needs::default() };
    let workspace = Workspace::open(&args.workspace, args.now, needs).await?;
    let question = question(&workspace.model)?;
    let answered = workspace.instep.reader().ask(question.clone(), workspace.run.now).await;
    let (answer, cost) = match answered {
        Ok(answered) => answered,
        Err(AskError::Refused(why)) => return Err(refused(&why)),
        Err(AskError::Failed(why)) => {
            let error = miette!(help = "run the same command again", "the table cannot be read: {why}");
            instep_console::output::print_error(&error);
            return Ok(ExitCode::from(UNREAD));
        }
    };
    let asked = Asked { model: &workspace.model, question: &question };
    let text =
        if args.workspace.json { as_json(&asked, &answer, cost).to_string() } else { lines(&asked, &answer, cost) };
    out.line(&text)?;
    out.flush()?;
    workspace.close().await;
    Ok(if is_positive(&answer) { ExitCode::SUCCESS } else { ExitCode::from(DENIED) })
}

fn lines(asked: &Asked<'_>, answer: &Answer, cost: QuestionCost) -> String {
    let text = as_text(asked, answer, cost);
    text.lines().map(|line| escaped(line).to_string()).collect::<Vec<_>>().join("\n")
}

fn is_positive(answer: &Answer) -> bool {
    match answer {
        Answer::Allow(_) => true,
        Answer::Deny(_) => false,
        Answer::Holds(holdings) => holdings.is_complete(),
        Answer::Scopes(scopes) => !scopes.is_empty(),
        Answer::Who(holders) => holders.is_complete,
    }
}

fn refused(why: &RefusedQuestion) -> miette::Report {
    miette!(help = "`instep check MODEL` shows the grants, permissions and scopes of a model", "{why}")
}

/// The subject that a text names: the user of this name, an item type and an id, or the id of the only kind of subject.
fn subject_named(model: &Model, text: &str) -> miette::Result<NamedItem> {
    if text.contains('=') {
        return item(model, &[text.to_owned()]).unwrap_or_else(|| Err(no_item(&[text.to_owned()])));
    }
    let subjects = |of: &Object| {
        model.items.iter().any(|ty| {
            ty.grant.as_ref().is_some_and(|grant| match grant.subject {
                Subject::Link(link) => model.link(link).to == of.of,
                Subject::Itself => std::ptr::eq(ty, model.item(of.of)),
            })
        })
    };
    let mut found = queries::objects_with_user(model, text);
    found.retain(subjects);
    match found.as_slice() {
        [object] => Ok(NamedItem { of: object.of, names: object.names.clone() }),
        [] => Err(miette!(
            help = "write an item type and an id, such as `User=alice`",
            "no subject of a grant can have a Cognito user with the name {}",
            escaped(text)
        )),
        [_, _, ..] => Err(miette!(
            help = "write the item type, too, such as `User=alice`",
            "several items can have a Cognito user with the name {}",
            escaped(text)
        )),
    }
}

/// The place that words name. A single word can be the id of an item of these types.
fn place(model: &Model, scopes: &BTreeSet<TypeId>, at: &[String]) -> miette::Result<AskedPlace> {
    if let Some(item) = item(model, at) {
        return item.map(AskedPlace::Item);
    }
    let [text] = at else { return Err(no_item(at)) };
    let is_text = model.types().any(|(of, ty)| {
        ty.grant.as_ref().is_some_and(
            |grant| matches!(&grant.scope, Scope::Value(template) if model.read_text(of, template, text).is_some()),
        )
    });
    // A word with `=` names an item type, or none.
    let by_id: Vec<NamedItem> = scopes
        .iter()
        .filter(|_| !text.contains('='))
        .filter_map(|of| with_id(model, &model.item(*of).name, text))
        .collect();
    match by_id.as_slice() {
        [] if is_text => Ok(AskedPlace::Text(text.clone())),
        [item] if !is_text => Ok(AskedPlace::Item(item.clone())),
        [] => Err(no_item(at)),
        [_, ..] => {
            let kinds: Vec<String> = by_id.iter().map(|item| format!("{}={text}", model.item(item.of).name)).collect();
            let help = format!("write one of {}", kinds.join(", "));
            Err(miette!(help = help, "{} can be the id of several kinds of scope", escaped(text)))
        }
    }
}

/// The item that words name: `TYPE=ID`, or `TYPE NAME=VALUE …`. `None` if the first names no item type.
fn item(model: &Model, words: &[String]) -> Option<miette::Result<NamedItem>> {
    let (first, rest) = words.split_first()?;
    if let (Some((of, id)), []) = (first.split_once('='), rest) {
        model.type_named(of)?;
        return Some(with_id(model, of, id).ok_or_else(|| {
            let why = object_named(model, first).err().unwrap_or_default();
            miette!(help = format!("or give its names, such as `{of} {}`", names_of(model, of)), "{why}")
        }));
    }
    model.type_named(first)?;
    let named = |word: &String| -> miette::Result<(String, String)> {
        let (name, value) = word.split_once('=').ok_or_else(|| {
            miette!(
                help = format!("such as `{first} {}`", names_of(model, first)),
                "{} is no NAME=VALUE",
                escaped(word)
            )
        })?;
        if !model.type_named(first).is_some_and(|of| model.may_be_found_by(of, name)) {
            let help = format!("such as `{first} {}`", names_of(model, first));
            return Err(miette!(help = help, "no key and no index of a {first} has `{name}`"));
        }
        Ok((name.to_owned(), value.to_owned()))
    };
    if rest.is_empty() {
        let help = format!("such as `{first} {}`", names_of(model, first));
        return Some(Err(miette!(help = help, "which {first}?")));
    }
    let names: miette::Result<Vec<(String, String)>> = rest.iter().map(named).collect();
    Some(names.and_then(|names| {
        let names = names.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        NamedItem::new(model, first, names).ok_or_else(|| no_item(words))
    }))
}

/// The names of an item type's key, as words of a command line.
fn names_of(model: &Model, of: &str) -> String {
    let of = model.type_named(of).map(|of| model.key_order(of)).unwrap_or_default();
    of.into_iter().map(|name| format!("{name}=…")).collect::<Vec<_>>().join(" ")
}

/// The item of a type with an id: all names of its key, or the id that events and answers give it.
fn with_id(model: &Model, of: &str, id: &str) -> Option<NamedItem> {
    let ty = model.type_named(of)?;
    let as_key = object_named(model, &format!("{of}={id}")).ok().map(|object| object.names);
    let as_id = || {
        let template = model.item(ty).entity_id.as_ref()?;
        model.read_text(ty, template, id)
    };
    // The key has it in lower case, whatever the case in which somebody writes it.
    let as_written = || {
        let [name] = model.key_order(ty).into_iter().collect::<Vec<_>>().try_into().ok()?;
        object_named(model, &format!("{of}={}", id.to_lowercase())).ok()?;
        Some(Names::from([(String::from(name), id.to_owned())]))
    };
    let names: Names = as_key.or_else(as_id).or_else(as_written)?;
    NamedItem::new(model, of, names.iter().map(|(name, text)| (name.as_str(), text.as_str())))
}

fn no_item(words: &[String]) -> miette::Report {
    let help = "write an item type and an id, such as `Group=/usa`, or an item type and names, such as \
                `Project client_id=c1 project_id=p1`";
    miette!(help = help, "{} names no item of the model", escaped(&words.join(" ")))
}
