//! Requests and events about passkeys.

use link_types::console::PasskeyResponse;
use link_types::id::PasskeyId;

use super::failure::BrowserError;

/// A request about passkeys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PasskeyRequest {
    /// List the member's own.
    List,
    /// Get a challenge.
    Challenge(Ceremony),
    /// Respond to a challenge.
    Respond(Ceremony, PasskeyResponse),
    /// Remove one.
    Remove(PasskeyId),
}

/// A ceremony in which the browser asks the member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ceremony {
    /// Create a passkey.
    Add,
    /// Sign in.
    SignIn,
    /// Confirm an act.
    Confirm,
}

/// Something that happened about passkeys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PasskeyEvent {
    /// The member wants a ceremony.
    Wanted(Ceremony),
    /// The browser asked the member. `challenge` is the service's. The response is a JSON text.
    Asked {
        /// The ceremony.
        ceremony: Ceremony,
        /// The challenge that the response belongs to.
        challenge: String,
        /// The response, or why there is none.
        response: Result<String, BrowserError>,
    },
    /// The member does not confirm.
    Declined,
}

impl PasskeyRequest {
    /// Returns the method, the path below `/console/api`, and the body.
    pub(super) fn parts(&self) -> (&'static str, String, Option<&PasskeyResponse>) {
        let (challenge, response) = match self {
            Self::List | Self::Remove(_) => ("", ""),
            Self::Challenge(ceremony) | Self::Respond(ceremony, _) => ceremony.paths(),
        };
        match self {
            Self::List => ("GET", "/passkeys".into(), None),
            Self::Remove(id) => ("DELETE", format!("/passkeys/{id}"), None),
            Self::Challenge(_) => ("POST", challenge.into(), None),
            Self::Respond(_, body) => ("POST", response.into(), Some(body)),
        }
    }

    /// Returns whether the request belongs to a member who is signed in.
    pub(super) const fn needs_session(&self) -> bool {
        !matches!(self, Self::Challenge(Ceremony::SignIn) | Self::Respond(Ceremony::SignIn, _))
    }
}

impl Ceremony {
    /// Returns the paths of the challenge and of the response to it.
    const fn paths(self) -> (&'static str, &'static str) {
        match self {
            Self::Add => ("/passkeys/challenge", "/passkeys"),
            Self::SignIn => ("/session/challenge", "/session/passkey"),
            Self::Confirm => ("/session/challenge", "/session/confirmation"),
        }
    }
}
