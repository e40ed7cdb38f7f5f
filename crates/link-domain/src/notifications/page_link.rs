//! Links that are mailed to a mailbox and open a session once: of a person's own page, or of the developer portal.

use std::time::Duration;

use link_types::{Mode, Sensitive};
use serde::{Deserialize, Serialize};

use crate::kernel::clock::Wall;
use crate::kernel::digest::Digest32;
use crate::kernel::sealed;
use crate::notifications::mail::{Admission, MailLimits, MailStanding, admit_without_server};

mod transition;

/// How long the link to a person's own page works, from the request: 30 minutes.
pub const LINK_LIFE: Duration = Duration::from_secs(30 * 60);
/// How long a link that signs a member in works, from the request: 10 minutes.
pub const SIGN_IN_LINK_LIFE: Duration = Duration::from_secs(10 * 60);
/// How long a mailbox must wait before another link: 60 seconds.
pub const REQUEST_WAIT: Duration = Duration::from_secs(60);

/// The session that a link opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkPurpose {
    /// One of the person's own page.
    OwnPage,
    /// One of the developer portal, for a member.
    SignIn,
}

impl LinkPurpose {
    /// Returns how long a link works, from the request.
    pub const fn life(self) -> Duration {
        match self {
            Self::OwnPage => LINK_LIFE,
            Self::SignIn => SIGN_IN_LINK_LIFE,
        }
    }

    /// Returns the value that the store keeps.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OwnPage => "OWN_PAGE",
            Self::SignIn => "SIGN_IN",
        }
    }

    /// Returns the purpose with this stored value.
    pub fn find(stored: &str) -> Option<Self> {
        [Self::OwnPage, Self::SignIn].into_iter().find(|it| it.as_str() == stored)
    }
}

/// The link of a mailbox. A mailbox that gets no mail has one too, so that a request cannot tell the difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageLink {
    /// The session that the link opens.
    pub purpose: LinkPurpose,
    /// Keyed hash of the address. Each purpose has another one.
    pub address: Digest32,
    /// SHA-256 of the code of the link that works. If none does, of the link that was requested last.
    pub code_hash: Digest32,
    /// When the link with this code was requested.
    pub begun_at: Wall,
    /// When a link was last requested.
    pub asked_at: Wall,
    /// Environment whose rules admitted the mail: a link of the sandbox shows only data of sandboxes. `None` if no mail was
    /// admitted. Always production for a sign-in.
    pub reach: Option<Mode>,
    /// Mail to send. `None` after it was sent, or will not be. Its link replaces the one that works when it is admitted.
    pub mail: Option<LinkMail>,
}

/// The mail of a link. It is serialized only in encrypted form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LinkMail {
    /// Address of the mailbox, as the person typed it.
    #[serde(with = "sealed")]
    pub address: Sensitive,
    /// Language of the page on which it was typed, as a BCP 47 tag.
    pub locale: String,
    /// Code of the link.
    #[serde(with = "sealed")]
    pub code: Sensitive,
}

/// Everything that determines whether the mail of a link is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkStanding {
    /// The environments that have data of the mailbox, and whether the operator allowed their tenant to mail it. Production
    /// for the sign-in of a member.
    pub environments: Vec<(Mode, bool)>,
    /// Whether the service has a mail server.
    pub has_server: bool,
    /// Whether mail to the mailbox is suppressed.
    pub is_suppressed: bool,
    /// Mails to the mailbox counted today.
    pub recipient_today: u32,
    /// Links mailed to the mailbox today.
    pub links_today: u32,
}

impl LinkStanding {
    /// Decides about the mail. Returns how it is sent, and the environment that the link shows; `None` if it is not sent.
    ///
    /// Links may use half of the mailbox's limit, as one tenant may. A mail of the sandbox may be stored for the operator,
    /// so its link never shows data of production.
    pub fn admit(&self, is_counted: bool, limits: MailLimits) -> Option<(Admission, Mode)> {
        let has = |mode| self.environments.iter().any(|(each, _)| *each == mode);
        let reach = if has(Mode::Production) && self.has_server {
            Mode::Production
        } else if has(Mode::Sandbox) {
            Mode::Sandbox
        } else {
            return None;
        };
        let standing = MailStanding {
            mode: reach,
            is_allowed: self.environments.iter().any(|(_, is_allowed)| *is_allowed),
            is_suppressed: self.is_suppressed,
            is_counted,
            tenant_today: 0,
            recipient_today: self.recipient_today,
            recipient_of_tenant_today: self.links_today,
        };
        let admission = if self.has_server { standing.admit(limits) } else { admit_without_server(reach) };
        match admission {
            Admission::HandOver { .. } | Admission::Keep => Some((admission, reach)),
            Admission::Suppressed | Admission::Wait | Admission::NoServer => None,
        }
    }
}

impl LinkMail {
    /// Returns SHA-256 of the code.
    pub fn code_hash(&self) -> Digest32 {
        Digest32::from_text(self.code.expose())
    }
}

impl PageLink {
    /// Returns whether the link has not expired.
    pub fn lasts(&self, now: Wall) -> bool {
        now.since(self.begun_at) < self.purpose.life()
    }

    /// Returns when the link expires.
    pub fn ends_at(&self) -> Wall {
        self.begun_at + self.purpose.life()
    }

    /// Returns whether the link in the mail has not expired.
    pub fn mail_lasts(&self, now: Wall) -> bool {
        now < self.mail_ends_at()
    }

    /// Returns when the link in the mail expires.
    pub fn mail_ends_at(&self) -> Wall {
        self.asked_at + self.purpose.life()
    }

    /// Returns whether the mail was admitted, and is not sent yet.
    pub fn is_admitted(&self) -> bool {
        self.reach.is_some() && self.mail.as_ref().is_some_and(|it| it.code_hash() == self.code_hash)
    }
}

/// Returns the URL of the link with this code, under the base URL of the hosted pages.
pub fn page_link_address(hosted_url: &str, code: &Sensitive) -> String {
    format!("{hosted_url}/me/open/{}", code.expose())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    const LIMITS: MailLimits = MailLimits { per_tenant: 1, per_recipient: 4 };
    const SENT: Admission = Admission::HandOver { counts: true };
    const STORED: Admission = Admission::HandOver { counts: false };
    const LIVE: (Mode, bool) = (Mode::Production, false);
    const SANDBOX: (Mode, bool) = (Mode::Sandbox, false);

    fn standing(environments: &[(Mode, bool)]) -> LinkStanding {
        LinkStanding {
            environments: environments.to_vec(),
            has_server: true,
            is_suppressed: false,
            recipient_today: 0,
            links_today: 0,
        }
    }

    #[rstest]
    #[case::unknown(&[], true, None)]
    #[case::production(&[LIVE], true, Some((SENT, Mode::Production)))]
    #[case::both(&[SANDBOX, LIVE], true, Some((SENT, Mode::Production)))]
    #[case::sandbox(&[SANDBOX], true, Some((Admission::Keep, Mode::Sandbox)))]
    #[case::allowed(&[(Mode::Sandbox, true)], true, Some((SENT, Mode::Sandbox)))]
    #[case::no_server(&[LIVE], false, None)]
    #[case::no_server_both(&[SANDBOX, LIVE], false, Some((STORED, Mode::Sandbox)))]
    fn link_is_mailed_by_the_rules_of_the_environment_it_shows(
        #[case] environments: &[(Mode, bool)],
        #[case] has_server: bool,
        #[case] expected: Option<(Admission, Mode)>,
    ) {
        assert_eq!(LinkStanding { has_server, ..standing(environments) }.admit(false, LIMITS), expected);
    }

    #[test]
    fn links_use_at_most_half_of_a_mailbox_limit() {
        let known = standing(&[LIVE]);
        assert!(
            LinkStanding { links_today: 1, recipient_today: 3, ..known.clone() }
                .admit(false, LIMITS)
                .is_some()
        );
        for over in [
            LinkStanding { links_today: 2, recipient_today: 2, ..known.clone() },
            LinkStanding { recipient_today: 4, ..known.clone() },
            LinkStanding { is_suppressed: true, ..known.clone() },
        ] {
            assert_eq!(over.admit(false, LIMITS), None, "{over:?}");
        }
        let again = LinkStanding { links_today: 2, recipient_today: 4, ..known };
        assert_eq!(again.admit(true, LIMITS), Some((STORED, Mode::Production)), "a retry is counted once");
    }
}
