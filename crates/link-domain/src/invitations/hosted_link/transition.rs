//! `apply`: the legal inputs of each state, and their effects.

use std::collections::BTreeMap;

use link_types::Sensitive;
use link_types::event::{EventData, LinkSessionChanged};
use link_types::hosted_link::HostedLinkStatus;
use link_types::id::{HostedLinkId, UserId};

use super::{
    COMPLETION_TIME, HOSTED_LINK_RETENTION, HostedLink, HostedLinkError, HostedLinkInput, HostedLinkTerms,
    MAX_LINK_LIFE, NewHostedLink,
};
use crate::change::job::JobKind;
use crate::change::transition::{Entity, Transition};
use crate::change::{Change, Deletion, Row};
use crate::kernel::clock::TenantTime;
use crate::kernel::context::Context;
use crate::kernel::digest::{Digest32, hex};
use crate::kernel::owner::Owner;
use crate::kernel::subject::Subject;
use crate::tenancy::user::User;

impl HostedLink {
    /// Creates a hosted link for an existing user, or for a new one. Returns it with the code of its address, which is not
    /// stored, and everything that must be written.
    pub fn create(
        known: Option<User>,
        new: NewHostedLink,
        context: &mut Context,
    ) -> (Self, Sensitive, Change) {
        let (user_id, created) = match known {
            Some(user) => (user.id, Change::default()),
            None => {
                let (user, created) =
                    User::create(new.owner.clone(), new.reference.clone(), BTreeMap::new(), context);
                (user.id, created)
            }
        };
        let code = Sensitive::new(hex(&context.secret()));
        let (link, begun) = Self::begin(user_id, new, &code, context);
        (link, code, created.then(begun))
    }

    fn begin(user_id: UserId, new: NewHostedLink, code: &Sensitive, context: &mut Context) -> (Self, Change) {
        let at = context.now().tenant();
        let link = Self {
            id: HostedLinkId::from_bytes(context.uuid()),
            owner: new.owner,
            user_id,
            template_id: new.template_id,
            created_at: at,
            updated_at: at,
            version: 0,
            event_count: 0,
            code_hash: Digest32::from_text(code.expose()),
            visit_id: None,
            status: HostedLinkStatus::Created,
            opened_at: None,
            ended_at: None,
            terms: HostedLinkTerms {
                expires_at: at + new.life.min(MAX_LINK_LIFE),
                redirect_url: new.redirect_url,
                locale: new.locale,
                is_mobile_app: new.is_mobile_app,
            },
        };
        let mut transition = Transition::for_entity(link, context);
        transition.schedule_lapse();
        transition.finish(row)
    }

    /// Applies an input, consuming the hosted link. Returns it after the input, and everything that must be written. An
    /// input that changes nothing, like leaving twice, writes nothing.
    ///
    /// # Errors
    /// [`HostedLinkError`] if the input is illegal in this state. Nothing must be written then.
    pub fn apply(
        self,
        input: HostedLinkInput,
        context: &mut Context,
    ) -> Result<(Self, Change), HostedLinkError> {
        let at = context.now().tenant();
        match input {
            HostedLinkInput::Enter(visit_id) => {
                self.check_open(at)?;
                let mut transition = Transition::for_entity(self, context);
                transition.entity.visit_id = Some(visit_id);
                transition.entity.status = HostedLinkStatus::Opened;
                transition.entity.opened_at = Some(at);
                transition.schedule_lapse();
                Ok(transition.finish(row))
            }
            // A login that began in time may end after the person left. A later login elsewhere does not count.
            HostedLinkInput::Complete
                if self.status != HostedLinkStatus::Completed
                    && self.opened_at.is_some_and(|it| at < it + COMPLETION_TIME) =>
            {
                Ok(self.end(HostedLinkStatus::Completed, context))
            }
            HostedLinkInput::Leave if self.status == HostedLinkStatus::Opened => {
                Ok(self.end(HostedLinkStatus::Closed, context))
            }
            HostedLinkInput::Lapse
                if matches!(self.status, HostedLinkStatus::Created | HostedLinkStatus::Opened) =>
            {
                let due_at = self.lapses_at();
                if at < due_at {
                    return Err(HostedLinkError::NotDue { due_at });
                }
                Ok(self.end(HostedLinkStatus::Expired, context))
            }
            HostedLinkInput::Complete | HostedLinkInput::Leave | HostedLinkInput::Lapse => {
                Ok((self, Change::default()))
            }
            HostedLinkInput::Expire => {
                let due_at = self.ended_at.unwrap_or_else(|| self.lapses_at()) + HOSTED_LINK_RETENTION;
                if at < due_at {
                    return Err(HostedLinkError::NotDue { due_at });
                }
                let deletions = vec![Deletion::HostedLink(self.id.clone())];
                Ok((self, Change { deletions, ..Change::default() }))
            }
        }
    }

    /// Applies an input that cannot be rejected, because it reports what already happened. Returns an empty change if the
    /// input changes nothing.
    pub fn note(self, input: HostedLinkInput, context: &mut Context) -> Change {
        self.apply(input, context).map(|(_, change)| change).unwrap_or_default()
    }

    fn end(self, status: HostedLinkStatus, context: &mut Context) -> (Self, Change) {
        let mut transition = Transition::for_entity(self, context);
        let at = transition.at;
        transition.entity.status = status;
        transition.entity.ended_at = Some(at);
        let changed = LinkSessionChanged {
            user_id: transition.entity.user_id.clone(),
            link_session_id: transition.entity.id.clone(),
            status,
        };
        transition.emit(match status {
            HostedLinkStatus::Completed => EventData::LinkSessionCompleted(changed),
            HostedLinkStatus::Closed => EventData::LinkSessionClosed(changed),
            HostedLinkStatus::Created | HostedLinkStatus::Opened | HostedLinkStatus::Expired => {
                EventData::LinkSessionExpired(changed)
            }
        });
        let kind = JobKind::ExpireHostedLink { hosted_link_id: transition.entity.id.clone() };
        transition.schedule(kind, at + HOSTED_LINK_RETENTION);
        transition.finish(row)
    }
}

impl Entity for HostedLink {
    fn owner(&self) -> &Owner {
        &self.owner
    }

    fn subject(&self) -> Subject {
        Subject::HostedLink(self.id.clone())
    }

    fn event_count(&mut self) -> &mut u64 {
        &mut self.event_count
    }

    fn advance(&mut self, at: TenantTime) {
        self.version = self.version.saturating_add(1);
        self.updated_at = at;
    }
}

impl Transition<'_, HostedLink> {
    fn schedule_lapse(&mut self) {
        let kind = JobKind::LapseHostedLink { hosted_link_id: self.entity.id.clone() };
        self.schedule(kind, self.entity.lapses_at());
    }
}

fn row(link: &HostedLink) -> Row {
    Row::HostedLink(Box::new(link.clone()))
}
