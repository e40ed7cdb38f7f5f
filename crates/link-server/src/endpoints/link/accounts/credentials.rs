//! Checks a login's values against the provider's own form, with the same formats that the widget checks.

use std::collections::BTreeMap;

use link_types::Sensitive;
use link_types::problem::{FaultCode, FieldFault};
use link_types::provider::{FieldSchema, LoginOption};

use crate::http::problem::{fault, format_fault};

/// Every fault of the values, by field; a value is never repeated.
pub(super) fn check(option: &LoginOption, values: &BTreeMap<String, Sensitive>) -> Vec<FieldFault> {
    let mut faults = Vec::new();
    for field in option.fields.iter().filter(|it| is_visible(it, values)) {
        let at = format!("credentials.{}", field.name);
        match values.get(&field.name).filter(|it| !it.is_empty()) {
            None if field.required => faults.push(fault(at, FaultCode::Missing, "required")),
            None => {}
            Some(value) => {
                if let Err(wrong) = field.format.check(value.expose()) {
                    faults.push(format_fault(at, wrong));
                }
            }
        }
    }
    for name in values.keys().filter(|name| !option.fields.iter().any(|it| it.name == **name)) {
        let name: String = name.chars().take(64).collect();
        faults.push(fault(format!("credentials.{name}"), FaultCode::Unknown, "no such field"));
    }
    faults
}

/// The text that names the login: the first field that is no secret.
pub(super) fn login_name(option: &LoginOption, values: &BTreeMap<String, Sensitive>) -> Option<Sensitive> {
    let field = option.fields.iter().find(|it| !it.is_secret())?;
    values.get(&field.name).cloned()
}

fn is_visible(field: &FieldSchema, values: &BTreeMap<String, Sensitive>) -> bool {
    field
        .visible_when
        .as_ref()
        .is_none_or(|it| values.get(&it.field).is_some_and(|value| value.expose() == it.equals))
}

#[cfg(test)]
mod tests {
    use super::*;
    use link_types::format::FieldFormat;
    use link_types::provider::FieldType;

    #[test]
    fn all_faults_of_a_login_are_named_and_no_value_is() {
        let option = LoginOption {
            id: "password".into(),
            label: "Password".into(),
            fields: vec![
                FieldSchema::new("curp", "CURP", FieldType::Text, FieldFormat::Curp {}),
                FieldSchema::new(
                    "password",
                    "Password",
                    FieldType::Password,
                    FieldFormat::Text { min: 1, max: 64 },
                ),
            ],
        };
        let values = [("curp", "canary"), ("odd", "canary")];
        let values = values.map(|(name, value)| (name.to_owned(), Sensitive::new(value))).into();
        let faults = check(&option, &values);
        let named: Vec<_> = faults.iter().map(|it| (it.field.as_str(), it.code)).collect();
        let expected = [
            ("credentials.curp", FaultCode::Invalid),
            ("credentials.password", FaultCode::Missing),
            ("credentials.odd", FaultCode::Unknown),
        ];
        assert_eq!(named, expected);
        assert!(!format!("{faults:?}").contains("canary"));
        assert_eq!(login_name(&option, &values).unwrap().expose(), "canary");
    }
}
