//! A request that a whole page waits for: the page turns when it shows something else about the request.

use crate::call::Call;
use crate::context::Context;
use crate::event::RequestError;

/// Records that the request failed. If it was given up, the page says so and takes the focus.
pub(crate) fn handle_refusal(call: &mut Call, refusal: &RequestError, context: &mut Context) {
    call.handle_refusal(refusal, context);
    if call.trouble().is_some() {
        context.turn_page();
    }
}

/// Handles a timer of the request. If the response takes longer than usual, the page says so.
pub(crate) fn handle_timer(call: &mut Call, elapsed_ms: u32, context: &mut Context) {
    call.handle_timer(elapsed_ms, context);
    if call.is_slow() {
        context.turn_page();
    }
}

/// Sends the request again, because the person asked for it.
pub(crate) fn retry(call: &mut Call, context: &mut Context) {
    context.turn_page();
    call.retry(context);
}
