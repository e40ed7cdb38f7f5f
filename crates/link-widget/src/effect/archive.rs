//! Requests about an archive under way.

use link_flow::effect::ArchiveAsk;
use link_flow::event::{Reply, RequestId};
use wasm_bindgen::JsValue;

use super::{Runner, request};
use crate::encode::encode;

impl Runner {
    /// Sends what is asked.
    pub(super) fn archive(&self, request: RequestId, ask: ArchiveAsk) {
        let mut body = JsValue::NULL;
        let (method, path) = match ask {
            ArchiveAsk::Create(archive) => {
                body = encode(&archive);
                ("POST", "/link/archives".to_owned())
            }
            ArchiveAsk::Submit(archive) => ("POST", path(archive.as_str(), "/submit")),
            ArchiveAsk::Poll { archive, after, wait_ms } => {
                ("GET", path(archive.as_str(), &format!("?after={after}&wait={wait_ms}")))
            }
            ArchiveAsk::Remove(archive) => {
                let sent = self.send("DELETE", &path(archive.as_str(), ""), &body);
                return self.answer(request, sent, |reply| Reply::Done(request::done(reply)));
            }
        };
        let sent = self.send(method, &path, &body);
        self.answer(request, sent, |reply| Reply::Archive(request::decoded(reply)));
    }
}

fn path(archive: &str, end: &str) -> String {
    ["/link/archives/", archive, end].concat()
}
