//! Prints where the bytes of the first part of the wasm come from.

use std::collections::BTreeMap;

use crate::env::Env;
use crate::failure::Outcome;
use crate::symbols::{self, Symbol};
use crate::web::{Packed, plain_name};

/// Smaller modules are added up in one line.
const SMALLEST: u64 = 500;

/// Prints the size of each module's functions. Their brotli sizes are estimates: shares of the compressed file.
pub fn print(env: &Env, wasm: &Packed) -> Outcome {
    let symbols = symbols::of_first_part(env, crate::files::name(&wasm.path))?;
    println!("{:>8}  {:>8}  in {}, by Rust module", "~brotli", "raw", crate::files::name(&wasm.path));
    let line =
        |raw: u64, what: &str| println!("{:>8}  {raw:>8}  {what}", raw * wasm.brotli / wasm.raw.max(1));
    let modules = modules(&symbols);
    let functions: u64 = modules.iter().map(|(_, size)| size).sum();
    let (large, small): (Vec<_>, Vec<_>) = modules.into_iter().partition(|(_, size)| *size >= SMALLEST);
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
