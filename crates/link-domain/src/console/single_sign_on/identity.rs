//! The identity of a person at the provider, and the member whom it signs in.

use hmac::{Hmac, KeyInit as _, Mac as _};
use link_types::Sensitive;
use link_types::console::MemberDraft;
use link_types::id::{MemberId, TenantId};
use sha2::Sha256;

use super::domain::domain_of_address;
use super::provider::IdentityProvider;
use crate::change::{Change, Deletion, Row};
use crate::console::member::{Member, MemberError, fold_email};
use crate::console::session::ConsoleSession;
use crate::console::sign_in::SignInAddress;
use crate::kernel::browser::browser_of;
use crate::kernel::clock::Wall;
use crate::kernel::context::Context;
use crate::kernel::digest::Digest32;
use crate::kernel::display_name::check_name;
use crate::kernel::domain_proof::check_domain;

/// The issuer of Google, where everyone can have an account.
const GOOGLE: &str = "https://accounts.google.com";

/// A member's identity at the provider of their tenant. A member has at most one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Member whom the identity signs in.
    pub member_id: MemberId,
    /// Tenant of the member.
    pub tenant: TenantId,
    /// Keyed hash of the issuer and the subject.
    pub subject_hash: Digest32,
    /// Member on whose access the identity depends: the one who created the one-time address of the invitation, or of the
    /// session in which the identity was linked. `None` if it depends on none.
    pub created_by: Option<MemberId>,
    /// When the identity was linked.
    pub created_at: Wall,
}

/// The claims of a verified ID token about a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdentityClaims {
    /// The subject: an identifier that the issuer never gives to another person.
    pub subject: Sensitive,
    /// The e-mail address.
    pub email: Option<Sensitive>,
    /// Whether the provider has verified the address.
    pub is_email_verified: bool,
    /// The name.
    pub name: Option<Sensitive>,
    /// The domain of the organization that manages the account (`hd`, which Google has).
    pub hosted_domain: Option<String>,
}

/// Reason why a sign-in with a provider fails. The page of the callback shows the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignOnError {
    /// The way was used, has expired, or began in another browser.
    #[error("the way to the provider was used, has expired, or began in another browser")]
    Expired,
    /// The person cancelled at the provider.
    #[error("the person cancelled at the provider")]
    Cancelled,
    /// The provider refused the request.
    #[error("the provider refused the request")]
    Refused,
    /// The provider did not respond.
    #[error("the provider did not respond")]
    Unavailable,
    /// The response of the provider is not valid.
    #[error("the response of the provider is not valid")]
    Invalid,
    /// The identity has no member, and its address cannot join.
    #[error("the identity has no member, and its address cannot join")]
    NotMember,
    /// A member with this address exists, and the identity is not linked to them.
    #[error("a member with this address exists, who has not linked the identity")]
    NotLinked,
    /// Another member has the identity, or the member has another identity.
    #[error("another member has the identity, or the member has another one")]
    Taken,
    /// The provider was configured again, or removed, while the person was there.
    #[error("the provider was configured again while the person was there")]
    ProviderChanged,
    /// The invitation was used or has expired.
    #[error("the invitation was used or has expired")]
    Invitation,
    /// The session in which the person wanted to link the identity has ended.
    #[error("the session in which the identity was to be linked has ended")]
    SessionEnded,
    /// The tenant has the maximum number of members.
    #[error("the tenant has the maximum number of members")]
    Full,
}

impl SignOnError {
    /// Returns a stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Expired => "SIGN_IN_EXPIRED",
            Self::Cancelled => "SIGN_IN_CANCELLED",
            Self::Refused => "PROVIDER_REFUSED",
            Self::Unavailable => "PROVIDER_UNAVAILABLE",
            Self::Invalid => "PROVIDER_INVALID",
            Self::NotMember => "NOT_A_MEMBER",
            Self::NotLinked => "IDENTITY_NOT_LINKED",
            Self::Taken => "IDENTITY_TAKEN",
            Self::ProviderChanged => "PROVIDER_CHANGED",
            Self::Invitation => "INVITATION_USED",
            Self::SessionEnded => "SESSION_ENDED",
            Self::Full => "TOO_MANY_MEMBERS",
        }
    }
}

/// A member whom the provider signed in.
#[derive(Clone, Debug)]
pub struct SignedInByProvider {
    /// The member.
    pub member: Member,
    /// The session.
    pub session: ConsoleSession,
    /// The secret of the session.
    pub secret: Sensitive,
    /// Whether the member is new.
    pub is_new: bool,
    /// Whether the identity was linked now.
    pub is_linked: bool,
}

/// A person who came back from the provider, with what the store has about them. The tenant is locked.
#[derive(Clone, Debug)]
pub struct Arrival<'a> {
    /// The provider.
    pub provider: &'a IdentityProvider,
    /// The claims of the provider about the person.
    pub claims: &'a IdentityClaims,
    /// Hash of the person's identity.
    pub subject_hash: Digest32,
    /// The identity with this hash, if it is linked.
    pub found: Option<Identity>,
    /// `User-Agent` of the browser.
    pub user_agent: &'a str,
}

impl Arrival<'_> {
    /// Signs in the member who has the identity, or a new member with a verified address of a proven domain. `members` are the
    /// members of the tenant, and `proven` its proven domains.
    ///
    /// # Errors
    ///
    /// [`SignOnError`] if the identity has no member and cannot join.
    pub fn sign_in(
        &self,
        members: &[Member],
        proven: &[String],
        context: &mut Context,
    ) -> Result<(SignedInByProvider, Change), SignOnError> {
        if let Some(found) = &self.found {
            let member = members.iter().find(|it| it.id == found.member_id).ok_or(SignOnError::NotMember)?;
            return Ok(self.begin_session(member, found.created_by.clone(), context));
        }
        let (member, joined) = self.join(members, proven, context)?;
        let identity = self.identity_of(&member, None, context);
        let (begun, change) = self.begin_session(&member, None, context);
        let signed_in = SignedInByProvider { is_new: true, is_linked: true, ..begun };
        Ok((signed_in, joined.then(Change::row(Row::Identity(identity))).then(change)))
    }

    /// Accepts an invitation: uses the one-time address of a member, and links the identity to them. `of_member` is the identity
    /// that the member has. Another one is replaced, and its sessions end: the account may be a new one at the provider. The
    /// address confirms the session, as it does without the provider, so that the member can add the first passkey.
    ///
    /// # Errors
    ///
    /// [`SignOnError`] if the address has expired, or another member has the identity.
    pub fn accept(
        &self,
        address: SignInAddress,
        member: &Member,
        of_member: Option<&Identity>,
        context: &mut Context,
    ) -> Result<(SignedInByProvider, Change), SignOnError> {
        let created_by = address.created_by.clone();
        let earlier = of_member.filter(|it| it.subject_hash != self.subject_hash);
        let linked = self.link(member, created_by.clone(), of_member.xor(earlier), context)?;
        let (_, _, used) =
            address.sign_in(member, self.user_agent, context).ok_or(SignOnError::Invitation)?;
        let (begun, _) = self.begin_session(member, created_by, context);
        let session = ConsoleSession { confirmed_at: Some(begun.session.created_at), ..begun.session };
        let mut change = Change { deletions: used.deletions, ..linked };
        change.rows.push(Row::ConsoleSession(session.clone()));
        if earlier.is_some() {
            let (member, except) = (member.id.clone(), session.id.clone());
            change.deletions.push(Deletion::ProviderSessions { member, except });
        }
        Ok((SignedInByProvider { session, is_linked: self.found.is_none(), ..begun }, change))
    }

    /// Links the identity to a member who is signed in, or who was invited. `created_by` is the member on whose access it then
    /// depends. Does nothing if it is linked to them.
    ///
    /// # Errors
    ///
    /// [`SignOnError::Taken`] if another member has the identity, or the member has another one.
    pub fn link(
        &self,
        member: &Member,
        created_by: Option<MemberId>,
        of_member: Option<&Identity>,
        context: &Context,
    ) -> Result<Change, SignOnError> {
        let is_of_member = |it: &Identity| it.member_id == member.id && it.subject_hash == self.subject_hash;
        if self.found.iter().chain(of_member).any(|it| !is_of_member(it)) {
            return Err(SignOnError::Taken);
        }
        if self.found.is_some() {
            return Ok(Change::default());
        }
        Ok(Change::row(Row::Identity(self.identity_of(member, created_by, context))))
    }

    fn identity_of(&self, member: &Member, created_by: Option<MemberId>, context: &Context) -> Identity {
        Identity {
            member_id: member.id.clone(),
            tenant: member.tenant.clone(),
            subject_hash: self.subject_hash,
            created_by,
            created_at: context.now().wall(),
        }
    }

    /// Makes a new member of the person, if the provider has verified their address and the tenant has proven its domain.
    fn join(
        &self,
        members: &[Member],
        proven: &[String],
        context: &mut Context,
    ) -> Result<(Member, Change), SignOnError> {
        let verified = self.claims.email.as_ref().filter(|_| self.claims.is_email_verified);
        let email = verified.map(|it| it.expose().trim()).ok_or(SignOnError::NotMember)?;
        let domain = domain_of_address(email).ok_or(SignOnError::NotMember)?;
        if !proven.contains(&domain) || !self.is_managed(&domain) {
            return Err(SignOnError::NotMember);
        }
        let local = email.split('@').next().unwrap_or_default();
        let named = self.claims.name.as_ref().and_then(|it| check_name(it.expose()));
        let name = named.unwrap_or_else(|| local.chars().take(80).collect());
        let draft = MemberDraft { email: fold_email(email), name, role: self.provider.role };
        Member::invite(self.provider.tenant.clone(), &draft, members, context).map_err(|error| match error {
            MemberError::Exists => SignOnError::NotLinked,
            MemberError::Limit => SignOnError::Full,
            MemberError::Email | MemberError::Name | MemberError::LastOwner => SignOnError::NotMember,
        })
    }

    /// Returns whether the provider says that the organization of the domain manages the account. Only Google needs it: there, a
    /// private account can have a verified address of any domain, and keeps it after the address is gone.
    fn is_managed(&self, domain: &str) -> bool {
        let managed = self.claims.hosted_domain.as_deref().and_then(check_domain);
        self.provider.issuer != GOOGLE || managed.as_deref() == Some(domain)
    }

    /// Begins a session. The provider proved who the person is, and no passkey confirmed it.
    fn begin_session(
        &self,
        member: &Member,
        created_by: Option<MemberId>,
        context: &mut Context,
    ) -> (SignedInByProvider, Change) {
        let (begun, secret) = ConsoleSession::begin(member, created_by, browser_of(self.user_agent), context);
        let session = ConsoleSession { confirmed_at: None, is_by_provider: true, ..begun };
        let change = Change::row(Row::ConsoleSession(session.clone()));
        let signed_in =
            SignedInByProvider { member: member.clone(), session, secret, is_new: false, is_linked: false };
        (signed_in, change)
    }
}

/// Returns the keyed hash of an identity: without the key, it does not reveal the subject, and the same subject of another
/// issuer or tenant has another one.
pub fn subject_hash(key: &[u8; 32], tenant: &TenantId, issuer: &str, subject: &Sensitive) -> Digest32 {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else {
        unreachable!("HMAC takes keys of every length");
    };
    for part in ["portal identity", tenant.as_str(), issuer, subject.expose()] {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part.as_bytes());
    }
    Digest32::from_bytes(mac.finalize().into_bytes().into())
}
