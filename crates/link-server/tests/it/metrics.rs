//! Metrics: what an operator reads, and that the alerts and the dashboard name only what exists.

use std::collections::BTreeSet;
use std::time::Duration;

use link_server::metrics;
use link_server::settings::{BackupSettings, Settings};
use link_store::BackupTarget;
use link_store::test_support::Backend;
use regex::Regex;
use rstest::rstest;
use serde_json::json;
use tokio::net::TcpListener;

use crate::console::audit::Socket;
use crate::service::TestService;

/// Starts the listener, and returns a function that reads the metrics.
async fn start(service: &TestService) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/metrics", listener.local_addr().unwrap());
    tokio::spawn(metrics::serve(service.app.clone(), listener));
    url
}

async fn read(url: &str) -> String {
    let url = url.to_owned();
    let reading = move || ureq::get(&url).call().unwrap().body_mut().read_to_string().unwrap();
    tokio::task::spawn_blocking(reading).await.unwrap()
}

/// Returns the value of a metric with these labels.
fn value(text: &str, name: &str) -> f64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("{name} is missing in\n{text}")).parse().unwrap()
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn metrics_count_requests_and_work_that_waits(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let url = start(&service).await;
    let (user, _) = service.user().await;
    let missing = service.get("/users/us-00000000-0000-4000-8000-000000000000").await;
    assert_eq!(missing.status, 404);
    let text = read(&url).await;
    let created = r#"linchpin_http_requests_total{method="POST",route="/sandbox/v1/users",status="201"}"#;
    assert!(value(&text, created) >= 1.0, "{text}");
    let not_found =
        r#"linchpin_http_requests_total{method="GET",route="/sandbox/v1/users/{id}",status="404"}"#;
    assert!(value(&text, not_found) >= 1.0, "{text}");
    assert!(value(&text, r#"linchpin_http_request_duration_seconds_count{area="api"}"#) >= 2.0, "{text}");
    assert!(value(&text, "linchpin_ready") > 0.0, "{text}");
    assert!(value(&text, "linchpin_backlog_readable") > 0.0, "{text}");
    for queue in ["steps", "syncs", "retention", "maintenance"] {
        assert!(value(&text, &format!("linchpin_jobs_oldest_due_seconds{{queue=\"{queue}\"}}")) >= 0.0);
    }
    assert!(!text.contains(&user.to_string()) && !text.contains("demo"), "no label names a person or tenant");
}

#[tokio::test(flavor = "multi_thread")]
async fn schedule_of_backups_is_reported_only_if_there_is_one() {
    let service = TestService::start(Backend::Sqlite).await;
    assert!(!read(&start(&service).await).await.contains("linchpin_backup_failing"));
    let folder = tempfile::tempdir().unwrap();
    let backups = BackupSettings {
        target: BackupTarget::Folder(folder.path().to_owned()),
        address: "place".to_owned(),
        every: Duration::from_secs(86_400),
        keep: 2,
        life: Duration::from_secs(86_400),
    };
    let change = |settings: &mut Settings| settings.backups = Some(backups);
    let service = TestService::start_of(Backend::Sqlite, change, |_| {}).await;
    service.app.reports.metrics.note_backup(7);
    let text = read(&start(&service).await).await;
    assert!(value(&text, "linchpin_backup_failing") < 0.5);
    assert!(value(&text, "linchpin_last_backup_timestamp_seconds") < 0.5, "the row counts");
}

#[tokio::test(flavor = "multi_thread")]
async fn draft_counts_once_its_command_has_finished() {
    let service = TestService::start(Backend::Sqlite).await;
    let url = start(&service).await;
    let socket = Socket::listen(&service);
    let file = service.database.folder().join("draft");
    let asked = json!({"backUp": {"file": file, "portable": true, "is_draft": true}});
    assert!(socket.ask(asked).await["done"].is_object());
    assert!(value(&read(&url).await, "linchpin_backups_total") < 0.5);
    socket.ask(json!({"countBackup": {}})).await;
    assert!(value(&read(&url).await, "linchpin_backups_total") > 0.5);
}

#[tokio::test(flavor = "multi_thread")]
async fn alerts_and_dashboard_name_only_metrics_that_exist() {
    let service = TestService::start(Backend::Sqlite).await;
    let url = start(&service).await;
    let text = read(&url).await;
    let described = text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next());
    // Metrics with labels appear with their first value, so they are looked up where they are defined.
    let sources =
        concat!(include_str!("../../src/metrics/counters.rs"), include_str!("../../src/metrics/gauges.rs"));
    let defined = Regex::new("\"((?:linchpin|process)_[a-z_]+)\"").unwrap();
    let mut known: BTreeSet<&str> =
        defined.captures_iter(sources).map(|it| it.get(1).unwrap().as_str()).collect();
    known.extend(described);
    let named = Regex::new(r"\b(?:linchpin|process)_[a-z_]+").unwrap();
    let packaging = concat!(env!("CARGO_MANIFEST_DIR"), "/../../packaging");
    for file in ["prometheus/alerts.yml", "prometheus/alerts.test.yml", "grafana/linchpin.json"] {
        let content = std::fs::read_to_string(format!("{packaging}/{file}")).unwrap();
        let mut count = 0;
        for name in named.find_iter(&content).map(|it| it.as_str()) {
            let family = name.trim_end_matches("_bucket").trim_end_matches("_count").trim_end_matches("_sum");
            assert!(known.contains(name) || known.contains(family), "{file} names {name}");
            count += 1;
        }
        assert!(count > 10, "{file} names {count} metrics");
    }
}
