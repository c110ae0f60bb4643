//! `instep check`: describes a table model to its author, explains what a change of it means, or checks routes against it.

use std::path::Path;
use std::process::ExitCode;

use instep_aws::sweep::FollowedReferences;
use instep_console::model_source::ModelSource;
use instep_console::output::Output;
use instep_documents::{contract, diff};
use instep_flow::sweep::Followed;
use instep_model::{Model, describe};
use instep_routes::Routes;
use miette::miette;

use crate::changes::{exit_code, explain, paragraph};
use crate::cli::{self, CheckArgs};
use crate::remote::Needs;
use crate::workspace::Workspace;

/// A reference leads nowhere.
const LEADS_NOWHERE: u8 = 1;

/// Loads the model and prints its description, or what a change to it means.
pub(crate) async fn run(args: CheckArgs, out: &mut Output) -> miette::Result<ExitCode> {
    let model = ModelSource::named(&args.model)?.load()?;
    if let Some(path) = &args.routes {
        return check_routes(&model, path, out);
    }
    let Some(against) = &args.against else {
        out.line(describe(&model).trim_end())?;
        let lists = instep_answers::who_lists(&model);
        if !lists.is_empty() {
            out.line("\nWho may do what at a scope (`instep who`)")?;
        }
        for (scope, says) in lists {
            paragraph(&format!("{scope}: {says}"), "  ", out)?;
        }
        let leads_nowhere =
            if args.data.is_some() || args.endpoint.is_some() { follow(args, &model, out).await? } else { false };
        out.flush()?;
        return Ok(if leads_nowhere { ExitCode::from(LEADS_NOWHERE) } else { ExitCode::SUCCESS });
    };
    let old = ModelSource::named(against)?.load()?;
    let verdict = explain(&model.changes_since(&old), &diff(&contract(&old), &contract(&model)), out)?;
    out.flush()?;
    Ok(exit_code(verdict))
}

/// Prints the routes of a file, and what each needs.
fn check_routes(model: &Model, path: &Path, out: &mut Output) -> miette::Result<ExitCode> {
    let routes = Routes::load(model, path)?;
    for (route, needs) in routes.described(model) {
        out.line(&format!("{route}\n  needs {needs}"))?;
    }
    out.line("Every other request is denied")?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the JSON Schema of models.
pub(crate) fn print_schema(out: &mut Output) -> miette::Result<ExitCode> {
    out.line(&format!("{:#}", instep_documents::model_schema()))?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Prints where the references of real items lead. True if no item of one leads anywhere, although it should.
async fn follow(args: CheckArgs, model: &Model, out: &mut Output) -> miette::Result<bool> {
    let endpoint = args.endpoint.filter(|endpoint| endpoint != "aws");
    let mut at = cli::At { model: Some(args.model), deployment: args.deployment, endpoint };
    at.complete().await;
    let workspace = cli::WorkspaceArgs { at, data: args.data, json: false };
    let workspace = Workspace::open(&workspace, None, Needs { only_table: true, ..Needs::default() }).await?;
    let found = workspace.instep.follow_references(&workspace.run).await;
    let found = found.map_err(|why| miette!(help = "run the same command again", "the table cannot be read: {why}"))?;
    workspace.close().await;
    let FollowedReferences { items, is_whole, references } = found;
    out.line("")?;
    let all = if is_whole { "all" } else { "the first" };
    out.line(&format!("References of {all} {items} items"))?;
    if references.is_empty() {
        paragraph(&format!("none: {}", why_none(model, items)), "  ", out)?;
    }
    for followed in &references {
        paragraph(&followed_text(model, followed), "  ", out)?;
    }
    Ok(references.iter().any(|followed| leads_nowhere(model, followed)))
}

/// Why no reference was followed.
fn why_none(model: &Model, items: u64) -> &'static str {
    if model.links.is_empty() {
        "no item type of this model refers to another"
    } else if items == 0 {
        "the table has no items"
    } else {
        "no item has a type that refers to another and the attributes that it refers by. Compare the items' keys and \
         attributes with the model"
    }
}

/// Whether no item of a reference leads to one, and the reference is not optional.
fn leads_nowhere(model: &Model, Followed { link, leading, .. }: &Followed) -> bool {
    *leading == Some(0) && !model.is_optional(model.link(*link))
}

fn followed_text(model: &Model, found: &Followed) -> String {
    let Followed { link, followed, leading, nothing } = found;
    let link = model.link(*link);
    let (from, to) = (&model.item(link.from).name, &model.item(link.to).name);
    let begins = format!("{from} -> {to} ({}):", link.role.word());
    let Some(leading) = leading else {
        return format!("{begins} unknown of {followed}: it gives only a part of the key, and the table is too large");
    };
    let example = nothing.as_ref().map(|nothing| format!("; there is no {nothing}")).unwrap_or_default();
    let advice = if leads_nowhere(model, found) {
        ": compare the values with the key of that item: a prefix, upper case, or another attribute"
    } else {
        ""
    };
    format!("{begins} {leading} of {followed} lead to one{example}{advice}")
}
