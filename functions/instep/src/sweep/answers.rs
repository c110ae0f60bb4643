//! What the items of a table give, and no answer counts. It is for people: nothing repairs it.

use std::collections::BTreeSet;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use instep_answers::{GrantKey, NearGrant, Reason, elements_without_permission, grants_of};
use instep_aws::reader::Reader;
use instep_console::output::Output;
use instep_flow::{mask, queries};
use instep_model::{Item, Object, escaped};
use jiff::Timestamp;
use miette::miette;
use serde::Serialize;

use crate::workspace::Workspace;

/// The number of subjects about which is asked at the same time.
const ASKED_MAX: usize = 16;

/// Something that no answer counts.
#[derive(Debug, Serialize)]
struct Uncounted {
    kind: &'static str,
    about: GrantKey,
    reason: &'static str,
    why: String,
}

impl Uncounted {
    fn as_text(&self) -> String {
        let Self { kind, about: GrantKey(pk, sk), reason, why } = self;
        escaped(&format!("{kind:<15} {pk} | {sk}: {reason}, {why}")).to_string()
    }
}

/// Lists the grants of each subject that no answer counts, and the elements of lists of permissions that are none.
pub(super) async fn list(
    workspace: &Workspace,
    only: Option<&Object>,
    is_json: bool,
    out: &mut Output,
) -> miette::Result<()> {
    let model = &workspace.model;
    let (reader, now) = (workspace.instep.reader(), workspace.run.now);
    let (mut from, mut asked) = (None, BTreeSet::new());
    // INVARIANT 8: a page has items, or is the last one.
    loop {
        let page = workspace.instep.scan_page_consistently(from, None).await;
        let page = page.map_err(|failure| miette!(help = "run the same command again", "{}", failure.words("Scan")))?;
        let objects = page.items.iter().filter_map(|item| Some((queries::identify(model, item)?.1, item)));
        let objects: Vec<(Object, &Item)> =
            objects.filter(|(object, _)| only.is_none_or(|only| only == object)).collect();
        let unread = objects.iter().filter_map(|(object, item)| unread(workspace, object, item));
        let mut found: Vec<Uncounted> = unread.collect();
        let subjects =
            objects.iter().map(|(object, _)| object).filter(|object| !grants_of(model, object.of).is_empty());
        // Only an object with several spellings of its key can come twice.
        let is_first = |object: &&Object| {
            model.keys(object).is_ok_and(|keys| keys.len() == 1) || asked.insert(Object::clone(object))
        };
        let subjects: Vec<Object> = subjects.filter(is_first).cloned().collect();
        let uncounted = stream::iter(subjects).map(|subject| uncounted(&reader, subject, now)).buffered(ASKED_MAX);
        let uncounted: Vec<Vec<Uncounted>> = uncounted.try_collect().await?;
        found.extend(uncounted.into_iter().flatten());
        for found in found {
            out.line(&if is_json { serde_json::json!(found).to_string() } else { found.as_text() })?;
        }
        from = page.next;
        if from.is_none() {
            return Ok(());
        }
    }
}

/// The grants of a subject that no answer counts, although their windows and conditions say nothing against it.
async fn uncounted(reader: &Reader, subject: Object, now: Timestamp) -> miette::Result<Vec<Uncounted>> {
    let near = crate::answers::uncounted(reader, subject, now).await?;
    let of_data = near.into_iter().filter(|near| is_of_data(near.reason));
    let uncounted = |near: NearGrant| Uncounted {
        kind: "uncounted",
        about: near.grant,
        reason: near.reason.word(),
        why: near.reason.sentence().to_owned(),
    };
    Ok(of_data.map(uncounted).collect())
}

/// Whether people may have to correct an item. The others are how a grant is meant.
const fn is_of_data(reason: Reason) -> bool {
    match reason {
        Reason::ScopeGone
        | Reason::Pending
        | Reason::BadTime
        | Reason::Tenant
        | Reason::NoRole
        | Reason::Ambiguous
        | Reason::Undecided => true,
        Reason::NoSubject
        | Reason::Disabled
        | Reason::NoScope
        | Reason::NoGrant
        | Reason::NotYet
        | Reason::Ended
        | Reason::Condition
        | Reason::NotPermitted => false,
    }
}

/// The elements of an item's list of permissions that are none.
fn unread(workspace: &Workspace, object: &Object, item: &Item) -> Option<Uncounted> {
    let model = &workspace.model;
    let count = elements_without_permission(model.item(object.of).permits.as_ref()?, item);
    let key = model.table.key_of(item).filter(|key| count > 0 && mask::key(model, key).is_some())?;
    let why = format!("{count} of its permissions are none: a value is missing, empty or has a separator");
    Some(Uncounted { kind: "uncounted", about: key.into(), reason: "no-permission", why })
}
