//! Follows the references of the items of a table, and changes nothing.

use instep_flow::sweep::{Followed, References};
use instep_model::{Identity, Item};

use super::read::SEGMENT_ROWS;
use crate::instep::Instep;
use crate::run_options::RunOptions;

/// The maximum number of items that are read. A table with rare item types may have more.
const READ_MAX: u64 = 100_000;

/// Where the references of a table lead.
#[derive(Debug)]
pub struct FollowedReferences {
    /// The items that were read, without Instep's own.
    pub items: u64,
    /// Whether these are all.
    pub is_whole: bool,
    /// Each reference that an item has.
    pub references: Vec<Followed>,
}

impl Instep {
    /// Follows up to 1,000 references of each kind.
    ///
    /// # Errors
    /// The table cannot be read.
    pub async fn follow_references(&self, run: &RunOptions) -> Result<FollowedReferences, String> {
        let (mut found, mut read, mut items, mut from) = (References::default(), 0, 0, None);
        let is_own = |item: &Item| {
            self.model.table.key_of(item).is_some_and(|key| self.model.identify(&key) == Identity::Bookkeeping)
        };
        // INVARIANT 8: a page has items, or is the last one of this part of the table.
        loop {
            let page = self
                .segment_page((0, 1), from, SEGMENT_ROWS, run.deadline)
                .await
                .map_err(|failure| failure.words("Scan"))?;
            read += page.items.len() as u64;
            items += page.items.iter().filter(|item| !is_own(item)).count() as u64;
            found.add(&self.model, &page.items);
            from = page.next;
            if from.is_none() || read >= READ_MAX {
                break;
            }
        }
        let is_whole = from.is_none();
        let answers = self.read(&found.asks(&self.model), run).await?;
        let references = found.follow(&self.model, &answers, is_whole);
        Ok(FollowedReferences { items, is_whole, references })
    }
}
