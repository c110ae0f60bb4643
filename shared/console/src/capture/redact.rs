//! Redaction: replaces personal values, the same value by the same replacement everywhere: in the
//! named attributes, in keys, in equal numbers, and in other texts with the value or an email
//! address. Other parts of an image do not change.

mod addresses;
mod known;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use known::{KnownValues, fold};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

/// The bytes of a key that is made for one capture: as many as make guessing hopeless.
const KEY_BYTES: usize = 16;

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
pub struct Redaction {
    attributes: BTreeSet<String>,
    key: String,
}

impl Redaction {
    /// A redaction of these attributes. Without `key`, nobody can compute the replacements of
    /// likely values.
    #[must_use]
    pub fn new(attributes: impl IntoIterator<Item = String>, key: String) -> Self {
        Self { attributes: attributes.into_iter().collect(), key }
    }

    /// The records without personal values.
    pub fn apply(&self, records: &[Box<RawValue>]) -> Result<Vec<Box<RawValue>>, serde_json::Error> {
        let mut found = BTreeMap::new();
        for record in records {
            each_image(&mut serde_json::from_str(record.get())?, |image| self.collect(image, &mut found));
        }
        let known = KnownValues::of(found);
        records
            .iter()
            .map(|record| {
                let mut value: Value = serde_json::from_str(record.get())?;
                each_image(&mut value, |image| self.image(image, &known));
                let time = time_text(record);
                restore_time(serde_json::value::to_raw_value(&value)?, &value, time)
            })
            .collect()
    }

    /// The values of the redacted attributes, and their replacements.
    fn collect(&self, image: &Value, found: &mut BTreeMap<String, String>) {
        for (name, value) in image.as_object().into_iter().flatten() {
            if self.attributes.contains(name) { self.values(value, found) } else { self.collect_below(value, found) }
        }
    }

    fn collect_below(&self, value: &Value, found: &mut BTreeMap<String, String>) {
        if let Some(map) = value.get("M") {
            self.collect(map, found);
        }
        for value in value.get("L").and_then(Value::as_array).into_iter().flatten() {
            self.collect_below(value, found);
        }
    }

    /// The texts and numbers of a redacted value.
    fn values(&self, value: &Value, found: &mut BTreeMap<String, String>) {
        let Some((tag, value)) = value.as_object().and_then(|typed| typed.iter().next()) else { return };
        let several = std::slice::from_ref(value);
        match (tag.as_str(), value.as_array().map_or(several, Vec::as_slice)) {
            ("S" | "SS", texts) => {
                found.extend(texts.iter().filter_map(Value::as_str).map(|text| (text.to_owned(), self.text(text))))
            }
            ("N" | "NS", numbers) => {
                for number in numbers.iter().filter_map(Value::as_str) {
                    found.entry(number.to_owned()).or_insert_with(|| self.digits(number));
                }
            }
            ("L", values) => values.iter().for_each(|value| self.values(value, found)),
            ("M", _) => value.as_object().into_iter().flatten().for_each(|(_, value)| self.values(value, found)),
            (_, _) => {}
        }
    }

    fn image(&self, image: &mut Value, known: &KnownValues) {
        let Some(image) = image.as_object_mut() else { return };
        for (name, value) in image.iter_mut() {
            if self.attributes.contains(name) { self.whole(value) } else { self.within(value, known) }
        }
    }

    /// The map inside an image. Its names may be addresses.
    fn map(&self, map: &mut Value, known: &KnownValues) {
        self.image(map, known);
        let Some(map) = map.as_object_mut().filter(|map| map.keys().any(|name| name.contains('@'))) else { return };
        *map = std::mem::take(map)
            .into_iter()
            .map(|(name, value)| (self.inside(&name, &KnownValues::default()), value))
            .collect();
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
    fn within(&self, value: &mut Value, known: &KnownValues) {
        let Some((tag, value)) = value.as_object_mut().and_then(|typed| typed.iter_mut().next()) else { return };
        let number = |text: &str| if known.has(text) { self.digits(text) } else { text.to_owned() };
        match (tag.as_str(), value) {
            ("S", Value::String(text)) => *text = self.inside(text, known),
            ("N", Value::String(text)) => *text = number(text),
            ("SS", Value::Array(texts)) => strings(texts, |text| self.inside(text, known)),
            ("NS", Value::Array(texts)) => strings(texts, number),
            ("L", Value::Array(values)) => values.iter_mut().for_each(|value| self.within(value, known)),
            ("M", map) => self.map(map, known),
            (_, _) => {}
        }
    }

    /// A text without known values and addresses. No replacement is searched again.
    fn inside(&self, text: &str, known: &KnownValues) -> String {
        let folded = fold(text);
        let mut cuts = Cuts::default();
        known.addresses(&folded, &mut cuts);
        for found in addresses::find(text) {
            let new = self.text(&found.address);
            cuts.add(found.at, if found.is_encoded { encode(&new) } else { new });
        }
        known.values(&folded, &mut cuts);
        known.short(text, &mut cuts);
        cuts.apply(text)
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

/// A key that nobody can guess.
pub fn random_key() -> Result<String, getrandom::Error> {
    let mut bytes = [0; KEY_BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Parts of a text that are replaced. Of two that overlap, the first one counts.
#[derive(Debug, Default)]
struct Cuts(Vec<(Range<usize>, String)>);

impl Cuts {
    fn add(&mut self, at: Range<usize>, new: String) {
        if self.0.iter().all(|(other, _)| at.end <= other.start || other.end <= at.start) {
            self.0.push((at, new));
        }
    }

    fn apply(mut self, text: &str) -> String {
        self.0.sort_by_key(|(at, _)| at.start);
        let mut out = String::with_capacity(text.len());
        let mut from = 0;
        for (at, new) in self.0 {
            out.push_str(text.get(from..at.start).unwrap_or_default());
            out.push_str(&new);
            from = at.end;
        }
        out + text.get(from..).unwrap_or_default()
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
mod tests;
