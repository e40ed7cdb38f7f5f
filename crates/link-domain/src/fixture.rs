//! Fixtures shared by the crate's tests.

use std::time::Duration;

use link_types::archive::{ArchiveType, FileFormat, FileSlot};
use link_types::data::DataPointKind;
use link_types::event::{EventData, UserCreated};
use link_types::format::FieldFormat;
use link_types::id::{AttemptId, ConsentTemplateId, LinkTemplateId, ProviderId, UserId, WebhookId};
use link_types::link::{ConsentGivenBy, ConsentReceipt};
use link_types::provider::{FieldSchema, FieldType, LoginOption, Provider, ProviderType};
use link_types::record::{
    RecordConsent, SOCIAL_SECURITY_TEMPLATE, SocialSecurityRequest, SocialSecurityResult,
};
use link_types::template::{BrandTheme, Retention, SyncInterval};
use link_types::webhook::{EventSelection, RetryProfile};
use link_types::{Mode, Money, Sensitive, Timestamp, template};

use crate::change::Change;
use crate::data::payload::{LastItem, PayloadLinks};
use crate::documents::archive::{
    Archive, ArchiveInput, NewArchive, NewFile, ReceivedBytes, Segment, UploadQuota, UploadUsage,
};
use crate::documents::document_reader::Inspection;
use crate::kernel::clock::{ClockOffset, Now, TenantTime, Wall};
use crate::kernel::context::Context;
use crate::kernel::digest::Digest32;
use crate::kernel::owner::Owner;
use crate::kernel::subject::Subject;
use crate::linking::account::{Account, Login, NewAccount, Submission};
use crate::linking::consent::Consent;
use crate::linking::guesses::{LoginTries, Tries};
use crate::linking::link::{Exchange, ExchangeRequest, LinkSession, LinkToken};
use crate::notifications::event::EventRecord;
use crate::notifications::webhook::Webhook;
use crate::tenancy::quota::{Quota, QuotaUse};
use crate::tenancy::template::{ConsentTemplate, LinkTemplate};

const NOON: Wall = Wall::from_micros(1_795_176_000_000_000);

pub(crate) fn context() -> Context {
    context_after(Duration::ZERO)
}

/// Returns a context this much later than [`context`], with different randomness.
pub(crate) fn context_after(elapsed: Duration) -> Context {
    let mut seed = [5; 32];
    seed[..16].copy_from_slice(&elapsed.as_nanos().to_be_bytes());
    Context::new(Now::new(NOON + elapsed, ClockOffset::default()), seed)
}

pub(crate) fn owner() -> Owner {
    Owner { tenant: "demo".parse().unwrap(), mode: Mode::Sandbox }
}

pub(crate) fn user_id() -> UserId {
    UserId::from_bytes(&owner().tenant, [4; 16])
}

pub(crate) fn provider_id() -> ProviderId {
    "mx_social_security".parse().unwrap()
}

pub(crate) fn tries() -> Tries {
    Tries::from_own(LoginTries::none(owner(), user_id(), provider_id(), Digest32::from_text("login")))
}

pub(crate) fn unused_quota(quota: Quota) -> QuotaUse {
    QuotaUse::none(owner(), user_id(), quota, String::new())
}

pub(crate) fn spend_quota(quota: Quota) -> QuotaUse {
    unused_quota(quota).spend(quota.max(), NOON)
}

pub(crate) fn receipt() -> ConsentReceipt {
    ConsentReceipt {
        consent_template_id: ConsentTemplateId::from_bytes([2; 16]),
        version: "1.0".into(),
        locale: "en".into(),
        given_by: ConsentGivenBy::Person,
        sync_interval: None,
        retention: Retention::FromConnection,
        data_choice: None,
    }
}

pub(crate) fn templates() -> (LinkTemplate, ConsentTemplate) {
    let created_at = Timestamp::from_micros(0);
    let link = template::LinkTemplate {
        id: LinkTemplateId::from_bytes([1; 16]),
        created_at,
        name: "Loans".into(),
        allowed_origins: vec!["https://shop.example".into()],
        redirect_urls: vec!["https://shop.example/linked".into()],
        company_name: "Shop".into(),
        consent_template_id: receipt().consent_template_id,
        allow_consent_skip: false,
        providers: Vec::new(),
        top_providers: Vec::new(),
        uploads_enabled: false,
        file_types: Vec::new(),
        optional_data: Vec::new(),
        texts: std::collections::BTreeMap::new(),
        theme: BrandTheme::default(),
        sync_enabled: false,
        sync_interval: SyncInterval::DEFAULT,
        retention: Retention::FromConnection,
        help_url: None,
        form: None,
        revision: String::new(),
    };
    let consent = template::ConsentTemplate {
        id: receipt().consent_template_id,
        created_at,
        consent_type: "TERMS_AND_CONDITIONS".into(),
        title: "Share your data".into(),
        version: "1.0".into(),
        text: "You share your data.".into(),
        locale: "en".into(),
        translations: std::collections::BTreeMap::new(),
        revision: String::new(),
    };
    (LinkTemplate { owner: owner(), template: link }, ConsentTemplate { owner: owner(), template: consent })
}

pub(crate) fn webhook() -> Webhook {
    let registration = link_types::webhook::Webhook {
        id: WebhookId::from_bytes([3; 16]),
        created_at: Timestamp::from_micros(0),
        updated_at: Timestamp::from_micros(0),
        name: "All".into(),
        url: "https://example.com/hook".into(),
        event_types: EventSelection::All,
        active: true,
        include_payload: true,
        retry_profile: RetryProfile::Standard,
        trace_context: false,
        secret_hint: String::new(),
        next_secret_hint: None,
        rotation_ends_at: None,
        disabled_reason: None,
    };
    Webhook {
        owner: owner(),
        registration,
        secret: Sensitive::new("a secret of a tenant"),
        next_secret: None,
    }
}

pub(crate) fn event(context: &mut Context) -> EventRecord {
    let data = EventData::UserCreated(UserCreated { user_id: user_id() });
    EventRecord::new(&owner(), Subject::User(user_id()), 1, data, context)
}

pub(crate) fn session() -> LinkSession {
    let mut context = context();
    let (token, _) = LinkToken::issue(owner(), user_id(), Duration::from_secs(60), &mut context);
    let (template, _) = templates();
    let request = ExchangeRequest {
        secret_hash: Digest32::from_text("secret"),
        template_id: template.template.id.clone(),
        host_origin: "https://shop.example".into(),
        on_landing_page: false,
        on_own_host_of: None,
    };
    match token.exchange(request, &template, &mut context) {
        Ok(Exchange::Opened { session, .. }) => *session,
        other => panic!("expected an opened session, not {other:?}"),
    }
}

pub(crate) fn consent(at: TenantTime) -> Consent {
    let (link, consent) = templates();
    Consent::from_receipt(receipt(), &crate::linking::terms::Terms { link: &link, consent: &consent }, at)
}

pub(crate) fn submission() -> Submission {
    Submission {
        login: Some(login()),
        sync: Some(SyncInterval::Weekly),
        retention: Retention::FromLastSync,
        consent: Some(consent(context().now().tenant())),
        tries: tries(),
    }
}

fn login() -> Login {
    Login { option: "password".into(), name: Sensitive::new("good"), form: sealing::fresh_box() }
}

pub(crate) fn provider() -> Provider {
    let text = FieldFormat::Text { min: 1, max: 64 };
    Provider {
        id: provider_id(),
        name: "Social Security".into(),
        long_name: "Social Security".into(),
        logo_url: None,
        provider_type: ProviderType::Government,
        sub_type: "SOCIAL_SECURITY".into(),
        country: "MX".into(),
        enabled: true,
        login_required: true,
        mfa: true,
        monitor_supported: true,
        supported: Vec::new(),
        login_options: vec![LoginOption {
            id: "password".into(),
            label: "Password".into(),
            fields: vec![
                FieldSchema::new("username", "User name", FieldType::Text, text.clone()),
                FieldSchema::new("password", "Password", FieldType::Password, text),
            ],
        }],
    }
}

pub(crate) fn new_account() -> NewAccount {
    NewAccount { owner: owner(), user_id: user_id(), provider_id: provider_id(), visit_id: None }
}

pub(crate) fn begin_account(context: &mut Context) -> (Account, Change) {
    Account::begin(new_account(), submission(), context).unwrap()
}

/// Data points for computations.
pub(crate) mod bodies;
/// Encryption, as the widget does it.
pub(crate) mod sealing;

/// Cursors that show where they continue.
pub(crate) struct PlainLinks;

impl PayloadLinks for PlainLinks {
    fn after(&self, kind: DataPointKind, source_id: &str, last: LastItem<'_>) -> String {
        format!("{kind}/{source_id}/{}", last.id)
    }
}

pub(crate) fn invite() -> (crate::invitations::invite::Invite, Change) {
    crate::invitations::invite::Invite::create(user_id(), new_invite(), &mut context())
}

pub(crate) fn new_invite() -> crate::invitations::invite::NewInvite {
    let (link, _) = templates();
    crate::invitations::invite::NewInvite {
        owner: owner(),
        invite_template_id: invite_template().template.id,
        link_template_id: link.template.id,
        link_site_id: None,
        full_name: Sensitive::new("Ana Ruiz"),
        first_name: None,
        last_name: None,
        email_address: Sensitive::new("ana@example.com"),
        locale: None,
    }
}

pub(crate) fn invite_template() -> crate::invitations::invite::InviteTemplate {
    use link_types::invite_template::*;
    let spanish = InviteTranslation {
        email: InviteEmailTexts {
            subject: "${companyName} te pide conectar una cuenta".into(),
            body: "Hola, ${fullName}:\n\nconecta una cuenta.".into(),
        },
        landing_page: InviteLandingPage {
            header: "Hola, ${fullName}".into(),
            description: "Conecta una cuenta.".into(),
            button: "Empezar".into(),
        },
        success_page: InviteSuccessPage { header: "Gracias".into(), description: "Listo.".into() },
    };
    let template = InviteTemplate {
        id: link_types::id::InviteTemplateId::from_bytes([7; 16]),
        created_at: Timestamp::from_micros(0),
        name: "Loans".into(),
        company: InviteCompany { name: "Shop & Co".into(), logo_url: None },
        email: InviteEmail {
            sender_name: None,
            reply_to: Some("help@shop.example".into()),
            subject: "${companyName} asks you to link an account".into(),
            body: "Dear ${fullName},\n\nplease link an account.".into(),
        },
        landing_page: InviteLandingPage {
            header: "Hello ${fullName}".into(),
            description: "Link an account.".into(),
            button: "Begin".into(),
        },
        success_page: InviteSuccessPage { header: "Thank you".into(), description: "All done.".into() },
        locale: "en".into(),
        translations: [("es-MX".into(), spanish)].into(),
        revision: String::new(),
    };
    crate::invitations::invite::InviteTemplate { owner: owner(), template }
}

pub(crate) fn opened_hosted_link() -> crate::invitations::hosted_link::HostedLink {
    use crate::invitations::hosted_link::{DEFAULT_LINK_LIFE, HostedLink, HostedLinkInput, NewHostedLink};
    let new = NewHostedLink {
        owner: owner(),
        reference: None,
        template_id: templates().0.template.id,
        life: DEFAULT_LINK_LIFE,
        redirect_url: None,
        locale: None,
        is_mobile_app: false,
    };
    let (link, ..) = HostedLink::create(None, new, &mut context());
    let (link, _) = link.apply(HostedLinkInput::Enter(visit().id), &mut context()).unwrap();
    HostedLink { user_id: user_id(), ..link }
}

pub(crate) fn visit() -> crate::invitations::visit::Visit {
    let origin = crate::invitations::visit::VisitOrigin::Invite(invite().0.id);
    crate::invitations::visit::Visit::begin(owner(), user_id(), origin, None, &mut context()).0
}

/// The request of a record, and what its source finds.
pub(crate) fn record() -> (SocialSecurityRequest, SocialSecurityResult) {
    let request = SocialSecurityRequest {
        template_id: SOCIAL_SECURITY_TEMPLATE.to_owned(),
        consent: RecordConsent {
            consented_at: Timestamp::from_micros(0),
            consent_template_id: None,
            consent_type: None,
            version: None,
            consented_with: "I agree".to_owned(),
        },
        mobile_number: "525500000100".to_owned(),
        full_name: "Valeria Montelongo".to_owned(),
        curp: "HEGG560427MVZRRL04".to_owned(),
        email_address: "valeria@example.com".to_owned(),
        user_id: None,
    };
    let result = SocialSecurityResult {
        full_name: "VALERIA MONTELONGO".to_owned(),
        curp: "HEGG560427MVZRRL04".to_owned(),
        nss: "00000000001".to_owned(),
        report_date: "2026-11-20".parse().unwrap(),
        employer_name: "Talleres Ejemplo".to_owned(),
        employer_registration: "Y0000000100".to_owned(),
        state: "Jalisco".to_owned(),
        contribution_days: 400,
        contribution_base_amount: Money::from_hundredths(45_050),
        currency: "MXN".to_owned(),
    };
    (request, result)
}

const QUOTA: UploadQuota = UploadQuota { files: 20, bytes: 100_000_000 };

pub(crate) fn new_file(size_bytes: u32) -> NewFile {
    let name = Sensitive::new("pay slip.pdf");
    NewFile { name, slot: FileSlot::Page, size_bytes: size_bytes.into(), sha256: None }
}

/// Returns an archive with one completely uploaded file, not submitted yet.
pub(crate) fn archive_with_file(context: &mut Context) -> Archive {
    let new = NewArchive {
        owner: owner(),
        user_id: user_id(),
        attempt_id: AttemptId::from_bytes([6; 16]),
        visit_id: None,
        archive_type: ArchiveType::Payslip,
        consent: consent(context.now().tenant()),
    };
    let (archive, _) = Archive::begin(new, UploadUsage::default(), QUOTA, context).unwrap();
    let added = ArchiveInput::AddFile { file: new_file(1_000), usage: UploadUsage::default(), quota: QUOTA };
    let (archive, _) = archive.apply(added, context).unwrap();
    complete_uploads(archive, context)
}

/// Completes the upload of every file, in one segment each.
pub(crate) fn complete_uploads(mut archive: Archive, context: &mut Context) -> Archive {
    for file in archive.progress(context.now().tenant()).files {
        let segment = Segment::new(&archive.id, &file.file_id, 0, file.size_bytes, context);
        let input = ArchiveInput::Completed {
            bytes: ReceivedBytes { file_id: file.file_id, from: 0, segment },
            inspection: Inspection { format: FileFormat::Pdf, pages: 1, pixels: 0 },
            sha256: "ab".into(),
        };
        (archive, _) = archive.apply(input, context).unwrap();
    }
    archive
}
