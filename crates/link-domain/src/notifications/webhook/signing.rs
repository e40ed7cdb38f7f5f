//! Headers that prove a delivery's origin and integrity to the receiver.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use link_types::Sensitive;
use sha2::{Sha256, Sha512};

use super::registration::Webhook;
use crate::kernel::clock::Wall;
use crate::kernel::digest::hex;

/// Header of the interface: HMAC-SHA512 of the exact body, in lowercase hex.
pub const SERVICE_SIGNATURE: &str = "Service-Signature";
/// Signature with the next secret, while a webhook's secret rotates.
pub const SERVICE_SIGNATURE_NEXT: &str = "Service-Signature-Next";
/// Standard Webhooks: id of the event.
pub const WEBHOOK_ID: &str = "webhook-id";
/// Standard Webhooks: time of this attempt, in whole seconds.
pub const WEBHOOK_TIMESTAMP: &str = "webhook-timestamp";
/// Standard Webhooks: `v1,` and base64 HMAC-SHA256 of `id.timestamp.body`.
pub const WEBHOOK_SIGNATURE: &str = "webhook-signature";

/// Returns the headers of one attempt, in the order in which they are sent.
pub fn signature_headers(
    webhook: &Webhook,
    event_id: &str,
    at: Wall,
    body: &[u8],
) -> Vec<(&'static str, String)> {
    signature_headers_with(&webhook.secret, webhook.next_secret.as_ref(), event_id, at, body)
}

/// Returns the headers of [`signature_headers`] with only the secrets of the webhook.
pub fn signature_headers_with(
    secret: &Sensitive,
    next_secret: Option<&Sensitive>,
    event_id: &str,
    at: Wall,
    body: &[u8],
) -> Vec<(&'static str, String)> {
    let timestamp = at.micros().div_euclid(1_000_000).to_string();
    let signed = [event_id.as_bytes(), b".", timestamp.as_bytes(), b".", body].concat();
    let standard: Vec<String> = std::iter::once(secret)
        .chain(next_secret)
        .map(|secret| format!("v1,{}", STANDARD.encode(sha256(secret, &signed))))
        .collect();
    let mut headers = vec![(SERVICE_SIGNATURE, service_signature(secret, body))];
    headers.extend(next_secret.map(|next| (SERVICE_SIGNATURE_NEXT, service_signature(next, body))));
    headers.push((WEBHOOK_ID, event_id.to_owned()));
    headers.push((WEBHOOK_TIMESTAMP, timestamp));
    headers.push((WEBHOOK_SIGNATURE, standard.join(" ")));
    headers
}

/// Returns a secret in the form that the libraries of Standard Webhooks take: `whsec_` and base64.
pub fn standard_secret(secret: &Sensitive) -> String {
    format!("whsec_{}", STANDARD.encode(secret.expose()))
}

/// Returns the HMAC-SHA512 of `body`, keyed with the secret's UTF-8 bytes, in lowercase hex.
pub fn service_signature(secret: &Sensitive, body: &[u8]) -> String {
    let mut mac = new_mac::<Hmac<Sha512>>(secret);
    mac.update(body);
    hex(&mac.finalize().into_bytes())
}

fn sha256(secret: &Sensitive, message: &[u8]) -> Vec<u8> {
    let mut mac = new_mac::<Hmac<Sha256>>(secret);
    mac.update(message);
    mac.finalize().into_bytes().to_vec()
}

fn new_mac<M: Mac + KeyInit>(secret: &Sensitive) -> M {
    match M::new_from_slice(secret.expose().as_bytes()) {
        Ok(mac) => mac,
        Err(_) => unreachable!("HMAC takes keys of every length"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    fn secrets(next: Option<&str>) -> Webhook {
        Webhook {
            next_secret: next.map(Sensitive::new),
            secret: Sensitive::new("Jefe"),
            ..fixture::webhook()
        }
    }

    #[test]
    fn service_signature_matches_the_rfc_4231_vector() {
        // RFC 4231, test case 2.
        assert_eq!(
            service_signature(&Sensitive::new("Jefe"), b"what do ya want for nothing?"),
            "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fd\
             caeab1a34d4a6b4b636e070a38bce737"
        );
    }

    #[test]
    fn webhook_signature_covers_id_seconds_and_body() {
        let headers =
            signature_headers(&secrets(None), "et-1", Wall::from_micros(1_700_000_000_999_999), b"{}");
        assert_eq!(
            headers.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
            [SERVICE_SIGNATURE, WEBHOOK_ID, WEBHOOK_TIMESTAMP, WEBHOOK_SIGNATURE]
        );
        assert_eq!(headers[2].1, "1700000000");
        let expected = sha256(&Sensitive::new("Jefe"), b"et-1.1700000000.{}");
        assert_eq!(headers[3].1, format!("v1,{}", STANDARD.encode(expected)));
    }

    #[test]
    fn rotation_adds_signatures_without_changing_the_old_one() {
        let before = signature_headers(&secrets(None), "et-1", Wall::from_micros(0), b"{}");
        let during = signature_headers(&secrets(Some("next")), "et-1", Wall::from_micros(0), b"{}");
        assert_eq!(before[0], during[0]);
        assert_eq!(during[1], (SERVICE_SIGNATURE_NEXT, service_signature(&Sensitive::new("next"), b"{}")));
        assert_eq!(during[4].1.split(' ').count(), 2);
    }

    /// A delivery with its headers, as the receivers in docs/how-to/webhooks.md and in the libraries are tested with.
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Vector {
        name: String,
        secret: String,
        whsec: String,
        next_secret: Option<String>,
        at: i64,
        body: String,
        headers: std::collections::BTreeMap<String, String>,
    }

    #[test]
    fn headers_are_those_of_the_published_vectors() {
        let vectors = include_str!("../../../../../tests/contract/webhook-vectors.json");
        for vector in serde_json::from_str::<Vec<Vector>>(vectors).unwrap() {
            let webhook = Webhook {
                secret: Sensitive::new(vector.secret.clone()),
                ..secrets(vector.next_secret.as_deref())
            };
            let id = &vector.headers[WEBHOOK_ID];
            let at = Wall::from_micros(vector.at * 1_000_000);
            let headers = signature_headers(&webhook, id, at, vector.body.as_bytes());
            let headers = headers.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
            assert_eq!(vector.headers, headers, "{}", vector.name);
            assert_eq!(vector.whsec, standard_secret(&webhook.secret), "{}", vector.name);
        }
    }
}
