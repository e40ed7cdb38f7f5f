use std::collections::BTreeMap;

use link_types::form_submission::{ConditionJoin, ConditionOperator, ConditionRule, FieldCondition};
use rstest::rstest;

use super::super::FORM_RETENTION;
use super::super::definition::tests::field;
use super::*;
use crate::fixture;

fn form() -> LinkSiteForm {
    let mut notes = field("notes", LinkSiteFieldType::Text, &[]);
    notes.required = false;
    let mut brand = field("brand", LinkSiteFieldType::Text, &[]);
    let rule = ConditionRule {
        field: "use".into(),
        operator: ConditionOperator::Equals,
        values: vec!["Car".into()],
    };
    brand.condition = Some(FieldCondition { join: ConditionJoin::All, rules: vec![rule] });
    let mut campaign = field("campaign", LinkSiteFieldType::Hidden, &[]);
    campaign.required = false;
    LinkSiteForm {
        name: Some("Loan".into()),
        reference: "loan-2026".into(),
        locale: "en".into(),
        translations: BTreeMap::new(),
        fields: vec![
            field("email", LinkSiteFieldType::Email, &[]),
            field("use", LinkSiteFieldType::Choice, &["Car", "Home"]),
            brand,
            field("truth", LinkSiteFieldType::Checkbox, &[]),
            notes,
            campaign,
        ],
    }
}

fn of_visit<'a>(
    form: &'a LinkSiteForm,
    visit: &'a Visit,
    started: Option<FormSubmission>,
) -> FormOfVisit<'a> {
    let site = super::super::site_of(&link_types::id::LinkTemplateId::from_bytes([1; 16]));
    FormOfVisit { form, site, visit, started }
}

fn texts(answers: &[(&str, &str)]) -> AnswerTexts {
    answers.iter().map(|(name, text)| ((*name).to_owned(), vec![(*text).to_owned()])).collect()
}

fn submit(
    answers: &[(&str, &str)],
    shown: &[&str],
    started: Option<FormSubmission>,
) -> Result<(FormSubmission, Change), InvalidAnswersError> {
    let shown = shown.iter().map(|it| (*it).to_owned()).collect();
    let sent = SentAnswers { texts: texts(answers), shown, has_bait: false, ..SentAnswers::default() };
    let (form, visit) = (form(), fixture::visit());
    FormSubmission::submit(of_visit(&form, &visit, started), &sent, &mut fixture::context())
}

fn json(form: &FormSubmission) -> serde_json::Value {
    serde_json::to_value(&form.content.data).unwrap()
}

const HOME: [(&str, &str); 4] =
    [("email", " a@example.com "), ("use", "Home"), ("truth", "on"), ("odd", "x")];

#[test]
fn answers_are_stored_by_field_name_for_60_days() {
    let (submission, change) = submit(&HOME, &[], None).unwrap();
    let expected = serde_json::json!(
        {"email": "a@example.com", "use": "Home", "truth": true, "notes": null, "campaign": null}
    );
    assert_eq!(json(&submission), expected);
    assert!(submission.is_submitted());
    assert_eq!(submission.content.reference, "loan-2026");
    assert_eq!(submission.visit_id, fixture::visit().id);
    assert_eq!(change.jobs[0].due_at, submission.created_at + FORM_RETENTION);
    assert!(!format!("{submission:?}").contains("example.com"), "{submission:?}");
}

#[rstest]
#[case::empty(&[], &["email", "use", "truth"])]
#[case::malformed(&[("email", "a"), ("use", "Boat"), ("truth", "on")], &["email", "use"])]
#[case::unticked(&[("email", "a@example.com"), ("use", "Home"), ("truth", "")], &["truth"])]
fn every_invalid_answer_is_reported(#[case] answers: &[(&str, &str)], #[case] expected: &[&str]) {
    let rejected = submit(answers, &[], None).unwrap_err();
    assert_eq!(rejected.faults.iter().map(|it| it.field.as_str()).collect::<Vec<_>>(), expected);
    assert!(!rejected.has_more_fields);
}

#[test]
fn field_that_an_answer_shows_is_asked_before_it_is_required() {
    let answers = [("email", "a@example.com"), ("use", "Car"), ("truth", "on")];
    let rejected = submit(&answers, &[], None).unwrap_err();
    assert_eq!(rejected, InvalidAnswersError { faults: Vec::new(), has_more_fields: true });
    let rejected = submit(&answers, &["brand"], None).unwrap_err();
    assert_eq!((rejected.faults.len(), rejected.has_more_fields), (1, false));
}

#[test]
fn answer_to_a_hidden_field_is_not_stored() {
    let answers = [&HOME[..], &[("brand", "Aurora")]].concat();
    let (submission, _) = submit(&answers, &["brand"], None).unwrap();
    assert!(!submission.content.data.contains_key("brand"));
}

#[test]
fn stored_answers_keep_invalid_text_until_the_form_is_submitted() {
    let (form, visit, mut context) = (form(), fixture::visit(), fixture::context());
    let answers = texts(&[("email", "a"), ("use", "Home")]);
    let (started, change) = FormSubmission::save(of_visit(&form, &visit, None), &answers, &mut context);
    assert_eq!((started.is_submitted(), change.jobs.len()), (false, 1));
    assert_eq!(json(&started)["email"], "a");
    let again = of_visit(&form, &visit, Some(started.clone()));
    assert_eq!(again.read_stored().data, started.content.data);
    let (_, change) = FormSubmission::save(again, &answers, &mut context);
    assert_eq!(change, Change::default(), "the same answers are written once");
    let (submitted, change) = submit(&HOME, &[], Some(started.clone())).unwrap();
    assert_eq!((&submitted.id, submitted.created_at), (&started.id, started.created_at));
    assert!(submitted.is_submitted() && change.jobs.is_empty());
}

#[test]
fn hidden_field_has_the_value_of_the_address() {
    let (form, visit, mut context) = (form(), fixture::visit(), fixture::context());
    let prefilled = texts(&[("campaign", "spring")]);
    let reference = Some("customer-7".to_owned());
    let (started, _) =
        FormSubmission::start(of_visit(&form, &visit, None), reference, &prefilled, &mut context);
    let answers = [&HOME[..], &[("campaign", "forged")]].concat();
    let (submitted, _) = submit(&answers, &[], Some(started)).unwrap();
    assert_eq!(json(&submitted)["campaign"], "spring");
    assert_eq!(submitted.content.reference, "customer-7");
}

#[test]
fn required_answer_has_more_than_nul_characters() {
    let answers = [("email", "a@b.example"), ("use", "Car"), ("brand", "\0\0"), ("truth", "on")];
    let rejected = submit(&answers, &["brand"], None).unwrap_err();
    assert_eq!(rejected.faults.iter().map(|it| it.field.as_str()).collect::<Vec<_>>(), ["brand"]);
}
