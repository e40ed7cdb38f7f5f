//! Reads the data of a signed-in person.

use serde_json::{Value, json};

use super::document::CERTIFICATE;
use super::pages;
use super::portal::{Portal, PortalError, Shown, Visit};

/// The contributions as a share of the salary, in hundredths of a percent.
const CONTRIBUTION_BASIS_POINTS: u32 = 1_065;
/// The maximum number of pages of contributions to read.
const MAX_PAGES: usize = 100;

/// Reason why the data could not be read.
enum ReadError {
    /// The portal is unavailable, or its pages have an unexpected structure.
    Unavailable,
    /// The session has ended.
    SignedOut,
}

impl From<PortalError> for ReadError {
    fn from(_: PortalError) -> Self {
        Self::Unavailable
    }
}

/// Handles `POST /linchpin/v1/fetch` and `POST /linchpin/v1/refresh`. Both read all data.
pub fn read(portal: &Portal, message: &Value) -> Option<Value> {
    let mut visit = portal.visit(message["state"].as_str()?);
    let failed = |code: &str| json!({"outcome": "FAILED", "errorCode": code});
    Some(match data(&mut visit) {
        Ok(data) => json!({
            "outcome": "COMPLETE",
            "state": visit.cookie(),
            "contributionBasisPoints": CONTRIBUTION_BASIS_POINTS,
            "data": data,
        }),
        Err(ReadError::Unavailable) => failed("SERVICE_UNAVAILABLE"),
        Err(ReadError::SignedOut) => failed("EXPIRED_CREDENTIALS"),
    })
}

fn data(visit: &mut Visit<'_>) -> Result<Value, ReadError> {
    let home = page(visit, "/inicio")?;
    let identity = pages::identity(&home).ok_or(ReadError::Unavailable)?;
    let employments = pages::employments(&page(visit, "/empleos")?).ok_or(ReadError::Unavailable)?;
    let (mut contributions, mut next) = (Vec::new(), Some("/aportaciones".to_owned()));
    for _ in 0..MAX_PAGES {
        let Some(path) = next else { break };
        let page = page(visit, &path)?;
        contributions.extend(pages::contributions(&page).ok_or(ReadError::Unavailable)?);
        next = pages::next(&page);
    }
    // The portal lists the newest first, but the protocol requires the oldest first.
    contributions.reverse();
    let documents = certificate(&home, &identity, contributions.last());
    Ok(json!({
        "identity": identity,
        "employments": employments,
        "contributions": contributions,
        "documents": documents,
    }))
}

/// Returns the certificate of contributions as a document with a file. The newest contribution is its version: when it
/// changes, the service fetches the file again.
fn certificate(home: &str, identity: &Value, newest: Option<&Value>) -> Vec<Value> {
    let certificate = pages::certificate(home).zip(newest).map(|(name, newest)| {
        let version = newest["referenceId"].as_str().unwrap_or_default();
        json!({
            "name": name,
            "docId": identity["referenceId"],
            "documentType": "CERTIFICATE",
            "issueDate": newest["date"],
            "file": format!("{CERTIFICATE}#{version}"),
        })
    });
    certificate.into_iter().collect()
}

fn page(visit: &mut Visit<'_>, path: &str) -> Result<String, ReadError> {
    match visit.open(path)? {
        Shown::Page(page) => Ok(page),
        Shown::Redirect(_) => Err(ReadError::SignedOut),
    }
}
