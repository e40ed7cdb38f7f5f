//! Requests to the service.

use std::time::Duration;

use hyper::Method;
use link_connectors::rest::{RestBody, RestClient, RestRequest, RestResponse};
use link_types::Sensitive;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::address;
use crate::connection::Credentials;
use crate::failure::{self, CallError, TenantCommandError};

/// The name of this client in the header `User-Agent`.
pub(crate) const USER_AGENT: &str = concat!("linchpin-cli/", env!("CARGO_PKG_VERSION"));
/// How long a request may take, in addition to the time for which the service waits.
pub(crate) const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// The REST interface of one environment.
pub struct Rest {
    client: RestClient,
    base: String,
    authorization: Sensitive,
    runtime: tokio::runtime::Runtime,
}

impl Rest {
    /// Prepares requests with an API key.
    ///
    /// # Errors
    /// [`TenantCommandError::Usage`] if the system provides no event loop.
    pub fn new(credentials: &Credentials) -> Result<Self, TenantCommandError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| TenantCommandError::Usage(error.to_string()))?;
        // The client begins to use timers when it is created.
        let client = runtime.block_on(async { RestClient::new(USER_AGENT) });
        let authorization = credentials.key.authorization();
        Ok(Self { client, base: credentials.base.clone(), authorization, runtime })
    }

    /// Returns the base address.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Checks that the address is not that of production, for a command that only a sandbox has.
    ///
    /// # Errors
    /// [`TenantCommandError::Usage`] for production.
    pub fn check_sandbox(&self) -> Result<(), TenantCommandError> {
        let [sandbox, production] = address::PREFIXES;
        if self.base.ends_with(sandbox) || !self.base.ends_with(production) {
            return Ok(());
        }
        Err(TenantCommandError::Usage(format!(
            "{} is production, and this command works only in a sandbox. Use an API key of the sandbox",
            self.base
        )))
    }

    /// Sends a request, and reads the JSON of its response.
    ///
    /// # Errors
    /// [`CallError`] if the service refuses the request or does not respond.
    pub fn call<T: DeserializeOwned>(
        &self,
        (method, path): (Method, &str),
        body: Option<&Value>,
        wait: Duration,
    ) -> Result<T, CallError> {
        let response = self.receive((method, path), body, wait)?;
        let status = response.status;
        serde_json::from_slice(&response.body).map_err(|_| CallError::Foreign { status })
    }

    fn receive(
        &self,
        (method, path): (Method, &str),
        body: Option<&Value>,
        wait: Duration,
    ) -> Result<RestResponse, CallError> {
        let url = format!("{}{path}", self.base);
        let request = RestRequest {
            method,
            url: &url,
            authorization: Some(&self.authorization),
            body: body.map(|it| RestBody::Json(it.to_string().into_bytes())),
            timeout: REQUEST_TIMEOUT + wait,
        };
        let response = self.runtime.block_on(self.client.send(request)).map_err(CallError::Unreached)?;
        let status = response.status;
        if !(200..300).contains(&status) {
            return Err(failure::read(status, &response.body, response.retry_after, response.location));
        }
        Ok(response)
    }

    /// Sends a request whose response has no body.
    ///
    /// # Errors
    /// [`TenantCommandError`] if the service refuses the request or does not respond.
    pub fn call_without_response(&self, request: (Method, &str)) -> Result<(), TenantCommandError> {
        let sent = self.receive(request, None, Duration::ZERO).map(drop);
        sent.map_err(|error| error.explain(&self.base))
    }

    /// Sends a `GET`.
    ///
    /// # Errors
    /// [`TenantCommandError`] if the service refuses the request or does not respond.
    pub fn get(&self, path: &str) -> Result<Value, TenantCommandError> {
        self.send((Method::GET, path), None)
    }

    /// Sends a `POST`.
    ///
    /// # Errors
    /// [`TenantCommandError`] if the service refuses the request or does not respond.
    pub fn post(&self, path: &str, body: Option<&Value>) -> Result<Value, TenantCommandError> {
        self.send((Method::POST, path), body)
    }

    /// Sends a request.
    ///
    /// # Errors
    /// [`TenantCommandError`] if the service refuses the request or does not respond.
    pub fn send(&self, request: (Method, &str), body: Option<&Value>) -> Result<Value, TenantCommandError> {
        self.call(request, body, Duration::ZERO).map_err(|error| error.explain(&self.base))
    }
}
