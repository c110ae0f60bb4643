#![doc = include_str!("../README.md")]
#![expect(clippy::panic, reason = "a check stops where something does not hold")]

pub mod designs;
pub mod flow;
mod mutate;
pub mod notes;

use std::io;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[cfg(feature = "libfuzzer")]
pub use libfuzzer_sys;

use mutate::Mutations;

/// The maximum time of one input, in a debug build on a busy machine. A longer time suggests a
/// hang.
const TIME_MAX: Duration = Duration::from_secs(10);

/// The seed of the mutations that `cargo test` runs.
const SEED: u64 = 1;

/// The check of a target.
pub type TargetCheck = fn(&[u8]);

/// Makes a binary of a check: under `cargo fuzz` a libFuzzer target, otherwise a program that runs
/// the files that it is given. Also makes its test, with `mutations` of the files in
/// `corpus/<name>` and in further folders of the repository.
#[macro_export]
macro_rules! target {
    ($name:literal, $check:path, further: $further:expr, mutations: $mutations:expr) => {
        #[cfg(feature = "libfuzzer")]
        $crate::libfuzzer_sys::fuzz_target!(|bytes: &[u8]| $check(bytes));

        #[cfg(not(feature = "libfuzzer"))]
        fn main() -> std::io::Result<()> {
            $crate::files($check)
        }

        #[cfg(test)]
        #[test]
        fn corpus_and_mutations() {
            $crate::corpus_and_mutations($name, $check, &$further, $mutations);
        }
    };
}

/// Runs the files that the command line names.
///
/// # Errors
/// A file cannot be read.
pub fn files(check: TargetCheck) -> io::Result<()> {
    std::env::args_os().skip(1).try_for_each(|file| {
        check(&std::fs::read(file)?);
        Ok(())
    })
}

/// Runs a target over its corpus, over the files of `further` folders of the repository, and over
/// `mutations` of all these.
///
/// # Panics
/// A check failed. The message says how to run it again.
pub fn corpus_and_mutations(name: &str, check: TargetCheck, further: &[&str], mutations: usize) {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut inputs = Vec::new();
    let folders = further.iter().map(|folder| root().join(folder));
    for file in [own.join(name)].into_iter().chain(folders).flat_map(|folder| files_in(&folder)) {
        let bytes = read(&file);
        judge(name, check, &file, &bytes);
        inputs.push(bytes);
    }
    let dictionary = read(&own.join(format!("{name}.dict")));
    let mut mutated = Mutations::new(SEED, inputs, &String::from_utf8_lossy(&dictionary));
    // Written before it is run, so that an input that ends the whole process is found there, too.
    let file = std::env::temp_dir().join(format!("instep-fuzz-{name}"));
    for _ in 0..mutations {
        let bytes = mutated.next();
        std::fs::write(&file, &bytes).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        judge(name, check, &file, &bytes);
    }
    let _ = std::fs::remove_file(file);
}

fn judge(name: &str, check: TargetCheck, file: &Path, bytes: &[u8]) {
    let began = Instant::now();
    let held = catch_unwind(|| check(bytes)).is_ok() && began.elapsed() < TIME_MAX;
    assert!(
        held,
        "{} after {:?}; run it again with: cargo run --bin {name} -- {}",
        file.display(),
        began.elapsed(),
        file.display()
    );
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(crate) fn read(file: &Path) -> Vec<u8> {
    std::fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// All files in a folder and its subfolders, sorted by path.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths.into_iter().flat_map(|path| if path.is_dir() { files_in(&path) } else { vec![path] }).collect()
}
