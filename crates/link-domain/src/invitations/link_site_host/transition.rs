//! Adding, proving and deleting an own host.

use link_types::id::{LinkSiteHostId, LinkSiteId};

use super::{HOSTS_LIMIT, HostError, LinkSiteHost, PROOF, ReservedHosts};
use crate::change::{Change, Deletion, Row};
use crate::kernel::context::Context;
use crate::kernel::domain_proof::{DomainProof, check_domain};
use crate::kernel::owner::Owner;

impl LinkSiteHost {
    /// Adds a host, which is not proven. `existing` are the hosts of the tenant in both environments.
    ///
    /// A tenant's environments do not share a proven host: a key of the sandbox must not be able to change what people of
    /// production see. One that is not proven does not count there, so that the key cannot block the host either.
    ///
    /// # Errors
    ///
    /// [`HostError`] if it is not a host of the tenant, or the tenant has it or too many.
    pub fn create(
        owner: Owner,
        host: &str,
        reserved: &ReservedHosts,
        existing: &[Self],
        context: &mut Context,
    ) -> Result<(Self, Change), HostError> {
        let host = check_domain(host).ok_or(HostError::Host)?;
        if reserved.contains(&host) {
            return Err(HostError::OfService);
        }
        if existing.iter().any(|it| it.owner == owner && it.host == host) {
            return Err(HostError::Exists);
        }
        check_other_environment(&owner, &host, existing)?;
        if existing.iter().filter(|it| it.owner == owner).count() >= HOSTS_LIMIT {
            return Err(HostError::Limit);
        }
        let added = Self {
            id: LinkSiteHostId::from_bytes(context.uuid()),
            owner,
            created_at: context.now().tenant(),
            host,
            token: DomainProof::token(context),
            proven_at: None,
        };
        Ok((added.clone(), Change::row(Row::LinkSiteHost(added))))
    }

    /// Proves the host with the texts of the record. `existing` are the hosts of the tenant in both environments.
    ///
    /// Another tenant that had proven it loses it, and its link sites then have no own host. Those that only added it get other
    /// tokens: a record that an earlier owner of the name left behind must not win it back.
    ///
    /// # Errors
    ///
    /// [`HostError::NotFound`] if no text is the expected one; [`HostError::InOtherEnvironment`] if that one has proven it.
    pub fn prove(
        self,
        texts: &[String],
        existing: &[Self],
        context: &mut Context,
    ) -> Result<(Self, Change), HostError> {
        if !PROOF.is_in(texts, &self.token) {
            return Err(HostError::NotFound);
        }
        self.confirm(existing, context)
    }

    /// Confirms the host as the operator, who knows that it is the tenant's. `existing` are the hosts of the tenant in both
    /// environments.
    ///
    /// # Errors
    ///
    /// [`HostError::InOtherEnvironment`] if that one has proven it.
    pub fn confirm(self, existing: &[Self], context: &mut Context) -> Result<(Self, Change), HostError> {
        check_other_environment(&self.owner, &self.host, existing)?;
        let proven = Self { proven_at: Some(context.now().wall()), ..self };
        let others = Deletion::SameHostOfOthers {
            id: proven.id.clone(),
            host: proven.host.clone(),
            token: DomainProof::token(context),
        };
        let rows = vec![Row::LinkSiteHost(proven.clone())];
        Ok((proven, Change { rows, deletions: vec![others], ..Change::default() }))
    }

    /// Deletes the host. `sites` are link sites that have it.
    ///
    /// # Errors
    ///
    /// [`HostError::InUse`] if there are any.
    pub fn delete(self, sites: Vec<LinkSiteId>) -> Result<Change, HostError> {
        if !sites.is_empty() {
            return Err(HostError::InUse(sites));
        }
        Ok(Change { deletions: vec![Deletion::LinkSiteHost(self.id)], ..Change::default() })
    }
}

fn check_other_environment(owner: &Owner, host: &str, existing: &[LinkSiteHost]) -> Result<(), HostError> {
    let is_there =
        |it: &LinkSiteHost| it.owner.mode != owner.mode && it.host == host && it.proven_at.is_some();
    if existing.iter().any(is_there) { Err(HostError::InOtherEnvironment) } else { Ok(()) }
}
