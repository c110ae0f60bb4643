//! Key forms, and the order in which item types are tried: the narrower first.

mod contains;
mod pairs;
mod witness;

use std::collections::BTreeSet;

use crate::errors::{Mistake, Mistakes};
use crate::file::{DraftItem, DraftModel};
use crate::matching::Texts;
use crate::model::KeyForm;
use crate::source::{Located, Span};
use crate::template::{Slot, Template, base};

use super::names::NameRules;
use contains::contains;

pub(super) use pairs::pairs;
use witness::Witness;
pub(super) use witness::witness;

/// A key form and where it is written.
#[derive(Debug, Clone)]
pub(in crate::compile) struct SpannedForm {
    pub(in crate::compile) form: KeyForm,
    pub(in crate::compile) pk: Span,
    pub(in crate::compile) sk: Span,
}

/// The maximum number of forms of one item type. Each form is compared with each form of every
/// other type.
const FORMS_MAX: usize = 16;

/// How the keys of two forms relate.
#[derive(Debug, PartialEq, Eq)]
enum Relation {
    Apart,
    FirstNarrower,
    SecondNarrower,
    /// Both match this key, and neither is narrower.
    Overlap(Witness),
}

/// Item types in the order in which they are tried, each with its forms, as positions in the draft.
/// `None` if there is no such order.
pub(in crate::compile) fn order(
    draft: &DraftModel,
    rules: &NameRules,
    mistakes: &mut Mistakes,
) -> Option<Vec<(usize, Vec<SpannedForm>)>> {
    for item in draft.items.iter().filter(|item| item.pk.len().saturating_mul(item.sk.len()) > FORMS_MAX) {
        let message = format!("`{}` has more than {FORMS_MAX} spellings of its key", item.name.value);
        let help = "each `pk` combines with each `sk`: remove spellings, or split it into two item types";
        mistakes.add(Mistake::new(item.name.span, message, "here").help(help));
    }
    if !mistakes.is_empty() {
        return None;
    }
    let forms: Vec<Vec<SpannedForm>> = draft.items.iter().map(forms).collect();
    let typed: Vec<(Texts<'_>, &DraftItem, &Vec<SpannedForm>)> =
        draft.items.iter().zip(&forms).map(|(item, forms)| (rules.texts(&item.name.value), item, forms)).collect();
    // `before[a]` contains every b that must be tried after a.
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); forms.len()];
    for one in &typed {
        check_own(one, mistakes);
        check_lower(one, mistakes);
    }
    let all: Vec<(usize, &SpannedForm)> =
        forms.iter().enumerate().flat_map(|(place, forms)| forms.iter().map(move |form| (place, form))).collect();
    for (first, second) in pairs(&all.iter().map(|(_, form)| &form.form).collect::<Vec<_>>()) {
        let (Some((one_place, first)), Some((other_place, second))) = (all.get(first), all.get(second)) else {
            continue;
        };
        let (Some(one), Some(other)) = (typed.get(*one_place), typed.get(*other_place)) else { continue };
        // No item has the key of a value.
        if one_place == other_place || [one, other].iter().any(|of| of.1.user_value.is_some()) {
            continue;
        }
        match relation(&one.0, &first.form, &other.0, &second.form) {
            Relation::Apart => {}
            Relation::FirstNarrower => push(&mut before, *one_place, *other_place),
            Relation::SecondNarrower => push(&mut before, *other_place, *one_place),
            Relation::Overlap(found) => mistakes.add(ambiguous((one.1, first), (other.1, second), &found)),
        }
    }
    if !mistakes.is_empty() {
        return None;
    }
    let sorted = sort(&before);
    if sorted.len() < forms.len() {
        let stuck = (0..forms.len()).find(|place| !sorted.contains(place));
        let item = stuck.and_then(|place| draft.items.get(place))?;
        let message =
            format!("`{}` is narrower than another item type in one spelling and wider in another", item.name.value);
        let help = "split it into two item types: no order of matching is right for all their keys";
        mistakes.add(Mistake::new(item.name.span, message, "here").help(help));
        return None;
    }
    let mut forms: Vec<Option<Vec<SpannedForm>>> = forms.into_iter().map(Some).collect();
    sorted.into_iter().map(|place| Some((place, forms.get_mut(place)?.take()?))).collect()
}

fn push(before: &mut [Vec<usize>], first: usize, then: usize) {
    if let Some(list) = before.get_mut(first)
        && !list.contains(&then)
    {
        list.push(then);
    }
}

/// Sorts positions so that each precedes those that must follow it. The order of the others stays.
fn sort(before: &[Vec<usize>]) -> Vec<usize> {
    let mut waits = vec![0_usize; before.len()];
    for then in before.iter().flatten() {
        waits.get_mut(*then).into_iter().for_each(|count| *count += 1);
    }
    let mut free: BTreeSet<usize> = (0..before.len()).filter(|place| waits.get(*place) == Some(&0)).collect();
    let mut sorted: Vec<usize> = Vec::new();
    // This ends: every round places one more.
    while let Some(place) = free.pop_first() {
        sorted.push(place);
        for then in before.get(place).into_iter().flatten() {
            if let Some(count) = waits.get_mut(*then) {
                *count -= 1;
                free.extend((*count == 0).then_some(*then));
            }
        }
    }
    sorted
}

/// The product of an item type's partition and sort key templates.
fn forms(item: &DraftItem) -> Vec<SpannedForm> {
    let pairs = item.pk.iter().flat_map(|pk| item.sk.iter().map(move |sk| (pk, sk)));
    let form = |(pk, sk): (&Located<Template>, &Located<Template>)| {
        let names = pk.value.names().chain(sk.value.names()).map(str::to_owned).collect();
        SpannedForm { form: KeyForm { pk: pk.value.clone(), sk: sk.value.clone(), names }, pk: pk.span, sk: sk.span }
    };
    pairs.map(form).collect()
}

fn relation(one: &Texts<'_>, first: &KeyForm, other: &Texts<'_>, second: &KeyForm) -> Relation {
    let narrower = contains(other, second, one, first);
    let wider = contains(one, first, other, second);
    match (narrower, wider) {
        (true, false) => Relation::FirstNarrower,
        (false, true) => Relation::SecondNarrower,
        (false, false) | (true, true) => witness(one, first, other, second).map_or(Relation::Apart, Relation::Overlap),
    }
}

/// How to say which texts a name of the templates that differ can have.
fn narrowed(one: &KeyForm, other: &KeyForm) -> String {
    let differing = if one.pk == other.pk { [&one.sk, &other.sk] } else { [&one.pk, &other.pk] };
    let name = differing.into_iter().find_map(|template| template.names().map(base).next()).unwrap_or_default();
    let like = format!("{name} = {{ like = \"{}-{{rest}}\" }}", name.to_lowercase());
    format!("give a name fixed values or a shape, such as `{like}` under `[names]`")
}

/// Two forms of one item type must not match the same key: the key would have two identities.
fn check_own((texts, item, forms): &(Texts<'_>, &DraftItem, &Vec<SpannedForm>), mistakes: &mut Mistakes) {
    for (place, first) in forms.iter().enumerate() {
        for second in forms.iter().skip(place + 1) {
            if let Some(found) = witness(texts, &first.form, texts, &second.form) {
                mistakes.add(ambiguous((item, first), (item, second), &found));
            }
        }
    }
}

/// A name is in lower case in all forms of a key or in none, and so it is padded. Otherwise one form
/// would have values that another cannot write.
fn check_lower((_, item, forms): &(Texts<'_>, &DraftItem, &Vec<SpannedForm>), mistakes: &mut Mistakes) {
    let Some((first, others)) = forms.split_first() else { return };
    for second in others {
        for name in first.form.names.intersection(&second.form.names) {
            let of = |form: &SpannedForm, is: fn(&Slot) -> bool| slots(form).any(|slot| slot.name == *name && is(slot));
            let differ = |is: fn(&Slot) -> bool| of(first, is) != of(second, is);
            let pads = slots(first).chain(slots(second)).filter(|slot| slot.name == *name);
            let (written, what) = if differ(|slot| slot.lower) {
                (format!("{{{name}|lower}}"), "in lower case")
            } else if let Some(width) = pads.filter_map(|slot| slot.pad).next()
                && differ(|slot| slot.pad.is_some())
            {
                (format!("{{{name}|pad:{width}}}"), "a padded number")
            } else {
                continue;
            };
            let message = format!("`{name}` is {what} in one spelling of the key of `{}` only", item.name.value);
            let mistake = Mistake::new(second.pk, message, format!("`{}` / `{}`", second.form.pk, second.form.sk))
                .also(first.pk, format!("`{}` / `{}`", first.form.pk, first.form.sk));
            mistakes.add(mistake.help(format!("write `{written}` in both, or in neither")));
            return;
        }
    }
}

fn slots(form: &SpannedForm) -> impl Iterator<Item = &Slot> {
    form.form.slots()
}

fn ambiguous(one: (&DraftItem, &SpannedForm), other: (&DraftItem, &SpannedForm), found: &Witness) -> Mistake {
    let (first, second) = (&one.0.name.value, &other.0.name.value);
    let may = if found.is_sure { "" } else { "may " };
    let message = if first == second {
        format!("two spellings of `{first}` {may}match the same key")
    } else {
        format!("`{first}` and `{second}` {may}match the same key, and neither is narrower")
    };
    // If the partition keys are alike, the sort keys are what must be fixed.
    let at = |form: &SpannedForm| if one.1.form.pk == other.1.form.pk { form.sk } else { form.pk };
    let key = format!("`{}` / `{}`", found.key.pk, found.key.sk);
    let matches = if found.is_sure {
        format!("the key {key} matches both")
    } else {
        format!("a key such as {key} may match both")
    };
    Mistake::new(at(other.1), message, format!("`{}` / `{}`", other.1.form.pk, other.1.form.sk))
        .also(at(one.1), format!("`{}` / `{}`", one.1.form.pk, one.1.form.sk))
        .help(format!("{matches}: change a constant in one of them, or {}", narrowed(&one.1.form, &other.1.form)))
}
