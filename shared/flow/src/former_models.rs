//! The models before the deployed one that may have left something. Pure.

use std::collections::BTreeSet;

use instep_model::Model;
use jiff::{SignedDuration, Timestamp};

use crate::model_history::ModelHistory;

/// How long a parked record can be redriven. Source: Amazon SQS Developer Guide, "Amazon SQS message quotas", retention.
const PARKED_MAX: SignedDuration = SignedDuration::from_hours(14 * 24);

/// The models before the deployed one that may have made what a record shows.
#[derive(Debug, Default)]
pub struct FormerModels(Vec<FormerModel>);

/// A model before the deployed one.
#[derive(Debug)]
pub struct FormerModel {
    /// The model.
    pub model: Model,
    /// Only records of writes before this time matter: nothing that it made is left. `None`: something may be.
    pub until: Option<Timestamp>,
}

impl FormerModels {
    /// These models.
    #[must_use]
    pub const fn new(models: Vec<FormerModel>) -> Self {
        Self(models)
    }

    /// Those that may have handled a write at this time. An unknown time may be any.
    pub fn at(&self, written_at: Option<Timestamp>) -> impl Iterator<Item = &Model> {
        let matters = move |former: &&FormerModel| match (former.until, written_at) {
            (Some(until), Some(at)) => at <= until,
            (None, _) | (_, None) => true,
        };
        self.0.iter().filter(matters).map(|former| &former.model)
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &Model> + Clone {
        self.0.iter().map(|former| &former.model)
    }

    /// Whether one of them has this hash.
    #[must_use]
    pub fn has(&self, hash: &str) -> bool {
        self.all().any(|model| model.text_hash() == hash)
    }
}

impl ModelHistory {
    /// The models that a process with this model looks back at, each with the time until which what they made was there.
    /// They are not those of the history before the function of sweeps has noted the deployment of this model.
    #[must_use]
    pub fn former(&self, hash: &str, now: Timestamp) -> Vec<(String, Option<Timestamp>)> {
        let under_way = [&self.current].into_iter().chain(&self.previous).map(|former| (former.clone(), None));
        let left = self.left.iter().filter(|left| now.duration_since(left.at) <= PARKED_MAX);
        let left = left.map(|left| (left.hash.clone(), Some(left.at)));
        let mut seen = BTreeSet::from([hash.to_owned()]);
        under_way.chain(left).filter(|(former, _)| seen.insert(former.clone())).collect()
    }
}
