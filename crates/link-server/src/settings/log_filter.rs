//! What is logged, as an operator writes it.

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Directive;

use super::SettingsError;

/// The filter, once each part is seen to be a level, or a target or span, with a level or without. What is logged goes by the
/// filter's own rules, to which any word is a target: a misspelt level would log nothing at all.
pub(super) fn checked(filter: String) -> Result<String, SettingsError> {
    match filter.split(',').find(|part| !is_directive(part.trim())) {
        Some(part) => Err(SettingsError::Log { part: part.to_owned() }),
        None => Ok(filter),
    }
}

fn is_directive(part: &str) -> bool {
    // Targets are paths of modules, which no level looks like.
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
