//! Folders on this machine, and the environment of every child process.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::failure::{Failure, Outcome};
use crate::process::Program;
use crate::setup::target::Claim;

/// The packages and features of debug builds. Cargo compiles a dependency again for each set of features that a
/// selection of packages gives it, so builds that select less take longer.
const WHOLE: [&str; 3] = ["--workspace", "--all-features", "--locked"];

/// Folders and environment shared by all tasks.
#[derive(Clone, Debug)]
pub struct Env {
    /// The checkout.
    pub root: PathBuf,
    /// Tools, stamps and build output. Outside of every checkout.
    pub cache: PathBuf,
    /// Folders that child processes have in front of `PATH`.
    pub bins: Vec<PathBuf>,
    /// The rustup toolchain of child processes. If `None`, rustup chooses.
    pub toolchain: Option<String>,
    /// The right to build in the target folder. The setup obtains it.
    pub claim: Option<Arc<Claim>>,
    /// Whether a test that fails runs a second time (ADR 290).
    pub repeats_failed_tests: bool,
}

impl Env {
    /// Finds the checkout and the cache folder: `LINCHPIN_CACHE`, `$XDG_CACHE_HOME/linchpin` or `~/.cache/linchpin`,
    /// in this order.
    ///
    /// # Errors
    /// If the checkout no longer exists, or none of the variables is set.
    pub fn find() -> Outcome<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf);
        let root = root.filter(|root| root.join("Cargo.toml").is_file()).ok_or_else(|| {
            Failure::new("The checkout that this xtask was built in no longer exists")
                .advice("run it with `cargo xtask`")
        })?;
        let cache = cache_dir().ok_or_else(|| {
            Failure::new("Found no folder for tools and build output")
                .why("HOME, XDG_CACHE_HOME and LINCHPIN_CACHE are not set")
                .advice("set LINCHPIN_CACHE to a folder outside the checkout")
        })?;
        Ok(Self { root, cache, bins: Vec::new(), toolchain: None, claim: None, repeats_failed_tests: false })
    }

    /// Returns a path in the checkout.
    pub fn at(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// Returns cargo's target folder for native code.
    pub fn target(&self) -> PathBuf {
        self.cache.join("target")
    }

    /// Returns cargo's target folder for wasm. It is separate so that native and wasm builds do not block each other.
    pub fn wasm_target(&self) -> PathBuf {
        self.target().join("wasm")
    }

    /// Returns the folder of an installed tool.
    pub fn tool(&self, name: &str, version: &str) -> PathBuf {
        self.cache.join("tools").join(format!("{name}-{version}"))
    }

    /// Returns the folder of one of the Python environments that the setup creates.
    pub fn python(&self, name: &str) -> PathBuf {
        self.cache.join("tools").join(name)
    }

    /// Returns the folder of the wheels that a tenant's Python project needs.
    pub fn python_wheels(&self) -> PathBuf {
        self.python("wheels")
    }

    /// Returns a program of the Python environment for API fuzzing, generated clients and the Python package.
    pub fn api_tool(&self, name: &str) -> PathBuf {
        self.python("api-tools").join("bin").join(name)
    }

    /// Returns the tests' S3 server. `LINCHPIN_MOTO_SERVER` passes it to child processes.
    pub fn moto_server(&self) -> PathBuf {
        self.python("moto").join("bin/moto_server")
    }

    /// Returns the tests' mail server. `LINCHPIN_SMTP_SERVER` passes it to child processes.
    pub fn smtp_server(&self) -> PathBuf {
        self.python("smtp").join("bin/aiosmtpd")
    }

    /// Returns the stamp file of a step in this checkout.
    pub fn stamp(&self, step: &str) -> PathBuf {
        self.cache.join("stamps").join(self.checkout()).join(step)
    }

    /// Returns a short name of this checkout, for the parts of the cache that checkouts do not share.
    pub fn checkout(&self) -> String {
        crate::stamp::Inputs::default().fact(&self.root.to_string_lossy()).fingerprint()[..12].to_owned()
    }

    /// Returns the `PATH` of child processes.
    pub fn path(&self) -> OsString {
        let inherited = std::env::var_os("PATH").unwrap_or_default();
        let dirs = self.bins.iter().cloned().chain(std::env::split_paths(&inherited));
        std::env::join_paths(dirs).unwrap_or(inherited)
    }

    /// Returns a program that runs in the checkout, with the tools on its `PATH`.
    pub fn program(&self, name: &str) -> Program {
        // Cargo sets these variables to describe xtask. They would mislead a cargo that xtask starts.
        let of_xtask = std::env::vars().map(|(name, _)| name).filter(|name| {
            name == "CARGO" || name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
        });
        let mut program = of_xtask.fold(Program::new(name), |program, name| program.without_env(&name));
        program = program
            .dir(&self.root)
            .env("PATH", self.path())
            .env("CARGO_TARGET_DIR", self.target())
            .env("LINCHPIN_MOTO_SERVER", self.moto_server())
            .env("LINCHPIN_SMTP_SERVER", self.smtp_server())
            .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
        match &self.toolchain {
            Some(toolchain) => program.env("RUSTUP_TOOLCHAIN", toolchain),
            None => program,
        }
    }

    /// Returns cargo for native code.
    pub fn cargo<'a>(&self, args: impl IntoIterator<Item = &'a str>) -> Program {
        self.program("cargo").args(args)
    }

    /// Returns cargo for a debug build of native code: its command, and then [`WHOLE`].
    pub fn cargo_whole<'a>(&self, command: impl IntoIterator<Item = &'a str>) -> Program {
        self.cargo(command).args(WHOLE)
    }

    /// Returns the folder of programs that are built for debugging.
    pub fn debug(&self) -> PathBuf {
        self.target().join("debug")
    }

    /// Returns cargo for wasm32.
    pub fn cargo_wasm<'a>(&self, args: impl IntoIterator<Item = &'a str>) -> Program {
        self.cargo(args)
            .args(["--target", "wasm32-unknown-unknown"])
            .env("CARGO_TARGET_DIR", self.wasm_target())
    }

    /// Returns a program of `node_modules/.bin`.
    pub fn npm_bin(&self, name: &str) -> Program {
        self.program(&self.at("node_modules/.bin").join(name).to_string_lossy())
    }

    /// Returns esbuild: its program for this platform, because the script of `node_modules/.bin` starts node first, which takes
    /// 0.2 s. The frame needs ten runs.
    pub fn esbuild(&self) -> Program {
        let platforms = std::fs::read_dir(self.at("node_modules/@esbuild"));
        let mut programs =
            platforms.into_iter().flatten().flatten().map(|entry| entry.path().join("bin/esbuild"));
        match (programs.next(), programs.next()) {
            (Some(program), None) if program.is_file() => self.program(&program.to_string_lossy()),
            _ => self.npm_bin("esbuild"),
        }
    }
}

fn cache_dir() -> Option<PathBuf> {
    let dir = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    dir("LINCHPIN_CACHE")
        .or_else(|| dir("XDG_CACHE_HOME").map(|cache| cache.join("linchpin")))
        .or_else(|| dir("HOME").map(|home| home.join(".cache/linchpin")))
        .and_then(|cache| std::path::absolute(cache).ok())
}
