use link_types::form_submission::LinkSiteForm;
use link_types::id::{LinkSiteId, LinkTemplateId};
use link_types::link_site::{
    LinkSiteAccess, LinkSiteEndPage, LinkSiteFormVersion, LinkSiteLimits, LinkSiteStartPage,
};
use rstest::rstest;

use super::*;
use crate::change::{Change, Deletion, Row};
use crate::fixture;

fn form(label: &str) -> LinkSiteForm {
    let field = serde_json::json!({"name": "note", "label": label, "type": "TEXT"});
    let hidden = serde_json::json!({"name": "campaign", "label": "Campaign", "type": "HIDDEN"});
    serde_json::from_value(serde_json::json!({"reference": "loan", "fields": [field, hidden]})).unwrap()
}

fn wire() -> link_site::LinkSite {
    link_site::LinkSite {
        id: LinkSiteId::from_bytes([7; 16]),
        created_at: fixture::context().now().tenant().into(),
        name: "Loans".into(),
        slug: "loans".into(),
        url: String::new(),
        host: None,
        status: LinkSiteStatus::Published,
        access: LinkSiteAccess::Open,
        link_template_id: LinkTemplateId::from_bytes([1; 16]),
        steps: vec![LinkSiteStep::Form, LinkSiteStep::Widget, LinkSiteStep::ThankYou],
        form: Some(form("Note")),
        form_version: None,
        prefill: vec!["campaign".into(), "reference".into()],
        embed_origins: Vec::new(),
        start_page: LinkSiteStartPage { title: "Hello".into(), text: "Answer.".into() },
        end_page: LinkSiteEndPage { title: "Thanks".into(), text: "Done.".into(), redirect_url: None },
        limits: LinkSiteLimits::default(),
        submissions: 0,
        locale: "en".into(),
        translations: Default::default(),
        revision: String::new(),
    }
}

fn site() -> LinkSite {
    LinkSite::create(fixture::owner(), wire()).0
}

/// Returns the site as a visit's beginning writes it.
fn open(site: LinkSite) -> LinkSite {
    let change = site.record_visit();
    let [Row::LinkSite(written)] = change.rows.as_slice() else { panic!("{change:?}") };
    *written.clone()
}

fn version_of(change: &Change) -> Option<&LinkSiteFormVersion> {
    change.rows.iter().find_map(|row| {
        let Row::LinkSiteVersion(version) = row else { return None };
        Some(&version.version)
    })
}

fn template(origins: &[&str]) -> crate::tenancy::template::LinkTemplate {
    let mut template = fixture::templates().0;
    template.template.allowed_origins = origins.iter().map(|it| (*it).to_owned()).collect();
    template
}

#[rstest]
#[case::reserved_slug(|it: &mut link_site::LinkSite| it.slug = "console".into(), &["slug"])]
#[case::no_end(|it: &mut link_site::LinkSite| it.steps.truncate(2), &["steps"])]
#[case::only_an_end(|it: &mut link_site::LinkSite| it.steps = vec![LinkSiteStep::ThankYou], &["steps", "steps"])]
#[case::step_twice(|it: &mut link_site::LinkSite| it.steps.insert(0, LinkSiteStep::Form), &["steps"])]
#[case::no_form(|it: &mut link_site::LinkSite| it.form = None, &["form", "prefill"])]
#[case::limit_without_form(|it: &mut link_site::LinkSite| {
    it.steps.remove(0);
    it.form = None;
    it.prefill.clear();
    it.limits.submissions = Some(1);
}, &["limits.submissions"])]
#[case::prefilled_answer(|it: &mut link_site::LinkSite| it.prefill = vec!["note".into()], &["prefill"])]
#[case::other_origin(|it: &mut link_site::LinkSite| {
    it.end_page.redirect_url = Some("https://evil.example/".into());
}, &["endPage.redirectUrl"])]
#[case::no_https(|it: &mut link_site::LinkSite| {
    it.end_page.redirect_url = Some("http://app.example/".into());
}, &["endPage.redirectUrl"])]
#[case::user_name(|it: &mut link_site::LinkSite| {
    it.end_page.redirect_url = Some("https://me@app.example/".into());
}, &["endPage.redirectUrl"])]
#[case::own_page(|it: &mut link_site::LinkSite| {
    it.end_page.redirect_url = Some("https://app.example/end?a=b".into());
}, &[])]
#[case::embedders(|it: &mut link_site::LinkSite| {
    let own = ["https://app.example", "https://evil.example", "https://app.example", "app.example"];
    it.embed_origins = own.map(str::to_owned).to_vec();
}, &["embedOrigins[1]", "embedOrigins[2]", "embedOrigins[3]"])]
#[case::unknown_translation(|it: &mut link_site::LinkSite| {
    it.translations = [("es-MX".to_owned(), [("Hi".to_owned(), "Hola".to_owned())].into())].into();
}, &["translations.es-MX"])]
fn every_fault_names_its_field(#[case] change: fn(&mut link_site::LinkSite), #[case] expected: &[&str]) {
    let mut site = wire();
    change(&mut site);
    let template = template(&["https://app.example", "http://app.example"]);
    let paths: Vec<_> = faults(&site, None, Some(&template)).into_iter().map(|it| it.path).collect();
    assert_eq!(paths, expected);
}

#[test]
fn origins_that_were_valid_before_a_change_are_no_faults() {
    let origins = vec!["https://app.example".to_owned()];
    let mut before = link_site::LinkSite { embed_origins: origins, ..wire() };
    before.end_page.redirect_url = Some("https://app.example/end".into());
    let template = template(&["https://other.example"]);
    let paths = |site: &link_site::LinkSite| -> Vec<String> {
        faults(site, Some(&before), Some(&template)).into_iter().map(|it| it.path).collect()
    };
    let mut site = link_site::LinkSite { name: "Closed soon".into(), ..before.clone() };
    assert_eq!(paths(&site), Vec::<String>::new());
    site.embed_origins.push("https://evil.example".into());
    assert_eq!(paths(&site), ["embedOrigins[1]"]);
    site.link_template_id = "lt-0192f0c1a2b37c4d8e5f60718293a4b5".parse().unwrap();
    assert_eq!(paths(&site), ["endPage.redirectUrl", "embedOrigins[0]", "embedOrigins[1]"]);
}

#[test]
fn form_that_was_opened_becomes_another_version() {
    let site = site();
    assert_eq!(site.site.form_version, Some(1));
    let other = link_site::LinkSite { form: Some(form("Other")), ..site.site.clone() };
    let (edited, change) = site.edit(other).unwrap();
    assert_eq!(edited.site.form_version, Some(1), "no one has seen the first form");
    assert_eq!(version_of(&change).map(|it| it.version), Some(1));
    let site = open(edited);
    let (same, change) = site.clone().edit(site.site.clone()).unwrap();
    assert_eq!((same.site.form_version, version_of(&change)), (Some(1), None));
    let third = link_site::LinkSite { form: Some(form("Third")), ..same.site.clone() };
    let (edited, change) = same.edit(third).unwrap();
    assert_eq!(version_of(&change).map(|it| it.version), Some(2));
    assert!(edited.is_opened && !edited.is_version_used);
}

#[test]
fn opened_site_keeps_its_address_and_is_not_a_draft_again() {
    let site = open(site());
    let slug = link_site::LinkSite { slug: "other".into(), ..site.site.clone() };
    assert_eq!(site.clone().edit(slug).unwrap_err(), SiteEditError::SlugOpened);
    let draft = link_site::LinkSite { status: LinkSiteStatus::Draft, ..site.site.clone() };
    assert_eq!(site.clone().edit(draft).unwrap_err(), SiteEditError::DraftOpened);
    assert_eq!(site.clone().record_visit(), Change::default(), "a second visit writes nothing");
    let deleted = site.delete().deletions;
    assert_eq!(deleted, [Deletion::LinkSite { id: LinkSiteId::from_bytes([7; 16]), is_kept: true }]);
}

#[test]
fn revision_changes_with_the_configuration_but_not_with_submissions() {
    let site = site();
    let before = site.revision();
    let Row::LinkSite(submitted) = site.clone().record_submission().unwrap().rows.remove(0) else { panic!() };
    assert_eq!((submitted.site.submissions, submitted.revision()), (1, before.clone()));
    let urls = SiteUrls::new("https://hosted.example", true);
    assert_eq!(site.clone().view(&urls).revision, before);
    let renamed = link_site::LinkSite { name: "Cars".into(), ..site.site.clone() };
    let (edited, _) = site.edit(renamed).unwrap();
    assert_eq!(edited.check_revision(Some(&before)), Err(SiteEditError::Changed));
    assert_eq!(edited.check_revision(Some(&edited.revision())), Ok(()));
    assert_eq!(edited.check_revision(None), Ok(()));
}

#[test]
fn site_is_not_embedded_where_its_template_forbids_it() {
    let own = vec!["https://app.example".to_owned(), "https://shop.example".to_owned()];
    let site = link_site::LinkSite { embed_origins: own, ..wire() };
    assert_eq!(embedders(&site, &template(&["https://shop.example"])), ["https://shop.example"]);
    assert_eq!(embedders(&wire(), &template(&["https://shop.example"])), Vec::<String>::new());
}

#[test]
fn site_is_open_until_its_limits() {
    let now = fixture::context().now().tenant();
    let check = |change: fn(&mut link_site::LinkSite)| {
        let mut site = site();
        change(&mut site.site);
        site.check_open(now)
    };
    assert_eq!(check(|_| {}), Ok(()));
    assert_eq!(check(|it| it.status = LinkSiteStatus::Draft), Err(SiteClosedError::Draft));
    assert_eq!(check(|it| it.status = LinkSiteStatus::Closed), Err(SiteClosedError::Closed));
    assert_eq!(check(|it| it.limits.closes_at = Some(it.created_at)), Err(SiteClosedError::Closed));
    assert_eq!(check(|it| it.access = LinkSiteAccess::ProvenEmail), Ok(()));
    assert_eq!(check(|it| it.access = LinkSiteAccess::Invitation), Err(SiteClosedError::InvitationOnly));
    let mut site = site();
    site.site.limits.submissions = Some(1);
    let change = site.record_submission().unwrap();
    let [Row::LinkSite(full)] = change.rows.as_slice() else { panic!("{change:?}") };
    assert_eq!(full.check_open(now), Err(SiteClosedError::Full));
    assert_eq!(full.clone().record_submission(), Err(SiteClosedError::Full));
}

#[test]
fn next_step_is_the_first_that_is_not_done() {
    let steps = [LinkSiteStep::Widget, LinkSiteStep::Form, LinkSiteStep::ThankYou];
    let mut progress = VisitProgress::default();
    assert_eq!(next_step(&steps, progress), LinkSiteStep::Widget);
    progress.is_uploaded = true;
    assert_eq!(next_step(&steps, progress), LinkSiteStep::Form);
    progress.is_submitted = true;
    assert_eq!(next_step(&steps, progress), LinkSiteStep::ThankYou);
}
