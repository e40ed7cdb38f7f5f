//! Adds connectors to the service's own sources.

use std::sync::Arc;

use link_connectors::http_source::HttpSource;
use link_connectors::routed::{Route, RoutedSource};
use link_connectors::sandbox::SandboxSource;
use link_domain::ports::AccountSource;
use link_types::Mode;

use crate::adapters::no_providers::NoProviders;
use crate::adapters::provider_logos::WithLogos;
use crate::adapters::system::{SystemClock, SystemEntropy};
use crate::app::Parts;
use crate::service::ServiceError;
use crate::settings::Settings;

/// Adds the configured connectors to the sources of their environments.
///
/// # Errors
/// If a provider has two sources, or a CA file cannot be used.
pub(crate) fn with_connectors(parts: Parts) -> Result<Parts, ServiceError> {
    let sandbox = Route::fixed("the sandbox", Arc::clone(&parts.sandbox));
    let production = Route::fixed("the service", Arc::clone(&parts.production));
    Ok(Parts {
        sandbox: joined(&parts, Mode::Sandbox, sandbox)?,
        production: joined(&parts, Mode::Production, production)?,
        ..parts
    })
}

fn joined(parts: &Parts, mode: Mode, own: Route) -> Result<Arc<dyn AccountSource>, ServiceError> {
    let mut routes = vec![own];
    for connector in parts.settings.connectors.iter().filter(|it| it.mode == mode) {
        let settings = connector.settings.clone();
        let (name, serves) = (format!("the connector {}", settings.name), settings.providers.clone());
        let folder = (!parts.settings.ephemeral)
            .then(|| parts.settings.data_dir.join("providers").join(folder_of(mode)));
        let source = HttpSource::new(settings, folder, Arc::clone(&parts.clock), Arc::clone(&parts.entropy))
            .map_err(|error| format!("{name}: {error}"))?;
        routes.push(Route { name, serves, source: Arc::new(source) });
    }
    let source = Arc::new(RoutedSource::new(routes)?);
    let (encoder, sdk_url) = (Arc::clone(&parts.logo_encoder), parts.settings.sdk_url.clone());
    Ok(Arc::new(WithLogos::new(source, encoder, sdk_url)))
}

/// Returns all errors in the connector settings.
pub(crate) fn check_connectors(settings: &Settings) -> Vec<String> {
    let mut faults = Vec::new();
    for mode in [Mode::Sandbox, Mode::Production] {
        let mut routes = match mode {
            Mode::Sandbox => vec![Route::fixed("the sandbox", Arc::new(SandboxSource::new()))],
            Mode::Production => vec![Route::fixed("the service", Arc::new(NoProviders))],
        };
        for connector in settings.connectors.iter().filter(|it| it.mode == mode) {
            let settings = connector.settings.clone();
            let (name, serves) = (format!("the connector {}", settings.name), settings.providers.clone());
            match HttpSource::new(settings, None, Arc::new(SystemClock), Arc::new(SystemEntropy)) {
                Ok(source) => routes.push(Route { name, serves, source: Arc::new(source) }),
                Err(error) => faults.push(format!("{name}: {error}")),
            }
        }
        faults.extend(RoutedSource::new(routes).err().map(|error| error.to_string()));
    }
    faults
}

/// Returns the folder name for the cached catalogues of an environment's connectors.
const fn folder_of(mode: Mode) -> &'static str {
    match mode {
        Mode::Sandbox => "sandbox",
        Mode::Production => "production",
    }
}
