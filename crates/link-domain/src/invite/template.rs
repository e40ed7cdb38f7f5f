//! Invite templates and their two variables.

use link_types::invite_template;

use crate::owner::Owner;

/// An invite template with its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InviteTemplate {
    /// Tenant and environment of the template.
    pub owner: Owner,
    /// The template as REST shows it.
    pub template: invite_template::InviteTemplate,
}

/// Values of the variables.
#[derive(Clone, Copy)]
pub struct Variables<'a> {
    /// Name of the sender, for `${companyName}`.
    pub company_name: &'a str,
    /// Name of the recipient, for `${fullName}`.
    pub full_name: &'a str,
}

/// An unknown variable in a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableFault {
    /// Field that contains the variable, like `email.body`.
    pub field: &'static str,
    /// Name of the variable, truncated to 64 characters.
    pub name: String,
}

/// Returns every unknown variable in a template.
pub fn variable_faults(template: &invite_template::InviteTemplate) -> Vec<VariableFault> {
    let texts = [
        ("email.subject", &template.email.subject),
        ("email.body", &template.email.body),
        ("landingPage.header", &template.landing_page.header),
        ("landingPage.description", &template.landing_page.description),
        ("landingPage.button", &template.landing_page.button),
        ("successPage.header", &template.success_page.header),
        ("successPage.description", &template.success_page.description),
    ];
    let mut faults = Vec::new();
    for (field, text) in texts {
        let names = pieces(text).filter_map(|piece| match piece {
            Piece::Variable(name) => Some(name),
            Piece::Text(_) => None,
        });
        faults.extend(
            names
                .filter(|name| value(name, Variables { company_name: "", full_name: "" }).is_none())
                .map(|name| VariableFault { field, name: name.chars().take(64).collect() }),
        );
    }
    faults
}

impl Variables<'_> {
    /// Replaces the variables in a text by their values. Variables inside the values are not replaced.
    pub fn fill(self, text: &str) -> String {
        pieces(text)
            .map(|piece| match piece {
                Piece::Text(text) => text.to_owned(),
                Piece::Variable(name) => match value(name, self) {
                    Some(value) => value.to_owned(),
                    None => format!("${{{name}}}"),
                },
            })
            .collect()
    }
}

fn value<'a>(name: &str, variables: Variables<'a>) -> Option<&'a str> {
    match name {
        "companyName" => Some(variables.company_name),
        "fullName" => Some(variables.full_name),
        _ => None,
    }
}

enum Piece<'a> {
    Text(&'a str),
    Variable(&'a str),
}

/// Splits a text at its variables. An unclosed `${` treats the rest of the text as its name.
fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    text.split("${")
        .enumerate()
        .flat_map(|(index, part)| {
            if index == 0 {
                return [Some(Piece::Text(part)), None];
            }
            match part.split_once('}') {
                Some((name, rest)) => [Some(Piece::Variable(name)), Some(Piece::Text(rest))],
                None => [Some(Piece::Variable(part)), None],
            }
        })
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use rstest::rstest;

    #[rstest]
    #[case("Dear ${fullName}, ${companyName} asks", "Dear Ana, Acme asks")]
    #[case("${fullName}${fullName}", "AnaAna")]
    #[case("costs $5 {really}", "costs $5 {really}")]
    fn both_variables_are_filled_in(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(Variables { company_name: "Acme", full_name: "Ana" }.fill(text), expected);
    }

    #[test]
    fn variables_inside_values_are_not_replaced() {
        let variables = Variables { company_name: "${fullName}", full_name: "Ana" };
        assert_eq!(variables.fill("From ${companyName}"), "From ${fullName}");
    }

    #[test]
    fn unknown_variables_are_reported_with_their_field() {
        let mut template = fixture::invite_template().template;
        assert_eq!(variable_faults(&template), []);
        template.email.subject = "Hi ${firstName}".into();
        template.success_page.header = "Done ${".into();
        let found: Vec<_> = variable_faults(&template).into_iter().map(|it| (it.field, it.name)).collect();
        let expected = [("email.subject", "firstName".to_owned()), ("successPage.header", String::new())];
        assert_eq!(found, expected);
    }
}
