//! Errors of command line requests.

use link_store::StoreError;
use link_types::problem::FieldFault;

use crate::http::problem::Problem;

/// Reason why a request failed and what to do, as a message for the operator.
pub(super) struct Refusal(pub(super) String);

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self(error.to_string())
    }
}

impl From<&str> for Refusal {
    fn from(message: &str) -> Self {
        Self(message.to_owned())
    }
}

impl From<Vec<FieldFault>> for Refusal {
    fn from(faults: Vec<FieldFault>) -> Self {
        let messages: Vec<String> = faults.iter().map(|it| format!("{} {}", it.field, it.message)).collect();
        Self(messages.join("; "))
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        problem.log();
        if problem.errors().is_empty() {
            Self(problem.detail().to_owned())
        } else {
            problem.errors().to_vec().into()
        }
    }
}
