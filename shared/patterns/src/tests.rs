use super::*;
use serde_json::json;

/// Patterns and events, with the answers of EventBridge's engine.
const CASES: &str = include_str!("../../../tests/contract/event-ruler/cases.txt");

fn refused(text: &str) -> String {
    Pattern::read(text).unwrap_err().to_string()
}

/// What a pattern says of events, in the words of the cases.
fn answer(pattern: &str, events: &[&str]) -> String {
    let Ok(pattern) = Pattern::read(pattern) else { return "refused".to_owned() };
    let places =
        events.iter().zip(1_usize..).filter(|(event, _)| pattern.matches(&serde_json::from_str(event).unwrap()));
    let places: Vec<String> = places.map(|(_, place)| place.to_string()).collect();
    if places.is_empty() { "none".to_owned() } else { places.join(" ") }
}

/// A pattern that works in `instep events` works in a rule, and the other way round.
#[test]
fn every_answer_is_that_of_the_engine() {
    let (mut events, mut pattern, mut pairs, mut wrong) = (Vec::new(), "", 0, String::new());
    for line in CASES.lines() {
        if line.starts_with('#') {
            events.clear();
        } else if let Some(event) = line.strip_prefix("event ") {
            events.push(event);
        } else if let Some(text) = line.strip_prefix("pattern ") {
            pattern = text;
        } else if let Some(expected) = line.strip_prefix("answer ") {
            let found = answer(pattern, &events);
            pairs += events.len();
            if found != expected {
                wrong.push_str(&format!("{pattern}: {found}, and the engine says {expected}\n"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(pairs > 300, "{pairs} pairs");
}

#[test]
fn a_wrong_pattern_says_where() {
    assert_eq!(refused(r#"{"detail": {"role": "admin"}}"#), "`detail.role` is no list of values");
    assert_eq!(
        refused(r#"{"detail": {"role": [{"begins": "a"}]}}"#),
        "`detail.role` has no such test: {\"begins\": \"a\"}"
    );
    assert_eq!(refused(r#"{"detail": {}}"#), "`detail` tests nothing");
    assert_eq!(refused(r#"{"$or": [{"source": ["a"]}]}"#), "`$or` is no list of two or more patterns");
    // The engine takes this for a field of that name, as before it had `$or`.
    assert_eq!(refused(r#"{"$or": {"source": ["a"]}}"#), "`$or` is no list of two or more patterns");
    assert_eq!(refused(r#"{"$or": [{"a": [1]}, {"cidr": [1]}]}"#), "`cidr` cannot be a field in `$or`");
    assert!(refused("granted").starts_with("the pattern is no JSON"));
}

/// Limits that the service has, and its published engine has not.
#[test]
fn what_the_service_does_not_take_is_refused() {
    let of_length = |length: usize| {
        let around = r#"{"source": [""]}"#;
        around.replace(r#""""#, &format!("\"{}\"", "é".repeat(length - around.len())))
    };
    assert!(Pattern::read(&of_length(2_048)).is_ok());
    assert_eq!(refused(&of_length(2_049)), "the pattern has 2049 characters: EventBridge takes 2048");
    for limit in ["5000000001", "-5.1e9"] {
        for test in [format!(r#"{{"numeric": ["<", {limit}]}}"#), format!(r#"{{"anything-but": {limit}}}"#)] {
            let error = Pattern::read(&format!(r#"{{"n": [{test}]}}"#)).unwrap_err();
            assert_eq!(error.help(), "EventBridge compares numbers from -5e9 to 5e9, of up to 15 digits");
        }
    }
    let branches = (0..11).map(|n| format!(r#""f{n}": {{"$or": [{{"a": [1]}}, {{"b": [2]}}]}}"#)).collect::<Vec<_>>();
    assert_eq!(refused(&format!("{{{}}}", branches.join(", "))), "`f9.$or` makes more than 1000 combinations");
    let choice = |name: &str, most: usize| {
        let ways = (0..most).map(|n| format!(r#"{{"{name}": [{n}]}}"#)).collect::<Vec<_>>();
        format!(r#"{{"$or": [{}]}}"#, ways.join(", "))
    };
    let ways = |most| format!(r#"{{"a": {}, "b": {}}}"#, choice("x", 20), choice("y", most));
    assert!(Pattern::read(&ways(50)).is_ok());
    assert_eq!(refused(&ways(51)), "`b.$or` makes more than 1000 combinations");
}

/// The bits of an address behind the mask do not count.
#[test]
fn a_mask_leaves_the_rest_of_an_address_out() {
    let event = |address: &str| json!({ "ip": address }).to_string();
    let (first, last, next) = (event("10.0.0.0"), event("10.0.0.255"), event("10.0.1.0"));
    assert_eq!(answer(r#"{"ip": [{"cidr": "10.0.0.5/24"}]}"#, &[&first, &last, &next]), "1 2");
}

#[test]
fn a_pattern_knows_what_it_tests() {
    let pattern = Pattern::read(&json!({"$or": [{"detail-type": ["a"]}, {"detail": {"b": [1]}}]}).to_string()).unwrap();
    assert!(pattern.has("detail-type") && pattern.has("detail") && !pattern.has("source") && !pattern.has("det"));
}
