//! Divides the initial content of the memory between the parts.

use std::collections::HashSet;

use walrus::ir::Value;
use walrus::{ConstExpr, DataKind, MemoryId, Module};

use super::reach::Needs;
use super::references::Constant;

/// Bytes of the memory with their address.
type Piece = (u32, Vec<u8>);

/// Removes what only the chunk needs from the memory of the first part, and what no part needs. Returns the former.
pub fn detach_data(first: &mut Module, constants: &[Constant], kept: &Needs, chunk: &Needs) -> Vec<Piece> {
    let places = |needs: &Needs| -> HashSet<u32> {
        needs.constants.iter().flat_map(|&at| constants[at].place.clone()).collect()
    };
    let known: HashSet<u32> = constants.iter().flat_map(|constant| constant.place.clone()).collect();
    let (kept, moved) = (places(kept), places(chunk));
    let mut pieces: Vec<Piece> = Vec::new();
    let all: Vec<_> = first.data.iter().map(walrus::Data::id).collect();
    for id in all {
        let data = first.data.get_mut(id);
        let DataKind::Active { offset: ConstExpr::Value(Value::I32(start)), .. } = data.kind else {
            continue;
        };
        for (address, byte) in (start as u32..).zip(&mut data.value) {
            if kept.contains(&address) || !known.contains(&address) {
                continue;
            }
            if moved.contains(&address) {
                match pieces.last_mut() {
                    Some((start, bytes)) if *start + bytes.len() as u32 == address => bytes.push(*byte),
                    _ => pieces.push((address, vec![*byte])),
                }
            }
            // Zeros compress to nothing.
            *byte = 0;
        }
    }
    pieces
}

/// Writes the pieces into the memory when the module is instantiated.
pub fn attach_data(chunk: &mut Module, memory: MemoryId, pieces: Vec<Piece>) {
    for (start, bytes) in pieces {
        let offset = ConstExpr::Value(Value::I32(start as i32));
        let id = chunk.data.add(DataKind::Active { memory, offset }, bytes);
        chunk.memories.get_mut(memory).data_segments.insert(id);
    }
}
