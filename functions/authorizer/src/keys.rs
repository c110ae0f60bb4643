//! The public keys of a user pool, by their ids.

use std::collections::BTreeMap;

use instep_aws::connect;
use jiff::{SignedDuration, Timestamp};
use jsonwebtoken::DecodingKey;
use serde::Deserialize;
use tokio::sync::Mutex;

/// How long unknown ids lead to no request, after one: whoever sends forged tokens must not make the function call Cognito.
const PAUSE: SignedDuration = SignedDuration::from_mins(5);

/// How long keys are used. Then they must be fetched again: Cognito may have withdrawn one.
const KEPT: SignedDuration = SignedDuration::from_hours(24);

/// The keys cannot be fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KeysUnread;

/// The keys of an issuer, fetched when one is needed.
#[derive(Debug)]
pub struct PoolKeys {
    url: String,
    /// A request waits for another one that fetches them already.
    state: Mutex<KeptKeys>,
}

#[derive(Debug, Default)]
struct KeptKeys {
    keys: BTreeMap<String, DecodingKey>,
    fetched: Option<Timestamp>,
    tried: Option<Timestamp>,
}

/// The document of the keys. Source: RFC 7517, "JSON Web Key (JWK)".
#[derive(Deserialize)]
struct KeySet {
    keys: Vec<SetKey>,
}

#[derive(Deserialize)]
struct SetKey {
    kid: String,
    kty: String,
    alg: Option<String>,
    #[serde(rename = "use")]
    usage: Option<String>,
    #[serde(default)]
    n: String,
    #[serde(default)]
    e: String,
}

impl PoolKeys {
    /// The keys of an issuer.
    #[must_use]
    pub fn of(issuer: &str) -> Self {
        Self { url: format!("{issuer}/.well-known/jwks.json"), state: Mutex::default() }
    }

    /// The key with an id. `None` if the pool has no such key.
    pub(crate) async fn key(&self, id: &str, now: Timestamp) -> Result<Option<DecodingKey>, KeysUnread> {
        let mut state = self.state.lock().await;
        let is_fresh = state.fetched.is_some_and(|at| now.duration_since(at) < KEPT);
        if let Some(key) = state.keys.get(id).filter(|_| is_fresh) {
            return Ok(Some(key.clone()));
        }
        // Without any keys nothing can be decided, so it tries again at once.
        let is_known_late = is_fresh && state.tried.is_some_and(|at| now.duration_since(at) < PAUSE);
        if !is_known_late {
            state.tried = Some(now);
            state.keys = self.fetch().await.ok_or(KeysUnread)?;
            state.fetched = Some(now);
        } else if state.tried > state.fetched {
            // The last request failed: the key may be a new one.
            return Err(KeysUnread);
        }
        Ok(state.keys.get(id).cloned())
    }

    async fn fetch(&self) -> Option<BTreeMap<String, DecodingKey>> {
        let text = connect::get(&self.url).await?;
        let set: KeySet = serde_json::from_slice(&text).ok()?;
        let is_usable = |key: &SetKey| {
            key.kty == "RSA"
                && key.alg.as_deref().is_none_or(|alg| alg == "RS256")
                && key.usage.as_deref().is_none_or(|usage| usage == "sig")
        };
        let keys = set.keys.into_iter().filter(is_usable);
        Some(keys.filter_map(|key| Some((key.kid, DecodingKey::from_rsa_components(&key.n, &key.e).ok()?))).collect())
    }
}
