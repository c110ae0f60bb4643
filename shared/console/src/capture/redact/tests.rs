use super::*;

fn apply(redaction: &Redaction, record: &Value) -> Value {
    let raw = serde_json::value::to_raw_value(record).unwrap();
    serde_json::from_str(redaction.apply(&[raw]).unwrap()[0].get()).unwrap()
}

fn emails() -> Redaction {
    Redaction::new(["email".to_owned(), "phone".to_owned()], "key".to_owned())
}

#[test]
fn a_value_is_replaced_alike_in_attributes_keys_and_texts() {
    let out = apply(
        &emails(),
        &serde_json::json!({"eventName": "INSERT", "dynamodb": {"Keys": {"pk": {"S": "U:Ann@Example.com"}},
            "NewImage": {"pk": {"S": "U:ann@example.com"}, "email": {"S": "Ann@example.com"},
                "by": {"S": "root@example.com, ann@example.com"}, "gsi": {"S": "u:ann%40example.com"},
                "phone": {"S": "+1 555 0100"}, "note": {"L": [{"S": "call +1 555 0100"}]},
                "age": {"N": "12345678901234567890123456789012345678"}}}}),
    );
    let image = &out["dynamodb"]["NewImage"];
    let email = image["email"]["S"].as_str().unwrap();
    assert!(is_replacement(email), "{email}");
    assert_eq!(image["pk"]["S"], format!("U:{email}"));
    assert_eq!(out["dynamodb"]["Keys"]["pk"]["S"], format!("U:{email}"));
    assert_eq!(image["gsi"]["S"], format!("u:{}", email.replace('@', "%40")));
    let by = image["by"]["S"].as_str().unwrap();
    assert!(by.ends_with(&format!(", {email}")) && !by.contains("root@"), "{by}");
    let phone = image["phone"]["S"].as_str().unwrap();
    assert!(phone.starts_with('+') && phone.len() == 11 && phone != "+1 555 0100", "{phone}");
    assert_eq!(image["note"]["L"][0]["S"], format!("call {phone}"));
    assert_eq!(image["age"]["N"], "12345678901234567890123456789012345678");
}

#[test]
fn replacing_twice_is_replacing_once_and_another_key_gives_another_value() {
    let record = serde_json::json!({"dynamodb": {"NewImage": {"email": {"S": "a@b.example"}, "n": {"S": "x"}}}});
    let once = apply(&emails(), &record);
    assert_eq!(apply(&emails(), &once), once);
    let other = Redaction::new(["email".to_owned()], "k".repeat(100));
    assert_ne!(apply(&other, &record), once);
}

#[test]
fn hashes_are_hmac_sha256() {
    // RFC 4231, test case 2.
    let redaction = Redaction::new([], "Jefe".to_owned());
    assert_eq!(redaction.tag("what do ya want for nothing?"), "5bdcc146bf60");
}

#[test]
fn types_that_are_not_text_are_replaced_in_their_own_type() {
    let redaction = Redaction::new(["v".to_owned()], "key".to_owned());
    let record = serde_json::json!({"dynamodb": {"NewImage": {"v": {"M": {"n": {"N": "-1.5"}, "b": {"B": "YQ=="},
        "t": {"BOOL": true}, "s": {"SS": ["one", "two"]}}}, "w": {"S": "one"}}}});
    let out = apply(&redaction, &record);
    let v = &out["dynamodb"]["NewImage"]["v"]["M"];
    assert!(v["n"]["N"].as_str().unwrap().starts_with('-') && v["n"]["N"].as_str().unwrap().len() == 4);
    assert!(STANDARD.decode(v["b"]["B"].as_str().unwrap()).is_ok());
    assert_eq!(v["t"]["BOOL"], true);
    assert!(v["s"]["SS"].as_array().unwrap().iter().all(|text| is_replacement(text.as_str().unwrap())));
    assert_eq!(out["dynamodb"]["NewImage"]["w"]["S"], v["s"]["SS"][0], "the whole text is the value");
}

#[test]
fn times_keep_their_digits() {
    let raw = r#"{"dynamodb":{"ApproximateCreationDateTime":1700000000.10,"NewImage":{"email":{"S":"a@b.example"}}}}"#;
    let out = emails().apply(&[RawValue::from_string(raw.to_owned()).unwrap()]).unwrap();
    assert!(out[0].get().contains(":1700000000.10,"), "{}", out[0].get());
}

/// What becomes of `image` if these attributes are redacted.
fn redacted(attributes: &[&str], image: &Value) -> Value {
    let redaction = Redaction::new(attributes.iter().map(|name| (*name).to_owned()), "key".to_owned());
    let out = apply(&redaction, &serde_json::json!({"dynamodb": {"NewImage": image}}));
    out["dynamodb"]["NewImage"].clone()
}

#[test]
fn joined_addresses_are_replaced_as_each_alone() {
    let image = serde_json::json!({"a": {"S": "alice@example.com"}, "c": {"S": "carol@example.com"},
        "dash": {"S": "alice@example.com-carol@example.com"}, "line": {"S": "ALICE@example.com_carol@example.com"},
        "encoded": {"S": "alice%40example.com%7Ccarol%40example.com"}, "m": {"M": {"alice@example.com": {"BOOL": true}}}});
    let out = redacted(&[], &image);
    let (a, c) = (out["a"]["S"].as_str().unwrap(), out["c"]["S"].as_str().unwrap());
    assert!(is_replacement(a) && is_replacement(c) && a != c);
    assert_eq!(out["dash"]["S"], format!("{a}-{c}"));
    assert_eq!(out["line"]["S"], format!("{a}_{c}"));
    assert_eq!(out["encoded"]["S"], format!("{a}%7C{c}").replace('@', "%40"));
    assert_eq!(out["m"]["M"], serde_json::json!({ a: {"BOOL": true} }));
    assert_eq!(redacted(&[], &out), out, "twice is once");
}

#[test]
fn a_value_in_a_list_of_maps_is_found_elsewhere_in_any_case() {
    let image = serde_json::json!({"members": {"L": [{"L": [{"M": {"name": {"S": "Alice Doe"}}}]}]},
        "sk": {"S": "U:Alice Doe"}, "loud": {"S": "ALICE DOE, alice%20DOE"}});
    let out = redacted(&["name"], &image);
    let name = out["members"]["L"][0]["L"][0]["M"]["name"]["S"].as_str().unwrap();
    assert_eq!(out["sk"]["S"], format!("U:{name}"));
    assert_eq!(out["loud"]["S"], format!("{name}, {name}"));
}

#[test]
fn a_short_value_is_replaced_as_a_whole_text_and_as_a_part_of_a_key() {
    let image = serde_json::json!({"name": {"S": "Bob"}, "by": {"S": "bob"}, "pk": {"S": "U:BOB"}, "who": {"SS": ["X#bob|1/bob"]},
        "other": {"S": "bobby@example.com bobsled"}, "age": {"N": "30"}, "at": {"S": "2026-03-01T10:30:00Z"}, "sk": {"S": "AGE#30"}});
    let out = redacted(&["name", "age"], &image);
    let (name, age) = (out["name"]["S"].as_str().unwrap(), out["age"]["N"].as_str().unwrap());
    assert!(is_replacement(name) && age != "30", "{out}");
    assert_eq!(out["by"]["S"], name);
    assert_eq!(out["pk"]["S"], format!("U:{name}"));
    assert_eq!(out["who"]["SS"][0], format!("X#{name}|1/{name}"));
    assert!(out["other"]["S"].as_str().unwrap().ends_with("@redacted.example bobsled"));
    assert_eq!(out["at"]["S"], "2026-03-01T10:30:00Z");
    assert_eq!(out["sk"]["S"], format!("AGE#{age}"));
}

#[test]
fn an_equal_number_is_replaced_elsewhere() {
    let image = serde_json::json!({"phone": {"N": "15550100"}, "contact": {"N": "15550100"}, "more": {"NS": ["15550100", "2"]},
        "text": {"S": "call 15550100"}, "number": {"N": "155501001"}});
    let out = redacted(&["phone"], &image);
    let phone = out["phone"]["N"].as_str().unwrap();
    assert_ne!(phone, "15550100");
    assert_eq!(out["contact"]["N"], phone);
    assert_eq!(out["more"]["NS"], serde_json::json!([phone, "2"]));
    assert_eq!(out["text"]["S"], format!("call {phone}"));
    assert_eq!(out["number"]["N"], "155501001");
}

#[test]
fn a_value_is_not_searched_in_replacements() {
    let image = serde_json::json!({"name": {"L": [{"S": "redacted"}, {"S": "example"}]}, "pk": {"S": "a@example.com#redacted"}});
    let out = redacted(&["name"], &image);
    let pk = out["pk"]["S"].as_str().unwrap().split_once('#').unwrap();
    assert!(is_replacement(pk.0) && is_replacement(pk.1), "{pk:?}");
}
