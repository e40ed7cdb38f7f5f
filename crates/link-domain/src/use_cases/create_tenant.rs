//! A new tenant, with the templates of both environments and the first API keys.

mod texts;

use std::collections::BTreeMap;

use link_types::id::{ConsentTemplateId, InviteTemplateId, LinkTemplateId, TenantId};
use link_types::template::{BrandTheme, Retention, SyncInterval};
use link_types::{Mode, Timestamp, invite_template as rest_invite, template as rest};
use texts::ConsentWords;

use crate::change::{Change, Row};
use crate::invitations::invite::InviteTemplate;
use crate::kernel::clock::ClockOffset;
use crate::kernel::context::Context;
use crate::kernel::owner::Owner;
use crate::notifications::service_text::Locale;
use crate::tenancy::route_code::draw_template_id;
use crate::tenancy::template::{ConsentTemplate, LinkTemplate};
use crate::tenancy::tenant::standing::Standing;
use crate::tenancy::tenant::{ApiKey, IssuedKey, Tenant};

/// The environments of a new tenant.
#[derive(Debug)]
pub struct NewTenant {
    /// The sandbox. It has a key.
    pub sandbox: NewEnvironment,
    /// Production. It has a key only if one was requested.
    pub production: NewEnvironment,
}

/// The key and templates of a new environment.
#[derive(Debug)]
pub struct NewEnvironment {
    /// API key and secret, which are shown only once.
    pub key: Option<IssuedKey>,
    /// Link template of the environment.
    pub link_template_id: LinkTemplateId,
    /// Consent template of the environment.
    pub consent_template_id: ConsentTemplateId,
    /// Invite template of the environment.
    pub invite_template_id: InviteTemplateId,
}

/// Creates a tenant with a consent template, a link template and an invite template in both environments, and a sandbox
/// key. Creates a production key only if `production_key` is true, so that no unused production key exists.
pub fn create_tenant(
    id: TenantId,
    name: String,
    production_key: bool,
    context: &mut Context,
) -> (NewTenant, Change) {
    let tenant = Tenant {
        id: id.clone(),
        name: name.clone(),
        created_at: context.now().tenant(),
        sandbox_offset: ClockOffset::default(),
        standing: Standing::Active,
    };
    let mut rows = vec![Row::Tenant(tenant)];
    let mut environment = |mode, has_key| {
        let owner = Owner { tenant: id.clone(), mode };
        let key = if has_key { Some(ApiKey::issue(owner.clone(), context)) } else { None };
        let key = key.map(|(key, issued)| {
            rows.push(Row::ApiKey(key));
            issued
        });
        let (environment, templates) = templates(owner, &name, key, context);
        rows.extend(templates);
        environment
    };
    let sandbox = environment(Mode::Sandbox, true);
    let production = environment(Mode::Production, production_key);
    (NewTenant { sandbox, production }, Change { rows, ..Change::default() })
}

fn templates(
    owner: Owner,
    company: &str,
    key: Option<IssuedKey>,
    context: &mut Context,
) -> (NewEnvironment, [Row; 3]) {
    let created_at = context.now().tenant().into();
    let words = texts::ENGLISH.fill(company);
    let translated = |it: ConsentWords| (it.locale.to_owned(), it.fill(company));
    let consent = rest::ConsentTemplate {
        id: ConsentTemplateId::from_bytes(context.uuid()),
        created_at,
        consent_type: "TERMS_AND_CONDITIONS".to_owned(),
        title: words.title,
        version: "1.0".to_owned(),
        text: words.text,
        locale: texts::ENGLISH.locale.to_owned(),
        translations: texts::TRANSLATIONS.map(translated).into(),
        revision: String::new(),
    };
    let link = rest::LinkTemplate {
        id: draw_template_id(&owner.tenant, context),
        created_at,
        name: "Default".to_owned(),
        allowed_origins: Vec::new(),
        redirect_urls: Vec::new(),
        company_name: company.to_owned(),
        consent_template_id: consent.id.clone(),
        allow_consent_skip: false,
        providers: Vec::new(),
        top_providers: Vec::new(),
        uploads_enabled: true,
        file_types: Vec::new(),
        optional_data: Vec::new(),
        texts: BTreeMap::new(),
        theme: BrandTheme::default(),
        sync_enabled: true,
        sync_interval: SyncInterval::DEFAULT,
        retention: Retention::default_of(true),
        help_url: None,
        form: None,
        revision: String::new(),
    };
    let invite = invite_template(company, created_at, context);
    let environment = NewEnvironment {
        key,
        link_template_id: link.id.clone(),
        consent_template_id: consent.id.clone(),
        invite_template_id: invite.id.clone(),
    };
    let rows = [
        Row::ConsentTemplate(ConsentTemplate { owner: owner.clone(), template: consent }),
        Row::InviteTemplate(InviteTemplate { owner: owner.clone(), template: invite }),
        Row::LinkTemplate(LinkTemplate { owner, template: link }),
    ];
    (environment, rows)
}

fn invite_template(
    company: &str,
    created_at: Timestamp,
    context: &mut Context,
) -> rest_invite::InviteTemplate {
    let english = texts::invite_texts(Locale::ENGLISH);
    let others = Locale::all().filter(|locale| *locale != Locale::ENGLISH);
    rest_invite::InviteTemplate {
        id: InviteTemplateId::from_bytes(context.uuid()),
        created_at,
        name: "Default".to_owned(),
        company: rest_invite::InviteCompany { name: company.to_owned(), logo_url: None },
        email: rest_invite::InviteEmail {
            sender_name: None,
            reply_to: None,
            subject: english.email.subject,
            body: english.email.body,
        },
        landing_page: english.landing_page,
        success_page: english.success_page,
        locale: Locale::ENGLISH.tag().to_owned(),
        translations: others.map(|locale| (locale.tag().to_owned(), texts::invite_texts(locale))).collect(),
        revision: String::new(),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::fixture;
    use crate::invitations::invite::variable_faults;
    use crate::kernel::digest::Digest32;
    use crate::notifications::generated::text_keys::LOCALES;
    use crate::tenancy::route_code::RouteCode;

    fn create(production_key: bool) -> (NewTenant, Vec<Row>) {
        let (id, name) = (fixture::owner().tenant, "Shop & Co".to_owned());
        let (tenant, change) = create_tenant(id, name, production_key, &mut fixture::context());
        (tenant, change.rows)
    }

    #[rstest]
    #[case::on_request(true, 2)]
    #[case::by_default(false, 1)]
    fn production_has_a_key_only_on_request(#[case] requested: bool, #[case] keys: usize) {
        let (tenant, rows) = create(requested);
        assert_eq!(tenant.production.key.is_some(), requested);
        assert_eq!(rows.iter().filter(|row| matches!(row, Row::ApiKey(_))).count(), keys);
        let issued = tenant.sandbox.key.unwrap();
        let is_issued =
            |row: &Row| matches!(row, Row::ApiKey(key) if key.key_hash == Digest32::from_text(&issued.key));
        assert!(rows.iter().any(is_issued));
    }

    #[test]
    fn environments_have_templates_that_refer_to_each_other() {
        let (tenant, rows) = create(false);
        let code = RouteCode::of_tenant(&fixture::owner().tenant).to_string();
        for (environment, mode) in [(tenant.sandbox, Mode::Sandbox), (tenant.production, Mode::Production)] {
            let is_link = |row: &Row| matches!(row, Row::LinkTemplate(it) if it.owner.mode == mode);
            let Some(Row::LinkTemplate(link)) = rows.iter().find(|row| is_link(row)) else {
                panic!("{rows:?}")
            };
            assert_eq!(link.template.id, environment.link_template_id);
            assert!(link.template.id.as_str().ends_with(&code));
            assert_eq!(link.template.consent_template_id, environment.consent_template_id);
        }
    }

    #[test]
    fn default_texts_use_only_known_variables() {
        let template = invite_template("Shop & Co", Timestamp::from_micros(0), &mut fixture::context());
        assert_eq!(variable_faults(&template), []);
        assert_eq!(template.translations.len(), LOCALES.len() - 1);
        assert_eq!(template.email.subject, "${companyName} asks you to link an account");
        assert_eq!(template.translations["ar"].landing_page.header, "مرحبًا ${fullName}");
    }
}
