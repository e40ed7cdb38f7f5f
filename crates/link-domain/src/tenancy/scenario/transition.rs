//! Creating a custom login.

use link_types::id::ScenarioId;
use link_types::problem::{FaultCode, FieldFault};

use super::{ASKS_LIMIT, Scenario, ScenarioOutcome};
use crate::change::{Change, Row};
use crate::kernel::context::Context;
use crate::kernel::owner::Owner;

impl Scenario {
    /// Creates a custom login. `is_published` returns whether a login is one of the published ones, which every tenant
    /// has.
    ///
    /// # Errors
    ///
    /// Returns every error, by field.
    pub fn create(
        owner: Owner,
        login: &str,
        outcome: ScenarioOutcome,
        is_published: impl Fn(&str) -> bool,
        context: &mut Context,
    ) -> Result<(Self, Change), Vec<FieldFault>> {
        let mut faults = Vec::new();
        let mut reject = |field: &str, code, message: &str| {
            faults.push(FieldFault {
                field: field.to_owned(),
                code,
                message: message.to_owned(),
                file_fault: None,
            });
        };
        let is_allowed =
            |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '_' | '-');
        if !(3..=64).contains(&login.len()) || !login.chars().all(is_allowed) {
            let message = "must have 3 to 64 lowercase letters, digits, dots, underscores and hyphens";
            reject("login", FaultCode::Invalid, message);
        } else if is_published(login) || login.starts_with("mfa-") || login.starts_with("error-") {
            reject("login", FaultCode::Invalid, "must not be a published login or start with mfa- or error-");
        }
        if outcome.password.is_empty() || outcome.password.chars().count() > 128 {
            reject("password", FaultCode::TooLong, "must have 1 to 128 characters");
        }
        if outcome.asks.len() > ASKS_LIMIT {
            reject("asks", FaultCode::TooLong, "must have at most 5 entries");
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let scenario = Self {
            id: ScenarioId::from_bytes(context.uuid()),
            owner,
            created_at: context.now().tenant(),
            login: login.to_owned(),
            outcome,
        };
        let change = Change::row(Row::Scenario(Box::new(scenario.clone())));
        Ok((scenario, change))
    }
}

#[cfg(test)]
mod tests {
    use link_types::scenario::{ScenarioAsk, ScenarioData};

    use super::*;
    use crate::fixture;
    use rstest::rstest;

    fn outcome() -> ScenarioOutcome {
        let password = "pass".to_owned();
        ScenarioOutcome { password, asks: Vec::new(), error_code: None, data: ScenarioData::default() }
    }

    #[rstest]
    #[case("ana.ruiz", true)]
    #[case("good", false)]
    #[case("error-nothing", false)]
    #[case("mfa-mine", false)]
    #[case("Ana", false)]
    #[case("ab", false)]
    fn custom_login_must_not_clash_with_published_ones(#[case] login: &str, #[case] accepted: bool) {
        let made = Scenario::create(
            fixture::owner(),
            login,
            outcome(),
            |login| login == "good",
            &mut fixture::context(),
        );
        assert_eq!(made.is_ok(), accepted);
    }

    #[test]
    fn all_errors_of_a_custom_login_are_reported() {
        let asks = vec![ScenarioAsk::Code; 6];
        let outcome = ScenarioOutcome { password: String::new(), asks, ..outcome() };
        let made = Scenario::create(fixture::owner(), "!", outcome, |_| false, &mut fixture::context());
        let fields: Vec<String> = made.unwrap_err().into_iter().map(|fault| fault.field).collect();
        assert_eq!(fields, ["login", "password", "asks"]);
    }
}
