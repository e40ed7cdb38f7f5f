//! Replies of the fake service, and the data in them.

mod challenges;

use link_types::archive::{ArchiveType, FileFormat, FileSlot};
use link_types::challenge::Challenge;
use link_types::data::DataPointKind;
use link_types::error_code::ErrorCode;
use link_types::format::FieldFormat;
use link_types::handoff::{CodePicture, Handoff, HandoffPhase};
use link_types::id::{
    AccountId, ArchiveId, AttemptId, ConsentTemplateId, FileId, LinkSessionId, LinkTemplateId, UserId,
};
use link_types::link::{
    AccountProgress, AttemptState, ConnectStep, ConsentGivenBy, ConsentReceipt, ConsentText, LinkPhase,
    LinkSession, SessionTemplate,
};
use link_types::list::Page;
use link_types::problem::{FaultCode, FieldFault, Problem, ProblemCode};
use link_types::provider::{
    Choice, FieldSchema, FieldType, LoginOption, Provider, ProviderSummary, ProviderType, VisibleWhen,
};
use link_types::template::Retention;
use link_types::uploading::{
    ArchivePhase, ArchiveProgress, Linked, LinkedAccount, LinkedStatus, ResumePoint, UploadFile,
};
use link_types::{Mode, id::ProviderId};

pub(crate) use challenges::{
    approval, challenge_id, challenges, choice, code, email_link, image, image_with_recording, question,
    redirect,
};

use super::harness::CANARY;
use crate::event::RequestError;

pub(crate) const EXPIRES_IN_MS: u32 = 30 * 60_000;
pub(crate) const ENDS_IN_MS: u32 = 300 * 60_000;

pub(crate) fn provider_id() -> ProviderId {
    "mx_social_security".parse().unwrap()
}

pub(crate) fn account_id() -> AccountId {
    AccountId::from_bytes([7; 16])
}

pub(crate) fn user_id(number: u8) -> UserId {
    UserId::from_bytes(&"demo".parse().unwrap(), [number; 16])
}

pub(crate) fn attempt_id() -> AttemptId {
    AttemptId::from_bytes([3; 16])
}

pub(crate) fn session() -> LinkSession {
    LinkSession {
        session_id: LinkSessionId::from_bytes([1; 16]),
        user_id: user_id(2),
        mode: Mode::Sandbox,
        expires_in_ms: EXPIRES_IN_MS,
        ends_in_ms: ENDS_IN_MS,
        template: SessionTemplate {
            id: LinkTemplateId::from_bytes([4; 16]),
            company_name: "Acme Lending".to_owned(),
            consent: ConsentText {
                consent_template_id: ConsentTemplateId::from_bytes([5; 16]),
                title: "Terms of sharing".to_owned(),
                version: "2026-1".to_owned(),
                text: "First paragraph.\n\nSecond paragraph.\n".to_owned(),
                locale: "en".to_owned(),
            },
            allow_consent_skip: false,
            providers: Vec::new(),
            top_providers: vec!["ph_pension".parse().unwrap()],
            uploads_enabled: false,
            file_types: Vec::new(),
            optional_data: Vec::new(),
            sync_interval: None,
            retention: Retention::FromConnection,
            help_url: None,
        },
        has_linked: false,
        is_handoff: false,
        may_hand_off: true,
        attempt: AttemptState {
            id: attempt_id(),
            account: None,
            archives: Vec::new(),
            place: ResumePoint::default(),
            consent_needed: true,
            chosen_data: Vec::new(),
        },
    }
}

/// Returns a session with a link template that lets people decline pay and ratings.
pub(crate) fn session_with_choice() -> LinkSession {
    let mut session = session();
    session.template.optional_data = vec![DataPointKind::Incomes, DataPointKind::Ratings];
    session
}

/// The state of a code that was just created.
pub(crate) const WAITING: HandoffPhase = HandoffPhase::Waiting { expires_in_ms: 600_000 };

/// Returns a hand-off in this state, with its code.
pub(crate) fn handoff(phase: HandoffPhase) -> Handoff {
    Handoff { phase, picture: Some(CodePicture::new(format!("data:{CANARY}"))) }
}

/// Returns a session whose attempt has an account under way.
pub(crate) fn session_with(account: AccountProgress) -> LinkSession {
    LinkSession { attempt: AttemptState { account: Some(account), ..session().attempt }, ..session() }
}

pub(crate) fn field(name: &str, field_type: FieldType) -> FieldSchema {
    FieldSchema::new(name, name, field_type, FieldFormat::Text { min: 1, max: 40 })
}

/// Returns a provider with login name, password and an optional second factor.
pub(crate) fn provider() -> Provider {
    Provider {
        id: provider_id(),
        name: "Seguro Social".to_owned(),
        long_name: "Instituto Mexicano del Seguro Social".to_owned(),
        logo_url: None,
        provider_type: ProviderType::Government,
        sub_type: "SOCIAL_SECURITY".to_owned(),
        country: "MX".to_owned(),
        enabled: true,
        login_required: true,
        mfa: true,
        monitor_supported: true,
        supported: Vec::new(),
        login_options: vec![LoginOption {
            id: "password".to_owned(),
            label: "User name and password".to_owned(),
            fields: vec![field("username", FieldType::Text), field("password", FieldType::Password)],
        }],
    }
}

/// Returns the same provider with a second login option, which has every kind of field.
pub(crate) fn provider_with_options() -> Provider {
    let mut provider = provider();
    let mut kind = field("kind", FieldType::Select);
    kind.format = FieldFormat::OneOf { values: vec!["curp".to_owned(), "email".to_owned()] };
    kind.choices = ["curp", "email"].map(|it| Choice { value: it.to_owned(), label: it.to_owned() }).to_vec();
    let when = |equals: &str| Some(VisibleWhen { field: "kind".to_owned(), equals: equals.to_owned() });
    let mut curp = FieldSchema::new("curp", "CURP", FieldType::Text, FieldFormat::Curp {});
    curp.visible_when = when("curp");
    let mut email = FieldSchema::new("email", "E-mail", FieldType::Email, FieldFormat::Email {});
    email.visible_when = when("email");
    let mut born = FieldSchema::new("born", "Born", FieldType::Date, FieldFormat::Date {});
    born.required = false;
    let fields = vec![kind, curp, email, born, field("password", FieldType::Password)];
    provider.login_options.push(LoginOption {
        id: "registry".to_owned(),
        label: "By registry".to_owned(),
        fields,
    });
    provider
}

/// Returns a provider without a login.
pub(crate) fn provider_without_login() -> Provider {
    Provider { login_required: false, login_options: Vec::new(), ..provider() }
}

pub(crate) fn summary(
    id: &str,
    name: &str,
    provider_type: ProviderType,
    search_key: &str,
) -> ProviderSummary {
    ProviderSummary {
        id: id.parse().unwrap(),
        name: name.to_owned(),
        long_name: name.to_owned(),
        logo_url: None,
        provider_type,
        country: "MX".to_owned(),
        enabled: true,
        login_required: true,
        search_key: search_key.to_owned(),
    }
}

pub(crate) fn providers() -> Page<ProviderSummary> {
    let government = ProviderType::Government;
    let mut disabled = summary("mx_housing", "Vivienda", government, "vivienda fondo nacional");
    disabled.enabled = false;
    let items = vec![
        summary("mx_social_security", "Seguro Social", government, "seguro social instituto mexicano"),
        summary("ph_pension", "Pensión", government, "pension agency"),
        summary("gig_rides", "Rides", ProviderType::Gig, "rides"),
        disabled,
    ];
    Page { items, next_cursor: None }
}

pub(crate) fn progress(version: u32, phase: LinkPhase) -> AccountProgress {
    AccountProgress { account_id: account_id(), provider_id: provider_id(), version, phase }
}

pub(crate) fn logging_in() -> LinkPhase {
    LinkPhase::Connecting { step: ConnectStep::LoggingIn }
}

pub(crate) fn failed_phase(code: impl Into<ErrorCode>) -> LinkPhase {
    LinkPhase::Failed { error_code: code.into(), declined: false, retry_in_ms: 0 }
}

pub(crate) fn challenge_phase(challenge: Challenge) -> LinkPhase {
    LinkPhase::Challenge { challenge }
}

pub(crate) fn problem(status: u16, code: ProblemCode) -> RequestError {
    RequestError::Problem(Problem {
        problem_type: "about:blank".to_owned(),
        title: code.as_str().to_owned(),
        status,
        code,
        detail: String::new(),
        request_id: "r".to_owned(),
        errors: Vec::new(),
        truncated: None,
    })
}

/// Returns a refusal that names fields.
pub(crate) fn refused_fields(fields: &[&str]) -> RequestError {
    let RequestError::Problem(mut problem) = problem(422, ProblemCode::InvalidParameters) else {
        unreachable!()
    };
    let fault = |field: &&str| FieldFault {
        field: (*field).to_owned(),
        code: FaultCode::Invalid,
        message: "must be something else".to_owned(),
        file_fault: None,
    };
    problem.errors = fields.iter().map(fault).collect();
    RequestError::Problem(problem)
}

/// Returns a healthy account and one that requires an action.
pub(crate) fn linked_accounts() -> Linked {
    let account = |number, provider: &str, status| LinkedAccount {
        account_id: AccountId::from_bytes([number; 16]),
        provider_id: provider.parse().unwrap(),
        provider_name: "Seguro Social".to_owned(),
        logo_url: None,
        login_name: Some("g•••d".to_owned()),
        status,
        last_sync_days_ago: Some(0),
        consent_needed: false,
        chosen_data: Vec::new(),
    };
    let accounts = vec![
        account(7, "mx_social_security", LinkedStatus::Connected),
        account(8, "ph_pension", LinkedStatus::ActionRequired),
    ];
    Linked { accounts, archives: vec![archive_read()] }
}

/// Returns the receipt of the consent to the link template's text.
pub(crate) fn receipt() -> ConsentReceipt {
    ConsentReceipt {
        consent_template_id: ConsentTemplateId::from_bytes([5; 16]),
        version: "2026-1".to_owned(),
        locale: "en".to_owned(),
        given_by: ConsentGivenBy::Person,
        sync_interval: None,
        retention: Retention::FromConnection,
        data_choice: None,
    }
}

pub(crate) fn archive_id() -> ArchiveId {
    ArchiveId::from_bytes([8; 16])
}

/// Returns an archive of payslips.
pub(crate) fn archive(version: u32, phase: ArchivePhase, files: Vec<UploadFile>) -> ArchiveProgress {
    ArchiveProgress {
        archive_id: archive_id(),
        archive_type: ArchiveType::Payslip,
        version,
        files,
        phase,
        added_days_ago: 0,
    }
}

/// Returns a file that was uploaded completely.
pub(crate) fn received_file() -> UploadFile {
    UploadFile {
        file_id: FileId::from_bytes([6; 16]),
        name: "may.pdf".to_owned(),
        slot: FileSlot::Page,
        format: Some(FileFormat::Pdf),
        size_bytes: 9,
        sha256: None,
        received_bytes: 9,
    }
}

/// Returns a payslip that was read.
fn archive_read() -> ArchiveProgress {
    ArchiveProgress {
        archive_id: ArchiveId::from_bytes([6; 16]),
        archive_type: ArchiveType::Payslip,
        version: 4,
        files: vec![received_file()],
        phase: ArchivePhase::Analyzed {},
        added_days_ago: 3,
    }
}
