//! The tenants of events outside of a run.

use instep_flow::answers::{Answers, View};
use instep_flow::decode::Change;
use instep_flow::tenants::{self, Tenants};

use crate::instep::Instep;
use crate::run_options::RunOptions;

impl Instep {
    /// The tenants that the items of subjects and scopes say, for the events of changes.
    ///
    /// # Errors
    /// The read failed.
    pub async fn tenants(&self, changes: &[Change], run: &RunOptions) -> Result<Tenants, String> {
        let (mut answers, mut tenants) = (Answers::default(), Tenants::new());
        // INVARIANT 8: the answers to the first read ask for nothing more.
        for _ in 0..2 {
            let mut view = View::new(&self.model, &answers);
            let images = changes.iter().flat_map(|change| Some((&change.object, change.new.as_ref()?)));
            for (object, image) in images {
                let _ = tenants::read(&mut view, object, image, &mut tenants);
            }
            let asks = view.asks;
            if asks.is_empty() {
                break;
            }
            answers = self.read(&asks, run).await?;
        }
        Ok(tenants)
    }
}
