//! The script that makes the proxy's map (packaging/haproxy-cells-map.sh), with programs in place of `ssh`, HAProxy and systemd.

use std::fs::File;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use rstest::rstest;

/// Prints the lines of the cell that it is asked for. Without them, the cell cannot be reached.
const SSH: &str = "for it; do case $it in cells@*.internal) it=${it#cells@} && exec cat \"$PROGRAMS/${it%.internal}\" ;; esac; done; exit 1";
const HAPROXY: &str = "test ! -e \"$PROGRAMS/invalid\"";
const SYSTEMCTL: &str = "test ! -e \"$PROGRAMS/broken\" && echo \"$*\" >> \"$PROGRAMS/reloads\"";

const FIRST: &str = "2a97516c35 c1\n";
const SECOND: &str = "822b33ad87 c2\n";

/// The machine of the proxy.
struct ProxyMachine {
    folder: tempfile::TempDir,
}

impl ProxyMachine {
    /// Two cells with a tenant each.
    fn new() -> Self {
        let machine = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir(machine.file("haproxy")).unwrap();
        for (name, script) in [("ssh", SSH), ("haproxy", HAPROXY), ("systemctl", SYSTEMCTL)] {
            let program = machine.program(name);
            std::fs::create_dir_all(program.parent().unwrap()).unwrap();
            std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
            std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
        }
        machine.set("c1", FIRST);
        machine.set("c2", SECOND);
        machine
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn program(&self, name: &str) -> PathBuf {
        self.file("programs").join(name)
    }

    /// Writes a file that the programs read.
    fn set(&self, name: &str, content: &str) {
        std::fs::write(self.program(name), content).unwrap();
    }

    fn map(&self) -> String {
        std::fs::read_to_string(self.file("haproxy/tenants.map")).unwrap_or_default()
    }

    fn reloads(&self) -> usize {
        std::fs::read_to_string(self.program("reloads")).unwrap_or_default().lines().count()
    }

    /// Runs the script. Returns what it wrote to standard error if it failed.
    fn run(&self) -> Result<(), String> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/haproxy-cells-map.sh");
        let path = format!("{}:{}", self.file("programs").display(), std::env::var("PATH").unwrap());
        let mut command = Command::new("sh");
        command.arg(script).arg(self.file("haproxy"));
        let output = command.env("PATH", path).env("PROGRAMS", self.file("programs")).output().unwrap();
        assert!(output.stdout.is_empty(), "{output:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        if output.status.success() { Ok(()) } else { Err(said) }
    }
}

#[test]
fn proxy_is_reloaded_only_if_the_map_changed() {
    let machine = ProxyMachine::new();
    for _ in 0..2 {
        machine.run().unwrap();
        assert_eq!((machine.map(), machine.reloads()), (format!("{FIRST}{SECOND}"), 1));
    }
    machine.set("c1", &format!("{FIRST}c8916e65e4 c1\n"));
    machine.run().unwrap();
    assert_eq!((machine.map().lines().count(), machine.reloads()), (3, 2));
}

#[rstest]
#[case::reload("broken", "was not reloaded")]
#[case::configuration("invalid", "is not valid")]
fn failed_reload_is_tried_again(#[case] fault: &str, #[case] message: &str) {
    let machine = ProxyMachine::new();
    machine.set(fault, "");
    for _ in 0..2 {
        let said = machine.run().unwrap_err();
        assert!(said.contains(message), "{said}");
    }
    std::fs::remove_file(machine.program(fault)).unwrap();
    machine.run().unwrap();
    assert_eq!((machine.map(), machine.reloads()), (format!("{FIRST}{SECOND}"), 1));
}

#[rstest]
#[case::no_response(None, "c2 does not give its map")]
#[case::no_tenants(Some(""), "the map of c2 is empty")]
#[case::lines_of_another_cell(Some("822b33ad87 c1\n"), "other lines")]
#[case::another_text(Some("822b33ad87 c2\nwarning\n"), "other lines")]
#[case::tenant_in_two_cells(Some("2a97516c35 c2\n"), "route codes: 2a97516c35")]
fn map_from_before_stays(#[case] second: Option<&str>, #[case] message: &str) {
    let machine = ProxyMachine::new();
    machine.run().unwrap();
    match second {
        Some(lines) => machine.set("c2", lines),
        None => std::fs::remove_file(machine.program("c2")).unwrap(),
    }
    let said = machine.run().unwrap_err();
    assert!(said.contains(message), "{said}");
    assert_eq!((machine.map(), machine.reloads()), (format!("{FIRST}{SECOND}"), 1));
}

#[test]
fn second_run_leaves_the_files_of_the_first() {
    let machine = ProxyMachine::new();
    let lock = File::create(machine.file("haproxy/tenants.lock")).unwrap();
    lock.lock().unwrap();
    machine.run().unwrap();
    assert_eq!((machine.map(), machine.reloads()), (String::new(), 0));
    drop(lock);
    machine.run().unwrap();
    assert_eq!(machine.reloads(), 1);
}
