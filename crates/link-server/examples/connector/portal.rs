//! An HTTP client for the portal. It handles the session's cookie itself, because the cookie is part of the `state`.

use std::time::Duration;

use ureq::Agent;
use ureq::http::header::{COOKIE, LOCATION, SET_COOKIE};
use ureq::http::{Response, StatusCode};

/// The portal.
pub struct Portal {
    address: String,
    agent: Agent,
}

/// The portal's response.
pub enum Shown {
    /// A page.
    Page(String),
    /// A redirect to this path.
    Redirect(String),
}

/// The portal cannot be reached, or responds in an unexpected way.
#[derive(Debug)]
pub struct PortalError;

/// A person's session at the portal.
pub struct Visit<'a> {
    portal: &'a Portal,
    cookie: String,
}

impl Portal {
    pub fn new(address: String) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_global(Some(Duration::from_secs(20)))
            .build();
        Self { address, agent: config.into() }
    }

    /// Resumes a session by its cookie. An empty cookie starts a new session.
    pub fn visit(&self, cookie: &str) -> Visit<'_> {
        Visit { portal: self, cookie: cookie.to_owned() }
    }
}

impl Visit<'_> {
    pub fn cookie(&self) -> &str {
        &self.cookie
    }

    /// Opens a page. The path may come from a link on the portal's pages, so this rejects links to other hosts.
    pub fn open(&mut self, path: &str) -> Result<Shown, PortalError> {
        if !is_of_the_portal(path) {
            return Err(PortalError);
        }
        let request = self.portal.agent.get(format!("{}{path}", self.portal.address));
        let response = request.header(COOKIE, &self.cookie).call();
        self.take(response)
    }

    /// Opens a file of at most 5 MiB. Fails if the portal redirects, because the session has ended.
    pub fn open_file(&mut self, path: &str) -> Result<Vec<u8>, PortalError> {
        if !is_of_the_portal(path) {
            return Err(PortalError);
        }
        let request = self.portal.agent.get(format!("{}{path}", self.portal.address));
        let mut response = request.header(COOKIE, &self.cookie).call().map_err(|_| PortalError)?;
        match response.status() {
            StatusCode::OK => {
                let body = response.body_mut().with_config().limit(5 * 1024 * 1024);
                body.read_to_vec().map_err(|_| PortalError)
            }
            _ => Err(PortalError),
        }
    }

    /// Sends a form.
    pub fn send(&mut self, path: &str, form: &[(&str, &str)]) -> Result<Shown, PortalError> {
        let request = self.portal.agent.post(format!("{}{path}", self.portal.address));
        let response = request.header(COOKIE, &self.cookie).send_form(form.iter().copied());
        self.take(response)
    }

    fn take(&mut self, response: Result<Response<ureq::Body>, ureq::Error>) -> Result<Shown, PortalError> {
        let mut response = response.map_err(|_| PortalError)?;
        let header = |name| response.headers().get(name)?.to_str().ok();
        if let Some(cookie) = header(SET_COOKIE).and_then(|it| it.split(';').next()) {
            self.cookie = cookie.to_owned();
        }
        match response.status() {
            StatusCode::SEE_OTHER => {
                header(LOCATION).map(|it| Shown::Redirect(it.to_owned())).ok_or(PortalError)
            }
            StatusCode::OK => response.body_mut().read_to_string().map(Shown::Page).map_err(|_| PortalError),
            _ => Err(PortalError),
        }
    }
}

/// Returns true if a path stays on the portal. Appended to the portal's URL, `@elsewhere.example` or
/// `.elsewhere.example` would name another host, which would then receive the person's session.
fn is_of_the_portal(path: &str) -> bool {
    path.starts_with('/') && !path.starts_with("//") && !path.contains(['\\', '\r', '\n'])
}
