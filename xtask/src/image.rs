//! `image`: a container image with the released program, made of Debian packages, without an image registry.

use std::path::{Path, PathBuf};

use crate::env::Env;
use crate::failure::{Failure, Outcome};
use crate::process::{Program, is_on_path};
use crate::release::archive;
use crate::setup::{Purpose, apt};
use crate::{files, setup};

const TOOLS: [&str; 2] = ["buildah", "mmdebstrap"];
const BY_HAND: &str = "build the image on a Debian-like system, or install buildah and mmdebstrap";
/// The name of the image.
const NAME: &str = "localhost/linchpin";
/// The Debian release of the image's root.
const SUITE: &str = "bookworm";
/// The time of every file that the build itself creates, so that two builds give the same files.
const EPOCH: &str = "1700000000";
/// Packages of the root beyond the smallest Debian: certificate authorities for webhooks, and the reader of scans.
const PACKAGES: &str = "ca-certificates,tesseract-ocr,tesseract-ocr-eng,tesseract-ocr-spa,tesseract-ocr-fil";
/// The user of the service in the image. It owns `/data`.
const USER: &str = "10001:10001";

/// Builds the image `localhost/linchpin` from `dist/linchpin`, and writes it to `dist/linchpin-image.tar`.
///
/// # Errors
/// If the released program or a tool is missing, or a tool fails.
pub fn run(env: &mut Env) -> Outcome {
    setup::run(env, Purpose::Build)?;
    let program = env.at("dist/linchpin");
    if !program.is_file() {
        return Err(Failure::new("The released program is missing")
            .why(format!("{} does not exist", program.display()))
            .advice("run `cargo xtask release` first"));
    }
    if !TOOLS.iter().all(|it| is_on_path(it, &env.path())) {
        apt::install(env, "the builder of images", &["buildah", "mmdebstrap", "uidmap"], "30 s", BY_HAND)?;
    }
    let root = make_root(env)?;
    let image = assemble(env, &root, &program)?;
    let archive = env.at("dist/linchpin-image.tar");
    files::remove_file(&archive)?;
    buildah(env)
        .args(["push", "--quiet", &image])
        .arg(format!("docker-archive:{}:linchpin", archive.display()))
        .run()?;
    archive::write_sums(env, &env.at("dist"))?;
    println!("image: {NAME}, also in {} (podman load -i, docker load -i)", archive.display());
    Ok(())
}

/// Makes the root file system of Debian, without documentation and translations.
fn make_root(env: &Env) -> Outcome<PathBuf> {
    let root = env.cache.join("image").join(env.checkout()).join("root.tar");
    if let Some(folder) = root.parent() {
        files::make_dir(folder)?;
    }
    println!("image: making the root file system from Debian packages (usually 1 min) ...");
    let mut make = env.program("mmdebstrap").env("SOURCE_DATE_EPOCH", EPOCH).arg("--quiet");
    make = make.args(["--variant=minbase", "--include"]).arg(PACKAGES);
    for folder in ["/usr/share/doc/*", "/usr/share/man/*", "/usr/share/locale/*", "/usr/share/info/*"] {
        make = make.arg(format!("--dpkgopt=path-exclude={folder}"));
    }
    make.arg(SUITE).arg(&root).run()?;
    Ok(root)
}

/// Puts the root and the program together, and returns the image's id.
fn assemble(env: &Env, root: &Path, program: &Path) -> Outcome<String> {
    let container =
        buildah(env).args(["from", "--quiet", "--format", "docker", "scratch"]).output()?.trim().to_owned();
    let assembled = fill(env, &container, root, program);
    buildah(env).args(["rm", &container]).output()?;
    assembled
}

fn fill(env: &Env, container: &str, root: &Path, program: &Path) -> Outcome<String> {
    buildah(env).args(["add", "--quiet", container]).arg(root).arg("/").run()?;
    buildah(env)
        .args(["copy", "--quiet", "--chmod", "0755", container])
        .arg(program)
        .arg("/usr/local/bin/linchpin")
        .run()?;
    // The program may need a newer C library than the root has. It also shows that the root is complete.
    let version = buildah(env)
        .args(["run", container, "--", "linchpin", "--version"])
        .output()
        .map_err(|failure| failure.advice("build a static program: docs/how-to/container.md"))?;
    buildah(env)
        .args(["run", container, "--", "sh", "-c"])
        .arg(format!("mkdir -m 0700 /data && chown {USER} /data"))
        .run()?;
    let version = version.trim().trim_start_matches("linchpin ").to_owned();
    let labels = [
        "org.opencontainers.image.title=Linchpin".to_owned(),
        format!("org.opencontainers.image.version={version}"),
        "org.opencontainers.image.licenses=MIT OR Apache-2.0".to_owned(),
    ];
    let mut configure =
        buildah(env).args(["config", "--user", USER, "--workingdir", "/data", "--volume", "/data"]);
    configure = configure.args(["--entrypoint", "[\"/usr/local/bin/linchpin\"]", "--cmd", "serve"]);
    configure = configure.args(["--port", "8787", "--stop-signal", "SIGTERM"]);
    configure = configure.args(["--env", "LINCHPIN_DATA_DIR=/data", "--env", "LINCHPIN_LISTEN=0.0.0.0:8787"]);
    configure =
        configure.args(["--healthcheck", "CMD linchpin healthcheck", "--healthcheck-interval", "10s"]);
    configure = configure.args(["--healthcheck-timeout", "6s", "--healthcheck-start-period", "60s"]);
    for label in labels {
        configure = configure.args(["--label", &label]);
    }
    configure.arg(container).run()?;
    // Only Docker's format has health checks.
    let commit =
        buildah(env).args(["commit", "--quiet", "--format", "docker", "--timestamp", EPOCH, container]);
    let id = commit.arg(format!("{NAME}:{version}")).output()?.trim().to_owned();
    buildah(env).args(["tag", &id, &format!("{NAME}:latest")]).run()?;
    Ok(id)
}

/// Returns a call of buildah that needs neither overlay file systems nor a container runtime.
fn buildah(env: &Env) -> Program {
    env.program("buildah").env("STORAGE_DRIVER", "vfs").env("BUILDAH_ISOLATION", "chroot")
}
