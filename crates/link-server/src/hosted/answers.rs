//! The answers that a browser sends to the form of its visit.
//!
//! A page with a FILE sends `multipart/form-data`. Its files are stored while they arrive, so that they stay if another
//! answer is wrong.

use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use link_domain::invitations::form_submission::{
    AnswerError, AnswerErrorKind, FormOfVisit, FormSubmission, NewFormFile, SentAnswers, file_rules,
};
use link_store::Tx;
use link_types::Sensitive;
use link_types::archive::FileFault;
use link_types::form_submission::{LinkSiteField, LinkSiteForm};
use link_types::id::{FileId, LinkSiteId};
use link_types::problem::ProblemCode;
use tokio::time::Instant;
use tracing::Instrument as _;

use super::embedding::Embedding;
use super::questions::{BAIT, REMOVE, SHOWN};
use super::uploads::{FormUploads, admit, record_giver};
use super::visitor::{Browser, Visitor, over};
use crate::app::App;
use crate::http::limits::body::{BodyTimeouts, read};
use crate::http::limits::network::Network;
use crate::http::multipart::Multipart;
use crate::http::problem::{ApiResult, Problem};
use crate::uploads::{UploadEnd, UploadTarget, UploadWriter};

/// The maximum size of answers in bytes, without files. A character of a long answer has up to 12 bytes in a form's
/// encoding.
const ANSWERS_LIMIT: usize = 4 * 1024 * 1024;

/// The size of a part in bytes, without its name and text, against [`ANSWERS_LIMIT`].
const PART_SIZE: usize = 100;
/// How many more parts a body may have than the form has answers. A browser sends each chosen file, also too many.
const MORE_PARTS: usize = 100;
/// The maximum size of a body with files in bytes, regardless of its form. Larger files can be added in several requests.
const MAX_BODY: u64 = 500_000_000;
/// How long a body with files may take.
const MULTIPART_TIMEOUT: Duration = Duration::from_secs(3_600);

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
    /// Whether the form was submitted, or its site is full.
    accepts_no_files: bool,
}

impl Sent {
    /// Reads the answers. `Err` is the page for a browser without a visit or a form, or whose address is not
    /// proven.
    pub(super) async fn receive(
        app: &App,
        network: Network,
        browser: &Browser,
        headers: &HeaderMap,
        body: Body,
    ) -> ApiResult<Result<Self, Response>> {
        let Some(visitor) = Visitor::find_for(app, headers, network, browser).await? else {
            return Ok(Err(over(app, browser)));
        };
        let form = visitor.form.clone().filter(|_| !visitor.visit.proof.is_awaited());
        let Some((form, site)) = form.zip(visitor.site_id()) else {
            let page = browser.embedding.as_ref().map(Embedding::address);
            return Ok(Err(Redirect::to(page.as_deref().unwrap_or("/visit")).into_response()));
        };
        let answers = SentAnswers::default();
        let mut sent = Self { visitor, form, site, answers, removed: None, accepts_no_files: false };
        // Reads the body only now, so that requests without a visit or without a form cannot occupy the service.
        if is_multipart(headers) {
            let time = MULTIPART_TIMEOUT.min(sent.visitor.visit.time_left(app.wall()));
            let until = (Instant::now() + time, app.stopping.clone());
            let parts = Multipart::new(headers, body, sent.body_limit(), until);
            let parts = parts.ok_or_else(|| Problem::unparseable("No boundary."))?;
            let app = app.clone();
            // Continues if the browser goes away, so that a file whose end is missing is removed.
            let receiving =
                tokio::spawn(async move { sent.receive_all(&app, parts).await }.in_current_span());
            return receiving.await.map_err(|_| Problem::system("Receiving a form panicked"))?.map(Ok);
        }
        let body = read(body, ANSWERS_LIMIT, BodyTimeouts::default()).await?;
        for (name, text) in form_urlencoded::parse(&body).into_owned() {
            sent.take(name, text);
        }
        Ok(Ok(sent))
    }

    fn take(&mut self, name: String, text: String) {
        match name.as_str() {
            SHOWN if self.has_field(&text) => drop(self.answers.shown.insert(text)),
            BAIT => self.answers.has_bait |= !text.is_empty(),
            REMOVE => self.removed = text.parse().ok(),
            _ if self.has_field(&name) => self.answers.texts.entry(name).or_default().push(text),
            _ => {}
        }
    }

    fn has_field(&self, name: &str) -> bool {
        self.form.fields.iter().any(|it| it.name == name)
    }

    /// Returns the maximum number of parts: each answer and file, and the name of each shown field.
    fn max_parts(&self) -> usize {
        let of_field = |it: &LinkSiteField| {
            let files = file_rules(it).map(|it| it.max_files).unwrap_or_default();
            2 + it.choices.len() + usize::from(files)
        };
        self.form.fields.iter().map(of_field).sum::<usize>() + MORE_PARTS
    }

    /// Returns the maximum size of a body: as many files as the fields accept, and some that are too large.
    fn body_limit(&self) -> u64 {
        let rules = || self.form.fields.iter().filter_map(file_rules);
        let files = rules().map(|it| u64::from(it.max_bytes) * u64::from(it.max_files));
        let largest = rules().map(|it| u64::from(it.max_bytes)).max().unwrap_or_default();
        (files.sum::<u64>() + 10 * largest + ANSWERS_LIMIT as u64).min(MAX_BODY)
    }

    /// Receives the parts. If the body ends early, the texts so far are stored, so that the person finds them on the form.
    async fn receive_all(mut self, app: &App, parts: Multipart) -> ApiResult<Self> {
        let _counted = admit(app, &self.visitor.visit.id)?;
        match self.receive_parts(app, parts).await {
            Ok(()) => Ok(self),
            Err(problem) => {
                if let Err(error) = self.save_texts(app).await {
                    tracing::warn!(?error, "Storing the texts of a form failed");
                }
                Err(problem)
            }
        }
    }

    async fn save_texts(self, app: &App) -> ApiResult<()> {
        if self.answers.texts.is_empty() || self.answers.has_bait {
            return Ok(());
        }
        let context = app.context(app.offset_of(&self.visitor.visit.owner).await?);
        app.store
            .write(move |tx| -> ApiResult<()> {
                let mut context = context.clone();
                let Some(of) = self.lock(tx)? else { return Ok(()) };
                if of.started.as_ref().is_some_and(FormSubmission::is_submitted) {
                    return Ok(());
                }
                let mut texts = of.read_stored().texts();
                texts.extend(self.answers.texts.clone());
                let (form, saved) = FormSubmission::save(of, &texts, &mut context);
                let given = record_giver(tx, &self.visitor.visit, &form)?;
                Ok(tx.apply(&saved.then(given), context.now())?)
            })
            .await
    }

    /// Returns whether another file of a field may be stored: neither the field nor the person's quota is full.
    fn accepts_more(&self, field: &str) -> bool {
        let is_file = self.form.fields.iter().any(|it| it.name == field && file_rules(it).is_some());
        let is_over = |it: &AnswerError| match it.kind {
            AnswerErrorKind::File(fault) => {
                fault == FileFault::QuotaExceeded || (fault == FileFault::TooManyFiles && it.field == field)
            }
            AnswerErrorKind::Format(_) | AnswerErrorKind::NotNumber => false,
        };
        is_file && !self.accepts_no_files && !self.answers.faults.iter().any(is_over)
    }

    async fn receive_parts(&mut self, app: &App, mut parts: Multipart) -> ApiResult<()> {
        let (mut room, mut parts_left) = (ANSWERS_LIMIT, self.max_parts());
        while let Some(head) = parts.next_part().await? {
            parts_left = parts_left.checked_sub(1).ok_or_else(|| too_large("Send fewer parts."))?;
            room = room
                .checked_sub(PART_SIZE + head.name.len())
                .ok_or_else(|| too_large("Send a smaller body."))?;
            if let Some(file_name) = head.file_name {
                // A browser sends a file without a name if the person chose none.
                if self.accepts_more(&head.name) && !file_name.is_empty() {
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
                room = room.checked_sub(bytes.len()).ok_or_else(|| too_large("Send a smaller body."))?;
                text.extend(bytes);
            }
            self.take(head.name, String::from_utf8_lossy(&text).into_owned());
        }
        Ok(())
    }

    /// Stores a file. Returns the reason if it is rejected. If the form was submitted meanwhile, or its site is full, the file
    /// is skipped: the response to the answers says so.
    async fn receive_file(
        &mut self,
        app: &App,
        new: &NewFormFile,
        parts: &mut Multipart,
    ) -> ApiResult<Option<FileFault>> {
        let uploads = FormUploads::new(app, &self.visitor, &self.form, &self.site);
        let (target, id) = match uploads.announce(new.clone()).await {
            Ok(announced) => announced,
            Err(problem) if problem.status() == StatusCode::CONFLICT => {
                self.accepts_no_files = true;
                return Ok(None);
            }
            Err(problem) => return problem.file_fault().map(Some).ok_or(problem),
        };
        match self.write_file(app, &new.field, (target.clone(), &id), parts).await {
            // The form was submitted or the file removed in another window.
            Err(problem) if matches!(problem.status(), StatusCode::CONFLICT | StatusCode::NOT_FOUND) => {
                Ok(None)
            }
            Err(problem) => {
                // The person sends the form again, and the file must not keep its place until then.
                if let Ok(left) = UploadWriter::open(app, &self.visitor.visit.owner, target, &id).await {
                    drop(left.give_up(FileFault::Damaged).await);
                }
                Err(problem)
            }
            fault => fault,
        }
    }

    async fn write_file(
        &self,
        app: &App,
        field: &str,
        (target, id): (UploadTarget, &FileId),
        parts: &mut Multipart,
    ) -> ApiResult<Option<FileFault>> {
        let mut of_field = self.form.fields.iter().filter(|it| it.name == field);
        let most = of_field.find_map(file_rules).map(|it| it.max_bytes).unwrap_or_default();
        let writer = UploadWriter::open(app, &self.visitor.visit.owner, target, id).await?;
        let mut writer = writer.allow_early_end();
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

fn too_large(detail: &'static str) -> Problem {
    Problem::new(ProblemCode::PayloadTooLarge, detail)
}

fn is_multipart(headers: &HeaderMap) -> bool {
    let media_type = headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
    media_type.to_ascii_lowercase().starts_with(b"multipart/form-data")
}
