//! A child loses its parents one after the other.
//!
//! A child has two parents. It must be deleted with the last of them. A writer deletes the first
//! parent, and the child stays. Some seconds later the writer may delete the second parent. Then
//! the child is deleted too.

use super::{Played, WRITE_ON};
use crate::writers::odds::Odds;
use crate::writers::writer::DrawnWriter;

const FAMILIES: usize = 1;
const BEFORE_A_PARENT_GOES_MS: usize = 8_000;
const ONE_PARENT_STAYS: Odds = Odds::EVEN;

pub(crate) async fn play(writer: &DrawnWriter<'_>) -> Played {
    let parents = writer.put_child_of_two(FAMILIES);
    if parents.is_empty() {
        return None;
    }
    for parent in parents {
        writer.pause(BEFORE_A_PARENT_GOES_MS).await;
        writer.delete(&parent.key);
        if writer.happens(ONE_PARENT_STAYS) {
            break;
        }
    }
    WRITE_ON
}
