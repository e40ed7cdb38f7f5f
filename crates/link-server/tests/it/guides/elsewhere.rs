//! Kinds of blocks and commands that this test does not run.

/// Kinds of blocks that this test does not run, with the reason.
pub(super) const ELSEWHERE: [(&str, &str); 21] = [
    ("", "a drawing"),
    ("text", "text, or lines to compare your own code with"),
    ("js", "a script for a page or a receiver: the browser tests open the widget the same way"),
    ("html", "a page: the browser tests open the widget from a similar one"),
    ("toml settings", "settings: settings/connector.rs reads it"),
    ("toml", "a settings file for operators"),
    ("ts", "a page or server that uses the packages: `cargo xtask packages` compiles and runs similar ones"),
    ("python", "a server that uses the package: `cargo xtask packages python` checks its types"),
    ("swift", "an app: no toolchain for it is installed"),
    ("kotlin", "an app: no toolchain for it is installed"),
    ("tsx", "an app: no toolchain for it is installed"),
    ("html index.html", "the quickstart's page: tests/matrix/engines/quickstart.spec.ts runs it"),
    ("js main.js", "the quickstart's page: tests/matrix/engines/quickstart.spec.ts runs it"),
    ("js server.mjs", "the quickstart's server: tests/matrix/engines/quickstart.spec.ts runs it"),
    ("js receiver", "a receiver: `cargo xtask receivers` runs it"),
    ("python receiver", "a receiver: `cargo xtask receivers` runs it"),
    ("go receiver", "a receiver: `cargo xtask receivers` runs it"),
    ("php receiver", "a receiver: `cargo xtask receivers` runs it"),
    ("ruby receiver", "a receiver: `cargo xtask receivers` runs it"),
    ("sh kms", "a program of the operator that needs a KMS"),
    ("java receiver", "a receiver: `cargo xtask receivers` runs it"),
];

/// Commands that this test does not run, with the reason.
pub(super) const COMMANDS_ELSEWHERE: [(&str, &str); 17] = [
    ("cargo xtask ", "the task that runs this test"),
    ("cargo build ", "CI runs it before this test"),
    ("cargo run --example ", "connectors.rs runs both programs"),
    ("npm ci ", "`cargo xtask setup` runs it"),
    ("npm install ", "`cargo xtask packages` installs the tarballs in a project"),
    ("mkdir ", "makes a folder for the tenant's project"),
    ("VITE_TEMPLATE=", "tests/matrix/engines/quickstart.spec.ts starts the server"),
    ("node examples/openid/", "tests/e2e/openid.spec.ts runs both programs"),
    ("dist/linchpin serve", "the release binary, which `cargo xtask matrix` starts"),
    ("linchpin serve", "faults/command_line.rs starts services"),
    ("export ", "sets a variable of the operator's shell"),
    ("echo ", "writes a file for the operator"),
    ("linchpin check", "checks.rs runs it"),
    ("linchpin doctor", "checks.rs asks a service"),
    ("sudo ", "changes the machine"),
    ("podman ", "needs the image"),
    ("promtool ", "a program of Prometheus"),
];
