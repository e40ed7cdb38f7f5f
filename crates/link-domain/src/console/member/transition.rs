//! Decisions about members. Each gets all members of the tenant, which the store has locked.

use link_types::Sensitive;
use link_types::console::{MemberDraft, Role};
use link_types::format::FieldFormat;
use link_types::id::{MemberId, TenantId};

use super::{MEMBERS_LIMIT, Member, MemberError};
use crate::change::{Change, Deletion, Row};
use crate::kernel::context::Context;
use crate::kernel::display_name::check_name;

impl Member {
    /// Invites a person. The member can sign in with a one-time address.
    ///
    /// # Errors
    ///
    /// [`MemberError`] if the draft is not valid, or the tenant has this member already or too many.
    pub fn invite(
        tenant: TenantId,
        draft: &MemberDraft,
        members: &[Self],
        context: &mut Context,
    ) -> Result<(Self, Change), MemberError> {
        FieldFormat::Email {}.read(&draft.email).map_err(|_| MemberError::Email)?;
        let email = fold_email(&draft.email);
        let name = check_name(&draft.name).ok_or(MemberError::Name)?;
        if members.iter().any(|it| it.email.expose() == email) {
            return Err(MemberError::Exists);
        }
        if members.len() >= MEMBERS_LIMIT {
            return Err(MemberError::Limit);
        }
        let member = Self {
            id: MemberId::from_bytes(context.uuid()),
            tenant,
            email: Sensitive::new(email),
            name: Sensitive::new(name),
            role: draft.role,
            created_at: context.now().wall(),
        };
        Ok((member.clone(), Change::row(Row::Member(member))))
    }

    /// Gives a member another role. Their sessions have it from now on. A former owner also loses the access that they gave:
    /// they may have opened an address for another member.
    ///
    /// # Errors
    ///
    /// [`MemberError::LastOwner`] if the tenant would have no owner.
    pub fn with_role(self, role: Role, members: &[Self]) -> Result<(Self, Change), MemberError> {
        if role != Role::Owner && self.is_last_owner(members) {
            return Err(MemberError::LastOwner);
        }
        let mut deletions = Vec::new();
        if self.role == Role::Owner && role != Role::Owner {
            deletions.push(Deletion::AccessGivenBy(self.id.clone()));
        }
        let member = Self { role, ..self };
        Ok((member.clone(), Change { deletions, ..Change::row(Row::Member(member)) }))
    }

    /// Removes a member with their sessions, their one-time address, and the access that they gave.
    ///
    /// # Errors
    ///
    /// [`MemberError::LastOwner`] if the tenant would have no owner.
    pub fn remove(self, members: &[Self]) -> Result<Change, MemberError> {
        if self.is_last_owner(members) {
            return Err(MemberError::LastOwner);
        }
        Ok(Change { deletions: vec![Deletion::Member(self.id)], ..Change::default() })
    }

    fn is_last_owner(&self, members: &[Self]) -> bool {
        self.role == Role::Owner && !members.iter().any(|it| it.role == Role::Owner && it.id != self.id)
    }

    /// Returns the owner for whom the operator prints an address: the one with this e-mail address, or the only one.
    ///
    /// # Errors
    ///
    /// The number of owners who match, if it is not one.
    pub fn owner_to_recover<'m>(email: Option<&str>, members: &'m [Self]) -> Result<&'m Self, usize> {
        let email = email.map(fold_email);
        let matches = |it: &&Self| {
            it.role == Role::Owner && email.as_ref().is_none_or(|email| it.email.expose() == email)
        };
        let mut owners = members.iter().filter(matches);
        match (owners.next(), owners.count()) {
            (Some(owner), 0) => Ok(owner),
            (None, _) => Err(0),
            (Some(_), others) => Err(others + 1),
        }
    }
}

/// Returns an e-mail address in the form that members have. Returns other texts in lower case.
pub fn fold_email(email: &str) -> String {
    FieldFormat::Email {}.read(email).map_or_else(|_| email.to_lowercase(), |it| it.to_lowercase())
}
