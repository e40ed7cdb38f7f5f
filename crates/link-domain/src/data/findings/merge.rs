//! Compares a reading with stored data.

use std::collections::BTreeMap;

use link_types::data::DataPointBody;

use super::natural_key::NaturalKey;

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

/// Merges a reading into stored data. The result starts with the stored data points in their order, and the new ones
/// follow. An updated data point keeps its id.
///
/// A stored data point that the reading does not contain stays: providers show a limited period, and a partial reading
/// lacks whole kinds.
pub(crate) fn merge(known: Vec<DataPointBody>, read: Vec<DataPointBody>) -> Vec<(DataPointBody, Novelty)> {
    let mut positions = BTreeMap::<NaturalKey, Vec<usize>>::new();
    for (position, body) in known.iter().enumerate() {
        positions.entry(NaturalKey::of(body)).or_default().push(position);
    }
    let mut merged: Vec<_> = known.into_iter().map(|body| (body, Novelty::Same)).collect();
    // Several data points can have the same key. Equal ones belong together; the others are paired in their order.
    let mut unequal = Vec::new();
    for body in read {
        let free = positions.get_mut(&NaturalKey::of(&body));
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
        let free = positions.get_mut(&NaturalKey::of(&body)).filter(|free| !free.is_empty());
        let stored = free.map(|free| free.remove(0)).and_then(|at| merged.get_mut(at));
        match stored {
            Some((stored, novelty)) => {
                *stored = with_id_of(stored, body);
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
        _ => *stored == with_id_of(stored, read.clone()),
    }
}

/// Returns the body with the id of a stored one of the same kind.
fn with_id_of(stored: &DataPointBody, body: DataPointBody) -> DataPointBody {
    use DataPointBody as Body;
    macro_rules! with_id {
        ($($variant:ident),*) => {
            match (stored, body) {
                $((Body::$variant(stored), Body::$variant(mut body)) => {
                    body.id = stored.id.clone();
                    Body::$variant(body)
                })*
                (_, body) => body,
            }
        };
    }
    with_id!(
        Identity,
        Document,
        Employment,
        Income,
        Transaction,
        Contribution,
        Liability,
        EstimatedIncome,
        Rating,
        Link,
        Insight
    )
}
