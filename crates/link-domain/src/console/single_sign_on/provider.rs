//! The provider of a tenant, as an owner configures it.

use link_types::Sensitive;
use link_types::console::Role;
use link_types::console::single_sign_on::{self, IdentityProviderDraft};
use link_types::id::TenantId;
use url::Url;

use crate::change::{Change, Deletion, Row};
use crate::kernel::clock::{TenantTime, Wall};

/// Maximum length of an issuer, in bytes.
pub const MAX_ISSUER: usize = 255;
/// Maximum length of a client id and of a client secret, in bytes.
const MAX_CREDENTIAL: usize = 512;
/// Number of characters of the client secret that the portal shows.
const SHOWN: usize = 4;

/// The OpenID provider of a tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdentityProvider {
    /// Tenant of the provider.
    pub tenant: TenantId,
    /// Issuer, exactly as the provider spells it in its discovery document and in ID tokens.
    pub issuer: String,
    /// Client id that the provider issued for the portal.
    pub client_id: String,
    /// Client secret that the provider issued.
    pub client_secret: Sensitive,
    /// Role of members who join by their verified address. Never [`Role::Owner`].
    pub role: Role,
    /// Whether members who are not owners must sign in with the provider.
    pub is_required: bool,
    /// When the provider was last configured.
    pub changed_at: Wall,
}

/// Reason why a provider cannot be configured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdentityProviderError {
    /// The issuer is not a URL without user, query and fragment, or too long.
    #[error("a URL with https, without a query or fragment, at most {MAX_ISSUER} bytes")]
    Issuer,
    /// The client id is empty, too long, or has other characters than visible ASCII.
    #[error("1 to {MAX_CREDENTIAL} visible ASCII characters")]
    ClientId,
    /// The client secret is too long, or has other characters than visible ASCII.
    #[error("1 to {MAX_CREDENTIAL} visible ASCII characters")]
    ClientSecret,
    /// This issuer needs a client secret, which is missing.
    #[error("the client secret: enter it again if the issuer changes")]
    MissingSecret,
    /// New members would be owners.
    #[error("a role other than OWNER")]
    Role,
}

impl IdentityProvider {
    /// Configures the provider of a tenant. Without a new client secret, the earlier one stays if the issuer does: another
    /// issuer must not get it. A new issuer ends the identities of the earlier one and the sessions that began with them.
    /// If the provider becomes required, the other sessions of members who are not owners end too.
    ///
    /// # Errors
    ///
    /// [`IdentityProviderError`] if a field is not valid.
    pub fn configure(
        tenant: TenantId,
        draft: &IdentityProviderDraft,
        earlier: Option<&Self>,
        now: Wall,
    ) -> Result<(Self, Change), IdentityProviderError> {
        check_issuer(&draft.issuer)?;
        if !is_credential(&draft.client_id) {
            return Err(IdentityProviderError::ClientId);
        }
        let same_issuer = earlier.filter(|it| it.issuer == draft.issuer);
        let client_secret = match draft.client_secret.as_ref().filter(|it| !it.is_empty()) {
            Some(secret) if is_credential(secret.expose()) => secret.clone(),
            Some(_) => return Err(IdentityProviderError::ClientSecret),
            None => {
                same_issuer.map(|it| it.client_secret.clone()).ok_or(IdentityProviderError::MissingSecret)?
            }
        };
        if draft.role == Role::Owner {
            return Err(IdentityProviderError::Role);
        }
        let provider = Self {
            tenant: tenant.clone(),
            issuer: draft.issuer.clone(),
            client_id: draft.client_id.clone(),
            client_secret,
            role: draft.role,
            is_required: draft.is_required,
            changed_at: now,
        };
        let mut change = Change::row(Row::IdentityProvider(provider.clone()));
        if same_issuer.is_none() {
            change.deletions.push(Deletion::ProviderAccess(tenant.clone()));
        }
        if provider.is_required {
            change.deletions.push(Deletion::SessionsWithoutProvider(tenant));
        }
        Ok((provider, change))
    }

    /// Removes the provider, with the identities of its members and the sessions that began with it. The members stay.
    pub fn remove(self) -> Change {
        let deletions =
            [Deletion::ProviderAccess(self.tenant.clone()), Deletion::IdentityProvider(self.tenant)];
        Change { deletions: deletions.into(), ..Change::default() }
    }

    /// Returns whether a member with this role may sign in without the provider. Owners always may, so that a provider that
    /// fails does not lock the tenant out.
    pub fn admits_others(&self, role: Role) -> bool {
        !self.is_required || role == Role::Owner
    }

    /// Returns the provider as the portal shows it, without its client secret.
    pub fn view(&self) -> single_sign_on::IdentityProvider {
        let secret = self.client_secret.expose();
        // All characters of the secret are ASCII. Of a short one, nothing is shown.
        let is_long = secret.len() >= SHOWN * 4;
        let last = secret.len().saturating_sub(SHOWN);
        single_sign_on::IdentityProvider {
            issuer: self.issuer.clone(),
            client_id: self.client_id.clone(),
            secret_last_four: secret.get(last..).filter(|_| is_long).unwrap_or_default().to_owned(),
            role: self.role,
            is_required: self.is_required,
            changed_at: TenantTime::from_micros(self.changed_at.micros()).into(),
        }
    }
}

/// Checks an issuer. Whether plain http is allowed, for a provider on this machine, depends on the client that asks it.
///
/// # Errors
///
/// [`IdentityProviderError::Issuer`] if it is not an address of a provider.
pub fn check_issuer(issuer: &str) -> Result<(), IdentityProviderError> {
    let url = Url::parse(issuer).map_err(|_| IdentityProviderError::Issuer)?;
    let is_plain = url.query().is_none()
        && url.fragment().is_none()
        && url.username().is_empty()
        && url.password().is_none();
    let is_visible = issuer.bytes().all(|it| it.is_ascii_graphic());
    let fits = ["https", "http"].contains(&url.scheme()) && url.host().is_some() && is_plain;
    if fits && is_visible && issuer.len() <= MAX_ISSUER { Ok(()) } else { Err(IdentityProviderError::Issuer) }
}

fn is_credential(text: &str) -> bool {
    (1..=MAX_CREDENTIAL).contains(&text.len()) && text.bytes().all(|it| it.is_ascii_graphic() || it == b' ')
}
