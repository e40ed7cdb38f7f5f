//! Change sets: the writes of a decision, which the store applies completely or not at all.

pub mod job;
mod remove_scope;
pub(crate) mod transition;

use link_types::Sensitive;
use link_types::data::DataPointKind;
use link_types::id::{
    AccountId, ArchiveId, ConsentTemplateId, ConsoleSessionId, FileId, HostedLinkId, InviteId,
    InviteTemplateId, LinkSiteHostId, LinkSiteId, LinkTemplateId, MemberId, PasskeyId, ScenarioId, TenantId,
    UserId, WebhookId,
};

use crate::change::job::Job;
use crate::console::member::Member;
use crate::console::passkey::Passkey;
use crate::console::session::ConsoleSession;
use crate::console::sign_in::SignInAddress;
use crate::console::single_sign_on::{Departure, Identity, IdentityProvider, SignOnDomain};
use crate::data::data_point::DataPoint;
use crate::data::provider_file::ProviderFile;
use crate::data::task::Task;
use crate::documents::archive::{Archive, FileHolder, Segment, UploadUse};
use crate::invitations::form_submission::FormSubmission;
use crate::invitations::hosted_link::HostedLink;
use crate::invitations::invite::{Invite, InviteTemplate};
use crate::invitations::invite_file::InvitedRow;
use crate::invitations::link_site::{LinkSite, LinkSiteVersion};
use crate::invitations::link_site_host::LinkSiteHost;
use crate::invitations::visit::Visit;
use crate::kernel::clock::TenantTime;
use crate::kernel::digest::Digest32;
use crate::kernel::owner::Owner;
use crate::kernel::scope::ErasureScope;
use crate::linking::account::Account;
use crate::linking::export::ExportFile;
use crate::linking::funnel::FunnelCount;
use crate::linking::guesses::{GuessCount, LoginTries};
use crate::linking::link::{Attempt, Handoff, LinkSession, LinkToken, Survey, UiEvents};
use crate::linking::link_history::Linked;
use crate::linking::withdrawal::Withdrawal;
use crate::lookups::record::Record;
use crate::lookups::signal::Signal;
use crate::notifications::delivery::Delivery;
use crate::notifications::event::EventRecord;
use crate::notifications::page_link::PageLink;
use crate::notifications::webhook::Webhook;
use crate::person_page::given_data::GivenData;
use crate::person_page::page_session::PageSession;
use crate::tenancy::billing::BillingRecord;
use crate::tenancy::logo::{Logo, LogoName};
use crate::tenancy::quota::QuotaUse;
use crate::tenancy::sandbox_clock::Advance;
use crate::tenancy::scenario::Scenario;
use crate::tenancy::template::{ConsentTemplate, LinkTemplate};
use crate::tenancy::template_version::TemplateVersion;
use crate::tenancy::tenant::key_request::KeyRequest;
use crate::tenancy::tenant::{ApiKey, Tenant};
use crate::tenancy::user::User;

/// Everything that one decision writes. The store applies it in one transaction, in the order of the fields. It inserts
/// rows or replaces them by id. It stores events and, for each event, the deliveries that
/// [`crate::notifications::delivery::deliveries_for`] returns. Jobs replace jobs with the same key. Deletions follow, and erasures are
/// last.
#[must_use = "a change that is not applied is lost"]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Change {
    /// Rows to insert or to replace completely.
    pub rows: Vec<Row>,
    /// Events, in the order in which they occurred.
    pub events: Vec<EventRecord>,
    /// Jobs to schedule.
    pub jobs: Vec<Job>,
    /// Rows to delete.
    pub deletions: Vec<Deletion>,
    /// Scopes to make permanently unreadable.
    pub erasures: Vec<ErasureScope>,
}

impl Change {
    /// Creates a change that writes one row.
    pub fn row(row: Row) -> Self {
        Self { rows: vec![row], ..Self::default() }
    }

    /// Appends another change to this one.
    pub fn then(mut self, other: Self) -> Self {
        self.rows.extend(other.rows);
        self.events.extend(other.events);
        self.jobs.extend(other.jobs);
        self.deletions.extend(other.deletions);
        self.erasures.extend(other.erasures);
        self
    }
}

/// A row to insert or replace.
#[derive(Clone, Debug, PartialEq)]
pub enum Row {
    /// A tenant.
    Tenant(Tenant),
    /// The latest advance of a tenant's sandbox clock.
    Advance(Advance),
    /// An API key.
    ApiKey(ApiKey),
    /// A program that waits for an API key.
    KeyRequest(KeyRequest),
    /// A member of a tenant, who uses the developer portal.
    Member(Member),
    /// The one-time address of a member. Replaces an earlier one of the same member.
    SignInAddress(SignInAddress),
    /// A member's session in the developer portal.
    ConsoleSession(ConsoleSession),
    /// A member's passkey for the developer portal. Replaces an earlier state of it.
    Passkey(Passkey),
    /// The OpenID provider of a tenant. Replaces an earlier one.
    IdentityProvider(IdentityProvider),
    /// A domain whose addresses may join a tenant.
    SignOnDomain(SignOnDomain),
    /// A person who left for a tenant's provider.
    Departure(Departure),
    /// A member's identity at their tenant's provider.
    Identity(Identity),
    /// A consent template.
    ConsentTemplate(ConsentTemplate),
    /// A link template.
    LinkTemplate(LinkTemplate),
    /// A version of a template. Older ones than the newest 20 are deleted.
    TemplateVersion(Box<TemplateVersion>),
    /// A logo of a link template. A logo with the same name is the same picture and is unchanged.
    Logo(Logo),
    /// A user.
    User(User),
    /// A link token.
    LinkToken(LinkToken),
    /// A widget session.
    LinkSession(LinkSession),
    /// The hand-off of a session. Replaces an earlier one of the same session.
    Handoff(Handoff),
    /// A link attempt.
    Attempt(Attempt),
    /// Tries of a login.
    LoginTries(LoginTries),
    /// Tries counted by a guess counter.
    GuessCount(GuessCount),
    /// UI events of one opening of the widget. Events that are already stored are unchanged.
    UiEvents(UiEvents),
    /// One opening of the widget more in the funnel.
    Funnel(FunnelCount),
    /// An employer that a person could not find.
    Survey(Survey),
    /// An account.
    Account(Box<Account>),
    /// An export of an account.
    Export(Box<ExportFile>),
    /// One link of an account, for the link history.
    Linked(Linked),
    /// The access of an account that has ended. Replaces an earlier one of the account.
    Withdrawal(Withdrawal),
    /// An archive.
    Archive(Box<Archive>),
    /// An uploaded file, so that it can be found by its id.
    File {
        /// Identifier of the file.
        id: FileId,
        /// Object that the file belongs to.
        holder: FileHolder,
    },
    /// A segment of a file. Replaces a segment with the same file and index.
    Segment(Segment),
    /// An upload that counts against a quota.
    UploadUse(UploadUse),
    /// Used part of a user's quota.
    QuotaUse(QuotaUse),
    /// A task.
    Task(Task),
    /// A data point.
    DataPoint(Box<DataPoint>),
    /// The file of an account's document. Replaces an earlier one of the same document.
    ProviderFile(Box<ProviderFile>),
    /// A record.
    Record(Box<Record>),
    /// A signal.
    Signal(Box<Signal>),
    /// An invite template.
    InviteTemplate(InviteTemplate),
    /// An invitation.
    Invite(Box<Invite>),
    /// A row of a file that was invited.
    InvitedRow(Box<InvitedRow>),
    /// A hosted link.
    HostedLink(Box<HostedLink>),
    /// A link site.
    LinkSite(Box<LinkSite>),
    /// A version of a link site's form. Replaces the same version, which no one has opened.
    LinkSiteVersion(Box<LinkSiteVersion>),
    /// An own host of link sites.
    LinkSiteHost(LinkSiteHost),
    /// A visit to the hosted pages.
    Visit(Visit),
    /// The mailbox that an account, archive or form submission belongs to.
    GivenData(GivenData),
    /// The link to a person's own page. Replaces an earlier one of the same mailbox.
    PageLink(PageLink),
    /// A session of a person's own page.
    PageSession(PageSession),
    /// The invitation whose visit started an account.
    InviteAccount {
        /// Account that was started.
        account_id: AccountId,
        /// Invitation of the visit.
        invite_id: InviteId,
    },
    /// The hosted link in whose visit an account was started, or signed in to again.
    HostedLinkAccount {
        /// Account that was started.
        account_id: AccountId,
        /// Hosted link of the visit.
        hosted_link_id: HostedLinkId,
    },
    /// Marks a consent template as cited by a consent receipt. It can no longer change.
    ConsentCited(ConsentTemplateId),
    /// The answers to a form. Replaces earlier ones of the same form and visit.
    Form(Box<FormSubmission>),
    /// A webhook.
    Webhook(Webhook),
    /// A delivery to send, possibly again.
    Delivery(Box<Delivery>),
    /// The key of an object without its own row. An object with a row creates its key with the row.
    Scope {
        /// Erasure scope of the object.
        scope: ErasureScope,
        /// End of the object's last day at the latest.
        ends_at: TenantTime,
    },
    /// A custom login of a sandbox tenant. Replaces one with the same id.
    Scenario(Box<Scenario>),
    /// A chargeable event. The store keeps only the first one per (kind, subject).
    Billing(BillingRecord),
}

/// A row to delete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deletion {
    /// An account that never connected, with its key. Its events remain, without their encrypted part.
    Account(AccountId),
    /// An archive that was never submitted, with its key.
    Archive(ArchiveId),
    /// The times at which an account was linked.
    AccountLinks(AccountId),
    /// The access of an account that has ended, with its key.
    Withdrawal(AccountId, u64),
    /// The times at which this account was linked in the links ([`DataPointKind::Links`]) of the user's other accounts at its
    /// provider, with their copies. The links are computed again, because an account without sync may have no next reading.
    LinksOfOthers(AccountId),
    /// The copies of an account's data points: its exports, the payloads of its events, and the responses to them.
    DataCopies(AccountId),
    /// Data points of an account and, if they are documents, their files.
    DataPoints {
        /// Account of the data points.
        account_id: AccountId,
        /// Kinds to delete.
        kinds: Vec<DataPointKind>,
    },
    /// An uploaded file, with all its segments.
    File(FileId),
    /// A user, with all tokens, sessions and other rows that are not objects in their own right.
    User {
        /// Tenant and environment of the user.
        owner: Owner,
        /// Identifier of the user.
        user_id: UserId,
    },
    /// A consent template. It is no longer shown, but remains for receipts that cite it.
    ConsentTemplate(ConsentTemplateId),
    /// A link template, with its logos.
    LinkTemplate(LinkTemplateId),
    /// The logos of a link template that it no longer uses.
    UnusedLogos {
        /// Link template of the logos.
        template_id: LinkTemplateId,
        /// Logos that it still uses, at most two.
        used: Vec<LogoName>,
    },
    /// An invite template. It is no longer shown, but remains for invitations that cite it.
    InviteTemplate(InviteTemplateId),
    /// An invitation, with its key.
    Invite(InviteId),
    /// A hosted link.
    HostedLink(HostedLinkId),
    /// A link site.
    LinkSite {
        /// Link site to delete.
        id: LinkSiteId,
        /// Whether its slug stays reserved, and the versions of its form stay.
        is_kept: bool,
    },
    /// An own host of link sites.
    LinkSiteHost(LinkSiteHostId),
    /// The same own host of another tenant that has proven it. Its link sites lose it. Those that are not proven get other tokens.
    SameHostOfOthers {
        /// Own host that is proven now.
        id: LinkSiteHostId,
        /// The host name.
        host: String,
        /// Random token, 32 hexadecimal digits. The tokens of the others begin with its first half.
        token: String,
    },
    /// The mailbox that an account belongs to, unless it is this one.
    GivenToOthers {
        /// Scope of the account.
        scope: ErasureScope,
        /// Address of the mailbox that it may still belong to.
        except: Option<Sensitive>,
    },
    /// The session of a person's own page with this digest of its secret.
    PageSession(Digest32),
    /// A webhook. Its pending deliveries become CANCELLED.
    Webhook(WebhookId),
    /// A custom login of a sandbox tenant.
    Scenario(ScenarioId),
    /// Pending deliveries of a webhook that was deactivated. They become CANCELLED.
    PendingDeliveries(WebhookId),
    /// A member, with their sessions, passkeys, one-time address and key.
    Member(MemberId),
    /// The one-time address of a member.
    SignInAddress(MemberId),
    /// A member's session in the developer portal.
    ConsoleSession(ConsoleSessionId),
    /// A member's passkey for the developer portal.
    Passkey(PasskeyId),
    /// The unused one-time addresses that a member created, and the sessions and passkeys that began with such addresses.
    AccessGivenBy(MemberId),
    /// The OpenID provider of a tenant.
    IdentityProvider(TenantId),
    /// The identities of a tenant's members at its provider, the sessions that began with it, and the people on their way there.
    ProviderAccess(TenantId),
    /// The sessions that began without the tenant's provider, of members who are not owners.
    SessionsWithoutProvider(TenantId),
    /// The identity of a member.
    Identity(MemberId),
    /// The sessions of a member that began with the tenant's provider, except this one.
    ProviderSessions {
        /// The member.
        member: MemberId,
        /// The session that goes on.
        except: ConsoleSessionId,
    },
    /// A person who left for a provider, by the digest of the state.
    Departure(Digest32),
    /// A domain of a tenant.
    SignOnDomain {
        /// Tenant of the domain.
        tenant: TenantId,
        /// The domain.
        domain: String,
    },
    /// A domain of other tenants than this one, with their tokens.
    DomainOfOthers {
        /// Tenant that has proven the domain now.
        tenant: TenantId,
        /// The domain.
        domain: String,
    },
    /// A revoked API key.
    ApiKey(Digest32),
    /// Failures counted for a webhook. Its breaker closes, and its waiting deliveries are sent.
    Breaker(WebhookId),
}
