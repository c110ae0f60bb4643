//! Model files: any text is a model, or has errors with places. An accepted model keeps its
//! promises.

#![cfg_attr(feature = "libfuzzer", no_main)]

use std::fmt::Write as _;

use fuzz::designs::FuzzDesign;
use fuzz::flow::follow;
use fuzz::notes;
use instep_flow::filter::PATTERNS_MAX;
use instep_model::{Identity, Item, Key, Model, ModelErrors, Names, Object, TypeId, Value, describe};
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};

fuzz::target!("model", check, further: ["shared/model/models", "shared/model/tests/refusals"], mutations: 1_000);

/// Values for names.
const TEXTS: [&str; 5] = ["1", "a", "A@b.example", "urn:a:b::c", "/x"];

/// The maximum length of a filter's pattern. Source: AWS Lambda API Reference, Filter.
const PATTERN_CHARS_MAX: usize = 4_096;

fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match Model::parse("model.toml", &text) {
        Ok(model) => keeps_its_promises(model),
        Err(errors) => say_where(&errors),
    }
}

fn say_where(errors: &ModelErrors) {
    assert!(!errors.problems().is_empty());
    for problem in errors.problems() {
        let place: Vec<&str> = problem.place().rsplitn(3, ':').collect();
        let is_number = |text: &&str| text.parse::<usize>().is_ok();
        let has_place = place.len() == 3 && place.iter().take(2).all(is_number);
        assert!(has_place, "no place: {}", problem.place());
    }
    let mut shown = String::new();
    let handler = miette::NarratableReportHandler::new();
    assert!(handler.render_report(&mut shown, errors).is_ok());
    assert!(write!(shown, "{errors}").is_ok());
}

fn keeps_its_promises(model: Model) {
    assert!(!describe(&model).is_empty());
    let design = FuzzDesign::of(model);
    for pattern in design.filters.iter().flat_map(|filter| {
        assert!(filter.patterns().len() <= PATTERNS_MAX);
        filter.patterns()
    }) {
        assert!(pattern.len() <= PATTERN_CHARS_MAX, "a pattern that Lambda does not take: {pattern}");
    }
    let model = &design.model;
    let (mut records, mut objects) = (Vec::new(), Vec::new());
    for (place, item) in model.items.iter().enumerate() {
        for (form, text) in item.forms.iter().flat_map(|form| TEXTS.map(|text| (form, text))) {
            let names: Names = form.names.iter().map(|name| (name.clone(), filled(model, name, text, 0))).collect();
            let object = Object { of: TypeId(place), names };
            for key in model.keys(&object).unwrap_or_default() {
                let read = model.identify(&key);
                assert!(
                    matches!(&read, Identity::Item { object: same, .. } if *same == object),
                    "{object:?} is {read:?}"
                );
                records.extend(written(model, &object, &key, records.len()));
                objects.push(object.clone());
            }
        }
    }
    notes::assert_distinct(model, &objects);
    // Some items of each type, so that they refer to each other.
    for batch in records.chunks(8).take(8) {
        follow(&design, batch);
    }
}

/// A value that a name may have: one of its closed set, one of its shape, or any.
fn filled(model: &Model, name: &str, text: &str, depth: usize) -> String {
    let base = name.rsplit('.').next().unwrap_or(name);
    let of_types = model.items.iter().find_map(|item| item.values.get(name).or_else(|| item.values.get(base)));
    let rule = model.names.get(base);
    if let Some(value) = of_types.or_else(|| rule.map(|rule| &rule.values)).and_then(|values| values.first()) {
        return value.clone();
    }
    let like = rule.and_then(|rule| rule.like.as_ref()).filter(|_| depth < 4);
    let shaped = like.and_then(|like| like.render(&|inner| Some(filled(model, inner, text, depth + 1))).ok());
    shaped.unwrap_or_else(|| text.to_owned())
}

/// The record of a new item, with this text in every attribute that the model reads.
fn written(model: &Model, object: &Object, key: &Key, sequence: usize) -> Option<Box<RawValue>> {
    let item = model.item(object.of);
    let mut image: Item = item.attributes.iter().map(|name| (name.clone(), Value::S("a".to_owned()))).collect();
    for (_, link) in model.links_from(object.of) {
        for name in link.names.values().flat_map(|template| template.names()) {
            let text = filled(model, name, "1", 0);
            image.extend(model.attributes_of(name).into_iter().map(|name| (name, Value::S(text.clone()))));
        }
    }
    let keys = Item::from([
        (model.table.pk.clone(), Value::S(key.pk.clone())),
        (model.table.sk.clone(), Value::S(key.sk.clone())),
    ]);
    image.extend(keys.clone());
    let body = json!({"Keys": keys, "NewImage": image, "SequenceNumber": (sequence + 1).to_string()});
    to_raw_value(&json!({"eventName": "INSERT", "dynamodb": body})).ok()
}
