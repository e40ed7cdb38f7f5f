//! Traces: the spans that a collector gets, and the connectors that continue a trace.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::routing::post;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_domain::notifications::webhook::service_signature;
use link_test_support::receiver::Receiver;
use link_test_support::wait;
use link_types::Sensitive;
use rstest::rstest;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::process::free_port;

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const CANARY: &str = "canary-7d1f";
const SECRET: &str = "a secret of a tenant";

/// A collector that keeps what it gets: the bodies, in which texts are as they are.
#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Vec<(HeaderMap, Bytes)>>>);

impl Collector {
    async fn start(&self) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let take = |State(collector): State<Self>, headers: HeaderMap, body: Bytes| async move {
            collector.0.lock().unwrap().push((headers, body));
        };
        let router = Router::new().route("/v1/traces", post(take)).with_state(self.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        endpoint
    }

    fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap().iter().flat_map(|(_, body)| body.to_vec()).collect()
    }

    fn contains(&self, text: &[u8]) -> bool {
        self.bytes().windows(text.len()).any(|it| it == text)
    }
}

/// A service in memory with variables of OpenTelemetry.
struct Traced {
    child: Child,
    base: String,
    authorization: String,
}

impl Traced {
    fn start(variables: &[(&str, &str)]) -> Self {
        let port = free_port();
        let mut child = Command::new(env!("CARGO_BIN_EXE_linchpin"))
            .args(["serve", "--ephemeral", "--document-sandbox", "best-effort", "--drain-seconds", "5"])
            .args(["--webhook-allow", "127.0.0.0/8", "--listen", &format!("127.0.0.1:{port}")])
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut keys = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut keys).unwrap();
        let keys: Value = serde_json::from_str(&keys).unwrap();
        let [key, secret] =
            ["apiKey", "apiSecret"].map(|it| keys["sandbox"][it].as_str().unwrap().to_owned());
        let authorization = format!("Basic {}", STANDARD.encode(format!("{key}:{secret}")));
        Self { child, base: format!("http://127.0.0.1:{port}/sandbox/v1"), authorization }
    }

    /// Sends a request on a thread for blocking work, so that the collector can run.
    async fn send(
        &self,
        path: &str,
        body: Option<Value>,
        headers: &'static [(&'static str, &'static str)],
    ) -> Value {
        let (url, authorization) = (format!("{}{path}", self.base), self.authorization.clone());
        let send = move || {
            let agent: ureq::Agent = ureq::Agent::config_builder()
                .http_status_as_error(false)
                .timeout_global(Some(Duration::from_secs(20)))
                .build()
                .into();
            let mut response = match body {
                Some(body) => {
                    let request = agent.post(&url).header("authorization", &authorization);
                    let request = headers.iter().fold(request, |it, (name, value)| it.header(*name, *value));
                    request.header("content-type", "application/json").send(body.to_string()).unwrap()
                }
                None => {
                    let request = agent.get(&url).header("authorization", &authorization);
                    headers.iter().fold(request, |it, (name, value)| it.header(*name, *value)).call().unwrap()
                }
            };
            response.body_mut().read_to_string().unwrap()
        };
        let text = tokio::task::spawn_blocking(send).await.unwrap();
        serde_json::from_str(&text).unwrap()
    }

    /// Registers a webhook, and lets it ask for the trace context. Returns its address.
    async fn webhook(&self, url: &str, asks: bool) -> String {
        let hook = json!({"url": url, "eventTypes": ["TASK_FINISHED"], "secret": SECRET});
        let hook = self.send("/webhooks", Some(hook), &[]).await;
        assert_eq!(hook["traceContext"], false, "{hook}");
        let path = format!("{}/webhooks/{}", self.base, hook["id"].as_str().unwrap());
        if !asks {
            return path;
        }
        let (changed_path, authorization) = (path.clone(), self.authorization.clone());
        let changed = tokio::task::spawn_blocking(move || {
            let request = ureq::patch(&changed_path).header("authorization", &authorization);
            let request = request.header("content-type", "application/json");
            request.send(r#"{"traceContext": true}"#).unwrap().body_mut().read_to_string().unwrap()
        });
        let changed: Value = serde_json::from_str(&changed.await.unwrap()).unwrap();
        assert_eq!(changed["traceContext"], true, "{changed}");
        path
    }

    /// Pings a webhook, in a request that is part of the trace [`TRACE`].
    async fn ping(&self, webhook: String, flags: &'static str) {
        let authorization = self.authorization.clone();
        let pinged = tokio::task::spawn_blocking(move || {
            let request = ureq::post(format!("{webhook}/ping")).header("authorization", &authorization);
            let request = request.header("traceparent", format!("00-{TRACE}-00f067aa0ba902b7-{flags}"));
            request.send_empty().unwrap().body_mut().read_to_string().unwrap()
        });
        let pinged: Value = serde_json::from_str(&pinged.await.unwrap()).unwrap();
        assert_eq!(pinged["accepted"], true, "{pinged}");
    }

    /// Stops the service, which sends the last spans. Returns how long it took.
    async fn stop(mut self) -> Duration {
        let began = Instant::now();
        kill_process(Pid::from_child(&self.child), Signal::TERM).unwrap();
        wait::until("the service stops", async || self.child.try_wait().unwrap().is_some()).await;
        began.elapsed()
    }
}

impl Drop for Traced {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn spans_name_routes_and_no_person() {
    let collector = Collector::default();
    let endpoint = collector.start().await;
    let service = Traced::start(&[
        ("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint),
        ("OTEL_EXPORTER_OTLP_HEADERS", "x-collector-key=of-the-operator"),
        ("OTEL_SERVICE_NAME", "lending-prod"),
        ("OTEL_BSP_SCHEDULE_DELAY", "50"),
    ]);
    let receiver = Receiver::start(&[]).await;
    let hook = json!({
        "url": receiver.url, "eventTypes": ["TASK_FINISHED"], "secret": "a secret of a tenant",
    });
    let hook = service.send("/webhooks", Some(hook), &[]).await;
    assert!(hook["id"].is_string(), "{hook}");
    let user = service
        .send("/users", Some(json!({"reference": CANARY, "externalMetadata": {"name": CANARY}})), &[])
        .await;
    let user = user["id"].as_str().unwrap().to_owned();
    let parent = &[
        ("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
        ("tracestate", "k=canary-7d1f"),
    ];
    let read = service.send(&format!("/users/{user}?reference={CANARY}"), None, parent).await;
    assert!(!read.is_null());
    let fired =
        service.send("/events/fire", Some(json!({"type": "TASK_FINISHED", "userId": user})), &[]).await;
    assert!(fired["id"].is_string(), "{fired}");
    receiver.until(1).await;
    let unsampled = &[("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00")];
    service.send("/providers", None, unsampled).await;
    wait::until("the delivery's span arrives", async || collector.contains(b"delivery")).await;
    service.stop().await;
    assert!(!collector.contains(b"GET /sandbox/v1/providers"), "the caller decided not to sample");

    let headers = collector.0.lock().unwrap()[0].0.clone();
    assert_eq!(headers["x-collector-key"], "of-the-operator");
    assert_eq!(headers["content-type"], "application/x-protobuf");
    for name in
        ["GET /sandbox/v1/users/{id}", "POST /sandbox/v1/users", "unit of work", "delivery", "lending-prod"]
    {
        assert!(collector.contains(name.as_bytes()), "{name} is missing");
    }
    let trace: Vec<u8> =
        (0..16).map(|at| u8::from_str_radix(&TRACE[2 * at..2 * at + 2], 16).unwrap()).collect();
    assert!(collector.contains(&trace), "the caller's trace is continued");
    for secret in [CANARY, user.as_str(), "demo", "127.0.0.1", "a secret of a tenant"] {
        assert!(!collector.contains(secret.as_bytes()), "{secret} is in a span");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn webhook_gets_traceparent_only_if_it_asks() {
    let collector = Collector::default();
    let endpoint = collector.start().await;
    let service =
        Traced::start(&[("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint), ("OTEL_BSP_SCHEDULE_DELAY", "50")]);
    let (asks, other) = (Receiver::start(&[]).await, Receiver::start(&[]).await);
    service.webhook(&asks.url, true).await;
    service.webhook(&other.url, false).await;
    service.send("/events/fire", Some(json!({"type": "TASK_FINISHED"})), &[]).await;
    let received = [asks.until(1).await.remove(0), other.until(1).await.remove(0)];
    for it in &received {
        let signature = service_signature(&Sensitive::new(SECRET), &it.body);
        assert_eq!(it.headers["service-signature"], signature, "the signature covers only the body");
        assert!(!it.headers.contains_key("tracestate"));
    }
    assert!(!received[1].headers.contains_key("traceparent"));
    let value = received[0].headers["traceparent"].to_str().unwrap();
    let [version, trace, span, flags] = value.split('-').collect::<Vec<_>>().try_into().unwrap();
    assert_eq!((version, trace.len(), span.len(), flags), ("00", 32, 16, "01"));
    service.stop().await;
    for id in [trace, span] {
        let bytes: Vec<u8> =
            (0..id.len() / 2).map(|at| u8::from_str_radix(&id[2 * at..2 * at + 2], 16).unwrap()).collect();
        assert!(collector.contains(&bytes), "{value} is the span of the delivery");
    }
}

#[rstest]
#[case::sampled("01")]
#[case::unsampled("00")]
#[tokio::test(flavor = "multi_thread")]
async fn ping_is_a_separate_trace_from_the_request(#[case] flags: &'static str) {
    let collector = Collector::default();
    let endpoint = collector.start().await;
    let service =
        Traced::start(&[("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint), ("OTEL_BSP_SCHEDULE_DELAY", "50")]);
    let (asks, other) = (Receiver::start(&[]).await, Receiver::start(&[]).await);
    let [asking, silent] = [service.webhook(&asks.url, true).await, service.webhook(&other.url, false).await];
    service.ping(asking, flags).await;
    service.ping(silent, flags).await;
    let received = [asks.until(1).await.remove(0), other.until(1).await.remove(0)];
    assert!(!received[1].headers.contains_key("traceparent"));
    let value = received[0].headers["traceparent"].to_str().unwrap();
    assert!(value.ends_with("-01") && !value.contains(TRACE), "{value}");
    service.stop().await;
    assert!(collector.contains(b"ping"), "the span has a name");
}

#[rstest]
#[case::off(&[])]
#[case::unsampled(&[("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9"), ("OTEL_TRACES_SAMPLER", "always_off")])]
#[tokio::test(flavor = "multi_thread")]
async fn untraced_delivery_has_no_traceparent(#[case] variables: &[(&str, &str)]) {
    let service = Traced::start(variables);
    let receiver = Receiver::start(&[]).await;
    service.webhook(&receiver.url, true).await;
    service.send("/events/fire", Some(json!({"type": "TASK_FINISHED"})), &[]).await;
    let received = receiver.until(1).await;
    assert!(!received[0].headers.contains_key("traceparent"), "{:?}", received[0].headers);
}

#[tokio::test(flavor = "multi_thread")]
async fn caller_decides_whether_its_request_is_sampled() {
    let collector = Collector::default();
    let endpoint = collector.start().await;
    let service = Traced::start(&[
        ("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint),
        ("OTEL_TRACES_SAMPLER", "parentbased_traceidratio"),
        ("OTEL_TRACES_SAMPLER_ARG", "0"),
        ("OTEL_BSP_SCHEDULE_DELAY", "50"),
    ]);
    let parent = &[("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")];
    service.send("/users", None, parent).await;
    service.send("/providers", None, &[]).await;
    wait::until("the sampled request arrives", async || collector.contains(b"GET /sandbox/v1/users")).await;
    service.stop().await;
    assert!(!collector.contains(b"GET /sandbox/v1/providers"), "the ratio is 0");
}

#[tokio::test(flavor = "multi_thread")]
async fn collector_that_hangs_does_not_block_requests_or_the_stop() {
    // Accepts connections, and reads nothing.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", silent.local_addr().unwrap());
    let service = Traced::start(&[
        ("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint),
        ("OTEL_BSP_MAX_QUEUE_SIZE", "16"),
        ("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "8"),
        ("OTEL_BSP_SCHEDULE_DELAY", "10"),
    ]);
    for _ in 0..200 {
        let began = Instant::now();
        let users = service.send("/users", None, &[]).await;
        assert!(users["items"].is_array(), "{users}");
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    }
    let took = service.stop().await;
    assert!(took < Duration::from_secs(15), "{took:?}");
}
