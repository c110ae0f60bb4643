//! Large models: what would be the first to take too long if the checks of a model were quadratic.

use std::fmt::Write as _;

use instep_model::Model;

use crate::mistakes;

/// The head of a model.
const HEAD: &str = "model = \"many\"\nsource = \"bench\"\n[table]\npk = \"PK\"\nsk = \"SK\"\n";

/// The item types, and the names of a closed set, of the large models.
const LARGE: usize = 500;

/// Loads a model with many item types that have parents and users in one partition, and one with a large closed set of
/// names.
///
/// # Errors
/// A model is refused.
pub fn load() -> Result<(), String> {
    let mut related = format!("{HEAD}[items.Root]\npk = \"ALL#{{id}}\"\nsk = \"ROOT\"\nentity = \"Root\"\n");
    for place in 0..LARGE {
        let _ = write!(
            related,
            "[items.T{place}]\npk = \"ALL#{{id}}\"\nsk = \"T{place}#{{x}}\"\nentity = \"T{place}\"\n\
             cognito.user = {{ name = \"u{place}-{{id}}:{{x}}\" }}\nparent = \"Root\"\n"
        );
    }
    let values: Vec<String> = (0..LARGE).map(|place| format!("\"region-{place}\"")).collect();
    let closed = format!(
        "{HEAD}[names]\nregion = [{}]\n[items.A]\npk = \"R#{{region}}\"\nsk = [\"A#{{a}}\", \"AA#{{a}}\"]\n\
         [items.B]\npk = \"{{b}}\"\nsk = [\"B#{{region}}\", \"B{{region}}\"]\n",
        values.join(", ")
    );
    for text in [related, closed] {
        Model::parse("large.toml", &text).map_err(|errors| mistakes(&errors))?;
    }
    Ok(())
}
