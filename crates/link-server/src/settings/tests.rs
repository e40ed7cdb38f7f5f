use std::path::Path;

use link_connectors::networks::Networks;
use link_documents::SandboxPolicy;
use link_store::{BackupTarget, FileSettings};

use super::*;

#[derive(clap::Parser)]
struct Command {
    #[command(flatten)]
    settings: SettingsInput,
}

fn settle(arguments: &[&str]) -> Result<Settings, SettingsError> {
    let all = std::iter::once("linchpin").chain(arguments.iter().copied());
    <Command as clap::Parser>::parse_from(all).settings.settle()
}

#[test]
fn defaults_apply_without_settings() {
    let settings = settle(&[]).unwrap();
    assert_eq!(settings.listen.to_string(), "127.0.0.1:8787");
    assert_eq!(settings.public_url, "http://localhost:8787");
    assert_eq!(settings.sdk_url, settings.public_url);
    assert_eq!(settings.hosted_url, "http://127.0.0.1:8787", "not the frame's origin");
    assert!(settings.allowed_hosts.contains(&"localhost:8787".to_owned()));
}

#[rstest::rstest]
#[case::on_this_machine(&[], &[])]
#[case::on_loopback_address(&["--public-url", "http://127.0.0.1:8787"], &[])]
#[case::name_starting_with_localhost(
    &["--public-url", "https://localhost.example"],
    &[SharedOrigin::Widget, SharedOrigin::Files]
)]
#[case::all_on_one_host(
    &["--public-url", "https://api.example"],
    &[SharedOrigin::Widget, SharedOrigin::Files]
)]
#[case::files_with_the_api(
    &["--public-url", "https://api.example", "--sdk-url", "https://widget.example"],
    &[SharedOrigin::Files]
)]
#[case::files_with_the_widget(
    &[
        "--public-url", "https://api.example", "--sdk-url", "https://widget.example",
        "--files-url", "https://widget.example/"
    ],
    &[SharedOrigin::Files]
)]
#[case::files_with_invitations(
    &[
        "--public-url", "https://api.example", "--sdk-url", "https://widget.example",
        "--hosted-url", "https://invites.example", "--files-url", "https://Invites.example"
    ],
    &[SharedOrigin::Files]
)]
#[case::all_on_separate_hosts(
    &[
        "--public-url", "https://api.example", "--sdk-url", "https://widget.example",
        "--files-url", "https://files.example"
    ],
    &[]
)]
fn shared_origins_are_reported_in_production(#[case] arguments: &[&str], #[case] expected: &[SharedOrigin]) {
    assert_eq!(settle(arguments).unwrap().shared_origins(), expected);
}

#[rstest::rstest]
#[case::https("https://console.example", true)]
#[case::this_machine("http://console.localhost:8787", true)]
#[case::http("http://console.example", false)]
#[case::address_in_a_network("http://10.0.0.7:8787", false)]
fn console_url_must_let_members_sign_in(#[case] url: &str, #[case] expected: bool) {
    let settled = settle(&["--console-url", url]);
    assert_eq!(settled.is_ok(), expected);
    assert!(expected || matches!(settled, Err(SettingsError::ConsoleHttp)));
}

#[test]
fn portal_is_off_by_default_on_a_public_url_with_http() {
    assert_eq!(settle(&["--public-url", "http://10.0.0.7:8787"]).unwrap().console_host(), None);
    let https = settle(&["--public-url", "https://api.example"]).unwrap();
    assert_eq!((https.console_host(), https.has_separate_console()), (Some("api.example".to_owned()), false));
}

#[rstest::rstest]
#[case::widget("--sdk-url", "sdk-url")]
#[case::files("--files-url", "files-url")]
fn portal_cannot_share_the_host_of(#[case] flag: &str, #[case] expected: &str) {
    let urls = ["--public-url", "https://api.example", "--console-url", "https://portal.example"];
    let refused = settle(&[urls.as_slice(), &[flag, "https://Portal.example"]].concat());
    assert!(matches!(refused, Err(SettingsError::ConsoleHost { name }) if name == expected), "{refused:?}");
}

#[test]
fn configured_hosts_are_allowed() {
    let settings = settle(&["--public-url", "https://api.example", "--files-url", "https://files.example"]);
    let settings = settings.unwrap();
    assert!(settings.allowed_hosts.contains(&"files.example".to_owned()), "{:?}", settings.allowed_hosts);
}

#[test]
fn api_url_is_the_public_url_by_default() {
    assert_eq!(settle(&["--public-url", "https://api.example"]).unwrap().api_url, "https://api.example");
}

#[test]
fn api_url_is_an_address_of_the_service() {
    let cell = ["--public-url", "https://api.c1.example", "--console-url", "https://console.c1.example"];
    let with =
        |more: &[&str]| settle(&[cell.as_slice(), &["--api-url", "https://API.example/"], more].concat());
    let settings =
        with(&["--sdk-url", "https://widget.example", "--files-url", "https://files.example"]).unwrap();
    assert_eq!((settings.public_url.as_str(), settings.api_url.as_str()), (cell[1], "https://api.example"));
    assert!(settings.allowed_hosts.contains(&"api.example".to_owned()), "{:?}", settings.allowed_hosts);
    assert!(settings.shared_origins().is_empty() && settings.has_separate_console());
    let shared = with(&["--sdk-url", "https://api.example", "--files-url", "https://api.example"]).unwrap();
    assert_eq!(shared.shared_origins(), [SharedOrigin::Widget, SharedOrigin::Files]);
    let urls =
        ["--public-url", cell[1], "--api-url", "https://api.example", "--console-url", "https://api.example"];
    assert!(!settle(&urls).unwrap().has_separate_console());
}

#[test]
fn api_url_has_no_path() {
    let refused = settle(&["--api-url", "https://api.example/v1"]).unwrap_err().to_string();
    assert!(refused.contains("--api-url"), "{refused}");
}

#[test]
fn flag_overrides_file_and_file_overrides_default() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("linchpin.toml");
    std::fs::write(&path, "token-minutes = 5\nrate-burst = 7\n").unwrap();
    let settings = settle(&["--config", path.to_str().unwrap(), "--rate-burst", "9"]).unwrap();
    assert_eq!(settings.live.now().token_minutes, 5.0);
    assert_eq!(settings.live.now().rate_burst.get(), 9);
}

#[test]
fn ephemeral_service_rejects_data_dir() {
    assert!(matches!(settle(&["--ephemeral"]).unwrap().files, FileSettings::Memory));
    let refused = settle(&["--ephemeral", "--data-dir", "/data"]).unwrap_err();
    assert!(matches!(refused, SettingsError::Ephemeral { name: "data-dir" }));
}

#[test]
fn keys_dir_defaults_to_data_dir() {
    let settings = settle(&["--data-dir", "/data"]).unwrap();
    assert_eq!(settings.keys_dir, Path::new("/data"));
    let settings = settle(&["--data-dir", "/data", "--keys-dir", "/shared/keys"]).unwrap();
    assert_eq!((settings.data_dir, settings.keys_dir), ("/data".into(), "/shared/keys".into()));
}

#[test]
fn unknown_key_in_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("linchpin.toml");
    std::fs::write(&path, "tokn-minutes = 5\n").unwrap();
    let error = settle(&["--config", path.to_str().unwrap()]).unwrap_err();
    assert!(error.to_string().contains("tokn-minutes"), "{error}");
}

#[rstest::rstest]
#[case::string_for_number("token-minutes = 5\nrate-burst = \"many\"\n", "line 2, rate-burst: invalid type")]
#[case::invalid_address("listen = \"nonsense\"\n", "line 1, listen: invalid socket address")]
#[case::invalid_toml("rate-burst 5\n", "line 1: ")]
#[case::text_for_connectors(
    "connector = \"name=portal,secret=canary\"\n",
    "line 1, connector: invalid type, expected a sequence"
)]
#[case::text_for_a_connector(
    "connector = [\"secret=canary, expected b\"]\n",
    "line 1, connector: invalid type, expected struct"
)]
#[case::text_on_its_line(
    "connector = [\n  \"name=portal,secret=canary\",\n]\n",
    "line 2: invalid type, expected struct"
)]
#[case::secret_in_a_count("rate-burst = \"canary\"\n", "line 1, rate-burst: invalid type, expected u32")]
#[case::secret_as_a_policy(
    "document-sandbox = \"canary\"\n",
    "line 1, document-sandbox: unknown variant, expected"
)]
#[case::unsupported_database("\ndatabase-url = \"mysql://u:canary@h/d\"\n", "line 2, database-url: ")]
fn invalid_value_in_file_is_named_by_line_and_key(#[case] text: &str, #[case] said: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("linchpin.toml");
    std::fs::write(&path, text).unwrap();
    let error = settle(&["--config", path.to_str().unwrap()]).unwrap_err().to_string();
    assert!(error.contains(&format!("linchpin.toml is not valid: {said}")), "{error}");
    assert!(!error.contains("canary"), "{error}");
}

#[test]
fn log_filter_accepts_levels_and_targets() {
    for filter in [
        "debug",
        "WARN",
        "info,link_server=debug",
        "off, link_store=trace",
        "link_store",
        "warn,link_server[request]=debug",
    ] {
        assert_eq!(settle(&["--log", filter]).unwrap().log, filter);
    }
    assert_eq!(settle(&["--log", ""]).unwrap().log, "info");
    for filter in ["debgu", ",,,=,", "info,", "=debug", "link_server=", "link_server=debgu"] {
        let refused = settle(&["--log", filter]).unwrap_err().to_string();
        assert!(refused.contains("Examples: debug"), "{filter}: {refused}");
    }
}

#[test]
fn public_url_with_path_is_rejected() {
    assert!(matches!(
        settle(&["--public-url", "http://localhost/x"]),
        Err(SettingsError::Url { name: "public-url" })
    ));
}

#[test]
fn files_default_to_data_dir_and_bucket_needs_keys() {
    let settings = settle(&["--data-dir", "/data"]).unwrap();
    assert!(matches!(settings.files, FileSettings::Folder(path) if path == Path::new("/data/files")));
    let alone = settle(&["--s3-bucket", "files", "--s3-access-key-id", "id"]).unwrap_err();
    assert_eq!(alone.to_string(), "--s3-bucket requires --s3-secret-access-key");
    let key = ["--s3-access-key-id", "id", "--s3-secret-access-key", "canary"];
    let settings = settle(&[["--s3-bucket", "files"].as_slice(), &key].concat()).unwrap();
    assert!(matches!(&settings.files, FileSettings::S3(bucket) if bucket.region == "us-east-1"));
    assert!(!format!("{settings:?}").contains("canary"));
}

#[test]
fn document_sandbox_is_required_on_linux_by_default() {
    let default = settle(&[]).unwrap().document_sandbox;
    assert_eq!(default == SandboxPolicy::Required, cfg!(target_os = "linux"));
    let relaxed = settle(&["--document-sandbox", "best-effort"]).unwrap();
    assert_eq!(relaxed.document_sandbox, SandboxPolicy::BestEffort);
}

#[test]
fn database_password_is_not_in_debug_output() {
    let settings = settle(&["--database-url", "postgres://u:canary@h/d"]).unwrap();
    assert!(!format!("{settings:?}").contains("canary"));
}

#[test]
fn connection_limits_have_defaults_and_ranges() {
    let limits = settle(&["--trusted-proxies", "10.0.0.0/8"]).unwrap().connections;
    assert_eq!((limits.total, limits.per_network), (4096, 256));
    assert_eq!([limits.idle, limits.write].map(|it| it.as_secs()), [75, 30]);
    for (peer, is_exempt) in [("127.0.0.1", true), ("::1", true), ("10.1.2.3", true), ("192.0.2.1", false)] {
        assert_eq!(limits.exempt.contains(peer.parse().unwrap()), is_exempt, "{peer}");
    }
    for (flag, value) in [
        ("--max-connections", "0"),
        ("--max-connections-per-network", "0"),
        ("--idle-seconds", "0.01"),
        ("--idle-seconds", "NaN"),
        ("--write-seconds", "4000"),
    ] {
        let refused = settle(&[flag, value]).unwrap_err().to_string();
        assert!(refused.starts_with(flag), "{refused}");
    }
}

#[test]
fn trusted_proxies_must_be_networks() {
    assert_eq!(settle(&[]).unwrap().trusted_proxies, Networks::default());
    let settings = settle(&["--trusted-proxies", "127.0.0.0/8,::1/128"]).unwrap();
    assert!(settings.trusted_proxies.contains("::1".parse().unwrap()));
    let refused = settle(&["--trusted-proxies", "127.0.0.1"]).unwrap_err().to_string();
    assert_eq!(
        refused,
        "--trusted-proxies: expected a network like 10.0.0.0/8 or fd00::/8, not \"127.0.0.1\""
    );
}

#[test]
fn hand_off_needs_another_host_than_the_widget() {
    let mut settings = settle(&[]).unwrap();
    assert!(settings.may_hand_off());
    settings.hosted_url.clone_from(&settings.sdk_url);
    assert!(!settings.may_hand_off());
}

#[test]
fn bucket_of_backups_needs_keys_and_leaves_files_alone() {
    let place = ["--backup-to", "s3://company/linchpin"];
    let refused = settle(&place).unwrap_err().to_string();
    assert!(refused.contains("--backup-to requires --s3-access-key-id"), "{refused}");
    let keys = ["--s3-access-key-id", "id", "--s3-secret-access-key", "canary", "--data-dir", "/data"];
    let settings = settle(&[place.as_slice(), &keys].concat()).unwrap();
    assert!(matches!(&settings.files, FileSettings::Folder(folder) if folder == Path::new("/data/files")));
    let backups = settings.backups.unwrap();
    let BackupTarget::Bucket { files: FileSettings::S3(s3), prefix } = backups.target else { panic!("S3") };
    assert_eq!((s3.bucket.as_str(), prefix.as_str(), backups.keep), ("company", "linchpin", 14));
}

#[rstest::rstest]
#[case::without_a_place(&["--backup-keep", "3"], "--backup-keep requires --backup-to")]
#[case::address(&["--backup-to", "s3://company"], "--backup-to must be a folder or s3://BUCKET/PREFIX")]
#[case::days_after_the_keys_are_gone(&["--backup-to", "/b", "--backup-days", "61"], "--backup-days must be 1 to 60")]
#[case::none_kept(&["--backup-to", "/b", "--backup-keep", "0"], "--backup-keep must be at least 1")]
#[case::ephemeral(&["--ephemeral", "--backup-to", "/b"], "--ephemeral")]
fn wrong_backup_settings_are_named(#[case] arguments: &[&str], #[case] message: &str) {
    let refused = settle(arguments).unwrap_err().to_string();
    assert!(refused.contains(message), "{refused}");
}
