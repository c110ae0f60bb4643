//! `instep explain`: why a user is in a group, what differs, and what becomes due.

use std::process::ExitCode;

use instep_answers::{GrantKey, NearGrant};
use instep_aws::sweep::{ExplainedItem, ExplainedWaiting, Explanation, object_named};
use instep_console::explanation::as_json;
use instep_console::output::Output;
use instep_flow::account::Waiting;
use instep_flow::due::{Moment, MomentKind};
use instep_flow::queries;
use instep_model::{Identity, Key, Model, Object, escaped};
use jiff::Timestamp;
use miette::miette;
use serde_json::json;

use crate::answers;
use crate::cli;
use crate::remote::Needs;
use crate::workspace::Workspace;

/// Cognito differs from the table.
const DIFFERS: u8 = 1;

/// Explains.
pub(crate) async fn run(args: cli::ExplainArgs, out: &mut Output) -> miette::Result<ExitCode> {
    let workspace = Workspace::open(&args.workspace, args.now, Needs::default()).await?;
    let objects = objects(&args, &workspace)?;
    let mut differs = false;
    for object in objects {
        let explained = workspace.instep.explain(&object, &workspace.run).await;
        let explained = explained
            .map_err(|why| miette!(help = "run the same command again", "table or pool cannot be read: {why}"))?;
        if explained.items.is_empty() && explained.user.is_none() {
            let help = "check the spelling; `instep explain --help` says how to name an item";
            return Err(miette!(help = help, "neither the table nor Cognito has {}", escaped(&explained.label)));
        }
        let uncounted = uncounted(&workspace, &object, &explained).await?;
        differs |= explained.differences.iter().any(|found| !found.kind.is_of_writers());
        let text = if args.workspace.json {
            let mut json = as_json(&explained);
            if let Some(fields) = json.as_object_mut() {
                fields.insert("notInAnswers".to_owned(), json!(uncounted));
            }
            json.to_string()
        } else {
            escaped_lines(&[vec![as_text(&explained, workspace.run.now)], answer_lines(&uncounted)].concat().join("\n"))
        };
        out.line(&text)?;
    }
    out.flush()?;
    workspace.close().await;
    Ok(if differs { ExitCode::from(DIFFERS) } else { ExitCode::SUCCESS })
}

/// The grants of an object that imply memberships and do not count in answers: those wait for nothing but what the table
/// must have for access, such as the item of a role.
async fn uncounted(workspace: &Workspace, object: &Object, explained: &Explanation) -> miette::Result<Vec<NearGrant>> {
    let near = answers::uncounted(&workspace.instep.reader(), object.clone(), workspace.run.now).await?;
    let implies = |near: &NearGrant| {
        let mut items = explained.items.iter().filter(|item| item.asks.values().any(|asked| asked.is_implied));
        items.any(|item| item.key.as_ref().is_some_and(|key| GrantKey::from(key.clone()) == near.grant))
    };
    Ok(near.into_iter().filter(implies).collect())
}

fn answer_lines(uncounted: &[NearGrant]) -> Vec<String> {
    let line = |NearGrant { grant, reason }: &NearGrant| {
        let (word, sentence) = (reason.word(), reason.sentence());
        format!("  answers do not count {} | {}: {word}, {sentence}", grant.0, grant.1)
    };
    uncounted.iter().map(line).collect()
}

fn escaped_lines(text: &str) -> String {
    text.lines().map(|line| escaped(line).to_string()).collect::<Vec<_>>().join("\n")
}

fn objects(args: &cli::ExplainArgs, workspace: &Workspace) -> miette::Result<Vec<Object>> {
    let model = &workspace.model;
    if let [pk, sk] = args.key.as_slice() {
        let key = Key { pk: pk.clone(), sk: sk.clone() };
        return match model.identify(&key) {
            Identity::Item { object, .. } => Ok(vec![object]),
            Identity::Bookkeeping => Err(miette!("this is the key of one of Instep's own items")),
            Identity::Unknown(near) => {
                let near = near.map(|near| format!(" ({near})")).unwrap_or_default();
                Err(miette!("no item type of the model has such a key{near}"))
            }
        };
    }
    objects_of(model, args.what.as_deref().unwrap_or_default())
}

/// The objects that a user name, or an item type and an id, can mean.
pub(crate) fn objects_of(model: &Model, what: &str) -> miette::Result<Vec<Object>> {
    if what.contains('=') {
        return object_named(model, what).map(|object| vec![object]).map_err(|why| miette!("{why}"));
    }
    let mut objects = queries::objects_with_user(model, what);
    if let Some((_, value)) = model.user_value().filter(|_| objects.is_empty()) {
        objects.extend(object_named(model, &format!("{}={what}", value.word())));
    }
    if objects.is_empty() {
        let help = "write an item type and an id, such as `User=alice`, or `--key PK SK`";
        return Err(miette!(help = help, "no item of the model can have a Cognito user with this name"));
    }
    Ok(objects)
}

/// What happens at a moment.
const fn turn(moment: &Moment) -> &'static str {
    match moment.kind {
        MomentKind::Opens => "its window opens",
        MomentKind::Closes => "its window closes",
        MomentKind::Rule => "a `due` rule applies",
        MomentKind::DeleteUser => "its Cognito user is deleted",
    }
}

fn as_text(explained: &Explanation, now: Timestamp) -> String {
    let mut lines = vec![explained.label.clone()];
    if let Some(user) = &explained.user {
        lines.push(format!("  Cognito user {}: {}", user.name, state(user.enabled)));
    } else if explained.can_have_user {
        lines.push("  no Cognito user".to_owned());
    }
    lines.extend(explained.waiting.iter().flat_map(|waiting| waiting_lines(waiting, now)));
    if explained.items.is_empty() {
        lines.push("  no item in the table".to_owned());
    }
    for item in &explained.items {
        let key = item.key.as_ref().map(|key| format!(" ({} | {})", key.pk, key.sk)).unwrap_or_default();
        lines.push(format!("  {}{key}", item.label));
        lines.extend(item_lines(item, explained).into_iter().map(|line| format!("    {line}")));
    }
    let explains = |group: &&instep_flow::implied::Membership| {
        explained.items.iter().all(|item| item.asks.get(*group).is_none_or(|asked| !asked.is_implied))
    };
    for member in explained.actual.iter().filter(explains) {
        lines.push(format!("  {} is in {}: no item above implies it", member.user, member.group));
    }
    for found in &explained.differences {
        lines.push(format!("  differs: {} {}: {}", found.kind.word(), found.about, found.why));
    }
    if explained.differences.is_empty() {
        lines.push("  nothing differs".to_owned());
    }
    lines.join("\n")
}

const fn state(enabled: bool) -> &'static str {
    if enabled { "enabled" } else { "disabled" }
}

/// A user whose deletion waits, and what a person can do.
fn waiting_lines(ExplainedWaiting { user, name, enabled, groups }: &ExplainedWaiting, now: Timestamp) -> Vec<String> {
    let Waiting { since, until, is_approved, is_replaced, .. } = &user.waiting;
    let when = if *is_approved {
        "under way".to_owned()
    } else if user.waiting.is_held() {
        "held until somebody decides".to_owned()
    } else if *until <= now {
        format!("was due at {until}")
    } else {
        format!("waits until {until}")
    };
    let groups = if groups.is_empty() {
        "in no group".to_owned()
    } else {
        format!("in {}", groups.iter().cloned().collect::<Vec<_>>().join(", "))
    };
    let is = enabled.map_or_else(|| "not in Cognito".to_owned(), |enabled| format!("{}, {groups}", state(enabled)));
    let mut lines =
        vec![format!("  deletion of user {name} ({}): {when}, since {since}; the user is {is}", user.label)];
    if *is_replaced {
        lines.push(
            "    its item was written again, for another account, which is made once this one is deleted".to_owned(),
        );
    }
    if user.waiting.is_held() {
        lines.push("    `instep users go-on` lets all be deleted that are held".to_owned());
    }
    if !is_approved {
        let kept = "keeps it, disabled, for no item";
        lines.push(format!("    `instep users delete {name}` deletes it now, `instep users keep {name}` {kept}"));
    }
    lines
}

fn item_lines(item: &ExplainedItem, explained: &Explanation) -> Vec<String> {
    let mut lines = Vec::new();
    for (member, asked) in &item.asks {
        let there = match (asked.in_token, explained.actual.contains(member)) {
            (true, _) if asked.is_implied => "is in the next token",
            (true, _) => "is in no token from now on",
            (false, true) => "is in Cognito",
            (false, false) => "is not in Cognito",
        };
        let implied = if asked.is_implied { "implies" } else { "does not imply now" };
        let since = item.since.map(|since| format!(", since {since}")).filter(|_| asked.is_implied).unwrap_or_default();
        lines.push(format!("{implied} {} in {}{since}, which {there}", member.user, member.group));
        lines.extend(asked.because.iter().map(|because| format!("  because {because}")));
    }
    if !item.asks.is_empty() && item.since.is_none() && !item.times.is_empty() {
        let times: Vec<String> = item.times.iter().map(|(name, time)| format!("{name} {time}")).collect();
        lines.push(format!("its times: {}", times.join(", ")));
    }
    lines.extend(item.notes.iter().cloned());
    lines.extend(item.due.iter().map(|due| format!("{}: {}", due.at, turn(due))));
    lines
}
