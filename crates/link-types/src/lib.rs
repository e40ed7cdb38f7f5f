//! Wire types shared by the widget and the service: ids, resources, events, error codes, field formats, host messages.
//!
//! This crate does not depend on wasm-bindgen, axum, SQL, async code or a clock. The widget and the service share only
//! this crate. Everything else is private to one of them.
//!
//! # Where to start
//!
//! 1. [`link`]: requests and responses that the widget and the service exchange while a person links an account.
//! 2. [`host`]: messages between the widget and the page that embeds it: options, port messages, callbacks.
//! 3. [`event`]: events that a tenant's webhook receives.
//! 4. [`account`], [`provider`], [`data`]: the resources that these refer to.
//!
//! Wire format: field names are camelCase, and fields are always present (`null` if unavailable). Enum values match the
//! service interface. Enums with data are externally tagged, because the other representations add kilobytes to the
//! wasm.

/// Implements the OpenAPI schema of a type that is a string on the wire.
#[cfg(feature = "schema")]
macro_rules! string_schema {
    ($name:ident, $description:expr, $pattern:expr, $example:expr) => {
        string_schema!($name, $description, $pattern, None, $example);
    };
    ($name:ident, $description:expr, $pattern:expr, $format:expr, $example:expr) => {
        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                let pattern: Option<&str> = $pattern;
                let format: Option<utoipa::openapi::schema::KnownFormat> = $format;
                utoipa::openapi::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::schema::Type::String)
                    .description(Some($description))
                    .pattern(pattern)
                    .format(format.map(utoipa::openapi::schema::SchemaFormat::KnownFormat))
                    .examples([$example])
                    .into()
            }
        }
        impl utoipa::ToSchema for $name {}
    };
}

/// Declares an enum whose variants are strings on the wire, with `ALL`, `as_str`, `FromStr` and `Display`.
macro_rules! words {
    (
        $(#[doc = $about:literal])*
        $name:ident { $( $(#[doc = $says:literal])* $variant:ident = $word:tt ),+ $(,)? }
    ) => {
        $(#[doc = $about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $( $(#[doc = $says])* #[serde(rename = $word)] $variant ),+
        }

        #[cfg(feature = "schema")]
        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                crate::schema::words(&[ $($about),* ], &[ $( ($word, &[ $($says),* ]) ),+ ])
            }
        }

        #[cfg(feature = "schema")]
        impl utoipa::ToSchema for $name {}

        impl $name {
            /// Every value, in the order of the interface.
            pub const ALL: &'static [Self] = &[ $( Self::$variant ),+ ];

            /// Returns the value's string on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $( Self::$variant => $word ),+ }
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl core::str::FromStr for $name {
            type Err = crate::UnknownWordError;

            fn from_str(word: &str) -> Result<Self, Self::Err> {
                match word { $( $word => Ok(Self::$variant), )+ _ => Err(crate::UnknownWordError) }
            }
        }
    };
}

pub mod account;
pub mod archive;
pub mod audit;
pub mod billing;
pub mod challenge;
pub mod clock;
pub mod consent;
pub mod console;
pub mod data;
pub mod end_reason;
pub mod error_code;
pub mod event;
pub mod export;
pub mod form_submission;
pub mod format;
pub mod handoff;
pub mod host;
pub mod hosted_link;
pub mod id;
pub mod invite;
pub mod invite_template;
pub mod link;
pub mod link_site;
pub mod link_site_host;
pub mod list;
pub mod money;
pub mod problem;
pub mod provider;
pub mod record;
pub mod scenario;
#[cfg(feature = "schema")]
pub mod schema;
pub mod sealing;
pub mod sensitive;
pub mod signal;
pub mod task;
pub mod task_error;
pub mod template;
pub mod time;
pub mod uploading;
pub mod user;
pub mod webhook;

pub use end_reason::{AccessEnd, EndReason};
pub use error_code::{ErrorCode, LinkErrorCode};
pub use money::Money;
pub use sensitive::Sensitive;
pub use task_error::TaskErrorCode;
pub use time::{Date, Month, Timestamp};

/// Error for a string that is not a value of the enum. It omits the string, which may contain personal data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not one of the known values")]
pub struct UnknownWordError;

words! {
    /// Environment that an object belongs to: sandbox or production (interface: Token `mode`).
    Mode {
        /// Synthetic data. Every outcome can be produced on demand.
        Sandbox = "SANDBOX",
        /// Real people and real providers.
        Production = "PRODUCTION",
    }
}
