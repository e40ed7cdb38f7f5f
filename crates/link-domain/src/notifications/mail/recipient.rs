//! Recipients of mail as the service stores them: keyed hashes that do not reveal the address.

use std::str::FromStr;

use email_address::EmailAddress;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use subtle::ConstantTimeEq as _;
use unicode_normalization::UnicodeNormalization as _;

use crate::kernel::digest::{Digest32, hex};

/// The domain that ignores dots in the name of a mailbox.
const GMAIL: &str = "gmail.com";
/// The alias of [`GMAIL`].
const GOOGLEMAIL: &str = "googlemail.com";
/// Number of characters of the signature in an unsubscribe token.
const SIGNATURE: usize = 32;

/// Returns whether mail may be sent to this address.
///
/// It has the form that mail servers accept. Rejects quoted names (`"ana"@example.com`) and IP literals
/// (`ana@[192.0.2.7]`), because the service cannot compare their spellings.
pub fn is_mailbox(address: &str) -> bool {
    if address.ends_with(|it: char| it.is_whitespace() || it == '.') {
        return false;
    }
    let name = address.rsplit_once('@').map(|(name, _)| name);
    let canonical = canonical(address);
    let domain = canonical.as_deref().and_then(|it| it.rsplit_once('@')).map(|(_, domain)| domain);
    name.is_some_and(EmailAddress::is_valid_local_part) && domain.is_some_and(EmailAddress::is_valid_domain)
}

/// Normalizes an address: removes the `+tag`, and converts the name to lowercase and the domain to ASCII.
///
/// Returns `None` if mail may not be sent to the address.
fn canonical(address: &str) -> Option<String> {
    let (name, domain) = address.trim().rsplit_once('@')?;
    let is_plain = |it: char| !it.is_control() && !it.is_whitespace() && !"\"\\()<>[],:;@".contains(it);
    if !name.chars().all(is_plain) {
        return None;
    }
    let domain = canonical_domain(domain)?;
    let name: String =
        name.split('+').next().unwrap_or_default().nfkc().flat_map(char::to_lowercase).collect();
    let name = if domain == GMAIL { name.replace('.', "") } else { name };
    (!name.is_empty()).then(|| format!("{name}@{domain}"))
}

/// Converts a domain to lowercase ASCII, and an alias to its main name. Returns `None` if it is not a hostname.
fn canonical_domain(domain: &str) -> Option<String> {
    let ascii = idna::domain_to_ascii(domain).ok()?;
    let ascii = ascii.trim_end_matches('.');
    let is_host =
        !ascii.is_empty() && ascii.bytes().all(|it| it.is_ascii_alphanumeric() || b".-_".contains(&it));
    is_host.then(|| if ascii == GOOGLEMAIL { GMAIL.to_owned() } else { ascii.to_owned() })
}

/// Returns the keyed hash of a mailbox. All spellings of its address have the same hash.
pub fn recipient_hash(key: &[u8; 32], address: &str) -> Digest32 {
    let address = canonical(address).unwrap_or_else(|| address.to_lowercase());
    compute_keyed_digest(key, "mail recipient", address.as_bytes())
}

/// Returns the keyed hash by which data belongs to an address. Unlike [`recipient_hash`], it distinguishes `+tags` and dots: at
/// some providers they are mailboxes of different people. Case does not matter.
pub fn address_hash(key: &[u8; 32], address: &str) -> Digest32 {
    let (name, domain) = address.trim().rsplit_once('@').unwrap_or_default();
    let domain = idna::domain_to_ascii(domain).unwrap_or_default();
    compute_keyed_digest(key, "own page", format!("{}@{domain}", name.to_ascii_lowercase()).as_bytes())
}

/// Returns the keyed hash by which a member is found. `email` is as members have it: two spellings that are different members
/// have different hashes.
pub fn member_hash(key: &[u8; 32], email: &str) -> Digest32 {
    compute_keyed_digest(key, "member", email.as_bytes())
}

/// Returns the keyed hash of a row of a file with people to invite.
pub fn row_hash(key: &[u8; 32], row: &str) -> Digest32 {
    compute_keyed_digest(key, "invited row", row.as_bytes())
}

/// Returns the keyed hash of a code that was mailed for a visit. The same code of another visit has another hash.
pub fn code_hash(key: &[u8; 32], visit: &str, code: &str) -> Digest32 {
    compute_keyed_digest(key, "visit code", format!("{visit} {code}").as_bytes())
}

/// Returns the token of the link that stops mail to a mailbox. It is valid as long as the service has its master key,
/// and it does not contain the address.
pub fn unsubscribe_token(key: &[u8; 32], recipient: &Digest32) -> String {
    format!("{}{}", hex(recipient.as_bytes()), signature(key, recipient))
}

/// Returns the mailbox of a token, or `None` if the service did not create the token.
pub fn recipient_of_token(key: &[u8; 32], token: &str) -> Option<Digest32> {
    let (hash, signed) = token.split_at_checked(64)?;
    let mut bytes = [0; 32];
    base16ct::lower::decode(hash, &mut bytes).ok()?;
    let recipient = Digest32::from_bytes(bytes);
    let is_ours = signature(key, &recipient).as_bytes().ct_eq(signed.as_bytes());
    bool::from(is_ours).then_some(recipient)
}

fn signature(key: &[u8; 32], recipient: &Digest32) -> String {
    let signed = compute_keyed_digest(key, "mail unsubscribe", recipient.as_bytes());
    hex(&signed.as_bytes()[..SIGNATURE / 2])
}

fn compute_keyed_digest(key: &[u8; 32], purpose: &str, text: &[u8]) -> Digest32 {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else {
        unreachable!("HMAC takes keys of every length");
    };
    mac.update(purpose.as_bytes());
    mac.update(&[0]);
    mac.update(text);
    Digest32::from_bytes(mac.finalize().into_bytes().into())
}

/// Addresses that a tenant's sandbox may mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AllowedRecipients {
    /// One mailbox.
    Address(String),
    /// Every mailbox of a domain.
    Domain(String),
}

/// Error for a text that is neither an address nor `@domain`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected an address like ana@example.com, or a domain like @example.com")]
pub struct InvalidRecipientsError;

impl FromStr for AllowedRecipients {
    type Err = InvalidRecipientsError;

    fn from_str(text: &str) -> Result<Self, InvalidRecipientsError> {
        let text = text.trim();
        let found = match text.strip_prefix('@') {
            Some(domain) => canonical_domain(domain).filter(|it| it.contains('.')).map(Self::Domain),
            None => canonical(text)
                .filter(|it| it.rsplit('@').next().is_some_and(|domain| domain.contains('.')))
                .map(Self::Address),
        };
        found.ok_or(InvalidRecipientsError)
    }
}

impl AllowedRecipients {
    /// Returns the hash by which the store finds the entry.
    pub fn hash(&self, key: &[u8; 32]) -> Digest32 {
        match self {
            Self::Address(address) => recipient_hash(key, address),
            Self::Domain(domain) => compute_keyed_digest(key, "mail domain", domain.as_bytes()),
        }
    }

    /// Returns the domain, which is not personal data, or `None` for a mailbox.
    pub fn domain(&self) -> Option<&str> {
        match self {
            Self::Address(_) => None,
            Self::Domain(domain) => Some(domain),
        }
    }

    /// Returns two hashes for an address. One of them must be allowed to mail it.
    pub fn hashes_of(key: &[u8; 32], address: &str) -> [Digest32; 2] {
        let domain = address.trim().rsplit('@').next().and_then(canonical_domain).unwrap_or_default();
        [recipient_hash(key, address), Self::Domain(domain).hash(key)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: [u8; 32] = [7; 32];

    #[test]
    fn spellings_of_a_mailbox_share_one_hash() {
        let ana = recipient_hash(&KEY, "ana@example.com");
        for same in ["Ana@Example.com", " ana@example.com ", "ana+1@example.com", "ana+x+y@example.com."] {
            assert_eq!(recipient_hash(&KEY, same), ana, "{same}");
        }
        let gmail = recipient_hash(&KEY, "ana@gmail.com");
        for same in ["a.na@gmail.com", "ana@googlemail.com", "A.N.A+x@GoogleMail.com."] {
            assert_eq!(recipient_hash(&KEY, same), gmail, "{same}");
        }
        let international = recipient_hash(&KEY, "ana@b\u{fc}cher.example");
        for same in [
            "ana@xn--bcher-kva.example",
            "ana@XN--BCHER-KVA.example",
            "ana@bu\u{308}cher.example",
            "ana@b\u{dc}cher\u{3002}example",
            "\u{ff41}na@b\u{fc}cher.example",
        ] {
            assert_eq!(recipient_hash(&KEY, same), international, "{same}");
        }
        for other in ["an.a@example.com", "ana@example.org", "ana@mail.example.com"] {
            assert_ne!(recipient_hash(&KEY, other), ana, "{other}");
        }
        assert_ne!(recipient_hash(&[8; 32], "ana@example.com"), ana, "the hash depends on the key");
    }

    #[test]
    fn address_hash_distinguishes_tags_and_dots_but_not_case() {
        let ana = address_hash(&KEY, "ana@gmail.com");
        for same in ["Ana@Gmail.com", " ANA@gmail.com "] {
            assert_eq!(address_hash(&KEY, same), ana, "{same}");
        }
        for other in ["ana+x@gmail.com", "a.na@gmail.com", "\u{ff41}na@gmail.com", "ana@googlemail.com"] {
            assert_ne!(address_hash(&KEY, other), ana, "{other}");
        }
    }

    #[test]
    fn quoted_names_ip_literals_and_bad_forms_are_no_mailboxes() {
        for right in ["ana@example.com", "ana.r+x@b\u{fc}cher.example", "o'hara@example.com", "ana@localhost"]
        {
            assert!(is_mailbox(right), "{right}");
        }
        for wrong in [
            "\"ana\"@example.com",
            "\"a na\"@example.com",
            "\"ana@x\"@example.com",
            "ana\\@example.com",
            "ana(x)@example.com",
            "ana@[192.0.2.7]",
            "ana@exam ple.com",
            "@example.com",
            "+x@example.com",
            ".ana@example.com",
            "ana..r@example.com",
            " ana@example.com",
            "ana@example.com ",
            "ana@example.com\n",
            "ana@example.com.",
        ] {
            assert!(!is_mailbox(wrong), "{wrong}");
        }
    }

    #[test]
    fn unsubscribe_token_identifies_mailbox_and_is_unforgeable() {
        let ana = recipient_hash(&KEY, "ana@example.com");
        let token = unsubscribe_token(&KEY, &ana);
        assert_eq!(recipient_of_token(&KEY, &token), Some(ana));
        assert_eq!(recipient_of_token(&[8; 32], &token), None);
        let other = recipient_hash(&KEY, "bo@example.com");
        let forged = format!("{}{}", hex(other.as_bytes()), &token[64..]);
        for wrong in [forged.as_str(), "", &token[..64], &token[..95], "é".repeat(48).as_str()] {
            assert_eq!(recipient_of_token(&KEY, wrong), None, "{wrong}");
        }
    }

    #[test]
    fn allowed_domain_covers_its_mailboxes_but_no_subdomain() {
        let domain = "@Example.com".parse::<AllowedRecipients>().unwrap();
        assert_eq!(domain.domain(), Some("example.com"));
        let covers = |address| AllowedRecipients::hashes_of(&KEY, address).contains(&domain.hash(&KEY));
        assert!(covers("ana@example.com") && covers("bo@EXAMPLE.com"));
        assert!(!covers("ana@mail.example.com") && !covers("ana@example.org"));
        assert!(!covers("example.com@evil.example"));
    }

    #[test]
    fn allowed_address_covers_only_itself() {
        let address = "ana@example.com".parse::<AllowedRecipients>().unwrap();
        assert_eq!(address.domain(), None);
        let covers = |other| AllowedRecipients::hashes_of(&KEY, other).contains(&address.hash(&KEY));
        assert!(covers("Ana+test@example.com") && !covers("bo@example.com"));
    }

    #[test]
    fn invalid_recipient_is_rejected() {
        for wrong in
            ["", "@", "ana", "ana@", "@localhost", "ana@localhost", "@exa mple.com", "ana@exam/ple.com"]
        {
            assert_eq!(wrong.parse::<AllowedRecipients>(), Err(InvalidRecipientsError), "{wrong}");
        }
    }
}
