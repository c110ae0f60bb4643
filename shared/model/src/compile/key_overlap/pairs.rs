//! Pairs of forms that may match one key, as far as the constants at their beginnings say. Of
//! thousands of forms few do.

use std::collections::BTreeMap;

use crate::model::KeyForm;
use crate::template::Template;

/// The places of forms, by the constant at the beginning of one of their templates.
type Places<'a> = BTreeMap<&'a str, Vec<usize>>;

/// Every pair of places whose forms may match one key, the lower place first, in order.
pub(in crate::compile) fn pairs(forms: &[&KeyForm]) -> Vec<(usize, usize)> {
    let (mut by_pk, mut by_sk): (Places<'_>, Places<'_>) = (BTreeMap::new(), BTreeMap::new());
    for (place, form) in forms.iter().enumerate() {
        by_pk.entry(form.pk.leading_constant()).or_default().push(place);
        by_sk.entry(form.sk.leading_constant()).or_default().push(place);
    }
    let mut found = Vec::new();
    for (place, form) in forms.iter().enumerate() {
        let (pk, sk) = (like(&by_pk, &form.pk), like(&by_sk, &form.sk));
        let count = |lists: &[&Vec<usize>]| lists.iter().map(|list| list.len()).sum::<usize>();
        let fewer = if count(&pk) <= count(&sk) { pk } else { sk };
        let later = fewer.into_iter().flatten().copied().filter(|other| *other > place);
        let may = |other: &usize| {
            forms.get(*other).is_some_and(|other| may_be_one(&form.pk, &other.pk) && may_be_one(&form.sk, &other.sk))
        };
        let mut others: Vec<usize> = later.filter(may).collect();
        others.sort_unstable();
        found.extend(others.into_iter().map(|other| (place, other)));
    }
    found
}

/// The lists of places whose constant begins that of the template, or begins with it.
fn like<'a>(places: &'a Places<'a>, template: &'a Template) -> Vec<&'a Vec<usize>> {
    let constant = template.leading_constant();
    let ends = constant.char_indices().map(|(at, _)| at);
    let shorter = ends.filter_map(|end| places.get(constant.get(..end)?));
    let longer = places.range(constant..).take_while(|(other, _)| other.starts_with(constant)).map(|(_, list)| list);
    shorter.chain(longer).collect()
}

fn may_be_one(one: &Template, other: &Template) -> bool {
    let (one, other) = (one.leading_constant(), other.leading_constant());
    one.starts_with(other) || other.starts_with(one)
}
