//! `instep due`: lists what becomes due, when, and for whom.

use std::process::ExitCode;
use std::sync::Arc;

use instep_aws::{Clients, Instep, Run, Settings};
use instep_flow::due::{Come, Turn};
use instep_flow::read;
use instep_flow::work::NamedObject;
use instep_local::{Clock, Stack, StackOptions};
use instep_model::{Model, escaped};
use miette::{IntoDiagnostic as _, WrapErr as _, miette};
use serde_json::json;

use crate::cli::Due;
use crate::clock;
use crate::model_source::{self, ModelSource};
use crate::output::Output;
use crate::remote::{Remote, Scope, Target};
use crate::replay::data_dir;

/// Lists.
///
/// # Errors
/// The table cannot be read, or the output cannot be written.
pub(crate) async fn run(args: Due, out: &mut Output) -> miette::Result<ExitCode> {
    let run = Run { now: clock::now(), publish: false, dry_run: true, deadline: None, trace: None };
    let most = usize::try_from(args.most).unwrap_or(usize::MAX);
    let listed = if let Some(dir) = &args.data {
        let manifest = data_dir::manifest(dir)?;
        let model = ModelSource::named(args.model.as_deref().unwrap_or(&manifest.model))
            .wrap_err("set `--model` to the model that the directory was created for")?
            .load()?;
        let model = Arc::new(model);
        let options = StackOptions { dir: Some(dir.clone()), table: manifest.table, clock: Clock::default() };
        let stack = Stack::open(&model, options).await.into_diagnostic()?;
        let instep = Instep::new(Arc::clone(&model), Clients::new(&stack.uncounted_config()), settings(&stack));
        let listed = instep.upcoming(args.until, most, &run).await;
        stack.close().await;
        listed.map(|listed| (model, listed))
    } else {
        let target = Target::of_endpoint(args.endpoint.as_deref())?;
        let model = Arc::new(model_source::needed(args.deployment.model(args.model.as_deref()))?.load()?);
        let scope = Scope { only_table: true, ..Scope::default() };
        let Remote { instep, .. } = Remote::open(&model, target, &args.deployment, scope).await?;
        instep.upcoming(args.until, most, &run).await.map(|listed| (model, listed))
    };
    let (model, (moments, has_more)) = listed
        .map_err(|why| miette!(help = "`instep doctor` checks the table", "cannot read what becomes due: {why}"))?;
    for named in &moments {
        let Some(come) = &named.come else { continue };
        out.line(&if args.json { as_json(&model, named, come) } else { as_text(&model, named, come) })?;
    }
    if !args.json {
        let more = if has_more { ", and there is more: `--most N` lists more" } else { "" };
        out.line(&format!("{} due{more}", moments.len()))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Only the table is read.
fn settings(stack: &Stack) -> Settings {
    Settings {
        table: stack.table().to_owned(),
        records_of: None,
        user_pool: None,
        bus: stack.bus().to_owned(),
        work_queue: stack.work_queue().to_owned(),
        cognito_interval: None,
        index_lag: std::time::Duration::ZERO,
        parking: None,
    }
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
    let id = if ty.secret { String::new() } else { model.id_text(&object) };
    let item = format!("{} {id}", ty.name);
    let (Some(grant), Some(image)) = (&ty.grant, &named.image) else { return nobody(item) };
    let name = |of: &instep_model::Object| format!("{} {}", model.item(of.of).name, model.id_text(of));
    let subject = read::subject(model, &grant.subject, &object, Some(image)).map(|subject| name(&subject));
    let roles = read::roles(model, &object, image).into_iter().flatten().collect();
    Whom { item, subject, roles, scope: read::scope_text(model, grant, &object, image) }
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
