//! Comparing what the table wants with the names of the pool.

use futures::stream::{self, StreamExt as _};
use instep_flow::sweep::plan::{KEPT_MAX, NAMES_MAX};
use instep_flow::sweep::{Candidate, KeptWant, PoolNames};

use super::store::CONCURRENT_OBJECTS;
use crate::instep::Instep;
use crate::run_options::RunOptions;

impl Instep {
    /// What the pool lacks of a share: as much as a sweep keeps, and how much more there is. The objects have
    /// the names of the pool, and what the table wants. `None` if the names do not fit the memory of a process.
    pub(super) async fn lacking(
        &self,
        sweep: &str,
        (of_pool, of_table): (&[String], &[String]),
        parts: u32,
        share: (u64, u64),
        run: &RunOptions,
    ) -> Result<Option<(Vec<Candidate>, u64)>, String> {
        let most = usize::try_from(NAMES_MAX).unwrap_or(usize::MAX);
        let mut names = PoolNames::default();
        let mut read = stream::iter(of_pool).map(|name| self.kept_bytes(sweep, name, run)).buffered(CONCURRENT_OBJECTS);
        while let Some(bytes) = read.next().await {
            if !names.add(&bytes?, parts, share, most) {
                return Ok(None);
            }
        }
        names.sort();
        let mut read = stream::iter(of_table)
            .map(|name| self.kept_json::<Vec<KeptWant>>(sweep, name, run))
            .buffered(CONCURRENT_OBJECTS / 4);
        let (mut found, mut more) = (Vec::new(), 0_u64);
        while let Some(wanted) = read.next().await {
            for candidate in names.lacking(wanted?, parts, share) {
                if found.len() < KEPT_MAX { found.push(candidate) } else { more += 1 }
            }
        }
        Ok(Some((found, more)))
    }
}
