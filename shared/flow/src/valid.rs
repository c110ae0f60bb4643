//! Checks that a change asks for nothing impossible: numbers that DynamoDB can store, attributes of
//! the right type, names that Cognito accepts.

use instep_model::{Item, Model, Object, PRECEDENCE_MAX, Roles, Value, end, first_value, is_too_far, value_at};

use crate::change::{Change, NOT_CANONICAL, Reject};
use crate::group_settings::refused_precedence;
use crate::{due, implied};

/// The maximum number of significant digits of a DynamoDB number.
/// Source: Amazon DynamoDB Developer Guide, "Supported data types".
const NUMBER_DIGITS_MAX: usize = 38;

/// The exponents of a DynamoDB number. Source: as above.
const NUMBER_EXPONENT: std::ops::RangeInclusive<i64> = -130..=125;

/// Refuses numbers that DynamoDB cannot store.
///
/// # Errors
/// The attribute with such a number.
pub fn numbers(image: &Item) -> Result<(), Reject> {
    for (name, value) in image {
        if !value_numbers(value) {
            let reason = format!("`{name}` has a number that DynamoDB cannot store (38 digits, 1E-130 to 9.9E+125)");
            return Err(Reject::new("bad-number", reason));
        }
    }
    Ok(())
}

fn value_numbers(value: &Value) -> bool {
    match value {
        Value::N(text) => is_number(text),
        Value::Ns(texts) => texts.iter().all(|text| is_number(text)),
        Value::L(values) => values.iter().all(value_numbers),
        Value::M(values) => values.values().all(value_numbers),
        Value::S(_) | Value::B(_) | Value::Bool(_) | Value::Null(_) | Value::Ss(_) | Value::Bs(_) => true,
    }
}

/// Whether DynamoDB can store `text` as a number.
#[must_use]
pub fn is_number(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => match exponent.parse::<i64>() {
            Ok(exponent) => (mantissa, exponent),
            Err(_) => return false,
        },
        None => (unsigned, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() || !whole.bytes().chain(fraction.bytes()).all(|b| b.is_ascii_digit()) {
        return false;
    }
    let digits: String = [whole, fraction].concat();
    let leading = digits.len() - digits.trim_start_matches('0').len();
    let significant = digits.trim_matches('0');
    if significant.is_empty() {
        return true;
    }
    let (Ok(whole_len), Ok(leading)) = (i64::try_from(whole.len()), i64::try_from(leading)) else { return false };
    significant.len() <= NUMBER_DIGITS_MAX && NUMBER_EXPONENT.contains(&(whole_len - leading - 1 + exponent))
}

/// Refuses a change that asks for something impossible. Only the new image is checked: a record
/// that fixes a bad item must pass.
pub(crate) fn change(model: &Model, change: &Change, canonical: bool) -> Result<(), Reject> {
    let ty = model.item(change.object.of);
    if !canonical {
        let reason = format!(
            "the key of this {} is not in lower case, so it would share its Cognito name with another item: \
             write the item under the lower-case key and delete this one",
            ty.name
        );
        return Err(Reject::new(NOT_CANONICAL, reason));
    }
    change.new.as_ref().map_or(Ok(()), |new| item(model, &change.object, new))
}

/// Refuses an item that asks for something impossible. It depends on the item alone: such an item grants nothing,
/// whichever run reads it.
///
/// # Errors
/// What is impossible.
pub fn item(model: &Model, object: &Object, new: &Item) -> Result<(), Reject> {
    let ty = model.item(object.of);
    if let Some(grant) = &ty.grant {
        if let Roles::Attribute(spellings) = &grant.roles {
            roles(new, spellings)?;
        }
        if let Some(why) = implied::refused_role(model, object, new) {
            return Err(Reject::new("wrong-value", why));
        }
        for name in grant.from.iter().chain(&grant.until) {
            if let Some(value) = value_at(new, name).filter(|value| !value.is_empty()) {
                time(name, value)?;
            }
        }
    }
    for due in &ty.due {
        if let Some(value) = due::time_of(model, object, new, due) {
            time(&due.at, &value)?;
        }
    }
    texts(model, object, new)?;
    let unwritable = implied::unwritable_claim(model, object, new)
        .or_else(|| implied::unwritable_reference(model, object, new))
        .or_else(|| implied::owner(model, object, new).and_then(|owner| model.keys(&owner).err()));
    if let Some(error) = unwritable {
        let reason = format!("this {} asks for an item that cannot exist: {error}; write it without that", ty.name);
        return Err(Reject::new("wrong-value", reason));
    }
    if let Some(sources) = refused_precedence(model, object, new) {
        let reason = format!(
            "{sources}: the precedence of a Cognito group is a whole number from 0 to {PRECEDENCE_MAX}; write one, or none"
        );
        return Err(Reject::new("wrong-value", reason));
    }
    match implied::refused_names(model, object, new).into_iter().next() {
        Some(error) => {
            let reason = format!("this {} asks for what Cognito cannot take: {error}; write it without that", ty.name);
            Err(Reject::new("cognito-name", reason))
        }
        None => Ok(()),
    }
}

/// Refuses what is no time, and a time that is too far ahead.
fn time(name: &str, value: &Value) -> Result<(), Reject> {
    let fix =
        "write it as RFC 3339 (`2026-01-31T09:00:00Z`), as a date (`2026-01-31`) or in epoch seconds of ten digits";
    let Some(at) = end(value) else {
        return Err(Reject::new("wrong-type", format!("`{name}` is not a time: {fix}")));
    };
    if is_too_far(at) {
        let reason = format!("`{name}` is in the year 2200 or later: write an earlier time, or none");
        return Err(Reject::new("wrong-value", reason));
    }
    Ok(())
}

fn roles(new: &Item, spellings: &[String]) -> Result<(), Reject> {
    let Some((name, value)) = first_value(new, spellings) else { return Ok(()) };
    if value.texts().is_none() {
        let other = if matches!(value, Value::L(_)) { ", and not all in it are strings" } else { "" };
        let type_name = value.type_name();
        let reason = format!("`{name}` is of type {type_name}{other}: roles are a string, or a list or set of strings");
        return Err(Reject::new("wrong-type", reason));
    }
    Ok(())
}

/// Refuses attributes whose values cannot become part of a name.
fn texts(model: &Model, object: &Object, new: &Item) -> Result<(), Reject> {
    let lists = implied::lists(model, object.of);
    for path in lists.iter().flat_map(|name| model.attributes_of(name)) {
        if let Some(value) = value_at(new, &path).filter(|value| value.texts().is_none()) {
            let type_name = value.type_name();
            let reason =
                format!("`{path}` is of type {type_name}: the model needs a string, or a list or set of strings");
            return Err(Reject::new("wrong-type", reason));
        }
    }
    let (of, names) = (object.of, &object.names);
    let mut read = implied::names_read(model, of).into_iter().chain(implied::names_shown(model, of));
    if let Some((path, value)) = read.find_map(|name| model.no_text(of, names, new, name)) {
        let type_name = value.type_name();
        let reason = format!("`{path}` is of type {type_name}: the model needs one string, number or boolean there");
        return Err(Reject::new("wrong-type", reason));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = r#"
model = "own"
table = { pk = "pk", sk = "sk" }
[names.kind]
attribute = ["kind"]
[names.title]
attribute = ["title"]
[items.Team]
pk = "T#{teamId}"
sk = "T"
entity = "Team{kind}"
[items.Membership]
pk = "T#{teamId}"
sk = "M#{userId}"
entity = "{kind}"
id = "{title}"
"#;

    /// Promise 6: what a backfill sends of an item that is too large for a message is refused for the same reason as
    /// the whole item.
    #[test]
    fn the_part_that_a_backfill_sends_is_valid_if_the_item_is() {
        let model = Model::parse("own.toml", MODEL).unwrap();
        let text = |text: &str| Value::S(text.to_owned());
        let mut refused = 0;
        for (sk, bad) in [("T", "kind"), ("M#1", "kind"), ("M#1", "title"), ("T", "note")] {
            for value in [text("x"), Value::M(Item::new())] {
                let attributes = [("pk", text("T#1")), ("sk", text(sk)), (bad, value)];
                let whole = Item::from(attributes.map(|(name, value)| (name.to_owned(), value)));
                let key = model.table.key_of(&whole).unwrap();
                let instep_model::Identity::Item { object, .. } = model.identify(&key) else { panic!("{key:?}") };
                let valid = item(&model, &object, &whole);
                refused += usize::from(valid.is_err());
                assert_eq!(item(&model, &object, &implied::needed_item(&model, &whole)), valid, "{whole:?}");
            }
        }
        assert_eq!(refused, 3);
    }

    /// Promise 2: a run that reads a part of an item refuses it for the same reason as one that reads it whole.
    #[test]
    fn the_part_that_a_run_reads_is_valid_if_the_item_is() {
        let own = Model::parse("own.toml", MODEL).unwrap();
        let shipped = instep_model::shipped_names().iter().filter_map(|name| Model::shipped(name));
        let mut refused = 0;
        for model in shipped.chain([own]) {
            for of in (0..model.items.len()).map(instep_model::TypeId) {
                let read = implied::attributes_read(&model, of);
                let forms = &model.item(of).forms;
                let names = forms.iter().flat_map(|form| &form.names).map(|name| (name.clone(), "x".to_owned()));
                let object = Object { of, names: names.collect() };
                let shown = implied::names_shown(&model, of);
                let listed = shown.iter().flat_map(|name| model.attributes_of(name));
                let attributes = listed.map(|path| instep_model::attribute_of(&path).to_owned()).chain(read.clone());
                for attribute in attributes {
                    let inner = ["tenant", "x"].map(|name| (name.to_owned(), Value::L(vec![])));
                    let whole = Item::from([(attribute, Value::M(inner.into()))]);
                    let mut part = whole.clone();
                    part.retain(|name, _| read.contains(name));
                    let valid = item(&model, &object, &whole);
                    refused += usize::from(valid.is_err());
                    assert_eq!(item(&model, &object, &part), valid, "{} {whole:?}", model.item(of).name);
                }
            }
        }
        assert!(refused > 10, "{refused}");
    }
}
