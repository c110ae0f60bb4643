//! Two linked objects flicker.
//!
//! A child and its parent are in the table. A writer deletes, creates and changes them in turn,
//! faster than Instep handles the records. Each record is handled after the table has changed
//! again.

use super::{Played, WRITE_ON};
use crate::writers::odds::Odds;
use crate::writers::writer::{Actor, DrawnWriter};

const WRITES_LEAST: usize = 2;
const WRITES_MORE: usize = 5;
const BETWEEN_WRITES_MS: usize = 400;
const OBJECT_IS_CHANGED_NOT_DELETED: Odds = Odds::percent(30);

pub(crate) async fn play(writer: &DrawnWriter<'_>) -> Played {
    let mut all = writer.all();
    all.retain(|actor| !writer.is_guard(actor.object.of));
    let one = writer.pick(&all)?;
    all.retain(|other| depends_on(writer, other, &one) || depends_on(writer, &one, other));
    let other = writer.pick(&all);
    let pair: Vec<Actor> = [one].into_iter().chain(other).collect();
    for _ in 0..WRITES_LEAST + writer.below(WRITES_MORE) {
        let actor = writer.pick(&pair)?;
        writer.write(writer.toggled(&actor, || writer.happens(OBJECT_IS_CHANGED_NOT_DELETED)));
        writer.pause(BETWEEN_WRITES_MS).await;
    }
    WRITE_ON
}

fn depends_on(writer: &DrawnWriter<'_>, child: &Actor, parent: &Actor) -> bool {
    let mut links = writer.model.links_from(child.object.of);
    links.any(|(id, _)| {
        writer.net.watch().implied.target(id, &child.object, &child.item).as_ref() == Some(&parent.object)
    })
}
