//! Installs programs with `cargo install`, each in a separate folder for its version.

use std::path::PathBuf;
use std::time::Instant;

use super::progress::{doing, print_done};
use crate::env::Env;
use crate::failure::{Failure, Outcome};
use crate::files;
use crate::process::is_on_path;

struct Tool {
    package: &'static str,
    version: &'static str,
    /// The program whose `--version` is checked.
    program: &'static str,
    usually: &'static str,
    /// Arguments that choose features.
    features: &'static [&'static str],
}

/// `wasm-bindgen-cli` provides the test runner. Its version must be the one pinned in Cargo.toml; a test compares them.
const TOOLS: [Tool; 3] = [
    Tool {
        package: "wasm-bindgen-cli",
        version: "0.2.129",
        program: "wasm-bindgen",
        usually: "1 min",
        features: &[],
    },
    Tool {
        package: "cargo-deny",
        version: "0.20.2",
        program: "cargo-deny",
        usually: "2 to 3 min",
        features: &[],
    },
    Tool {
        package: "cargo-machete",
        version: "0.9.2",
        program: "cargo-machete",
        usually: "1 min",
        features: &[],
    },
];

/// The driver of Firefox.
const GECKODRIVER: Tool = Tool {
    package: "geckodriver",
    version: "0.37.1",
    program: "geckodriver",
    usually: "1 min",
    features: &[],
};

/// The program that builds the frame again after each change. 0.22 needs a newer compiler than the workspace.
const TRUNK: Tool = Tool {
    package: "trunk",
    version: "0.21.14",
    program: "trunk",
    usually: "2 to 3 min",
    features: &["--no-default-features", "--features", "rustls"],
};

/// Writes the list of crates into a program. Its `--version` is that of cargo, so its folder names the version.
const AUDITABLE: Tool = Tool {
    package: "cargo-auditable",
    version: "0.7.7",
    program: "cargo-auditable",
    usually: "1 min",
    features: &[],
};

/// Makes the site of the documentation. Its search is the only feature that xtask uses.
const MDBOOK: Tool = Tool {
    package: "mdbook",
    version: "0.5.4",
    program: "mdbook",
    usually: "1 min",
    features: &["--no-default-features", "--features", "search"],
};

/// The address of Trunk's socket, which says when a build has ended. Trunk.toml sets the port and the path.
pub const TRUNK_SOCKET: &str = "ws://127.0.0.1:8789/sdk/assets/.well-known/trunk/ws";

/// Finds Trunk on the path, or installs it, with the wasm-bindgen that it calls.
pub fn ensure_trunk(env: &mut Env) -> Outcome {
    let [bindgen, ..] = &TOOLS;
    each(env, std::slice::from_ref(bindgen))?;
    let version = env.program(TRUNK.program).arg("--version").output().unwrap_or_default();
    if version.starts_with("trunk 0.21.14") || version.starts_with("trunk 0.22.") {
        return Ok(());
    }
    if !is_installed(env, &TRUNK) && is_on_path("cargo-binstall", &env.path()) {
        download(env, &TRUNK);
    }
    each(env, &[TRUNK])
}

/// Installs a program that its authors have compiled. If that fails, it is compiled here.
fn download(env: &Env, Tool { package, version, .. }: &Tool) {
    doing(&format!("downloading {package} {version}"), "10 s");
    let started = Instant::now();
    let binstall = env
        .cargo(["binstall", package, "--version", version, "--no-confirm"])
        .args(["--disable-strategies", "compile"])
        .arg("--root")
        .arg(env.tool(package, version))
        .dir(&env.cache);
    match binstall.output() {
        Ok(_) => print_done(package, started),
        Err(failure) => println!("{failure}"),
    }
}

/// Puts wasm-bindgen where Trunk looks before it downloads it, and adds the compiler's wasm target. A hook in Trunk.toml calls
/// it.
pub fn give_bindgen_to_trunk(env: &mut Env) -> Outcome {
    super::rust::ensure(env)?;
    if let Some(toolchain) = &env.toolchain {
        // Trunk has started with another one already.
        return Err(Failure::new("The Rust compiler cannot compile for wasm")
            .advice(format!("run `RUSTUP_TOOLCHAIN={toolchain} trunk ...`")));
    }
    let [bindgen, ..] = &TOOLS;
    each(env, std::slice::from_ref(bindgen))?;
    let Tool { package, version, program, .. } = bindgen;
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(home).unwrap_or_default();
    let of_trunk = cache.join("trunk").join(format!("{program}-{version}")).join(program);
    files::copy(&env.tool(package, version).join("bin").join(program), &of_trunk)
}

/// Installs the missing tools and adds all of them to the path.
pub fn ensure(env: &mut Env) -> Outcome {
    each(env, &TOOLS)
}

/// Does the same for the driver of Firefox.
pub fn ensure_geckodriver(env: &mut Env) -> Outcome {
    each(env, &[GECKODRIVER])
}

/// Returns cargo-auditable, which it installs if it is missing.
pub fn find_auditable(env: &Env) -> Outcome<PathBuf> {
    find(env, &AUDITABLE)
}

/// Returns mdBook: from the path if its version is compatible, or else our own, which it installs if it is missing.
pub fn find_mdbook(env: &Env) -> Outcome<PathBuf> {
    let version = env.program(MDBOOK.program).arg("--version").output().unwrap_or_default();
    if version.starts_with("mdbook v0.5.") { Ok(MDBOOK.program.into()) } else { find(env, &MDBOOK) }
}

fn find(env: &Env, tool: &Tool) -> Outcome<PathBuf> {
    let program = env.tool(tool.package, tool.version).join("bin").join(tool.program);
    let _alone = files::lock(&env.cache.join("setup.lock"))?;
    if !program.is_file() {
        install(env, tool)?;
    }
    Ok(program)
}

fn each(env: &mut Env, tools: &[Tool]) -> Outcome {
    for tool in tools {
        let folder = env.tool(tool.package, tool.version);
        if !is_installed(env, tool) {
            install(env, tool)?;
        }
        env.bins.push(folder.join("bin"));
    }
    Ok(())
}

fn is_installed(env: &Env, tool: &Tool) -> bool {
    let program = env.tool(tool.package, tool.version).join("bin").join(tool.program);
    if tool.package == AUDITABLE.package {
        return program.is_file();
    }
    let printed = env.program(&program.to_string_lossy()).arg("--version").output();
    printed.is_ok_and(|printed| {
        printed.split_whitespace().any(|word| word.trim_start_matches('v') == tool.version)
    })
}

fn install(env: &Env, tool: &Tool) -> Outcome {
    let Tool { package, version, usually, features, .. } = tool;
    doing(&format!("installing {package} {version}"), usually);
    let started = Instant::now();
    let build = env.cache.join("tools/build");
    env.cargo(["install", package, "--version", version, "--locked", "--force"])
        .args(*features)
        .arg("--root")
        .arg(env.tool(package, version))
        // Without optimization they build several times faster and are still fast enough.
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .env("CARGO_TARGET_DIR", &build)
        .dir(&env.cache)
        .output()?;
    files::remove_dir(&build)?;
    if !is_installed(env, tool) {
        return Err(Failure::new(format!(
            "{package} {version} was installed but does not print this version with --version"
        ))
        .advice(format!("remove {} and run `cargo xtask setup`", env.tool(package, version).display())));
    }
    print_done(package, started);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wasm_bindgen_cli_has_the_version_of_the_workspace() {
        let (workspace, xtask) = (include_str!("../../../Cargo.toml"), include_str!("../../Cargo.toml"));
        let tool = TOOLS.iter().find(|tool| tool.program == "wasm-bindgen").unwrap();
        assert!(workspace.contains(&format!("wasm-bindgen = \"={}\"", tool.version)));
        let trunk = include_str!("../../../Trunk.toml");
        assert!(trunk.contains(&format!("wasm_bindgen = \"{}\"", tool.version)), "in Trunk.toml");
        assert!(trunk.contains(&format!("trunk/wasm-bindgen-{}/", tool.version)), "in Trunk.toml");
        assert!(trunk.contains(&format!("trunk-version = \">={}", TRUNK.version)), "in Trunk.toml");
        assert!(xtask.contains(&format!("wasm-bindgen-cli-support = \"={}\"", tool.version)));
    }
}
