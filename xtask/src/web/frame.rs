//! Builds the page inside the frame: wasm with cargo and wasm-bindgen, boot.ts and styles with esbuild, and the
//! locales from codegen.

use std::path::{Path, PathBuf};

use wasm_bindgen_cli_support::Bindgen;

use super::assets::Assets;
use super::deferred::is_deferred;
use super::names::Names;
use super::split::{Parts, References, split};
use super::texts;
use super::{minify, pack};
use crate::env::Env;
use crate::failure::{Failure, OrFail, Outcome};
use crate::files;
use crate::stamp::{Inputs, Stamp};
use crate::symbols::{self, NamedModule};

/// The wasm features that rustc uses for wasm32-unknown-unknown. wasm-opt rejects the module without these flags.
pub(super) const WASM_FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Compiles the standard library with the widget, optimized for size and with panics that trap without a message.
///
/// This saves 11 KB of 125. The flags need a nightly compiler, or a stable one with `RUSTC_BOOTSTRAP`;
/// docs/adr/0040-wasm-size-reductions.md explains the choice. The compiler must not merge identical functions,
/// because the split selects functions by name and a merged function has only one of the names. wasm-opt merges them
/// after the split.
const SMALL_LIBRARY: [(&str, &str); 4] = [
    ("RUSTC_BOOTSTRAP", "1"),
    ("CARGO_UNSTABLE_BUILD_STD", "std,panic_abort"),
    ("CARGO_UNSTABLE_BUILD_STD_FEATURES", "optimize_for_size"),
    (
        "RUSTFLAGS",
        "-Zunstable-options -Cpanic=immediate-abort -Zlocation-detail=none -Zfmt-debug=none -Zmerge-functions=disabled",
    ),
];

/// Keeps the linker's relocations, from which the split reads what each function and constant refers to.
pub(super) const RELOCATIONS: &str = "-Clink-arg=--emit-relocs";

/// Larger functions are not inlined into their only caller. The result is as large, but compresses better: it saves 0.6 KB
/// of the first open, and 4.7 KB of the developer portal.
const FEWER_INLINED: &str = "--one-caller-inline-max-function-size=70";

/// Additions to addresses become offsets of loads and stores. The first KiB is the end of the stack (`--stack-first`), which only
/// a program whose stack overflows reaches. Saves 0.5 KB.
const UNUSED_LOW_MEMORY: &str = "--low-memory-unused";

/// Functions of the same type parameters or module are next to each other, which compresses better and saves 0.2 KB.
const BY_NAME: &str = "--reorder-functions-by-name";

/// All loads and stores have the same hint of alignment, which engines ignore. Saves 0.1 KB.
const DEALIGN: &str = "--dealign";

/// Flags of the first run of wasm-opt.
pub(super) const DENSE: [&str; 4] = ["-Oz", "--converge", FEWER_INLINED, UNUSED_LOW_MEMORY];

/// Flags of the second run of wasm-opt. `--flatten --rereloop` saves 0.6 KB of the first open, and 2 KB of the developer portal:
/// the result is as large, but compresses better.
pub(super) const COMPRESSIBLE: [&str; 9] = [
    "--flatten",
    "--rereloop",
    "--generate-global-effects",
    "-Oz",
    "-Oz",
    FEWER_INLINED,
    UNUSED_LOW_MEMORY,
    BY_NAME,
    DEALIGN,
];

/// Flags of the last run of wasm-opt.
pub(super) const STRIP: [&str; 3] = ["--strip-debug", "--strip-producers", "--strip-target-features"];

/// The path below which the service serves the files.
const ADDRESS: &str = "/sdk/assets/";

/// The cargo profile of the widget.
const PROFILE: &str = "wasm-release";

/// The cargo profile of the widget in Trunk's builds for development.
const DEV_PROFILE: &str = "wasm-dev";

/// Scripts that boot.ts imports on first use, so that the first open does not load them.
const LAZY_SCRIPTS: [&str; 3] = ["fields", "seal", "uploads"];

/// Scripts that the page does not name, so their names have no hash: one for a page whose files are gone (ADR 201), and one for
/// previews in the developer portal (ADR 265).
const UNNAMED_SCRIPTS: [(&str, &str); 2] = [("again.ts", "again.js"), ("preview/portal.ts", "preview.js")];

/// How a frame is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Build {
    /// In two parts and with hashes, like a release, but larger and not compressed: a change is on the screen in seconds.
    Development,
    /// As small as possible.
    Release,
}

/// Builds, minifies and compresses the frame. Does nothing if no input has changed.
pub fn frame(env: &Env) -> Outcome {
    let _alone = files::lock(&env.stamp("frame.lock"))?;
    let stamp = Stamp::new(env.stamp("frame"), inputs(env)?);
    let dist = env.at("www/frame/dist");
    if stamp.is_current()
        && dist.join("index.html.br").is_file()
        && unshrunk_wasm(env).iter().all(|part| part.is_file())
    {
        return Ok(());
    }
    println!("frame: building the wasm (usually 1 min, 3 min the first time) ...");
    let staging = staging(env);
    files::remove_dir(&staging)?;
    files::make_dir(&staging)?;
    compile(env, "link-widget", &[RELOCATIONS], &staging)?;
    let fresh = finish(env, &staging, Build::Release)?;
    publish(&fresh, &dist)?;
    stamp.set()
}

/// Builds the frame that Trunk builds for development, without Trunk. Returns the folder with it.
pub(super) fn frame_for_development(env: &Env) -> Outcome<PathBuf> {
    let _alone = files::lock(&env.stamp("frame.lock"))?;
    let staging = staging(env);
    files::remove_dir(&staging)?;
    files::make_dir(&staging)?;
    env.cargo_wasm(["build", "--quiet", "--locked", "--package", "link-widget", "--profile", DEV_PROFILE])
        .output()?;
    bind("link-widget", &linker_output(env, "link-widget", DEV_PROFILE), &staging, Build::Development)?;
    finish(env, &staging, Build::Development)
}

/// Makes the frame of `link-widget.js` and `link-widget_bg.wasm` in the staging folder. Returns the folder with the frame.
pub(super) fn finish(env: &Env, staging: &Path, build: Build) -> Outcome<PathBuf> {
    let (wasm, chunk, names) = match build {
        Build::Release => shrink(env, staging)?,
        Build::Development => split_only(env, staging)?,
    };
    let short = staging.join("short/link-widget.js");
    files::write(&short, names.shorten(&files::read(&staging.join("link-widget.js"))?)?)?;
    let entry = staging.join("short/entry.js");
    files::write(&entry, "export { default, LinkModal } from \"./link-widget.js\";\n")?;
    let bundle = |entry: &Path, out: &Path, flags: &[&str]| bundle(env, entry, out, flags, build);
    let glue = bundle(&entry, &staging.join("small/link-widget.js"), &["--bundle"])?;
    let texts = format!("--define:FIRST_TEXTS={}", texts::first(env, &texts::FIRST_TEXTS)?);
    let consent = format!("--define:CONSENT_TEXTS={}", texts::numbers(env, &texts::CONSENT_TEXTS)?);
    let boot = env.at("www/frame/boot.ts");
    // Not a module, which would run only after the browser has drawn the skeleton a second time (docs/benchmarks.md).
    let flags = ["--bundle", "--format=iife", &texts, &consent];
    let boot = bundle(&boot, &staging.join("small/boot.js"), &flags)?;
    let sheet = |name: &str| {
        let sheet = env.at(&format!("www/frame/styles/{name}"));
        bundle(&sheet, &staging.join(format!("small/{name}")), &["--bundle"])
    };
    let styles = sheet("frame.css")?;

    let fresh = staging.join("dist");
    let mut assets = Assets::new(fresh.clone(), files::read(&env.at("www/frame/index.html"))?, ADDRESS)?;
    for (place, part) in [("GLUE", &glue), ("WASM", &wasm), ("CHUNK", &chunk)] {
        assets.add(place, part)?;
    }
    assets.add("CHUNK_STYLES", &sheet("chunk.css")?)?;
    assets.add("UPLOADS_STYLES", &sheet("uploads.css")?)?;
    for name in LAZY_SCRIPTS {
        let entry = env.at(&format!("www/frame/{name}.ts"));
        let script = bundle(&entry, &staging.join(format!("small/{name}.js")), &["--bundle"])?;
        assets.add(&name.to_uppercase(), &script)?;
    }
    let deferred = texts::find_shown_by_chunk(env)?;
    for locale in locales(env)? {
        let tag = files::name(&locale).trim_end_matches(".json").to_uppercase().replace('-', "_");
        if tag == "KEYS" {
            assets.add("KEYS", &locale)?;
            continue;
        }
        let (first, chunk) = texts::part(&locale, &deferred, &staging.join("small"))?;
        assets.add(&format!("LOCALE_{tag}"), &first)?;
        assets.add(&format!("LOCALE_{tag}_CHUNK"), &chunk)?;
    }
    assets.inline("STYLES", "style", &styles)?;
    assets.inline("BOOT", "script", &boot)?;
    let mut written = assets.finish()?;
    for (entry, name) in UNNAMED_SCRIPTS {
        written.push(bundle(&env.at(&format!("www/frame/{entry}")), &fresh.join(name), &["--bundle"])?);
    }
    if build == Build::Development {
        return Ok(fresh);
    }
    let paths = |part: &Path, named: &str| (part.to_path_buf(), staging.join(named));
    let (first, chunk) = (paths(&wasm, "first-named.wasm"), paths(&chunk, "chunk-named.wasm"));
    let id = written.iter().map(|path| files::name(path)).find(|name| is_first_part(name));
    symbols::keep(
        env,
        id.unwrap_or_default(),
        &NamedModule { served: &first.0, named: &first.1 },
        &NamedModule { served: &chunk.0, named: &chunk.1 },
    )?;
    for packed in pack(env, &written)? {
        println!("frame: {} {} bytes, {} brotli", files::name(&packed.path), packed.raw, packed.brotli);
    }
    Ok(fresh)
}

/// Returns whether this is the first part of the wasm, whose file name identifies the build in trap reports.
fn is_first_part(name: &str) -> bool {
    name.ends_with(".wasm") && !name.contains("-chunk-")
}

/// Returns both parts of the wasm, while they still have function names.
pub fn unshrunk_wasm(env: &Env) -> [PathBuf; 2] {
    ["first.wasm", "chunk.wasm"].map(|part| staging(env).join(part))
}

pub(super) fn staging(env: &Env) -> PathBuf {
    env.cache.join("frame").join(env.checkout())
}

fn inputs(env: &Env) -> Outcome<Inputs> {
    let mut inputs = Inputs::default()
        .fact(&env.program("rustc").arg("--version").output()?)
        .path(&env.at("www/frame"), |file| !file.starts_with(env.at("www/frame/dist")))?;
    for path in ["Cargo.toml", "Cargo.lock", "package-lock.json", "xtask/src/web", "xtask/node"] {
        inputs = inputs.path(&env.at(path), |_| true)?;
    }
    for name in ["link-types", "link-flow", "link-widget"] {
        let folder = env.at("crates").join(name);
        inputs = inputs.path(&folder.join("src"), |_| true)?.path(&folder.join("Cargo.toml"), |_| true)?;
    }
    Ok(inputs)
}

/// Compiles a program with these flags of the compiler, and writes its module and glue (`link-widget_bg.wasm`, `link-widget.js`) into the folder.
pub(super) fn compile(env: &Env, program: &str, flags: &[&str], staging: &Path) -> Outcome {
    fetch(env)?;
    let cargo = env.cargo_wasm(["rustc", "--quiet", "--offline", "--locked", "--package", program]);
    let cargo = cargo.args(["--lib", "--profile", PROFILE]);
    SMALL_LIBRARY
        .iter()
        .fold(cargo, |cargo, (name, value)| cargo.env(name, value))
        .arg("--")
        .args(flags)
        .output()?;
    bind(program, &linker_output(env, program, PROFILE), staging, Build::Release)
}

/// Writes the module that the linker has written, and its glue, into the folder.
fn bind(program: &str, linked: &Path, staging: &Path, build: Build) -> Outcome {
    Bindgen::new()
        // The program that Trunk runs for development keeps it.
        .omit_default_module_path(build == Build::Release)
        .input_path(linked)
        .out_name(program)
        .typescript(false)
        .web(true)
        .and_then(|bindgen| bindgen.generate(staging))
        .map_err(|error| {
            Failure::new(format!("wasm-bindgen rejected the module of {program}")).why(format!("{error:#}"))
        })
}

/// Returns the module that the linker writes.
fn linker_output(env: &Env, program: &str, profile: &str) -> PathBuf {
    let folder = env.wasm_target().join("wasm32-unknown-unknown").join(profile);
    folder.join(format!("{}.wasm", program.replace('-', "_")))
}

/// Fetches the crates of the workspace and of the standard library, which has a separate lock file.
fn fetch(env: &Env) -> Outcome {
    env.cargo(["fetch", "--quiet", "--locked"]).output()?;
    let sysroot = env.program("rustc").args(["--print", "sysroot"]).output()?;
    let library = Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library");
    // Debian's library source has no lock file. Setup has built it, so its crates have been fetched.
    if !library.join("Cargo.lock").is_file() {
        return Ok(());
    }
    env.cargo(["fetch", "--quiet", "--locked", "--manifest-path"])
        .arg(library.join("Cargo.toml"))
        .env("RUSTC_BOOTSTRAP", "1")
        .output()
        .map(drop)
}

/// Returns both parts of the wasm as they are, and no short names. Does not split the same wasm again: only a style or a script
/// may have changed.
fn split_only(env: &Env, staging: &Path) -> Outcome<(PathBuf, PathBuf, Names)> {
    let built = staging.join("link-widget_bg.wasm");
    let built = std::fs::read(&built).or_fail(|| format!("Could not read {}", built.display()))?;
    let folder = env.cache.join("frame").join(format!("{}-parts", env.checkout()));
    let [first, chunk] = ["link-widget.wasm", "link-widget-chunk.wasm"].map(|name| folder.join(name));
    let mut inputs = Inputs::default().bytes(&built);
    for path in ["Cargo.lock", "xtask/src/web"] {
        inputs = inputs.path(&env.at(path), |_| true)?;
    }
    let stamp = Stamp::new(folder.join("stamp"), inputs);
    if !stamp.is_current() || !first.is_file() || !chunk.is_file() {
        let parts = split(&built, &References::default(), is_deferred)?;
        // If this is interrupted, the parts may be of two programs.
        files::remove_file(&folder.join("stamp"))?;
        files::write(&first, parts.first)?;
        files::write(&chunk, parts.chunk)?;
        stamp.set()?;
    }
    Ok((first, chunk, Names::default()))
}

/// Returns both parts of the wasm, and the short names that the first part and its glue use for each other.
fn shrink(env: &Env, staging: &Path) -> Outcome<(PathBuf, PathBuf, Names)> {
    let small = staging.join("small");
    files::make_dir(&small)?;
    let at = |name: &str| staging.join(name);
    let built = at("link-widget_bg.wasm");
    let built = std::fs::read(&built).or_fail(|| format!("Could not read {}", built.display()))?;
    let linked = linker_output(env, "link-widget", PROFILE);
    let linked = std::fs::read(&linked).or_fail(|| format!("Could not read {}", linked.display()))?;
    let Parts { first, chunk, moved } = split(&built, &References::read(&linked)?, is_deferred)?;
    println!("frame: {moved} functions in the deferred chunk");
    files::write(&at("first.wasm"), first)?;
    files::write(&at("chunk.wasm"), chunk)?;

    let wasm_opt = |from: &Path, to: &Path, flags: &[&str]| {
        env.npm_bin("wasm-opt").args(WASM_FEATURES).args(flags).arg("-o").arg(to).arg(from).output()
    };
    let dense = [&DENSE[..], &["-g"]].concat();
    wasm_opt(&at("first.wasm"), &at("first-dense.wasm"), &dense)?;
    wasm_opt(&at("chunk.wasm"), &at("chunk-dense.wasm"), &dense)?;
    // In a separate run, because `--converge` would rename the short names.
    let short = [&COMPRESSIBLE[..], &["--minify-imports-and-exports-and-modules", "-g"]].concat();
    let names = Names::read(&wasm_opt(&at("first-dense.wasm"), &at("first-named.wasm"), &short)?)?;
    let chunk = std::fs::read(at("chunk-dense.wasm")).or_fail(|| "Could not read chunk-dense.wasm".into())?;
    files::write(&at("chunk-short.wasm"), names.shorten_imports(&chunk)?)?;
    wasm_opt(&at("chunk-short.wasm"), &at("chunk-named.wasm"), &[BY_NAME, DEALIGN, "-g"])?;

    let (first, chunk) = (small.join("link-widget.wasm"), small.join("link-widget-chunk.wasm"));
    wasm_opt(&at("first-named.wasm"), &first, &STRIP)?;
    wasm_opt(&at("chunk-named.wasm"), &chunk, &STRIP)?;
    Ok((first, chunk, names))
}

pub(super) fn bundle(env: &Env, entry: &Path, out: &Path, flags: &[&str], build: Build) -> Outcome<PathBuf> {
    env.esbuild()
        .arg(entry)
        .args(["--minify", "--format=esm", "--target=es2022", "--charset=utf8", "--log-level=warning"])
        .args(flags)
        .arg(format!("--outfile={}", out.display()))
        .output()?;
    if build == Build::Release && files::has_extension(out, "js") {
        minify(env, out, ["--module"])?;
    }
    Ok(out.to_path_buf())
}

fn locales(env: &Env) -> Outcome<Vec<PathBuf>> {
    let found: Vec<PathBuf> = files::walk(&env.at("www/frame/generated"))?
        .into_iter()
        .filter(|file| files::has_extension(file, "json"))
        .collect();
    if found.is_empty() {
        return Err(
            Failure::new("Found no catalogue in www/frame/generated").advice("run `cargo xtask codegen`")
        );
    }
    Ok(found)
}

/// Replaces `dist` in one go after the build, because a running service reads its files.
pub(super) fn publish(fresh: &Path, dist: &Path) -> Outcome {
    files::remove_dir(dist)?;
    for file in files::walk(fresh)? {
        files::copy(&file, &dist.join(files::name(&file)))?;
    }
    Ok(())
}
