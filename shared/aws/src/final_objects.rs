//! The objects of a sweep that nobody writes again.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What this process has read of one sweep and cannot change any more: it reads it once. The objects of another
/// sweep take its place.
#[derive(Debug, Default)]
pub(crate) struct FinalObjects(Mutex<(String, BTreeMap<String, Arc<[u8]>>)>);

impl FinalObjects {
    fn of(&self, sweep: &str) -> MutexGuard<'_, (String, BTreeMap<String, Arc<[u8]>>)> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.0 != sweep {
            *known = (sweep.to_owned(), BTreeMap::new());
        }
        known
    }

    /// What it has read under a name.
    pub(crate) fn get(&self, sweep: &str, name: &str) -> Option<Arc<[u8]>> {
        self.of(sweep).1.get(name).cloned()
    }

    /// Remembers what it has read or written under a name.
    pub(crate) fn add(&self, sweep: &str, name: &str, bytes: Vec<u8>) {
        self.of(sweep).1.insert(name.to_owned(), bytes.into());
    }
}
