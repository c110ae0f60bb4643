//! The writers of the table in the simulation.
//!
//! A writer does what a person's program does. It uses few names, so that writes meet. What it
//! writes follows from the model file.
//!
//! - `everyday` is the writer of ordinary worlds. It writes, changes and deletes at random.
//! - `scenes` is the writer of crowded worlds. It plays short scenes, each with its own file.
//! - `wide_parent` gives one parent many children.
//!
//! The other modules are what these three share:
//!
//! - `writer` writes, waits, and disturbs calls at a chosen moment.
//! - `odds` says how often something happens.
//! - `cast` finds the objects that a scene is about.
//! - `names` draws objects and their keys. `items` draws their attributes.

mod cast;
mod everyday;
mod items;
mod names;
mod odds;
mod scenes;
mod wide_parent;
mod writer;

use instep_model::{Key, Names, TypeId};

pub use everyday::write_every_day;
pub use scenes::{NextWrites, play_scenes};
pub use wide_parent::write_wide_parent;

use crate::net::Net;
use odds::Odds;
use writer::DrawnWriter;

/// Part of every attribute value that no event, log or group may show.
pub const SECRET: &str = "SECRET";

/// Part of every attribute value that the model does not name. Only the table and a parked record
/// may show it.
pub const UNNAMED: &str = "UNNAMED";

/// How often somebody else has a group with the name of one of Instep's.
const GROUP_HAS_A_NAMESAKE: Odds = Odds::percent(20);

/// Draws names of groups that somebody else creates before the run. Items ask for the same names.
pub fn groups_alike(net: &Net) -> Vec<String> {
    let writer = DrawnWriter::of(net);
    let types = (0..net.model.items.len()).map(TypeId).filter(|of| !net.model.item(*of).groups.is_empty());
    let places =
        types.filter(|_| writer.happens(GROUP_HAS_A_NAMESAKE)).filter_map(|of| writer.place(of, &Names::new()));
    places.filter_map(|place| net.watch().implied.groups(&place.object, None).into_iter().next()).collect()
}

/// Deletes all garbage, so that its records can be reconciled.
pub fn delete_garbage(net: &Net) {
    let garbage: Vec<Key> = net.watch().implied.garbage().cloned().collect();
    for key in garbage {
        net.write(key, None);
    }
}
