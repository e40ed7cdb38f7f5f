//! Builds, starts and stops the service and the demo tenant.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use crate::env::Env;
use crate::failure::{Failure, OrFail, Outcome};
use crate::files;
use crate::process::Program;

const READY_WITHIN: Duration = Duration::from_secs(60);
const STOP_WITHIN: Duration = Duration::from_secs(10);

/// The two ports of a running demo.
#[derive(Clone, Copy, Debug)]
pub struct Ports {
    /// The service's port, addressed as `localhost`.
    pub service: u16,
    /// The demo tenant's port, addressed as `127.0.0.1`: a different site, as in production.
    pub tenant: u16,
}

impl Ports {
    /// Returns two free ports.
    pub fn free() -> Outcome<Self> {
        let listen = || TcpListener::bind(("127.0.0.1", 0)).or_fail(|| "Found no free port".into());
        let (service, tenant) = (listen()?, listen()?);
        let port = |listener: &TcpListener| {
            listener.local_addr().map(|address| address.port()).or_fail(|| "Found no free port".into())
        };
        Ok(Self { service: port(&service)?, tenant: port(&tenant)? })
    }

    /// Checks that both ports are free.
    ///
    /// # Errors
    /// If another program listens on one of them.
    pub fn check_free(self) -> Outcome {
        for (port, flag, whose) in
            [(self.tenant, "--port", "the demo page"), (self.service, "--service-port", "the service")]
        {
            if let Err(error) = TcpListener::bind(("127.0.0.1", port)) {
                return Err(Failure::new(format!("Port {port} for {whose} is in use")).why(error).advice(
                    format!("stop the program that listens there, or choose another port: {flag} <port>"),
                ));
            }
        }
        Ok(())
    }
}

/// A running service, and a demo tenant if one was started. Dropping the stack stops them.
pub struct Stack {
    /// The folder with their data and logs.
    pub folder: PathBuf,
    running: Vec<(&'static str, Child)>,
}

/// Builds the programs of a [`Stack`].
pub fn build(env: &Env) -> Outcome {
    println!("service: building (usually 5 s, 3 min the first time) ...");
    env.cargo_whole(["build", "--quiet"]).args(["--bin", "linchpin", "--example", "demo_tenant"]).run()
}

/// Returns the service that [`build`] builds.
pub fn debug_service(env: &Env) -> PathBuf {
    env.debug().join("linchpin")
}

impl Stack {
    /// Starts only the service on an empty data folder, with additional flags, and waits until it is ready.
    pub fn start_service(env: &Env, port: u16, folder: PathBuf, flags: &[&str]) -> Outcome<Self> {
        Self::start_program(env, &debug_service(env), port, folder, flags)
    }

    /// Starts only this build of the service on an empty data folder, and waits until it is ready.
    pub fn start_only(env: &Env, service: &Path, port: u16, folder: PathBuf) -> Outcome<Self> {
        Self::start_program(env, service, port, folder, &[])
    }

    fn start_program(env: &Env, service: &Path, port: u16, folder: PathBuf, flags: &[&str]) -> Outcome<Self> {
        files::remove_dir(&folder)?;
        files::make_dir(&folder)?;
        let mut stack = Self { folder, running: Vec::new() };
        let service = env
            .program(&service.to_string_lossy())
            .arg("serve")
            .arg("--data-dir")
            .arg(stack.folder.join("data"))
            .args(["--listen", &format!("127.0.0.1:{port}")])
            .args(["--public-url", &format!("http://localhost:{port}")])
            .args(flags);
        stack.spawn("service", service)?;
        stack.wait("service", port, "/health/ready")?;
        Ok(stack)
    }

    /// Starts this build of the service and the demo tenant on an empty data folder, and waits until both are ready.
    pub fn start(env: &Env, service: &Path, ports: Ports, folder: PathBuf) -> Outcome<Self> {
        Self::start_with(env, service, ports, folder, &[])
    }

    /// Does the same with additional flags for the demo tenant.
    pub fn start_with(
        env: &Env,
        service: &Path,
        ports: Ports,
        folder: PathBuf,
        tenant_flags: &[&str],
    ) -> Outcome<Self> {
        // By default, the service does not post webhooks to loopback addresses.
        let flags = ["--webhook-allow", "127.0.0.0/8,::1/128"];
        let mut stack = Self::start_program(env, service, ports.service, folder, &flags)?;
        let debug = env.target().join("debug");
        let tenant = env
            .program(&debug.join("examples/demo_tenant").to_string_lossy())
            .args(["--port", &ports.tenant.to_string()])
            .args(["--service", &format!("http://localhost:{}", ports.service)])
            .arg("--keys")
            .arg(stack.keys())
            .args(tenant_flags);
        stack.spawn("tenant", tenant)?;
        stack.wait("tenant", ports.tenant, "/")?;
        Ok(stack)
    }

    /// Returns the log file of a process in the stack.
    pub fn log(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.log"))
    }

    /// Returns the file with the API keys that the service writes at its first start.
    pub fn keys(&self) -> PathBuf {
        self.folder.join("data/first-keys.json")
    }

    /// Returns the API key and secret of the first tenant's sandbox.
    pub fn sandbox_credentials(&self) -> Outcome<(String, String)> {
        let keys = files::read(&self.keys())?;
        let keys: serde_json::Value =
            serde_json::from_str(&keys).or_fail(|| "Could not read the first keys".into())?;
        let word = |name: &str| keys["sandbox"][name].as_str().unwrap_or_default().to_owned();
        Ok((word("apiKey"), word("apiSecret")))
    }

    /// Checks that all processes run.
    ///
    /// # Errors
    /// If one of them has exited. The failure contains the end of its log.
    pub fn check_running(&mut self) -> Outcome {
        let ended = self.running.iter_mut().find_map(|(name, child)| Some((*name, child.try_wait().ok()??)));
        match ended {
            Some((name, status)) => {
                Err(Failure::new(format!("The {name} exited ({status})")).why(tail(&self.log(name))))
            }
            None => Ok(()),
        }
    }

    fn spawn(&mut self, name: &'static str, program: Program) -> Outcome {
        let log =
            File::create(self.log(name)).or_fail(|| format!("Could not write the log of the {name}"))?;
        let errors = log.try_clone().or_fail(|| format!("Could not write the log of the {name}"))?;
        let mut command = program.into_command();
        command.stdout(log).stderr(errors);
        self.launch(name, command)
    }

    fn launch(&mut self, name: &'static str, mut command: Command) -> Outcome {
        // In a separate process group, an interrupt at the terminal reaches only xtask, which stops them in order.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let child = command.spawn().or_fail(|| format!("Could not start the {name}"))?;
        self.running.push((name, child));
        Ok(())
    }

    /// Starts another program that prints to the terminal, and is stopped with the stack. Its log has what it printed since
    /// the last line that contains `start`.
    pub fn spawn_at_terminal(
        &mut self,
        name: &'static str,
        program: Program,
        start: &'static str,
    ) -> Outcome {
        let failed = || format!("Could not read what the {name} prints");
        let (printed, output) = std::io::pipe().or_fail(failed)?;
        let mut command = program.into_command();
        command.stdout(output.try_clone().or_fail(failed)?).stderr(output);
        self.launch(name, command)?;
        let path = self.log(name);
        thread::spawn(move || print_and_keep(printed, start, &path));
        Ok(())
    }

    fn wait(&mut self, name: &str, port: u16, path: &str) -> Outcome {
        let deadline = Instant::now() + READY_WITHIN;
        while Instant::now() < deadline {
            self.check_running()?;
            if is_ready(port, path) {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(50));
        }
        Err(Failure::new(format!("The {name} was not ready within {} s", READY_WITHIN.as_secs()))
            .why(tail(&self.log(name))))
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        for (_, child) in self.running.iter_mut().rev() {
            stop(child);
        }
    }
}

/// Prints lines, and writes those since the last one that contains `start` to a file.
fn print_and_keep(printed: impl Read, start: &str, log: &Path) {
    let mut kept = String::new();
    for line in BufReader::new(printed).split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        if line.contains(start) {
            kept.clear();
        }
        kept.push_str(&line);
        kept.push('\n');
        // Without the log, the page shows Trunk's own reason.
        drop(files::write(log, &kept));
    }
}

/// Sends SIGTERM to a process, and kills it if it still runs after 10 s.
pub fn stop(child: &mut Child) {
    let signalled = Program::new("kill").args(["-TERM", &child.id().to_string()]).output().is_ok();
    let deadline = Instant::now() + if signalled { STOP_WITHIN } else { Duration::ZERO };
    while Instant::now() < deadline {
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        thread::sleep(Duration::from_millis(20));
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// Returns whether a GET request to this port and path gets 200.
pub fn is_ready(port: u16, path: &str) -> bool {
    let request = || -> std::io::Result<String> {
        let mut stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_read_timeout(Some(Duration::from_secs(2)))?;
        write!(stream, "GET {path} HTTP/1.0\r\nHost: localhost:{port}\r\n\r\n")?;
        let mut status = [0; 12];
        stream.read_exact(&mut status)?;
        Ok(String::from_utf8_lossy(&status).into_owned())
    };
    request().is_ok_and(|status| status.ends_with(" 200"))
}

fn tail(log: &Path) -> String {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(20)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn port_in_use_is_reported_with_its_flag() {
        let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let ports = Ports { tenant: taken.local_addr().unwrap().port(), ..Ports::free().unwrap() };
        let failure = ports.check_free().unwrap_err().to_string();
        assert!(failure.contains(&ports.tenant.to_string()) && failure.contains("--port"), "{failure}");
    }

    #[test]
    fn log_has_the_output_since_the_last_start() {
        let dir = tempfile::tempdir().unwrap();
        let log = dir.path().join("trunk.log");
        print_and_keep(&b"starting build\nerror: a\nstarting build\nerror: b\n"[..], "starting", &log);
        assert_eq!(files::read(&log).unwrap(), "starting build\nerror: b\n");
    }

    #[test]
    fn only_status_200_counts_as_ready() {
        let serve = |status: &'static str| {
            let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
            let port = listener.local_addr().unwrap().port();
            thread::spawn(move || {
                let (mut stream, _) = listener.accept().unwrap();
                // Closing a connection with unread bytes could discard the response.
                let head = BufReader::new(&stream).lines();
                head.take_while(|line| line.as_ref().is_ok_and(|line| !line.is_empty())).for_each(drop);
                let _ = write!(stream, "HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n");
            });
            is_ready(port, "/")
        };
        assert!(serve("200 OK"));
        assert!(!serve("503 Service Unavailable"));
    }
}
