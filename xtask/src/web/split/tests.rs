use walrus::{FunctionBuilder, LocalFunction, RefType};

use super::*;

/// Returns a program: `run` calls `entry` and `both`; `entry` calls `both` and `inner`; `slot` is in the table.
fn program() -> Vec<u8> {
    let mut module = Module::default();
    module.memories.add_local(false, false, 1, None, None);
    let table = module.tables.add_local(false, 1, Some(1), RefType::FUNCREF);
    let mut function = |name: &str, calls: &[FunctionId]| {
        let mut builder = FunctionBuilder::new(&mut module.types, &[], &[]);
        for &call in calls {
            builder.func_body().call(call);
        }
        builder.name(name.to_owned());
        let local: LocalFunction = builder.local_func(Vec::new());
        module.funcs.add_local(local)
    };
    let both = function("both", &[]);
    let inner = function("inner", &[]);
    let entry = function("deferred::entry", &[both, inner]);
    let slot = function("deferred::slot", &[inner]);
    let run = function("run", &[entry, both]);
    module.exports.add("run", run);
    fill(&mut module, table, &[(0, slot)]);
    module.emit_wasm()
}

fn names(module: &Module) -> Vec<String> {
    let mut names: Vec<String> =
        module.funcs.iter_local().filter_map(|(id, _)| module.funcs.get(id).name.clone()).collect();
    names.sort();
    names
}

#[test]
fn named_functions_move_with_those_that_only_they_call() {
    let parts = split(&program(), |name| name.starts_with("deferred::")).unwrap();
    assert_eq!(parts.moved, 3);
    assert_eq!(names(&parse(&parts.first).unwrap()), ["both", "run"]);
    assert_eq!(names(&parse(&parts.chunk).unwrap()), ["deferred::entry", "deferred::slot", "inner"]);
}

#[test]
fn chunk_imports_from_the_first_part_and_fills_its_slots() {
    let parts = split(&program(), |name| name.starts_with("deferred::")).unwrap();
    let (first, chunk) = (parse(&parts.first).unwrap(), parse(&parts.chunk).unwrap());
    for import in chunk.imports.iter() {
        assert_eq!(import.module, FIRST_PART);
        assert!(first.exports.iter().any(|export| export.name == import.name), "{}", import.name);
    }
    // Slot 0 existed before; slot 1 is for the call from `run`.
    assert!(elements(&first).is_empty());
    assert_eq!(elements(&chunk).iter().map(|(slot, _)| *slot).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(first.tables.iter().next().unwrap().initial, 2);
}

#[test]
fn imports_are_renamed_like_the_exports() {
    let parts = split(&program(), |name| name.starts_with("deferred::")).unwrap();
    let names =
        parse(&parts.first).unwrap().exports.iter().map(|export| export.name.clone()).collect::<Vec<_>>();
    let renamed = names.iter().map(|name| (name.clone(), format!("{name}!"))).collect();
    let chunk = parse(&rename_imports(&parts.chunk, &renamed).unwrap()).unwrap();
    assert!(chunk.imports.iter().all(|import| import.name.ends_with('!')));
}
