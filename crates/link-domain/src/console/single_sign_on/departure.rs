//! A person's way to the provider and back. It is bound to their browser, works once, and ends after some minutes.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use link_types::Sensitive;
use link_types::id::{ConsoleSessionId, TenantId};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use crate::change::{Change, Row};
use crate::kernel::clock::Wall;
use crate::kernel::context::Context;
use crate::kernel::digest::{Digest32, hex};

/// How long a person may take at the provider: 10 minutes.
pub const DEPARTURE_LIFE: Duration = Duration::from_secs(10 * 60);

/// The purpose of a way to the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Aim {
    /// Sign in.
    SignIn,
    /// Accept an invitation: use the one-time address whose code has this digest.
    Invitation(Digest32),
    /// Link the identity to the member of this session.
    Link(ConsoleSessionId),
}

/// A person who left for the provider. The row holds no secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Departure {
    /// SHA-256 of the `state` parameter.
    pub state_hash: Digest32,
    /// SHA-256 of the secret in the browser's cookie.
    pub browser_hash: Digest32,
    /// Tenant whose provider it is.
    pub tenant: TenantId,
    /// The person's aim.
    pub aim: Aim,
    /// When the way ends.
    pub expires_at: Wall,
}

/// The secrets that only the browser knows.
#[derive(Clone, Debug)]
pub struct DepartureSecrets {
    /// The `state` parameter, which the provider repeats.
    pub state: Sensitive,
    /// The secret of the cookie, from which the nonce and the code verifier are derived.
    pub browser: Sensitive,
}

impl Departure {
    /// Begins a way to the provider of a tenant.
    pub fn begin(tenant: TenantId, aim: Aim, context: &mut Context) -> (Self, DepartureSecrets, Change) {
        let secrets = DepartureSecrets {
            state: Sensitive::new(hex(&context.secret())),
            browser: Sensitive::new(hex(&context.secret())),
        };
        let departure = Self {
            state_hash: Digest32::from_text(secrets.state.expose()),
            browser_hash: Digest32::from_text(secrets.browser.expose()),
            tenant,
            aim,
            expires_at: context.now().wall() + DEPARTURE_LIFE,
        };
        (departure.clone(), secrets, Change::row(Row::Departure(departure)))
    }

    /// Returns whether the person comes back in time, in the same browser, and to the callback address of the same tenant.
    pub fn admits(&self, browser: &Sensitive, tenant: &TenantId, now: Wall) -> bool {
        let presented = Digest32::from_text(browser.expose());
        let is_same: bool = self.browser_hash.as_bytes().ct_eq(presented.as_bytes()).into();
        is_same && self.tenant == *tenant && now < self.expires_at
    }
}

/// Returns the nonce of a browser's secret.
pub fn nonce_of(browser: &Sensitive) -> String {
    derive("nonce", browser)
}

/// Returns the code verifier (RFC 7636) of a browser's secret.
pub fn verifier_of(browser: &Sensitive) -> String {
    derive("verifier", browser)
}

fn derive(purpose: &str, browser: &Sensitive) -> String {
    let digest =
        Sha256::new().chain_update(purpose).chain_update([0]).chain_update(browser.expose()).finalize();
    URL_SAFE_NO_PAD.encode(digest)
}
