//! The constraints that AWS publishes, each violated once.

use serde_json::{Value, json};

use super::data::{Service, Shape, ShapeType, service};
use super::{check, operations};
use crate::cognito::has_operation;
use crate::wire::{COGNITO, DYNAMODB, DYNAMODB_STREAMS, EVENT_BRIDGE, SQS};

const SERVICES: [&str; 5] = [COGNITO, DYNAMODB, DYNAMODB_STREAMS, EVENT_BRIDGE, SQS];

/// A value that each pattern matches.
const MATCHING: [(&str, &str); 11] = [
    (r"[\w-]+_[0-9a-zA-Z]+", "us-east-1_instep000"),
    (r"[\p{L}\p{M}\p{S}\p{N}\p{P}]+", "Füße-日本-€"),
    (r"[\p{L}\p{M}\p{S}\p{N}\p{P}\t\n\r ]+", "custom:a b"),
    (r"[\S]+", "6162"),
    (r"[a-zA-Z0-9_.-]+", "a-table"),
    (
        r"arn:[\w+=/,.@-]+:[\w+=/,.@-]+:([\w+=/,.@-]*)?:[0-9]+:[\w+=/,.@-]+(:[\w+=/,.@-]+)?(:[\w+=/,.@-]+)?",
        "arn:aws:iam::000000000000:role/r",
    ),
    (r"(arn:aws[\w-]*:events:[a-z]+-[a-z]+-[\w-]+:[0-9]{12}:event-bus\/)?[/\.\-_A-Za-z0-9]+", "instep"),
    (r"(arn:aws[\w-]*:events:[a-z]+-[a-z]+-[\w-]+:[0-9]{12}:event-bus\/)?[\.\-_A-Za-z0-9]+", "instep"),
    (r"^[A-Za-z0-9\-]+[\.][A-Za-z0-9\-]+$", "abcde.veo"),
    (r"[\w+]+", "client"),
    (r"[\w+=/]+", "hash"),
];

/// A text that no pattern matches.
const UNMATCHED: &str = "\u{7f} \u{200b}";

/// The least value of a shape that is in bounds: a structure has its required members only.
fn least(service: &Service, name: Option<&String>) -> Value {
    let Some(shape) = name.and_then(|name| service.shapes.get(name)) else { return json!("x") };
    if is_item_value(shape) {
        return json!({"S": "x"});
    }
    match shape.kind {
        ShapeType::Number => json!(shape.min.unwrap_or(1)),
        ShapeType::String => match (&shape.pattern, shape.values.first()) {
            (_, Some(value)) => json!(value),
            (Some(pattern), _) => {
                let known = MATCHING.iter().find(|(text, _)| *text == pattern.text);
                json!(known.unwrap_or_else(|| panic!("no text for {}", pattern.text)).1)
            }
            (None, None) => json!("x".repeat(usize::try_from(shape.min.unwrap_or(1).max(1)).unwrap())),
        },
        ShapeType::List => json!([least(service, shape.of.as_ref())]),
        ShapeType::Map => json!({ key(service, shape): least(service, shape.value.as_ref()) }),
        ShapeType::Structure => structure(service, shape),
    }
}

/// A key that a map can have.
fn key(service: &Service, map: &Shape) -> String {
    least(service, map.key.as_ref()).as_str().unwrap().to_owned()
}

fn structure(service: &Service, shape: &Shape) -> Value {
    let members = shape.required.iter().map(|name| (name.clone(), least(service, shape.members.get(name))));
    Value::Object(members.collect())
}

/// DynamoDB's values of attributes contain each other. Their only constraint is on names of attributes.
fn is_item_value(shape: &Shape) -> bool {
    shape.members.contains_key("M")
}

/// A request that violates one constraint, where, and what the error says of it.
struct Violation {
    operation: &'static str,
    at: String,
    must: String,
    request: Value,
}

/// Each way in which one value can be wrong, with what the error says.
fn wrong(shape: &Shape) -> Vec<(Value, String)> {
    let mut found = Vec::new();
    let text = |length: i64| "x".repeat(usize::try_from(length).unwrap());
    let list = |length: i64| vec![Value::Null; usize::try_from(length).unwrap()];
    for (bound, more, words) in [(shape.min, -1, "greater than or equal to"), (shape.max, 1, "less than or equal to")] {
        let Some(bound) = bound else { continue };
        let value = match shape.kind {
            ShapeType::Number => json!(bound + more),
            ShapeType::String if bound + more >= 0 => json!(text(bound + more)),
            ShapeType::List if bound + more >= 0 => json!(list(bound + more)),
            ShapeType::String | ShapeType::List | ShapeType::Map | ShapeType::Structure => continue,
        };
        let what = if shape.kind == ShapeType::Number { "value" } else { "length" };
        found.push((value, format!("have {what} {words} {bound}")));
    }
    if let Some(pattern) = &shape.pattern {
        found.push((json!(UNMATCHED), format!("satisfy regular expression pattern: {}", pattern.text)));
    }
    if !shape.values.is_empty() {
        found.push((json!("NEITHER"), format!("satisfy enum value set: [{}]", shape.values.join(", "))));
    }
    found
}

/// Every violation of the constraints of a request's parts.
fn violations(service: &'static Service) -> Vec<Violation> {
    let mut found = Vec::new();
    for (operation, name) in &service.operations {
        let Some(name) = name else { continue };
        for (at, must, request) in within(service, &service.shapes[name]) {
            found.push(Violation { operation, at, must, request });
        }
    }
    found
}

/// The violations of a value's parts: where, what the error says, and the value.
fn within(service: &Service, shape: &Shape) -> Vec<(String, String, Value)> {
    let mut found = Vec::new();
    if is_item_value(shape) {
        return found;
    }
    let mut part = |place: &str, of: Option<&String>, around: &dyn Fn(Value) -> Value| {
        let Some(of) = of.and_then(|of| service.shapes.get(of)) else { return };
        found.extend(wrong(of).into_iter().map(|(value, must)| (place.to_owned(), must, around(value))));
        let deeper = within(service, of).into_iter();
        found.extend(deeper.map(|(at, must, value)| (format!("{place}.{at}"), must, around(value))));
    };
    part("1.member", shape.of.as_ref(), &|value| json!([value]));
    if shape.kind == ShapeType::Map {
        let key = key(service, shape);
        part(&format!("{key}.member"), shape.value.as_ref(), &|value| json!({ key.clone(): value }));
    }
    let all = structure(service, shape);
    for (name, of) in &shape.members {
        part(&lower(name), Some(of), &|value| {
            let mut all = all.clone();
            all[name] = value;
            all
        });
    }
    for name in &shape.required {
        let mut rest = all.clone();
        rest.as_object_mut().unwrap().remove(name);
        found.push((lower(name), "not be null".to_owned(), rest));
    }
    found
}

fn lower(name: &str) -> String {
    name[..1].to_lowercase() + &name[1..]
}

/// The services refuse each violation with AWS's code and words, and accept what is in bounds.
#[test]
fn each_published_constraint_is_checked() {
    let mut count = 0;
    for prefix in SERVICES {
        let service = service(prefix).unwrap();
        for (operation, name) in &service.operations {
            let request = name.as_ref().map_or_else(|| json!({}), |name| least(service, Some(name)));
            check(prefix, operation, request.to_string().as_bytes()).unwrap();
        }
        for Violation { operation, at, must, request } in violations(service) {
            let refusal = check(prefix, operation, request.to_string().as_bytes()).unwrap_err();
            let (code, words) = match (prefix, must.as_str()) {
                (SQS, "not be null") => ("MissingParameter", format!("must contain the parameter {at}.")),
                (SQS, _) => ("InvalidAttributeName", "Unknown Attribute NEITHER.".to_owned()),
                (COGNITO, _) => {
                    ("InvalidParameterException", format!("at '{at}' failed to satisfy constraint: Member must {must}"))
                }
                _ => ("ValidationException", format!("at '{at}' failed to satisfy constraint: Member must {must}")),
            };
            assert_eq!(refusal.code, code, "{operation} {at} {must}");
            assert!(refusal.message.contains(&words), "{operation}: {} has no `{words}`", refusal.message);
            count += 1;
        }
    }
    // A constraint that is lost in the data has no violation. An update of `aws.json` changes the number.
    assert_eq!(count, 695);
}

/// Names of attributes have up to 65,535 characters, also within a value. A short request cannot have a longer one.
#[test]
fn a_name_in_an_item_is_checked_where_it_can_be_too_long() {
    let put = |length: usize| {
        let value = json!({"L": [{"M": {"n".repeat(length): {"S": "x"}}}]});
        let put = json!({"TableName": "teams", "Item": {"pk": {"S": "1"}, "a": value}});
        check(DYNAMODB, "PutItem", put.to_string().as_bytes())
    };
    put(65_535).unwrap();
    let words = "Member must have length less than or equal to 65535";
    assert!(put(65_536).unwrap_err().message.ends_with(words));
}

/// `null` is no value: neither where only its presence is checked, nor within a list or a map, nor as a request.
#[test]
fn null_is_no_value() {
    for (prefix, operation, request, at) in [
        (COGNITO, "ListGroups", json!({"UserPoolId": null}), "userPoolId"),
        (DYNAMODB, "PutItem", json!({"TableName": "a-table", "Item": null}), "item"),
        (EVENT_BRIDGE, "PutEvents", json!({"Entries": [null]}), "entries.1.member"),
    ] {
        let message = check(prefix, operation, request.to_string().as_bytes()).unwrap_err().message;
        let expected = format!("Value null at '{at}' failed to satisfy constraint: Member must not be null");
        assert!(message.contains(&expected), "{message}");
    }
    for (prefix, operation) in [(COGNITO, "ListUserPools"), (DYNAMODB, "ListTables"), (DYNAMODB, "PutItem")] {
        assert!(check(prefix, operation, b"null").is_err(), "{operation} takes `null`");
    }
}

/// A sensitive value is in no error. All violations of a request are in one error.
#[test]
fn errors_have_the_words_of_the_service() {
    let message = |prefix, operation, request: Value| {
        check(prefix, operation, request.to_string().as_bytes()).unwrap_err().message
    };
    let long = json!({"UserPoolId": "us-east-1_instep000", "Username": "two words", "GroupName": "x y",
        "UserAttributes": [{"Name": "name", "Value": "x".repeat(2049)}]});
    assert_eq!(
        message(COGNITO, "AdminCreateUser", long),
        "2 validation errors detected: Value at 'username' failed to satisfy constraint: Member must satisfy regular \
         expression pattern: [\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}]+; Value at 'userAttributes.1.member.value' failed to satisfy \
         constraint: Member must have length less than or equal to 2048"
    );
    assert_eq!(
        message(COGNITO, "ListGroups", json!({"UserPoolId": null, "Limit": 61})),
        "2 validation errors detected: Value '61' at 'limit' failed to satisfy constraint: Member must have value less \
         than or equal to 60; Value null at 'userPoolId' failed to satisfy constraint: Member must not be null"
    );
    assert_eq!(
        message(EVENT_BRIDGE, "PutEvents", json!({"Entries": []})),
        "1 validation error detected: Value at 'entries' failed to satisfy constraint: Member must have length greater \
         than or equal to 1"
    );
    let refusal = check(COGNITO, "ListGroups", br#"{"UserPoolId": 5}"#).unwrap_err();
    assert_eq!(refusal.code, "SerializationException");
}

/// What `instep check` accepts in a constant of a Cognito name is what the pattern accepts.
#[test]
fn the_model_and_the_pattern_accept_the_same_characters() {
    let pattern = service(COGNITO).unwrap().shapes["GroupNameType"].pattern.as_ref().unwrap();
    let differs = |c: &char| instep_model::is_cognito_char(*c) && !pattern.whole.is_match(&c.to_string());
    let differing: Vec<char> = ('\0'..=char::MAX).filter(differs).collect();
    // The model has no tables of unassigned characters.
    let unassigned = regex::Regex::new(r"^\p{Cn}$").unwrap();
    assert!(differing.iter().all(|c| unassigned.is_match(&c.to_string())), "{differing:?}");
}

/// The stand-in of Cognito has each operation of the data: the others are refused before it sees them.
#[test]
fn the_stand_in_has_the_operations_of_the_data() {
    let lacking: Vec<&str> = operations(COGNITO).into_iter().filter(|name| !has_operation(name)).collect();
    assert_eq!(lacking, Vec::<&str>::new());
    assert_eq!(operations("AmazonS4"), Vec::<&str>::new());
}
