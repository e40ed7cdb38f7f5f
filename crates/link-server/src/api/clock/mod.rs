//! `/clock`: the clock of a sandbox (ADR 170). Production returns 404.

mod advance;
mod get;
mod stop;

use link_domain::kernel::clock::Now;
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::sandbox_clock::Advance;
use link_store::{Reader, StoreError};
use link_types::Mode;
use link_types::Timestamp;
use link_types::clock::Clock;

use crate::http::endpoints::{Endpoints, routes};
use crate::http::problem::{ApiResult, Problem};

pub(crate) use advance::begin;
pub(crate) use stop::stop;

/// Returns the routes of the clock.
pub fn routes() -> Endpoints {
    Endpoints::new().routes(routes!(get::handler)).routes(routes!(advance::handler, stop::handler))
}

/// Checks that the environment is the sandbox.
///
/// # Errors
/// 404 in production.
fn check_sandbox(owner: &Owner) -> ApiResult<()> {
    match owner.mode {
        Mode::Sandbox => Ok(()),
        Mode::Production => Err(Problem::missing()),
    }
}

/// Returns the clock of a sandbox as REST shows it.
///
/// # Errors
/// If the database cannot be read.
pub(crate) fn read(reader: &mut Reader<'_>, owner: &Owner, now: Now) -> Result<Clock, StoreError> {
    let now = Now::new(now.wall(), reader.tenants().offset(owner)?);
    let advance = reader.clock_advances().get(&owner.tenant)?;
    Ok(view(now, advance.as_ref()))
}

fn view(now: Now, advance: Option<&Advance>) -> Clock {
    Clock {
        now: now.tenant().into(),
        real_time: Timestamp::from_micros(now.wall().micros()),
        advance: advance.map(Advance::view),
    }
}
