//! Redaction: replaces personal values, the same value by the same replacement everywhere: in the
//! named attributes, in keys, and in other texts with the value or an email address. Other parts of
//! an image do not change.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde_json::Value;
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

/// The key of the hash unless `--redact-key` gives another.
pub(crate) const DEFAULT_KEY: &str = "instep capture --redact";

/// Shorter values are replaced only if they are the whole text, because `al` also occurs in
/// `final`.
const INSIDE_MIN_CHARS: usize = 4;

/// The hexadecimal digits of a replacement: 48 bits, so that a million values rarely collide.
const TAG_CHARS: usize = 12;

/// The domain of replaced email addresses. Source: RFC 2606, which reserves `.example`.
const DOMAIN: &str = "redacted.example";

/// The characters that percent-encoding does not change. Source: RFC 3986, section 2.3.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The parts of a record with attributes: images and keys.
const IMAGES: [&str; 3] = ["Keys", "NewImage", "OldImage"];

/// A redaction: its attributes, and the replacements.
#[derive(Debug)]
pub(crate) struct Redaction {
    attributes: BTreeSet<String>,
    key: String,
}

impl Redaction {
    /// A redaction of these attributes. Without `key`, nobody can compute the replacements of
    /// likely values.
    pub(crate) fn new(attributes: impl IntoIterator<Item = String>, key: Option<String>) -> Self {
        Self { attributes: attributes.into_iter().collect(), key: key.unwrap_or_else(|| DEFAULT_KEY.to_owned()) }
    }

    /// The records without personal values.
    ///
    /// # Errors
    /// A record is not JSON with attributes.
    pub(crate) fn apply(&self, records: &[Box<RawValue>]) -> Result<Vec<Box<RawValue>>, serde_json::Error> {
        let mut found = BTreeSet::new();
        for record in records {
            each_image(&mut serde_json::from_str(record.get())?, |image| self.collect(image, &mut found));
        }
        let inside = self.replacements(&found);
        records
            .iter()
            .map(|record| {
                let mut value: Value = serde_json::from_str(record.get())?;
                each_image(&mut value, |image| self.image(image, &inside));
                let time = time_text(record);
                restore_time(serde_json::value::to_raw_value(&value)?, &value, time)
            })
            .collect()
    }

    /// The texts of a redacted attribute.
    fn collect(&self, image: &Value, found: &mut BTreeSet<String>) {
        for (name, value) in image.as_object().into_iter().flatten() {
            if self.attributes.contains(name) {
                texts(value, found);
            } else if let Some(map) = value.get("M") {
                self.collect(map, found);
            }
        }
    }

    /// The values to search inside other texts: longest first, so that no value breaks a longer one
    /// that contains it.
    fn replacements(&self, found: &BTreeSet<String>) -> Vec<(String, String)> {
        let mut all = BTreeMap::new();
        for text in found.iter().filter(|text| text.chars().count() >= INSIDE_MIN_CHARS) {
            let new = self.text(text);
            for spelling in [text.clone(), text.to_lowercase()] {
                all.insert(encode(&spelling), encode(&new));
                all.insert(spelling, new.clone());
            }
        }
        let mut all: Vec<_> = all.into_iter().collect();
        all.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.0.cmp(&b.0)));
        all
    }

    fn image(&self, image: &mut Value, inside: &[(String, String)]) {
        let Some(image) = image.as_object_mut() else { return };
        for (name, value) in image.iter_mut() {
            if self.attributes.contains(name) { self.whole(value) } else { self.within(value, inside) }
        }
    }

    /// Replaces a typed value completely.
    fn whole(&self, value: &mut Value) {
        let Some((tag, value)) = value.as_object_mut().and_then(|typed| typed.iter_mut().next()) else { return };
        match (tag.as_str(), value) {
            ("S", Value::String(text)) => *text = self.text(text),
            ("N", Value::String(text)) => *text = self.digits(text),
            ("B", Value::String(text)) => *text = STANDARD.encode(self.hash(text)),
            ("SS", Value::Array(texts)) => strings(texts, |text| self.text(text)),
            ("NS", Value::Array(texts)) => strings(texts, |text| self.digits(text)),
            ("BS", Value::Array(texts)) => strings(texts, |text| STANDARD.encode(self.hash(text))),
            ("L", Value::Array(values)) => values.iter_mut().for_each(|value| self.whole(value)),
            ("M", Value::Object(values)) => values.values_mut().for_each(|value| self.whole(value)),
            // A boolean or a null identifies nobody.
            (_, _) => {}
        }
    }

    /// Replaces what is personal inside a typed value.
    fn within(&self, value: &mut Value, inside: &[(String, String)]) {
        let Some((tag, value)) = value.as_object_mut().and_then(|typed| typed.iter_mut().next()) else { return };
        match (tag.as_str(), value) {
            ("S", Value::String(text)) => *text = self.inside(text, inside),
            ("SS", Value::Array(texts)) => strings(texts, |text| self.inside(text, inside)),
            ("L", Value::Array(values)) => values.iter_mut().for_each(|value| self.within(value, inside)),
            ("M", map) => self.image(map, inside),
            (_, _) => {}
        }
    }

    fn inside(&self, text: &str, inside: &[(String, String)]) -> String {
        let mut text = text.to_owned();
        for (old, new) in inside {
            if text.contains(old.as_str()) {
                text = text.replace(old.as_str(), new);
            }
        }
        self.emails(&text)
    }

    /// Replaces every email address in a text, also a percent-encoded one.
    fn emails(&self, text: &str) -> String {
        let part = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '%' | '+' | '-' | '@' | '\'');
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find(part) {
            let (before, from) = rest.split_at(start);
            let (token, after) = from.split_at(from.find(|c| !part(c)).unwrap_or(from.len()));
            out.push_str(before);
            out.push_str(&self.email_token(token).unwrap_or_else(|| token.to_owned()));
            rest = after;
        }
        out + rest
    }

    fn email_token(&self, token: &str) -> Option<String> {
        if is_email(token) {
            return Some(self.text(token));
        }
        let decoded = percent_decode_str(token).decode_utf8().ok()?;
        (decoded != token && is_email(&decoded)).then(|| encode(&self.text(&decoded)))
    }

    /// The replacement of a text. Upper and lower case are one value, and a replacement is not
    /// replaced again.
    fn text(&self, text: &str) -> String {
        if text.is_empty() || is_replacement(text) {
            return text.to_owned();
        }
        let tag = self.tag(&text.to_lowercase());
        if is_email(text) {
            return format!("u-{tag}@{DOMAIN}");
        }
        let digits = text.chars().filter(char::is_ascii_digit).count();
        if digits >= 5 && text.chars().all(|c| c.is_ascii_digit() || matches!(c, '+' | '-' | ' ' | '(' | ')' | '.')) {
            return self.digits(text);
        }
        format!("redacted-{tag}")
    }

    /// Replaces the digits, and keeps signs and separators.
    fn digits(&self, text: &str) -> String {
        let mut hash = self.hash(text).into_iter().cycle();
        text.chars()
            .map(|c| match (c.is_ascii_digit(), hash.next()) {
                // No zero, so that a number keeps its length.
                (true, Some(byte)) => char::from(b'1' + byte % 9),
                (_, _) => c,
            })
            .collect()
    }

    fn tag(&self, text: &str) -> String {
        let hex: String = self.hash(text).iter().map(|byte| format!("{byte:02x}")).collect();
        hex.chars().take(TAG_CHARS).collect()
    }

    /// HMAC-SHA256 (RFC 2104): a hash without a key reveals an email address to whoever hashes
    /// likely ones.
    fn hash(&self, text: &str) -> Vec<u8> {
        const BLOCK: usize = 64;
        let mut key = self.key.as_bytes().to_vec();
        if key.len() > BLOCK {
            key = Sha256::digest(&key).to_vec();
        }
        key.resize(BLOCK, 0);
        let pad = |with: u8| key.iter().map(|byte| byte ^ with).collect::<Vec<u8>>();
        let inner = Sha256::new().chain_update(pad(0x36)).chain_update(text.as_bytes()).finalize();
        Sha256::new().chain_update(pad(0x5c)).chain_update(inner).finalize().to_vec()
    }
}

fn each_image(record: &mut Value, mut each: impl FnMut(&mut Value)) {
    for name in IMAGES {
        if let Some(image) = record.get_mut("dynamodb").and_then(|body| body.get_mut(name)) {
            each(image);
        }
    }
}

fn strings(values: &mut [Value], new: impl Fn(&str) -> String) {
    for value in values {
        if let Value::String(text) = value {
            *text = new(text);
        }
    }
}

fn texts(value: &Value, found: &mut BTreeSet<String>) {
    let Some((tag, value)) = value.as_object().and_then(|typed| typed.iter().next()) else { return };
    match (tag.as_str(), value) {
        ("S" | "N", Value::String(text)) => {
            found.insert(text.clone());
        }
        ("SS" | "NS", Value::Array(values)) => found.extend(values.iter().filter_map(Value::as_str).map(str::to_owned)),
        ("L", Value::Array(values)) => values.iter().for_each(|value| texts(value, found)),
        ("M", Value::Object(values)) => values.values().for_each(|value| texts(value, found)),
        (_, _) => {}
    }
}

fn encode(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

fn is_email(text: &str) -> bool {
    match text.split_once('@') {
        Some((name, domain)) => {
            !name.is_empty()
                && !domain.contains('@')
                && domain.trim_matches('.').contains('.')
                && !domain.starts_with('.')
        }
        None => false,
    }
}

fn is_replacement(text: &str) -> bool {
    let tag = match text.strip_suffix(DOMAIN).and_then(|text| text.strip_suffix('@')) {
        Some(name) => name.strip_prefix("u-"),
        None => text.strip_prefix("redacted-"),
    };
    tag.is_some_and(|tag| tag.len() == TAG_CHARS && tag.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// The text of the record's time: a number that must not go through a float.
fn time_text(record: &RawValue) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Envelope<'a> {
        #[serde(borrow)]
        dynamodb: Option<Body<'a>>,
    }
    #[derive(serde::Deserialize)]
    struct Body<'a> {
        #[serde(borrow, rename = "ApproximateCreationDateTime")]
        time: Option<&'a RawValue>,
    }
    let envelope: Envelope<'_> = serde_json::from_str(record.get()).ok()?;
    Some(envelope.dynamodb?.time?.get().to_owned())
}

fn restore_time(raw: Box<RawValue>, value: &Value, time: Option<String>) -> Result<Box<RawValue>, serde_json::Error> {
    const NAME: &str = "ApproximateCreationDateTime";
    let Some(now) = value.get("dynamodb").and_then(|body| body.get(NAME)) else { return Ok(raw) };
    let Some(time) = time else { return Ok(raw) };
    let written = format!("\"{NAME}\":{now}");
    RawValue::from_string(raw.get().replacen(&written, &format!("\"{NAME}\":{time}"), 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(redaction: &Redaction, record: &Value) -> Value {
        let raw = serde_json::value::to_raw_value(record).unwrap();
        serde_json::from_str(redaction.apply(&[raw]).unwrap()[0].get()).unwrap()
    }

    fn emails() -> Redaction {
        Redaction::new(["email".to_owned(), "phone".to_owned()], None)
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
        let other = Redaction::new(["email".to_owned()], Some("k".repeat(100)));
        assert_ne!(apply(&other, &record), once);
    }

    #[test]
    fn hashes_are_hmac_sha256() {
        // RFC 4231, test case 2.
        let redaction = Redaction::new([], Some("Jefe".to_owned()));
        assert_eq!(redaction.tag("what do ya want for nothing?"), "5bdcc146bf60");
    }

    #[test]
    fn types_that_are_not_text_are_replaced_in_their_own_type() {
        let redaction = Redaction::new(["v".to_owned()], None);
        let record = serde_json::json!({"dynamodb": {"NewImage": {"v": {"M": {"n": {"N": "-1.5"}, "b": {"B": "YQ=="},
            "t": {"BOOL": true}, "s": {"SS": ["one", "two"]}}}, "w": {"S": "one"}}}});
        let out = apply(&redaction, &record);
        let v = &out["dynamodb"]["NewImage"]["v"]["M"];
        assert!(v["n"]["N"].as_str().unwrap().starts_with('-') && v["n"]["N"].as_str().unwrap().len() == 4);
        assert!(STANDARD.decode(v["b"]["B"].as_str().unwrap()).is_ok());
        assert_eq!(v["t"]["BOOL"], true);
        assert!(v["s"]["SS"].as_array().unwrap().iter().all(|text| is_replacement(text.as_str().unwrap())));
        assert_eq!(out["dynamodb"]["NewImage"]["w"]["S"], "one");
    }

    #[test]
    fn times_keep_their_digits() {
        let raw =
            r#"{"dynamodb":{"ApproximateCreationDateTime":1700000000.10,"NewImage":{"email":{"S":"a@b.example"}}}}"#;
        let out = emails().apply(&[RawValue::from_string(raw.to_owned()).unwrap()]).unwrap();
        assert!(out[0].get().contains(":1700000000.10,"), "{}", out[0].get());
    }
}
