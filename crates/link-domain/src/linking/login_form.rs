//! Validates a login's values against the provider's form, with the same formats as the widget.

use link_types::format::FieldFormat;
use link_types::provider::{FieldSchema, FieldType, LoginOption};

use crate::linking::account_source::Credentials;

/// Returns the field whose text names the login: the first that is not a secret.
pub fn name_field(option: &LoginOption) -> Option<&FieldSchema> {
    option.fields.iter().find(|field| !field.is_secret())
}

/// Returns whether tries of a login can be counted by its name: the name is a required text field that is always shown.
pub fn names_its_login(option: &LoginOption) -> bool {
    let can_name = |field: &FieldSchema| {
        field.required
            && field.field_type != FieldType::Select
            && !matches!(field.format, FieldFormat::OneOf { .. })
            && field.visible_when.is_none()
    };
    name_field(option).is_some_and(can_name)
}

/// Returns whether the values fit the form: every visible field is valid, and there are no other fields.
pub fn fits(option: &LoginOption, values: &Credentials) -> bool {
    let is_shown =
        |name: &String| option.fields.iter().any(|field| field.name == *name && is_visible(field, values));
    let is_right = |field: &FieldSchema| match values.0.get(&field.name).filter(|it| !it.is_empty()) {
        None => !field.required,
        Some(value) => field.format.check(value.expose()).is_ok(),
    };
    values.0.iter().filter(|(_, value)| !value.is_empty()).all(|(name, _)| is_shown(name))
        && values.0.keys().all(|name| option.fields.iter().any(|field| field.name == *name))
        && option.fields.iter().filter(|field| is_visible(field, values)).all(is_right)
}

fn is_visible(field: &FieldSchema, values: &Credentials) -> bool {
    field
        .visible_when
        .as_ref()
        .is_none_or(|it| values.0.get(&it.field).is_some_and(|value| value.expose() == it.equals))
}

#[cfg(test)]
mod tests {
    use super::*;
    use link_types::Sensitive;
    use link_types::provider::VisibleWhen;
    use rstest::rstest;

    fn option() -> LoginOption {
        let password = FieldFormat::Text { min: 1, max: 64 };
        LoginOption {
            id: "password".into(),
            label: "Password".into(),
            fields: vec![
                FieldSchema::new("password", "Password", FieldType::Password, password),
                FieldSchema::new("email", "E-mail", FieldType::Email, FieldFormat::Email {}),
                FieldSchema {
                    visible_when: Some(VisibleWhen {
                        field: "email".into(),
                        equals: "old@example.com".into(),
                    }),
                    ..FieldSchema::new(
                        "card",
                        "Card",
                        FieldType::Text,
                        FieldFormat::Digits { min: 6, max: 6 },
                    )
                },
            ],
        }
    }

    #[rstest]
    #[case::complete(&[("email", "a@example.com"), ("password", "x")], true)]
    #[case::malformed(&[("email", "a"), ("password", "x")], false)]
    #[case::missing(&[("email", "a@example.com")], false)]
    #[case::empty(&[("email", "a@example.com"), ("password", "")], false)]
    #[case::unknown_field(&[("email", "a@example.com"), ("password", "x"), ("odd", "x")], false)]
    #[case::conditional_field_missing(&[("email", "old@example.com"), ("password", "x")], false)]
    #[case::conditional_field_given(&[("email", "old@example.com"), ("password", "x"), ("card", "123456")], true)]
    #[case::hidden_field_empty(&[("email", "a@example.com"), ("password", "x"), ("card", "")], true)]
    #[case::hidden_field_malformed(&[("email", "a@example.com"), ("password", "x"), ("card", "x")], false)]
    #[case::hidden_field_filled(&[("email", "a@example.com"), ("password", "x"), ("card", "123456")], false)]
    fn form_values_must_match_the_form_exactly(#[case] values: &[(&str, &str)], #[case] expected: bool) {
        let values = values.iter().map(|(name, value)| ((*name).to_owned(), Sensitive::new(*value)));
        assert_eq!(fits(&option(), &Credentials(values.collect())), expected);
    }

    #[test]
    fn login_name_is_a_required_text_that_is_always_visible() {
        let named_by = |field| {
            let fields = [vec![field], option().fields].concat();
            names_its_login(&LoginOption { fields, ..option() })
        };
        let text =
            || FieldSchema::new("user", "User", FieldType::Text, FieldFormat::Text { min: 1, max: 64 });
        assert!(names_its_login(&option()) && named_by(text()));
        let values = vec!["a".to_owned(), "b".to_owned()];
        let one_of = FieldFormat::OneOf { values };
        assert!(!named_by(FieldSchema::new("state", "State", FieldType::Select, one_of.clone())));
        assert!(!named_by(FieldSchema { format: one_of, ..text() }));
        assert!(!named_by(FieldSchema { required: false, ..text() }));
        let condition = VisibleWhen { field: "email".into(), equals: "x@example.com".into() };
        assert!(!named_by(FieldSchema { visible_when: Some(condition), ..text() }));
    }

    #[test]
    fn first_non_secret_field_names_the_login() {
        assert_eq!(name_field(&option()).map(|field| field.name.as_str()), Some("email"));
    }
}
