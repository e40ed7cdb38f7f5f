//! Identifiers as types of their own: they parse, and refuse what is not theirs (interface: "Identifier shapes").

use core::{fmt, str::FromStr};

/// A text that is not an identifier of the kind asked for. The text itself is not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected an identifier like {expected}")]
pub struct InvalidId {
    /// The shape that was expected.
    pub expected: &'static str,
}

fn is_hex(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

fn hex(bytes: [u8; 16]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes
        .iter()
        .flat_map(|b| [DIGITS[usize::from(b >> 4)], DIGITS[usize::from(b & 15)]])
        .map(char::from)
        .collect()
}

macro_rules! common {
    ($name:ident, $example:expr, $pattern:expr) => {
        impl $name {
            /// The identifier as it stands on the wire.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                // A compact reader reads only what the service itself wrote, and cannot refuse.
                let checks = deserializer.is_human_readable();
                let text = String::deserialize(deserializer)?;
                if checks {
                    Self::check(&text).map_err(serde::de::Error::custom)?;
                }
                Ok(Self(text))
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;

            fn from_str(text: &str) -> Result<Self, InvalidId> {
                Self::check(text)?;
                Ok(Self(text.to_owned()))
            }
        }

        #[cfg(feature = "schema")]
        string_schema!($name, concat!("Identifier, like `", $example, "`."), Some($pattern), $example);
    };
}

macro_rules! prefixed_id {
    ($( $(#[$meta:meta])* $name:ident = $prefix:literal ),+ $(,)?) => {
        $(
            $(#[$meta])*
            #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub struct $name(String);

            impl $name {
                /// What every identifier of this kind begins with.
                pub const PREFIX: &'static str = concat!($prefix, "-");

                /// Makes an identifier from the 16 bytes of a UUIDv7, so that identifiers sort by creation.
                pub fn from_bytes(bytes: [u8; 16]) -> Self {
                    Self(format!("{}{}", Self::PREFIX, hex(bytes)))
                }

                fn check(text: &str) -> Result<(), InvalidId> {
                    match text.strip_prefix(Self::PREFIX) {
                        Some(rest) if is_hex(rest) => Ok(()),
                        Some(_) | None => Err(InvalidId { expected: concat!($prefix, "-<32 hex digits>") }),
                    }
                }
            }

            common!(
                $name,
                concat!($prefix, "-0192f0c1a2b37c4d8e5f60718293a4b5"),
                concat!("^", $prefix, "-[0-9a-f]{32}$")
            );
        )+
    };
}

prefixed_id! {
    /// An account (interface: Account).
    AccountId = "a",
    /// An event, unique in every webhook delivery.
    EventId = "et",
    /// A webhook registration.
    WebhookId = "wh",
    /// One delivery of one event to one webhook.
    DeliveryId = "dlv",
    /// A task: one run of reading data from a source.
    TaskId = "task",
    /// A link template.
    LinkTemplateId = "lt",
    /// A consent template.
    ConsentTemplateId = "ct",
    /// A link session of the widget.
    LinkSessionId = "ls",
    /// A link attempt, which outlives the session that began it.
    AttemptId = "at",
    /// A challenge the provider set.
    ChallengeId = "ch",
    /// An uploaded archive.
    ArchiveId = "archive",
    /// A file of an archive.
    FileId = "file",
    /// A job of the service's own queue.
    JobId = "job",
    /// An identity data point.
    IdentityId = "i",
    /// An employment data point.
    EmploymentId = "e",
    /// An income data point.
    IncomeId = "inc",
    /// A transaction data point.
    TransactionId = "t",
    /// A contribution data point.
    ContributionId = "con",
    /// A liability data point.
    LiabilityId = "lia",
    /// An estimated income data point.
    EstimatedIncomeId = "einc",
    /// A rating data point.
    RatingId = "r",
    /// A document data point.
    DocumentId = "d",
    /// An insight data point.
    InsightId = "insight",
    /// A link data point.
    LinkId = "link",
    /// A social security record (interface: Social security record).
    RecordId = "ss",
    /// A form's submission (interface: Form).
    FormId = "form",
    /// A hosted link site.
    LinkSiteId = "site",
    /// A person's visit of a link site.
    LinkSiteSessionId = "visit",
    /// An invitation.
    InviteId = "iv",
    /// An invite template.
    InviteTemplateId = "ivt",
    /// An account's export.
    ExportId = "export",
    /// A chargeable event.
    BillingEventId = "bill",
    /// A sandbox tenant's own login.
    ScenarioId = "scn",
}

/// A signal: each of the nine kinds has a prefix of its own (`resources.md`, "Record, signals").
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SignalId(String);

impl SignalId {
    /// What the identifiers of the nine kinds begin with.
    pub const PREFIXES: [&'static str; 9] = ["bl-", "bb-", "bs-", "cl-", "fp-", "maw-", "vf-", "sss-", "ie-"];

    /// Makes an identifier of the kind whose prefix is given from the 16 bytes of a UUIDv7; the prefix is one of
    /// [`SignalId::PREFIXES`].
    pub fn from_bytes(prefix: &'static str, bytes: [u8; 16]) -> Self {
        Self(format!("{prefix}{}", hex(bytes)))
    }

    fn check(text: &str) -> Result<(), InvalidId> {
        let known = Self::PREFIXES.iter().any(|prefix| text.strip_prefix(prefix).is_some_and(is_hex));
        if known { Ok(()) } else { Err(InvalidId { expected: "a signal's prefix and 32 hex digits" }) }
    }
}

common!(SignalId, "fp-0192f0c1a2b37c4d8e5f60718293a4b5", "^(bl|bb|bs|cl|fp|maw|vf|sss|ie)-[0-9a-f]{32}$");

/// A tenant: 1 to 32 lower-case letters and digits; it begins the identifiers of the tenant's users.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TenantId(String);

impl TenantId {
    fn check(text: &str) -> Result<(), InvalidId> {
        let fits = (1..=32).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_lowercase());
        if fits { Ok(()) } else { Err(InvalidId { expected: "1 to 32 lower-case letters and digits" }) }
    }
}

common!(TenantId, "demo", "^[0-9a-z]{1,32}$");

/// A user of a tenant: `<tenant_id>-<32 hex digits>`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UserId(String);

impl UserId {
    /// Makes a user's identifier from its tenant and the 16 bytes of a UUIDv7.
    pub fn from_bytes(tenant: &TenantId, bytes: [u8; 16]) -> Self {
        Self(format!("{tenant}-{}", hex(bytes)))
    }

    fn check(text: &str) -> Result<(), InvalidId> {
        match text.rsplit_once('-') {
            Some((tenant, rest)) if is_hex(rest) && TenantId::check(tenant).is_ok() => Ok(()),
            Some(_) | None => Err(InvalidId { expected: "<tenant>-<32 hex digits>" }),
        }
    }
}

common!(UserId, "demo-0192f0c1a2b37c4d8e5f60718293a4b5", "^[0-9a-z]{1,32}-[0-9a-f]{32}$");

/// What data is read from: an account or an archive (interface: Metadata, `sourceId` and the deprecated `accountId`).
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(String);

impl SourceId {
    fn check(text: &str) -> Result<(), InvalidId> {
        AccountId::check(text)
            .or_else(|_| ArchiveId::check(text))
            .map_err(|_| InvalidId { expected: "a-<32 hex digits> or archive-<32 hex digits>" })
    }
}

common!(SourceId, "a-0192f0c1a2b37c4d8e5f60718293a4b5", "^(a|archive)-[0-9a-f]{32}$");

/// A data provider: a slug like `mx_social_security`, 1 to 64 lower-case letters, digits, underscores and hyphens.
/// What was uploaded comes from `user-provided` or `tenant-provided`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProviderId(String);

impl ProviderId {
    /// The provider of what a person uploaded.
    pub fn user_provided() -> Self {
        Self("user-provided".to_owned())
    }

    /// The provider of what a tenant uploaded.
    pub fn tenant_provided() -> Self {
        Self("tenant-provided".to_owned())
    }

    fn check(text: &str) -> Result<(), InvalidId> {
        let fits = (1..=64).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_lowercase() || matches!(b, b'_' | b'-'));
        if fits { Ok(()) } else { Err(InvalidId { expected: "a slug like mx_social_security" }) }
    }
}

common!(ProviderId, "mx_social_security", "^[0-9a-z_-]{1,64}$");

#[cfg(test)]
mod tests {
    use super::*;

    const HEX: &str = "0192f0c1a2b37c4d8e5f60718293a4b5";

    #[test]
    fn an_id_reads_what_it_wrote() {
        let id = AccountId::from_bytes([0xab; 16]);
        assert_eq!(id.as_str(), format!("a-{}", "ab".repeat(16)));
        assert_eq!(id.as_str().parse::<AccountId>(), Ok(id.clone()));
        assert_eq!(serde_json::from_str::<AccountId>(&serde_json::to_string(&id).unwrap()).unwrap(), id);
    }

    #[test]
    fn an_id_refuses_another_kind_upper_case_and_wrong_lengths() {
        for text in
            [format!("et-{HEX}"), format!("a-{}", HEX.to_uppercase()), format!("a-{HEX}0"), "a-".into()]
        {
            assert!(text.parse::<AccountId>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_user_carries_its_tenant() {
        let tenant: TenantId = "demo".parse().unwrap();
        let user = UserId::from_bytes(&tenant, [1; 16]);
        assert!(user.as_str().starts_with("demo-"));
        assert_eq!(user.as_str().parse::<UserId>(), Ok(user.clone()));
        assert!(format!("De mo-{HEX}").parse::<UserId>().is_err());
    }
}
