//! The templates under which a read finds the items of each type.

use std::collections::BTreeSet;

use crate::errors::{Mistake, Mistakes};
use crate::file::{DraftIndexKeys, DraftItem, DraftRead};
use crate::messages::list;
use crate::model::{KeyForm, Names, TypeId};
use crate::source::Span;
use crate::template::{Slot, Template, TemplatePart};

use super::super::context::{Context, TypeContext};

/// A read whose words are known, and whose key condition is not yet.
pub(super) struct KnownRead<'d> {
    pub(super) draft: &'d DraftRead,
    pub(super) items: Vec<TypeId>,
    pub(super) index: Option<usize>,
    pub(super) given: Vec<String>,
    pub(super) fixed: Names,
}

impl KnownRead<'_> {
    /// Whether a name has a value before any item is read.
    pub(super) fn is_known(&self, name: &str) -> bool {
        self.fixed.contains_key(name) || self.given.iter().any(|given| given == name)
    }
}

/// The items of one type: where they are, and whether all of them are there.
#[derive(Clone, PartialEq)]
pub(super) struct FoundRow {
    pub(super) of: TypeId,
    pub(super) pk: Template,
    /// The template of the sort key. It is empty if the index has none.
    pub(super) sk: Template,
    /// As much of it as is known.
    pub(super) sort: Template,
    /// Whether that is all of it.
    pub(super) is_whole: bool,
    /// The name that comes next.
    pub(super) next: Option<Slot>,
    /// Whether all items that have these names are there.
    pub(super) is_kept: bool,
}

/// The rows of a read. `None` if there are none, or if they do not fit the names of the read: then there is an error.
pub(super) fn rows(context: &Context<'_>, read: &KnownRead<'_>, mistakes: &mut Mistakes) -> Option<Vec<FoundRow>> {
    let before = mistakes.len();
    let mut rows: Vec<FoundRow> = Vec::new();
    for (of, item) in read.items.iter().zip(&read.draft.items) {
        let found = of_type(context, read, *of);
        if found.is_empty() {
            mistakes.add(nowhere(context, read, *of, item.span));
        }
        for row in found {
            check_names(context, read, &row, item.span, mistakes);
            let row = with_fixed(read, row);
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
    }
    (mistakes.len() == before && !rows.is_empty()).then_some(rows)
}

/// Whether the rows are those of one key.
pub(super) fn item(read: &KnownRead<'_>, rows: &[FoundRow]) -> bool {
    let is_bound = read.draft.range.is_some() || read.draft.begins.is_some();
    read.index.is_none() && read.items.len() == 1 && !is_bound && rows.iter().all(|row| row.is_whole)
}

fn of_type(context: &Context<'_>, read: &KnownRead<'_>, of: TypeId) -> Vec<FoundRow> {
    let forms = &context.entry(of).forms;
    let Some(index) = read.index else {
        let bound = read.draft.range.iter().chain(&read.draft.begins).map(|name| &name.value);
        let names: BTreeSet<&String> = read.given.iter().chain(read.fixed.keys()).chain(bound).collect();
        let fits = forms.iter().filter(|form| names.iter().all(|name| form.names.contains(*name)));
        return fits.map(|form| row(read, of, (form.pk.clone(), Some(form.sk.clone())), true)).collect();
    };
    forms.iter().filter_map(|form| in_index(context, read, of, (index, form))).collect()
}

/// The templates in an index. The attributes of an index for which no item type has templates are names of their own.
pub(super) fn in_index(
    context: &Context<'_>,
    read: &KnownRead<'_>,
    of: TypeId,
    (place, form): (usize, &KeyForm),
) -> Option<FoundRow> {
    let index = context.indexes.get(place)?;
    let declared = declared_by(context.entry(of), &index.name);
    let is_of_attributes = !context.items.iter().any(|entry| declared_by(entry, &index.name).is_some());
    let is_written = declared.is_some_and(|keys| keys.keep.writes());
    // A query reads one attribute: an item that has another spelling is not in the index.
    let mut is_kept = is_written || !index.has_spellings();
    let mut template = |attributes: &[String], own: Option<&Template>| {
        if let Some(own) = context.own_key(attributes, form) {
            return Some(own);
        }
        if let Some(own) = own {
            is_kept &= is_written;
            return Some(own.clone());
        }
        let attribute = attributes.first().filter(|_| is_of_attributes)?;
        is_kept &= context.listed_attributes(attribute).is_none_or(|listed| *listed == [attribute.clone()]);
        Template::parse(&format!("{{{attribute}}}")).ok()
    };
    let pk = template(&index.pk, declared.and_then(|keys| keys.pk.as_ref()).map(|pk| &pk.value))?;
    let sk = match &index.sk {
        Some(attributes) => Some(template(attributes, declared.and_then(|keys| keys.sk.as_ref()).map(|sk| &sk.value))?),
        None => None,
    };
    Some(row(read, of, (pk, sk), is_kept))
}

/// The templates of an item type in an index.
fn declared_by<'d>(entry: &TypeContext<'d>, index: &str) -> Option<&'d DraftIndexKeys> {
    let draft: &'d DraftItem = entry.draft;
    draft.indexes.iter().find(|keys| keys.index.value == index)
}

fn row(read: &KnownRead<'_>, of: TypeId, (pk, sk): (Template, Option<Template>), is_kept: bool) -> FoundRow {
    let has_sort = sk.is_some();
    let sk = sk.unwrap_or_default();
    let is_known = |part: &&TemplatePart| match part {
        TemplatePart::Constant(_) => true,
        TemplatePart::Name(slot) => read.is_known(&slot.name),
    };
    let sort = Template::from_parts(sk.parts().iter().take_while(is_known).cloned());
    let next = sk.slots().find(|slot| !read.is_known(&slot.name)).cloned();
    let is_whole = has_sort && next.is_none();
    FoundRow { of, pk, sk, sort, is_whole, next, is_kept }
}

/// All names of the partition are known, and each known name is at a place where it counts.
fn check_names(context: &Context<'_>, read: &KnownRead<'_>, row: &FoundRow, at: Span, mistakes: &mut Mistakes) {
    let of = context.name(row.of);
    if let Some(name) = row.pk.names().find(|name| !read.is_known(name)) {
        let message = format!("the partition key `{}` of `{of}` needs `{name}`, which `given` lacks", row.pk);
        let help = format!("add `{name}` to `given`; or, if it has one value in this read, to `where`");
        mistakes.add(Mistake::new(at, message, "in which partition?").help(help));
        return;
    }
    for slot in row.pk.slots().chain(row.sk.slots()) {
        let fixed = read.draft.fixed.iter().find(|(name, _)| name.value == slot.name);
        if let Some((_, text)) = fixed.filter(|(_, text)| slot.refuses(&text.value).is_some()) {
            let why = slot.refuses(&text.value).unwrap_or_default();
            let message = format!("`{}` is never `{}` in `{slot}`: {why}", slot.name, text.value);
            mistakes.add(Mistake::new(text.span, message, "finds nothing").help("write the value as the key has it"));
            return;
        }
    }
    let counts: BTreeSet<&str> = row.pk.names().chain(row.sort.names()).collect();
    let known = read.draft.given.iter().chain(read.draft.fixed.iter().map(|(name, _)| name));
    for name in known.filter(|name| !counts.contains(name.value.as_str())) {
        let message = match &row.next {
            Some(next) if row.sk.names().any(|own| own == name.value) => {
                format!(
                    "`{}` comes behind `{}` in `{}` of `{of}`, and that is not given",
                    name.value, next.name, row.sk
                )
            }
            Some(_) | None => format!("`{}` is not in `{}` or `{}` of `{of}`", name.value, row.pk, row.sk),
        };
        let help = "give the names of the key in its order, or remove this one";
        mistakes.add(Mistake::new(name.span, message, "has no place").help(help));
    }
}

/// No spelling of the key has all names of the read.
fn nowhere(context: &Context<'_>, read: &KnownRead<'_>, of: TypeId, at: Span) -> Mistake {
    if let Some(index) = &read.draft.index {
        let message = format!("`{}` has no keys of the index {}", context.name(of), index.value);
        let help = "give it templates of both keys of the index, or remove it from the read";
        return Mistake::new(at, message, "not in the index").help(help);
    }
    let entry = context.entry(of);
    let bound = read.draft.range.iter().chain(&read.draft.begins);
    let said = read.draft.given.iter().chain(read.draft.fixed.iter().map(|(name, _)| name)).chain(bound);
    let unknown = said.clone().find(|name| !entry.key_names.contains(&name.value));
    let known: Vec<&String> = entry.key_names.iter().collect();
    let help = match known.is_empty() {
        true => "remove the name".to_owned(),
        false => format!("the names in its key are {}; for another name, read an `index` that has it", list(&known)),
    };
    match unknown {
        Some(name) => {
            let message = format!("`{}` is not in the key of `{}`", name.value, context.name(of));
            Mistake::new(name.span, message, "has no place").help(help)
        }
        None => {
            let said: Vec<&String> = said.map(|name| &name.value).collect();
            let message = format!("no key of `{}` has {} together", context.name(of), list(&said));
            Mistake::new(at, message, "no such key").help("give the names of one spelling of the key")
        }
    }
}

/// The row with the fixed values in place of their names.
fn with_fixed(read: &KnownRead<'_>, row: FoundRow) -> FoundRow {
    let fixed = |template: &Template| {
        Template::from_parts(template.parts().iter().map(|part| match part {
            TemplatePart::Name(slot) => match read.fixed.get(&slot.name) {
                Some(text) => TemplatePart::Constant(slot.apply(text).into_owned()),
                None => part.clone(),
            },
            TemplatePart::Constant(_) => part.clone(),
        }))
    };
    let (pk, sort) = (fixed(&row.pk), fixed(&row.sort));
    FoundRow { pk, sort, ..row }
}
