//! Waits for a database that is away when the service starts. Meanwhile, health checks and requests get responses.

use std::os::fd::AsFd as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;
use link_store::{Store, StoreError, StoreSettings};
use tokio::net::TcpListener;
use tokio::sync::watch;

use super::{ServiceError, opening};
use crate::connections;
use crate::http::problem::Problem;
use crate::metrics::Metrics;
use crate::public::{LIVE, READY, live};
use crate::settings::Settings;

/// The pause before the database is tried again. It doubles up to the maximum.
const PAUSE: Duration = Duration::from_millis(250);
const MAX_PAUSE: Duration = Duration::from_secs(5);

/// Opens the store, and waits while its database is away, for at most `--database-wait-seconds`.
///
/// # Errors
/// If the database is away for longer, or refuses the store for another reason.
pub(super) async fn open_store(
    settings: &Settings,
    store: &StoreSettings,
    listener: &TcpListener,
) -> Result<Store, ServiceError> {
    let deadline = Instant::now() + Duration::from_secs(settings.database_wait_seconds);
    let mut away = match Store::open(store.clone()).await {
        Ok(store) => return Ok(store),
        Err(error) if is_worth_waiting(&error) && settings.database_wait_seconds > 0 => error,
        Err(error) => return Err(opening::not_opened(error, settings)),
    };
    let seconds = settings.database_wait_seconds;
    tracing::warn!(error = %away, seconds, "Waiting for the database before the start");
    let (end, ended) = watch::channel(false);
    // The socket is the same, so no connection is lost when the service takes over.
    let socket = std::net::TcpListener::from(listener.as_fd().try_clone_to_owned()?);
    let listener = TcpListener::from_std(socket)?;
    // No one reads these metrics: their listener starts with the service.
    let (limits, metrics) = (settings.connections.clone(), Arc::new(Metrics::new()?));
    let serving = tokio::spawn(connections::serve(listener, waiting_router(), limits, metrics, ended));
    let mut pause = PAUSE;
    let opened = loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break Err(away);
        }
        tokio::time::sleep(pause.min(left)).await;
        pause = (pause * 2).min(MAX_PAUSE);
        match Store::open(store.clone()).await {
            Err(error) if is_worth_waiting(&error) => away = error,
            opened => break opened,
        }
    };
    end.send_replace(true);
    drop(serving.await);
    opened.map_err(|error| opening::not_opened(error, settings))
}

/// Returns whether the database may be there soon. A rejected login is a fault of the settings.
fn is_worth_waiting(error: &StoreError) -> bool {
    error.is_away() && !matches!(error, StoreError::Refused(_))
}

/// The responses before the database is there: alive, not ready, and 503 for everything else.
pub(crate) fn waiting_router() -> Router {
    Router::new()
        .route(LIVE, get(live))
        .route(
            READY,
            get(async || (StatusCode::SERVICE_UNAVAILABLE, "not ready: waiting for the database\n")),
        )
        .fallback(async || Problem::unavailable("waiting for the database").into_document("-"))
}
