//! Runs other programs and shows, watches or captures their output.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::{Failure, OrFail, Outcome};

/// A program to run.
pub struct Program {
    command: Command,
    shown: String,
    limit: Option<Duration>,
}

impl Program {
    /// Creates a program from its name or path.
    pub fn new(program: impl AsRef<OsStr>) -> Self {
        let shown = program.as_ref().to_string_lossy().into_owned();
        let mut command = Command::new(program);
        command.stdin(Stdio::null());
        Self { command, shown, limit: None }
    }

    /// Adds an argument.
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.shown = format!("{} {}", self.shown, arg.as_ref().to_string_lossy());
        self.command.arg(arg);
        self
    }

    /// Adds arguments.
    pub fn args<A: AsRef<OsStr>>(self, args: impl IntoIterator<Item = A>) -> Self {
        args.into_iter().fold(self, Self::arg)
    }

    /// Sets a variable of its environment.
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Removes a variable from its environment.
    pub fn without_env(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    /// Sets the folder it runs in.
    pub fn dir(mut self, dir: &Path) -> Self {
        self.command.current_dir(dir);
        self
    }

    /// Sets the time after which [`output`](Self::output) kills it.
    pub fn limit(mut self, limit: Duration) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Returns the command, for a process that outlives the call.
    pub fn into_command(self) -> Command {
        self.command
    }

    /// Runs it with its output on the terminal.
    ///
    /// # Errors
    /// If it does not start or exits with another status than 0.
    pub fn run(mut self) -> Outcome {
        let status = self.command.status().map_err(|error| self.missing(&error))?;
        if status.success() {
            Ok(())
        } else {
            Err(Failure::new(format!("`{}` failed", self.shown)).why(status))
        }
    }

    /// Runs it, prints every line of its output and passes it to `watch`. Returns whether it succeeded.
    ///
    /// # Errors
    /// If it does not start.
    pub fn watch(mut self, mut watch: impl FnMut(&str)) -> Outcome<bool> {
        self.command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = self.command.spawn().map_err(|error| self.missing(&error))?;
        let (sender, lines) = mpsc::channel();
        forward(child.stdout.take(), sender.clone());
        forward(child.stderr.take(), sender);
        for line in lines {
            println!("{line}");
            watch(&line);
        }
        Ok(child.wait().or_fail(|| format!("Could not wait for `{}`", self.shown))?.success())
    }

    /// Runs it silently and returns its standard output.
    ///
    /// # Errors
    /// If it does not start, exceeds its limit, or exits with another status than 0. The failure contains the last 25
    /// lines of its output.
    pub fn output(mut self) -> Outcome<String> {
        self.command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = self.command.spawn().map_err(|error| self.missing(&error))?;
        let stdout = collect(child.stdout.take());
        let stderr = collect(child.stderr.take());
        let deadline = self.limit.map(|limit| Instant::now() + limit);
        let status = loop {
            if let Some(status) =
                child.try_wait().or_fail(|| format!("Could not wait for `{}`", self.shown))?
            {
                break status;
            }
            if deadline.is_some_and(|deadline| Instant::now() > deadline) {
                let _ = child.kill();
                let _ = child.wait();
                return Err(Failure::new(format!("`{}` took too long and was killed", self.shown)));
            }
            thread::sleep(Duration::from_millis(10));
        };
        let stdout = stdout.join().unwrap_or_default();
        let stderr = stderr.join().unwrap_or_default();
        if status.success() {
            return Ok(stdout);
        }
        let printed = format!("{stdout}\n{stderr}");
        let mut last: Vec<&str> =
            printed.lines().rev().filter(|line| !line.trim().is_empty()).take(25).collect();
        last.reverse();
        Err(Failure::new(format!("`{}` failed ({status})", self.shown)).why(last.join("\n")))
    }

    fn missing(&self, error: &std::io::Error) -> Failure {
        Failure::new(format!("Could not start `{}`", self.shown)).why(error)
    }
}

fn forward(stream: Option<impl Read + Send + 'static>, sender: mpsc::Sender<String>) {
    let Some(stream) = stream else { return };
    thread::spawn(move || {
        for line in BufReader::new(stream).split(b'\n').map_while(Result::ok) {
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                return;
            }
        }
    });
}

fn collect(stream: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            let _ = stream.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Returns whether a program of this name is on the path.
pub fn is_on_path(name: &str, path: &OsStr) -> bool {
    std::env::split_paths(path).any(|dir| dir.join(name).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failure_contains_the_output_of_the_program() {
        let failure = Program::new("sh").args(["-c", "echo because >&2; exit 3"]).output().unwrap_err();
        assert!(failure.to_string().contains("because"), "{failure}");
    }

    #[test]
    fn hanging_program_is_killed_at_its_limit() {
        let started = Instant::now();
        let outcome = Program::new("sleep").arg("20").limit(Duration::from_millis(50)).output();
        assert!(outcome.unwrap_err().to_string().contains("too long"));
        assert!(started.elapsed() < Duration::from_secs(5));
    }

    #[test]
    fn watch_receives_lines_of_both_streams() {
        let mut lines = Vec::new();
        let ok = Program::new("sh")
            .args(["-c", "echo out; echo err >&2"])
            .watch(|line| lines.push(line.to_owned()));
        lines.sort();
        assert!(ok.unwrap());
        assert_eq!(lines, ["err", "out"]);
    }
}
