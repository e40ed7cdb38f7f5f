//! Identifier types. Each parses its own format and rejects every other (interface: "Identifier shapes").

/// Error for a text that is not an identifier of the expected kind. It omits the text itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected an identifier like {expected}")]
pub struct InvalidIdError {
    /// Expected format.
    pub expected: &'static str,
}

pub(crate) fn is_hex(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

pub(crate) fn hex(bytes: [u8; 16]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes
        .iter()
        .flat_map(|b| [DIGITS[usize::from(b >> 4)], DIGITS[usize::from(b & 15)]])
        .map(char::from)
        .collect()
}

/// Implements what every identifier has: its text, its formats and its schema.
macro_rules! common {
    ($name:ident, $example:expr, $pattern:expr) => {
        impl $name {
            /// Returns the identifier as it appears on the wire.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
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
                // Compact formats hold only data that the service itself wrote, so parsing them skips the check.
                let checks = deserializer.is_human_readable();
                let text = String::deserialize(deserializer)?;
                if checks {
                    Self::check(&text).map_err(serde::de::Error::custom)?;
                }
                Ok(Self(text))
            }
        }

        impl core::str::FromStr for $name {
            type Err = $crate::id::InvalidIdError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::check(text)?;
                Ok(Self(text.to_owned()))
            }
        }

        #[cfg(feature = "schema")]
        string_schema!($name, concat!("Unique identifier, like `", $example, "`."), Some($pattern), $example);
    };
}

pub(crate) use common;

macro_rules! prefixed_id {
    ($( $(#[$meta:meta])* $name:ident = $prefix:literal ),+ $(,)?) => {
        $(
            $(#[$meta])*
            #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub struct $name(String);

            impl $name {
                /// Prefix of every identifier of this kind.
                pub const PREFIX: &'static str = concat!($prefix, "-");

                /// Builds an identifier from the 16 bytes of a UUIDv7, so that identifiers sort by creation time.
                pub fn from_bytes(bytes: [u8; 16]) -> Self {
                    Self(format!("{}{}", Self::PREFIX, hex(bytes)))
                }

                fn check(text: &str) -> Result<(), InvalidIdError> {
                    match text.strip_prefix(Self::PREFIX) {
                        Some(rest) if is_hex(rest) => Ok(()),
                        Some(_) | None => Err(InvalidIdError { expected: concat!($prefix, "-<32 hex digits>") }),
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
    /// Identifier of an account (interface: Account).
    AccountId = "a",
    /// Identifier of an event. It is the same in every delivery of the event.
    EventId = "et",
    /// Identifier of a webhook.
    WebhookId = "wh",
    /// Identifier of a delivery: one event sent to one webhook.
    DeliveryId = "dlv",
    /// Identifier of a task: one run of reading data from a source.
    TaskId = "task",
    /// Identifier of a link template.
    LinkTemplateId = "lt",
    /// Identifier of a consent template.
    ConsentTemplateId = "ct",
    /// Identifier of a link session.
    LinkSessionId = "ls",
    /// Identifier of a link attempt. An attempt outlives the session that started it.
    AttemptId = "at",
    /// Identifier of a challenge issued by a provider.
    ChallengeId = "ch",
    /// Identifier of an archive.
    ArchiveId = "archive",
    /// Identifier of a file in an archive.
    FileId = "file",
    /// Identifier of a job in the service's own queue.
    JobId = "job",
    /// Identifier of a social security record (interface: Social security record).
    RecordId = "ss",
    /// Identifier of a form submission (interface: Form).
    FormId = "form",
    /// Identifier of a hosted link site.
    LinkSiteId = "site",
    /// Identifier of an own host of link sites.
    LinkSiteHostId = "host",
    /// Identifier of a person's visit to a link site.
    LinkSiteSessionId = "visit",
    /// Identifier of an invitation.
    InviteId = "iv",
    /// Identifier of a hosted link.
    HostedLinkId = "hl",
    /// Identifier of an invite template.
    InviteTemplateId = "ivt",
    /// Identifier of an export.
    ExportId = "export",
    /// Identifier of a chargeable event.
    BillingEventId = "bill",
    /// Identifier of an event of the audit log.
    AuditEventId = "ae",
    /// Identifier of a custom login of a sandbox tenant.
    ScenarioId = "scn",
    /// Identifier of a person who uses the developer portal.
    MemberId = "mb",
    /// Identifier of a member's session in the developer portal.
    ConsoleSessionId = "cs",
    /// Identifier of a member's passkey.
    PasskeyId = "pk",
}

macro_rules! data_point_ids {
    ($($kind:ident $Body:ident $key:ident $doc:literal {
        $stored:tt $Id:ident $prefix:literal, $events:tt, $filter:ident, $text:path, $page_text:path, $path:literal $one:literal $($rest:tt)*
    })*) => {
        prefixed_id! { $(#[doc = concat!("Identifier of ", $one, " data point.")] $Id = $prefix),* }
    };
}

crate::data_points!(all data_point_ids);

/// Identifier of a tenant: 1 to 32 lowercase letters and digits. The identifiers of the tenant's users start with it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TenantId(String);

impl TenantId {
    /// Returns the identifier under which the service itself schedules work.
    pub fn service() -> Self {
        Self("linchpin".to_owned())
    }

    fn check(text: &str) -> Result<(), InvalidIdError> {
        let fits = (1..=32).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_lowercase());
        if fits { Ok(()) } else { Err(InvalidIdError { expected: "1 to 32 lower-case letters and digits" }) }
    }
}

common!(TenantId, "demo", "^[0-9a-z]{1,32}$");

/// Identifier of a tenant's user: `<tenant_id>-<32 hex digits>`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UserId(String);

impl UserId {
    /// Builds an identifier from the user's tenant and the 16 bytes of a UUIDv7.
    pub fn from_bytes(tenant: &TenantId, bytes: [u8; 16]) -> Self {
        Self(format!("{tenant}-{}", hex(bytes)))
    }

    fn check(text: &str) -> Result<(), InvalidIdError> {
        match text.rsplit_once('-') {
            Some((tenant, rest)) if is_hex(rest) && TenantId::check(tenant).is_ok() => Ok(()),
            Some(_) | None => Err(InvalidIdError { expected: "<tenant>-<32 hex digits>" }),
        }
    }
}

common!(UserId, "demo-0192f0c1a2b37c4d8e5f60718293a4b5", "^[0-9a-z]{1,32}-[0-9a-f]{32}$");

/// Identifier of a data source: an account or an archive (interface: Metadata, `sourceId` and the deprecated
/// `accountId`).
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(String);

impl SourceId {
    fn check(text: &str) -> Result<(), InvalidIdError> {
        AccountId::check(text)
            .or_else(|_| ArchiveId::check(text))
            .map_err(|_| InvalidIdError { expected: "a-<32 hex digits> or archive-<32 hex digits>" })
    }
}

common!(SourceId, "a-0192f0c1a2b37c4d8e5f60718293a4b5", "^(a|archive)-[0-9a-f]{32}$");

/// Identifier of a data provider: a slug like `mx_social_security`, of 1 to 64 lowercase letters, digits, underscores
/// and hyphens. Uploads have the provider `user-provided` or `tenant-provided`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProviderId(String);

impl ProviderId {
    /// Returns the provider of documents uploaded by a person.
    pub fn user_provided() -> Self {
        Self("user-provided".to_owned())
    }

    /// Returns the provider of documents uploaded by a tenant.
    pub fn tenant_provided() -> Self {
        Self("tenant-provided".to_owned())
    }

    fn check(text: &str) -> Result<(), InvalidIdError> {
        let fits = (1..=64).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_lowercase() || matches!(b, b'_' | b'-'));
        if fits { Ok(()) } else { Err(InvalidIdError { expected: "a slug like mx_social_security" }) }
    }
}

common!(ProviderId, "mx_social_security", "^[0-9a-z_-]{1,64}$");

#[cfg(test)]
mod tests {
    use super::*;

    const HEX: &str = "0192f0c1a2b37c4d8e5f60718293a4b5";

    #[test]
    fn id_round_trips_through_text_and_json() {
        let id = AccountId::from_bytes([0xab; 16]);
        assert_eq!(id.as_str(), format!("a-{}", "ab".repeat(16)));
        assert_eq!(id.as_str().parse::<AccountId>(), Ok(id.clone()));
        assert_eq!(serde_json::from_str::<AccountId>(&serde_json::to_string(&id).unwrap()).unwrap(), id);
    }

    #[test]
    fn id_rejects_wrong_prefix_upper_case_and_length() {
        for text in
            [format!("et-{HEX}"), format!("a-{}", HEX.to_uppercase()), format!("a-{HEX}0"), "a-".into()]
        {
            assert!(text.parse::<AccountId>().is_err(), "{text}");
        }
    }

    #[test]
    fn user_id_starts_with_its_tenant_id() {
        let tenant: TenantId = "demo".parse().unwrap();
        let user = UserId::from_bytes(&tenant, [1; 16]);
        assert!(user.as_str().starts_with("demo-"));
        assert_eq!(user.as_str().parse::<UserId>(), Ok(user.clone()));
        assert!(format!("De mo-{HEX}").parse::<UserId>().is_err());
    }
}
