//! Seals credentials and answers as the frame does.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hpke::aead::AesGcm128;
use hpke::kdf::HkdfSha256;
use hpke::kem::DhP256HkdfSha256;
use hpke::{Deserializable, Kem, OpModeS, Serializable, single_shot_seal};
use link_types::sealing::{SCHEME, SealedPurpose, associated_data};
use serde_json::{Value, json};

/// The sealing key of a session, and the ids that bind sealed values to it.
#[derive(Clone)]
pub struct Sealer {
    /// The response of `GET /link/sealingKey`.
    pub key: Value,
    /// The session's id.
    pub session_id: String,
    /// The id of the session's attempt.
    pub attempt_id: String,
}

impl Sealer {
    /// Builds a sealer from the responses of `GET /link/sealingKey` and `GET /link/session`.
    pub fn new(key: &Value, session: &Value) -> Self {
        let text =
            |value: &Value| value.as_str().unwrap_or_else(|| panic!("not a string: {value}")).to_owned();
        Self {
            key: key.clone(),
            session_id: text(&session["sessionId"]),
            attempt_id: text(&session["attempt"]["id"]),
        }
    }

    /// Seals the values of a login form.
    pub fn credentials(&self, provider: &str, form: &Value) -> Value {
        self.seal(SealedPurpose::Credentials, provider, form)
    }

    /// Seals a typed answer to a challenge, in the form of the request body.
    pub fn answer(&self, challenge: &Value, text: &str) -> Value {
        let subject = challenge["id"].as_str().unwrap();
        json!({"text": {"sealed": self.seal(SealedPurpose::Answer, subject, &json!(text))}})
    }

    fn seal(&self, purpose: SealedPurpose, subject: &str, value: &Value) -> Value {
        let receiver = URL_SAFE_NO_PAD.decode(self.key["publicKey"].as_str().unwrap()).unwrap();
        let receiver = <DhP256HkdfSha256 as Kem>::PublicKey::from_bytes(&receiver).unwrap();
        let (session, attempt) = (self.session_id.parse().unwrap(), self.attempt_id.parse().unwrap());
        let (enc, ciphertext) = single_shot_seal::<AesGcm128, HkdfSha256, DhP256HkdfSha256>(
            &OpModeS::Base,
            &receiver,
            SCHEME.as_bytes(),
            value.to_string().as_bytes(),
            associated_data(purpose, &session, &attempt, subject).as_bytes(),
        )
        .unwrap();
        json!({
            "keyId": self.key["keyId"],
            "enc": URL_SAFE_NO_PAD.encode(enc.to_bytes()),
            "ciphertext": URL_SAFE_NO_PAD.encode(ciphertext),
        })
    }
}
