//! Tests of templates.

use DataPointKind::{Identities, Incomes, Ratings};
use link_types::data::DataPointKind;
use link_types::link::DataChoice;
use rstest::rstest;

use super::*;
use crate::fixture;

#[rstest]
#[case::given_by_person(ConsentGivenBy::Person, false, "1.0", Ok(()))]
#[case::older_version(ConsentGivenBy::Person, false, "0.9", Err(ConsentError::OtherVersion))]
#[case::given_by_tenant(ConsentGivenBy::Tenant, true, "1.0", Ok(()))]
#[case::skip_not_allowed(ConsentGivenBy::Tenant, false, "1.0", Err(ConsentError::SkipNotAllowed))]
fn receipt_must_match_the_shown_version_and_giver(
    #[case] given_by: ConsentGivenBy,
    #[case] allow_skip: bool,
    #[case] version: &str,
    #[case] expected: Result<(), ConsentError>,
) {
    let (mut link, consent) = fixture::templates();
    link.template.allow_consent_skip = allow_skip;
    let receipt = ConsentReceipt { given_by, version: version.into(), ..fixture::receipt() };
    assert_eq!(link.check_consent(&consent, &receipt), expected);
}

#[rstest]
#[case::everything_is_shared(&[Incomes, Ratings], &[], Ok(()))]
#[case::everything_optional_is_declined(&[Incomes, Ratings], &[Ratings, Incomes], Ok(()))]
#[case::required_kind_is_declined(&[Incomes, Ratings], &[Identities], Err(ConsentError::DeclinedRequired))]
#[case::other_kinds_were_shown(&[Incomes], &[Incomes], Err(ConsentError::OtherChoice))]
#[case::more_kinds_were_shown(&[Identities, Incomes, Ratings], &[Identities], Err(ConsentError::OtherChoice))]
#[case::no_choice_was_shown(&[], &[], Err(ConsentError::OtherChoice))]
fn receipt_declines_only_optional_kinds(
    #[case] shown: &[DataPointKind],
    #[case] declined: &[DataPointKind],
    #[case] expected: Result<(), ConsentError>,
) {
    let (mut link, consent) = fixture::templates();
    link.template.optional_data = vec![Incomes, Ratings];
    let choice = DataChoice { optional: shown.to_vec(), declined: declined.to_vec() };
    let receipt = ConsentReceipt { data_choice: Some(choice), ..fixture::receipt() };
    assert_eq!(link.check_consent(&consent, &receipt), expected);
}

#[test]
fn receipt_for_another_consent_template_is_rejected() {
    let (link, mut consent) = fixture::templates();
    consent.template.id = link_types::id::ConsentTemplateId::from_bytes([9; 16]);
    assert_eq!(link.check_consent(&consent, &fixture::receipt()), Err(ConsentError::OtherTemplate));
}

#[rstest]
#[case::uploads_disabled(false, &[], false)]
#[case::every_kind(true, &[], true)]
#[case::listed_kind(true, &[ArchiveType::Payslip], true)]
#[case::other_kind(true, &[ArchiveType::Identification], false)]
fn template_accepts_only_its_kinds_of_documents(
    #[case] uploads_enabled: bool,
    #[case] file_types: &[ArchiveType],
    #[case] expected: bool,
) {
    let (mut link, _) = fixture::templates();
    link.template.uploads_enabled = uploads_enabled;
    link.template.file_types = file_types.to_vec();
    assert_eq!(link.accepts(ArchiveType::Payslip), expected);
}

#[rstest]
fn accounts_sync_if_template_and_provider_allow_it(
    #[values(false, true)] enabled: bool,
    #[values(false, true)] supported: bool,
) {
    let (mut link, _) = fixture::templates();
    link.template.sync_enabled = enabled;
    let provider = Provider { monitor_supported: supported, ..fixture::provider() };
    let expected = (enabled && supported).then_some(SyncInterval::Monthly);
    assert_eq!(link.sync_at(&provider), expected);
    assert_eq!(link.sync().is_some(), enabled);
}

#[rstest]
#[case::sync_is_switched_on(false, Some(true), None, Retention::FromLastSync)]
#[case::sync_is_switched_off(true, Some(false), None, Retention::FromConnection)]
#[case::sync_stays_on(true, Some(true), None, Retention::FromConnection)]
#[case::sync_is_not_named(true, None, None, Retention::FromConnection)]
#[case::retention_is_set(false, None, Some(Retention::FromLastSync), Retention::FromLastSync)]
#[case::both_are_set(false, Some(true), Some(Retention::FromConnection), Retention::FromConnection)]
fn retention_follows_sync_unless_it_is_set(
    #[case] before: bool,
    #[case] enabled: Option<bool>,
    #[case] given: Option<Retention>,
    #[case] expected: Retention,
) {
    let (LinkTemplate { mut template, .. }, _) = fixture::templates();
    template.sync_enabled = before;
    template.retention = Retention::FromConnection;
    LinkTemplate::set_sync(&mut template, enabled, given);
    assert_eq!((template.sync_enabled, template.retention), (enabled.unwrap_or(before), expected));
}

#[test]
fn only_sandbox_templates_without_origins_allow_loopback() {
    let (mut link, _) = fixture::templates();
    link.owner.mode = Mode::Sandbox;
    assert!(!link.allows_origin("http://localhost:5173"), "it lists another origin");
    link.template.allowed_origins.clear();
    assert!(link.allows_origin("http://localhost:5173") && !link.allows_origin("http://shop.example"));
    link.owner.mode = Mode::Production;
    assert_eq!(link.embedders(), Vec::<String>::new());
}

#[test]
fn origin_must_match_exactly() {
    let (link, _) = fixture::templates();
    assert!(link.allows_origin("https://shop.example"));
    assert!(!link.allows_origin("https://shop.example.evil.example"));
    assert!(!link.allows_origin("http://shop.example"));
}

#[rstest]
#[case::own("en-US", "en", "You share your data.")]
#[case::translated("es-AR, en;q=0.5", "es-MX", "Compartes tus datos.")]
#[case::unknown("tlh", "en", "You share your data.")]
fn consent_text_is_shown_in_the_best_language(
    #[case] languages: &str,
    #[case] locale: &str,
    #[case] text: &str,
) {
    let (link, mut consent) = fixture::templates();
    consent.template.translations = spanish();
    let shown = link.session_view(&consent, &Languages::from_header(languages)).consent;
    assert_eq!((shown.locale.as_str(), shown.text.as_str()), (locale, text));
    let receipt = ConsentReceipt { locale: shown.locale, ..fixture::receipt() };
    assert_eq!(link.check_consent(&consent, &receipt), Ok(()));
}

#[test]
fn receipt_for_a_language_without_text_is_rejected() {
    let (link, consent) = fixture::templates();
    let receipt = ConsentReceipt { locale: "fil".into(), ..fixture::receipt() };
    assert_eq!(link.check_consent(&consent, &receipt), Err(ConsentError::OtherLocale));
}

#[test]
fn translations_have_other_tags_than_the_text_and_a_limit() {
    let (_, ConsentTemplate { template: mut consent, .. }) = fixture::templates();
    consent.translations = spanish();
    assert_eq!(check_translations(&consent.locale, &consent.translations), Ok(()));
    let words = spanish().remove("es-MX").unwrap();
    for key in ["EN", "es_MX"] {
        consent.translations = [(key.to_owned(), words.clone())].into();
        assert_eq!(
            check_translations(&consent.locale, &consent.translations),
            Err(TranslationError::Key),
            "{key}"
        );
    }
    consent.translations = (0..=TRANSLATIONS_LIMIT).map(|at| (format!("es-{at}"), words.clone())).collect();
    assert_eq!(check_translations(&consent.locale, &consent.translations), Err(TranslationError::TooMany));
}

fn spanish() -> std::collections::BTreeMap<String, template::ConsentTranslation> {
    let words =
        template::ConsentTranslation { title: "Tus datos".into(), text: "Compartes tus datos.".into() };
    [("es-MX".to_owned(), words)].into()
}
