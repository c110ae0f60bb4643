//! An index does not show a dependency yet.
//!
//! A grant finds one of its dependencies through an index, and the index is late. In one variant a
//! writer creates the grant before that dependency. In the other variant the dependency is in the
//! table, and the writer deletes and creates it around the grant. The grant must be in force in the
//! end.

use instep_model::Key;

use super::Played;
use crate::writers::cast::DrawnGrant;
use crate::writers::odds::Odds;
use crate::writers::writer::{Actor, DrawnWriter};

const DEPENDENCY_COMES_BACK: Odds = Odds::EVEN;
const AFTER_THE_DELETION_MS: usize = 800;
const AFTER_THE_GRANT_MS: usize = 300;
const BEFORE_THE_DEPENDENCY_MS: usize = 600;
const WRITERS_STOP: Odds = Odds::percent(70);

pub(super) async fn play(writer: &DrawnWriter<'_>) -> Played {
    let grant = writer.draw_grant()?;
    let late_key = draw_indexed_dependency(writer, &grant)?;
    let DrawnGrant { own, dependencies } = grant;
    let late = dependencies.iter().find(|dependency| dependency.key == late_key);
    let late_item = writer.item_at(&late_key).or_else(|| Some(late?.item.clone()))?;
    let comes_back = writer.happens(DEPENDENCY_COMES_BACK);
    writer.delete(&own.key);
    if comes_back {
        writer.put_all(&dependencies);
    } else {
        writer.put_all_but(&late_key, &dependencies);
    }
    writer.let_reconcile().await;
    if comes_back {
        // The run for the grant gives access, and then finds that the dependency is absent.
        writer.delete(&late_key);
        writer.pause(AFTER_THE_DELETION_MS).await;
        writer.put_item(&late_key, late_item.clone());
        writer.put(&own);
        writer.pause(AFTER_THE_GRANT_MS).await;
        writer.delete(&late_key);
    } else {
        writer.put(&own);
    }
    writer.pause(BEFORE_THE_DEPENDENCY_MS).await;
    writer.put_item(&late_key, late_item);
    writer.stop_with(WRITERS_STOP)
}

fn draw_indexed_dependency(writer: &DrawnWriter<'_>, grant: &DrawnGrant) -> Option<Key> {
    let Actor { object, item, .. } = &grant.own;
    let links = writer.model.links_from(object.of);
    let by_index = links.filter(|(_, link)| link.needed && link.find.queries_index());
    let (id, _) = writer.pick(&by_index.collect::<Vec<_>>())?;
    let target = writer.net.watch().implied.target(id, object, item)?;
    writer.key_of(&target)
}
