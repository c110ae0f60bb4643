//! Garbage is written and deleted.
//!
//! A writer puts an item that no type of the model describes. The item may be larger than a
//! message. Parking may fail for a minute. The writer may change the garbage once, and then deletes
//! it. Instep handles the records before the deletion and after it.

use std::time::Duration;

use instep_model::Value;

use super::{Played, WRITE_ON};
use crate::writers::items::fatten_note;
use crate::writers::odds::Odds;
use crate::writers::writer::{DrawnWriter, calls};

const GARBAGE_IS_FAT: Odds = Odds::percent(10);
const PARKING_FAILS: Odds = Odds::percent(30);
const PARKING_FAILS_FOR: Duration = Duration::from_secs(60);
const GARBAGE_CHANGES: Odds = Odds::EVEN;

pub(super) async fn play(writer: &DrawnWriter<'_>) -> Played {
    let garbage = writer.garbage();
    let is_fat = writer.happens(GARBAGE_IS_FAT);
    let garbage = garbage.map(|mut garbage| {
        if is_fat {
            fatten_note(&mut garbage.item);
        }
        writer.put_item(&garbage.key, garbage.item.clone());
        garbage
    });
    if writer.happens(PARKING_FAILS) {
        writer.fail(calls::SEND_MESSAGES, PARKING_FAILS_FOR);
    }
    writer.may_let_reconcile().await;
    if writer.happens(GARBAGE_CHANGES) {
        if let Some(garbage) = &garbage {
            let mut changed = garbage.item.clone();
            changed.insert("more".to_owned(), Value::Bool(true));
            writer.put_item(&garbage.key, changed);
        }
        writer.may_let_reconcile().await;
    }
    writer.delete(&garbage?.key);
    WRITE_ON
}
