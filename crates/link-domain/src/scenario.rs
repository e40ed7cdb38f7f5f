//! A sandbox tenant's own logins beside the published ones.

use link_types::LinkErrorCode;
use link_types::id::ScenarioId;
use link_types::problem::{FaultCode, FieldFault};
use link_types::scenario::{ScenarioAsk, ScenarioData};
use serde::{Deserialize, Serialize};

use crate::change::{Change, Row};
use crate::clock::TenantTime;
use crate::context::Context;
use crate::owner::Owner;

/// Logins of its own that a tenant may have.
pub const SCENARIOS_LIMIT: u64 = 100;
/// Questions that one login may ask.
pub const ASKS_LIMIT: usize = 5;

/// A login of a tenant's own, and what it leads to.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// The id.
    pub id: ScenarioId,
    /// Whose login.
    pub owner: Owner,
    /// When it was added.
    pub created_at: TenantTime,
    /// What the person types, in lower case; where a provider asks for an e-mail address, the part before the `@`.
    pub login: String,
    /// What happens.
    pub outcome: ScenarioOutcome,
}

/// What happens at a login.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScenarioOutcome {
    /// The right password; another is INVALID_CREDENTIALS.
    pub password: String,
    /// What is asked after the password, one after the other.
    pub asks: Vec<ScenarioAsk>,
    /// How the link ends after that; null for CONNECTED.
    pub error_code: Option<LinkErrorCode>,
    /// Whose data is read.
    pub data: ScenarioData,
}

impl Scenario {
    /// Adds a login. `is_published` says which logins every tenant has already.
    ///
    /// # Errors
    ///
    /// Every fault, by field.
    pub fn create(
        owner: Owner,
        login: &str,
        outcome: ScenarioOutcome,
        is_published: impl Fn(&str) -> bool,
        context: &mut Context,
    ) -> Result<(Self, Change), Vec<FieldFault>> {
        let mut faults = Vec::new();
        let mut refuse = |field: &str, code, message: &str| {
            faults.push(FieldFault {
                field: field.to_owned(),
                code,
                message: message.to_owned(),
                file_fault: None,
            });
        };
        let known = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '_' | '-');
        if !(3..=64).contains(&login.len()) || !login.chars().all(known) {
            let form = "must have 3 to 64 lower-case letters, digits, dots, underscores and hyphens";
            refuse("login", FaultCode::Invalid, form);
        } else if is_published(login) || login.starts_with("mfa-") || login.starts_with("error-") {
            refuse(
                "login",
                FaultCode::Invalid,
                "must not be a published login, nor begin with mfa- or error-",
            );
        }
        if outcome.password.is_empty() || outcome.password.chars().count() > 128 {
            refuse("password", FaultCode::TooLong, "must have 1 to 128 characters");
        }
        if outcome.asks.len() > ASKS_LIMIT {
            refuse("asks", FaultCode::TooLong, "must have at most 5 entries");
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
    fn a_login_is_of_the_tenants_own(#[case] login: &str, #[case] accepted: bool) {
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
    fn every_fault_is_named_at_once() {
        let asks = vec![ScenarioAsk::Code; 6];
        let outcome = ScenarioOutcome { password: String::new(), asks, ..outcome() };
        let made = Scenario::create(fixture::owner(), "!", outcome, |_| false, &mut fixture::context());
        let fields: Vec<String> = made.unwrap_err().into_iter().map(|fault| fault.field).collect();
        assert_eq!(fields, ["login", "password", "asks"]);
    }
}
