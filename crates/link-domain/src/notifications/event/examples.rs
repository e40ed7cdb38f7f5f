//! The examples of events in the reference: the first event of each type, as the transitions emit it.
//!
//! `cargo xtask codegen` names a file in the environment variable [`FILE`], and generates the page from it.

use std::collections::BTreeMap;
use std::time::Duration;

use link_types::archive::{ArchiveErrorCode, ArchiveType, Extraction};
use link_types::data::{DataPointBody, DataPointKind};
use link_types::event::EventType;
use link_types::record::SocialSecurityRequest;
use link_types::signal::{IdType, PersonId, SignalConsent, SignalRequest, VerificationRequest};
use link_types::{LinkErrorCode, Timestamp};
use serde_json::{Value, json};

use crate::change::{Change, Row};
use crate::data::batch::{Batch, ContributionRate};
use crate::data::data_point::Known;
use crate::documents::archive::{Archive, ArchiveInput, ArchiveState};
use crate::documents::document_reader::DocumentReading;
use crate::fixture::bodies::body;
use crate::fixture::{self, PlainLinks};
use crate::invitations::hosted_link::HostedLinkInput;
use crate::invitations::invite::InviteInput;
use crate::invitations::visit::VISIT_LIFE;
use crate::kernel::clock::Now;
use crate::kernel::context::Context;
use crate::kernel::source::RevokedBy;
use crate::linking::account::{Account, AccountInput, LinkStep, NewAccount};
use crate::linking::account_source::{Read, ReadOutcome, SourceState, Step};
use crate::linking::link_history::LinkHistory;
use crate::lookups::record::Record;
use crate::lookups::record_source::{Outcome, SignalFindings};
use crate::lookups::signal::Signal;
use crate::notifications::delivery::{Breaker, DISABLED_AFTER, Failures};
use crate::tenancy::user::User;

/// The file that the examples are written to, as a JSON object by type.
const FILE: &str = "LINCHPIN_EVENT_EXAMPLES";
const ID: &str = "0192f0c1a2b37c4d8e5f60718293a4b5";
const TIME: &str = "2026-11-20T11:07:11.000Z";

/// The first event of each type.
#[derive(Default)]
struct Examples(BTreeMap<&'static str, Value>);

impl Examples {
    /// Takes the events of a change.
    fn take<T>(&mut self, (entity, change): (T, Change)) -> T {
        for event in change.events {
            let body = serde_json::from_slice(event.body(false)).unwrap();
            self.0.entry(event.event_type.as_str()).or_insert_with(|| plain(body));
        }
        entity
    }

    /// Takes the events of an account at a provider with these kinds of data.
    fn account(&mut self, provider: &str, kinds: &[DataPointKind]) {
        let bodies = |version| {
            let mut bodies = bodies(version);
            bodies.retain(|body| kinds.contains(&body.kind()));
            bodies
        };
        let mut context = fixture::context();
        let account = NewAccount { provider_id: provider.parse().unwrap(), ..fixture::new_account() };
        let account = self.take(Account::begin(account, fixture::submission(), &mut context).unwrap());
        let failed = Step::Failed { code: LinkErrorCode::InvalidCredentials };
        self.take(account.clone().apply(step_input(&account, failed), &mut context).unwrap());
        let connected = Step::Connected { state: SourceState::new("session") };
        let account =
            self.take(account.clone().apply(step_input(&account, connected), &mut context).unwrap());
        let (account, change) =
            account.clone().apply(read(&account, bodies(0), Vec::new()), &mut context).unwrap();
        let points = change
            .rows
            .iter()
            .filter_map(|row| if let Row::DataPoint(point) = row { Some((**point).clone()) } else { None });
        let points: Vec<_> = points.collect();
        let account = self.take((account, change));
        let mut later = later(&account);
        let account = self.take(account.apply(AccountInput::Sync, &mut later).unwrap());
        let account =
            self.take(account.clone().apply(read(&account, bodies(1), points), &mut later).unwrap());
        self.take(account.apply(AccountInput::Revoke { by: RevokedBy::User }, &mut later).unwrap());
    }

    fn archives(&mut self) {
        let mut context = fixture::context();
        let archive = fixture::archive_with_file(&mut context);
        let archive = self.take(archive.apply(ArchiveInput::Submit, &mut context).unwrap());
        let unknown = DocumentReading::Failed { code: ArchiveErrorCode::FileUnableToRecognize };
        self.take(archive.clone().apply(read_input(&archive, unknown), &mut context).unwrap());
        let (document_type, pages) = (ArchiveType::Payslip, vec![1]);
        let document = Extraction { document_type, pages, fields: Vec::new(), faults: Vec::new() };
        let batch = Batch { bodies: bodies(0), ..Batch::default() };
        let reading = DocumentReading::Read { extracted: document.into(), batch };
        let archive = self.take(archive.clone().apply(read_input(&archive, reading), &mut context).unwrap());
        self.take(archive.apply(ArchiveInput::Revoke { by: RevokedBy::User }, &mut context).unwrap());
    }

    fn others(&mut self) {
        let mut context = fixture::context();
        self.take(User::create(fixture::owner(), None, BTreeMap::new(), &mut context));
        let invite = self.take(fixture::invite());
        let sent = InviteInput::MailHandedOver { mail: 1 };
        let invite = self.take(invite.apply(sent, &mut context).unwrap());
        self.take(invite.apply(InviteInput::Linked, &mut context).unwrap());
        for input in [HostedLinkInput::Complete, HostedLinkInput::Leave] {
            let opened = fixture::opened_hosted_link();
            self.take(opened.apply(input, &mut context).unwrap());
        }
        let later = Now::new(context.now().wall() + VISIT_LIFE, context.now().offset());
        let lapse = HostedLinkInput::Lapse;
        self.take(fixture::opened_hosted_link().apply(lapse, &mut Context::new(later, [9; 32])).unwrap());
        let (request, found) = fixture::record();
        let request = SocialSecurityRequest { user_id: Some(fixture::user_id()), ..request };
        let record = self.take(Record::create(fixture::owner(), request, &mut context));
        self.take(record.complete(Outcome::Success(found), &mut context).unwrap());
        let signal = self.take(Signal::create(fixture::owner(), verification(), &mut context));
        let found = Outcome::Success(SignalFindings(Vec::new()));
        self.take(signal.complete(found, &mut context).unwrap());
        let (now, probe_at) = (context.now().tenant(), context.now().wall());
        let failures = Failures { count: 100, since: now - DISABLED_AFTER };
        let failing = Breaker::Open { failures, opened_at: now, probe_at };
        let disabled = fixture::webhook().disable_if_failing(failing, &mut context).unwrap();
        self.take(((), disabled));
    }
}

fn step_input(account: &Account, step: Step) -> AccountInput<'static> {
    let version = match account.link().map(|link| &link.step) {
        Some(LinkStep::Working { requested_at_version, .. }) => *requested_at_version,
        Some(LinkStep::Challenged { .. } | LinkStep::Failed(_)) | None => account.version,
    };
    AccountInput::Stepped { version, step, tries: Some(fixture::tries()) }
}

/// Returns the end of the running reading, with what is already stored.
fn read(
    account: &Account,
    bodies: Vec<DataPointBody>,
    stored: Vec<crate::data::data_point::DataPoint>,
) -> AccountInput<'static> {
    let contribution_rate = ContributionRate::from_basis_points(1_000);
    let state = SourceState::new("session");
    AccountInput::Read {
        task_id: account.running_task().unwrap().id.clone(),
        from: state.clone(),
        read: Read {
            state,
            batch: Batch { bodies, contribution_rate, ..Batch::default() },
            outcome: ReadOutcome::Complete,
        },
        files: Vec::new(),
        known: Known::from_points(stored).unwrap(),
        history: LinkHistory(vec![(account.id.clone(), account.updated_at)]),
        links: &PlainLinks,
    }
}

/// Returns a context at the time of the account's next sync.
fn later(account: &Account) -> Context {
    let next_at = account.monitor.next_at().unwrap();
    fixture::context_after(next_at.since(fixture::context().now().tenant()) + Duration::from_secs(1))
}

fn read_input(archive: &Archive, reading: DocumentReading) -> ArchiveInput<'static> {
    let ArchiveState::Analyzing { task, .. } = &archive.state else { panic!("the archive is not read") };
    ArchiveInput::Read { task_id: task.id.clone(), reading, links: &PlainLinks }
}

/// Returns one data point of each kind that a source has. Another `version` changes all of them.
fn bodies(version: i64) -> Vec<DataPointBody> {
    let kinds = DataPointKind::ALL.iter().filter(|kind| !kind.is_computed());
    kinds.map(|kind| body(*kind, 0, 1_500 + version)).collect()
}

fn verification() -> SignalRequest {
    SignalRequest::Verification(Box::new(VerificationRequest {
        first_name: "Ana".to_owned(),
        middle_name: None,
        last_name: "Ruiz".to_owned(),
        dob: "1990-05-24".parse().unwrap(),
        ids: vec![PersonId { id_type: IdType::Passport, number: "X1".to_owned() }],
        mobile_number: Some("525500000100".to_owned()),
        email_address: None,
        employer_name: None,
        consent: SignalConsent {
            consented_at: Timestamp::from_micros(0),
            consent_template_id: None,
            consent_type: Some("TERMS".to_owned()),
            version: Some("1.0".to_owned()),
            consented_with: Some("I agree".to_owned()),
        },
    }))
}

/// Replaces ids and times, so that the examples stay the same and read alike.
fn plain(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(plain_text(text)),
        Value::Array(items) => items.into_iter().map(plain).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, plain(value))).collect(),
        other @ (Value::Null | Value::Bool(_) | Value::Number(_)) => other,
    }
}

fn plain_text(text: String) -> String {
    if text.parse::<Timestamp>().is_ok() {
        return TIME.to_owned();
    }
    match text.rsplit_once('-') {
        Some((prefix, hex)) if hex.len() == ID.len() && hex.bytes().all(|it| it.is_ascii_hexdigit()) => {
            format!("{prefix}-{ID}")
        }
        Some(_) | None => text,
    }
}

#[test]
fn transitions_emit_every_event_type() {
    let mut examples = Examples::default();
    // Kinds of data that the providers of the sandbox have.
    let common = [DataPointKind::Identities, DataPointKind::Employments, DataPointKind::Documents];
    let social_security = [&common[..], &[DataPointKind::Contributions, DataPointKind::Liabilities]].concat();
    examples.account("mx_social_security", &social_security);
    examples.account("mx_government_pension", &[&common[..], &[DataPointKind::Incomes]].concat());
    examples.account(
        "mx_rapido_rides",
        &[DataPointKind::Identities, DataPointKind::Ratings, DataPointKind::Transactions],
    );
    // Kinds that none of them has.
    examples.account("mx_social_security", &DataPointKind::of_sources().collect::<Vec<_>>());
    examples.archives();
    examples.others();
    let missing: Vec<_> = EventType::ALL.iter().filter(|it| !examples.0.contains_key(it.as_str())).collect();
    assert!(missing.is_empty(), "{missing:?}");
    if let Some(file) = std::env::var_os(FILE) {
        std::fs::write(file, json!(examples.0).to_string()).unwrap();
    }
}
