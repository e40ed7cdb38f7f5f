use walrus::{DataKind, FunctionBuilder, LocalFunction, RefType};

use super::references::{Constant, Target};
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
    let parts = split(&program(), &References::default(), |name| name.starts_with("deferred::")).unwrap();
    assert_eq!(parts.moved, 3);
    assert_eq!(names(&parse(&parts.first).unwrap()), ["both", "run"]);
    assert_eq!(names(&parse(&parts.chunk).unwrap()), ["deferred::entry", "deferred::slot", "inner"]);
}

#[test]
fn chunk_imports_from_the_first_part_and_fills_its_slots() {
    let parts = split(&program(), &References::default(), |name| name.starts_with("deferred::")).unwrap();
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
    let parts = split(&program(), &References::default(), |name| name.starts_with("deferred::")).unwrap();
    let names =
        parse(&parts.first).unwrap().exports.iter().map(|export| export.name.clone()).collect::<Vec<_>>();
    let renamed = names.iter().map(|name| (name.clone(), format!("{name}!"))).collect();
    let chunk = parse(&rename_imports(&parts.chunk, &renamed).unwrap()).unwrap();
    assert!(chunk.imports.iter().all(|import| import.name.ends_with('!')));
}

/// Returns a program in whose memory `used` is text of `run`, and a table of functions of `deferred::entry` is the only place
/// that names `method`.
fn program_with_data() -> (Vec<u8>, References) {
    let mut module = Module::default();
    let memory = module.memories.add_local(false, false, 1, None, None);
    let table = module.tables.add_local(false, 2, Some(2), RefType::FUNCREF);
    let mut function = |name: &str, calls: &[FunctionId]| {
        let mut builder = FunctionBuilder::new(&mut module.types, &[], &[]);
        for &call in calls {
            builder.func_body().call(call);
        }
        builder.name(name.to_owned());
        let local: LocalFunction = builder.local_func(Vec::new());
        module.funcs.add_local(local)
    };
    let (method, unused) = (function("method[1]", &[]), function("unused", &[]));
    let entry = function("deferred::entry", &[]);
    let run = function("run", &[entry]);
    module.exports.add("run", run);
    fill(&mut module, table, &[(0, method), (1, unused)]);
    let offset = ConstExpr::Value(Value::I32(100));
    let id = module.data.add(DataKind::Active { memory, offset }, b"used_table_unused_rest".to_vec());
    module.memories.get_mut(memory).data_segments.insert(id);
    let constant = |place, refers_to| Constant { place, refers_to };
    let constants = vec![
        constant(100..104, Vec::new()),
        constant(105..110, vec![Target::Function("method".into())]),
        constant(111..117, vec![Target::Function("unused".into())]),
    ];
    let by_function =
        [("run", 0), ("deferred::entry", 1)].map(|(name, at)| (name.to_owned(), vec![Target::Constant(at)]));
    (module.emit_wasm(), References { by_function: by_function.into(), constants, exported: Vec::new() })
}

fn data(module: &Module) -> Vec<(i32, &[u8])> {
    let start = |kind: &DataKind| {
        let DataKind::Active { offset: ConstExpr::Value(Value::I32(start)), .. } = kind else {
            panic!("{kind:?}")
        };
        *start
    };
    module.data.iter().map(|data| (start(&data.kind), data.value.as_slice())).collect()
}

#[test]
fn constants_move_with_the_functions_that_only_they_name() {
    let (program, references) = program_with_data();
    let parts = split(&program, &references, |name| name.starts_with("deferred::")).unwrap();
    let (first, chunk) = (parse(&parts.first).unwrap(), parse(&parts.chunk).unwrap());
    assert_eq!(names(&first), ["run"]);
    assert_eq!(names(&chunk), ["deferred::entry", "method[1]"]);
    // `unused` was named only by a constant that nothing names.
    assert_eq!(data(&first), [(100, &b"used_\0\0\0\0\0_\0\0\0\0\0\0_rest"[..])]);
    assert_eq!(data(&chunk), [(105, &b"table"[..])]);
}

#[test]
fn references_are_read_from_the_relocations_of_the_linker() {
    let section = |id: u8, content: &[u8]| [&[id, content.len() as u8], content].concat();
    let custom =
        |name: &str, content: &[u8]| section(0, &[&[name.len() as u8], name.as_bytes(), content].concat());
    let module = [
        b"\0asm\x01\0\0\0".to_vec(),
        section(1, b"\x01\x60\0\0"),
        section(3, b"\x01\0"),
        section(5, b"\x01\0\x01"),
        // One function, `i32.const 16; drop`; one segment at 16 with a text and the number of a function.
        section(10, b"\x01\x09\0\x41\x90\x80\x80\x80\0\x1a\x0b"),
        section(11, b"\x01\0\x41\x10\x0b\x06ab\x01\0\0\0"),
        custom("linking", b"\x02\x08\x19\x03\0\0\0\x03_f1\x01\0\x04text\0\0\x02\x01\0\x01t\0\x02\x04"),
        custom("reloc.CODE", b"\x03\x01\x04\x04\x01\0"),
        custom("reloc.DATA", b"\x04\x01\x02\x08\0"),
        custom("name", b"\x01\x06\x01\0\x03_f1"),
    ]
    .concat();
    let References { by_function, constants, .. } = References::read(&module).unwrap();
    let constant = |place, refers_to| Constant { place, refers_to };
    assert_eq!(by_function, [("_f1".to_owned(), vec![Target::Constant(0)])].into());
    let text = constant(16..18, Vec::new());
    assert_eq!(constants, [text, constant(18..22, vec![Target::Function("_f1".into())])]);
}
