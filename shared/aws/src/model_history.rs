//! The models that were deployed: read, and written by one function alone.

use std::collections::BTreeSet;

use instep_flow::bookkeeping::as_read;
use instep_flow::effect::{Action, Expect};
use instep_flow::former_models::{FormerModel, FormerModels};
use instep_flow::model_history::{ModelHistory, NotNoted, left_behind, model_item, model_key, model_text, now_key};
use instep_model::{Item, Key, Model};

use crate::apply::WriteResult;
use crate::instep::{Instep, LookBack};
use crate::run_options::RunOptions;

/// The most attempts to write the history. INVARIANT 8. Another process that wrote it in between has noted the same
/// model, or a person has said that a change is complete.
const ATTEMPTS_MAX: u32 = 4;

/// The models of a table.
#[derive(Debug)]
pub struct DeployedModels {
    /// What is known of them.
    pub history: ModelHistory,
    /// The item that says so, as it was read.
    pub(crate) item: Item,
}

impl Instep {
    /// What the table says of the models that were deployed. `None`: nothing.
    ///
    /// # Errors
    /// The table cannot be read, or the item is damaged.
    pub async fn deployed_models(&self, run: &RunOptions) -> Result<Option<DeployedModels>, String> {
        let Some(item) = self.items_at(&BTreeSet::from([now_key()]), run).await?.into_iter().next() else {
            return Ok(None);
        };
        let history = ModelHistory::read(&item).ok_or_else(|| {
            let Key { pk, sk } = now_key();
            format!("the item {pk} | {sk}, which says which model is deployed, is damaged: restore it, or delete it")
        })?;
        Ok(Some(DeployedModels { history, item }))
    }

    /// The model of this hash, as the table keeps it.
    ///
    /// # Errors
    /// The table cannot be read, or has no such model, or this version of Instep refuses it.
    pub async fn kept_model(&self, hash: &str, run: &RunOptions) -> Result<Model, String> {
        self.kept_models(&[hash], run).await?.pop().unwrap_or_else(|| parsed(hash, None))
    }

    /// The models of these hashes, in their order, in one read. Each may be missing, or refused by this version of Instep.
    ///
    /// # Errors
    /// The table cannot be read.
    pub(crate) async fn kept_models(
        &self,
        hashes: &[&str],
        run: &RunOptions,
    ) -> Result<Vec<Result<Model, String>>, String> {
        let kept = self.items_at(&hashes.iter().map(|hash| model_key(hash)).collect(), run).await?;
        let of = |key: Key| kept.iter().find(|item| self.model.table.key_of(item).as_ref() == Some(&key));
        Ok(hashes.iter().map(|hash| parsed(hash, of(model_key(hash)))).collect())
    }

    /// Reads the models before the deployed one that may have left something: this process then looks where they would.
    /// It does so once in the life of a process. A deployment of another model starts others. Returns why it cannot use a
    /// model: only sweeps find what that has made.
    ///
    /// # Errors
    /// The table cannot be read. Nothing may be handled then: what only a former model names would be left for good.
    pub async fn look_back(&self, run: &RunOptions) -> Result<Vec<String>, String> {
        if self.look_back.get().is_some() {
            return Ok(Vec::new());
        }
        let known = self.deployed_models(run).await?;
        let former = known.map(|known| known.history.former(&self.model.text_hash(), run.now)).unwrap_or_default();
        let hashes: Vec<&str> = former.iter().map(|(hash, _)| hash.as_str()).collect();
        let kept = self.kept_models(&hashes, run).await?;
        let (mut models, mut refused) = (Vec::new(), Vec::new());
        for ((_, until), kept) in former.iter().zip(kept) {
            match kept {
                Ok(model) => models.push(FormerModel { model, until: *until }),
                Err(why) => refused.push(why),
            }
        }
        let with_ways = || {
            let mut model = Model::clone(&self.model);
            models.iter().filter(|former| former.until.is_none()).for_each(|former| model.look_back(&former.model));
            model
        };
        let model = models.iter().any(|former| former.until.is_none()).then(with_ways);
        // A second invocation of this process has read the same.
        let _ = self.look_back.set(LookBack { former: FormerModels::new(models), model });
        Ok(refused)
    }

    /// Notes that this model is deployed. Returns what the table says then.
    ///
    /// Only the function of sweeps and those who stand in for it may call this: with one writer, the minutes in which
    /// some functions of a deployment are new and others are not cannot change it to and fro.
    ///
    /// # Errors
    /// The model is too large, too many changes are under way, or a service failed.
    pub async fn note_model(&self, run: &RunOptions) -> Result<ModelHistory, NotNoted> {
        let hash = self.model.text_hash();
        for _ in 0..ATTEMPTS_MAX {
            let known = self.deployed_models(run).await.map_err(NotNoted::Failed)?;
            let (next, read) = match known {
                None => (ModelHistory::first(hash.clone(), run.now), None),
                Some(DeployedModels { history, item }) => match history.followed_by(&hash, run.now)? {
                    None => return Ok(history),
                    Some(next) => (next, Some(item)),
                },
            };
            // First: whoever reads the history finds each model that it names.
            let text = model_item(&self.model)?;
            self.put_model(text, Expect::Any, run).await.map_err(NotNoted::Failed)?;
            let noted = self.put_model(next.item(&self.model), as_read(read.as_ref()), run).await;
            if noted.map_err(NotNoted::Failed)? {
                return Ok(next);
            }
        }
        Err(NotNoted::Failed("another process writes at the same time which model is deployed: try again".to_owned()))
    }

    /// Lets the texts of models expire of which nothing is left.
    pub(crate) async fn leave_behind(&self, hashes: &[String], run: &RunOptions) -> Result<(), String> {
        let keys = hashes.iter().map(|hash| model_key(hash)).collect();
        for item in self.items_at(&keys, run).await? {
            self.put_model(left_behind(&self.model, &item, run.now), Expect::Any, run).await?;
        }
        Ok(())
    }

    /// False: the item has changed.
    pub(crate) async fn put_model(&self, item: Item, expect: Expect, run: &RunOptions) -> Result<bool, String> {
        let key = self.model.table.key_of(&item).ok_or("an item without a key")?;
        let put = Action::Put { key, item, expect };
        let written = self.table.write(&[], &[put], run.deadline).await;
        Ok(matches!(written.map_err(|failure| failure.words("PutItem"))?, WriteResult::Done))
    }
}

/// The model that an item keeps.
fn parsed(hash: &str, item: Option<&Item>) -> Result<Model, String> {
    let text = item.and_then(model_text).ok_or_else(|| format!("the table has no model {hash}"))?;
    Model::parse(&format!("{hash}.toml"), text)
        .map_err(|errors| format!("this version of Instep refuses the model {hash}: {errors}"))
}
