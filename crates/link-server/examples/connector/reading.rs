//! Reading what the portal shows to whoever is signed in.

use serde_json::{Value, json};

use super::pages;
use super::portal::{Portal, Shown, Unavailable, Visit};

/// Contributions are this share of the salary, in hundredths of a percent.
const CONTRIBUTION_BASIS_POINTS: u32 = 1_065;
/// Pages of contributions that are read at most.
const PAGES: usize = 100;

/// Why there is nothing.
enum Nothing {
    /// The portal is not there, or its pages are not the ones this connector knows.
    Unavailable,
    /// The session has ended.
    SignedOut,
}

impl From<Unavailable> for Nothing {
    fn from(_: Unavailable) -> Self {
        Self::Unavailable
    }
}

/// `POST /linchpin/v1/fetch` and `POST /linchpin/v1/refresh`: everything, each time.
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
        Err(Nothing::Unavailable) => failed("SERVICE_UNAVAILABLE"),
        Err(Nothing::SignedOut) => failed("EXPIRED_CREDENTIALS"),
    })
}

fn data(visit: &mut Visit<'_>) -> Result<Value, Nothing> {
    let identity = pages::identity(&page(visit, "/inicio")?).ok_or(Nothing::Unavailable)?;
    let employments = pages::employments(&page(visit, "/empleos")?).ok_or(Nothing::Unavailable)?;
    let (mut contributions, mut next) = (Vec::new(), Some("/aportaciones".to_owned()));
    for _ in 0..PAGES {
        let Some(path) = next else { break };
        let page = page(visit, &path)?;
        contributions.extend(pages::contributions(&page).ok_or(Nothing::Unavailable)?);
        next = pages::next(&page);
    }
    // The portal shows the newest first, the protocol wants the oldest first.
    contributions.reverse();
    Ok(json!({"identity": identity, "employments": employments, "contributions": contributions}))
}

fn page(visit: &mut Visit<'_>, path: &str) -> Result<String, Nothing> {
    match visit.open(path)? {
        Shown::Page(page) => Ok(page),
        Shown::Redirect(_) => Err(Nothing::SignedOut),
    }
}
