//! Another model for a stack that runs: with the same items, users and events.

use std::sync::Arc;

use aws_types::SdkConfig;
use instep_aws::{Clients, Instep, RunOptions};
use instep_console::output::error_text;
use instep_local::Stack;
use instep_model::Model;
use miette::miette;

use super::port::{CurrentPort, Port};
use super::shared_state::{Hub, ModelNews};

/// What is made again for another model.
pub(super) struct ModelSwitch {
    /// The configuration of Instep's calls.
    pub(super) config: SdkConfig,
    pub(super) current: CurrentPort,
}

/// What came of a change of the model's file.
pub(super) struct Switched {
    /// Instep with the other model, if it runs.
    pub(super) instep: Option<Instep>,
    /// What the terminal says.
    pub(super) text: String,
}

impl ModelSwitch {
    /// Makes what follows another model, or says why the old one runs on.
    pub(super) async fn follow(&self, hub: &Arc<Hub>, stack: &Stack, news: ModelNews) -> Switched {
        let errors = match news {
            ModelNews::Invalid(errors) => errors,
            ModelNews::Valid(model) => match can_follow(hub, stack, &model).await {
                Err(error) => error_text(&error),
                Ok(()) => {
                    note_model(hub, stack, Arc::clone(&model)).await;
                    let instep = self.run(hub, stack, model);
                    look_back(hub, &instep).await;
                    let url = format!("http://127.0.0.1:{}", self.current.get().number);
                    let text = format!(
                        "the model has changed, and runs with the same items. What follows from items that were written \
                         before is done when they are written again, or by `instep change --run --endpoint {url}`"
                    );
                    return Switched { instep: Some(instep), text };
                }
            },
        };
        hub.set_model_errors(Some(errors.clone()));
        Switched { instep: None, text: format!("the model's file has changed, and the old model runs on:\n{errors}") }
    }

    fn run(&self, hub: &Arc<Hub>, stack: &Stack, model: Arc<Model>) -> Instep {
        let old = self.current.get();
        hub.set_model(Arc::clone(&model));
        let port = Port::new(hub, stack, Arc::clone(&model), old.number, old.source.clone());
        self.current.set(Port { forwarding: old.forwarding.clone(), ..port });
        // The last, because it tells the pages, and they read the model then.
        hub.set_model_errors(None);
        Instep::new(model, Clients::new(&self.config), stack.settings())
    }
}

/// Notes in the table which model runs, as the function of sweeps does.
pub(super) async fn note_model(hub: &Hub, stack: &Stack, model: Arc<Model>) {
    let instep = Instep::new(model, Clients::new(&stack.uncounted_config()), stack.settings());
    if let Err(why) = instep.note_model(&run_now(hub)).await {
        hub.remark(format!("the table does not keep the model that runs: {why}"));
    }
}

/// Reads the models before the one that runs, as a function does at its start.
pub(super) async fn look_back(hub: &Hub, instep: &Instep) {
    for why in instep.look_back(&run_now(hub)).await.unwrap_or_else(|why| vec![why]) {
        hub.remark(format!("only sweeps find what a former model made: {why}"));
    }
}

fn run_now(hub: &Hub) -> RunOptions {
    let now = hub.clock.now();
    RunOptions { now, publish: true, dry_run: false, deadline: None, adopt_before: None, trace: None }
}

/// Changes the stack for another model, or says what cannot change.
async fn can_follow(hub: &Hub, stack: &Stack, model: &Model) -> miette::Result<()> {
    let old = hub.model();
    let followed = if old.name == model.name {
        stack.follow(model).await.map_err(|error| error.to_string())
    } else {
        let (was, is, table) = (&old.name, &model.name, &hub.table);
        Err(format!("the model was `{was}` and is `{is}` now, and the table `{table}` has the items of `{was}`"))
    };
    followed.map_err(|why| {
        miette!(
            help = "write it as before, or end `instep dev` and start it again: without `--data`, or with another directory",
            "{why}"
        )
    })
}
