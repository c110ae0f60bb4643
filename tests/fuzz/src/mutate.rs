//! Inputs that differ from given ones by a few edits. The same seed gives the same inputs.

use std::ops::Range;

use fastrand::Rng;

/// The maximum number of edits of one input.
const EDITS_MAX: usize = 4;
/// The maximum number of bytes that one edit removes or copies.
const STRETCH_MAX: usize = 200;

pub(crate) struct Mutations {
    random: Rng,
    inputs: Vec<Vec<u8>>,
    words: Vec<Vec<u8>>,
}

impl Mutations {
    /// `dictionary` has libFuzzer's form: each line is a word in quotes.
    pub(crate) fn new(seed: u64, inputs: Vec<Vec<u8>>, dictionary: &str) -> Self {
        let words = dictionary.lines().filter_map(|line| line.strip_prefix('"')?.strip_suffix('"')).map(unescaped);
        Self { random: Rng::with_seed(seed), inputs, words: words.collect() }
    }

    pub(crate) fn next(&mut self) -> Vec<u8> {
        let mut bytes = self.random.choice(&self.inputs).cloned().unwrap_or_default();
        for _ in 0..self.random.usize(1..=EDITS_MAX) {
            let at = self.stretch(bytes.len());
            let put = match self.random.u8(0..8) {
                0 => Vec::new(),
                1..4 => self.random.choice(&self.words).cloned().unwrap_or_default(),
                4 => vec![self.random.u8(..)],
                5 => bytes.get(self.stretch(bytes.len())).unwrap_or_default().to_vec(),
                6 => {
                    let other = self.random.choice(&self.inputs).cloned().unwrap_or_default();
                    other.get(self.stretch(other.len())).unwrap_or_default().to_vec()
                }
                _ => {
                    bytes.truncate(at.start);
                    continue;
                }
            };
            // Half of all edits only insert something.
            let out = if self.random.bool() { at } else { at.start..at.start };
            bytes.splice(out, put);
        }
        bytes
    }

    /// A position in `len` bytes, usually a small one.
    fn stretch(&mut self, len: usize) -> Range<usize> {
        let start = self.random.usize(0..=len);
        let longest = if self.random.bool() { 8 } else { STRETCH_MAX };
        start..(start + self.random.usize(0..=longest)).min(len)
    }
}

/// A word of a dictionary: `\\`, `\"` and `\xAB` stand for one byte.
fn unescaped(word: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut chars = word.bytes();
    while let Some(byte) = chars.next() {
        let escaped = if byte == b'\\' { chars.next() } else { None };
        bytes.push(match escaped {
            Some(b'x') => chars.by_ref().take(2).fold(0, |sum, digit| sum * 16 + hex(digit)),
            Some(escaped) => escaped,
            None => byte,
        });
    }
    bytes
}

fn hex(digit: u8) -> u8 {
    char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok()).unwrap_or_default()
}
