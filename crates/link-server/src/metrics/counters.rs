//! Counters of the work that the service does.

use std::time::{Duration, Instant};

use axum::http::{HeaderMap, Method, StatusCode};
use link_domain::change::job::JobQueue;
use link_domain::notifications::webhook_sender::{AttemptOutcome, SendError};
use link_types::problem::ProblemCode;
use prometheus::{
    Histogram, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, Opts, Registry,
};

use crate::http::limits::rate_limit;

/// Upper bounds of durations of requests, in seconds.
const REQUEST_BOUNDS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];
/// Upper bounds of durations of work that waits for other systems, in seconds.
const WORK_BOUNDS: [f64; 11] = [0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0, 600.0];

/// The counters of this process. They begin at zero with each start.
pub struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    request_seconds: HistogramVec,
    problems: IntCounterVec,
    limited: IntCounterVec,
    connections: IntGauge,
    refused_connections: IntCounterVec,
    attempts: IntCounterVec,
    attempt_seconds: Histogram,
    jobs: IntCounterVec,
    job_seconds: HistogramVec,
    sign_ons: IntCounterVec,
    backups: IntCounter,
    last_backup: IntGauge,
    settings_refused: IntGauge,
    started: Instant,
}

/// How a job ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobOutcome {
    /// The job is finished.
    Done,
    /// The job failed and runs again.
    Failed,
}

/// Part of the service that a route belongs to.
fn area(route: &str) -> &'static str {
    let below = route.strip_prefix("/sandbox").unwrap_or(route);
    if below.starts_with("/v1/link/") {
        "widget"
    } else if below.starts_with("/v1/") || below.starts_with("/alpha/") {
        "api"
    } else if below.starts_with("/console") {
        "console"
    } else if below.starts_with("/sdk") {
        "frame"
    } else {
        "pages"
    }
}

impl Metrics {
    /// Creates counters at zero.
    ///
    /// # Errors
    /// If two metrics have the same name, which a test rules out.
    pub fn new() -> prometheus::Result<Self> {
        let registry = Registry::new();
        let counter = |name: &str, help: &str, labels: &[&str]| {
            let counters = IntCounterVec::new(Opts::new(name, help), labels)?;
            registry.register(Box::new(counters.clone()))?;
            prometheus::Result::Ok(counters)
        };
        let histogram = |name: &str, help: &str, labels: &[&str], bounds: &[f64]| {
            let durations =
                HistogramVec::new(HistogramOpts::new(name, help).buckets(bounds.to_vec()), labels)?;
            registry.register(Box::new(durations.clone()))?;
            prometheus::Result::Ok(durations)
        };
        let gauge = |name: &str, help: &str| {
            let gauge = IntGauge::new(name, help)?;
            registry.register(Box::new(gauge.clone()))?;
            prometheus::Result::Ok(gauge)
        };
        let backups = IntCounter::new("linchpin_backups_total", "Backups written since the start.")?;
        registry.register(Box::new(backups.clone()))?;
        let attempt_seconds = HistogramOpts::new(
            "linchpin_delivery_attempt_duration_seconds",
            "Duration of attempts to deliver events to webhooks.",
        );
        let attempt_seconds = Histogram::with_opts(attempt_seconds.buckets(WORK_BOUNDS.to_vec()))?;
        registry.register(Box::new(attempt_seconds.clone()))?;
        Ok(Self {
            requests: counter(
                "linchpin_http_requests_total",
                "Requests by route, method and status.",
                &["route", "method", "status"],
            )?,
            request_seconds: histogram(
                "linchpin_http_request_duration_seconds",
                "Time until the head of the response, by part of the service. Long polls wait up to 25 s.",
                &["area"],
                &REQUEST_BOUNDS,
            )?,
            problems: counter("linchpin_http_problems_total", "Problem documents by their code.", &["code"])?,
            limited: counter(
                "linchpin_http_limited_total",
                "Requests refused by a rate limit, by limit.",
                &["limit"],
            )?,
            connections: gauge("linchpin_connections", "Open client connections.")?,
            refused_connections: counter(
                "linchpin_connections_refused_total",
                "Connections refused, by limit.",
                &["limit"],
            )?,
            attempts: counter(
                "linchpin_delivery_attempts_total",
                "Attempts to deliver events to webhooks, by outcome.",
                &["outcome"],
            )?,
            attempt_seconds,
            jobs: counter("linchpin_jobs_total", "Jobs run, by queue and outcome.", &["queue", "outcome"])?,
            job_seconds: histogram(
                "linchpin_job_duration_seconds",
                "Duration of jobs, by queue.",
                &["queue"],
                &WORK_BOUNDS,
            )?,
            sign_ons: counter(
                "linchpin_single_sign_ons_total",
                "People who came back from an OpenID provider, by outcome.",
                &["outcome"],
            )?,
            backups,
            last_backup: gauge(
                "linchpin_last_backup_timestamp_seconds",
                "Time of the last good backup: since the start, or on the schedule of all nodes. 0 if there was none.",
            )?,
            settings_refused: gauge(
                "linchpin_settings_refused",
                "1 if the settings that SIGHUP read last were not valid, so the former ones are in effect.",
            )?,
            registry,
            started: Instant::now(),
        })
    }

    /// Returns the registry, for an encoder.
    pub(super) const fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Counts a completed request. `route` is its template, or `unmatched`.
    pub fn count_request(
        &self,
        (route, method): (&str, &Method),
        (status, code): (StatusCode, Option<ProblemCode>),
        headers: &HeaderMap,
        took: Duration,
    ) {
        let method = if is_known(method) { method.as_str() } else { "other" };
        self.requests.with_label_values(&[route, method, status.as_str()]).inc();
        self.request_seconds.with_label_values(&[area(route)]).observe(took.as_secs_f64());
        if let Some(code) = code {
            self.problems.with_label_values(&[code.as_str()]).inc();
        }
        if status == StatusCode::TOO_MANY_REQUESTS {
            self.limited.with_label_values(&[rate_limit::name_of(headers).unwrap_or("other")]).inc();
        }
    }

    /// Counts a connection until the result is dropped.
    pub fn open_connection(&self) -> OpenConnection {
        self.connections.inc();
        OpenConnection(self.connections.clone())
    }

    /// Counts a connection that was refused because of a limit: `network` or `total`.
    pub fn count_refused_connection(&self, limit: &'static str) {
        self.refused_connections.with_label_values(&[limit]).inc();
    }

    /// Counts an attempt to deliver an event.
    pub fn count_attempt(&self, outcome: &AttemptOutcome) {
        self.attempts.with_label_values(&[attempt_outcome(outcome)]).inc();
        self.attempt_seconds.observe(outcome.took.as_secs_f64());
    }

    /// Counts a job that ran.
    pub fn count_job(&self, queue: JobQueue, outcome: JobOutcome, took: Duration) {
        let outcome = match outcome {
            JobOutcome::Done => "done",
            JobOutcome::Failed => "failed",
        };
        self.jobs.with_label_values(&[queue.as_str(), outcome]).inc();
        self.job_seconds.with_label_values(&[queue.as_str()]).observe(took.as_secs_f64());
    }

    /// Counts a person who came back from an OpenID provider. `outcome` is the code of the page, or `DONE`.
    pub fn count_sign_on(&self, outcome: &'static str) {
        self.sign_ons.with_label_values(&[outcome]).inc();
    }

    /// Counts a backup.
    pub fn count_backup(&self) {
        self.backups.inc();
    }

    /// Notes when the last backup was written, in seconds since 1970.
    pub fn note_backup(&self, at: i64) {
        self.last_backup.set(at);
    }

    /// Notes whether the settings that were read last are refused.
    pub fn set_settings_refused(&self, are_refused: bool) {
        self.settings_refused.set(i64::from(are_refused));
    }

    /// Returns the time since the start.
    pub fn uptime(&self) -> Duration {
        self.started.elapsed()
    }
}

/// An open connection. Dropping it counts down.
pub struct OpenConnection(IntGauge);

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// Returns whether the method may be a label. A client can invent others.
fn is_known(method: &Method) -> bool {
    [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::HEAD, Method::OPTIONS]
        .contains(method)
}

fn attempt_outcome(outcome: &AttemptOutcome) -> &'static str {
    match &outcome.result {
        Ok(response) => match response.status {
            200..=299 => "accepted",
            300..=399 => "redirect",
            400..=499 => "client_error",
            _ => "server_error",
        },
        Err(SendError::AddressRefused | SendError::PlainRefused | SendError::NetworkRefused) => "refused",
        Err(SendError::Unresolved) => "unresolved",
        Err(SendError::ConnectFailed) => "connect_failed",
        Err(SendError::Tls(_)) => "tls",
        Err(SendError::TimedOut) => "timed_out",
        Err(SendError::Broken) => "broken",
    }
}
