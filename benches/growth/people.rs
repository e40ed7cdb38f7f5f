//! The rows of one user: a connected account with ten data points. Of some users also the traces that housekeeping
//! removes later: tokens, sessions, counts, stored responses and events.

use std::collections::BTreeMap;
use std::time::Duration;

use link_domain::change::job::{Job, JobKind};
use link_domain::change::{Change, Row};
use link_domain::data::data_point::DataPoint;
use link_domain::documents::archive::UploadUse;
use link_domain::invitations::visit::{Visit, VisitOrigin};
use link_domain::kernel::clock::{ClockOffset, Now, TenantTime, Wall};
use link_domain::kernel::context::Context;
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::owner::Owner;
use link_domain::kernel::scope::ErasureScope;
use link_domain::linking::account::Account;
use link_domain::linking::export::{Export, ExportFile};
use link_domain::linking::guesses::{GuessCount, GuessCounter, LoginTries};
use link_domain::linking::link::{Attempt, Handoff, HandoffStep, LinkSession, LinkToken, Survey, UiEvents};
use link_domain::linking::link_history::Linked;
use link_domain::tenancy::idempotency::{IdempotencyKey, KeyedRequest, StoredResponse};
use link_domain::tenancy::quota::{Quota, QuotaUse};
use link_domain::tenancy::user::User;
use link_store::test_support::accounts::connect_account;
use link_types::Mode;
use link_types::archive::ArchiveType;
use link_types::data::{DataPointKind, SourceType};
use link_types::export::ExportFormat;
use link_types::host::UiEventName;
use link_types::id::{
    AccountId, AttemptId, ContributionId, EmploymentId, ExportId, IdentityId, InviteId, LinkSessionId,
    LinkTemplateId, ProviderId, UserId,
};
use link_types::link::GuessLimit;
use link_types::uploading::{EmployerSurvey, ResumePoint, UiEventRecord};

/// The number of data points of a user.
pub const POINTS: u64 = 10;
const DAY: Duration = Duration::from_secs(86_400);

/// A user with their account. Both can be read, exported and erased.
#[derive(Clone)]
pub struct Person {
    pub user: UserId,
    pub account: AccountId,
}

/// The rows that one unit writes.
#[derive(Default)]
pub struct Rows {
    pub change: Change,
    pub responses: Vec<(KeyedRequest, StoredResponse)>,
}

pub fn owner() -> Owner {
    Owner { tenant: "demo".parse().unwrap(), mode: Mode::Sandbox }
}

pub fn wall() -> Wall {
    Wall::from_micros(std::time::UNIX_EPOCH.elapsed().unwrap().as_micros().try_into().unwrap())
}

pub fn now() -> Now {
    Now::new(wall(), ClockOffset::default())
}

/// Returns a context at a time. No two contexts with different numbers create the same ids.
pub fn context(at: Wall, number: u64) -> Context {
    let mut seed = [5; 32];
    seed[..8].copy_from_slice(&number.to_be_bytes());
    Context::new(Now::new(at, ClockOffset::default()), seed)
}

fn provider() -> ProviderId {
    "mx_social_security".parse().unwrap()
}

impl Person {
    /// Adds the rows of a new user to a unit.
    pub fn create(number: u64, context: &mut Context, rows: &mut Rows) -> Self {
        let (user, _) = User::create(owner(), None, BTreeMap::default(), context);
        let account = connect_account(owner(), &user.id, number, context);
        let at = context.now().tenant();
        let ending = JobKind::ExpireAccount { account_id: account.id.clone() };
        rows.change.jobs.push(Job::due(&owner(), ending, at + 60 * DAY, context));
        let linked = Linked {
            owner: owner(),
            user_id: user.id.clone(),
            provider_id: provider(),
            account_id: account.id.clone(),
            at,
        };
        let points: Vec<_> = (0..POINTS).map(|number| point(&account, number, context)).collect();
        let person = Self { user: user.id.clone(), account: account.id.clone() };
        rows.change.rows.extend([Row::User(user), Row::Account(Box::new(account)), Row::Linked(linked)]);
        rows.change.rows.extend(points.into_iter().map(|point| Row::DataPoint(Box::new(point))));
        person
    }

    /// Adds what a user leaves behind by linking at the context's time: one row in each table that housekeeping tidies.
    pub fn leave_traces(&self, number: u64, context: &mut Context, rows: &mut Rows) {
        let (at, ended) = (context.now().wall(), context.now().tenant());
        let (token, _) = LinkToken::issue(owner(), self.user.clone(), DAY, context);
        let session = self.session(number, context);
        let handoff = Handoff {
            session_id: session.id.clone(),
            owner: owner(),
            user_id: self.user.clone(),
            token_hash: digest("token of a hand-off", number),
            step: HandoffStep::Upload(ArchiveType::Payslip),
            number: 1,
            created_at: at,
            continued: None,
            ended: None,
        };
        let origin = VisitOrigin::Invite(InviteId::from_bytes(context.uuid()));
        let (visit, _) = Visit::begin(owner(), self.user.clone(), origin, None, context);
        rows.change.rows.extend([
            Row::LinkToken(token),
            Row::Attempt(self.attempt(&session, ended)),
            Row::LinkSession(session.clone()),
            Row::Handoff(handoff),
            Row::Visit(visit),
            Row::UiEvents(self.ui_events(&session, number, at)),
            Row::Export(Box::new(self.export(ended, context))),
        ]);
        rows.change.rows.extend(self.counts(number, at, context));
        rows.responses.push(self.response(number, at));
        let (_, created) = User::create(owner(), None, BTreeMap::default(), context);
        rows.change.events.extend(created.events);
    }

    fn session(&self, number: u64, context: &mut Context) -> LinkSession {
        LinkSession {
            id: LinkSessionId::from_bytes(context.uuid()),
            secret_hash: digest("secret of a session", number),
            owner: owner(),
            user_id: self.user.clone(),
            template_id: LinkTemplateId::from_bytes([1; 16]),
            host_origin: "https://shop.example".into(),
            visit: None,
            attempt_id: AttemptId::from_bytes(context.uuid()),
            created_at: context.now().wall(),
            last_used_at: context.now().wall(),
            ended: None,
        }
    }

    fn attempt(&self, session: &LinkSession, ended: TenantTime) -> Attempt {
        Attempt {
            id: session.attempt_id.clone(),
            owner: owner(),
            user_id: self.user.clone(),
            template_id: session.template_id.clone(),
            session_id: session.id.clone(),
            account_id: Some(self.account.clone()),
            place: ResumePoint {
                consent: None,
                provider_id: Some(provider()),
                login_option: Some("password".into()),
                archive_type: None,
                account_id: None,
            },
            created_at: ended,
            ended_at: Some(ended),
        }
    }

    fn ui_events(&self, session: &LinkSession, number: u64, at: Wall) -> UiEvents {
        let event = |seq| UiEventRecord {
            seq,
            event_name: UiEventName::ALL[0],
            after_ms: 1_000 * seq,
            account_id: None,
            archive_id: None,
        };
        UiEvents {
            owner: owner(),
            user_id: self.user.clone(),
            template_id: session.template_id.clone(),
            attempt_id: session.attempt_id.clone(),
            visit_id: None,
            opening: format!("opening-{number}"),
            events: vec![event(1), event(2)],
            trap: None,
            counted: None,
            received_at: at,
        }
    }

    fn counts(&self, number: u64, at: Wall, context: &mut Context) -> [Row; 5] {
        let none = LoginTries::none(owner(), self.user.clone(), provider(), digest("login", number));
        let counter = GuessCounter { limit: GuessLimit::Network, hash: digest("network", number) };
        let quota = QuotaUse::none(owner(), self.user.clone(), Quota::Submits, String::new());
        [
            Row::LoginTries(LoginTries { failures: 1, failed_at: at, ..none }),
            Row::GuessCount(GuessCount { since: at, last_at: at, ..GuessCount::none(owner(), counter) }),
            Row::UploadUse(UploadUse {
                id: format!("upload-{}", context.uuid_hex()),
                owner: owner(),
                user_id: self.user.clone(),
                at,
                bytes: None,
            }),
            Row::QuotaUse(QuotaUse { full_at: at + DAY, ..quota }),
            Row::Survey(Survey {
                id: format!("survey-{}", context.uuid_hex()),
                owner: owner(),
                user_id: self.user.clone(),
                template_id: LinkTemplateId::from_bytes([1; 16]),
                answer: EmployerSurvey { employer: "Panadería La Espiga".into(), searched: None },
                received_at: at,
            }),
        ]
    }

    fn response(&self, number: u64, at: Wall) -> (KeyedRequest, StoredResponse) {
        let text = format!("key-{number}-{}", at.micros());
        let key = IdempotencyKey::parse(text.as_bytes()).unwrap();
        let request = KeyedRequest { owner: owner(), key, fingerprint: digest("request", number) };
        let about = link_domain::kernel::subject::Subject::User(self.user.clone());
        let subject = Some(about.into());
        let stored = StoredResponse {
            status: 201,
            body: vec![b'1'; 200],
            subject,
            expires_at: at + DAY,
            settled: true,
        };
        (request, stored)
    }

    fn export(&self, at: TenantTime, context: &mut Context) -> ExportFile {
        let export = Export {
            id: ExportId::from_bytes(context.uuid()),
            owner: owner(),
            account_id: self.account.clone(),
            account_version: 1,
            format: ExportFormat::Csv,
            sha256: Digest32::from_text("file"),
            created_at: at,
            expires_at: at + DAY,
        };
        ExportFile { export, content: vec![b'7'; 800] }
    }
}

fn digest(what: &str, number: u64) -> Digest32 {
    Digest32::from_text(&format!("{what} {number}"))
}

/// Returns a data point: an identity, an employment, or a contribution.
fn point(account: &Account, number: u64, context: &mut Context) -> DataPoint {
    let uuid = context.uuid();
    let (kind, id) = match number {
        0 => (DataPointKind::Identities, IdentityId::from_bytes(uuid).to_string()),
        1 => (DataPointKind::Employments, EmploymentId::from_bytes(uuid).to_string()),
        _ => (DataPointKind::Contributions, ContributionId::from_bytes(uuid).to_string()),
    };
    let month = number % 12 + 1;
    let body = format!(
        "{{\"id\":\"{id}\",\"date\":\"2026-{month:02}-01\",\"currency\":\"MXN\",\"amount\":\"1520.{number:02}\"}}"
    );
    DataPoint {
        id,
        kind,
        owner: owner(),
        user_id: account.user_id.clone(),
        provider_id: account.provider_id.clone(),
        source_id: account.id.to_string(),
        source_type: SourceType::Account,
        source_created_at: account.created_at,
        created_at: context.now().tenant(),
        date: Some(format!("2026-{month:02}-01").parse().unwrap()),
        month: None,
        scope: ErasureScope::Account(account.id.clone()),
        body: body.into_bytes(),
    }
}
