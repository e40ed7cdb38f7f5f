//! `bench size`: compares what a browser loads with the limits and the committed figures.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::env::Env;
use crate::failure::{Failure, OrFail, Outcome};
use crate::files;
use crate::symbols::{self, Symbol};
use crate::web::{self, Packed, plain_name};

const FIGURES: &str = "tests/contract/size.json";
const CONSOLE_LIMIT: u64 = 360_000;
/// The script that embeds link sites.
const EMBED_LIMIT: u64 = 1_500;
const BRIDGE_LIMIT: u64 = 3_400;
const FIRST_OPEN_LIMIT: u64 = 94_000;
/// Growth beyond this needs a reason.
const FIRST_OPEN_SLACK: u64 = 1_000;
const BRIDGE_SLACK: u64 = 100;

/// Sizes in bytes, compressed with brotli.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Figures {
    bridge: u64,
    first_open: u64,
}

/// Builds everything and checks its size.
pub fn run(env: &Env) -> Outcome {
    web::build(env)?;
    gate(env)
}

/// Prints the size of every built file, and where the bytes of the wasm come from.
///
/// # Errors
/// If a size exceeds its limit or the committed figure.
pub fn gate(env: &Env) -> Outcome {
    let figures = measure(env)?;
    let stored = files::read(&env.at(FIGURES))?;
    let stored: Value = serde_json::from_str(&stored).or_fail(|| format!("{FIGURES} is not JSON"))?;
    let stored = Figures {
        bridge: stored["bridge"].as_u64().unwrap_or_default(),
        first_open: stored["firstOpen"].as_u64().unwrap_or_default(),
    };
    let mut faults = faults(figures, stored);
    faults.extend(console_fault(env)?);
    faults.extend(embed_fault(env)?);
    if faults.is_empty() {
        return Ok(());
    }
    Err(Failure::new("The widget is too large").why(faults.join("\n")).advice(
        "make it smaller or, within the limits, commit a reason: cargo xtask bench size --update \"the reason\"",
    ))
}

/// Builds everything and stores its size with a reason.
pub fn update(env: &Env, reason: &str) -> Outcome {
    web::build(env)?;
    let Figures { bridge, first_open } = measure(env)?;
    let stored = json!({ "bridge": bridge, "firstOpen": first_open, "reason": reason });
    let stored = serde_json::to_string_pretty(&stored).or_fail(|| "Could not write JSON".into())?;
    files::write(&env.at(FIGURES), format!("{stored}\n"))?;
    println!("size: wrote {FIGURES}");
    Ok(())
}

/// Returns why the developer portal is too large, if it is.
fn console_fault(env: &Env) -> Outcome<Option<String>> {
    let parts = web::list_packed_below(&env.at("crates/link-console/dist"))?;
    if parts.is_empty() {
        return Err(Failure::new("The developer portal is not built").advice("run `cargo xtask bench size`"));
    }
    let sum: u64 = parts.iter().map(|part| part.brotli).sum();
    println!("{sum:>8}  developer portal (limit {CONSOLE_LIMIT})");
    Ok((sum > CONSOLE_LIMIT)
        .then(|| format!("the developer portal has {sum} bytes, the limit is {CONSOLE_LIMIT}")))
}

/// Returns why the script that embeds link sites is too large, if it is.
fn embed_fault(env: &Env) -> Outcome<Option<String>> {
    let files = web::list_packed_below(&env.at("www/sdk/dist"))?.into_iter();
    let size: u64 = files.filter(|it| files::name(&it.path) == "embed.js").map(|it| it.brotli).sum();
    println!("{size:>8}  script that embeds link sites (limit {EMBED_LIMIT})");
    Ok((size > EMBED_LIMIT)
        .then(|| format!("the script that embeds link sites has {size} bytes, the limit is {EMBED_LIMIT}")))
}

fn measure(env: &Env) -> Outcome<Figures> {
    let bridge = web::list_packed_below(&env.at("www/sdk/dist/v2"))?;
    let frame = web::list_packed_below(&env.at("www/frame/dist"))?;
    let (first, later): (Vec<Packed>, Vec<Packed>) =
        frame.into_iter().partition(|part| loads(files::name(&part.path)) == Load::FirstOpen);
    if bridge.is_empty() || first.len() < 4 {
        return Err(
            Failure::new("The bridge or the frame is not built").advice("run `cargo xtask bench size`")
        );
    }
    println!("{:>8}  {:>8}  part", "brotli", "raw");
    for Packed { path, raw, brotli } in bridge.iter().chain(&first).chain(&later) {
        let name = files::name(path);
        let when = match loads(name) {
            Load::Chunk => "  (to sign in, and for later pages)",
            Load::Uploads => "  (with the upload pages)",
            Load::OtherLocale => "  (instead of English)",
            Load::OwnWords => "  (for a tenant's own texts)",
            Load::Again => "  (if other files are gone)",
            Load::Preview => "  (for previews in the developer portal)",
            Load::FirstOpen => "",
        };
        println!("{brotli:>8}  {raw:>8}  {name}{when}");
    }
    for part in first.iter().filter(|part| files::has_extension(&part.path, "wasm")) {
        print_origins(env, part)?;
    }
    let sum = |parts: &[Packed]| parts.iter().map(|part| part.brotli).sum::<u64>();
    let figures = Figures { bridge: sum(&bridge), first_open: sum(&bridge) + sum(&first) };
    for (what, load) in
        [("loaded to sign in, and for later pages", Load::Chunk), ("loaded for uploads", Load::Uploads)]
    {
        let parts = later.iter().filter(|part| loads(files::name(&part.path)) == load);
        println!("{:>8}  {what}", parts.map(|part| part.brotli).sum::<u64>());
    }
    println!("{:>8}  bridge (limit {BRIDGE_LIMIT})", figures.bridge);
    println!("{:>8}  complete first open (limit {FIRST_OPEN_LIMIT})", figures.first_open);
    Ok(figures)
}

/// When a browser loads a file of the frame. `tests/e2e/first-open.spec.ts` proves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Load {
    /// Before a person gives consent.
    FirstOpen,
    /// While the person chooses a provider and signs in, or to show the list of accounts.
    Chunk,
    /// To upload documents.
    Uploads,
    /// Instead of the English texts.
    OtherLocale,
    /// If the link template has its own texts.
    OwnWords,
    /// If files are gone after a deploy.
    Again,
    /// Only in previews in the developer portal.
    Preview,
}

/// Determines this from the file's name before its hash.
fn loads(name: &str) -> Load {
    let stem = name.rsplit_once('-').map_or(name, |(stem, _)| stem);
    match stem {
        "uploads" => Load::Uploads,
        "keys" => Load::OwnWords,
        "again.js" => Load::Again,
        "preview.js" => Load::Preview,
        "link-widget-chunk" | "en-chunk" | "chunk" | "fields" | "seal" => Load::Chunk,
        locale if name.ends_with(".json") && locale != "en" => Load::OtherLocale,
        _ => Load::FirstOpen,
    }
}

fn faults(now: Figures, stored: Figures) -> Vec<String> {
    let mut faults = Vec::new();
    for (what, now, stored, limit, slack) in [
        ("the bridge", now.bridge, stored.bridge, BRIDGE_LIMIT, BRIDGE_SLACK),
        ("the complete first open", now.first_open, stored.first_open, FIRST_OPEN_LIMIT, FIRST_OPEN_SLACK),
    ] {
        if now > limit {
            faults.push(format!("{what} has {now} bytes, the limit is {limit}"));
        } else if now > stored + slack {
            faults.push(format!("{what} has {now} bytes, {} more than the committed {stored}", now - stored));
        }
    }
    faults
}

/// Smaller modules are added up in one line.
const MIN_LISTED: u64 = 500;

/// Prints the size of each module's functions. Their brotli sizes are estimates: shares of the compressed file.
fn print_origins(env: &Env, wasm: &Packed) -> Outcome {
    let symbols = symbols::of_first_part(env, files::name(&wasm.path))?;
    println!("{:>8}  {:>8}  in {}, by Rust module", "~brotli", "raw", files::name(&wasm.path));
    let line =
        |raw: u64, what: &str| println!("{:>8}  {raw:>8}  {what}", raw * wasm.brotli / wasm.raw.max(1));
    let modules = modules(&symbols);
    let functions: u64 = modules.iter().map(|(_, size)| size).sum();
    let (large, small): (Vec<_>, Vec<_>) = modules.into_iter().partition(|(_, size)| *size >= MIN_LISTED);
    for (module, size) in large {
        line(size, &module);
    }
    line(small.iter().map(|(_, size)| size).sum(), "smaller modules");
    line(wasm.raw.saturating_sub(functions), "data, types, imports and exports");
    Ok(())
}

/// Returns the size of each module's functions, the largest first.
fn modules(symbols: &[Symbol]) -> Vec<(String, u64)> {
    let mut sizes = BTreeMap::new();
    for Symbol { name, size } in symbols {
        *sizes.entry(module(name)).or_insert(0) += size;
    }
    let mut sizes: Vec<_> = sizes.into_iter().collect();
    sizes.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    sizes
}

/// Returns the crate and module of a function: `yew::html` for `<yew[…]::html::Scope<…> as …>::push`.
fn module(name: &str) -> String {
    let name = plain_name(name);
    let path = name.trim_start_matches(['<', '&', '[', '(']);
    let path = path.split(['<', ' ', '>']).next().unwrap_or_default();
    path.split("::").take(2).collect::<Vec<_>>().join("::")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_beyond_the_slack_or_a_limit_fails() {
        let stored = Figures { bridge: 2_300, first_open: 90_000 };
        let count = |bridge, first_open| faults(Figures { bridge, first_open }, stored).len();
        assert_eq!(count(2_300, 90_000), 0);
        assert_eq!(count(2_400, 91_000), 0);
        assert_eq!(count(2_401, 91_001), 2);
        assert_eq!(count(2_501, 90_000), 1);
        assert_eq!(count(2_300, 100_001), 1);
    }

    #[test]
    fn files_loaded_later_are_not_part_of_the_first_open() {
        for (name, load) in [
            ("en-0123.json", Load::FirstOpen),
            ("seal-0123.js", Load::Chunk),
            ("fields-0123.js", Load::Chunk),
            ("index.html", Load::FirstOpen),
            ("link-widget-0123.wasm", Load::FirstOpen),
            ("link-widget-chunk-0123.wasm", Load::Chunk),
            ("en-chunk-0123.json", Load::Chunk),
            ("chunk-0123.css", Load::Chunk),
            ("es-MX-0123.json", Load::OtherLocale),
            ("es-MX-chunk-0123.json", Load::OtherLocale),
            ("keys-0123.json", Load::OwnWords),
            ("again.js", Load::Again),
            ("preview.js", Load::Preview),
            ("uploads-0123.js", Load::Uploads),
            ("uploads-0123.css", Load::Uploads),
        ] {
            assert_eq!(loads(name), load, "{name}");
        }
    }

    #[test]
    fn functions_are_added_up_by_crate_and_module() {
        let symbol = |name: &str, size| Symbol { name: name.to_owned(), size };
        let symbols = [
            symbol("link_flow[0123456789abcdef]::flow::handle", 5),
            symbol("<link_flow[0123456789abcdef]::flow::Flow>::view", 3),
            symbol("<yew[0123456789abcdef]::html::Scope<link_widget::App> as core::Clone>::clone", 9),
            symbol("__externref_table_alloc", 1),
        ];
        let expected = [("yew::html", 9), ("link_flow::flow", 8), ("__externref_table_alloc", 1)];
        assert_eq!(modules(&symbols), expected.map(|(name, size)| (name.to_owned(), size)));
    }
}
