//! `instep init`: drafts a table model from items, and says what the draft would do with them.

mod read;
mod scan;
mod seen;
mod trial;

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use instep_console::output::Output;
use instep_console::scan::not_json;
use instep_draft::{Draft, NoDraft, Schema};
use miette::{IntoDiagnostic as _, WrapErr as _, miette};

use crate::cli::InitArgs;

use seen::SeenWrites;

/// The model's name if nothing says another.
const NAME: &str = "mine";

/// Drafts a model.
pub(crate) async fn run(args: InitArgs, out: &mut Output) -> miette::Result<ExitCode> {
    if let Some(path) = args.out.as_deref().filter(|path| path.exists()) {
        return Err(miette!(
            help = "choose another name: a draft overwrites nothing, because people go on with it by hand",
            "`{}` already exists",
            path.display()
        ));
    }
    let (seen, schema) = match &args.table {
        Some(table) => scan::table(&args, table).await?,
        None => files(&args)?,
    };
    let history = seen.history(&schema);
    let name = name(args.name.as_deref().or(args.table.as_deref()).unwrap_or(NAME));
    let draft = instep_draft::draft(&name, &schema, history.images.clone()).map_err(refused)?;
    let remarks = trial::remarks(&draft, &schema, &history).await.unwrap_or_else(|error| {
        // The draft is worth having without it. The reason is not written into it: it may quote a value.
        tracing::warn!("the input was not replayed with the draft: {error}");
        vec!["decide: the input could not be replayed with this draft, so nothing says what it would do".to_owned()]
    });
    let text = with_remarks(&draft, &remarks);
    match &args.out {
        None => out.text(&text)?,
        Some(path) => {
            write_new(path, &text)?;
            let types = draft.model.items.len();
            out.line(&format!("{}: {types} item types, from {} items", path.display(), history.left.len()))?;
            for remark in &remarks {
                out.line(remark)?;
            }
            out.line("Read it line by line, and look for `decide:`.")?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn files(args: &InitArgs) -> miette::Result<(SeenWrites, Schema)> {
    let seen = read::files(&args.paths)?;
    let schema = match &args.schema {
        Some(path) => described(path)?,
        None => Schema::guessed(&seen.images(), &seen.keys).map_err(refused)?,
    };
    Ok((seen, schema))
}

fn described(path: &Path) -> miette::Result<Schema> {
    let shown = path.display();
    let text = std::fs::read(path).into_diagnostic().wrap_err_with(|| format!("cannot read `{shown}`"))?;
    let json = serde_json::from_slice(&text).map_err(|error| not_json(&shown.to_string(), &error))?;
    Schema::described(&json).map_err(refused)
}

fn refused(why: NoDraft) -> miette::Report {
    miette!(help = why.help(), "{why}")
}

/// A name that EventBridge takes as a part of a source, from any text.
fn name(text: &str) -> String {
    const NAME_MAX: usize = 60;
    let plain =
        |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c.to_ascii_lowercase() } else { '-' };
    let name: String = text.chars().take(NAME_MAX).map(plain).collect();
    if name.trim_matches('-').is_empty() { NAME.to_owned() } else { name.trim_matches('-').to_owned() }
}

fn with_remarks(draft: &Draft, remarks: &[String]) -> String {
    let remarks: String = remarks.iter().map(|remark| format!("# {remark}\n")).collect();
    format!("{}\n{remarks}", draft.text)
}

/// Writes a file that does not exist yet.
fn write_new(path: &Path, text: &str) -> miette::Result<()> {
    let shown = || format!("cannot write `{}`", path.display());
    let mut file = std::fs::File::create_new(path).into_diagnostic().wrap_err_with(shown)?;
    file.write_all(text.as_bytes()).into_diagnostic().wrap_err_with(shown)
}
