//! `instep due`: lists what becomes due, when, and for whom.

use std::process::ExitCode;
use std::sync::Arc;

use instep_console::output::Output;
use instep_flow::due::{Come, Turn};
use instep_flow::work::NamedObject;
use instep_flow::{find, read};
use instep_model::{Grant, Item, Model, Object, escaped};
use miette::miette;
use serde_json::json;

use crate::cli::Due;
use crate::place::Place;
use crate::remote::Scope;

/// Lists.
///
/// # Errors
/// The table cannot be read, or the output cannot be written.
pub(crate) async fn run(args: Due, out: &mut Output) -> miette::Result<ExitCode> {
    let place = Place::open(&args.place, None, Scope { only_table: true, ..Scope::default() }).await?;
    let most = usize::try_from(args.most).unwrap_or(usize::MAX);
    let listed = place.instep.upcoming(args.until, most, &place.run).await;
    let model = Arc::clone(&place.model);
    place.close().await;
    let (moments, has_more) = listed
        .map_err(|why| miette!(help = "`instep doctor` checks the table", "cannot read what becomes due: {why}"))?;
    for named in &moments {
        let Some(come) = &named.come else { continue };
        out.line(&if args.place.json { as_json(&model, named, come) } else { as_text(&model, named, come) })?;
    }
    if !args.place.json {
        let more = if has_more { ", and there is more: `--most N` lists more" } else { "" };
        out.line(&format!("{} due{more}", moments.len()))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// What happens at a moment.
const fn what(turn: Turn) -> &'static str {
    match turn {
        Turn::Opens => "grants",
        Turn::Closes => "revokes",
        Turn::Rule => "applies a `due` rule",
    }
}

/// The item that has the moment, and for whom it is.
struct Whom {
    item: String,
    subject: Option<String>,
    roles: Vec<String>,
    scope: Option<String>,
}

fn whom(model: &Model, named: &NamedObject) -> Whom {
    let nobody = |item| Whom { item, subject: None, roles: Vec::new(), scope: None };
    // A model that has changed since may not have the item type.
    let Some(object) = named.object(model) else { return nobody(named.of.clone()) };
    let ty = model.item(object.of);
    let item = find::label_of(model, &object);
    // INVARIANT 9: a secret grant does not say whose it is, where.
    let Some(grant) = ty.grant.as_ref().filter(|_| !ty.secret) else { return nobody(item) };
    // A moment has no image that is too large for it: then only the key says whom it is for.
    let image = named.image.as_ref().unwrap_or(const { &Item::new() });
    let subject = read::subject(model, &grant.subject, &object, Some(image));
    let subject = subject.map(|subject| find::label_of(model, &subject));
    let roles = read::roles(model, &object, image).into_iter().flatten().collect();
    Whom { item, subject, roles, scope: scope(model, grant, &object, image) }
}

/// The scope of a grant. If it is a secret item, its type.
fn scope(model: &Model, grant: &Grant, object: &Object, image: &Item) -> Option<String> {
    let secret = read::scope_item(model, grant, object, image).filter(|scope| model.item(scope.of).secret);
    secret.map_or_else(|| read::scope_text(model, grant, object, image), |scope| Some(find::label_of(model, &scope)))
}

fn as_text(model: &Model, named: &NamedObject, come: &Come) -> String {
    let Whom { item, subject, roles, scope } = whom(model, named);
    let mut text = format!("{}  {:<8} {item}", come.at.strftime("%Y-%m-%d %H:%M:%SZ"), what(come.turn));
    if let Some(subject) = subject.filter(|_| come.turn != Turn::Rule) {
        text.push_str(&format!("  {subject}"));
        if !roles.is_empty() {
            text.push_str(&format!(": {}", roles.join(", ")));
        }
        if let Some(scope) = scope {
            text.push_str(&format!(" in {scope}"));
        }
    }
    escaped(&text).to_string()
}

fn as_json(model: &Model, named: &NamedObject, come: &Come) -> String {
    let Whom { item, subject, roles, scope } = whom(model, named);
    let turn = come.turn;
    json!({"at": come.at, "turn": turn, "item": item, "subject": subject, "roles": roles, "scope": scope}).to_string()
}
