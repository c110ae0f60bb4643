//! Key forms, and the order in which item types are tried: the narrower first.

use crate::errors::{Mistake, Mistakes};
use crate::file::{Draft, DraftItem};
use crate::matching::Texts;
use crate::model::{Key, KeyForm};
use crate::source::{At, Span};
use crate::template::Template;

use super::names::Rules;
use super::overlap::{contains, witness};

/// A key form and where it is written.
#[derive(Debug, Clone)]
pub(super) struct Form {
    pub(super) form: KeyForm,
    pub(super) pk: Span,
    pub(super) sk: Span,
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
    Overlap(Key),
}

/// Item types in the order in which they are tried, each with its forms, as positions in the draft.
/// `None` if there is no such order.
pub(super) fn order(draft: &Draft, rules: &Rules, mistakes: &mut Mistakes) -> Option<Vec<(usize, Vec<Form>)>> {
    for item in draft.items.iter().filter(|item| item.pk.len().saturating_mul(item.sk.len()) > FORMS_MAX) {
        let message = format!("`{}` has more than {FORMS_MAX} forms of its key", item.name.value);
        let help = "each `pk` combines with each `sk`: remove spellings, or split it into two item types";
        mistakes.add(Mistake::new(item.name.span, message, "here").help(help));
    }
    if !mistakes.is_empty() {
        return None;
    }
    let forms: Vec<Vec<Form>> = draft.items.iter().map(forms).collect();
    let typed: Vec<(Texts<'_>, &DraftItem, &Vec<Form>)> =
        draft.items.iter().zip(&forms).map(|(item, forms)| (rules.texts(&item.name.value), item, forms)).collect();
    // `before[a]` contains every b that must be tried after a.
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); forms.len()];
    for (one_place, one) in typed.iter().enumerate() {
        check_own(one, mistakes);
        for (other_place, other) in typed.iter().enumerate().skip(one_place + 1) {
            for (first, second) in one.2.iter().flat_map(|first| other.2.iter().map(move |second| (first, second))) {
                match relation(&one.0, &first.form, &other.0, &second.form) {
                    Relation::Apart => {}
                    Relation::FirstNarrower => push(&mut before, one_place, other_place),
                    Relation::SecondNarrower => push(&mut before, other_place, one_place),
                    Relation::Overlap(key) => mistakes.add(ambiguous((one.1, first), (other.1, second), &key)),
                }
            }
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
            format!("`{}` is narrower than another item type in one form and wider in another", item.name.value);
        let help = "split it into two item types: no order of matching is right for all their keys";
        mistakes.add(Mistake::new(item.name.span, message, "here").help(help));
        return None;
    }
    let mut forms: Vec<Option<Vec<Form>>> = forms.into_iter().map(Some).collect();
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
    let mut sorted: Vec<usize> = Vec::new();
    // This ends: every round places one more, or is the last.
    loop {
        let free = (0..before.len()).find(|place| {
            let must_wait = |(other, after): (usize, &Vec<usize>)| !sorted.contains(&other) && after.contains(place);
            !sorted.contains(place) && !before.iter().enumerate().any(must_wait)
        });
        match free {
            Some(place) => sorted.push(place),
            None => return sorted,
        }
    }
}

/// The product of an item type's partition and sort key templates.
fn forms(item: &DraftItem) -> Vec<Form> {
    let pairs = item.pk.iter().flat_map(|pk| item.sk.iter().map(move |sk| (pk, sk)));
    let form = |(pk, sk): (&At<Template>, &At<Template>)| {
        let names = pk.value.names().chain(sk.value.names()).map(str::to_owned).collect();
        Form { form: KeyForm { pk: pk.value.clone(), sk: sk.value.clone(), names }, pk: pk.span, sk: sk.span }
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

/// Two forms of one item type must not match the same key: the key would have two identities.
fn check_own((texts, item, forms): &(Texts<'_>, &DraftItem, &Vec<Form>), mistakes: &mut Mistakes) {
    for (place, first) in forms.iter().enumerate() {
        for second in forms.iter().skip(place + 1) {
            if let Some(key) = witness(texts, &first.form, texts, &second.form) {
                mistakes.add(ambiguous((item, first), (item, second), &key));
            }
        }
    }
}

fn ambiguous(one: (&DraftItem, &Form), other: (&DraftItem, &Form), key: &Key) -> Mistake {
    let (first, second) = (&one.0.name.value, &other.0.name.value);
    let message = if first == second {
        format!("two forms of `{first}` match the same key")
    } else {
        format!("`{first}` and `{second}` match the same key, and neither is narrower")
    };
    // If the partition keys are alike, the sort keys are what must be fixed.
    let at = |form: &Form| if one.1.form.pk == other.1.form.pk { form.sk } else { form.pk };
    Mistake::new(at(other.1), message, format!("`{}` / `{}`", other.1.form.pk, other.1.form.sk))
        .also(at(one.1), format!("`{}` / `{}`", one.1.form.pk, one.1.form.sk))
        .help(format!(
            "the key `{}` / `{}` matches both: give one of them another constant, or a name a closed set",
            key.pk, key.sk
        ))
}
