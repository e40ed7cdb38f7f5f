//! `demo`: runs a demo tenant's page with the widget. `dev`: does the same, and builds the widget again after each change.

use std::io::IsTerminal as _;
use std::sync::mpsc;
use std::time::Duration;

use crate::env::Env;
use crate::failure::{Failure, OrFail, Outcome};
use crate::process::Program;
use crate::setup::cargo_tools;
use crate::stack::{self, Ports, Stack};
use crate::{setup, web};

/// The variable with which `dev` names this program for the hook in Trunk.toml.
pub const XTASK: &str = "LINCHPIN_XTASK";

/// Which task runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The widget as it is.
    Demo,
    /// The widget as Trunk builds it after each change.
    Dev,
}

/// The flags of the task.
#[derive(Debug, PartialEq, Eq)]
pub struct Flags {
    /// The demo page's port.
    pub port: u16,
    /// The service's port.
    pub service_port: u16,
    /// Whether to open the page in a browser.
    pub open: bool,
}

/// Parses `--port`, `--service-port` and `--no-open`.
pub fn flags(words: &[&str]) -> Outcome<Flags> {
    let mut flags = Flags { port: 8788, service_port: 8787, open: true };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let (name, inline) = word.split_once('=').map_or((*word, None), |(name, value)| (name, Some(value)));
        let mut port = || {
            let value = inline.or_else(|| words.next().copied());
            value.and_then(|value| value.parse::<u16>().ok()).filter(|port| *port > 0).ok_or_else(|| {
                Failure::new(format!("{name} requires a port number from 1 to 65535"))
                    .advice(format!("for example: {name} 9000"))
            })
        };
        match name {
            "--port" => flags.port = port()?,
            "--service-port" => flags.service_port = port()?,
            "--no-open" => flags.open = false,
            unknown => {
                return Err(Failure::new(format!("Unknown flag {unknown}"))
                    .advice("usage: cargo xtask demo|dev [--port 8788] [--service-port 8787] [--no-open]"));
            }
        }
    }
    Ok(flags)
}

/// Builds and starts the service and the demo page, prints their addresses, and runs until interrupted.
pub fn run(mut env: Env, flags: &Flags, mode: Mode) -> Outcome {
    let ports = Ports { service: flags.service_port, tenant: flags.port };
    ports.check_free()?;
    let (interrupt, interrupted) = mpsc::channel();
    ctrlc::set_handler(move || interrupt.send(()).unwrap_or_default())
        .or_fail(|| "Could not install the handler for Ctrl-C".into())?;
    setup::run(&mut env, setup::Purpose::Demo)?;
    match mode {
        Mode::Demo => build(&env)?,
        Mode::Dev => {
            cargo_tools::ensure_trunk(&mut env)?;
            stack::build(&env)?;
            web::bridge(&env)?;
        }
    }
    if interrupted.try_recv().is_ok() {
        return Ok(());
    }
    let folder = env.cache.join("demo").join(format!("{}-{}", env.checkout(), flags.port));
    let build_log = folder.join("trunk.log").to_string_lossy().into_owned();
    let reload = ["--reload", cargo_tools::TRUNK_SOCKET, "--build-log", &build_log];
    let tenant_flags = if mode == Mode::Dev { &reload[..] } else { &[] };
    let mut stack = Stack::start_with(&env, &stack::debug_service(&env), ports, folder, tenant_flags)?;
    if cfg!(target_os = "linux") || mode == Mode::Dev {
        // Nothing is built any more, so another checkout need not wait. Linux keeps a replaced program for its processes.
        env.claim = None;
    }
    if mode == Mode::Dev {
        // Its hook runs a task, which claims the target folder for a moment.
        let trunk = env.program("trunk").arg("serve").env("CARGO_TARGET_DIR", env.wasm_target());
        let colors = if std::io::stdout().is_terminal() { "always" } else { "never" };
        let xtask = std::env::current_exe().or_fail(|| "Could not find this program".into())?;
        let trunk = trunk.env("CARGO_TERM_COLOR", colors).env(XTASK, xtask);
        stack.spawn_at_terminal("trunk", trunk, "starting build")?;
    }
    let page = format!("http://127.0.0.1:{}", flags.port);
    println!("service: http://localhost:{}, its log: {}", flags.service_port, stack.log("service").display());
    println!("keys: export KEYS=\"{}\"", stack.keys().display());
    println!("demo: {page}");
    if env.at("crates/link-console/dist/index.html").is_file() {
        println!("developer portal (the address works once): {}", portal_address(&env, &stack)?);
    } else {
        println!("developer portal: not built; run `cargo xtask console`, and start this again");
    }
    if flags.open {
        open(&page);
    }
    while interrupted.recv_timeout(Duration::from_millis(500)).is_err() {
        stack.check_running()?;
    }
    println!("demo: stopping");
    Ok(())
}

/// Invites an owner of the demo tenant, and returns their one-time address of the developer portal.
fn portal_address(env: &Env, stack: &Stack) -> Outcome<String> {
    let invited = env
        .program(&stack::debug_service(env).to_string_lossy())
        .args([
            "console",
            "invite",
            "--tenant",
            "demo",
            "--owner",
            "owner@demo.example",
            "--json",
            "--data-dir",
        ])
        .arg(stack.folder.join("data"))
        .output()?;
    let invited: serde_json::Value =
        serde_json::from_str(&invited).or_fail(|| "Could not read the portal's address".into())?;
    Ok(invited["address"].as_str().unwrap_or_default().to_owned())
}

/// Builds the widget and the service at the same time: each ends in minutes that keep one core busy. The debug service
/// reads the widget's files when it runs, so it does not wait for them.
fn build(env: &Env) -> Outcome {
    std::thread::scope(|scope| {
        let service = scope.spawn(|| stack::build(env));
        let widget = web::build(env);
        let service =
            service.join().unwrap_or_else(|_| Err(Failure::new("The build of the service panicked")));
        widget.and(service)
    })
}

/// Opens the page in a browser, or asks the user to do so if that fails.
fn open(page: &str) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    if Program::new(opener).arg(page).limit(Duration::from_secs(5)).output().is_err() {
        println!("demo: could not open a browser, please open the address above");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_parsed_in_either_form_and_any_order() {
        let expected = Flags { port: 9000, service_port: 9001, open: false };
        assert_eq!(flags(&["--no-open", "--port", "9000", "--service-port=9001"]).unwrap(), expected);
        assert_eq!(flags(&[]).unwrap(), Flags { port: 8788, service_port: 8787, open: true });
    }

    #[test]
    fn invalid_ports_and_unknown_flags_are_rejected() {
        for words in
            [&["--port"][..], &["--port", "x"], &["--port", "0"], &["--port=70000"], &["--prot", "1"]]
        {
            assert!(flags(words).is_err(), "{words:?}");
        }
    }
}
