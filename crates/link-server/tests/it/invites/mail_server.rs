//! A real mail server: aiosmtpd in its own process, which stores mails in a Maildir. `cargo xtask setup` installs it.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use link_test_support::wait;

use crate::uploads::installed_tool;

/// A local port, and the server that listens there once it is started.
pub struct MailServer {
    port: u16,
    folder: tempfile::TempDir,
    process: Option<Child>,
}

impl MailServer {
    /// Reserves a port without starting a server.
    pub fn down() -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        Self { port, folder: tempfile::tempdir().unwrap(), process: None }
    }

    /// Starts a server that accepts every mail.
    pub fn up() -> Self {
        let mut server = Self::down();
        server.start(&[]);
        server
    }

    /// Starts a server that refuses mails larger than 64 bytes.
    pub fn that_refuses() -> Self {
        Self::with_limit(64)
    }

    /// Starts a server that refuses larger mails than this.
    pub fn with_limit(bytes: usize) -> Self {
        let mut server = Self::down();
        server.start(&["--size", &bytes.to_string()]);
        server
    }

    /// Starts the server and waits until it accepts connections.
    pub fn start(&mut self, options: &[&str]) {
        let program = std::env::var("LINCHPIN_SMTP_SERVER")
            .map_or_else(|_| installed_tool("smtp/bin/aiosmtpd"), PathBuf::from);
        let started = Command::new(&program)
            .args(["--nosetuid", "--smtputf8", "--listen", &format!("127.0.0.1:{}", self.port)])
            .args(options)
            .args(["--class", "aiosmtpd.handlers.Mailbox"])
            .arg(self.folder.path().join("mail"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let process = started.unwrap_or_else(|error| {
            panic!("{}: {error}. Run `cargo xtask setup` to install it", program.display())
        });
        let process = self.process.insert(process);
        wait::blocking::until("the mail server listens", || {
            let ended = process.try_wait().unwrap();
            assert!(ended.is_none(), "{} ended without listening", program.display());
            std::net::TcpStream::connect(("127.0.0.1", self.port)).is_ok()
        });
    }

    /// Returns the server's URL for the settings.
    pub fn address(&self) -> String {
        format!("smtp://127.0.0.1:{}", self.port)
    }

    /// Returns the mails received so far, without the soft line breaks of quoted-printable.
    pub fn mails(&self) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.folder.path().join("mail/new")) else { return Vec::new() };
        let mut paths: Vec<PathBuf> = entries.map(|it| it.unwrap().path()).collect();
        paths.sort();
        let read = |path: &PathBuf| String::from_utf8(std::fs::read(path).unwrap()).unwrap();
        paths
            .iter()
            .map(|path| read(path).replace("\r\n", "\n").replace("=\n", "").replace("=3D", "="))
            .collect()
    }
}

impl Drop for MailServer {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            drop(process.kill());
            drop(process.wait());
        }
    }
}
