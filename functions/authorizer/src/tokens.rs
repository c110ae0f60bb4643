//! Tokens of a user pool: who one is of, if it is valid.

use std::collections::BTreeMap;

use instep_routes::TokenUser;
use jiff::Timestamp;
use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error, ErrorKind};
use jsonwebtoken::signature::{self, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind, EncodingKey, Validation, decode, decode_header};
use ring::signature::{RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents};
use serde::Deserialize;

use crate::keys::PoolKeys;

/// The longest token that is read. A header of API Gateway has at most 10,240 bytes. Source: Amazon API Gateway Developer
/// Guide, "Quotas".
const TOKEN_BYTES_MAX: usize = 10_240;

/// Which tokens count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenUse {
    /// Access tokens, which name their app client in `client_id`.
    Access,
    /// ID tokens, which name it in `aud`.
    Id,
}

/// Why a token says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenFailure {
    /// It is not valid, and why: for the log, without anything of the token.
    Invalid(&'static str),
    /// The keys of the pool cannot be fetched.
    KeysUnread,
}

/// Verifies tokens of one issuer.
#[derive(Debug)]
pub struct Tokens {
    issuer: String,
    clients: Vec<String>,
    token_use: TokenUse,
    keys: PoolKeys,
}

/// What a token says. Source: Amazon Cognito Developer Guide, "Understanding user pool JSON web tokens (JWTs)".
#[derive(Deserialize)]
struct Claims {
    iss: String,
    exp: i64,
    nbf: Option<i64>,
    token_use: String,
    sub: String,
    client_id: Option<String>,
    aud: Option<String>,
    username: Option<String>,
    #[serde(rename = "cognito:username")]
    cognito_username: Option<String>,
    email: Option<String>,
    phone_number: Option<String>,
}

impl Tokens {
    /// Verifies the tokens that `issuer` makes for these app clients.
    #[must_use]
    pub fn new(issuer: String, clients: Vec<String>, token_use: TokenUse) -> Self {
        // It is installed already if there was another one of these. INVARIANT 2: another provider could only verify less
        // than RS256 if it accepted a wrong signature.
        let _ = PROVIDER.install_default();
        let keys = PoolKeys::of(&issuer);
        Self { issuer, clients, token_use, keys }
    }

    /// Who a token is of.
    ///
    /// # Errors
    /// It is not valid, or that cannot be said.
    pub async fn user(&self, token: &str, now: Timestamp) -> Result<TokenUser, TokenFailure> {
        let invalid = TokenFailure::Invalid;
        if token.len() > TOKEN_BYTES_MAX {
            return Err(invalid("too long"));
        }
        let header = decode_header(token).map_err(|_| invalid("no token"))?;
        if header.alg != Algorithm::RS256 {
            return Err(invalid("alg"));
        }
        if header.crit.is_some() {
            return Err(invalid("crit"));
        }
        let id = header.kid.ok_or(invalid("kid"))?;
        let key = self.keys.key(&id, now).await.map_err(|_| TokenFailure::KeysUnread)?;
        let claims = decode::<Claims>(token, &key.ok_or(invalid("kid"))?, &self.validation());
        let claims = claims.map_err(|_| invalid("signature, issuer or claims"))?.claims;
        self.checked(claims, now).map_err(invalid)
    }

    /// What the library checks: the algorithm, the signature, the issuer. The rest needs the time of this function, or
    /// claims of Cognito.
    fn validation(&self) -> Validation {
        let mut validation = Validation::new(Algorithm::RS256);
        validation.set_required_spec_claims(&["exp", "iss"]);
        validation.set_issuer(&[&self.issuer]);
        validation.validate_exp = false;
        validation.validate_aud = false;
        validation
    }

    fn checked(&self, claims: Claims, now: Timestamp) -> Result<TokenUser, &'static str> {
        let (word, client, name) = match self.token_use {
            TokenUse::Access => ("access", claims.client_id, claims.username),
            TokenUse::Id => ("id", claims.aud, claims.cognito_username),
        };
        if claims.iss != self.issuer {
            return Err("iss");
        }
        if claims.exp <= now.as_second() {
            return Err("exp");
        }
        if claims.nbf.is_some_and(|from| from > now.as_second()) {
            return Err("nbf");
        }
        if claims.token_use != word {
            return Err("token_use");
        }
        if !client.is_some_and(|client| self.clients.contains(&client)) {
            return Err("client");
        }
        // A token of client credentials has no user.
        let name = name.filter(|name| !name.is_empty()).ok_or("username")?;
        let addresses = match self.token_use {
            TokenUse::Id => [("email", claims.email), ("phone_number", claims.phone_number)]
                .into_iter()
                .filter_map(|(attribute, address)| Some((attribute, address?)))
                .collect(),
            TokenUse::Access => BTreeMap::new(),
        };
        Ok(TokenUser { sub: claims.sub, name, addresses })
    }
}

/// RS256 by ring, which the clients of AWS use, too.
static PROVIDER: CryptoProvider =
    CryptoProvider { signer_factory: no_signer, verifier_factory: verifier, key_utils: KeyUtils::new_unimplemented() };

fn no_signer(_: &Algorithm, _: &EncodingKey) -> Result<Box<dyn JwtSigner>, Error> {
    Err(ErrorKind::InvalidAlgorithm.into())
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>, Error> {
    match (algorithm, key.kind()) {
        (Algorithm::RS256, DecodingKeyKind::RsaModulusExponent { n, e }) => {
            Ok(Box::new(RsaVerifier(RsaPublicKeyComponents { n: n.clone(), e: e.clone() })))
        }
        _ => Err(ErrorKind::InvalidAlgorithm.into()),
    }
}

struct RsaVerifier(RsaPublicKeyComponents<Vec<u8>>);

impl Verifier<Vec<u8>> for RsaVerifier {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), signature::Error> {
        let verified = self.0.verify(&RSA_PKCS1_2048_8192_SHA256, message, signature);
        verified.map_err(|_| signature::Error::new())
    }
}

impl JwtVerifier for RsaVerifier {
    fn algorithm(&self) -> Algorithm {
        Algorithm::RS256
    }
}
