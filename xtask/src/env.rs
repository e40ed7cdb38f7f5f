//! Where things lie on this machine, and the environment every child process gets.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Outcome};
use crate::process::Program;

/// Folders and environment shared by all tasks.
#[derive(Clone, Debug)]
pub struct Env {
    /// The checkout.
    pub root: PathBuf,
    /// Tools, stamps and build output, outside every checkout.
    pub cache: PathBuf,
    /// Folders put before `PATH` for children.
    pub bins: Vec<PathBuf>,
    /// The rustup toolchain that children use; `None` leaves the choice to rustup.
    pub toolchain: Option<String>,
}

impl Env {
    /// Finds the checkout and the cache folder (`LINCHPIN_CACHE`, else `$XDG_CACHE_HOME/linchpin`, else
    /// `~/.cache/linchpin`).
    pub fn find() -> Outcome<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf);
        let root = root.filter(|root| root.join("Cargo.toml").is_file()).ok_or_else(|| {
            Failure::new("the checkout that this xtask was built in is gone")
                .advice("run it by `cargo xtask`")
        })?;
        let cache = cache_dir().ok_or_else(|| {
            Failure::new("found no folder for tools and build output")
                .why("neither HOME, XDG_CACHE_HOME nor LINCHPIN_CACHE is set")
                .advice("set LINCHPIN_CACHE to a folder outside the checkout")
        })?;
        Ok(Self { root, cache, bins: Vec::new(), toolchain: None })
    }

    /// A path below the checkout.
    pub fn at(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// Cargo's target folder for native code.
    pub fn target(&self) -> PathBuf {
        self.cache.join("target")
    }

    /// Cargo's target folder for wasm, its own so that native and wasm builds do not wait for each other.
    pub fn wasm_target(&self) -> PathBuf {
        self.target().join("wasm")
    }

    /// Where a tool of this name and version is installed.
    pub fn tool(&self, name: &str, version: &str) -> PathBuf {
        self.cache.join("tools").join(format!("{name}-{version}"))
    }

    /// A Python environment of the set-up, by its name.
    pub fn python(&self, name: &str) -> PathBuf {
        self.cache.join("tools").join(name)
    }

    /// A program of the environment that tries the API out.
    pub fn api_tool(&self, name: &str) -> PathBuf {
        self.python("api-tools").join("bin").join(name)
    }

    /// The tests' S3 server; children find it as `LINCHPIN_MOTO_SERVER`.
    pub fn moto_server(&self) -> PathBuf {
        self.python("moto").join("bin/moto_server")
    }

    /// The tests' mail server; children find it as `LINCHPIN_SMTP_SERVER`.
    pub fn smtp_server(&self) -> PathBuf {
        self.python("smtp").join("bin/aiosmtpd")
    }

    /// Where a step of this checkout keeps its stamp.
    pub fn stamp(&self, step: &str) -> PathBuf {
        self.cache.join("stamps").join(self.checkout()).join(step)
    }

    /// A short name of this checkout, for what each checkout has of its own in the cache.
    pub fn checkout(&self) -> String {
        crate::stamp::Inputs::default().fact(&self.root.to_string_lossy()).fingerprint()[..12].to_owned()
    }

    /// `PATH` as children see it.
    pub fn path(&self) -> OsString {
        let inherited = std::env::var_os("PATH").unwrap_or_default();
        let dirs = self.bins.iter().cloned().chain(std::env::split_paths(&inherited));
        std::env::join_paths(dirs).unwrap_or(inherited)
    }

    /// A program run at the checkout with the tools on its path.
    pub fn program(&self, name: &str) -> Program {
        // What cargo told this process about xtask would mislead the cargo that runs below it.
        let told = std::env::vars().map(|(name, _)| name).filter(|name| {
            name == "CARGO" || name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
        });
        let mut program = told.fold(Program::new(name), |program, name| program.without_env(&name));
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

    /// Cargo, building native code.
    pub fn cargo<'a>(&self, args: impl IntoIterator<Item = &'a str>) -> Program {
        self.program("cargo").args(args)
    }

    /// Cargo, building for wasm32.
    pub fn cargo_wasm<'a>(&self, args: impl IntoIterator<Item = &'a str>) -> Program {
        self.cargo(args)
            .args(["--target", "wasm32-unknown-unknown"])
            .env("CARGO_TARGET_DIR", self.wasm_target())
    }

    /// A program of `node_modules/.bin`.
    pub fn npm_bin(&self, name: &str) -> Program {
        self.program(&self.at("node_modules/.bin").join(name).to_string_lossy())
    }
}

fn cache_dir() -> Option<PathBuf> {
    let dir = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    dir("LINCHPIN_CACHE")
        .or_else(|| dir("XDG_CACHE_HOME").map(|cache| cache.join("linchpin")))
        .or_else(|| dir("HOME").map(|home| home.join(".cache/linchpin")))
        .and_then(|cache| std::path::absolute(cache).ok())
}
