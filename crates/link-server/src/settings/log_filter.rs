//! Validation of the log filter.

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Directive;

use super::error::SettingsError;

/// Checks that each part of a filter is a level, or a target or span with or without a level.
///
/// `tracing` accepts any word as a target, so a mistyped level would log nothing at all.
pub(super) fn checked(filter: String) -> Result<String, SettingsError> {
    match filter.split(',').find(|part| !is_directive(part.trim())) {
        Some(part) => Err(SettingsError::Log { part: part.to_owned() }),
        None => Ok(filter),
    }
}

fn is_directive(part: &str) -> bool {
    // Only a target, which is a module path, contains `_` or `:`. A level never does.
    let is_target = part.contains(['_', ':']) && !part.contains('=');
    if part.contains('[') || is_target {
        return part.parse::<Directive>().is_ok();
    }
    let (target, level) = match part.split_once('=') {
        Some((target, level)) => (Some(target.trim()), level.trim()),
        None => (None, part),
    };
    target != Some("") && !level.is_empty() && level.parse::<LevelFilter>().is_ok()
}
