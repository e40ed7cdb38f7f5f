//! A provider's challenge, as a connector sends it.

use std::time::Duration;

use link_domain::linking::account_source::{PosedChallenge, Resend};
use link_types::challenge::{ChallengeKind, CodeChannel, RedirectAddress};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::redirect;
use crate::http_source::fault::ExchangeError;
use crate::mfa_recording;

const KINDS: [&str; 7] = ["oneTimeCode", "choice", "image", "question", "approve", "emailLink", "redirect"];
/// The maximum length of a text or choice, in characters.
const MAX_TEXT: usize = 500;
const MAX_CHOICES: usize = 50;
/// How long a login on the provider's page may take if the connector does not say.
const REDIRECT_SECONDS: u32 = 600;

/// A challenge.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PosedMessage {
    /// The kind of challenge: an object with one field, whose name is the kind. For an image, `image` is a PNG, JPEG
    /// or WebP file in base64, and `recording`, which may be left out, a WAV or MP3 file in base64. For `redirect`, `url`
    /// is the provider's authorization address without `state` and `redirect_uri`, and `issuer` the `iss` that its
    /// response must have.
    #[schema(value_type = ChallengeKind)]
    pub kind: Map<String, Value>,
    /// Seconds until it times out, 1 to 3600. If null, never.
    pub lasts_seconds: Option<u32>,
    /// Seconds until the service asks, with CONTINUE, whether the user has completed it elsewhere, 1 to 300. Required
    /// for `approve` and `emailLink`.
    pub check_after_seconds: Option<u32>,
    /// Whether the user may ask for more time.
    #[serde(default)]
    pub extendable: bool,
    /// How the code can be resent. If null, it cannot.
    pub resend: Option<OfferedResend>,
    /// Tries left, including this one.
    pub tries_left: Option<u8>,
    /// Whether the previous answer was wrong.
    #[serde(default)]
    pub wrong_answer: bool,
}

/// How a code can be resent.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfferedResend {
    /// Seconds that must pass before, 0 to 3600.
    pub after_seconds: u32,
    /// The available channels.
    pub channels: Vec<CodeChannel>,
}

impl PosedMessage {
    /// Converts the challenge to the domain's form. Returns `None` if the service does not know its kind.
    pub(super) fn into_challenge(mut self, connector: &str) -> Result<Option<PosedChallenge>, ExchangeError> {
        let is_known = self.kind.keys().any(|it| KINDS.contains(&it.as_str()));
        if !is_known && self.kind.len() == 1 {
            return Ok(None);
        }
        let redirect = redirect::read(&self.kind)?;
        if redirect.is_some() {
            self.lasts_seconds.get_or_insert(REDIRECT_SECONDS);
        }
        let kind = if redirect.is_some() {
            ChallengeKind::Redirect { address: RedirectAddress::default() }
        } else {
            let kind = serde_path_to_error::deserialize(Value::Object(self.kind)).map_err(
                |error: serde_path_to_error::Error<_>| {
                    ExchangeError::at(format!("challenge.kind.{}", error.path()))
                },
            )?;
            check(kind, connector)?
        };
        let waits_elsewhere = matches!(kind, ChallengeKind::Approve { .. } | ChallengeKind::EmailLink { .. });
        if waits_elsewhere && self.check_after_seconds.is_none() {
            return Err(ExchangeError::at("challenge.checkAfterSeconds"));
        }
        let resend = match self.resend {
            Some(resend) if resend.channels.is_empty() => {
                return Err(ExchangeError::at("challenge.resend.channels"));
            }
            Some(resend) => {
                let after = seconds(Some(resend.after_seconds), 0..=3600, "resend.afterSeconds")?;
                Some(Resend { after: after.unwrap_or_default(), channels: resend.channels })
            }
            None => None,
        };
        Ok(Some(PosedChallenge {
            kind,
            lasts: seconds(self.lasts_seconds, 1..=3600, "lastsSeconds")?,
            check_after: seconds(self.check_after_seconds, 1..=300, "checkAfterSeconds")?,
            extendable: self.extendable,
            resend,
            tries_left: self.tries_left,
            wrong_answer: self.wrong_answer,
            redirect,
        }))
    }
}

fn seconds(
    given: Option<u32>,
    range: std::ops::RangeInclusive<u32>,
    field: &str,
) -> Result<Option<Duration>, ExchangeError> {
    match given {
        Some(seconds) if !range.contains(&seconds) => Err(ExchangeError::at(format!("challenge.{field}"))),
        Some(seconds) => Ok(Some(Duration::from_secs(seconds.into()))),
        None => Ok(None),
    }
}

/// Returns the kind if it can be displayed. An image is still the connector's file. A recording that cannot be played is removed,
/// because the person can read the image.
fn check(kind: ChallengeKind, connector: &str) -> Result<ChallengeKind, ExchangeError> {
    let fits = |text: &str| (1..=MAX_TEXT).contains(&text.chars().count());
    match kind {
        ChallengeKind::Choice { question, choices } => {
            let are_fit = (1..=MAX_CHOICES).contains(&choices.len())
                && choices.iter().all(|it| fits(&it.value) && fits(&it.label));
            match (fits(&question), are_fit) {
                (true, true) => Ok(ChallengeKind::Choice { question, choices }),
                (false, _) => Err(ExchangeError::at("challenge.kind.choice.question")),
                (true, false) => Err(ExchangeError::at("challenge.kind.choice.choices")),
            }
        }
        ChallengeKind::Question { question, format } if fits(&question) => {
            Ok(ChallengeKind::Question { question, format })
        }
        ChallengeKind::Question { .. } => Err(ExchangeError::at("challenge.kind.question.question")),
        ChallengeKind::Image { image, recording, format } => Ok(ChallengeKind::Image {
            image,
            recording: recording.and_then(|file| playable(&file, connector)),
            format,
        }),
        ChallengeKind::OneTimeCode { .. }
        | ChallengeKind::Approve { .. }
        | ChallengeKind::EmailLink { .. }
        | ChallengeKind::Redirect { .. } => Ok(kind),
    }
}

/// Returns a recording as a `data:` URL, if browsers can play it.
fn playable(file: &str, connector: &str) -> Option<String> {
    mfa_recording::data_url(file)
        .inspect_err(|fault| {
            tracing::warn!(connector, %fault, "The recording of a picture is left out");
        })
        .ok()
}
