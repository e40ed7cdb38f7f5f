//! Which functions of the wasm go where: out, when Yew links them and this widget can never reach them
//! (docs/adr/0076), or into the second part (docs/adr/0077).

use std::path::Path;

use crate::failure::Outcome;
use crate::machine::Machine;

/// Parts of function names. Each kind of node below is made by a macro or component that no block uses: the widget is
/// one component (`App`) that draws elements, lists and texts.
const NEVER_REACHED: [&str; 14] = [
    // `<Suspense>` and what a component does to wait for it.
    "VSuspense",
    "BSuspense",
    "BaseSuspense",
    "ComponentState>::suspend",
    "suspension::Suspension as core::clone",
    // `create_portal`.
    "VPortal",
    // A component inside the view, and new properties for one.
    "VComp",
    "Stateful>::props_changed",
    // `Html::from_html_unchecked`, which the house rules ban.
    "VRaw as yew::dom_bundle",
    "braw::BRaw",
    // Copies of a view that is drawn twice.
    "VNode as core::clone",
    "Vec<yew::virtual_dom::vnode::VNode> as core::clone",
    "VList as core::clone",
    // The scheduler's queues by component, of which there is one: their trees have one leaf.
    "BalancingContext<usize, yew",
];

/// Parts of function names: the screens whose routes need the deferred chunk (`link_flow::route`), and what only those
/// screens draw and ask for.
pub const LATER: [&str; 13] = [
    "link_flow::screen::challenge::",
    "link_flow::screen::failure::",
    "link_flow::screen::accounts::",
    "link_flow::screen::survey::",
    "link_flow::screen::file_types::",
    "link_flow::screen::upload::",
    "link_flow::screen::uploads::",
    "link_flow::screen::archive_end::",
    "link_flow::screen::archive_reading::",
    "link_flow::uploads::",
    "link_widget::block::files::",
    "link_widget::effect::archive::",
    "link_widget::effect::given::",
];

/// What of the module's features binaryen's library has to know, by its names for them.
const FEATURES: &str =
    "BulkMemory,BulkMemoryOpt,Multivalue,MutableGlobals,NontrappingFPToInt,ReferenceTypes,SignExt";

/// Writes the module with a trap in the place of each.
pub fn snip(machine: &Machine, from: &Path, to: &Path) -> Outcome {
    let report = machine
        .program("node")
        .arg("xtask/node/snip.mjs")
        .args([from, to])
        .arg(FEATURES)
        .args(NEVER_REACHED)
        .output()?;
    // Which of them the compiler inlined or left out differs by its version, so an absent one is no failure: what
    // grows for lack of a cut, the size gate tells.
    for name in unmatched(&report) {
        println!("frame: nothing named {name} to cut out");
    }
    Ok(())
}

/// Whether a function of this name goes into the second part of the wasm.
pub fn is_later(name: &str) -> bool {
    let name = without_hashes(name);
    LATER.iter().any(|part| name.contains(part))
}

/// `link_flow[0123456789abcdef]::state` as `link_flow::state`: names carry the hash of their crate.
fn without_hashes(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    for (at, piece) in name.split('[').enumerate() {
        match piece.split_once(']') {
            Some((hash, after)) if hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()) => {
                plain.push_str(after);
            }
            _ if at == 0 => plain.push_str(piece),
            _ => {
                plain.push('[');
                plain.push_str(piece);
            }
        }
    }
    plain
}

fn unmatched(report: &str) -> Vec<&str> {
    report.lines().filter_map(|line| line.strip_prefix("0 ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_later_screens_run_is_later() {
        assert!(is_later("<link_flow[28bb4659b88c92b0]::screen::accounts::Accounts>::enter"));
        assert!(is_later("core::ptr::drop_in_place::<[link_flow::uploads::file::File]>"));
        assert!(!is_later("<link_flow[28bb4659b88c92b0]::state::State>::handle"));
        assert!(!is_later("link_flow::emit::uploads_created"));
    }

    #[test]
    fn a_name_that_nothing_has_is_told() {
        assert_eq!(unmatched("3 VPortal\n0 VNone\n10 VComp\n"), ["VNone"]);
    }
}
