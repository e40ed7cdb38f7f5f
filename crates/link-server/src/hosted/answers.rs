//! The answers that a browser sends to the form of its visit.
//!
//! A page with a FILE sends `multipart/form-data`. Its files are stored while they arrive, so that they stay if another
//! answer is wrong.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use link_domain::invitations::form_submission::{
    AnswerError, AnswerErrorKind, FormOfVisit, NewFormFile, SentAnswers, file_rules,
};
use link_store::Tx;
use link_types::Sensitive;
use link_types::archive::FileFault;
use link_types::form_submission::LinkSiteForm;
use link_types::id::{FileId, LinkSiteId};
use link_types::problem::ProblemCode;
use tokio::time::Instant;

use super::questions::{BAIT, REMOVE, SHOWN};
use super::uploads::{FormUploads, admit};
use super::visitor::{Browser, Visitor, over};
use crate::app::App;
use crate::http::limits::body::{BodyTimeouts, read};
use crate::http::limits::network::Network;
use crate::http::multipart::Multipart;
use crate::http::problem::{ApiResult, Problem};
use crate::uploads::{UploadEnd, UploadWriter};

/// The maximum size of answers in bytes, without files. A character of a long answer has up to 12 bytes in a form's
/// encoding.
const ANSWERS_LIMIT: usize = 4 * 1024 * 1024;

/// The answers that a browser sends to the form of its visit.
pub(super) struct Sent {
    /// The visitor.
    pub(super) visitor: Visitor,
    /// The form.
    pub(super) form: LinkSiteForm,
    /// The link site of the form.
    pub(super) site: LinkSiteId,
    /// The answers.
    pub(super) answers: SentAnswers,
    /// The file that the person removes instead of submitting the form.
    pub(super) removed: Option<FileId>,
}

impl Sent {
    /// Reads the answers. `Err` is the page for a browser without a visit or a form.
    pub(super) async fn receive(
        app: &App,
        network: Network,
        browser: &Browser,
        headers: &HeaderMap,
        body: Body,
    ) -> ApiResult<Result<Self, Response>> {
        let Some(visitor) = Visitor::find_limited(app, headers, network).await? else {
            return Ok(Err(over(app, browser)));
        };
        let Some((form, site)) = visitor.form.clone().zip(visitor.site_id()) else {
            return Ok(Err(Redirect::to("/visit").into_response()));
        };
        let mut sent = Self { visitor, form, site, answers: SentAnswers::default(), removed: None };
        // Reads the body only now, so that requests without a visit or without a form cannot occupy the service.
        if is_multipart(headers) {
            let parts = Multipart::new(headers, body, sent.body_limit());
            sent.receive_parts(app, parts.ok_or_else(|| Problem::unparseable("No boundary."))?).await?;
            return Ok(Ok(sent));
        }
        let body = read(body, ANSWERS_LIMIT, BodyTimeouts::default()).await?;
        for (name, text) in form_urlencoded::parse(&body).into_owned() {
            sent.take(name, text);
        }
        Ok(Ok(sent))
    }

    fn take(&mut self, name: String, text: String) {
        match name.as_str() {
            SHOWN => drop(self.answers.shown.insert(text)),
            BAIT => self.answers.has_bait |= !text.is_empty(),
            REMOVE => self.removed = text.parse().ok(),
            _ => self.answers.texts.entry(name).or_default().push(text),
        }
    }

    /// Returns the maximum size of a body: as many files as the fields accept, and one that is too large.
    fn body_limit(&self) -> u64 {
        let rules = || self.form.fields.iter().filter_map(file_rules);
        let files = rules().map(|it| u64::from(it.max_bytes) * u64::from(it.max_files));
        let largest = rules().map(|it| u64::from(it.max_bytes)).max().unwrap_or_default();
        files.sum::<u64>() + 10 * largest + ANSWERS_LIMIT as u64
    }

    async fn receive_parts(&mut self, app: &App, mut parts: Multipart) -> ApiResult<()> {
        let _counted = admit(app, &self.visitor.visit.id)?;
        let mut room = ANSWERS_LIMIT;
        while let Some(head) = parts.next_part().await? {
            if let Some(file_name) = head.file_name {
                let is_file =
                    self.form.fields.iter().any(|it| it.name == head.name && file_rules(it).is_some());
                // A browser sends a file without a name if the person chose none.
                if is_file && !file_name.is_empty() {
                    let new = NewFormFile {
                        field: head.name.clone(),
                        name: Sensitive::new(file_name),
                        size_bytes: None,
                        sha256: None,
                    };
                    if let Some(fault) = self.receive_file(app, &new, &mut parts).await? {
                        let kind = AnswerErrorKind::File(fault);
                        self.answers.faults.push(AnswerError { field: head.name, kind });
                    }
                }
                continue;
            }
            let mut text = Vec::new();
            while let Some(bytes) = parts.next_bytes().await? {
                text.extend(bytes);
                if text.len().saturating_add(head.name.len()) > room {
                    return Err(Problem::new(ProblemCode::PayloadTooLarge, "Send a smaller body."));
                }
            }
            room -= text.len().saturating_add(head.name.len()).min(room);
            self.take(head.name, String::from_utf8_lossy(&text).into_owned());
        }
        Ok(())
    }

    /// Stores a file. Returns the reason if it is rejected.
    async fn receive_file(
        &self,
        app: &App,
        new: &NewFormFile,
        parts: &mut Multipart,
    ) -> ApiResult<Option<FileFault>> {
        let uploads = FormUploads::new(app, &self.visitor, &self.form, &self.site);
        let (target, id) = match uploads.announce(new.clone()).await {
            Ok(announced) => announced,
            Err(problem) => return problem.file_fault().map(Some).ok_or(problem),
        };
        let mut of_field = self.form.fields.iter().filter(|it| it.name == new.field);
        let most = of_field.find_map(file_rules).map(|it| it.max_bytes).unwrap_or_default();
        let owner = &self.visitor.visit.owner;
        let mut writer = UploadWriter::open(app, owner, target, &id).await?;
        while let Some(bytes) = parts.next_bytes().await? {
            let since = Instant::now();
            match writer.append(&bytes).await {
                Ok(()) => parts.extend(since),
                Err(problem) if problem.code() == ProblemCode::PayloadTooLarge => {
                    // The rest of the person's quota may be smaller than the largest file.
                    let fault =
                        if writer.size() == most { FileFault::TooLarge } else { FileFault::QuotaExceeded };
                    writer.give_up(fault).await?;
                    return Ok(Some(fault));
                }
                Err(problem) => return Err(problem),
            }
        }
        let ended = match writer.end_here() {
            Ok(()) => writer.finish().await?,
            Err(_) => writer.give_up(FileFault::Empty).await?,
        };
        match ended {
            UploadEnd::Complete(_) => Ok(None),
            UploadEnd::Refused(fault) => Ok(Some(fault)),
            UploadEnd::Partial { .. } => Err(Problem::system("An upload whose size is known is incomplete")),
        }
    }

    /// Locks the visit, so that the second of two concurrent submissions finds the first. `None` if it has ended.
    pub(super) fn lock(&self, tx: &mut Tx<'_>) -> ApiResult<Option<FormOfVisit<'_>>> {
        let visit = &self.visitor.visit;
        if !Visitor::still_exists(tx, visit)? {
            return Ok(None);
        }
        let started = tx.forms().of_visit(&visit.owner, &visit.id)?;
        Ok(Some(FormOfVisit { form: &self.form, site: self.site.clone(), visit, started }))
    }
}

fn is_multipart(headers: &HeaderMap) -> bool {
    let media_type = headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
    media_type.to_ascii_lowercase().starts_with(b"multipart/form-data")
}
