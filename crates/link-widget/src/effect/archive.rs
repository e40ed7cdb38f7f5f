//! Requests of uploads. They are in the deferred chunk, so `Runner` itself has none of their code.

use link_flow::effect::ArchiveAsk;
use link_flow::event::{Event, Reply, RequestId};
use link_types::uploading::FileOrder;
use wasm_bindgen::JsValue;

use super::request;
use super::runner::Runner;
use crate::decode::decode;
use crate::encode::encode;

/// Sends a request about an archive.
#[inline(never)]
pub fn archive(runner: &Runner, request: RequestId, ask: ArchiveAsk) {
    let mut body = JsValue::NULL;
    let (method, path) = match ask {
        ArchiveAsk::Create(archive) => {
            body = encode(&archive);
            ("POST", "/link/archives".to_owned())
        }
        ArchiveAsk::Submit(archive, submission) => {
            body = encode(&submission);
            ("POST", path(archive.as_str(), "/submit"))
        }
        ArchiveAsk::Poll { archive, after, wait_ms } => {
            ("GET", path(archive.as_str(), &format!("?after={after}&wait={wait_ms}")))
        }
        ArchiveAsk::Remove(archive) => {
            let sent = runner.send("DELETE", &path(archive.as_str(), ""), &body);
            return runner.answer(request, sent, |reply| Reply::Done(request::done(reply)));
        }
    };
    let sent = runner.send(method, &path, &body);
    runner.answer(request, sent, |reply| Reply::Archive(request::decoded(reply)));
}

/// Passes an order to uploads.ts.
#[inline(never)]
pub fn file(runner: &Runner, order: &FileOrder) {
    runner.host.file(&encode(order));
}

/// Reads a report of uploads.ts. Returns `None` if it is unknown.
#[inline(never)]
pub fn fact(fact: JsValue) -> Option<Event> {
    decode(fact).ok().map(Event::File)
}

fn path(archive: &str, end: &str) -> String {
    ["/link/archives/", archive, end].concat()
}
