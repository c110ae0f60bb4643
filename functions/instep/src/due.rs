//! `instep due`: lists what becomes due, when, and for whom.

use std::process::ExitCode;
use std::sync::Arc;

use instep_console::output::Output;
use instep_flow::due::{ArrivedMoment, MomentKind};
use instep_flow::work::NamedObject;
use instep_flow::{implied, queries};
use instep_model::{Grant, Item, Model, Object, escaped};
use miette::miette;
use serde_json::json;

use crate::cli::DueArgs;
use crate::remote::Needs;
use crate::workspace::Workspace;

/// Lists.
pub(crate) async fn run(args: DueArgs, out: &mut Output) -> miette::Result<ExitCode> {
    let workspace = Workspace::open(&args.workspace, None, Needs { only_table: true, ..Needs::default() }).await?;
    let most = usize::try_from(args.most).unwrap_or(usize::MAX);
    let listed = workspace.instep.upcoming(args.until, most, &workspace.run).await;
    let model = Arc::clone(&workspace.model);
    workspace.close().await;
    let (moments, has_more) = listed
        .map_err(|why| miette!(help = "`instep doctor` checks the table", "cannot read what becomes due: {why}"))?;
    for named in &moments {
        let Some(moment) = &named.moment else { continue };
        out.line(&if args.workspace.json { as_json(&model, named, moment) } else { as_text(&model, named, moment) })?;
    }
    if !args.workspace.json {
        let more = if has_more { ", and there is more: `--most N` lists more" } else { "" };
        out.line(&format!("{} due{more}", moments.len()))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// What happens at a moment.
const fn what(kind: MomentKind) -> &'static str {
    match kind {
        MomentKind::Opens => "grants",
        MomentKind::Closes => "revokes",
        MomentKind::Rule => "applies a `due` rule",
        MomentKind::DeleteUser => "deletes the user of",
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
    let item = queries::label_of(model, &object);
    // INVARIANT 9: a secret grant does not say whose it is, where.
    let Some(grant) = ty.grant.as_ref().filter(|_| !ty.secret) else { return nobody(item) };
    // A moment has no image that is too large for it: then only the key says whom it is for.
    let image = named.image.as_ref().unwrap_or(const { &Item::new() });
    let subject = implied::subject(model, &grant.subject, &object, Some(image));
    let subject = subject.map(|subject| queries::label_of(model, &subject));
    let roles = implied::roles(model, &object, image).into_iter().flatten().collect();
    Whom { item, subject, roles, scope: scope(model, grant, &object, image) }
}

/// The scope of a grant. If it is a secret item, its type.
fn scope(model: &Model, grant: &Grant, object: &Object, image: &Item) -> Option<String> {
    let secret = implied::scope_item(model, grant, object, image).filter(|scope| model.item(scope.of).secret);
    secret.map_or_else(
        || implied::scope_text(model, grant, object, image),
        |scope| Some(queries::label_of(model, &scope)),
    )
}

fn as_text(model: &Model, named: &NamedObject, moment: &ArrivedMoment) -> String {
    let Whom { item, subject, roles, scope } = whom(model, named);
    let mut text = format!("{}  {:<8} {item}", moment.at.strftime("%Y-%m-%d %H:%M:%SZ"), what(moment.kind));
    if let Some(subject) = subject.filter(|_| matches!(moment.kind, MomentKind::Opens | MomentKind::Closes)) {
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

fn as_json(model: &Model, named: &NamedObject, moment: &ArrivedMoment) -> String {
    let Whom { item, subject, roles, scope } = whom(model, named);
    let turn = moment.kind;
    json!({"at": moment.at, "turn": turn, "item": item, "subject": subject, "roles": roles, "scope": scope}).to_string()
}
