//! The listener of the metrics.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use prometheus::{Encoder as _, TEXT_FORMAT, TextEncoder};
use tokio::net::TcpListener;

use super::gauges::Gauges;
use crate::app::App;

struct Served {
    app: App,
    gauges: Gauges,
}

/// Binds the address of `--metrics-listen`.
///
/// # Errors
/// If the address is in use or not of this machine. The message says what to do.
pub async fn bind(address: SocketAddr) -> std::io::Result<TcpListener> {
    TcpListener::bind(address).await.map_err(|error| {
        let advice = "Choose a free address of this machine with --metrics-listen";
        std::io::Error::other(format!("cannot listen for metrics on {address} ({error}). {advice}"))
    })
}

/// Serves `GET /metrics` until the service stops.
pub async fn serve(app: App, listener: TcpListener) {
    let gauges = match Gauges::register(app.reports.metrics.registry(), &app) {
        Ok(gauges) => gauges,
        Err(error) => {
            tracing::error!(%error, "The metrics cannot be served");
            return;
        }
    };
    let mut stopping = app.stopping.clone();
    let router = Router::new().route("/metrics", get(read)).with_state(Arc::new(Served { app, gauges }));
    let serving = axum::serve(listener, router).with_graceful_shutdown(async move {
        // An error means that the sender is gone, which also means stop.
        drop(stopping.wait_for(|stop| *stop).await);
    });
    if let Err(error) = serving.await {
        tracing::error!(%error, "Serving the metrics failed");
    }
}

async fn read(State(served): State<Arc<Served>>) -> Response {
    served.gauges.measure(&served.app).await;
    let mut text = Vec::new();
    match TextEncoder::new().encode(&served.app.reports.metrics.registry().gather(), &mut text) {
        Ok(()) => ([(header::CONTENT_TYPE, TEXT_FORMAT)], text).into_response(),
        Err(error) => {
            tracing::error!(%error, "The metrics cannot be written");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}
