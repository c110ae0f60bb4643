use super::*;
use serde_json::json;

fn matches(pattern: &Value, event: &Value) -> bool {
    Pattern::read(&pattern.to_string()).unwrap().matches(event)
}

#[test]
fn operators_mean_what_the_service_says() {
    let event = json!({"source": "a.b", "detail": {
        "role": "admin", "n": 5, "list": ["x", ["y"]], "flag": false, "nil": null, "empty": [],
        "lines": [{"sku": "a", "count": 1}, {"sku": "b", "count": 2}]}});
    for (detail, expected) in [
        (json!({"role": ["reader", "admin"]}), true),
        (json!({"role": ["reader"]}), false),
        (json!({"role": [{"prefix": "ad"}], "n": [5]}), true),
        (json!({"role": [{"prefix": {"equals-ignore-case": "AD"}}]}), true),
        (json!({"role": [{"suffix": "min"}], "n": [6]}), false),
        (json!({"role": [{"equals-ignore-case": "ADMIN"}]}), true),
        (json!({"role": [{"wildcard": "a*m*n"}]}), true),
        (json!({"role": [{"wildcard": "a*x"}]}), false),
        (json!({"role": [{"anything-but": ["reader"]}]}), true),
        (json!({"role": [{"anything-but": "admin"}]}), false),
        (json!({"role": [{"anything-but": {"prefix": "ad"}}]}), false),
        (json!({"role": [{"anything-but": {"wildcard": ["r*", "*x"]}}]}), true),
        (json!({"absent": [{"anything-but": "x"}]}), false),
        (json!({"absent": [{"exists": false}], "role": [{"exists": true}]}), true),
        (json!({"empty": [{"exists": true}]}), false),
        (json!({"lines": [{"exists": false}]}), true),
        (json!({"lines": {"sku": ["b"], "count": [2]}}), true),
        (json!({"lines": {"sku": ["a"], "count": [2]}}), false),
        (json!({"list": ["y"]}), true),
        (json!({"list": ["z"]}), false),
        (json!({"n": [{"numeric": [">", 0, "<=", 5]}]}), true),
        (json!({"n": [{"numeric": ["<", 5]}]}), false),
        (json!({"flag": [false], "nil": [null]}), true),
        (json!({"$or": [{"role": ["reader"]}, {"n": [5]}]}), true),
        (json!({"$or": [{"role": ["reader"]}, {"n": [6]}]}), false),
    ] {
        assert_eq!(matches(&json!({"detail": detail}), &event), expected, "{detail}");
    }
    assert!(matches(&json!({"detail.role": ["admin"]}), &event));
}

#[test]
fn a_wrong_pattern_says_where() {
    let refused = |text: &str| Pattern::read(text).unwrap_err().to_string();
    assert_eq!(refused(r#"{"detail": {"role": "admin"}}"#), "`detail.role` is no list of values");
    assert_eq!(
        refused(r#"{"detail": {"role": [{"begins": "a"}]}}"#),
        "`detail.role` has no such test: {\"begins\":\"a\"}"
    );
    assert_eq!(refused(r#"{"detail": {}}"#), "`detail` tests nothing");
    assert_eq!(refused(r#"{"$or": [{"source": ["a"]}]}"#), "`$or` is no list of two or more patterns");
    assert!(refused("granted").starts_with("the pattern is no JSON"));
}
