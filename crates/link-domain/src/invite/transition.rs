//! `apply`: the legal inputs of each state, and their effects.

use link_types::Sensitive;
use link_types::event::{EventData, InviteChanged};
use link_types::id::InviteId;
use link_types::invite::{InviteLog, InviteMailError, InviteStatus};

use super::{
    AskedBy, Invite, InviteDetails, InviteInput, InviteProgress, InviteRefused, LINK_LIFE, MAILS_AT_MOST,
    NewInvite, RESEND_WAIT,
};
use crate::change::{Change, Deletion, Row};
use crate::context::Context;
use crate::digest::hex;
use crate::event::{EventRecord, Subject};
use crate::job::{Job, JobKind};

impl Invite {
    /// Creates an invitation and schedules its mail. INVITE_INVITED is emitted when the mail is handed over.
    pub fn create(new: NewInvite, context: &mut Context) -> (Self, Change) {
        let at = context.now().tenant();
        let invite = Self {
            id: InviteId::from_bytes(context.uuid()),
            owner: new.owner,
            user_id: new.user_id,
            invite_template_id: new.invite_template_id,
            link_template_id: new.link_template_id,
            created_at: at,
            updated_at: at,
            version: 0,
            event_count: 0,
            progress: InviteProgress {
                status: InviteStatus::Invited,
                asked_at: at,
                mails: 0,
                invited_at: None,
                mail_error: None,
                link_used: false,
                linked_at: None,
                revoked_at: None,
                logs: Vec::new(),
                counted_mail: 0,
            },
            details: Some(InviteDetails {
                full_name: new.full_name,
                first_name: new.first_name,
                last_name: new.last_name,
                email_address: new.email_address,
                code: secret(context),
                pixel: secret(context),
            }),
        };
        let mut transition = Transition { invite, change: Change::default(), context };
        transition.request_mail();
        transition.finish()
    }

    /// Applies an input, consuming the invitation. Returns the invitation after the input, and everything that must be
    /// written. A repeated input, like a pixel fetched twice, changes and writes nothing.
    ///
    /// # Errors
    /// [`InviteRefused`] if the input is illegal in this state. Nothing must be written then.
    pub fn apply(self, input: InviteInput, context: &mut Context) -> Result<(Self, Change), InviteRefused> {
        let at = context.now().tenant();
        if input == InviteInput::Expire {
            let due_at = self.data_ends_at();
            return match at < due_at {
                true => Err(InviteRefused::NotDue { due_at }),
                false => {
                    let forget = JobKind::ForgetMail { invite_id: self.id.clone() };
                    let jobs = vec![Job::now(&self.owner, forget, context)];
                    let deletions = vec![Deletion::Invite(self.id.clone())];
                    Ok((self, Change { deletions, jobs, ..Change::default() }))
                }
            };
        }
        if self.progress.revoked_at.is_some() {
            return Err(InviteRefused::Revoked);
        }
        let current = |mail| if mail == self.progress.mails { Ok(()) } else { Err(InviteRefused::StaleMail) };
        let before = self.progress.status;
        let mut transition = Transition { invite: self.clone(), change: Change::default(), context };
        match input {
            InviteInput::MailHandedOver { mail } => {
                current(mail)?;
                transition.invited(None);
            }
            InviteInput::MailKept { mail } => {
                current(mail)?;
                transition.invited(Some(InviteMailError::Unverified));
            }
            InviteInput::MailCounted { mail } => {
                current(mail)?;
                transition.invite.progress.counted_mail = mail;
                transition.invite.progress.mail_error = None;
            }
            InviteInput::MailFailed { mail, error } => {
                current(mail)?;
                transition.invite.progress.mail_error = Some(error);
            }
            InviteInput::MailOpened => transition.reach(InviteStatus::EmailOpened),
            InviteInput::LandingOpened => transition.reach(InviteStatus::LandingPageOpened),
            InviteInput::Enter => {
                if before == InviteStatus::Linked {
                    return Err(InviteRefused::Linked);
                }
                if self.progress.link_used {
                    return Err(InviteRefused::LinkUsed);
                }
                if at >= self.progress.asked_at + LINK_LIFE {
                    return Err(InviteRefused::LinkLapsed);
                }
                transition.invite.progress.link_used = true;
                transition.reach(InviteStatus::LandingPageOpened);
                return Ok(transition.finish());
            }
            InviteInput::WidgetOpened => transition.reach(InviteStatus::WidgetOpened),
            InviteInput::Linked => {
                transition.reach(InviteStatus::Linked);
                if before != InviteStatus::Linked {
                    transition.invite.progress.linked_at = Some(at);
                    transition.emit(EventData::InviteLinked);
                    transition.schedule_expiry();
                }
            }
            InviteInput::Resend(asked_by) => {
                if before == InviteStatus::Linked {
                    return Err(InviteRefused::Linked);
                }
                if self.progress.mails >= MAILS_AT_MOST {
                    return Err(InviteRefused::MailsSpent);
                }
                let free_at = self.progress.asked_at + RESEND_WAIT;
                if asked_by == AskedBy::Person && at < free_at {
                    return Err(InviteRefused::TooEarly { wait: free_at.since(at) });
                }
                transition.renew_link();
                transition.request_mail();
            }
            InviteInput::Revoke => {
                transition.reach(InviteStatus::Revoked);
                transition.invite.progress.revoked_at = Some(at);
                transition.invite.details = None;
                transition.change.erasures.push(self.scope());
                transition.schedule_expiry();
                transition.schedule_now(JobKind::ForgetMail { invite_id: self.id.clone() });
            }
            InviteInput::Expire => {}
        }
        if transition.invite.progress == self.progress && transition.invite.details == self.details {
            return Ok((self, Change::default()));
        }
        Ok(transition.finish())
    }
}

/// One application of an input: the invitation being changed, and its change set.
struct Transition<'c> {
    invite: Invite,
    change: Change,
    context: &'c mut Context,
}

impl Transition<'_> {
    fn finish(mut self) -> (Invite, Change) {
        self.invite.version = self.invite.version.saturating_add(1);
        self.invite.updated_at = self.context.now().tenant();
        self.change.rows.insert(0, Row::Invite(Box::new(self.invite.clone())));
        (self.invite, self.change)
    }

    /// Advances the status, which never moves back.
    fn reach(&mut self, status: InviteStatus) {
        if status > self.invite.progress.status {
            self.invite.progress.status = status;
            self.log(status);
        }
    }

    fn log(&mut self, status: InviteStatus) {
        let at = self.context.now().tenant().into();
        self.invite.progress.logs.push(InviteLog { status, at });
    }

    fn emit(&mut self, data: impl FnOnce(InviteChanged) -> EventData) {
        let invite = &mut self.invite;
        invite.event_count = invite.event_count.saturating_add(1);
        let data = data(InviteChanged { user_id: invite.user_id.clone(), invite_id: invite.id.to_string() });
        let subject = Subject::Invite(invite.id.clone());
        let event = EventRecord::new(&invite.owner, subject, invite.event_count, data, self.context);
        self.change.events.push(event);
    }

    fn invited(&mut self, mail_error: Option<InviteMailError>) {
        self.invite.progress.invited_at = Some(self.context.now().tenant());
        self.invite.progress.mail_error = mail_error;
        self.log(InviteStatus::Invited);
        self.emit(EventData::InviteInvited);
    }

    fn schedule_now(&mut self, kind: JobKind) {
        let job = Job::now(&self.invite.owner, kind, self.context);
        self.change.jobs.push(job);
    }

    fn schedule_expiry(&mut self) {
        let kind = JobKind::ExpireInvite { invite_id: self.invite.id.clone() };
        let job = Job::due(&self.invite.owner, kind, self.invite.data_ends_at(), self.context);
        self.change.jobs.push(job);
    }

    fn request_mail(&mut self) {
        let progress = &mut self.invite.progress;
        progress.asked_at = self.context.now().tenant();
        progress.mails = progress.mails.saturating_add(1);
        progress.mail_error = None;
        let kind = JobKind::SendInvite { invite_id: self.invite.id.clone(), mail: progress.mails };
        self.schedule_now(kind);
        self.schedule_expiry();
    }

    /// Replaces the link's code if the link was used. An unused link remains valid, so that it works in every mail.
    fn renew_link(&mut self) {
        if self.invite.progress.link_used {
            self.invite.progress.link_used = false;
            if let Some(details) = &mut self.invite.details {
                details.code = secret(self.context);
            }
        }
    }
}

fn secret(context: &mut Context) -> Sensitive {
    Sensitive::new(hex(&context.secret()))
}
