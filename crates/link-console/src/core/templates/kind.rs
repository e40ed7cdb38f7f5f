//! The kinds of templates, and the identifiers of templates in addresses.

use std::fmt;
use std::str::FromStr;

use link_types::id::{ConsentTemplateId, InvalidIdError, InviteTemplateId, LinkTemplateId};

/// The kind of a template.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TemplateKind {
    /// The configuration of the widget.
    #[default]
    Link,
    /// The text that people accept.
    Consent,
    /// The texts of invitations.
    Invite,
}

impl TemplateKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Link, Self::Consent, Self::Invite];

    /// Returns the segment of the portal's address.
    pub const fn segment(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Consent => "consent",
            Self::Invite => "invite",
        }
    }

    /// Returns the path of the list below an environment.
    pub const fn path(self) -> &'static str {
        match self {
            Self::Link => "linkTemplates",
            Self::Consent => "consentTemplates",
            Self::Invite => "inviteTemplates",
        }
    }

    const fn prefix(self) -> &'static str {
        match self {
            Self::Link => LinkTemplateId::PREFIX,
            Self::Consent => ConsentTemplateId::PREFIX,
            Self::Invite => InviteTemplateId::PREFIX,
        }
    }
}

impl fmt::Display for TemplateKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.segment())
    }
}

impl FromStr for TemplateKind {
    type Err = InvalidIdError;

    fn from_str(text: &str) -> Result<Self, InvalidIdError> {
        let found = Self::ALL.into_iter().find(|it| it.segment() == text);
        found.ok_or(InvalidIdError { expected: "link, consent or invite" })
    }
}

/// The identifier of a template, as a number, so that pages can be copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TemplateKey {
    /// The kind of the template.
    pub kind: TemplateKind,
    number: u128,
}

impl fmt::Display for TemplateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:032x}", self.kind.prefix(), self.number)
    }
}

impl FromStr for TemplateKey {
    type Err = InvalidIdError;

    fn from_str(text: &str) -> Result<Self, InvalidIdError> {
        let of_kind = |kind: TemplateKind| {
            let digits = text.strip_prefix(kind.prefix()).filter(|it| it.len() == 32)?;
            u128::from_str_radix(digits, 16).ok().map(|number| Self { kind, number })
        };
        let found = TemplateKind::ALL.into_iter().find_map(of_kind);
        found.ok_or(InvalidIdError { expected: "the id of a template" })
    }
}
