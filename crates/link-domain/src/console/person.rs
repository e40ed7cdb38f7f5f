//! A person as support sees them: what they have, and what happened to them, without sealed data.

use link_types::Timestamp;
use link_types::console::people::{
    Happening, MAX_ENTRIES, Person, PersonArchive, PersonDelivery, PersonInvite, TimelineEntry,
};
use link_types::host::UiEventName;

use crate::documents::archive::Archive;
use crate::invitations::invite::Invite;
use crate::kernel::clock::{ClockOffset, Now, Wall};
use crate::linking::account::AccountSummary;
use crate::linking::link::LinkSession;
use crate::notifications::delivery::Delivery;
use crate::notifications::event::EventRecord;
use crate::tenancy::user::User;

/// A step that the widget reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WidgetStep {
    /// The step.
    pub name: UiEventName,
    /// When the service received the report.
    pub received_at: Wall,
    /// Identifier of the account or archive that the step is about.
    pub subject_id: Option<String>,
}

/// Everything that is stored about a person, newest first.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    /// The user.
    pub user: User,
    /// Accounts.
    pub accounts: Vec<AccountSummary>,
    /// Archives.
    pub archives: Vec<Archive>,
    /// Invitations.
    pub invites: Vec<Invite>,
    /// Sessions of the widget.
    pub sessions: Vec<LinkSession>,
    /// Steps that the widget reported, in the order of the openings.
    pub steps: Vec<WidgetStep>,
    /// Events, with their deliveries.
    pub events: Vec<(EventRecord, Vec<Delivery>)>,
}

impl History {
    /// Returns what support may see. Sessions and steps have times of the wall clock; `offset` moves them to the clock of
    /// the environment, so that the timeline is in one order.
    pub fn into_person(self, offset: ClockOffset) -> Person {
        let counts = [
            self.sessions.len(),
            self.steps.len(),
            self.events.len(),
            self.accounts.len(),
            self.archives.len(),
            self.invites.len(),
        ];
        let has_more = counts.into_iter().any(|it| it > MAX_ENTRIES);
        let of_tenant = |at: Wall| Timestamp::from(Now::new(at, offset).tenant());
        let mut timeline: Vec<TimelineEntry> = Vec::new();
        timeline.extend(self.events.into_iter().take(MAX_ENTRIES).map(|(event, deliveries)| TimelineEntry {
            at: event.created_at.into(),
            what: Happening::Event {
                subject_id: event.subject.as_str().to_owned(),
                id: event.id,
                event_type: event.event_type,
                deliveries: deliveries.into_iter().map(shown_delivery).collect(),
            },
        }));
        timeline.extend(self.steps.into_iter().take(MAX_ENTRIES).map(|step| TimelineEntry {
            at: of_tenant(step.received_at),
            what: Happening::Step { name: step.name, subject_id: step.subject_id },
        }));
        timeline.extend(self.sessions.into_iter().take(MAX_ENTRIES).map(|session| TimelineEntry {
            at: of_tenant(session.created_at),
            what: Happening::Session {
                id: session.id,
                last_used_at: of_tenant(session.last_used_at),
                is_ended: session.ended.is_some(),
            },
        }));
        // Stable: the steps of one report have the same time, and are already newest first.
        timeline.sort_by_key(|entry| std::cmp::Reverse(entry.at));
        Person {
            id: self.user.id,
            reference: self.user.reference,
            created_at: self.user.created_at.into(),
            accounts: self.accounts.into_iter().take(MAX_ENTRIES).map(AccountSummary::view).collect(),
            archives: self.archives.iter().take(MAX_ENTRIES).filter_map(shown_archive).collect(),
            invites: self.invites.iter().take(MAX_ENTRIES).map(shown_invite).collect(),
            timeline,
            has_more,
        }
    }
}

fn shown_delivery(delivery: Delivery) -> PersonDelivery {
    PersonDelivery {
        status: delivery.status(),
        attempts: delivery.attempts_made,
        id: delivery.id,
        webhook_id: delivery.webhook_id,
    }
}

/// Returns an archive without its files. `None` before it is submitted.
fn shown_archive(archive: &Archive) -> Option<PersonArchive> {
    Some(PersonArchive {
        id: archive.id.clone(),
        status: archive.status()?,
        error_code: archive.error_code(),
        created_at: archive.created_at.into(),
    })
}

fn shown_invite(invite: &Invite) -> PersonInvite {
    PersonInvite {
        id: invite.id.clone(),
        status: invite.progress.status,
        mail_error: invite.progress.mail_error,
        created_at: invite.created_at.into(),
    }
}
