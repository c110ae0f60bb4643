//! The objects of a sweep that nobody writes again.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What this process has read of one sweep and cannot change any more: it reads it once. The objects of another
/// sweep take its place.
#[derive(Debug, Default)]
pub(crate) struct FinalObjects(Mutex<ObjectsOfSweep>);

#[derive(Debug, Default)]
struct ObjectsOfSweep {
    sweep: String,
    by_name: BTreeMap<String, Arc<[u8]>>,
}

impl FinalObjects {
    fn of(&self, sweep: &str) -> MutexGuard<'_, ObjectsOfSweep> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.sweep != sweep {
            *known = ObjectsOfSweep { sweep: sweep.to_owned(), by_name: BTreeMap::new() };
        }
        known
    }

    /// What it has read under a name.
    pub(crate) fn get(&self, sweep: &str, name: &str) -> Option<Arc<[u8]>> {
        self.of(sweep).by_name.get(name).cloned()
    }

    /// Remembers what it has read or written under a name.
    pub(crate) fn add(&self, sweep: &str, name: &str, bytes: Vec<u8>) {
        self.of(sweep).by_name.insert(name.to_owned(), bytes.into());
    }
}
