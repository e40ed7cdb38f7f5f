//! A widget that is not the phone of a hand-off.

use std::ops::Deref;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use super::session_caller::SessionCaller;
use crate::app::App;
use crate::http::problem::Problem;

/// A widget that is not the phone of a hand-off. A phone continues one step: it starts no login, removes nothing, and sees
/// nothing of the person's other accounts.
pub struct ComputerCaller(SessionCaller);

impl Deref for ComputerCaller {
    type Target = SessionCaller;

    fn deref(&self) -> &SessionCaller {
        &self.0
    }
}

impl FromRequestParts<App> for ComputerCaller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let caller = SessionCaller::from_request_parts(parts, app).await?;
        match caller.handoff() {
            None => Ok(Self(caller)),
            Some(_) => Err(Problem::conflict("This works only on the device that created the code.")),
        }
    }
}
