//! Watches the files of the model, and says what they are now.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use instep_console::output::error_text;
use instep_model::Model;

use super::shared_state::{Hub, ModelNews};

/// How often the files are read. They are small, and a person saves them by hand.
const LOOK: Duration = Duration::from_millis(300);

/// The files of a model, as they were last read.
pub(super) struct Watched {
    path: PathBuf,
    files: Vec<PathBuf>,
    /// The texts of the model that was last compiled.
    compiled: Vec<Option<Vec<u8>>>,
    /// The texts at the last look, if they differ from those that were compiled.
    changed: Option<Vec<Option<Vec<u8>>>>,
}

impl Watched {
    /// The files as they are now.
    pub(super) fn new(path: PathBuf) -> Self {
        let (_, files) = Model::load_with_files(&path);
        Self { path, compiled: read(&files), files, changed: None }
    }

    /// What is new since the last look. A file is compiled when two looks find the same text: an editor may be writing
    /// it at the first.
    fn look(&mut self) -> Option<ModelNews> {
        let texts = read(&self.files);
        if texts == self.compiled {
            self.changed = None;
            return None;
        }
        if self.changed.as_ref() != Some(&texts) {
            self.changed = Some(texts);
            return None;
        }
        let (loaded, files) = Model::load_with_files(&self.path);
        self.files = files;
        self.compiled = read(&self.files);
        self.changed = None;
        Some(match loaded {
            Ok(model) => ModelNews::Valid(Arc::new(model)),
            Err(errors) => ModelNews::Invalid(error_text(&errors.into())),
        })
    }

    /// Tells the deliveries of each change, until they stop.
    pub(super) async fn run(self, hub: Arc<Hub>) {
        let mut stop = hub.stop.subscribe();
        let mut watched = self;
        loop {
            tokio::select! {
                // An error means that the hub is gone.
                _ = stop.wait_for(|stop| *stop) => return,
                () = tokio::time::sleep(LOOK) => {}
            }
            // A large model takes a while to compile, and other tasks go on.
            let looked = tokio::task::spawn_blocking(move || {
                let news = watched.look();
                (watched, news)
            });
            let Ok((next, news)) = looked.await else { return };
            watched = next;
            if let Some(news) = news {
                hub.tell_of_model(news);
            }
        }
    }
}

fn read(files: &[PathBuf]) -> Vec<Option<Vec<u8>>> {
    // Reading a pipe might never end.
    let text = |file: &PathBuf| file.is_file().then(|| std::fs::read(file).ok()).flatten();
    files.iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEAM: &str =
        "model = \"m\"\ntable = { pk = \"pk\", sk = \"sk\" }\n[items.Team]\npk = \"T#{teamId}\"\nsk = \"T\"\n";

    /// What the second of two looks finds. The first finds nothing.
    fn look(watched: &mut Watched) -> Option<String> {
        assert!(watched.look().is_none(), "a text is not compiled before it is the same twice");
        watched.look().map(|news| match news {
            ModelNews::Valid(model) => format!("{} item types", model.with_keys().count()),
            ModelNews::Invalid(why) => why,
        })
    }

    #[test]
    fn a_change_of_the_model_or_of_what_it_extends_is_seen_once() {
        let dir = tempfile::tempdir().unwrap();
        let (base, path) = (dir.path().join("base.toml"), dir.path().join("own.toml"));
        std::fs::write(&base, TEAM).unwrap();
        std::fs::write(&path, "extends = \"base.toml\"\n").unwrap();
        let mut watched = Watched::new(path);
        assert_eq!(look(&mut watched), None);
        let person = format!("{TEAM}[items.Person]\npk = \"P#{{id}}\"\nsk = \"P\"\n");
        std::fs::write(&base, &person).unwrap();
        assert_eq!(look(&mut watched).as_deref(), Some("2 item types"));
        assert_eq!(look(&mut watched), None);
        std::fs::write(&base, person.replace("sk = \"P\"", "zk = \"P\"")).unwrap();
        let why = look(&mut watched).unwrap();
        assert!(why.contains("`zk`") && !why.contains('\u{1b}'), "{why}");
        std::fs::remove_file(&base).unwrap();
        assert!(look(&mut watched).unwrap().contains("base.toml"));
        std::fs::write(&base, &person).unwrap();
        assert_eq!(look(&mut watched).as_deref(), Some("2 item types"));
    }
}
