//! A form's definition: what a schema cannot say of it.

use std::collections::BTreeSet;

use link_types::form_submission::{LinkSiteFieldType, LinkSiteForm};
use link_types::id::{LinkSiteId, LinkTemplateId};

/// What is wrong with a form's definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldFault {
    /// Where, like `fields[2].choices`.
    pub path: String,
    /// Why.
    pub kind: FieldFaultKind,
}

/// Why a field is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FieldFaultKind {
    /// Another field has its name.
    #[error("another field has this name")]
    SameName,
    /// A CHOICE offers nothing, or says one thing twice or nothing at all.
    #[error("1 to 50 choices of 1 to 200 characters, each once")]
    Choices,
    /// Choices stand beside a field that takes none.
    #[error("only a CHOICE has choices")]
    NoChoices,
}

/// Every fault of a form's definition.
pub fn faults(form: &LinkSiteForm) -> Vec<FieldFault> {
    let mut faults = Vec::new();
    let mut names = BTreeSet::new();
    for (index, field) in form.fields.iter().enumerate() {
        let mut fault = |part: &str, kind| {
            faults.push(FieldFault { path: format!("fields[{index}].{part}"), kind });
        };
        if !names.insert(&field.name) {
            fault("name", FieldFaultKind::SameName);
        }
        let fits = |choice: &String| (1..=200).contains(&choice.chars().count());
        let distinct: BTreeSet<&String> = field.choices.iter().collect();
        match field.field_type {
            LinkSiteFieldType::Choice => {
                let whole = !field.choices.is_empty() && distinct.len() == field.choices.len();
                if !whole || !field.choices.iter().all(fits) {
                    fault("choices", FieldFaultKind::Choices);
                }
            }
            LinkSiteFieldType::Text
            | LinkSiteFieldType::Email
            | LinkSiteFieldType::Phone
            | LinkSiteFieldType::Date
            | LinkSiteFieldType::Checkbox => {
                if !field.choices.is_empty() {
                    fault("choices", FieldFaultKind::NoChoices);
                }
            }
        }
    }
    faults
}

/// The hosted site of a link template: its digits are the template's.
pub fn site_of(template: &LinkTemplateId) -> LinkSiteId {
    let digits = template.as_str().trim_start_matches(LinkTemplateId::PREFIX);
    let mut bytes = [0; 16];
    for (byte, at) in bytes.iter_mut().zip((0..).step_by(2)) {
        *byte = digits.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok()).unwrap_or(0);
    }
    LinkSiteId::from_bytes(bytes)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use link_types::form_submission::LinkSiteField;

    pub(in super::super) fn field(
        name: &str,
        field_type: LinkSiteFieldType,
        choices: &[&str],
    ) -> LinkSiteField {
        LinkSiteField {
            name: name.into(),
            label: name.into(),
            field_type,
            required: true,
            choices: choices.iter().map(|it| (*it).to_owned()).collect(),
            help: None,
        }
    }

    #[test]
    fn a_definition_is_checked_whole() {
        let fields = vec![
            field("income", LinkSiteFieldType::Text, &[]),
            field("income", LinkSiteFieldType::Text, &["a"]),
            field("use", LinkSiteFieldType::Choice, &["Car", "Car"]),
            field("use2", LinkSiteFieldType::Choice, &["Car", "Home"]),
        ];
        let form = LinkSiteForm { name: None, reference: "loan".into(), fields };
        let found: Vec<_> = faults(&form).into_iter().map(|it| (it.path, it.kind)).collect();
        let expected = [
            ("fields[1].name".to_owned(), FieldFaultKind::SameName),
            ("fields[1].choices".to_owned(), FieldFaultKind::NoChoices),
            ("fields[2].choices".to_owned(), FieldFaultKind::Choices),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_site_has_the_digits_of_its_template() {
        let template = LinkTemplateId::from_bytes([0x1f; 16]);
        assert_eq!(site_of(&template).as_str(), format!("site-{}", "1f".repeat(16)));
    }
}
