//! Which providers are known, and when they count as in maintenance.

use link_domain::kernel::clock::TenantTime;
use link_domain::linking::account_source::Purpose;
use link_domain::linking::account_source::{AccountSource as _, ReadOutcome};
use link_types::LinkErrorCode;
use link_types::format::FieldFormat;
use link_types::provider::Provider;
use serde_json::{Value, json};

use super::stub::{Stub, StubResponse};
use super::{PROVIDER, read_for, source, source_with};

fn provider_json(id: &str) -> Value {
    json!({
        "id": id, "name": "Aurora", "type": "EMPLOYER", "country": "MX", "supported": ["IDENTITIES"],
        "loginOptions": [{"id": "email", "label": "E-mail", "fields": [
            {"name": "email", "label": "E-mail", "type": "email"},
            {"name": "office", "label": "Office", "type": "select", "choices": [{"value": "n", "label": "North"}]},
            {"name": "password", "label": "Password", "type": "password"},
        ]}],
    })
}

fn catalogue(providers: &[Value]) -> StubResponse {
    StubResponse::ok(json!({"providers": providers}).to_string())
}

#[tokio::test]
async fn configured_provider_is_listed_with_defaults() {
    let stub = Stub::start([catalogue(&[
        provider_json(PROVIDER),
        provider_json("mx_of_another"),
        provider_json(PROVIDER),
    ])])
    .await;
    let source = source(&stub.url);
    assert_eq!(source.providers().len(), 0, "unknown before the first look-up");
    source.renew_providers().await;
    let providers = source.providers();
    assert_eq!(providers.len(), 1);
    let provider = &providers[0];
    assert_eq!(provider.id.as_str(), PROVIDER);
    assert!(provider.enabled && provider.login_required);
    assert_eq!(provider.long_name, "Aurora");
    let formats: Vec<_> = provider.login_options[0].fields.iter().map(|it| it.format.clone()).collect();
    let office = FieldFormat::OneOf { values: vec!["n".to_owned()] };
    assert_eq!(formats, [FieldFormat::Email {}, office, FieldFormat::Text { min: 1, max: 256 }]);
    assert_eq!(provider.login_options[0].fields[2].max_length, Some(256));
}

#[tokio::test]
async fn translations_of_a_provider_follow_the_last_response() {
    let words = |text: &str| json!({"es-MX": {"Office": text}});
    let with = |translations| {
        let mut provider = provider_json(PROVIDER);
        provider["translations"] = translations;
        catalogue(&[provider])
    };
    let stub =
        Stub::start([with(words("Oficina")), catalogue(&[provider_json(PROVIDER)]), with(words(""))]).await;
    let source = source(&stub.url);
    source.renew_providers().await;
    let id = source.providers()[0].id.clone();
    assert_eq!(source.translations(&id)["es-MX"]["Office"], "Oficina");
    source.renew_providers().await;
    assert!(source.translations(&id).is_empty());
    source.renew_providers().await;
    assert!(!source.providers()[0].enabled, "an empty translation does not follow the protocol");
}

#[tokio::test]
async fn provider_without_login_options_needs_no_login() {
    let mut registry = provider_json(PROVIDER);
    registry["loginOptions"] = json!([]);
    let stub = Stub::start([catalogue(&[registry])]).await;
    let source = source(&stub.url);
    source.renew_providers().await;
    assert!(!source.providers()[0].login_required);
}

#[tokio::test]
async fn invalid_provider_is_left_out() {
    let faults = [
        ("/country", json!("Mexico")),
        ("/name", json!("")),
        ("/logoUrl", json!("https://elsewhere.example/logo.png")),
        ("/loginOptions/0/fields", json!([{"name": "p", "label": "Password", "type": "password"}])),
        ("/loginOptions/0/fields/1/choices", json!([])),
        (
            "/loginOptions/0/fields/0",
            json!({"name": "e", "label": "Office", "type": "select", "choices": [{"value": "n", "label": "N"}]}),
        ),
        ("/loginOptions/0/fields/0/visibleWhen", json!({"field": "office", "equals": "n"})),
        ("/loginOptions/0/fields/0/required", json!(false)),
        ("/loginOptions/0/fields/0/visibleWhen", json!({"field": "nowhere", "equals": "x"})),
        ("/loginOptions/0/fields/0/name", json!("password")),
    ];
    for (place, value) in faults {
        let mut provider = provider_json(PROVIDER);
        provider["logoUrl"] = Value::Null;
        provider["loginOptions"][0]["fields"][0]["visibleWhen"] = Value::Null;
        provider["loginOptions"][0]["fields"][0]["required"] = json!(true);
        *provider.pointer_mut(place).unwrap() = value;
        let stub = Stub::start([catalogue(&[provider])]).await;
        let source = source(&stub.url);
        source.renew_providers().await;
        assert_eq!(source.providers().len(), 0, "{place}");
    }
}

#[tokio::test]
async fn two_failed_look_ups_put_a_provider_in_maintenance() {
    let known = catalogue(&[provider_json(PROVIDER)]);
    let stub =
        Stub::start([known.clone(), StubResponse::status(500), StubResponse::status(500), known]).await;
    let source = source(&stub.url);
    let mut enabled = Vec::new();
    for _ in 0..4 {
        source.renew_providers().await;
        enabled.push(source.providers()[0].enabled);
    }
    assert_eq!(enabled, [true, true, false, true]);
}

#[tokio::test]
async fn withdrawn_or_invalid_provider_stays_known_in_maintenance() {
    let mut malformed = provider_json(PROVIDER);
    malformed["country"] = json!("Mexico");
    let known = catalogue(&[provider_json(PROVIDER)]);
    let stub =
        Stub::start([known.clone(), catalogue(&[]), known.clone(), catalogue(&[malformed]), known]).await;
    let source = source(&stub.url);
    let mut enabled = Vec::new();
    for _ in 0..5 {
        source.renew_providers().await;
        enabled.push(source.providers().iter().map(|it| it.enabled).collect::<Vec<_>>());
    }
    assert_eq!(enabled, [[true], [false], [true], [false], [true]]);
}

#[tokio::test]
async fn provider_that_withdraws_refresh_is_read_only_after_a_login() {
    let offered = |is_supported: bool| {
        let mut provider = provider_json(PROVIDER);
        provider["monitorSupported"] = json!(is_supported);
        catalogue(&[provider])
    };
    let read = || StubResponse::ok(json!({"outcome": "COMPLETE", "data": {}}).to_string());
    let stub = Stub::start([offered(true), read(), offered(false), read(), offered(true), read()]).await;
    let source = source(&stub.url);
    let last = Some(TenantTime::from_micros(1_000_000));
    source.renew_providers().await;
    read_for(&source, Purpose::Sync, "s", last).await;
    source.renew_providers().await;
    let synced = read_for(&source, Purpose::Sync, "s", last).await;
    assert_eq!(synced.outcome, ReadOutcome::Failed { code: LinkErrorCode::ServiceUnavailable });
    assert_eq!(synced.state.as_str(), "s");
    read_for(&source, Purpose::SignIn, "s", last).await;
    source.renew_providers().await;
    read_for(&source, Purpose::Sync, "s", last).await;
    let asked = stub.requests();
    let asked: Vec<_> = asked.iter().map(|it| it.line.as_str()).filter(|it| it.starts_with("POST")).collect();
    let refresh = "POST /linchpin/v1/refresh HTTP/1.1";
    assert_eq!(asked, [refresh, "POST /linchpin/v1/fetch HTTP/1.1", refresh]);
}

#[tokio::test]
async fn start_without_the_connector_loads_stored_providers() {
    let folder = tempfile::tempdir().unwrap();
    let kept = Some(folder.path().join("providers"));
    let stub = Stub::start([catalogue(&[provider_json(PROVIDER)])]).await;
    let first = source_with(&stub.url, None, kept.clone());
    first.renew_providers().await;
    let shown = first.providers();

    let next = source_with("http://127.0.0.1:1", None, kept.clone());
    let expected = Provider { enabled: false, ..shown[0].clone() };
    assert_eq!(*next.providers(), [expected]);
    let stub = Stub::start([catalogue(&[provider_json(PROVIDER)])]).await;
    let back = source_with(&stub.url, None, kept.clone());
    back.renew_providers().await;
    assert_eq!(back.providers(), shown);

    std::fs::write(folder.path().join(format!("providers/{PROVIDER}.json")), "half a prov").unwrap();
    assert_eq!(
        source_with("http://127.0.0.1:1", None, kept).providers().len(),
        0,
        "a damaged file does not prevent a start"
    );
}
