//! Passkeys, with an authenticator in software: signing in, confirming an act, and everything that is refused.

use axum::http::{Method, header};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use link_domain::console::session::{CONFIRMATION_LIFE, ConsoleSession};
use link_domain::kernel::digest::Digest32;
use link_store::StoreError;
use link_store::test_support::Backend;
use link_types::console::Role;
use ring::digest::{SHA256, digest};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _};
use rstest::rstest;
use serde_json::{Value, json};

use super::Browser;
use crate::service::{TestResponse, TestService, text};

const ORIGIN: &str = "http://localhost:8787";

/// An authenticator with one passkey.
struct Authenticator {
    pair: EcdsaKeyPair,
    id: [u8; 16],
    origin: &'static str,
    /// User handle, from the creation.
    handle: String,
    counter: u32,
}

impl Authenticator {
    fn new(number: u8) -> Self {
        let random = SystemRandom::new();
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random).unwrap();
        let pair =
            EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, document.as_ref(), &random).unwrap();
        Self { pair, id: [number; 16], origin: ORIGIN, handle: String::new(), counter: 0 }
    }

    fn client_data(&self, kind: &str, options: &Value) -> Vec<u8> {
        json!({"type": kind, "challenge": options["challenge"], "origin": self.origin, "crossOrigin": false})
            .to_string()
            .into_bytes()
    }

    /// Returns the head of the authenticator's data: a person is there and was verified.
    fn head(&self, flags: u8) -> Vec<u8> {
        let mut data = digest(&SHA256, b"localhost").as_ref().to_vec();
        data.push(flags | 0b101);
        data.extend(self.counter.to_be_bytes());
        data
    }

    fn credential(&self, response: Value) -> String {
        let id = URL_SAFE_NO_PAD.encode(self.id);
        json!({"id": id, "rawId": id, "type": "public-key", "response": response, "clientExtensionResults": {}})
            .to_string()
    }

    fn create(&mut self, options: &Value) -> String {
        assert_eq!(options["authenticatorSelection"]["residentKey"], "required");
        assert_eq!(options["authenticatorSelection"]["userVerification"], "required");
        self.handle = text(&options["user"]["id"]);
        let mut data = self.head(0x40);
        data.extend([0; 16]);
        data.extend([0, 16]);
        data.extend(self.id);
        let point = self.pair.public_key().as_ref();
        data.extend([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32]);
        data.extend(&point[1..33]);
        data.extend([0x22, 0x58, 32]);
        data.extend(&point[33..]);
        let mut object = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58".to_vec();
        object.push(u8::try_from(data.len()).unwrap());
        object.extend(data);
        self.credential(json!({
            "attestationObject": URL_SAFE_NO_PAD.encode(object),
            "clientDataJSON": URL_SAFE_NO_PAD.encode(self.client_data("webauthn.create", options)),
            "transports": ["internal"],
        }))
    }

    fn sign(&mut self, options: &Value) -> String {
        self.counter += 1;
        let (data, client) = (self.head(0), self.client_data("webauthn.get", options));
        let signed = [data.as_slice(), digest(&SHA256, &client).as_ref()].concat();
        let signature = self.pair.sign(&SystemRandom::new(), &signed).unwrap();
        self.credential(json!({
            "authenticatorData": URL_SAFE_NO_PAD.encode(data),
            "clientDataJSON": URL_SAFE_NO_PAD.encode(client),
            "signature": URL_SAFE_NO_PAD.encode(signature.as_ref()),
            "userHandle": self.handle,
        }))
    }
}

/// Returns the challenge and the options of the browser.
fn challenge(response: &TestResponse) -> (String, Value) {
    assert_eq!(response.status, 201, "{:?}", response.body);
    (text(&response.body["challenge"]), serde_json::from_str(&text(&response.body["options"])).unwrap())
}

fn response(challenge: &str, credential: &str) -> Option<Value> {
    Some(json!({"challenge": challenge, "credential": credential}))
}

impl TestService {
    async fn add_passkey(&self, browser: &Browser, authenticator: &mut Authenticator) -> TestResponse {
        let asked = self.portal(Method::POST, "/passkeys/challenge", &browser.cookie, None).await;
        let (challenge, options) = challenge(&asked);
        let credential = authenticator.create(&options);
        self.portal(Method::POST, "/passkeys", &browser.cookie, response(&challenge, &credential)).await
    }

    /// Returns a signed response to a challenge for a use.
    async fn use_passkey(&self, authenticator: &mut Authenticator) -> Option<Value> {
        let asked = self.portal(Method::POST, "/session/challenge", "", None).await;
        let (challenge, options) = challenge(&asked);
        let credential = authenticator.sign(&options);
        response(&challenge, &credential)
    }

    /// Lets the session's last confirmation be too old.
    async fn forget_confirmation(&self, browser: &Browser) {
        let (_, secret) = browser.cookie.split_once('=').unwrap();
        let (hash, now) = (Digest32::from_text(secret), self.app.wall());
        let set: Result<(), StoreError> = self
            .app
            .store
            .write(move |tx| {
                let session = tx.console_sessions().by_secret(&hash)?.unwrap();
                let old = ConsoleSession { confirmed_at: Some(now - CONFIRMATION_LIFE), ..session };
                tx.console_sessions().set_confirmed(&old)
            })
            .await;
        set.unwrap();
    }
}

#[rstest]
#[tokio::test]
async fn passkey_signs_in_without_an_address(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let service = TestService::start(backend).await;
    let browser = service.sign_in_as("ana@shop.example", Role::Owner).await;
    let mut passkey = Authenticator::new(1);
    let added = service.add_passkey(&browser, &mut passkey).await;
    assert_eq!(added.status, 201, "{:?}", added.body);
    assert_eq!(
        (&added.body["browser"], &added.body["lastUsedAt"]),
        (&json!("Firefox on Linux"), &Value::Null)
    );

    let body = service.use_passkey(&mut passkey).await;
    let signed_in = service.portal(Method::POST, "/session/passkey", "", body.clone()).await;
    assert_eq!(signed_in.status, 201, "{:?}", signed_in.body);
    assert_eq!(signed_in.body["member"]["id"], browser.member);
    let cookie = signed_in.headers[header::SET_COOKIE].to_str().unwrap().split(';').next().unwrap();
    let listed = service.portal(Method::GET, "/passkeys", cookie, None).await;
    assert!(listed.body["items"][0]["lastUsedAt"].is_string(), "{:?}", listed.body);
    // The response to a challenge works once.
    let replayed = service.portal(Method::POST, "/session/passkey", "", body).await;
    assert_eq!((replayed.status.as_u16(), replayed.headers.get(header::SET_COOKIE)), (409, None));
}

#[tokio::test]
async fn act_that_gives_access_needs_a_recent_confirmation() {
    let service = TestService::start(Backend::Sqlite).await;
    let browser = service.sign_in_as("ana@shop.example", Role::Owner).await;
    let mut passkey = Authenticator::new(1);
    service.add_passkey(&browser, &mut passkey).await;
    service.forget_confirmation(&browser).await;
    let acts = [
        ("/production/keys", json!({"name": "Payroll"})),
        ("/members", json!({"email": "eve@shop.example", "name": "Eve", "role": "OWNER"})),
        ("/passkeys/challenge", json!({})),
    ];
    for (path, body) in &acts {
        let refused = service.portal(Method::POST, path, &browser.cookie, Some(body.clone())).await;
        assert_eq!(refused.status, 403, "{path}: {:?}", refused.body);
        let challenge = refused.headers[header::WWW_AUTHENTICATE].to_str().unwrap();
        assert!(challenge.contains("insufficient_user_authentication"), "{challenge}");
    }
    let sandbox = json!({"name": "Tests"});
    let sandbox = service.portal(Method::POST, "/sandbox/keys", &browser.cookie, Some(sandbox)).await;
    assert_eq!(sandbox.status, 201, "a secret of the sandbox opens no real data");

    let body = service.use_passkey(&mut passkey).await;
    let confirmed = service.portal(Method::POST, "/session/confirmation", &browser.cookie, body).await;
    assert_eq!(confirmed.status, 204, "{:?}", confirmed.body);
    for (path, body) in acts {
        let done = service.portal(Method::POST, path, &browser.cookie, Some(body)).await;
        assert_eq!(done.status, 201, "{path}: {:?}", done.body);
    }
}

#[tokio::test]
async fn passkey_of_another_member_or_site_is_refused() {
    let service = TestService::start(Backend::Sqlite).await;
    let ana = service.sign_in_as("ana@shop.example", Role::Owner).await;
    let bob = service.sign_in_as("bob@shop.example", Role::Viewer).await;
    let mut passkey = Authenticator::new(1);
    let refused = |response: TestResponse| assert_eq!(response.status, 409, "{:?}", response.body);
    refused(
        service
            .add_passkey(&ana, &mut Authenticator { origin: "http://evil.example", ..Authenticator::new(2) })
            .await,
    );
    assert_eq!(service.add_passkey(&ana, &mut passkey).await.status, 201);
    refused(service.add_passkey(&bob, &mut passkey).await);

    // Another member's passkey confirms nothing.
    let body = service.use_passkey(&mut passkey).await;
    refused(service.portal(Method::POST, "/session/confirmation", &bob.cookie, body).await);
    // Ana's challenge for a new passkey is not Bob's.
    let asked = service.portal(Method::POST, "/passkeys/challenge", &ana.cookie, None).await;
    let (theirs, options) = challenge(&asked);
    let credential = Authenticator::new(3).create(&options);
    refused(service.portal(Method::POST, "/passkeys", &bob.cookie, response(&theirs, &credential)).await);
    for mut other in [
        Authenticator { handle: passkey.handle.clone(), ..Authenticator::new(4) },
        // The identifier of the passkey with another key.
        Authenticator { handle: passkey.handle.clone(), ..Authenticator::new(1) },
        Authenticator { handle: URL_SAFE_NO_PAD.encode([9; 16]), ..Authenticator::new(1) },
    ] {
        let body = service.use_passkey(&mut other).await;
        refused(service.portal(Method::POST, "/session/passkey", "", body).await);
    }
    passkey.origin = "http://evil.example";
    let body = service.use_passkey(&mut passkey).await;
    refused(service.portal(Method::POST, "/session/passkey", "", body).await);
}

#[tokio::test]
async fn removed_passkey_does_not_sign_in() {
    let service = TestService::start(Backend::Sqlite).await;
    let browser = service.sign_in_as("ana@shop.example", Role::Owner).await;
    let other = service.sign_in_as("bob@shop.example", Role::Owner).await;
    let mut passkey = Authenticator::new(1);
    let added = service.add_passkey(&browser, &mut passkey).await;
    let path = format!("/passkeys/{}", text(&added.body["id"]));
    assert_eq!(service.portal(Method::DELETE, &path, &other.cookie, None).await.status, 404);
    assert_eq!(service.portal(Method::DELETE, &path, &browser.cookie, None).await.status, 204);
    let body = service.use_passkey(&mut passkey).await;
    assert_eq!(service.portal(Method::POST, "/session/passkey", "", body).await.status, 409);

    assert_eq!(service.add_passkey(&browser, &mut passkey).await.status, 201);
    let member = format!("/members/{}", browser.member);
    assert_eq!(service.portal(Method::DELETE, &member, &other.cookie, None).await.status, 204);
    let body = service.use_passkey(&mut passkey).await;
    assert_eq!(service.portal(Method::POST, "/session/passkey", "", body).await.status, 409);
}

#[rstest]
#[tokio::test]
async fn removed_owner_keeps_no_access_by_a_second_mailbox(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let ana = service.sign_in_as("ana@shop.example", Role::Owner).await;
    let bob = service.sign_in_as("bob@shop.example", Role::Owner).await;
    // Bob invites a second mailbox of his, and adds a passkey as this member.
    let draft = json!({"name": "Bo", "email": "bo@shop.example", "role": "OWNER"});
    let invited = service.portal(Method::POST, "/members", &bob.cookie, Some(draft)).await;
    let second = service.sign_in(text(&invited.body["url"]).split_once('#').unwrap().1).await;
    let (mut given, mut hidden) = (Authenticator::new(1), Authenticator::new(2));
    assert_eq!(service.add_passkey(&second, &mut given).await.status, 201);
    // With a mailed link, nothing of Bob is in the session until the passkey confirms it.
    let mailed = service.sign_in_unproven(&second.member).await;
    let body = service.use_passkey(&mut given).await;
    let confirmed = service.portal(Method::POST, "/session/confirmation", &mailed.cookie, body).await;
    assert_eq!(confirmed.status, 204, "{:?}", confirmed.body);
    assert_eq!(service.add_passkey(&mailed, &mut hidden).await.status, 201);

    let path = format!("/members/{}", bob.member);
    assert_eq!(service.portal(Method::DELETE, &path, &ana.cookie, None).await.status, 204);
    assert_eq!(service.portal(Method::GET, "/session", &mailed.cookie, None).await.status, 401);
    for passkey in [&mut given, &mut hidden] {
        let body = service.use_passkey(passkey).await;
        assert_eq!(service.portal(Method::POST, "/session/passkey", "", body).await.status, 409);
    }
}
