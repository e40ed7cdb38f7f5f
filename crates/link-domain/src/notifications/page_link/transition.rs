//! Requesting, mailing and opening a link.

use link_types::{Mode, Sensitive};

use super::{LinkMail, LinkPurpose, PageLink, REQUEST_WAIT};
use crate::change::job::{Job, JobKind};
use crate::change::{Change, Row};
use crate::kernel::context::Context;
use crate::kernel::digest::{Digest32, hex};
use crate::kernel::owner::Owner;

impl PageLink {
    /// Requests a link. It does not depend on whether the mailbox is known: the job decides that. A request within 60
    /// seconds of the mailbox's last one changes nothing. A link that works does so until the next one is admitted.
    pub fn ask(
        purpose: LinkPurpose,
        hash: Digest32,
        address: Sensitive,
        locale: String,
        earlier: Option<&Self>,
        context: &mut Context,
    ) -> Change {
        let now = context.now().wall();
        if earlier.is_some_and(|it| now.since(it.asked_at) < REQUEST_WAIT) {
            return Change::default();
        }
        let code = Sensitive::new(hex(&context.secret()));
        let mail = LinkMail { address, locale, code };
        let requested = Self {
            purpose,
            address: hash,
            code_hash: mail.code_hash(),
            begun_at: now,
            asked_at: now,
            reach: None,
            mail: None,
        };
        let working = earlier.filter(|it| it.reach.is_some() && it.lasts(now)).cloned();
        let link = Self { asked_at: now, mail: Some(mail), ..working.unwrap_or(requested) };
        let job = Job::now(&Owner::service(), JobKind::SendPageLink { address: hash }, context);
        Change { rows: vec![Row::PageLink(link)], jobs: vec![job], ..Change::default() }
    }

    /// Admits the mail: its link then works instead of an earlier one, and shows this environment.
    pub fn admit(self, reach: Mode) -> (Self, Change) {
        let code_hash = self.mail.as_ref().map_or(self.code_hash, LinkMail::code_hash);
        let link = Self { code_hash, begun_at: self.asked_at, reach: Some(reach), ..self };
        (link.clone(), Change::row(Row::PageLink(link)))
    }

    /// Refuses the mail, and forgets it. An earlier link works until it expires.
    pub fn refuse(self) -> Change {
        if self.is_admitted() { self.not_sent() } else { self.forget_mail() }
    }

    /// Forgets the mail, which was sent. The link works until it expires.
    pub fn forget_mail(self) -> Change {
        Change::row(Row::PageLink(Self { mail: None, ..self }))
    }

    /// Makes the link useless, and forgets the mail. The row stays until the link would expire, so that the next request
    /// takes as long as for an address that is not known.
    pub fn not_sent(self) -> Change {
        Change::row(Row::PageLink(Self { mail: None, reach: None, ..self }))
    }

    /// Returns the environment that a link for this purpose reaches now. `None` if the link has another purpose, has
    /// expired, or was never mailed.
    pub(crate) fn find_reach_for(&self, purpose: LinkPurpose, context: &Context) -> Option<Mode> {
        self.reach.filter(|_| self.purpose == purpose && self.lasts(context.now().wall()))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::LINK_LIFE;
    use super::*;
    use crate::fixture;

    fn request(earlier: Option<&PageLink>, context: &mut Context) -> Option<PageLink> {
        let (hash, address) = (Digest32::from_text("ana"), Sensitive::new("ana@example.com"));
        let change = PageLink::ask(LinkPurpose::OwnPage, hash, address, "en".into(), earlier, context);
        assert!(!format!("{change:?}").contains("ana@"));
        let row = change.rows.into_iter().next()?;
        let Row::PageLink(link) = row else { panic!("{row:?}") };
        Some(link)
    }

    fn admit_link() -> PageLink {
        let link = request(None, &mut fixture::context()).unwrap();
        PageLink { reach: Some(Mode::Sandbox), mail: None, ..link }
    }

    #[test]
    fn mailbox_gets_another_link_after_60_seconds() {
        let first = request(None, &mut fixture::context()).unwrap();
        let wait = |seconds| fixture::context_after(Duration::from_secs(seconds));
        assert_eq!(request(Some(&first), &mut wait(59)), None);
        let second = request(Some(&first), &mut wait(60)).unwrap();
        assert_ne!(second.code_hash, first.code_hash);
    }

    #[test]
    fn link_works_until_the_next_one_is_admitted() {
        let first = admit_link();
        let now = fixture::context_after(REQUEST_WAIT).now().wall();
        let asked = request(Some(&first), &mut fixture::context_after(REQUEST_WAIT)).unwrap();
        assert_eq!((asked.code_hash, asked.begun_at, asked.asked_at), (first.code_hash, first.begun_at, now));
        assert!(!asked.is_admitted());
        let refused = asked.clone().refuse();
        let [Row::PageLink(refused)] = refused.rows.as_slice() else { panic!("{refused:?}") };
        assert_eq!(refused, &PageLink { asked_at: now, ..first.clone() }, "it does not last longer");
        let (admitted, _) = asked.clone().admit(Mode::Production);
        assert_eq!((admitted.code_hash, admitted.begun_at), (asked.mail.unwrap().code_hash(), now));
        assert!(admitted.is_admitted() && admitted.reach == Some(Mode::Production));
        let late = request(Some(&first), &mut fixture::context_after(LINK_LIFE)).unwrap();
        assert!(late.code_hash != first.code_hash && late.reach.is_none(), "an expired one does not stay");
    }
}
