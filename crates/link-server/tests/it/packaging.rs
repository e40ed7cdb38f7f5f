//! The systemd unit: resource limits, and the system calls that the document sandbox needs.

use std::path::Path;

use link_documents::ChildReader;

fn unit() -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/linchpin.service");
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('='));
    lines.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn words(name: &str) -> Vec<String> {
    let unit = unit();
    let values = unit.iter().filter(|(key, _)| key == name).map(|(_, value)| value.as_str());
    values.flat_map(str::split_whitespace).map(str::to_owned).collect()
}

#[test]
fn systemd_unit_sets_resource_limits() {
    assert_eq!(words("OOMPolicy"), ["continue"]);
    for bound in ["MemoryMax", "TasksMax", "LimitNOFILE"] {
        assert_eq!(words(bound).len(), 1, "{bound}");
        assert_ne!(words(bound), ["infinity"], "{bound}");
    }
}

/// The number of threads of the service itself, at most: workers, blocking pools and the database.
const OWN_THREADS: usize = 512;
/// Processes and threads of a child, at most (RLIMIT_NPROC).
const OF_A_CHILD: usize = 64;

#[test]
fn systemd_unit_has_room_for_all_children() {
    let children = ChildReader::MAX_INSPECTIONS + ChildReader::MAX_READINGS + ChildReader::MAX_LOGOS;
    let tasks: usize = words("TasksMax")[0].parse().unwrap();
    assert!(tasks >= OWN_THREADS + children * OF_A_CHILD, "{tasks} tasks for {children} children");
}

#[test]
fn systemd_unit_allows_sandbox_system_calls() {
    let calls = words("SystemCallFilter");
    let last_refusal = calls.iter().rposition(|it| it.starts_with('~')).unwrap();
    for call in
        ["landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self", "seccomp", "capset"]
    {
        let allowed = calls.iter().position(|it| it == call);
        assert!(allowed.is_some_and(|at| at > last_refusal), "{call}");
    }
    let namespaces = words("RestrictNamespaces");
    assert!(["user", "net"].iter().all(|it| namespaces.iter().any(|found| found == it)), "{namespaces:?}");
}

#[test]
fn helm_chart_sets_variables_that_exist() {
    let chart =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/helm/linchpin/templates/_helpers.tpl");
    let text = std::fs::read_to_string(chart).unwrap();
    let help = std::process::Command::new(env!("CARGO_BIN_EXE_linchpin")).args(["serve", "--help"]).output();
    let help = help.unwrap();
    let help = String::from_utf8([help.stdout, help.stderr].concat()).unwrap();
    let names = text.split("LINCHPIN_").skip(1);
    let names =
        names.map(|it| it.split(|it: char| !it.is_ascii_uppercase() && !it.is_ascii_digit() && it != '_'));
    let names: Vec<_> = names.filter_map(|mut it| it.next()).filter(|it| !it.is_empty()).collect();
    assert!(names.len() > 10, "{names:?}");
    for name in names {
        // The help shows the value of a setting that is not a secret.
        let is_setting = ["=", "]"].iter().any(|end| help.contains(&format!("[env: LINCHPIN_{name}{end}")));
        assert!(is_setting, "{name}");
    }
}
