//! `apply`: the legal inputs of each state, and their effects.

use link_types::Sensitive;
use link_types::event::{EventData, InviteChanged};
use link_types::id::{InviteId, UserId};
use link_types::invite::{InviteLog, InviteMailError, InviteStatus};

use super::{
    AskedBy, Completion, Invite, InviteDetails, InviteError, InviteInput, InviteProgress, MAX_MAILS,
    NewInvite, RESEND_WAIT,
};
use crate::change::job::{Job, JobKind};
use crate::change::transition::{Entity, Transition};
use crate::change::{Change, Deletion, Row};
use crate::kernel::clock::TenantTime;
use crate::kernel::context::Context;
use crate::kernel::digest::hex;
use crate::kernel::owner::Owner;
use crate::kernel::subject::Subject;

impl Invite {
    /// Creates the invitation of a user and schedules its mail. INVITE_INVITED is emitted when the mail is handed over.
    pub fn create(user_id: UserId, new: NewInvite, context: &mut Context) -> (Self, Change) {
        let at = context.now().tenant();
        let invite = Self {
            id: InviteId::from_bytes(context.uuid()),
            owner: new.owner,
            user_id,
            invite_template_id: new.invite_template_id,
            link_template_id: new.link_template_id,
            created_at: at,
            updated_at: at,
            version: 0,
            event_count: 0,
            link_site_id: new.link_site_id,
            visit_id: None,
            progress: InviteProgress {
                status: InviteStatus::Invited,
                asked_at: at,
                mails: 0,
                invited_at: None,
                mail_error: None,
                link_used: false,
                linked_at: None,
                uploaded_at: None,
                revoked_at: None,
                logs: Vec::new(),
                counted_mail: 0,
            },
            details: Some(InviteDetails {
                full_name: new.full_name,
                first_name: new.first_name,
                last_name: new.last_name,
                email_address: new.email_address,
                locale: new.locale,
                code: secret(context),
                pixel: secret(context),
            }),
        };
        let mut transition = Transition::for_entity(invite, context);
        transition.request_mail();
        transition.finish(row)
    }

    /// Applies an input, consuming the invitation. Returns the invitation after the input, and everything that must be
    /// written. A repeated input, like a pixel fetched twice, changes and writes nothing.
    ///
    /// # Errors
    /// [`InviteError`] if the input is illegal in this state. Nothing must be written then.
    pub fn apply(self, input: InviteInput, context: &mut Context) -> Result<(Self, Change), InviteError> {
        let at = context.now().tenant();
        if input == InviteInput::Expire {
            return self.expire(at, context);
        }
        self.check(input, at)?;
        if self.has_applied(input) {
            return Ok((self, Change::default()));
        }
        let mut transition = Transition::for_entity(self, context);
        match input {
            InviteInput::MailHandedOver { .. } => transition.mark_invited(None),
            InviteInput::MailKept { .. } => transition.mark_invited(Some(InviteMailError::Unverified)),
            InviteInput::MailCounted { mail } => {
                transition.entity.progress.counted_mail = mail;
                transition.entity.progress.mail_error = None;
            }
            InviteInput::MailFailed { error, .. } => transition.entity.progress.mail_error = Some(error),
            InviteInput::MailOpened => transition.reach(InviteStatus::EmailOpened),
            InviteInput::LandingOpened => transition.reach(InviteStatus::LandingPageOpened),
            InviteInput::Enter => {
                transition.entity.progress.link_used = true;
                transition.reach(InviteStatus::LandingPageOpened);
            }
            InviteInput::WidgetOpened => transition.reach(InviteStatus::WidgetOpened),
            InviteInput::Linked => {
                transition.reach(InviteStatus::Linked);
                transition.entity.progress.linked_at = Some(at);
                let changed = transition.to_event();
                transition.emit(EventData::InviteLinked(changed));
                transition.schedule_expiry();
            }
            InviteInput::Uploaded => {
                transition.reach(InviteStatus::Uploaded);
                transition.entity.progress.uploaded_at = Some(at);
                transition.schedule_expiry();
            }
            InviteInput::Resend(_) => {
                transition.entity.progress.uploaded_at = None;
                transition.renew_link();
                transition.request_mail();
            }
            InviteInput::Revoke => transition.revoke(),
            InviteInput::Expire => {}
        }
        Ok(transition.finish(row))
    }

    /// Applies an input that cannot be rejected, because it reports what already happened. Returns an empty change if the
    /// input is illegal, or changes nothing.
    pub fn note(self, input: InviteInput, context: &mut Context) -> Change {
        self.apply(input, context).map(|(_, change)| change).unwrap_or_default()
    }

    /// Deletes the invitation at the end of its retention.
    fn expire(self, at: TenantTime, context: &mut Context) -> Result<(Self, Change), InviteError> {
        let due_at = self.data_ends_at();
        if at < due_at {
            return Err(InviteError::NotDue { due_at });
        }
        let forget = JobKind::ForgetMail { invite_id: self.id.clone() };
        let jobs = vec![Job::now(&self.owner, forget, context)];
        let deletions = vec![Deletion::Invite(self.id.clone())];
        Ok((self, Change { deletions, jobs, ..Change::default() }))
    }

    /// Checks that the input is legal in the invitation's state.
    fn check(&self, input: InviteInput, at: TenantTime) -> Result<(), InviteError> {
        let progress = &self.progress;
        if progress.revoked_at.is_some() {
            return Err(InviteError::Revoked);
        }
        match input {
            InviteInput::MailHandedOver { mail }
            | InviteInput::MailKept { mail }
            | InviteInput::MailCounted { mail }
            | InviteInput::MailFailed { mail, .. }
                if mail != progress.mails =>
            {
                Err(InviteError::StaleMail)
            }
            InviteInput::Enter | InviteInput::Resend(_) if self.completion() == Some(Completion::Linked) => {
                Err(InviteError::Linked)
            }
            InviteInput::Enter | InviteInput::Resend(AskedBy::Person)
                if self.completion() == Some(Completion::Uploaded) =>
            {
                Err(InviteError::Uploaded)
            }
            InviteInput::Enter if progress.link_used => Err(InviteError::LinkUsed),
            InviteInput::Enter if self.has_lapsed(at) => Err(InviteError::LinkLapsed),
            InviteInput::Resend(_) if progress.mails >= MAX_MAILS => Err(InviteError::MailsSpent),
            InviteInput::Resend(AskedBy::Person) if at < progress.asked_at + RESEND_WAIT => {
                Err(InviteError::TooEarly { wait: (progress.asked_at + RESEND_WAIT).since(at) })
            }
            InviteInput::MailHandedOver { .. }
            | InviteInput::MailKept { .. }
            | InviteInput::MailCounted { .. }
            | InviteInput::MailFailed { .. }
            | InviteInput::MailOpened
            | InviteInput::LandingOpened
            | InviteInput::Enter
            | InviteInput::WidgetOpened
            | InviteInput::Linked
            | InviteInput::Uploaded
            | InviteInput::Resend(_)
            | InviteInput::Revoke
            | InviteInput::Expire => Ok(()),
        }
    }

    /// Returns whether the input was already applied, so that it changes nothing.
    fn has_applied(&self, input: InviteInput) -> bool {
        let progress = &self.progress;
        match input {
            InviteInput::MailCounted { mail } => {
                progress.counted_mail == mail && progress.mail_error.is_none()
            }
            InviteInput::MailFailed { error, .. } => progress.mail_error == Some(error),
            InviteInput::MailOpened => progress.status >= InviteStatus::EmailOpened,
            InviteInput::LandingOpened => progress.status >= InviteStatus::LandingPageOpened,
            InviteInput::WidgetOpened => progress.status >= InviteStatus::WidgetOpened,
            InviteInput::Linked => progress.status >= InviteStatus::Linked,
            InviteInput::Uploaded => progress.uploaded_at.is_some(),
            InviteInput::MailHandedOver { .. }
            | InviteInput::MailKept { .. }
            | InviteInput::Enter
            | InviteInput::Resend(_)
            | InviteInput::Revoke
            | InviteInput::Expire => false,
        }
    }
}

impl Entity for Invite {
    fn owner(&self) -> &Owner {
        &self.owner
    }

    fn subject(&self) -> Subject {
        Subject::Invite(self.id.clone())
    }

    fn event_count(&mut self) -> &mut u64 {
        &mut self.event_count
    }

    fn advance(&mut self, at: TenantTime) {
        self.version = self.version.saturating_add(1);
        self.updated_at = at;
    }
}

impl Transition<'_, Invite> {
    /// Advances the status, which never moves back.
    fn reach(&mut self, status: InviteStatus) {
        if status > self.entity.progress.status {
            self.entity.progress.status = status;
            self.log(status);
        }
    }

    fn log(&mut self, status: InviteStatus) {
        let at = self.at.into();
        self.entity.progress.logs.push(InviteLog { status, at });
    }

    fn mark_invited(&mut self, mail_error: Option<InviteMailError>) {
        self.entity.progress.invited_at = Some(self.at);
        self.entity.progress.mail_error = mail_error;
        self.log(InviteStatus::Invited);
        let changed = self.to_event();
        self.emit(EventData::InviteInvited(changed));
    }

    fn revoke(&mut self) {
        self.reach(InviteStatus::Revoked);
        self.entity.progress.revoked_at = Some(self.at);
        self.entity.details = None;
        self.change.erasures.push(self.entity.scope());
        self.schedule_expiry();
        self.schedule(JobKind::ForgetMail { invite_id: self.entity.id.clone() }, self.at);
    }

    fn to_event(&self) -> InviteChanged {
        InviteChanged { user_id: self.entity.user_id.clone(), invite_id: self.entity.id.to_string() }
    }

    fn schedule_expiry(&mut self) {
        let kind = JobKind::ExpireInvite { invite_id: self.entity.id.clone() };
        self.schedule(kind, self.entity.data_ends_at());
    }

    fn request_mail(&mut self) {
        let progress = &mut self.entity.progress;
        progress.asked_at = self.at;
        progress.mails = progress.mails.saturating_add(1);
        progress.mail_error = None;
        let kind = JobKind::SendInvite { invite_id: self.entity.id.clone(), mail: progress.mails };
        self.schedule(kind, self.at);
        self.schedule_expiry();
    }

    /// Replaces the link's code if the link was used. An unused link remains valid, so that it works in every mail.
    fn renew_link(&mut self) {
        if self.entity.progress.link_used {
            self.entity.progress.link_used = false;
            if let Some(details) = &mut self.entity.details {
                details.code = secret(self.context);
            }
        }
    }
}

fn row(invite: &Invite) -> Row {
    Row::Invite(Box::new(invite.clone()))
}

fn secret(context: &mut Context) -> Sensitive {
    Sensitive::new(hex(&context.secret()))
}
