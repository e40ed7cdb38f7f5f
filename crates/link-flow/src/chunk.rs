//! Prefetches the deferred chunk: the second part of the program, with the screens that a first open does not show.
//! [`Route::needs_chunk`](crate::route::Route::needs_chunk) lists them.

use crate::context::Context;
use crate::effect::Effect;

/// Starts to load the chunk while the person chooses a provider. If that fails, the first route that needs it loads it.
pub(crate) fn prefetch(context: &mut Context) {
    if !context.chunk_loaded && context.prefetching.is_none() {
        let request = context.new_request();
        context.prefetching = Some(request);
        context.effect(Effect::LoadChunk { request });
    }
}

/// Records the reply to a prefetch.
pub(crate) fn finish_prefetch(is_loaded: bool, context: &mut Context) {
    context.prefetching = None;
    context.chunk_loaded |= is_loaded;
}
