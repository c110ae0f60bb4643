//! Instep on one table: its parts, each with its client.

use std::sync::{Arc, Mutex, OnceLock};

use aws_types::SdkConfig;
use instep_flow::former_models::FormerModels;
use instep_model::Model;

use crate::clients::{Clients, s3};
use crate::cognito::Cognito;
use crate::final_objects::FinalObjects;
use crate::pace::Pace;
use crate::part::Projections;
use crate::publish::Bus;
use crate::queue::Queue;
use crate::settings::Settings;
use crate::table::Table;

/// What a process looks back at.
#[derive(Debug)]
pub(crate) struct LookBack {
    /// The models before the deployed one.
    pub(crate) former: FormerModels,
    /// The deployed model with their ways to dependents. `None`: there is no other model.
    pub(crate) model: Option<Model>,
}

/// Instep on one table.
#[derive(Debug, Clone)]
pub struct Instep {
    pub(crate) model: Arc<Model>,
    pub(crate) clients: Clients,
    pub(crate) settings: Arc<Settings>,
    pub(crate) cognito: Cognito,
    pub(crate) table: Table,
    pub(crate) queue: Queue,
    pub(crate) bus: Bus,
    /// What a run reads of the table's items.
    pub(crate) projections: Arc<Projections>,
    /// Where sweeps keep what they read, if not in the bucket of [`Settings::parking`].
    sweeps: Option<(aws_sdk_s3::Client, String)>,
    /// What this process has read of the latest sweep.
    pub(crate) final_objects: Arc<FinalObjects>,
    /// The same with earlier models, of which a change looks for what they have left.
    pub(crate) former: Arc<[Self]>,
    /// The models at which this process looks back, once it has read them.
    pub(crate) look_back: Arc<OnceLock<LookBack>>,
}

impl Instep {
    /// Instep for a table that `model` describes.
    #[must_use]
    pub fn new(model: Arc<Model>, clients: Clients, settings: Settings) -> Self {
        let settings = Arc::new(settings);
        let pace = Arc::new(Pace::new(settings.cognito_interval));
        let pool = settings.user_pool.clone();
        let cognito = Cognito {
            cognito: clients.cognito.clone(),
            pool,
            model: Arc::clone(&model),
            pace,
            deletions_per_hour: settings.deletions_per_hour,
            asking: Arc::default(),
            naming: Arc::default(),
            marks: None,
        };
        let (dynamodb, name) = (clients.dynamodb.clone(), settings.table.clone());
        let table = Table { dynamodb, name, model: Arc::clone(&model) };
        let lazy = clients.lazy.clone();
        let queue = Queue { clients: lazy, settings: Arc::clone(&settings), model: Arc::clone(&model) };
        let bus = Bus { events: clients.events.clone() };
        let projections = Arc::new(Projections::of(&model));
        let (final_objects, former, look_back) = (Arc::default(), Arc::default(), Arc::default());
        let sweeps = None;
        Self {
            model,
            clients,
            settings,
            cognito,
            table,
            queue,
            bus,
            projections,
            sweeps,
            final_objects,
            former,
            look_back,
        }
    }

    /// The same, with earlier models, of which a change looks for what they have left.
    pub(crate) fn with_former(&self, models: Vec<Model>) -> Self {
        let former = models.into_iter().map(|model| self.with_model(Arc::new(model))).collect();
        Self { former, ..self.clone() }
    }

    fn with_model(&self, model: Arc<Model>) -> Self {
        Self {
            cognito: Cognito { model: Arc::clone(&model), ..self.cognito.clone() },
            table: Table { model: Arc::clone(&model), ..self.table.clone() },
            queue: Queue { model: Arc::clone(&model), ..self.queue.clone() },
            projections: Arc::new(Projections::of(&model)),
            former: Arc::default(),
            look_back: Arc::default(),
            model,
            ..self.clone()
        }
    }

    /// The same, for a user pool that is not real: one seed always gives the same marks of users.
    #[must_use]
    pub fn with_marks_from(self, seed: u64) -> Self {
        let marks = Some(Arc::new(Mutex::new(fastrand::Rng::with_seed(seed))));
        Self { cognito: Cognito { marks, ..self.cognito }, ..self }
    }

    /// The same, with another S3 and bucket for what sweeps keep while they read.
    #[must_use]
    pub fn with_sweeps_in(self, config: &SdkConfig, bucket: &str) -> Self {
        Self { sweeps: Some((s3(config), bucket.to_owned())), ..self }
    }

    /// Where sweeps keep what they read.
    pub(crate) fn sweeps(&self) -> Option<(&aws_sdk_s3::Client, &str)> {
        match &self.sweeps {
            Some((client, bucket)) => Some((client, bucket)),
            None => self.settings.parking.as_ref().map(|parking| (self.clients.s3(), parking.bucket.as_str())),
        }
    }

    /// The models at which this process looks back. None before [`Self::look_back`].
    pub(crate) fn former_models(&self) -> &FormerModels {
        static NONE: FormerModels = FormerModels::new(Vec::new());
        self.look_back.get().map_or(&NONE, |look_back| &look_back.former)
    }

    /// The model by which batches are handled: while a change is under way, with the ways of the models before it.
    pub(crate) fn model_of_batches(&self) -> &Model {
        self.look_back.get().and_then(|look_back| look_back.model.as_ref()).unwrap_or(&self.model)
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The SDK clients.
    #[must_use]
    pub const fn clients(&self) -> &Clients {
        &self.clients
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
}
