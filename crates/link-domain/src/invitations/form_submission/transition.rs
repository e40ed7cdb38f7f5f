//! Submitting a form: the answers are validated against the form.

use std::collections::BTreeMap;

use link_types::form_submission::{FormAnswer, LinkSiteField, LinkSiteFieldType, LinkSiteForm};
use link_types::format::{FieldFormat, FormatFaultError};
use link_types::id::{FormId, LinkSiteId, UserId};

use super::{AnswerFault, FormContent, FormSubmission};
use crate::change::job::{Job, JobKind};
use crate::change::{Change, Row};
use crate::invitations::invite::Visit;
use crate::kernel::context::Context;

/// Maximum number of characters in an answer.
const MAX_ANSWER: u16 = 2_000;

impl FormSubmission {
    /// Submits the form of `site` during a visit. `answers` are the texts as a browser sends them: a ticked checkbox
    /// has a text, an empty field has an empty text or is absent. Answers to fields that the form does not have are
    /// ignored.
    ///
    /// # Errors
    /// Returns every invalid answer.
    pub fn submit(
        form: &LinkSiteForm,
        site: LinkSiteId,
        visit: &Visit,
        user_id: UserId,
        answers: &BTreeMap<String, String>,
        context: &mut Context,
    ) -> Result<(Self, Change), Vec<AnswerFault>> {
        let mut data = BTreeMap::new();
        let mut faults = Vec::new();
        for field in &form.fields {
            match read(field, answers.get(&field.name).map_or("", |it| it.trim())) {
                Ok(answer) => drop(data.insert(field.name.clone(), answer)),
                Err(fault) => faults.push(AnswerFault { field: field.name.clone(), fault }),
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let created_at = context.now().tenant();
        let submission = Self {
            id: FormId::from_bytes(context.uuid()),
            owner: visit.owner.clone(),
            user_id,
            link_site_id: site,
            visit_id: visit.id.clone(),
            created_at,
            content: FormContent { name: form.name.clone(), reference: form.reference.clone(), data },
        };
        let expiry = JobKind::ExpireScope { scope: submission.scope() };
        let change = Change {
            rows: vec![Row::Form(Box::new(submission.clone()))],
            jobs: vec![Job::due(&visit.owner, expiry, submission.data_ends_at(), context)],
            ..Change::default()
        };
        Ok((submission, change))
    }
}

fn read(field: &LinkSiteField, text: &str) -> Result<FormAnswer, FormatFaultError> {
    if field.field_type == LinkSiteFieldType::Checkbox {
        return match text.is_empty() && field.required {
            true => Err(FormatFaultError::Empty),
            false => Ok(FormAnswer::Ticked(!text.is_empty())),
        };
    }
    if text.is_empty() {
        return if field.required { Err(FormatFaultError::Empty) } else { Ok(FormAnswer::Unanswered) };
    }
    let format = match field.field_type {
        LinkSiteFieldType::Text | LinkSiteFieldType::Checkbox => {
            FieldFormat::Text { min: 1, max: MAX_ANSWER }
        }
        LinkSiteFieldType::Email => FieldFormat::Email {},
        LinkSiteFieldType::Phone => FieldFormat::Phone {},
        LinkSiteFieldType::Date => FieldFormat::Date {},
        LinkSiteFieldType::Choice => FieldFormat::OneOf { values: field.choices.clone() },
    };
    Ok(FormAnswer::Text(format.read(text)?.replace('\0', "")))
}

#[cfg(test)]
mod tests {
    use super::super::FORM_RETENTION;
    use super::super::definition::tests::field;
    use super::*;
    use crate::fixture;
    use rstest::rstest;

    fn form() -> LinkSiteForm {
        let mut notes = field("notes", LinkSiteFieldType::Text, &[]);
        notes.required = false;
        LinkSiteForm {
            name: Some("Loan".into()),
            reference: "loan-2026".into(),
            locale: "en".into(),
            translations: BTreeMap::new(),
            fields: vec![
                field("email", LinkSiteFieldType::Email, &[]),
                field("use", LinkSiteFieldType::Choice, &["Car", "Home"]),
                field("truth", LinkSiteFieldType::Checkbox, &[]),
                notes,
            ],
        }
    }

    fn submit(answers: &[(&str, &str)]) -> Result<(FormSubmission, Change), Vec<AnswerFault>> {
        let answers = answers.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        let site = super::super::site_of(&link_types::id::LinkTemplateId::from_bytes([1; 16]));
        let visit = fixture::visit();
        FormSubmission::submit(&form(), site, &visit, fixture::user_id(), &answers, &mut fixture::context())
    }

    #[test]
    fn answers_are_stored_by_field_name_for_60_days() {
        let answers = [("email", " a@example.com "), ("use", "Car"), ("truth", "on"), ("odd", "x")];
        let (submission, change) = submit(&answers).unwrap();
        let json = serde_json::to_value(&submission.content.data).unwrap();
        let expected =
            serde_json::json!({"email": "a@example.com", "use": "Car", "truth": true, "notes": null});
        assert_eq!(json, expected);
        assert_eq!(
            (submission.content.reference.as_str(), submission.visit_id.clone()),
            ("loan-2026", fixture::visit().id)
        );
        assert_eq!(change.jobs[0].due_at, submission.created_at + FORM_RETENTION);
        assert!(!format!("{submission:?}").contains("example.com"), "{submission:?}");
    }

    #[rstest]
    #[case::empty(&[], &["email", "use", "truth"])]
    #[case::malformed(&[("email", "a"), ("use", "Boat"), ("truth", "on")], &["email", "use"])]
    #[case::unticked(&[("email", "a@example.com"), ("use", "Car"), ("truth", "")], &["truth"])]
    fn every_invalid_answer_is_reported(#[case] answers: &[(&str, &str)], #[case] expected: &[&str]) {
        let faults = submit(answers).unwrap_err();
        assert_eq!(faults.iter().map(|it| it.field.as_str()).collect::<Vec<_>>(), expected);
    }
}
