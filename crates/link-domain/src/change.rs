//! What a decision asks the store to write: all of it, or none.

use link_types::id::{
    AccountId, ArchiveId, ConsentTemplateId, FileId, FormId, InvalidId, InviteId, InviteTemplateId,
    LinkTemplateId, RecordId, ScenarioId, SignalId, UserId, WebhookId,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::account::Account;
use crate::archive::{Archive, Segment, UploadUse};
use crate::billing::BillingRecord;
use crate::clock::TenantTime;
use crate::context::Context;
use crate::data_point::DataPoint;
use crate::event::EventRecord;
use crate::export::ExportFile;
use crate::form_submission::FormSubmission;
use crate::invite::{Invite, InviteTemplate, Visit};
use crate::job::{Job, JobKind};
use crate::link::{Attempt, GuessCount, LinkSession, LinkToken, LoginTries, Survey, UiEvents};
use crate::link_history::Linked;
use crate::owner::Owner;
use crate::quota::QuotaUse;
use crate::record::Record;
use crate::scenario::Scenario;
use crate::signal::Signal;
use crate::task::Task;
use crate::template::{ConsentTemplate, LinkTemplate};
use crate::tenant::{ApiKey, Tenant};
use crate::user::User;
use crate::webhook::{Delivery, Webhook};

/// Everything one decision writes. The store applies it in one transaction, in the order of the fields: rows are
/// inserted or replaced by their id; events are stored, and for each of them the deliveries that
/// [`crate::webhook::deliveries_owed`] finds; jobs replace those of the same key; deletions; erasures last.
#[must_use = "a change that is not applied is lost"]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Change {
    /// Rows to insert or to replace whole.
    pub rows: Vec<Row>,
    /// Events, in the order they happened.
    pub events: Vec<EventRecord>,
    /// Jobs owed.
    pub jobs: Vec<Job>,
    /// Rows that go.
    pub deletions: Vec<Deletion>,
    /// What becomes unreadable for good.
    pub erasures: Vec<ErasureScope>,
}

impl Change {
    /// A change of one row and nothing else.
    pub fn row(row: Row) -> Self {
        Self { rows: vec![row], ..Self::default() }
    }

    /// This change followed by another.
    pub fn then(mut self, other: Self) -> Self {
        self.rows.extend(other.rows);
        self.events.extend(other.events);
        self.jobs.extend(other.jobs);
        self.deletions.extend(other.deletions);
        self.erasures.extend(other.erasures);
        self
    }
}

/// A row in its new form.
#[derive(Clone, Debug, PartialEq)]
pub enum Row {
    /// A tenant.
    Tenant(Tenant),
    /// An API key.
    ApiKey(ApiKey),
    /// A consent template.
    ConsentTemplate(ConsentTemplate),
    /// A link template.
    LinkTemplate(LinkTemplate),
    /// A user.
    User(User),
    /// A link token.
    LinkToken(LinkToken),
    /// A widget's session.
    LinkSession(LinkSession),
    /// A link attempt.
    Attempt(Attempt),
    /// How often a login was tried.
    LoginTries(LoginTries),
    /// The tries that a counter saw.
    GuessCount(GuessCount),
    /// UI events of one opening of the widget; those already known stay as they are.
    UiEvents(UiEvents),
    /// An employer that a person could not find.
    Survey(Survey),
    /// An account.
    Account(Box<Account>),
    /// An account rendered as a file.
    Export(Box<ExportFile>),
    /// One time that an account was linked.
    Linked(Linked),
    /// An archive.
    Archive(Box<Archive>),
    /// A file of an archive: it is found by its id.
    File {
        /// The file.
        id: FileId,
        /// The archive.
        archive_id: ArchiveId,
    },
    /// A segment of a file; one of the same file and index is replaced.
    Segment(Segment),
    /// An upload that counts against a quota.
    UploadUse(UploadUse),
    /// How much of a quota a user has used.
    QuotaUse(QuotaUse),
    /// A task.
    Task(Task),
    /// A data point.
    DataPoint(Box<DataPoint>),
    /// A record.
    Record(Box<Record>),
    /// A signal.
    Signal(Box<Signal>),
    /// An invite template.
    InviteTemplate(InviteTemplate),
    /// An invitation.
    Invite(Box<Invite>),
    /// A visit of the hosted pages.
    Visit(Visit),
    /// The invitation during whose visit an account was begun.
    InviteAccount {
        /// The account.
        account_id: AccountId,
        /// The invitation.
        invite_id: InviteId,
    },
    /// A consent receipt cites the template: it never changes from now on.
    ConsentCited(ConsentTemplateId),
    /// A form's submission.
    Form(Box<FormSubmission>),
    /// A webhook registration.
    Webhook(Webhook),
    /// A delivery that is to be sent again, or at last.
    Delivery(Box<Delivery>),
    /// The key of a thing that has no row of its own; a thing that has one makes its key with it.
    Scope {
        /// The thing.
        scope: ErasureScope,
        /// When its last day ends at the latest.
        ends_at: TenantTime,
    },
    /// A sandbox tenant's own login; one of the same id is replaced.
    Scenario(Box<Scenario>),
    /// A chargeable event; the store keeps one for each (kind, subject), the first.
    Billing(BillingRecord),
}

/// A row that goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deletion {
    /// An account that never connected, with its key; its events stay, stripped.
    Account(AccountId),
    /// An archive that was never submitted, with its key.
    Archive(ArchiveId),
    /// A file of an archive, with all its segments.
    File(FileId),
    /// A user, with every token, session and trace of theirs that is no thing of its own.
    User {
        /// Whose user.
        owner: Owner,
        /// The user.
        user_id: UserId,
    },
    /// A consent template: it is shown no more, and kept for what cites it.
    ConsentTemplate(ConsentTemplateId),
    /// A link template.
    LinkTemplate(LinkTemplateId),
    /// An invite template: it is shown no more, and kept for the invitations that cite it.
    InviteTemplate(InviteTemplateId),
    /// An invitation, with its key.
    Invite(InviteId),
    /// A webhook registration; its pending deliveries become CANCELLED.
    Webhook(WebhookId),
    /// A sandbox tenant's own login.
    Scenario(ScenarioId),
    /// What is pending for a webhook that was switched off: it becomes CANCELLED.
    PendingDeliveries(WebhookId),
    /// The failures counted for a webhook: its breaker closes, and the deliveries that waited are sent.
    Breaker(WebhookId),
}

/// A thing whose bodies are sealed with a key of its own. Erasing it deletes the wrapped key, its data points and
/// its sealed bodies (an account's row stays as a tombstone: its state is in [`Change::rows`]; the row of a record or
/// of a signal goes), and leaves of its stored events their stripped form.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ErasureScope {
    /// An account.
    Account(AccountId),
    /// An archive; its files and their segments go too, and a job removes their objects.
    Archive(ArchiveId),
    /// A record.
    Record(RecordId),
    /// A signal.
    Signal(SignalId),
    /// A form's submission.
    Form(FormId),
    /// An invitation.
    Invite(InviteId),
}

impl std::str::FromStr for ErasureScope {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        if text.starts_with(ArchiveId::PREFIX) {
            return text.parse().map(Self::Archive);
        }
        if text.starts_with(RecordId::PREFIX) {
            return text.parse().map(Self::Record);
        }
        if text.starts_with(FormId::PREFIX) {
            return text.parse().map(Self::Form);
        }
        if text.starts_with(InviteId::PREFIX) {
            return text.parse().map(Self::Invite);
        }
        if let Ok(signal) = text.parse() {
            return Ok(Self::Signal(signal));
        }
        text.parse().map(Self::Account)
    }
}

impl ErasureScope {
    /// The scope's name: the id of the thing.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Account(id) => id.as_str(),
            Self::Archive(id) => id.as_str(),
            Self::Record(id) => id.as_str(),
            Self::Signal(id) => id.as_str(),
            Self::Form(id) => id.as_str(),
            Self::Invite(id) => id.as_str(),
        }
    }

    /// Removes the thing without a look at it, for when nothing can open it any more. Nobody is told: of what it was
    /// nothing is known.
    pub fn remove(self, owner: &Owner, context: &mut Context) -> Change {
        let mut change = Change::default();
        match self {
            Self::Account(id) => change.deletions.push(Deletion::Account(id)),
            Self::Archive(id) => {
                let sweep = JobKind::SweepFiles { archive_id: id.clone() };
                change.jobs.push(Job::now(owner, sweep, context));
                change.deletions.push(Deletion::Archive(id));
            }
            Self::Invite(id) => {
                let forget = JobKind::ForgetMail { invite_id: id.clone() };
                change.jobs.push(Job::now(owner, forget, context));
                change.deletions.push(Deletion::Invite(id));
            }
            Self::Record(_) | Self::Signal(_) | Self::Form(_) => change.erasures.push(self),
        }
        change
    }
}

impl Serialize for ErasureScope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ErasureScope {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn what_lies_outside_the_database_goes_with_the_thing_that_it_belongs_to() {
        let (owner, mut context) = (fixture::owner(), fixture::context());
        let archive_id = ArchiveId::from_bytes([1; 16]);
        let change = ErasureScope::Archive(archive_id.clone()).remove(&owner, &mut context);
        assert_eq!(change.deletions, [Deletion::Archive(archive_id.clone())]);
        assert_eq!(change.jobs[0].kind, JobKind::SweepFiles { archive_id });

        let invite_id = InviteId::from_bytes([1; 16]);
        let change = ErasureScope::Invite(invite_id.clone()).remove(&owner, &mut context);
        assert_eq!(change.deletions, [Deletion::Invite(invite_id.clone())]);
        assert_eq!(change.jobs[0].kind, JobKind::ForgetMail { invite_id });
    }
}
