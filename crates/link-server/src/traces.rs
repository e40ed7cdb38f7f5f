//! Traces of requests and background work, sent to a collector over OTLP/HTTP (ADR 268).
//!
//! Without `OTEL_EXPORTER_OTLP_ENDPOINT`, there is neither an exporter nor a tracer, and no span is created. Names and
//! attributes are those of the program: routes, queues and statuses, but never a path, a tenant, a person or an id of one.

mod exporter;

use std::borrow::Cow;
use std::sync::OnceLock;
use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, Method};
use axum::response::Response;
use opentelemetry::propagation::TextMapPropagator as _;
use opentelemetry::trace::{
    FutureExt as _, SpanKind, Status, TraceContextExt as _, Tracer as _, TracerProvider as _,
};
use opentelemetry::{Context, KeyValue, global};
use opentelemetry_http::HeaderExtractor;
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};
use tokio::runtime::Handle;

use self::exporter::CollectorClient;

const NAME: &str = "linchpin";
/// How long a stop waits for the last spans.
const TIMEOUT: Duration = Duration::from_secs(2);

const TRACEPARENT_NAME: &str = "traceparent";
const TRACEPARENT: HeaderName = HeaderName::from_static(TRACEPARENT_NAME);

static TRACER: OnceLock<SdkTracer> = OnceLock::new();

/// The variables of OpenTelemetry are wrong.
#[derive(Debug, thiserror::Error)]
#[error(
    "OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is not the address of a collector, such as \
     http://localhost:4318, or OTEL_EXPORTER_OTLP_COMPRESSION is set, which is not supported"
)]
pub struct TracesError;

/// Sends the spans of this process.
pub struct Traces(SdkTracerProvider);

/// Returns whether the variables of OpenTelemetry ask for traces.
fn is_wanted(variable: impl Fn(&str) -> Option<String>) -> bool {
    let is = |name: &str, value: &str| variable(name).is_some_and(|it| it.eq_ignore_ascii_case(value));
    let is_set = |name: &str| variable(name).is_some_and(|it| !it.is_empty());
    let has_endpoint = is_set("OTEL_EXPORTER_OTLP_ENDPOINT") || is_set("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
    has_endpoint && !is("OTEL_SDK_DISABLED", "true") && !is("OTEL_TRACES_EXPORTER", "none")
}

/// Starts traces if the variables of OpenTelemetry ask for them. Their library reads the endpoint, headers and sampler.
///
/// # Errors
/// If the endpoint is not a URL, or compression is set.
pub fn start(runtime: Handle) -> Result<Option<Traces>, TracesError> {
    if !is_wanted(|name| std::env::var(name).ok()) {
        return Ok(None);
    }
    let exporter = SpanExporter::builder()
        .with_http()
        .with_http_client(CollectorClient::new(runtime))
        .with_protocol(Protocol::HttpBinary)
        .build();
    // The error of the library may contain the password in the endpoint.
    let exporter = exporter.map_err(|_| TracesError)?;
    let mut resource =
        Resource::builder().with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")));
    let has_name = std::env::var("OTEL_SERVICE_NAME").is_ok_and(|it| !it.is_empty());
    let has_attribute =
        std::env::var("OTEL_RESOURCE_ATTRIBUTES").is_ok_and(|it| it.contains("service.name="));
    if !has_name && !has_attribute {
        resource = resource.with_service_name(NAME);
    }
    let provider =
        SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource.build()).build();
    // The store and the connectors only know the interface.
    global::set_tracer_provider(provider.clone());
    drop(TRACER.set(provider.tracer(NAME)));
    tracing::info!("Sending traces to the collector of OTEL_EXPORTER_OTLP_ENDPOINT");
    Ok(Some(Traces(provider)))
}

impl Traces {
    /// Sends the last spans, for at most 2 seconds.
    pub async fn stop(self) {
        let stopped = tokio::task::spawn_blocking(move || self.0.shutdown_with_timeout(TIMEOUT)).await;
        if !matches!(stopped, Ok(Ok(()))) {
            tracing::warn!("The last traces could not be sent in time");
        }
    }
}

/// A request that may be traced.
pub struct TracedRequest {
    parent: Context,
    name: String,
    attributes: Vec<KeyValue>,
}

impl TracedRequest {
    /// Returns the request, with the caller's span as its parent. `None` if traces are off.
    pub fn new(headers: &HeaderMap, method: &Method, route: &str, id: &str) -> Option<Self> {
        TRACER.get()?;
        // Without `tracestate`, which is a caller's text and would be in each span.
        let told = headers.get(TRACEPARENT).map(|it| (TRACEPARENT, it.clone())).into_iter().collect();
        let parent =
            TraceContextPropagator::new().extract_with_context(&Context::new(), &HeaderExtractor(&told));
        // A client can invent methods.
        let method = match method.as_str() {
            known @ ("GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS") => known,
            _ => "_OTHER",
        };
        let attributes = vec![
            KeyValue::new("http.request.method", method.to_owned()),
            KeyValue::new("http.route", route.to_owned()),
            KeyValue::new("linchpin.request_id", id.to_owned()),
        ];
        Some(Self { parent, name: format!("{method} {route}"), attributes })
    }
}

/// Runs a request in its span.
pub async fn trace_request(request: Option<TracedRequest>, work: impl Future<Output = Response>) -> Response {
    let (Some(tracer), Some(request)) = (TRACER.get(), request) else { return work.await };
    let TracedRequest { parent, name, attributes } = request;
    let span = tracer.span_builder(name).with_kind(SpanKind::Server).with_attributes(attributes);
    let context = parent.with_span(span.start_with_context(tracer, &parent));
    let response = work.with_context(context.clone()).await;
    let status = response.status();
    context.span().set_attribute(KeyValue::new("http.response.status_code", i64::from(status.as_u16())));
    if status.is_server_error() {
        context.span().set_status(Status::error(""));
    }
    response
}

/// Returns the value of `traceparent` for a request that the current work sends to a tenant's receiver. `None` if traces are
/// off, or if the work is not sampled: the receiver then decides on its own.
pub fn format_traceparent() -> Option<(&'static str, String)> {
    TRACER.get()?;
    Context::map_current(|it| {
        let own = it.span().span_context().clone();
        let value = || format!("00-{}-{}-01", own.trace_id(), own.span_id());
        own.is_sampled().then(|| (TRACEPARENT_NAME, value()))
    })
}

/// Runs background work in its span. `is_good` says whether its result is a success.
pub async fn trace_work<T>(
    (kind, name): (SpanKind, impl FnOnce() -> Cow<'static, str>),
    attributes: impl IntoIterator<Item = KeyValue>,
    is_good: impl FnOnce(&T) -> bool,
    work: impl Future<Output = T>,
) -> T {
    let Some(tracer) = TRACER.get() else { return work.await };
    let span = tracer.span_builder(name()).with_kind(kind).with_attributes(attributes);
    let context = Context::current_with_span(span.start(tracer));
    let done = work.with_context(context.clone()).await;
    if !is_good(&done) {
        context.span().set_status(Status::error(""));
    }
    done
}

/// Runs background work in the first span of a trace, like [`trace_work`], even if it is part of a request: the caller of
/// that cannot choose the ids.
pub async fn begin_trace<T>(
    named: (SpanKind, impl FnOnce() -> Cow<'static, str>),
    attributes: impl IntoIterator<Item = KeyValue>,
    is_good: impl FnOnce(&T) -> bool,
    work: impl Future<Output = T>,
) -> T {
    trace_work(named, attributes, is_good, work).with_context(Context::new()).await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_wanted_with(variables: &[(&str, &str)]) -> bool {
        is_wanted(|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn traces_are_off_without_an_endpoint() {
        let endpoint = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318");
        assert!(!is_wanted_with(&[]) && !is_wanted_with(&[("OTEL_EXPORTER_OTLP_ENDPOINT", "")]));
        assert!(is_wanted_with(&[endpoint]));
        assert!(!is_wanted_with(&[endpoint, ("OTEL_SDK_DISABLED", "TRUE")]));
        assert!(!is_wanted_with(&[endpoint, ("OTEL_TRACES_EXPORTER", "none")]));
    }
}
