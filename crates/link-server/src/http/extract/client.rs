//! The client's network, by which unauthenticated requests are limited.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use crate::app::App;
use crate::http::limits::network::{address_of, network};
use crate::http::limits::rate_limit::LimitKey;
use crate::http::problem::{ApiResult, Problem};

/// The network that a request comes from.
#[derive(Debug, Clone, Copy)]
pub struct Network(LimitKey);

impl Network {
    /// Returns the key under which this network is counted.
    pub const fn bytes(&self) -> &LimitKey {
        &self.0
    }

    /// Counts rejected credentials. Returns `refusal`, or 429 if the network sent too many.
    pub fn refused(&self, app: &App, refusal: Problem) -> Problem {
        app.limits().count_refusal(&self.0).err().unwrap_or(refusal)
    }

    /// Checks that the network is below its limit of wrong credentials. Counts nothing.
    ///
    /// # Errors
    /// 429 if the network sent too many.
    pub fn may_be_refused(&self, app: &App) -> ApiResult<()> {
        app.limits().check_refusals(&self.0)
    }

    /// Counts a load of the frame page.
    ///
    /// # Errors
    /// 429 if the network exceeds the limit of frame pages.
    pub fn loads_frame(&self, app: &App) -> ApiResult<()> {
        app.limits().count_frame(&self.0).map(drop)
    }

    /// Counts a request for a resource that does not exist.
    ///
    /// # Errors
    /// 429 if the network exceeds the limit of an API caller.
    pub fn count(&self, app: &App) -> ApiResult<()> {
        app.limits().count(&self.0).map(drop)
    }
}

impl Network {
    /// Returns the network that the request comes from.
    pub fn of(parts: &Parts, app: &App) -> Self {
        Self(limit_key(parts, app))
    }
}

impl FromRequestParts<App> for Network {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        Ok(Self::of(parts, app))
    }
}

/// The network of a client that exchanges a link token. Extracting it counts the exchange before the body is read.
#[derive(Debug, Clone, Copy)]
pub struct Exchanging(pub Network);

impl FromRequestParts<App> for Exchanging {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let network = Network::of(parts, app);
        app.limits().count_exchange(&network.0)?;
        Ok(Self(network))
    }
}

/// Returns the key for limiting a caller that is known only by its address.
fn limit_key(parts: &Parts, app: &App) -> LimitKey {
    network(address_of(&parts.extensions, &parts.headers, &app.settings().trusted_proxies))
}
