//! `/visit/uploads`: files of a form's FILE fields, by tus 1.0. The page's script sends them as the person chooses them.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::from_fn;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{patch, post};
use link_domain::change::Change;
use link_domain::documents::archive::{FileInput, UploadingFile};
use link_domain::invitations::form_submission::{FormOfVisit, FormSubmission, NewFormFile};
use link_domain::invitations::mailbox::mailbox_of;
use link_domain::invitations::visit::Visit;
use link_domain::person_page::given_data;
use link_store::Tx;
use link_types::form_submission::LinkSiteForm;
use link_types::id::{FileId, LinkSiteId, LinkSiteSessionId};
use link_types::problem::ProblemCode;

use super::token::{token_over, unproven_address};
use super::visitor::Visitor;
use crate::app::App;
use crate::app::counted::Counted;
use crate::http::extract::standing::check_tenant;
use crate::http::limits::network::Network;
use crate::http::problem::{ApiResult, Problem};
use crate::http::tus::{
    self, Creation, FormMetadata, UPLOAD_EXPIRES, UPLOAD_LENGTH, UPLOAD_OFFSET, append, creation, http_date,
    upload_in_use,
};
use crate::uploads::{FormTarget, UploadTarget, UploadWriter, Uploader, Uploading, receive};

/// The maximum number of concurrent requests of a visit that send files. Each one holds a connection.
const MAX_AT_ONCE: usize = 10;

/// Returns the routes of uploads.
pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/visit/uploads", post(create))
        .route("/visit/uploads/{id}", patch(append_bytes).head(head).delete(terminate))
        .layer(from_fn(tus::layer))
}

/// Counts a request that sends files.
///
/// # Errors
/// 429 if the visit already has 10.
pub(super) fn admit(app: &App, visit: &LinkSiteSessionId) -> ApiResult<Counted<LinkSiteSessionId>> {
    app.limits.form_uploads.admit(visit, MAX_AT_ONCE).ok_or_else(|| {
        let detail = "The visit has 10 concurrent requests with files. Wait until one of them ends.";
        Problem::new(ProblemCode::RequestLimitExceeded, detail)
            .with_header(header::RETRY_AFTER, HeaderValue::from_static("1"))
    })
}

/// Returns the change that lets the person find the answers on their own page.
pub(super) fn record_giver(tx: &mut Tx<'_>, visit: &Visit, form: &FormSubmission) -> ApiResult<Change> {
    let invite = match visit.invite_id() {
        Some(id) => tx.invites().get(&visit.owner, id)?,
        None => None,
    };
    let mailbox = mailbox_of(invite.as_ref(), Some(visit));
    Ok(given_data::record_giver(form.scope(), &visit.owner, mailbox))
}

fn full_site() -> Problem {
    Problem::conflict("The site has its maximum number of submitted forms.")
}

/// Uploads of a visit whose form may have no answers yet.
pub(super) struct FormUploads {
    app: App,
    visit: Visit,
    form: LinkSiteForm,
    site: LinkSiteId,
    /// The link site of the visit. `None` if the form is of a link template.
    hosted_at: Option<LinkSiteId>,
}

impl FormUploads {
    /// Creates the uploads of a visit.
    pub(super) fn new(app: &App, visitor: &Visitor, form: &LinkSiteForm, site: &LinkSiteId) -> Self {
        let hosted_at = visitor.site().map(|it| it.id().clone());
        Self {
            app: app.clone(),
            visit: visitor.visit.clone(),
            form: form.clone(),
            site: site.clone(),
            hosted_at,
        }
    }

    /// Adds a file to the answers, and creates them if it is the first one.
    ///
    /// # Errors
    /// A `fileFault` if the field does not accept the file; 401 if the visit has ended; 409 if the form was submitted, or if
    /// its site accepts no more forms. A site that closes lets people finish, for as long as a visit lasts.
    pub(super) async fn announce(self, new: NewFormFile) -> ApiResult<(UploadTarget, FileId)> {
        let Self { app, visit, form, site, hosted_at } = self;
        let (context, quota) = (app.context(app.offset_of(&visit.owner).await?), app.settings.upload_quota());
        let (of_form, of_site, of_visit) = (form.clone(), site.clone(), visit.clone());
        let announced = app
            .store
            .write(move |tx| -> ApiResult<_> {
                let mut context = context.clone();
                let owner = &of_visit.owner;
                // Locks the user, so that concurrent requests of one user cannot exceed a quota together.
                if !Visitor::still_exists(tx, &of_visit)? {
                    return Err(token_over());
                }
                let usage = tx.upload_uses().usage(owner, &of_visit.user_id, context.now().wall())?;
                if let Some(id) = &hosted_at {
                    let site = tx.link_sites().get(owner, id)?.ok_or_else(token_over)?;
                    if site.is_full() {
                        return Err(full_site());
                    }
                }
                let started = tx.forms().of_visit(owner, &of_visit.id)?;
                let of = FormOfVisit { form: &of_form, site: of_site.clone(), visit: &of_visit, started };
                let (answers, file, change) =
                    FormSubmission::add_file(of, &new, (usage, quota), &mut context)?;
                let given = record_giver(tx, &of_visit, &answers)?;
                tx.apply(&change.then(given), context.now())?;
                Ok((answers.id, file))
            })
            .await?;
        let (answers, file) = announced;
        Ok((UploadTarget::Form(Arc::new(FormTarget { visit, form, site, answers })), file))
    }
}

/// A visit whose form has answers.
struct VisitCaller {
    app: App,
    target: Arc<FormTarget>,
}

impl VisitCaller {
    async fn find(app: &App, headers: &HeaderMap, network: Network) -> ApiResult<Self> {
        let visitor = Visitor::find_limited(app, headers, network).await?.ok_or_else(token_over)?;
        let (form, site) = form_of(&visitor)?;
        let (owner, id) = (visitor.visit.owner.clone(), visitor.visit.id.clone());
        let answers = app
            .store
            .read(move |reader| -> ApiResult<_> { Ok(reader.forms().of_visit(&owner, &id)?) })
            .await?;
        let answers = answers.ok_or_else(Problem::missing)?.id;
        let target = Arc::new(FormTarget { visit: visitor.visit, form, site, answers });
        Ok(Self { app: app.clone(), target })
    }
}

fn form_of(visitor: &Visitor) -> ApiResult<(LinkSiteForm, LinkSiteId)> {
    if visitor.visit.proof.is_awaited() {
        return Err(unproven_address());
    }
    visitor.form.clone().zip(visitor.site_id()).ok_or_else(Problem::missing)
}

impl Uploader for VisitCaller {
    async fn progress(&self, id: &FileId) -> ApiResult<Uploading> {
        let (owner, answers, id) = (self.target.visit.owner.clone(), self.target.answers.clone(), id.clone());
        self.app
            .store
            .read(move |reader| -> ApiResult<_> {
                let form = reader.forms().get(&owner, &answers)?.ok_or_else(Problem::missing)?;
                let file = form.file(&id).ok_or_else(Problem::missing)?;
                Ok(Uploading {
                    headers: standing(file),
                    received_bytes: file.received_bytes(),
                    size_bytes: file.size_bytes(),
                    is_complete: file.stored_file().is_some(),
                })
            })
            .await
    }

    async fn writer(&self, id: &FileId) -> ApiResult<UploadWriter> {
        let target = UploadTarget::Form(Arc::clone(&self.target));
        UploadWriter::open(&self.app, &self.target.visit.owner, target, id).await
    }

    fn time_left(&self) -> Duration {
        self.target.visit.time_left(self.app.wall())
    }

    async fn uses_again(&self) -> ApiResult<Duration> {
        let (hash, now) = (self.target.visit.secret_hash, self.app.wall());
        let owner = self.target.visit.owner.clone();
        let visit = self
            .app
            .store
            .read(move |reader| -> ApiResult<_> {
                check_tenant(reader, &owner)?;
                Ok(reader.visits().by_secret(&hash)?)
            })
            .await?;
        let visit = visit.filter(|it| it.lasts(now)).ok_or_else(token_over)?;
        Ok(visit.time_left(now))
    }
}

/// Returns the progress of an upload as tus headers.
fn standing(file: &UploadingFile) -> HeaderMap {
    HeaderMap::from_iter([
        (UPLOAD_OFFSET, HeaderValue::from(file.received_bytes())),
        (UPLOAD_LENGTH, HeaderValue::from(file.size_bytes())),
        (UPLOAD_EXPIRES, http_date(FormSubmission::upload_ends_at(file))),
    ])
}

async fn create(State(app): State<App>, network: Network, headers: HeaderMap) -> ApiResult<Response> {
    let Creation { length, metadata, .. } = creation::<FormMetadata>(&headers)?;
    let visitor = Visitor::find_limited(&app, &headers, network).await?.ok_or_else(token_over)?;
    let (form, site) = form_of(&visitor)?;
    let new = NewFormFile {
        field: metadata.field,
        name: metadata.name,
        size_bytes: Some(length.into()),
        sha256: None,
    };
    let (_, id) = FormUploads::new(&app, &visitor, &form, &site).announce(new).await?;
    let location = HeaderValue::from_str(&format!("/visit/uploads/{id}")).map_err(Problem::system)?;
    Ok((StatusCode::CREATED, [(header::LOCATION, location)]).into_response())
}

fn parse_id(id: &str) -> ApiResult<FileId> {
    id.parse().map_err(|_| Problem::missing())
}

async fn append_bytes(
    State(app): State<App>,
    Path(id): Path<String>,
    network: Network,
    headers: HeaderMap,
    body: Body,
) -> ApiResult<Response> {
    let (append, id) = (append(&headers)?, parse_id(&id)?);
    let caller = VisitCaller::find(&app, &headers, network).await?;
    let _counted = admit(&app, &caller.target.visit.id)?;
    // Before the upload's lock, or a request could interrupt another person's upload.
    caller.progress(&id).await?;
    let progress = receive(&app, caller, id, append, body).await?;
    Ok((StatusCode::NO_CONTENT, progress).into_response())
}

async fn head(
    State(app): State<App>,
    Path(id): Path<String>,
    network: Network,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let id = parse_id(&id)?;
    let caller = VisitCaller::find(&app, &headers, network).await?;
    caller.progress(&id).await?;
    let _lock = app.limits.upload_locks.take(&id).await.ok_or_else(upload_in_use)?;
    let uncached = [(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    Ok((StatusCode::OK, uncached, caller.progress(&id).await?.headers).into_response())
}

async fn terminate(
    State(app): State<App>,
    Path(id): Path<String>,
    network: Network,
    headers: HeaderMap,
) -> ApiResult<StatusCode> {
    let id = parse_id(&id)?;
    let caller = VisitCaller::find(&app, &headers, network).await?;
    caller.progress(&id).await?;
    let _lock = app.limits.upload_locks.take(&id).await.ok_or_else(upload_in_use)?;
    let context = app.context(app.offset_of(&caller.target.visit.owner).await?);
    let target = caller.target;
    app.store
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            let of = target.lock(tx)?;
            let (_, change) = FormSubmission::change_file(of, FileInput::Remove(id.clone()), &mut context)?;
            Ok(tx.apply(&change, context.now())?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
