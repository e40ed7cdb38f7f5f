//! A program of the operator that wraps the master key, such as a script around a KMS (ADR 273).
//!
//! `PROGRAM unwrap` gets the content of the key file on standard input and writes 64 hexadecimal digits. `PROGRAM wrap` gets
//! the digits of a new key and writes the content of its file.

use std::io::{Read, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

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
/// The maximum number of bytes of its messages that are kept.
const MAX_WORDS: usize = 1024;
/// Words of a message that are as long as a key in base64 are left out.
const KEY_CHARACTERS: usize = 43;
/// The beginning of the variables that hold the secrets of the service.
const PREFIX: &str = "LINCHPIN_";

const UNWRAP: &str = "unwrap";
const WRAP: &str = "wrap";

/// The SHA-256 of the content of a file, and what the program made of it.
type Known = Option<([u8; 32], Result<MasterKeyBytes, MasterKeySourceError>)>;

/// The program, and its last result: it runs again only for another content, or after [`MasterKeySource::forget`].
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

    fn known(&self) -> MutexGuard<'_, Known> {
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
        let output = self.run(UNWRAP, content)?;
        MasterKeyBytes::parse(&output).ok_or_else(|| self.unusable(UNWRAP, "64 hexadecimal digits"))
    }

    fn unusable(&self, action: &'static str, expected: &'static str) -> MasterKeySourceError {
        MasterKeySourceError::Unusable { program: self.name(), action, expected }
    }

    /// Runs the program with this input, and kills it and what it started if it takes too long.
    fn run(&self, action: &'static str, input: &[u8]) -> Result<Zeroizing<Vec<u8>>, MasterKeySourceError> {
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
                return Err(MasterKeySourceError::TimedOut { program, seconds, words: clean(&words) });
            }
        };
        if output.len() > MAX_OUTPUT {
            return Err(MasterKeySourceError::TooLong { program: self.name(), action, limit: MAX_OUTPUT });
        }
        match status {
            Ok(status) if status.success() => Ok(output),
            ended => Err(MasterKeySourceError::Failed {
                program: self.name(),
                action,
                status: ended.map_or_else(|error| error.to_string(), |it| it.to_string()),
                words: clean(&words),
            }),
        }
    }
}

impl MasterKeySource for KeyCommand {
    fn open(&self, content: &[u8]) -> Result<MasterKeyBytes, MasterKeySourceError> {
        let mut known = self.known();
        let digest = <[u8; 32]>::from(Sha256::digest(content));
        if let Some((of, opened)) = known.as_ref()
            && *of == digest
        {
            return opened.clone();
        }
        let opened = self.unwrap_content(content);
        *known = Some((digest, opened.clone()));
        opened
    }

    fn protect(&self, key: &MasterKeyBytes) -> Result<Zeroizing<Vec<u8>>, MasterKeySourceError> {
        let text = key.to_text();
        let wrapped = self.run(WRAP, text.as_bytes())?;
        let digits = text.trim().as_bytes();
        let is_bare = wrapped.windows(digits.len()).any(|it| it.eq_ignore_ascii_case(digits));
        if is_bare || wrapped.trim_ascii().is_empty() {
            return Err(self.unusable(WRAP, "a wrapped key"));
        }
        // A key that does not open again would lose the data.
        let opened = MasterKeyBytes::parse(&self.run(UNWRAP, &wrapped)?);
        match opened {
            Some(opened) if opened.as_bytes() == key.as_bytes() => Ok(wrapped),
            Some(_) | None => Err(self.unusable(UNWRAP, "the key that it had wrapped")),
        }
    }

    fn forget(&self) {
        *self.known() = None;
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
    drop(on_thread(move || drop(said.send(stderr.map(|it| read(it, MAX_WORDS, || {})).unwrap_or_default()))));
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

/// Returns a message of the program in one line, without what may be a key.
fn clean(words: &[u8]) -> String {
    let text = String::from_utf8_lossy(words);
    let text: String = text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
    let is_of_key = |it: char| it.is_ascii_alphanumeric() || matches!(it, '+' | '/' | '_' | '=');
    let hide = |word: &str| {
        let longest = word.split(|it| !is_of_key(it)).map(str::len).max().unwrap_or_default();
        if longest >= KEY_CHARACTERS { "[left out]".to_owned() } else { word.to_owned() }
    };
    let words: Vec<_> = text.split_whitespace().map(hide).collect();
    if words.is_empty() { "nothing".to_owned() } else { words.join(" ") }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;
    use std::time::Instant;

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
        let (_folder, command) = command("echo AccessDenied: key/12-34 >&2; cat >&2; exit 4");
        let text = key().to_text();
        let refused = command.protect(&key()).unwrap_err().to_string();
        assert!(
            refused.contains("AccessDenied: key/12-34") && refused.contains("exit status: 4"),
            "{refused}"
        );
        assert!(!refused.contains(text.trim()) && refused.contains("[left out]"), "{refused}");
    }

    #[test]
    fn program_that_hangs_is_killed_with_its_children() {
        let (folder, command) = command("echo waiting >&2; sleep 600 & echo $! > ${0}.child; wait");
        let command = KeyCommand { timeout: Duration::from_millis(800), ..command };
        let began = Instant::now();
        let refused = command.open(b"wrapped").unwrap_err();
        assert!(began.elapsed() < Duration::from_secs(4));
        assert!(
            matches!(&refused, MasterKeySourceError::TimedOut { words, .. } if words == "waiting"),
            "{refused}"
        );
        let child = std::fs::read_to_string(folder.path().join("wrapper.child")).unwrap();
        let state = std::fs::read_to_string(format!("/proc/{}/stat", child.trim())).unwrap_or_default();
        assert!(state.is_empty() || state.contains(") Z "), "{state}");
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
