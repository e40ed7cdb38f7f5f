//! The state that a connector has the service keep between requests.

use link_domain::linking::account_source::SourceState;

use crate::http_source::fault::ExchangeError;

/// The maximum length of a state, in bytes.
const STATE_LIMIT: usize = 64 * 1024;

/// Returns a state, if it is within the limit.
pub(super) fn state_of(state: Option<String>) -> Result<Option<SourceState>, ExchangeError> {
    match state {
        Some(text) if text.len() > STATE_LIMIT => Err(ExchangeError::at("state")),
        Some(text) => Ok(Some(SourceState::new(text))),
        None => Ok(None),
    }
}
