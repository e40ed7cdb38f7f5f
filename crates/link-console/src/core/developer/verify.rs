//! Checks the signature of a delivery. The browser computes the digests, so the secret does not leave it.

/// The form of the check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verify {
    /// Secret of the webhook.
    pub secret: String,
    /// The header `Service-Signature`.
    pub signature: String,
    /// The body that was received.
    pub body: String,
    /// The outcome. `None` before the check, and after a change.
    pub verdict: Option<Verdict>,
}

/// HMAC-SHA512 in lowercase hex, of the body and of variants that programs often make of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Digests {
    /// Of the body as it is.
    pub exact: String,
    /// Of the body without white space at its ends.
    pub trimmed: String,
    /// Of the body with a line break at its end.
    pub with_line_break: String,
}

/// Whether a signature is valid, and why it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is valid.
    Valid,
    /// It is the header `webhook-signature`.
    OtherHeader,
    /// It does not have 128 hex digits.
    Malformed,
    /// It is in uppercase.
    Uppercase,
    /// It is of the body without the white space at its ends.
    Trimmed,
    /// It is of the body with a line break at its end.
    LineBreak,
    /// Another secret, or another body.
    Different,
    /// The browser cannot compute digests.
    NotComputed,
}

/// Returns the verdict on a signature.
pub fn verdict(signature: &str, digests: Option<&Digests>) -> Verdict {
    let signature = signature.trim();
    let Some(digests) = digests else { return Verdict::NotComputed };
    if signature.starts_with("v1,") {
        return Verdict::OtherHeader;
    }
    if signature.len() != 128 || !signature.bytes().all(|it| it.is_ascii_hexdigit()) {
        return Verdict::Malformed;
    }
    let lowercase = signature.to_ascii_lowercase();
    if lowercase == digests.exact {
        if lowercase == signature { Verdict::Valid } else { Verdict::Uppercase }
    } else if lowercase == digests.trimmed {
        Verdict::Trimmed
    } else if lowercase == digests.with_line_break {
        Verdict::LineBreak
    } else {
        Verdict::Different
    }
}
