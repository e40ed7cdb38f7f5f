//! Identifiers in the addresses of pages, as numbers, so that pages can be copied.

use std::fmt;
use std::str::FromStr;

use link_types::Mode;
use link_types::id::{InvalidIdError, LinkSiteId, UserId, WebhookId};

macro_rules! keys {
    ($( $(#[$doc:meta])* $name:ident of $id:ident; )+) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub struct $name(u128);

            impl $name {
                /// Returns the key of an identifier.
                pub fn new(id: &$id) -> Self {
                    Self(id.as_str().strip_prefix($id::PREFIX).and_then(hex).unwrap_or_default())
                }
            }

            impl fmt::Display for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    write!(f, "{}{:032x}", $id::PREFIX, self.0)
                }
            }

            impl FromStr for $name {
                type Err = InvalidIdError;

                fn from_str(text: &str) -> Result<Self, InvalidIdError> {
                    Ok(Self::new(&text.parse()?))
                }
            }
        )+
    };
}

keys! {
    /// The identifier of a webhook.
    WebhookKey of WebhookId;
    /// The identifier of a link site.
    SiteKey of LinkSiteId;
}

/// The identifier of a user without the name of the tenant, which the member's session names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PersonKey(u128);

impl PersonKey {
    /// Returns the key of an identifier.
    pub fn new(id: &UserId) -> Self {
        Self(id.as_str().rsplit_once('-').and_then(|(_, digits)| hex(digits)).unwrap_or_default())
    }
}

impl fmt::Display for PersonKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl FromStr for PersonKey {
    type Err = InvalidIdError;

    fn from_str(text: &str) -> Result<Self, InvalidIdError> {
        Ok(Self::new(&format!("tenant-{text}").parse()?))
    }
}

fn hex(digits: &str) -> Option<u128> {
    u128::from_str_radix(digits, 16).ok()
}

/// Returns the segment of the path that names an environment.
pub const fn path_of(mode: Mode) -> &'static str {
    match mode {
        Mode::Sandbox => "sandbox",
        Mode::Production => "production",
    }
}
