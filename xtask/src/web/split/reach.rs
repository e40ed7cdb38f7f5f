//! Determines which functions and constants each part of the module needs.

use std::collections::{HashMap, HashSet};

use walrus::ir::{Call, RefFunc, Visitor, dfs_in_order};
use walrus::{ExportItem, FunctionKind, Module};

use super::elements;
use super::references::{References, Target, plain};
use crate::failure::{Failure, Outcome};

/// The functions that each function calls, by index.
pub type Calls = HashMap<usize, HashSet<usize>>;

/// Functions and constants, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Node {
    Function(usize),
    Constant(usize),
}

/// Functions and constants, by index.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// The functions.
    pub functions: HashSet<usize>,
    /// The constants.
    pub constants: HashSet<usize>,
}

/// Returns what each function calls.
///
/// # Errors
/// If a function takes the address of another one with an instruction.
pub fn calls(module: &Module) -> Outcome<Calls> {
    #[derive(Default)]
    struct Found {
        calls: HashSet<usize>,
        takes_address: bool,
    }
    impl Visitor<'_> for Found {
        fn visit_call(&mut self, call: &Call) {
            self.calls.insert(call.func.index());
        }
        fn visit_ref_func(&mut self, _: &RefFunc) {
            self.takes_address = true;
        }
    }
    let mut calls = Calls::new();
    for (id, function) in module.funcs.iter_local() {
        let mut found = Found::default();
        dfs_in_order(&mut found, function, function.entry_block());
        if found.takes_address {
            return Err(Failure::new("A function of the wasm uses `ref.func`").why(
                "split.rs does not support this instruction, which the compiler has never used before",
            ));
        }
        calls.insert(id.index(), found.calls);
    }
    Ok(calls)
}

/// Returns what the first part needs until it calls a deferred function, and what else the deferred functions need.
pub fn reach(
    module: &Module,
    calls: &Calls,
    references: &References,
    is_deferred: impl Fn(&str) -> bool,
) -> (Needs, Needs) {
    let mut roots: HashSet<usize> = module
        .exports
        .iter()
        .filter_map(|export| if let ExportItem::Function(id) = export.item { Some(id.index()) } else { None })
        .chain(module.start.map(|id| id.index()))
        .collect();
    let deferred: HashSet<usize> = module
        .funcs
        .iter()
        .filter(|function| matches!(function.kind, FunctionKind::Local(_)))
        .filter(|function| !roots.contains(&function.id().index()))
        .filter(|function| function.name.as_deref().is_some_and(&is_deferred))
        .map(|function| function.id().index())
        .collect();
    if references.constants.is_empty() {
        // Not known: anything may call what is in the table.
        let in_table = elements(module).into_iter().map(|(_, id)| id.index());
        roots.extend(in_table.filter(|function| !deferred.contains(function)));
    }
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
    for function in module.funcs.iter() {
        if let Some(name) = &function.name {
            by_name.entry(plain(name)).or_default().push(function.id().index());
        }
    }
    let names: HashMap<usize, &str> =
        by_name.iter().flat_map(|(&name, all)| all.iter().map(move |&function| (function, name))).collect();
    let nodes = |targets: &[Target]| -> Vec<Node> {
        let functions = |name: &str| by_name.get(name).into_iter().flatten().copied().map(Node::Function);
        targets
            .iter()
            .flat_map(|target| match target {
                Target::Function(name) => functions(name).collect(),
                Target::Constant(at) => vec![Node::Constant(*at)],
            })
            .collect()
    };
    let by_name_of = |name: &str| references.by_function.get(name).map_or(&[][..], Vec::as_slice);
    let next = |node: Node| -> Vec<Node> {
        match node {
            Node::Function(at) => {
                let mut found = nodes(names.get(&at).map_or(&[], |name| by_name_of(name)));
                found.extend(calls.get(&at).into_iter().flatten().map(|&called| Node::Function(called)));
                found
            }
            Node::Constant(at) => nodes(&references.constants[at].refers_to),
        }
    };
    let (mut first, mut boundary) = (HashSet::new(), Vec::new());
    let mut open: Vec<Node> = roots.into_iter().map(Node::Function).collect();
    open.extend(references.exported.iter().flat_map(|name| nodes(by_name_of(name))));
    if references.constants.is_empty() {
        boundary.extend(deferred.iter().map(|&at| Node::Function(at)));
    }
    while let Some(node) = open.pop() {
        if matches!(node, Node::Function(at) if deferred.contains(&at)) {
            boundary.push(node);
        } else if first.insert(node) {
            open.extend(next(node));
        }
    }
    let mut chunk = HashSet::new();
    while let Some(node) = boundary.pop() {
        if !first.contains(&node) && chunk.insert(node) {
            boundary.extend(next(node));
        }
    }
    (needs(first, calls), needs(chunk, calls))
}

/// Divides the nodes. Omits imports, which both parts have.
fn needs(nodes: HashSet<Node>, calls: &Calls) -> Needs {
    let mut needs = Needs::default();
    for node in nodes {
        match node {
            Node::Function(at) => calls.contains_key(&at) && needs.functions.insert(at),
            Node::Constant(at) => needs.constants.insert(at),
        };
    }
    needs
}
