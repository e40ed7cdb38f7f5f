//! Cuts out of the wasm what Yew links and this widget can never reach. docs/adr/0076 says why and how it is watched.

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

fn unmatched(report: &str) -> Vec<&str> {
    report.lines().filter_map(|line| line.strip_prefix("0 ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_nothing_has_is_told() {
        assert_eq!(unmatched("3 VPortal\n0 VNone\n10 VComp\n"), ["VNone"]);
    }
}
