//! A program of the operator that wraps the master key, such as a script around a KMS (ADR 273).
//!
//! `PROGRAM unwrap` gets the content of the key file on standard input and writes 64 hexadecimal digits. `PROGRAM wrap` gets
//! the digits of a new key and writes the content of its file.

mod words;

use std::io::{Read, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use link_domain::kernel::master_key_source::{MasterKeyBytes, MasterKeySource, MasterKeySourceError};
use rustix::process::{Pid, Signal, kill_process_group};
use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

/// How long the program may take. A KMS responds within a second.
const TIMEOUT: Duration = Duration::from_secs(20);
/// How long its pipes may take to end after it was killed.
const KILLED_TIMEOUT: Duration = Duration::from_secs(1);
/// The maximum size of a wrapped key in bytes.
const MAX_OUTPUT: usize = 16 * 1024;
/// How long an error is remembered, so that the probe every 10 seconds does not run a program that fails each time.
const RETRY: Duration = Duration::from_secs(60);
/// The number of contents of files that are remembered: `master.key`, and files with an id.
const MAX_KNOWN: usize = 4;
/// The beginning of the variables that hold the secrets of the service.
const PREFIX: &str = "LINCHPIN_";

const UNWRAP: &str = "unwrap";
const WRAP: &str = "wrap";

/// A result of the program for the content of a file, and its time.
#[derive(Debug)]
struct Opened {
    /// The SHA-256 of the content.
    of: [u8; 32],
    at: Instant,
    result: Result<MasterKeyBytes, MasterKeySourceError>,
}

impl Opened {
    fn is_current(&self) -> bool {
        self.result.is_ok() || self.at.elapsed() < RETRY
    }
}

/// The results that are remembered. `forgotten` counts how often it was emptied: a result from before that is not added.
#[derive(Debug, Default)]
struct Known {
    opened: Vec<Opened>,
    forgotten: u64,
}

/// The program, and its last results: it runs again only for another content, an error of some time ago, or after
/// [`MasterKeySource::forget`].
#[derive(Debug)]
pub(crate) struct KeyCommand {
    program: PathBuf,
    timeout: Duration,
    known: Mutex<Known>,
}

/// The output of the program, and its end.
struct Ended {
    output: Zeroizing<Vec<u8>>,
    words: Vec<u8>,
    status: std::io::Result<ExitStatus>,
}

impl KeyCommand {
    /// Creates the source for the program at this path. It is run without a shell.
    pub(crate) fn new(program: PathBuf) -> Self {
        Self { program, timeout: TIMEOUT, known: Mutex::default() }
    }

    fn name(&self) -> String {
        self.program.display().to_string()
    }

    fn lock_known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unwrap_content(&self, content: &[u8]) -> Result<MasterKeyBytes, MasterKeySourceError> {
        if let Some(key) = MasterKeyBytes::parse(content) {
            tracing::warn!(
                "The file of the master key holds the key as it is, although --master-key-command is set. Run \
                 `linchpin master-key rotate`, and remove the old file"
            );
            return Ok(key);
        }
        let (output, words) = self.run(UNWRAP, content, None)?;
        MasterKeyBytes::parse(&output).ok_or_else(|| self.unusable(UNWRAP, "64 hexadecimal digits", words))
    }

    fn unusable(&self, action: &'static str, expected: &'static str, words: String) -> MasterKeySourceError {
        MasterKeySourceError::Unusable { program: self.name(), action, expected, words }
    }

    /// Runs the program with this input, and kills it and what it started if it takes too long. Returns its output and its
    /// messages, without those that contain a part of `key`.
    fn run(
        &self,
        action: &'static str,
        input: &[u8],
        key: Option<&MasterKeyBytes>,
    ) -> Result<(Zeroizing<Vec<u8>>, String), MasterKeySourceError> {
        let not_started = |error: std::io::Error| MasterKeySourceError::NotStarted {
            program: self.name(),
            cause: error.to_string(),
        };
        let mut command = Command::new(&self.program);
        command.arg(action).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with(PREFIX)) {
            command.env_remove(name);
        }
        let child = command.spawn().map_err(not_started)?;
        let group = Pid::from_child(&child);
        let (done, ended) = channel();
        let input = Zeroizing::new(input.to_vec());
        let began = on_thread(move || converse(child, group, &input, &done));
        if let Err(error) = began {
            kill(group);
            return Err(not_started(error));
        }
        let Ended { output, words, status } = match ended.recv_timeout(self.timeout) {
            Ok(ended) => ended,
            Err(_) => {
                kill(group);
                let words = ended.recv_timeout(KILLED_TIMEOUT).map(|it| it.words).unwrap_or_default();
                let (program, seconds) = (self.name(), self.timeout.as_secs());
                let words = words::clean(&words, key);
                return Err(MasterKeySourceError::TimedOut { program, seconds, words });
            }
        };
        if output.len() > MAX_OUTPUT {
            return Err(MasterKeySourceError::TooLong { program: self.name(), action, limit: MAX_OUTPUT });
        }
        let words = words::clean(&words, key);
        match status {
            Ok(status) if status.success() => Ok((output, words)),
            ended => Err(MasterKeySourceError::Failed {
                program: self.name(),
                action,
                status: ended.map_or_else(|error| error.to_string(), |it| it.to_string()),
                words,
            }),
        }
    }
}

impl MasterKeySource for KeyCommand {
    fn open(&self, content: &[u8]) -> Result<MasterKeyBytes, MasterKeySourceError> {
        let of = <[u8; 32]>::from(Sha256::digest(content));
        let forgotten = {
            let known = self.lock_known();
            if let Some(opened) = known.opened.iter().find(|it| it.of == of && it.is_current()) {
                return opened.result.clone();
            }
            known.forgotten
        };
        // Without the lock: the program takes seconds, and `forget` is called by tasks.
        let result = self.unwrap_content(content);
        let mut known = self.lock_known();
        if known.forgotten == forgotten {
            known.opened.retain(|it| it.of != of);
            let surplus = (known.opened.len() + 1).saturating_sub(MAX_KNOWN);
            known.opened.drain(..surplus);
            known.opened.push(Opened { of, at: Instant::now(), result: result.clone() });
        }
        result
    }

    fn protect(&self, key: &MasterKeyBytes) -> Result<Zeroizing<Vec<u8>>, MasterKeySourceError> {
        let text = key.to_text();
        let (wrapped, words) = self.run(WRAP, text.as_bytes(), Some(key))?;
        let digits = text.trim().as_bytes();
        let is_bare = wrapped.windows(digits.len()).any(|it| it.eq_ignore_ascii_case(digits));
        if is_bare || wrapped.trim_ascii().is_empty() {
            return Err(self.unusable(WRAP, "a wrapped key", words));
        }
        // A key that does not open again would lose the data.
        let (opened, words) = self.run(UNWRAP, &wrapped, Some(key))?;
        match MasterKeyBytes::parse(&opened) {
            Some(opened) if opened.as_bytes() == key.as_bytes() => Ok(wrapped),
            Some(_) | None => Err(self.unusable(UNWRAP, "the key that it had wrapped", words)),
        }
    }

    fn forget(&self) {
        let mut known = self.lock_known();
        known.opened.clear();
        known.forgotten += 1;
    }

    fn program(&self) -> Option<&Path> {
        Some(&self.program)
    }
}

fn on_thread(run: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    std::thread::Builder::new().name("master-key".to_owned()).spawn(run).map(drop)
}

fn kill(group: Pid) {
    // It may have ended in the meantime.
    let _killed = kill_process_group(group, Signal::KILL);
}

/// Passes the input, reads until the program closes its pipes, and waits for its end.
fn converse(mut child: std::process::Child, group: Pid, input: &[u8], done: &Sender<Ended>) {
    let (said, words) = channel();
    let stderr = child.stderr.take();
    drop(on_thread(move || {
        drop(said.send(stderr.map(|it| read(it, words::MAX_READ, || {})).unwrap_or_default()))
    }));
    if let Some(mut stdin) = child.stdin.take() {
        // A program that does not read ends with its own message. The input fits into a pipe.
        drop(stdin.write_all(input));
    }
    let output = child.stdout.take().map(|it| read(it, MAX_OUTPUT + 1, || kill(group)));
    let words = words.recv().unwrap_or_default();
    let status = child.wait();
    drop(done.send(Ended { output: Zeroizing::new(output.unwrap_or_default()), words, status }));
}

/// Reads to the end, keeps the first bytes, and calls `overflow` if there are more.
fn read(mut pipe: impl Read, limit: usize, overflow: impl Fn()) -> Vec<u8> {
    // Not enlarged, because the old place would keep a key.
    let mut kept = Vec::with_capacity(limit);
    let mut piece = Zeroizing::new([0; 4096]);
    while let Ok(length @ 1..) = pipe.read(piece.as_mut()) {
        let read = piece.get(..length).unwrap_or_default();
        kept.extend_from_slice(read.get(..(limit - kept.len()).min(length)).unwrap_or_default());
        if kept.len() == limit {
            overflow();
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;
    use tempfile::TempDir;

    use super::*;

    /// A program that wraps a key by writing its digits backwards, and counts how often it unwraps.
    const REVERSING: &str = "case $1 in wrap) echo -n wrapped-; rev;; \
                             unwrap) echo -n x >> ${0}.count; sed s/^wrapped-// | rev;; esac";

    fn command(script: &str) -> (TempDir, KeyCommand) {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("wrapper");
        // Another test may be between fork and exec with a descriptor of this file.
        let draft = folder.path().join("draft");
        std::fs::write(&draft, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&draft, std::fs::Permissions::from_mode(0o700)).unwrap();
        std::fs::rename(&draft, &program).unwrap();
        let command = KeyCommand { timeout: Duration::from_secs(5), ..KeyCommand::new(program) };
        (folder, command)
    }

    fn key() -> MasterKeyBytes {
        MasterKeyBytes::new(std::array::from_fn(|at| u8::try_from(at).unwrap()))
    }

    #[test]
    fn program_wraps_and_unwraps_a_key() {
        let (folder, command) = command(REVERSING);
        let wrapped = command.protect(&key()).unwrap();
        assert!(wrapped.starts_with(b"wrapped-"));
        let unwraps = || std::fs::read(folder.path().join("wrapper.count")).unwrap().len();
        for (forgets, runs) in [(false, 2), (false, 2), (true, 3)] {
            if forgets {
                command.forget();
            }
            assert_eq!(command.open(&wrapped).unwrap().as_bytes(), key().as_bytes());
            assert_eq!(unwraps(), runs, "a known content needs no program");
        }
    }

    #[test]
    fn error_is_remembered_for_a_minute_only() {
        let (folder, command) = command("echo -n x >> ${0}.count; [ -e ${0}.up ] && printf %064d 1");
        let runs = || std::fs::read(folder.path().join("wrapper.count")).unwrap().len();
        for _ in 0..2 {
            assert_eq!(command.open(b"wrapped").unwrap_err().code(), "Failed");
        }
        assert_eq!(runs(), 1, "the probe does not run it each time");
        std::fs::write(folder.path().join("wrapper.up"), "").unwrap();
        command.lock_known().opened[0].at -= RETRY;
        command.open(b"wrapped").unwrap();
        command.lock_known().opened[0].at -= RETRY;
        command.open(b"wrapped").unwrap();
        assert_eq!(runs(), 2, "a key is remembered");
    }

    #[test]
    fn forgetting_does_not_wait_for_the_program() {
        let (folder, command) =
            command("echo $$ > ${0}.started; until [ -e ${0}.go ]; do sleep 0.01; done; printf %064d 1");
        let is_started = || folder.path().join("wrapper.started").exists();
        std::thread::scope(|scope| {
            let opening = scope.spawn(|| command.open(b"wrapped"));
            link_test_support::wait::blocking::until("the program runs", is_started);
            command.forget();
            std::fs::write(folder.path().join("wrapper.go"), "").unwrap();
            opening.join().unwrap().unwrap();
        });
        assert!(command.lock_known().opened.is_empty(), "the result is from before");
    }

    #[test]
    fn plain_key_is_opened_without_the_program() {
        let (_folder, command) = command("exit 1");
        assert_eq!(command.open(key().to_text().as_bytes()).unwrap().as_bytes(), key().as_bytes());
    }

    #[test]
    fn program_that_does_not_wrap_is_refused() {
        for (script, code) in [
            ("cat", "Unusable"),
            ("true", "Unusable"),
            ("case $1 in wrap) echo wrapped;; unwrap) echo 00; esac", "Unusable"),
            ("case $1 in wrap) echo wrapped;; unwrap) printf %064d 1; esac", "Unusable"),
            ("yes", "TooLong"),
            ("exit 3", "Failed"),
        ] {
            let (_folder, command) = command(script);
            assert_eq!(command.protect(&key()).unwrap_err().code(), code, "{script}");
        }
    }

    #[test]
    fn message_of_the_program_is_shown_without_the_key() {
        let (_folder, command) = command("echo AccessDenied: key/12-34 >&2; exit 4");
        let refused = command.protect(&key()).unwrap_err().to_string();
        assert!(refused.contains("AccessDenied: key/12-34") && refused.contains("status: 4"), "{refused}");
        for script in ["cat >&2; exit 4", "cut -c 9-18 >&2; exit 4", "cat >&2"] {
            let (_folder, command) = self::command(script);
            let refused = command.protect(&key()).unwrap_err().to_string();
            assert!(!refused.contains("0405") && refused.contains("[left out]"), "{refused}");
        }
        // A program that fails in a pipe may exit with 0.
        let (_folder, command) = self::command("echo AccessDenied >&2");
        let refused = command.open(b"wrapped").unwrap_err().to_string();
        assert!(refused.contains("AccessDenied"), "{refused}");
    }

    #[test]
    fn program_that_hangs_is_killed_with_its_children() {
        let (folder, command) = command("echo waiting >&2; sleep 600 & echo $! > ${0}.child; wait");
        let command = KeyCommand { timeout: Duration::from_secs(3), ..command };
        let began = Instant::now();
        let refused = command.open(b"wrapped").unwrap_err();
        assert!(began.elapsed() < Duration::from_secs(30));
        assert!(
            matches!(&refused, MasterKeySourceError::TimedOut { words, .. } if words == "waiting"),
            "{refused}"
        );
        let child = std::fs::read_to_string(folder.path().join("wrapper.child")).unwrap();
        link_test_support::wait::blocking::until("the child ends", || {
            let state = std::fs::read_to_string(format!("/proc/{}/stat", child.trim())).unwrap_or_default();
            state.is_empty() || state.contains(") Z ")
        });
    }

    #[test]
    fn missing_program_is_named() {
        let refused = KeyCommand::new("/nowhere/wrapper".into()).open(b"wrapped").unwrap_err();
        assert!(
            refused.to_string().contains("/nowhere/wrapper") && refused.code() == "NotStarted",
            "{refused}"
        );
    }
}
