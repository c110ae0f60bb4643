//! Whether answers find the item that a reference leads to: by its key, in a partition of the table, or in one of an
//! index. An answer reads each item that an index shows again.

use std::collections::BTreeSet;

use crate::errors::Mistake;
use crate::messages::list;
use crate::model::{KeyForm, Link};
use crate::source::Span;
use crate::template::Template;

use super::super::context::{Context, IndexTemplates};

/// What is wrong with a reference whose names, together with others that are known, do not lead to the item.
pub(super) fn lost(context: &Context<'_>, link: &Link, more: &BTreeSet<&str>, word: &str, at: Span) -> Option<Mistake> {
    let missing = missing(context, link, more)?;
    let (from, to) = (context.name(link.from), context.name(link.to));
    let given: Vec<&String> = link.names.keys().collect();
    let message = format!("nothing leads from a `{from}` to its `{to}`: {} alone does not", list(&given));
    let help = format!(
        "give `{missing}` in `{word}`, such as `{{ type = \"{to}\", {missing} = \"{{…}}\" }}`; or give `{to}` an index whose \
         partition key needs {} alone",
        list(&given)
    );
    Some(Mistake::new(at, message, "answers cannot find it").help(help))
}

/// The same for the item of a role.
pub(super) fn lost_role(context: &Context<'_>, link: &Link, same: &BTreeSet<&str>, at: Span) -> Option<Mistake> {
    let missing = missing(context, link, same)?;
    let to = context.name(link.to);
    let given: Vec<&String> = link.names.keys().collect();
    let message = format!("{} alone does not lead to a `{to}`, and answers read what it permits", list(&given));
    let help = format!(
        "add `same = \"{missing}\"` if the subject has it, too; or give it in `role`; or give `{to}` an index whose partition \
         key needs {} alone",
        list(&given)
    );
    Some(Mistake::new(at, message, "answers cannot find it").help(help))
}

/// The first name that is missing in a spelling of the key to which nothing leads.
fn missing<'c>(context: &'c Context<'_>, link: &Link, more: &BTreeSet<&str>) -> Option<&'c str> {
    let is_known = |name: &str| link.names.contains_key(name) || more.contains(name);
    let is_led = |pk: &Template, sk: Option<&Template>| {
        let first = pk.names().next().or_else(|| sk.and_then(|sk| sk.names().next()));
        pk.names().all(is_known) && first.is_some_and(is_known)
    };
    let is_in_index = |form: &KeyForm| {
        let mut keys = context.index_templates(link.to, form).into_iter();
        keys.any(|IndexTemplates { pk, sk, index: _ }| is_led(&pk, sk.as_ref()))
    };
    let is_found = |form: &&KeyForm| {
        form.names.iter().all(|name| is_known(name)) || is_led(&form.pk, Some(&form.sk)) || is_in_index(form)
    };
    let form = context.entry(link.to).forms.iter().find(|form| !is_found(form))?;
    form.pk.names().chain(form.sk.names()).find(|name| !is_known(name))
}
