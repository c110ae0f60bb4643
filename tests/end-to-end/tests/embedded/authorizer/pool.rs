//! The issuer of tokens, as Cognito is one: keys under a URL, and signed tokens.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::rsa::PublicKeyComponents;
use ring::signature::{RSA_PKCS1_SHA256, RsaKeyPair};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

/// A key of a pool. They are of this test alone.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum TestKey {
    Pool,
    Rotated,
    OtherPool,
}

impl TestKey {
    pub fn pair(self) -> RsaKeyPair {
        let der: &[u8] = match self {
            Self::Pool => include_bytes!("pool.der"),
            Self::Rotated => include_bytes!("rotated.der"),
            Self::OtherPool => include_bytes!("other.der"),
        };
        RsaKeyPair::from_pkcs8(der).unwrap()
    }

    pub const fn id(self) -> &'static str {
        match self {
            Self::Pool => "pool-key",
            Self::Rotated => "rotated-key",
            Self::OtherPool => "other-key",
        }
    }

    fn as_json(self) -> Value {
        let PublicKeyComponents { n, e }: PublicKeyComponents<Vec<u8>> = self.pair().public().into();
        let (n, e) = (encoded(&n), encoded(&e));
        json!({ "kid": self.id(), "kty": "RSA", "alg": "RS256", "use": "sig", "n": n, "e": e })
    }
}

pub fn encoded(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The part of a token that is signed.
pub fn unsigned(header: &Value, claims: &Value) -> String {
    format!("{}.{}", encoded(header.to_string().as_bytes()), encoded(claims.to_string().as_bytes()))
}

/// A token, signed as RS256 says.
pub fn signed(key: TestKey, header: &Value, claims: &Value) -> String {
    let (pair, text) = (key.pair(), unsigned(header, claims));
    let mut signature = vec![0; pair.public().modulus_len()];
    pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), text.as_bytes(), &mut signature).unwrap();
    format!("{text}.{}", encoded(&signature))
}

/// Serves the keys of a pool.
#[derive(Clone)]
pub struct Issuer {
    pub url: String,
    keys: Arc<Mutex<Vec<TestKey>>>,
    requests: Arc<AtomicUsize>,
    is_down: Arc<AtomicBool>,
}

impl Issuer {
    pub async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/pool", listener.local_addr().unwrap());
        let issuer = Self {
            url,
            keys: Arc::new(Mutex::new(vec![TestKey::Pool])),
            requests: Arc::default(),
            is_down: Arc::default(),
        };
        let serving = issuer.clone();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut request = [0; 4096];
                let read = stream.read(&mut request).await.unwrap();
                let (status, body) = serving.answer(&String::from_utf8_lossy(&request[..read]));
                let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
                stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
            }
        });
        issuer
    }

    fn answer(&self, request: &str) -> (&'static str, String) {
        self.requests.fetch_add(1, Ordering::SeqCst);
        if self.is_down.load(Ordering::SeqCst) {
            return ("503 Service Unavailable", String::new());
        }
        if !request.starts_with("GET /pool/.well-known/jwks.json HTTP") {
            return ("404 Not Found", String::new());
        }
        let keys: Vec<Value> = self.keys.lock().unwrap().iter().map(|key| key.as_json()).collect();
        // What has another algorithm is left out.
        let keys = [keys, vec![json!({ "kid": "elliptic", "kty": "EC", "crv": "P-256", "x": "", "y": "" })]].concat();
        ("200 OK", json!({ "keys": keys }).to_string())
    }

    /// From now on, it has these keys.
    pub fn has(&self, keys: &[TestKey]) {
        *self.keys.lock().unwrap() = keys.to_vec();
    }

    /// From now on, it answers or it does not.
    pub fn is_down(&self, is_down: bool) {
        self.is_down.store(is_down, Ordering::SeqCst);
    }

    /// The requests so far.
    pub fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}
