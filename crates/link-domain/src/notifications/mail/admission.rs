//! Decides whether a mail may be sent now. Protects people who never asked for it.

use std::time::Duration;

use link_types::Mode;

use crate::kernel::clock::Wall;
use crate::kernel::digest::{Digest32, hex};
use crate::kernel::owner::Owner;

/// Period of the limits: a UTC day.
const DAY: Duration = Duration::from_secs(86_400);

/// Limits on the mails sent within a UTC day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MailLimits {
    /// Mails of one environment of a tenant.
    pub per_tenant: u32,
    /// Mails to one mailbox, from all tenants together.
    pub per_recipient: u32,
}

impl MailLimits {
    /// Returns the limit of mails from one tenant to one mailbox: half of [`MailLimits::per_recipient`], rounded up, so
    /// that one tenant cannot use up the limit for others.
    pub const fn per_recipient_of_tenant(self) -> u32 {
        self.per_recipient.div_ceil(2)
    }

    /// Returns the limit of codes to one mailbox, from all tenants together: a third of [`MailLimits::per_recipient`],
    /// rounded up. Anyone can request codes to any mailbox, so they do not count against the other mails to it.
    pub const fn codes_per_recipient(self) -> u32 {
        self.per_recipient.div_ceil(3)
    }

    /// Returns the limit of codes of one environment: half of [`MailLimits::per_tenant`], rounded up, so that visitors of a
    /// public address cannot use up the mails of its invitations.
    pub const fn codes_per_tenant(self) -> u32 {
        self.per_tenant.div_ceil(2)
    }
}

/// Everything that determines whether a mail may be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MailStanding {
    /// Environment of the invitation.
    pub mode: Mode,
    /// Whether the operator allowed the tenant's sandbox to mail the address.
    pub is_allowed: bool,
    /// Whether the address is suppressed.
    pub is_suppressed: bool,
    /// Whether this mail was already counted. A retry is not counted again.
    pub is_counted: bool,
    /// Mails of the tenant's environment counted today.
    pub tenant_today: u32,
    /// Mails to the mailbox counted today.
    pub recipient_today: u32,
    /// Mails to the mailbox counted today from the tenant, both environments together.
    pub recipient_of_tenant_today: u32,
}

/// Decision about a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// The mail is handed over to a mail server.
    HandOver {
        /// Whether the mail now counts against the limits.
        counts: bool,
    },
    /// The mail is stored for the operator.
    Keep,
    /// The mail is not sent.
    Suppressed,
    /// A limit is reached, and the mail waits for the next day.
    Wait,
    /// There is no mail server, and the mail is not sent.
    NoServer,
}

/// Decides about a mail if the service has no mail server. The sandbox then stores its mails, which counts as handed
/// over, so that an integration can be tested to its end. Production must not say that it sent a mail.
pub const fn admit_without_server(mode: Mode) -> Admission {
    match mode {
        Mode::Sandbox => Admission::HandOver { counts: false },
        Mode::Production => Admission::NoServer,
    }
}

impl MailStanding {
    /// Decides about the mail.
    pub fn admit(&self, limits: MailLimits) -> Admission {
        if self.is_suppressed {
            return Admission::Suppressed;
        }
        if self.mode == Mode::Sandbox && !self.is_allowed {
            return Admission::Keep;
        }
        if self.is_counted {
            return Admission::HandOver { counts: false };
        }
        let is_within = self.tenant_today < limits.per_tenant
            && self.recipient_today < limits.per_recipient
            && self.recipient_of_tenant_today < limits.per_recipient_of_tenant();
        if is_within { Admission::HandOver { counts: true } } else { Admission::Wait }
    }
}

/// Returns the number of the UTC day since 1970.
pub fn mail_day(at: Wall) -> i64 {
    at.micros().div_euclid(DAY.as_micros() as i64)
}

/// Returns when the next UTC day starts.
pub fn next_mail_day(at: Wall) -> Wall {
    Wall::from_micros((mail_day(at) + 1).saturating_mul(DAY.as_micros() as i64))
}

/// Returns the name under which an environment's mails are counted.
pub fn counted_tenant(owner: &Owner) -> String {
    format!("{}/{}", owner.tenant, owner.mode.as_str())
}

/// Returns the names under which a code is counted, in the order in which their counts are locked: all mails of the
/// environment, its codes, and the codes of all tenants to the mailbox.
pub fn counted_code(owner: &Owner, recipient: &Digest32) -> [String; 3] {
    let tenant = counted_tenant(owner);
    let codes = format!("{tenant}/codes");
    [tenant, codes, format!("codes/{}", hex(recipient.as_bytes()))]
}

/// Returns the name under which a tenant's mails to a mailbox are counted, both environments together.
pub fn counted_mailbox_of_tenant(owner: &Owner, recipient: &Digest32) -> String {
    format!("{}/{}", hex(recipient.as_bytes()), owner.tenant)
}

/// Reason why an address is suppressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuppressedBecause {
    /// A mail server reported that the mailbox does not exist.
    Bounced,
    /// The person opted out.
    Unsubscribed,
    /// The operator suppressed it.
    Operator,
}

impl SuppressedBecause {
    /// Returns the value that the store keeps.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Bounced => "BOUNCED",
            Self::Unsubscribed => "UNSUBSCRIBED",
            Self::Operator => "OPERATOR",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: MailLimits = MailLimits { per_tenant: 3, per_recipient: 2 };

    fn standing() -> MailStanding {
        MailStanding {
            mode: Mode::Production,
            is_allowed: false,
            is_suppressed: false,
            is_counted: false,
            tenant_today: 0,
            recipient_today: 0,
            recipient_of_tenant_today: 0,
        }
    }

    #[test]
    fn production_mails_any_address_within_its_limits() {
        assert_eq!(standing().admit(LIMITS), Admission::HandOver { counts: true });
    }

    #[test]
    fn sandbox_mails_allowed_addresses_only() {
        let sandbox = MailStanding { mode: Mode::Sandbox, ..standing() };
        assert_eq!(sandbox.admit(LIMITS), Admission::Keep);
        let allowed = MailStanding { is_allowed: true, ..sandbox };
        assert_eq!(allowed.admit(LIMITS), Admission::HandOver { counts: true });
    }

    #[test]
    fn suppressed_address_gets_no_mail_even_if_allowed_or_counted() {
        let suppressed =
            MailStanding { is_suppressed: true, is_allowed: true, is_counted: true, ..standing() };
        assert_eq!(suppressed.admit(LIMITS), Admission::Suppressed);
    }

    #[test]
    fn mail_over_a_limit_waits_unless_already_counted() {
        let tenant = MailStanding { tenant_today: 3, ..standing() };
        assert_eq!(tenant.admit(LIMITS), Admission::Wait);
        let recipient = MailStanding { recipient_today: 2, ..standing() };
        assert_eq!(recipient.admit(LIMITS), Admission::Wait);
        let counted = MailStanding { is_counted: true, ..tenant };
        assert_eq!(counted.admit(LIMITS), Admission::HandOver { counts: false });
    }

    #[test]
    fn one_tenant_may_use_half_of_a_mailbox_limit() {
        let limits = MailLimits { per_tenant: 100, per_recipient: 10 };
        let after = |of_tenant, of_all| MailStanding {
            recipient_today: of_all,
            recipient_of_tenant_today: of_tenant,
            ..standing()
        };
        let counts = Admission::HandOver { counts: true };
        assert_eq!(after(4, 9).admit(limits), counts);
        assert_eq!(after(5, 5).admit(limits), Admission::Wait);
        assert_eq!(after(0, 5).admit(limits), counts, "another tenant");
        let one = MailLimits { per_recipient: 1, ..limits };
        assert_eq!(after(0, 0).admit(one), counts);
    }

    #[test]
    fn production_sends_no_mail_without_a_server() {
        assert_eq!(admit_without_server(Mode::Production), Admission::NoServer);
        assert_eq!(admit_without_server(Mode::Sandbox), Admission::HandOver { counts: false });
    }

    #[test]
    fn mail_day_ends_at_midnight_utc() {
        let day = 86_400_000_000;
        assert_eq!((mail_day(Wall::from_micros(day - 1)), mail_day(Wall::from_micros(day))), (0, 1));
        assert_eq!(next_mail_day(Wall::from_micros(day + 5)), Wall::from_micros(2 * day));
    }
}
