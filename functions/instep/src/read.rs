//! `instep read`: the items of a named read.

use std::process::ExitCode;

use instep_answers::{PageReading, QuestionCost, ReadItem, ReadPage, RefusedRead, read_plan};
use instep_aws::reader::ReadError;
use instep_console::answer::cost_text;
use instep_console::data_dir;
use instep_console::model_source::ModelSource;
use instep_console::output::Output;
use instep_flow::queries::label;
use instep_model::{Model, Names, escaped};
use miette::miette;
use serde_json::{Value, json};

use crate::answers::UNREAD;
use crate::cli::{ReadArgs, WorkspaceArgs};
use crate::remote::Needs;
use crate::workspace::Workspace;

/// Reads a page, or prints what would be read.
pub(crate) async fn run(args: ReadArgs, out: &mut Output) -> miette::Result<ExitCode> {
    let pairs = args.names.iter().map(|word| {
        word.split_once('=').ok_or_else(|| {
            miette!(help = "write NAME=VALUE, such as `userId=alice`", "{} is no NAME=VALUE", escaped(word))
        })
    });
    let names: Vec<(&str, &str)> = pairs.collect::<miette::Result<_>>()?;
    let texts: Names = names.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    if texts.len() < names.len() {
        return Err(miette!(help = "give each name once", "a name has two values"));
    }
    if args.plan {
        plan(&args, &texts, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let needs = Needs { only_table: true, ..Needs::default() };
    let workspace = Workspace::open(&args.workspace, None, needs).await?;
    let read = workspace.instep.reader().read(&args.read, &names, args.from.as_deref()).await;
    let (page, cost) = match read {
        Ok(read) => read,
        Err(ReadError::Refused(why)) => return Err(refused(&workspace.model, &args.read, &why)),
        Err(ReadError::Failed(why)) => {
            let error = miette!(help = "run the same command again", "the table cannot be read: {why}");
            instep_console::output::print_error(&error);
            return Ok(ExitCode::from(UNREAD));
        }
    };
    if args.workspace.json {
        print_json(&workspace.model, &page, cost, out)?;
    } else {
        print_text(&workspace.model, &page, cost, out)?;
    }
    out.flush()?;
    workspace.close().await;
    Ok(ExitCode::SUCCESS)
}

/// Prints what would be asked of DynamoDB.
fn plan(args: &ReadArgs, names: &Names, out: &mut Output) -> miette::Result<()> {
    let model = model_of(&args.workspace)?;
    let reading = PageReading::new(&model, &args.read, names, None).map_err(|why| refused(&model, &args.read, &why))?;
    let read = model.read_named(&args.read).map_err(|why| refused(&model, &args.read, &why.into()))?;
    let plan = read_plan(&model, read, reading.condition());
    let text = if args.workspace.json { plan.to_string() } else { format!("{plan:#}") };
    out.line(&escaped(&text))?;
    out.flush()?;
    Ok(())
}

/// The model of a place that is not opened.
fn model_of(workspace: &WorkspaceArgs) -> miette::Result<Model> {
    let Some(dir) = &workspace.data else { return workspace.at.model().map(|model| (*model).clone()) };
    let kept = data_dir::manifest(dir)?.model;
    ModelSource::named(workspace.at.model.as_deref().unwrap_or(&kept))?.load()
}

fn refused(model: &Model, name: &str, why: &RefusedRead) -> miette::Report {
    let takes = model.read_named(name).map(|read| read.takes().map(|name| format!(" {name}=…")).collect::<String>());
    let help = match (why, takes) {
        (RefusedRead::Cursor, _) => "give the cursor with which a page ended, and the same values as there".to_owned(),
        (RefusedRead::Read(_), Ok(takes)) => format!("write `instep read {name}{takes}`"),
        (RefusedRead::Read(_), Err(_)) => "`instep check MODEL` lists the reads of a model".to_owned(),
    };
    miette!(help = help, "{}", escaped(&why.to_string()))
}

fn print_json(model: &Model, page: &ReadPage, cost: QuestionCost, out: &mut Output) -> miette::Result<()> {
    for ReadItem { of, key: _, item, edge } in &page.items {
        let mut line = json!({"of": "item", "type": model.item(*of).name, "item": item});
        if let (Some(edge), Some(fields)) = (edge, line.as_object_mut()) {
            fields.insert("edge".to_owned(), json!(edge));
        }
        out.line(&line.to_string())?;
    }
    let QuestionCost { calls, rounds } = cost;
    let end = json!({
        "of": "page", "items": page.items.len(), "complete": page.complete, "next": page.next, "calls": calls, "rounds": rounds,
    });
    out.line(&end.to_string())
}

fn print_text(model: &Model, page: &ReadPage, cost: QuestionCost, out: &mut Output) -> miette::Result<()> {
    for ReadItem { key, item, .. } in &page.items {
        out.line(&escaped(&label(model, key)))?;
        for (name, value) in item.iter().filter(|(name, _)| **name != model.table.pk && **name != model.table.sk) {
            let text = value.to_text().map_or_else(|| plain(value).to_string(), |text| text.into_owned());
            out.line(&format!("  {}: {}", escaped(name), escaped(&text).replace('\n', "\\n")))?;
        }
    }
    if page.items.is_empty() {
        out.line("no items")?;
    }
    if !page.complete {
        out.line("not complete: Instep does not keep the keys of this index, so it may lack items")?;
    }
    if let Some(next) = &page.next {
        out.line(&format!("more: --from {next}"))?;
    }
    out.line(&cost_text(cost))
}

/// A value as plain JSON.
fn plain(value: &instep_model::Value) -> Value {
    use instep_model::Value as Stored;
    match value {
        Stored::S(text) | Stored::N(text) => json!(text),
        Stored::B(bytes) => json!(bytes),
        Stored::Bool(flag) => json!(flag),
        Stored::Null(_) => Value::Null,
        Stored::L(values) => values.iter().map(plain).collect(),
        Stored::M(values) => Value::Object(values.iter().map(|(name, value)| (name.clone(), plain(value))).collect()),
        Stored::Ss(texts) | Stored::Ns(texts) => json!(texts),
        Stored::Bs(blobs) => json!(blobs),
    }
}
