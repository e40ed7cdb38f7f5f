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
    /// the environment as it is now. So those from before an advance of the sandbox's clock are shown later than they were.
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
                deliveries: deliveries.into_iter().map(show_delivery).collect(),
            },
        }));
        timeline.extend(self.steps.into_iter().take(MAX_ENTRIES).map(|step| TimelineEntry {
            at: of_tenant(step.received_at),
            what: Happening::Step { name: step.name, subject_id: step.subject_id },
        }));
        timeline.extend(self.sessions.into_iter().take(MAX_ENTRIES).map(|session| TimelineEntry {
            at: of_tenant(session.created_at),
            what: Happening::Session { id: session.id, last_used_at: of_tenant(session.last_used_at) },
        }));
        // Stable: the steps of one report have the same time, and are already newest first.
        timeline.sort_by_key(|entry| std::cmp::Reverse(entry.at));
        Person {
            id: self.user.id,
            reference: self.user.reference,
            created_at: self.user.created_at.into(),
            accounts: self.accounts.into_iter().take(MAX_ENTRIES).map(AccountSummary::view).collect(),
            archives: self.archives.iter().take(MAX_ENTRIES).filter_map(show_archive).collect(),
            invites: self.invites.iter().take(MAX_ENTRIES).map(show_invite).collect(),
            timeline,
            has_more,
        }
    }
}

fn show_delivery(delivery: Delivery) -> PersonDelivery {
    PersonDelivery {
        status: delivery.status(),
        attempts: delivery.attempts_made,
        id: delivery.id,
        webhook_id: delivery.webhook_id,
    }
}

/// Returns an archive without its files. `None` before it is submitted.
fn show_archive(archive: &Archive) -> Option<PersonArchive> {
    Some(PersonArchive {
        id: archive.id.clone(),
        status: archive.status()?,
        error_code: archive.error_code(),
        created_at: archive.created_at.into(),
    })
}

fn show_invite(invite: &Invite) -> PersonInvite {
    PersonInvite {
        id: invite.id.clone(),
        status: invite.progress.status,
        mail_error: invite.progress.mail_error,
        created_at: invite.created_at.into(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::fixture;

    fn history() -> History {
        let context = fixture::context();
        let user = User {
            id: fixture::user_id(),
            owner: fixture::owner(),
            created_at: context.now().tenant(),
            reference: None,
            external_metadata: Default::default(),
            proven_email: None,
            event_count: 0,
        };
        let (accounts, archives, invites) = Default::default();
        History {
            user,
            accounts,
            archives,
            invites,
            sessions: Vec::new(),
            steps: Vec::new(),
            events: Vec::new(),
        }
    }

    fn step(minutes: u64) -> WidgetStep {
        let received_at = fixture::context_after(Duration::from_secs(60 * minutes)).now().wall();
        WidgetStep { name: UiEventName::LoginPageOpened, received_at, subject_id: None }
    }

    #[test]
    fn timeline_is_in_one_order_newest_first() {
        let mut history = history();
        history.steps = vec![step(9), step(2)];
        history.sessions = vec![LinkSession { created_at: step(1).received_at, ..fixture::session() }];
        let event = fixture::event(&mut fixture::context_after(Duration::from_secs(300)));
        history.events = vec![(event, Vec::new())];
        let person = history.into_person(ClockOffset::default());
        let kinds = person.timeline.iter().map(|it| match it.what {
            Happening::Session { .. } => "session",
            Happening::Step { .. } => "step",
            Happening::Event { .. } => "event",
        });
        assert_eq!(kinds.collect::<Vec<_>>(), ["step", "event", "step", "session"]);
        assert!(!person.has_more);
    }

    #[test]
    fn timeline_says_that_it_is_cut() {
        let mut history = history();
        history.steps = vec![step(1); MAX_ENTRIES + 1];
        let person = history.into_person(ClockOffset::default());
        assert_eq!((person.timeline.len(), person.has_more), (MAX_ENTRIES, true));
    }
}
