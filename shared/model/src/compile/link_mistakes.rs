//! References that do not say which item they lead to, or how it finds the items that refer to it.

use std::collections::BTreeMap;

use crate::errors::{Mistake, Mistakes};
use crate::file::{FindWord, Reference};
use crate::messages::list;
use crate::model::{Link, LinkRole, TypeId};
use crate::source::{Located, Span};
use crate::template::Template;

use super::context::Context;

/// The words of a reference: no name of a key can be given under them.
const WORDS: [&str; 4] = ["type", "find", "when", "written"];

/// Refuses the words that only a `parent` takes in other references.
pub(super) fn of_parents_alone(reference: &Reference, role: &LinkRole, mistakes: &mut Mistakes) {
    // Those that only answers read have their own check.
    if *role == LinkRole::Parent || role.is_for_answers() {
        return;
    }
    if let Some(when) = &reference.when {
        let help = if matches!(role, LinkRole::EdgeEnd(_)) {
            "an edge has no condition: remove `when`, or use a `parent`"
        } else {
            "only a `parent` has a condition here; write `when` into the grant, user, groups or member"
        };
        mistakes.add(Mistake::new(when.span, "a reference of this kind has no condition", "here").help(help));
    }
    if let Some(written) = reference.written.first() {
        let help =
            "remove it: only a `parent` takes `written`, since its children stay if it is written again too soon";
        let message = "a reference of this kind leaves no items of an earlier one";
        mistakes.add(Mistake::new(written.span, message, "here").help(help));
    }
}

/// Answers only follow a reference: they ask for no item and delete none.
pub(super) fn of_answers(reference: &Reference, mistakes: &mut Mistakes) {
    let mut refuse = |at: Span, word: &str, help: &str| {
        let message = format!("`{word}` has no effect in a reference that only answers read");
        mistakes.add(Mistake::new(at, message, "here").help(help));
    };
    if !reference.needed {
        refuse(reference.to.span, "?", "remove `?`: where the item does not exist, no access comes from it");
    }
    if reference.find.is_some() {
        refuse(reference.to.span, "find", "remove `find`: keys and indexes lead to the item");
    }
    if let Some(when) = &reference.when {
        refuse(when.span, "when", "remove `when`: it leads to the item always, if it has its names");
    }
    if let Some(written) = reference.written.first() {
        refuse(written.span, "written", "remove `written`: no item is deleted because of it");
    }
}

/// A reference that gives no name of the other item's key.
pub(super) fn no_name(
    context: &Context<'_>,
    from: TypeId,
    to: TypeId,
    reference: &Reference,
    role: &LinkRole,
) -> Mistake {
    let known: Vec<&str> = context.entry(to).key_names.iter().map(String::as_str).collect();
    let (of, to) = (context.name(from), context.name(to));
    if known.is_empty() {
        let message = format!("the key of `{to}` has no names, so nothing can refer to it");
        let help = if *role == LinkRole::Group {
            format!(
                "remove `cognito.groups` of `{to}`, and write the group's name, `group = {{ name = \"…\" }}`: Instep \
                 then creates it with its first member"
            )
        } else {
            format!(
                "there is only one `{to}`, so a reference says nothing: remove it, or give its key a name, such as `{{{}Id}}`",
                to.to_lowercase()
            )
        };
        return Mistake::new(reference.to.span, message, "here").help(help);
    }
    let message = format!("cannot determine which `{to}` this `{of}` belongs to");
    let free = known.iter().find(|name| !WORDS.contains(name));
    let help = match free {
        Some(name) => format!(
            "the key of `{to}` has {}: name them, such as `{{ type = \"{to}\", {name} = \"{{anAttribute}}\" }}`",
            list(&known)
        ),
        None => taken(to, known.first().copied().unwrap_or_default()),
    };
    Mistake::new(reference.to.span, message, "here").help(help)
}

/// What a reference gives, and what it lacks.
pub(super) struct Lack<'a> {
    pub(super) names: &'a BTreeMap<String, Template>,
    pub(super) missing: &'a str,
    /// A partition or an index leads to the items with these names.
    pub(super) is_led: bool,
}

/// A reference that can lead to several items.
pub(super) fn several(
    context: &Context<'_>,
    from: TypeId,
    to: TypeId,
    reference: &Reference,
    Lack { names, missing, is_led }: &Lack<'_>,
) -> Mistake {
    let given: Vec<&str> = names.keys().map(String::as_str).collect();
    let forms = &context.entry(to).forms;
    let (of, to) = (context.name(from), context.name(to));
    let message =
        format!("cannot determine which `{to}` this `{of}` belongs to: {} alone can be several", list(&given));
    if WORDS.contains(missing) {
        return Mistake::new(reference.to.span, message, "here").help(taken(to, missing));
    }
    let way = match names.first_key_value() {
        Some((name, template)) if *is_led => {
            let one = format!("`{{ type = \"{to}\", {name} = \"{template}\" }}`");
            format!("; or, if they have one `{to}`, say so: {one}")
        }
        _ => {
            let lacks = |name: &str| !names.contains_key(name);
            let partition = forms.first().into_iter().flat_map(|form| form.pk.names());
            let partition: Vec<&str> = partition.filter(|name| lacks(name) && name != missing).collect();
            if partition.is_empty() {
                String::new()
            } else {
                format!(
                    "; or give the rest of its partition, {}, or `{to}` an index with {}",
                    list(&partition),
                    list(&given)
                )
            }
        }
    };
    let help =
        format!("name what distinguishes them, such as `{{ type = \"{to}\", {missing} = \"{{anAttribute}}\" }}`{way}");
    Mistake::new(reference.to.span, message, "here").help(help)
}

fn taken(to: &str, name: &str) -> String {
    format!(
        "`{name}` is a setting of references, so a reference cannot give a name `{name}`: rename it in the key of `{to}`, for \
         example `{{{}_{name}}}`",
        to.to_lowercase()
    )
}

/// A group that is no item's may be a constant name.
pub(super) fn or_a_constant(mistake: Mistake, to: &Located<String>) -> Mistake {
    mistake.or_help(&format!("for a group with this name, write `{{ name = \"{}\" }}`", to.value))
}

/// References to one item agree how it finds the items that refer to it.
pub(super) fn check_finds(
    (to, find): (&Located<String>, Option<FindWord>),
    (at, other): (Span, Option<FindWord>),
    mistakes: &mut Mistakes,
) {
    if let (Some(find), Some(other)) = (find, other)
        && find != other
    {
        let message = format!("two references lead to one `{}` with different `find`", to.value);
        let help = "write the same `find` in both, or write it in one of them: it counts for both";
        mistakes.add(Mistake::new(to.span, message, "one `find`").also(at, "a different one").help(help));
    }
}

/// INVARIANT 1: access begins and ends with the items that it needs, so these must find it.
pub(super) fn needed(context: &Context<'_>, link: &Link, at: Span) -> Mistake {
    let (from, to) = (context.name(link.from), context.name(link.to));
    let message = format!("a `{from}` gives access only while its `{to}` exists, and a sweep notices that too late");
    let grant = if context.entry(link.from).draft.members.is_empty() {
        format!(". If the grant need not wait for it, write `\"{to}?\"` in the grant")
    } else {
        String::new()
    };
    let help =
        format!("write `find = \"back-reference\"`, or remove `find` if a partition or an index leads to them{grant}");
    Mistake::new(at, message, "with `find = \"sweep\"`").help(help)
}

/// Nothing leads from an item to those that refer to it.
pub(super) fn no_way(context: &Context<'_>, link: &Link, at: Span) -> Mistake {
    let (from, to) = (context.name(link.from), context.name(link.to));
    let message = format!("no template leads from a `{to}` to its `{from}` items");
    let declared = context.entry(link.from).draft.indexes.iter().filter(|keys| !keys.keep.writes());
    let mut indexes = declared.filter_map(|keys| context.indexes.iter().find(|index| index.name == keys.index.value));
    let index = match indexes.find(|index| index.has_spellings()) {
        Some(index) => format!(
            "; `{0}` has several attributes for one key, and a query reads one: `{0}` leads to them only with \
             `keep = true` or `keep = \"fill\"`, or with one attribute for each key",
            index.name
        ),
        None => format!("; or give `{from}` an index whose partition key uses only names from the key of `{to}`"),
    };
    if link.role == LinkRole::Owner {
        let help = format!("write `find = \"back-reference\"` to have Instep write a back-reference for each{index}");
        return Mistake::new(at, message, format!("a `{to}` cannot find them")).help(help);
    }
    let sweep = if link.needed { "" } else { ", or `find = \"sweep\"` to leave them to the sweep" };
    let write = match link.when {
        None => format!("`{{ type = \"{to}\", find = \"back-reference\" }}`"),
        // The reference names the `oneof`, of which this type is one case.
        Some(_) => "`find = \"back-reference\"` into this reference".to_owned(),
    };
    let help = format!("write {write} to have Instep write a back-reference for each{sweep}{index}");
    Mistake::new(at, message, format!("a `{to}` cannot find them")).help(help)
}
