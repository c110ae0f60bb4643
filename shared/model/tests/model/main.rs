//! Tests of the table models, through the crate's public API.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests fail by panicking, helpers of tests too"
)]

mod answers;
mod changes;
mod designs;
mod examples;
mod identity;
mod large;
mod page;
mod properties;
mod reads;
mod refusals;
mod resolved;

use instep_model::{Key, Model, ModelErrors, Names};

/// The shipped models: an example, five designs, and a variant of one.
const DESIGNS: [&str; 7] = [
    "teams",
    "access-management",
    "access-management-sif",
    "relational-store",
    "authorization",
    "platform",
    "account-management",
];

fn design(name: &str) -> Model {
    Model::shipped(name).unwrap_or_else(|| {
        let path = format!("{}/tests/models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        Model::load(path.as_ref()).unwrap_or_else(|errors| panic!("{}", rendered(&errors)))
    })
}

/// The head of a model file, for the items of a test.
const HEAD: &str = "model = \"m\"\ntable = { pk = \"PK\", sk = \"SK\" }\n";

/// A model of these items.
fn parsed(items: &str) -> Model {
    Model::parse("m.toml", &format!("{HEAD}{items}")).unwrap_or_else(|errors| panic!("{}", rendered(&errors)))
}

/// The error as a person sees it, without colours.
fn rendered(errors: &ModelErrors) -> String {
    let mut text = String::new();
    let handler = miette::GraphicalReportHandler::new_themed(miette::GraphicalTheme::unicode_nocolor());
    handler.with_width(100).render_report(&mut text, errors).unwrap();
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

fn key(pk: &str, sk: &str) -> Key {
    Key { pk: pk.to_owned(), sk: sk.to_owned() }
}

fn names<const N: usize>(pairs: [(&str, &str); N]) -> Names {
    pairs.into_iter().map(|(name, text)| (name.to_owned(), text.to_owned())).collect()
}
