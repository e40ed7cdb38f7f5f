//! Domains of addresses whose owners may join a tenant by themselves. The tenant proves each with a TXT record.

use link_types::console::single_sign_on;
use link_types::id::TenantId;

use crate::change::{Change, Deletion, Row};
use crate::kernel::clock::{TenantTime, Wall};
use crate::kernel::context::Context;
use crate::kernel::domain_proof::{DomainProof, check_domain};

/// Maximum number of domains of a tenant.
pub const MAX_DOMAINS: usize = 10;
/// The record that proves a domain.
const PROOF: DomainProof = DomainProof::new("_linchpin-sign-in", "linchpin-sign-in=");

/// A domain of a tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignOnDomain {
    /// Tenant of the domain.
    pub tenant: TenantId,
    /// The domain, in lower-case ASCII.
    pub domain: String,
    /// Random token that the record must have.
    pub token: String,
    /// When the tenant proved the domain. `None` before that.
    pub proven_at: Option<Wall>,
}

/// Reason why a domain cannot be added or is not proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DomainError {
    /// The text is not a domain with at least two labels.
    #[error("a domain, for example shop.example")]
    Domain,
    /// The tenant has the domain.
    #[error("this domain is in the list")]
    Exists,
    /// The tenant has the maximum number of domains.
    #[error("the limit of {MAX_DOMAINS} domains is reached")]
    Limit,
    /// No TXT record has the token.
    #[error("no TXT record with this name has the text yet")]
    NotFound,
}

impl SignOnDomain {
    /// Adds a domain, which is not proven. `existing` are the domains of the tenant.
    ///
    /// # Errors
    ///
    /// [`DomainError`] if it is not a domain, or the tenant has it or too many.
    pub fn add(
        tenant: TenantId,
        domain: &str,
        existing: &[Self],
        context: &mut Context,
    ) -> Result<(Self, Change), DomainError> {
        let domain = check_domain(domain).ok_or(DomainError::Domain)?;
        if existing.iter().any(|it| it.domain == domain) {
            return Err(DomainError::Exists);
        }
        if existing.len() >= MAX_DOMAINS {
            return Err(DomainError::Limit);
        }
        let token = DomainProof::token(context);
        let added = Self { tenant, domain, token, proven_at: None };
        Ok((added.clone(), Change::row(Row::SignOnDomain(added))))
    }

    /// Returns the name of the TXT record.
    pub fn record_name(&self) -> String {
        PROOF.record_name(&self.domain)
    }

    /// Returns the text that the TXT record must have.
    pub fn record_text(&self) -> String {
        PROOF.record_text(&self.token)
    }

    /// Proves the domain with the texts of the record. Other tenants lose it, with their tokens: a record that an earlier owner of
    /// the domain left behind must not win it back. They can add it again, and then need a new record.
    ///
    /// # Errors
    ///
    /// [`DomainError::NotFound`] if no text is the expected one.
    pub fn prove(self, texts: &[String], now: Wall) -> Result<(Self, Change), DomainError> {
        if !PROOF.is_in(texts, &self.token) {
            return Err(DomainError::NotFound);
        }
        Ok(self.confirm(now))
    }

    /// Confirms the domain as the operator, who knows that it is the tenant's.
    pub fn confirm(self, now: Wall) -> (Self, Change) {
        let proven = Self { proven_at: Some(now), ..self };
        let change = Change {
            rows: vec![Row::SignOnDomain(proven.clone())],
            deletions: vec![Deletion::DomainOfOthers {
                tenant: proven.tenant.clone(),
                domain: proven.domain.clone(),
            }],
            ..Change::default()
        };
        (proven, change)
    }

    /// Removes the domain. Members who joined with it stay.
    pub fn remove(self) -> Change {
        let deletion = Deletion::SignOnDomain { tenant: self.tenant, domain: self.domain };
        Change { deletions: vec![deletion], ..Change::default() }
    }

    /// Returns the domain as the portal shows it.
    pub fn view(&self) -> single_sign_on::SignOnDomain {
        single_sign_on::SignOnDomain {
            domain: self.domain.clone(),
            record_name: self.record_name(),
            record_text: self.record_text(),
            proven_at: self.proven_at.map(|at| TenantTime::from_micros(at.micros()).into()),
        }
    }
}

/// Returns the domain of an e-mail address. `None` if it is not one that can be proven.
pub fn domain_of_address(address: &str) -> Option<String> {
    check_domain(address.trim().rsplit_once('@')?.1)
}
