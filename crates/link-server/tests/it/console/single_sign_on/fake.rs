//! An OpenID provider in this process, which can misbehave in every way that the tests need, and its name server.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::SystemTime;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use link_domain::console::single_sign_on::port::{FetchError, FetchRequest, FetchedResponse, ProviderClient};
use link_domain::kernel::system::BoxFuture;
use link_domain::notifications::webhook_sender::SendError;
use ring::digest::{SHA256, digest};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::{Value, json};
use tokio::sync::Notify;
use url::Url;

pub const ISSUER: &str = "https://login.shop.example";
pub const CLIENT: &str = "portal";
pub const SECRET: &str = "a secret of the provider";

/// A key of the provider.
pub struct SigningKey {
    pair: EcdsaKeyPair,
    id: &'static str,
}

impl SigningKey {
    pub fn new(id: &'static str) -> Self {
        let random = SystemRandom::new();
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref(), &random);
        Self { pair: pair.unwrap(), id }
    }

    fn jwk(&self) -> Value {
        let point = self.pair.public_key().as_ref();
        let part = |from: usize| URL_SAFE_NO_PAD.encode(&point[from..from + 32]);
        json!({"kty": "EC", "use": "sig", "alg": "ES256", "crv": "P-256", "kid": self.id, "x": part(1), "y": part(33)})
    }

    fn sign(&self, header: &Value, claims: &Value) -> String {
        let encode = |it: &Value| URL_SAFE_NO_PAD.encode(it.to_string());
        let signed = format!("{}.{}", encode(header), encode(claims));
        let signature = self.pair.sign(&SystemRandom::new(), signed.as_bytes()).unwrap();
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature.as_ref()))
    }
}

/// A code that waits for its exchange.
struct Code {
    nonce: String,
    challenge: String,
    callback: String,
}

/// How the provider behaves.
pub struct Behaviour {
    /// The discovery document.
    pub document: Value,
    /// Claims of the next ID token that differ from those of a well-behaved provider. Null leaves one out.
    pub claims: Value,
    /// Claims that only the user info endpoint has.
    pub info: Value,
    /// The header of the next ID token. Its algorithm decides how it is signed.
    pub header: Value,
    /// Answers to paths that are not as expected.
    pub answers: HashMap<&'static str, Result<(u16, String), FetchError>>,
    /// The key that signs, and the keys that are published.
    pub key: SigningKey,
    pub published: Vec<Value>,
    /// Texts of TXT records by name.
    pub texts: HashMap<String, Vec<String>>,
    /// Informed when the token endpoint is asked next, and when it may answer.
    pub pause: Option<(Arc<Notify>, Arc<Notify>)>,
    /// The paths that were requested.
    pub asked: Vec<String>,
    codes: HashMap<String, Code>,
}

/// The provider.
pub struct FakeProvider(Mutex<Behaviour>);

impl Default for FakeProvider {
    fn default() -> Self {
        let key = SigningKey::new("first");
        let document = json!({
            "issuer": ISSUER,
            "authorization_endpoint": format!("{ISSUER}/authorize"),
            "token_endpoint": format!("{ISSUER}/token"),
            "userinfo_endpoint": format!("{ISSUER}/info"),
            "jwks_uri": format!("{ISSUER}/keys"),
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["ES256"],
            "code_challenge_methods_supported": ["S256"],
        });
        Self(Mutex::new(Behaviour {
            document,
            claims: json!({}),
            info: json!({}),
            header: json!({"alg": "ES256", "typ": "JWT", "kid": "first"}),
            answers: HashMap::new(),
            published: vec![key.jwk()],
            key,
            texts: HashMap::new(),
            pause: None,
            asked: Vec::new(),
            codes: HashMap::new(),
        }))
    }
}

impl FakeProvider {
    pub fn now(&self) -> MutexGuard<'_, Behaviour> {
        self.0.lock().unwrap()
    }

    /// Uses another key from now on, and publishes only this one.
    pub fn rotate(&self) {
        let mut now = self.now();
        now.key = SigningKey::new("second");
        now.published = vec![now.key.jwk()];
        now.header["kid"] = "second".into();
    }

    /// Lets the person sign in at the provider's page. Returns the query with which they come back.
    pub fn authorize(&self, page: &str) -> String {
        let url = Url::parse(page).unwrap();
        let of = |name: &str| {
            let found: Vec<_> = url.query_pairs().filter(|(it, _)| it == name).collect();
            assert_eq!(found.len(), 1, "{name}: {page}");
            found[0].1.clone().into_owned()
        };
        assert!(page.starts_with(&format!("{ISSUER}/authorize?")), "{page}");
        assert_eq!((of("response_type"), of("client_id")), ("code".to_owned(), CLIENT.to_owned()));
        assert_eq!(
            (of("code_challenge_method"), of("scope")),
            ("S256".to_owned(), "openid email profile".to_owned())
        );
        let mut now = self.now();
        let code = format!("code-{}", now.codes.len());
        let waiting =
            Code { nonce: of("nonce"), challenge: of("code_challenge"), callback: of("redirect_uri") };
        now.codes.insert(code.clone(), waiting);
        format!("code={code}&state={}", of("state"))
    }
}

impl Behaviour {
    fn token(&mut self, request: &FetchRequest) -> (u16, String) {
        let basic = request.headers.iter().find(|(name, _)| name == "authorization").unwrap();
        let expected = format!("Basic {}", STANDARD.encode(format!("{CLIENT}:{}", SECRET.replace(' ', "+"))));
        assert_eq!(basic.1.expose(), expected);
        let form: HashMap<String, String> =
            form_urlencoded::parse(request.body.as_ref().unwrap().expose().as_bytes()).into_owned().collect();
        let Some(code) = self.codes.remove(&form["code"]) else {
            return (400, json!({"error": "invalid_grant"}).to_string());
        };
        assert_eq!(form["redirect_uri"], code.callback);
        let challenge = URL_SAFE_NO_PAD.encode(digest(&SHA256, form["code_verifier"].as_bytes()));
        if challenge != code.challenge {
            return (400, json!({"error": "invalid_grant"}).to_string());
        }
        let seconds = SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs();
        let mut claims = json!({
            "iss": ISSUER, "aud": CLIENT, "sub": "248289761001", "nonce": code.nonce, "iat": seconds,
            "exp": seconds + 300, "email": "bo@shop.example", "email_verified": true, "name": "Bo Salas",
        });
        for (name, value) in self.claims.as_object().unwrap() {
            claims[name] = value.clone();
            if value.is_null() {
                claims.as_object_mut().unwrap().remove(name);
            }
        }
        let token = self.key.sign(&self.header, &claims);
        let token = match self.header["alg"].as_str().unwrap() {
            "none" => format!("{}.", token.rsplit_once('.').unwrap().0),
            "HS256" => {
                let signed = token.rsplit_once('.').unwrap().0.to_owned();
                let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, SECRET.as_bytes());
                let tag = ring::hmac::sign(&key, signed.as_bytes());
                format!("{signed}.{}", URL_SAFE_NO_PAD.encode(tag.as_ref()))
            }
            _ => token,
        };
        let tokens =
            json!({"access_token": "at-1", "token_type": "Bearer", "expires_in": 300, "id_token": token});
        (200, tokens.to_string())
    }

    fn answer(&mut self, request: &FetchRequest) -> Result<(u16, String), FetchError> {
        let path = request.url.strip_prefix(ISSUER).unwrap().to_owned();
        self.asked.push(path.clone());
        if let Some(answer) = self.answers.get(path.as_str()) {
            return answer.clone();
        }
        Ok(match path.as_str() {
            "/.well-known/openid-configuration" => (200, self.document.to_string()),
            "/keys" => (200, json!({"keys": self.published}).to_string()),
            "/token" => self.token(request),
            "/info" => {
                let bearer = request.headers.iter().find(|(name, _)| name == "authorization").unwrap();
                assert_eq!(bearer.1.expose(), "Bearer at-1");
                (200, self.info.to_string())
            }
            _ => (404, String::new()),
        })
    }
}

impl ProviderClient for FakeProvider {
    fn fetch<'a>(&'a self, request: &'a FetchRequest) -> BoxFuture<'a, Result<FetchedResponse, FetchError>> {
        let mut now = self.now();
        let pause = now.pause.take_if(|_| request.body.is_some());
        let answer = now.answer(request);
        drop(now);
        Box::pin(async move {
            if let Some((asked, may_answer)) = pause {
                asked.notify_one();
                may_answer.notified().await;
            }
            let (status, body) = answer?;
            let content_type = Some("application/json".to_owned());
            Ok(FetchedResponse { status, content_type, body: body.into_bytes() })
        })
    }

    fn vet(&self, url: &str) -> Result<(), SendError> {
        if url.starts_with("https://") { Ok(()) } else { Err(SendError::PlainRefused) }
    }

    fn find_texts<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Vec<String>, FetchError>> {
        let found = self.now().texts.get(name).cloned().unwrap_or_default();
        Box::pin(async move { Ok(found) })
    }
}
