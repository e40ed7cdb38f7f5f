//! Reads what each function and each constant of a linked module refers to, from the linker's relocations (`--emit-relocs`).

use std::collections::HashMap;
use std::ops::Range;

use wasmparser::{
    BinaryReaderError, CustomSectionReader, DataKind, ExternalKind, KnownCustom, Linking, Name, Operator,
    Parser, Payload, RelocationType, SymbolInfo, TypeRef,
};

use crate::failure::{Failure, OrFail, Outcome};

/// The start of the names of functions that only wasm-bindgen calls, to learn the types of the others.
const DESCRIPTION: &str = "__wbindgen_describe";

/// The references of a module's functions and constants.
#[derive(Default)]
pub struct References {
    /// By the function's name. Functions with the same name share an entry.
    pub by_function: HashMap<String, Vec<Target>>,
    /// The names of the functions that JavaScript calls. wasm-bindgen changes them.
    pub exported: Vec<String>,
    /// In the order of their addresses.
    pub constants: Vec<Constant>,
}

/// Something with an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The functions with this name.
    Function(String),
    /// The constant at this index.
    Constant(usize),
}

/// Initial content of the memory that has one symbol: a string, a table of functions, a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Where it is in the memory.
    pub place: Range<u32>,
    /// The targets whose addresses it contains.
    pub refers_to: Vec<Target>,
}

impl References {
    /// Reads the module that the linker wrote, before wasm-bindgen.
    ///
    /// # Errors
    /// If the module is invalid, or refers to a function or constant that is not there: the split would lose what it needs.
    pub fn read(linked: &[u8]) -> Outcome<Self> {
        let mut module = Linked::default();
        Parser::new(0)
            .parse_all(linked)
            .try_for_each(|payload| module.add(payload?))
            .or_fail(|| "Could not read the relocations of the linked wasm".into())?;
        module.references()
    }
}

/// Returns a function's name as wasm-bindgen writes it, but without the number that it adds if the name is not unique.
pub fn plain(name: &str) -> &str {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let numbered = name.strip_suffix(']').and_then(|name| name.rsplit_once('['));
    numbered.filter(|(_, text)| number(text)).map_or(name, |(name, _)| name)
}

/// A segment of the data section: its content's place in the section, and its address.
struct Segment {
    content: Range<usize>,
    address: u32,
}

/// A symbol that relocations name by its index.
enum Symbol {
    Function(u32),
    /// With its place in the memory.
    Data(Range<u32>),
    Other,
}

#[derive(Default)]
struct Linked {
    imported: u32,
    names: HashMap<u32, String>,
    exported: Vec<u32>,
    /// The place of each function in the file.
    bodies: Vec<Range<usize>>,
    code_start: usize,
    data_start: usize,
    segments: Vec<Segment>,
    symbols: Vec<Symbol>,
    /// Places in the file, each with the symbol whose address is there.
    code: Vec<(usize, u32)>,
    data: Vec<(usize, u32)>,
}

impl Linked {
    fn add(&mut self, payload: Payload<'_>) -> Result<(), BinaryReaderError> {
        if let Payload::ImportSection(imports) = payload {
            for import in imports.into_imports() {
                self.imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
            }
        } else if let Payload::ExportSection(exports) = payload {
            for export in exports {
                let export = export?;
                if export.kind == ExternalKind::Func && !export.name.starts_with(DESCRIPTION) {
                    self.exported.push(export.index);
                }
            }
        } else if let Payload::CodeSectionStart { range, .. } = payload {
            self.code_start = range.start;
        } else if let Payload::CodeSectionEntry(body) = payload {
            self.bodies.push(body.range());
        } else if let Payload::DataSection(section) = payload {
            self.data_start = section.range().start;
            for data in section {
                let data = data?;
                let mut address = 0;
                if let DataKind::Active { offset_expr, .. } = data.kind
                    && let Operator::I32Const { value } = offset_expr.get_operators_reader().read()?
                {
                    address = value as u32;
                }
                let content = data.range.end - data.data.len()..data.range.end;
                self.segments.push(Segment { content, address });
            }
        } else if let Payload::CustomSection(section) = payload {
            self.add_custom(&section)?;
        }
        Ok(())
    }

    fn add_custom(&mut self, section: &CustomSectionReader<'_>) -> Result<(), BinaryReaderError> {
        let known = section.as_known();
        if let KnownCustom::Name(names) = known {
            for name in names {
                if let Name::Function(functions) = name? {
                    for named in functions {
                        let named = named?;
                        let name = rustc_demangle::demangle(named.name).to_string();
                        self.names.insert(named.index, name);
                    }
                }
            }
        } else if let KnownCustom::Linking(linking) = known {
            for part in linking.subsections() {
                if let Linking::SymbolTable(symbols) = part? {
                    for symbol in symbols {
                        let symbol = self.symbol(&symbol?);
                        self.symbols.push(symbol);
                    }
                }
            }
        } else if let KnownCustom::Reloc(relocations) = known {
            let (start, found) = match section.name() {
                "reloc.CODE" => (self.code_start, &mut self.code),
                "reloc.DATA" => (self.data_start, &mut self.data),
                // Relocations of debug information.
                _ => return Ok(()),
            };
            for entry in relocations.entries() {
                let entry = entry?;
                if entry.ty != RelocationType::TypeIndexLeb {
                    found.push((start + entry.offset as usize, entry.index));
                }
            }
        }
        Ok(())
    }

    fn symbol(&self, symbol: &SymbolInfo<'_>) -> Symbol {
        if let SymbolInfo::Func { index, .. } = symbol {
            Symbol::Function(*index)
        } else if let SymbolInfo::Data { symbol: Some(place), .. } = symbol
            && let Some(segment) = self.segments.get(place.index as usize)
        {
            let start = segment.address + place.offset;
            Symbol::Data(start..start + place.size)
        } else {
            Symbol::Other
        }
    }

    fn references(self) -> Outcome<References> {
        let mut constants: Vec<Constant> = self
            .symbols
            .iter()
            .filter_map(|symbol| if let Symbol::Data(place) = symbol { Some(place.clone()) } else { None })
            .filter(|place| !place.is_empty())
            .map(|place| Constant { place, refers_to: Vec::new() })
            .collect();
        constants.sort_by_key(|constant| (constant.place.start, constant.place.end));
        constants.dedup();
        let lost = |what: &str, index: u32| {
            Failure::new(format!("A relocation of the linked wasm names a {what} that is not there: {index}"))
        };
        // Stacks, tables and empty constants need nothing.
        let target = |symbol: u32| match self.symbols.get(symbol as usize) {
            Some(Symbol::Function(index)) => match self.names.get(index) {
                Some(name) => Ok(Some(Target::Function(name.clone()))),
                None => Err(lost("function", *index)),
            },
            Some(Symbol::Data(place)) if place.is_empty() => Ok(None),
            Some(Symbol::Data(place)) => {
                let key = |constant: &Constant| (constant.place.start, constant.place.end);
                let found = constants.binary_search_by_key(&(place.start, place.end), key);
                found.map(|at| Some(Target::Constant(at))).map_err(|_| lost("constant", place.start))
            }
            Some(Symbol::Other) => Ok(None),
            None => Err(lost("symbol", symbol)),
        };
        let mut by_function: HashMap<String, Vec<Target>> = HashMap::new();
        for &(at, symbol) in &self.code {
            let Some(target) = target(symbol)? else { continue };
            let function = self.bodies.partition_point(|body| body.end <= at) as u32 + self.imported;
            let name = self.names.get(&function).ok_or_else(|| lost("function", function))?;
            by_function.entry(name.clone()).or_default().push(target);
        }
        let mut in_data: Vec<(u32, Target)> = Vec::new();
        for &(at, symbol) in &self.data {
            let Some(target) = target(symbol)? else { continue };
            let segment = self.segments.iter().find(|segment| segment.content.contains(&at));
            let segment = segment.ok_or_else(|| lost("place", at as u32))?;
            in_data.push((segment.address + (at - segment.content.start) as u32, target));
        }
        for (address, target) in in_data {
            for constant in constants.iter_mut().filter(|constant| constant.place.contains(&address)) {
                constant.refers_to.push(target.clone());
            }
        }
        let exported = self.exported.iter().filter_map(|index| self.names.get(index)).cloned().collect();
        Ok(References { by_function, exported, constants })
    }
}
