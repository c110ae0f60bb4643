//! The models that ship with Instep.

/// Name and text of each model, in the order of lists.
const SHIPPED: [(&str, &str); 7] = [
    ("teams", include_str!("../models/teams.toml")),
    ("access-management", include_str!("../models/access-management.toml")),
    ("access-management-sif", include_str!("../models/access-management-sif.toml")),
    ("relational-store", include_str!("../models/relational-store.toml")),
    ("authorization", include_str!("../models/authorization.toml")),
    ("platform", include_str!("../models/platform.toml")),
    ("account-management", include_str!("../models/account-management.toml")),
];
const NAMES: [&str; 7] =
    [SHIPPED[0].0, SHIPPED[1].0, SHIPPED[2].0, SHIPPED[3].0, SHIPPED[4].0, SHIPPED[5].0, SHIPPED[6].0];
/// The writes with which the first of them can be tried.
const EXAMPLE: (&str, &str) = ("teams", include_str!("../../../examples/teams/writes.json"));

/// The names of the models that ship with Instep.
#[must_use]
pub const fn shipped_names() -> &'static [&'static str] {
    &NAMES
}

/// The text of a model that ships with Instep.
#[must_use]
pub fn shipped_text(name: &str) -> Option<&'static str> {
    SHIPPED.iter().find(|(own, _)| *own == name).map(|(_, text)| *text)
}

/// The example writes of a model that ships with Instep, as a file of writes.
#[must_use]
pub fn example_writes(name: &str) -> Option<&'static str> {
    (EXAMPLE.0 == name).then_some(EXAMPLE.1)
}
