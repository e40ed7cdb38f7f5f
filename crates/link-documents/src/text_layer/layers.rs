//! Layers that viewers may hide although hayro draws them.

use std::collections::HashSet;

use hayro::hayro_syntax::object::{Array, Dict, Name, ObjectIdentifier, Stream};
use hayro::hayro_syntax::page::Page as PdfPage;

/// The maximum number of forms and pictures of a page that are examined.
const MAX_EXAMINED: usize = 10_000;
/// The maximum number of entries that name them.
const MAX_ENTRIES: usize = 200_000;

/// Returns whether every viewer shows a layer that hayro shows: viewers may compute an expression, or hide a layer that is only
/// printed.
pub(super) fn is_surely_shown(layer: &Dict<'_>) -> bool {
    let is_off = |layer: &Dict<'_>| {
        let usage = layer.get::<Dict<'_>>(b"Usage").and_then(|usage| usage.get::<Dict<'_>>(b"View"));
        usage.and_then(|view| view.get::<Name<'_>>(b"ViewState")).is_some_and(|it| it.as_ref() == b"OFF")
    };
    let members = layer.get::<Array<'_>>(b"OCGs");
    !layer.contains_key(b"VE")
        && !is_off(layer)
        && !layer.get::<Dict<'_>>(b"OCGs").is_some_and(|member| is_off(&member))
        && !members.is_some_and(|it| it.iter::<Dict<'_>>().any(|member| is_off(&member)))
}

/// Returns whether viewers may hide a form or a picture that the page draws, or there are too many to examine. hayro does not
/// say which glyphs are in it.
pub(super) fn may_be_hidden(page: &PdfPage<'_>) -> bool {
    let mut open = vec![page.resources().x_objects.clone()];
    let annotations = page.raw().get::<Array<'_>>(b"Annots");
    for annotation in annotations.iter().flat_map(|it| it.iter::<Dict<'_>>()).take(MAX_EXAMINED) {
        let Some(appearances) = annotation.get::<Dict<'_>>(b"AP") else { continue };
        open.extend(appearances.get::<Dict<'_>>(b"N"));
        open.push(appearances);
    }
    let (mut examined, mut entries) = (HashSet::new(), 0);
    while let Some(objects) = open.pop() {
        for name in objects.keys() {
            entries += 1;
            if entries > MAX_ENTRIES || examined.len() > MAX_EXAMINED {
                return true;
            }
            let is_new = objects.get_ref(&name).is_some_and(|it| examined.insert(ObjectIdentifier::from(it)));
            let Some(object) = objects.get::<Stream<'_>>(&name).filter(|_| is_new) else { continue };
            if object.dict().get::<Dict<'_>>(b"OC").is_some_and(|layer| !is_surely_shown(&layer)) {
                return true;
            }
            let resources = object.dict().get::<Dict<'_>>(b"Resources");
            open.extend(resources.and_then(|it| it.get::<Dict<'_>>(b"XObject")));
        }
    }
    false
}
