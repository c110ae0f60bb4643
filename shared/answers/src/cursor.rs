//! Cursors: where the next page of a list begins, as a text that needs no quotes.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The text of a cursor.
pub(crate) fn encode<T: Serialize>(cursor: &T) -> String {
    // What cursors are made of, texts and maps of texts, can always be written.
    URL_SAFE_NO_PAD.encode(serde_json::to_vec(cursor).unwrap_or_default())
}

/// The cursor that a text is.
pub(crate) fn decode<T: DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(text).ok()?).ok()
}
