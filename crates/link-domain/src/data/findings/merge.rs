//! Compares a reading with stored data.

use std::collections::BTreeMap;

use link_types::data::{DataPointBody, DataPointKind};

/// Whether a reading changed a data point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Novelty {
    /// The data point is stored already. The reading contains the same, or does not contain it.
    Same,
    /// The data point is new.
    Added,
    /// The data point is stored already, with other values.
    Updated,
}

/// Natural key of a data point among those of one account. Two data points with the same key are the same thing at two
/// times, unless both are in one reading.
type NaturalKey = (DataPointKind, Vec<Option<String>>);

fn natural_key(body: &DataPointBody) -> NaturalKey {
    (body.kind(), body.natural_key())
}

/// Merges a reading into stored data. The result starts with the stored data points in their order, and the new ones
/// follow. An updated data point keeps its id.
///
/// A stored data point that the reading does not contain stays: providers show a limited period, and a partial reading
/// lacks whole kinds.
pub(crate) fn merge(known: Vec<DataPointBody>, read: Vec<DataPointBody>) -> Vec<(DataPointBody, Novelty)> {
    let mut positions = BTreeMap::<NaturalKey, Vec<usize>>::new();
    for (position, body) in known.iter().enumerate() {
        positions.entry(natural_key(body)).or_default().push(position);
    }
    let mut merged: Vec<_> = known.into_iter().map(|body| (body, Novelty::Same)).collect();
    // Several data points can have the same key. Equal ones belong together; the others are paired in their order.
    let mut unequal = Vec::new();
    for body in read {
        let free = positions.get_mut(&natural_key(&body));
        let equal = free.and_then(|free| {
            let index = free
                .iter()
                .position(|at| merged.get(*at).is_some_and(|(stored, _)| is_same(stored, &body)))?;
            Some(free.remove(index))
        });
        if equal.is_none() {
            unequal.push(body);
        }
    }
    for body in unequal {
        let free = positions.get_mut(&natural_key(&body)).filter(|free| !free.is_empty());
        let stored = free.map(|free| free.remove(0)).and_then(|at| merged.get_mut(at));
        match stored {
            Some((stored, novelty)) => {
                *stored = body.with_id_of(stored);
                *novelty = Novelty::Updated;
            }
            None => merged.push((body, Novelty::Added)),
        }
    }
    merged
}

/// Returns whether a reading contains what is stored. Insights are compared without their time.
fn is_same(stored: &DataPointBody, read: &DataPointBody) -> bool {
    match (stored, read) {
        (DataPointBody::Insight(stored), DataPointBody::Insight(read)) => stored.features == read.features,
        _ => *stored == read.clone().with_id_of(stored),
    }
}
