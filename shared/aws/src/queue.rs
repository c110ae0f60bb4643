//! The queues, and the bucket beside them: [`crate::send_work`] sends work, [`crate::park`] parks, [`crate::send`] makes
//! the calls.

use std::sync::Arc;

use instep_model::Model;

use crate::clients::LazyClients;
use crate::settings::Settings;

/// The work queue, the queue of parked records, and the bucket for what fits neither.
#[derive(Debug, Clone)]
pub(crate) struct Queue {
    pub(crate) clients: LazyClients,
    pub(crate) settings: Arc<Settings>,
    pub(crate) model: Arc<Model>,
}
