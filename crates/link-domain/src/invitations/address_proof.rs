//! The proof of a visit's email address: a code is mailed to the address, and the person types it on the page.
//!
//! The person stays in the same tab or frame, and a program that follows the links of mails uses nothing up.

use std::time::Duration;

use link_types::id::LinkSiteSessionId;
use link_types::{Mode, Sensitive};
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq as _;

use crate::kernel::clock::Wall;
use crate::kernel::context::Context;
use crate::kernel::digest::Digest32;
use crate::kernel::sealed;
use crate::notifications::mail::{
    Admission, MailLimits, MailStanding, admit_without_server, code_hash, is_mailbox, recipient_hash,
};

/// How long a code works: 10 minutes.
pub const CODE_LIFE: Duration = Duration::from_secs(10 * 60);
/// How long a visit must wait before another code to the mailbox of its last one: 60 seconds.
pub const CODE_WAIT: Duration = Duration::from_secs(60);
/// Maximum number of attempts at one code.
pub const MAX_ATTEMPTS: u8 = 5;
/// Maximum number of codes of a visit.
pub const MAX_CODES: u8 = 4;
/// Number of digits of a code.
const DIGITS: usize = 6;
/// Limits that no mail reaches.
const NO_LIMITS: MailLimits = MailLimits { per_tenant: u32::MAX, per_recipient: u32::MAX };

/// The proof of a visit's email address. It is serialized only in encrypted form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AddressProof {
    /// The visit needs no proof.
    NotNeeded,
    /// The person has given no address that a code was mailed to.
    NotAsked,
    /// A code was mailed.
    Sent(SentCode),
    /// The person typed the code.
    Proven {
        /// The proven address.
        #[serde(with = "sealed")]
        address: Sensitive,
    },
}

/// A code that is mailed, or waits for a mail server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SentCode {
    /// Address, as the person typed it.
    #[serde(with = "sealed")]
    pub address: Sensitive,
    /// Language of the page on which it was typed, as a BCP 47 tag.
    pub locale: String,
    /// Keyed hash of the code and the visit.
    pub code_hash: Digest32,
    /// When the code was requested.
    pub sent_at: Wall,
    /// Attempts with another code.
    pub wrong_attempts: u8,
    /// Codes of the visit, including this one.
    pub codes: u8,
    /// Mail to send. `None` after it was sent, or will not be.
    pub mail: Option<CodeMail>,
}

/// The mail of a code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CodeMail {
    /// The code: 6 digits.
    #[serde(with = "sealed")]
    pub code: Sensitive,
    /// Whether the mail is stored for the operator, although the service has a mail server.
    pub is_kept: bool,
}

/// A request of a code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeRequest<'a> {
    /// The visit. A code works only there.
    pub visit_id: &'a LinkSiteSessionId,
    /// Address, as the person typed it.
    pub address: Sensitive,
    /// Language of the page, as a BCP 47 tag.
    pub locale: String,
    /// Key of the hashes.
    pub key: &'a [u8; 32],
}

/// Everything that determines whether a code is mailed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeStanding {
    /// Environment of the visit.
    pub mode: Mode,
    /// Whether the operator allowed the tenant's sandbox to mail the address.
    pub is_allowed: bool,
    /// Whether the address is suppressed.
    pub is_suppressed: bool,
    /// Whether the service has a mail server.
    pub has_server: bool,
    /// Mails that the tenant's environment counted today, including codes.
    pub tenant_today: u32,
    /// Codes that the tenant's environment counted today.
    pub codes_today: u32,
    /// Codes to the mailbox counted today, from all tenants together.
    pub codes_to_mailbox_today: u32,
}

/// Reason why no code is mailed. Nothing must be written then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodeRequestError {
    /// The visit needs no proof, or has one.
    #[error("the visit needs no code")]
    NotNeeded,
    /// Only a program sends an address this soon, or fills the field that people do not see.
    #[error("the address comes from a program")]
    Program,
    /// Mail may not be sent to the address.
    #[error("the text is not an email address")]
    Address,
    /// The last code of the visit went to the same mailbox less than 60 seconds ago.
    #[error("the last code is less than 60 seconds old")]
    TooSoon,
    /// The visit has had 4 codes.
    #[error("the visit has had its 4 codes")]
    TooMany,
    /// No address gets a code now: the environment's limit is reached, or the service has no mail server.
    #[error("no codes are mailed now")]
    Unavailable,
    /// The mailbox wants no mail, or its limit is reached. The page does not say which.
    #[error("no mail is sent to the address now")]
    Refused,
}

/// Reason why a text does not prove the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodeError {
    /// No code was mailed.
    #[error("no code was mailed")]
    Missing,
    /// The text does not have 6 digits. This is not an attempt.
    #[error("a code has 6 digits")]
    Digits,
    /// The code is another one.
    #[error("the code is wrong")]
    Wrong,
    /// The code has expired, or 5 attempts used it up.
    #[error("the code no longer works")]
    Over,
}

impl CodeStanding {
    /// Returns whether the mail counts against the limits, because a mail server gets it.
    pub fn is_counted(&self) -> bool {
        self.has_server && self.mail().admit(NO_LIMITS) == (Admission::HandOver { counts: true })
    }

    /// Decides about the mail.
    fn admit(&self, limits: MailLimits) -> Result<Admission, CodeRequestError> {
        let admission = match (self.has_server, self.is_suppressed) {
            (false, false) => admit_without_server(self.mode),
            (true, _) | (false, true) => self.mail().admit(limits),
        };
        match admission {
            Admission::Suppressed => Err(CodeRequestError::Refused),
            Admission::Wait | Admission::NoServer => Err(CodeRequestError::Unavailable),
            Admission::HandOver { counts: true } if self.codes_today >= limits.codes_per_tenant() => {
                Err(CodeRequestError::Unavailable)
            }
            Admission::HandOver { counts: true }
                if self.codes_to_mailbox_today >= limits.codes_per_recipient() =>
            {
                Err(CodeRequestError::Refused)
            }
            Admission::HandOver { .. } | Admission::Keep => Ok(admission),
        }
    }

    /// Returns the standing of the mail without what is counted of its mailbox: codes have a separate count there.
    const fn mail(&self) -> MailStanding {
        MailStanding {
            mode: self.mode,
            is_allowed: self.is_allowed,
            is_suppressed: self.is_suppressed,
            is_counted: false,
            tenant_today: self.tenant_today,
            recipient_today: 0,
            recipient_of_tenant_today: 0,
        }
    }
}

impl AddressProof {
    /// Returns whether the person must prove an address before the visit goes on.
    pub const fn is_awaited(&self) -> bool {
        match self {
            Self::NotNeeded | Self::Proven { .. } => false,
            Self::NotAsked | Self::Sent(_) => true,
        }
    }

    /// Returns the proven address.
    pub const fn address(&self) -> Option<&Sensitive> {
        match self {
            Self::NotNeeded | Self::NotAsked | Self::Sent(_) => None,
            Self::Proven { address } => Some(address),
        }
    }

    /// Returns the code that was mailed.
    pub const fn sent_code(&self) -> Option<&SentCode> {
        match self {
            Self::NotNeeded | Self::NotAsked | Self::Proven { .. } => None,
            Self::Sent(sent) => Some(sent),
        }
    }

    /// Checks a request of a code before the standing of its mailbox is read.
    ///
    /// # Errors
    ///
    /// [`CodeRequestError`] if no code is mailed.
    pub fn check_request(&self, request: &CodeRequest<'_>, now: Wall) -> Result<(), CodeRequestError> {
        if !self.is_awaited() {
            return Err(CodeRequestError::NotNeeded);
        }
        if !is_mailbox(request.address.expose()) {
            return Err(CodeRequestError::Address);
        }
        let Some(sent) = self.sent_code() else { return Ok(()) };
        let mailbox = |address: &Sensitive| recipient_hash(request.key, address.expose());
        if now.since(sent.sent_at) < CODE_WAIT && mailbox(&sent.address) == mailbox(&request.address) {
            return Err(CodeRequestError::TooSoon);
        }
        if sent.is_last() { Err(CodeRequestError::TooMany) } else { Ok(()) }
    }

    /// Creates a code, which replaces an earlier one. Returns the proof, and how its mail is sent.
    ///
    /// # Errors
    ///
    /// [`CodeRequestError`] if no code is mailed.
    pub fn request(
        &self,
        request: CodeRequest<'_>,
        standing: &CodeStanding,
        limits: MailLimits,
        context: &mut Context,
    ) -> Result<(Self, Admission), CodeRequestError> {
        let now = context.now().wall();
        self.check_request(&request, now)?;
        let admission = standing.admit(limits)?;
        let CodeRequest { visit_id, address, locale, key } = request;
        let code = create_code(context);
        let sent = SentCode {
            address,
            locale,
            code_hash: code_hash(key, visit_id.as_str(), code.expose()),
            sent_at: now,
            wrong_attempts: 0,
            codes: self.sent_code().map_or(0, |it| it.codes).saturating_add(1),
            mail: Some(CodeMail { code, is_kept: admission == Admission::Keep }),
        };
        Ok((Self::Sent(sent), admission))
    }

    /// Compares the text that a person typed with the code. Returns the proof as it is then.
    pub fn check(
        self,
        visit_id: &LinkSiteSessionId,
        typed: &Sensitive,
        key: &[u8; 32],
        now: Wall,
    ) -> (Self, Result<(), CodeError>) {
        let sent = match self {
            Self::Sent(sent) => sent,
            Self::Proven { .. } => return (self, Ok(())),
            Self::NotNeeded | Self::NotAsked => return (self, Err(CodeError::Missing)),
        };
        let Some(typed) = read_code(typed) else { return (Self::Sent(sent), Err(CodeError::Digits)) };
        if !sent.works(now) {
            return (Self::Sent(sent), Err(CodeError::Over));
        }
        let hash = code_hash(key, visit_id.as_str(), typed.expose());
        if bool::from(hash.as_bytes().ct_eq(sent.code_hash.as_bytes())) {
            return (Self::Proven { address: sent.address }, Ok(()));
        }
        let sent = SentCode { wrong_attempts: sent.wrong_attempts.saturating_add(1), ..sent };
        let error = if sent.works(now) { CodeError::Wrong } else { CodeError::Over };
        (Self::Sent(sent), Err(error))
    }

    /// Returns whether the visit can prove no address any more: its last code no longer works, and it gets no other.
    pub fn is_used_up(&self, now: Wall) -> bool {
        self.sent_code().is_some_and(|it| it.is_last() && !it.works(now))
    }

    /// Forgets the proven address, so that the visit must prove one again.
    pub fn forget(self) -> Self {
        match self {
            Self::Proven { .. } => Self::NotAsked,
            Self::NotNeeded | Self::NotAsked | Self::Sent(_) => self,
        }
    }

    /// Forgets the mail of a code, which was sent or will not be.
    pub fn mail_settled(self, code_hash: &Digest32) -> Self {
        match self {
            Self::Sent(sent) if sent.code_hash == *code_hash => Self::Sent(SentCode { mail: None, ..sent }),
            Self::NotNeeded | Self::NotAsked | Self::Sent(_) | Self::Proven { .. } => self,
        }
    }
}

impl SentCode {
    /// Returns whether the code can still prove the address.
    pub fn works(&self, now: Wall) -> bool {
        self.wrong_attempts < MAX_ATTEMPTS && now < self.ends_at()
    }

    /// Returns whether the visit gets no other code.
    pub const fn is_last(&self) -> bool {
        self.codes >= MAX_CODES
    }

    /// Returns when the code expires.
    pub fn ends_at(&self) -> Wall {
        self.sent_at + CODE_LIFE
    }
}

fn create_code(context: &mut Context) -> Sensitive {
    let [a, b, c, d, e, f, g, h, ..] = context.secret();
    let number = u64::from_le_bytes([a, b, c, d, e, f, g, h]) % 1_000_000;
    Sensitive::new(format!("{number:06}"))
}

/// Reads a code as people type and paste it: with spaces or dashes, and in the digits of their script.
fn read_code(typed: &Sensitive) -> Option<Sensitive> {
    let is_between = |it: &char| it.is_whitespace() || matches!(it, '-' | '\u{2013}');
    let digit = |it: char| {
        let zero = match it {
            '\u{660}'..='\u{669}' => 0x660,
            '\u{6f0}'..='\u{6f9}' => 0x6f0,
            '\u{ff10}'..='\u{ff19}' => 0xff10,
            _ => return it.to_digit(10),
        };
        Some(u32::from(it) - zero)
    };
    let digits = typed.expose().chars().filter(|it| !is_between(it)).take(DIGITS + 1);
    let digits: Option<Vec<u32>> = digits.map(digit).collect();
    let digits = digits.filter(|it| it.len() == DIGITS)?;
    Some(Sensitive::new(digits.iter().map(u32::to_string).collect::<String>()))
}

#[cfg(test)]
mod tests;
