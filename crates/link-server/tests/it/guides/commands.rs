//! Compares the page about a tenant's commands with what the program says of itself.

use std::collections::BTreeSet;
use std::process::Command;

use regex::Regex;

use super::root;

/// Returns the options of a command and of those below it, from its help.
fn options_of(command: &[&str]) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_linchpin")).args(command).arg("--help").output().unwrap();
    assert!(output.status.success(), "{command:?}");
    let help = String::from_utf8(output.stdout).unwrap();
    let option = Regex::new(r"(?m)^ +(?:-\w, )?(--[a-z-]+)").unwrap();
    let found = option.captures_iter(&help).map(|it| it[1].to_owned());
    found.filter(|it| it != "--help").collect()
}

#[test]
fn page_of_tenant_commands_names_every_option() {
    let page = std::fs::read_to_string(root().join("docs/reference/commands.md")).unwrap();
    let option = Regex::new("`(--[a-z-]+)`").unwrap();
    for command in ["login", "logout", "listen", "fire", "clock", "token", "deliveries", "resend", "host"] {
        let (_, section) = page.split_once(&format!("\n## {command}\n")).unwrap();
        let section = section.split_once("\n## ").map_or(section, |(it, _)| it);
        let rows = section.lines().filter(|it| it.starts_with("| `--")).filter_map(|it| it.split('|').nth(1));
        let documented: BTreeSet<String> = rows
            .flat_map(|it| option.captures_iter(it).map(|it| it[1].to_owned()).collect::<Vec<_>>())
            .collect();
        let below: &[&str] = match command {
            "clock" => &["show", "advance", "stop"],
            "host" => &["list", "add", "prove", "delete"],
            _ => &[],
        };
        let mut real = options_of(&[command]);
        real.extend(below.iter().flat_map(|it| options_of(&[command, it])));
        assert_eq!(documented, real, "linchpin {command}");
    }
}
