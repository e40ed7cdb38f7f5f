//! Fetches the files of documents during a reading, before its result is written.

use std::sync::Arc;
use std::time::Duration;

use link_domain::data::data_point::Known;
use link_domain::data::declined_data::DeclinedData;
use link_domain::documents::provider_file::{FetchedFile, FetchedFiles, FileOffer, files_to_fetch};
use link_domain::kernel::owner::Owner;
use link_domain::linking::account_source::{FileRequest, FileUnavailableError, Read};
use link_types::id::{AccountId, ProviderId};

use crate::app::App;
use crate::http::problem::{ApiResult, Problem};

/// How long fetching the files of one reading may take. The rest is left for the next reading.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Fetches the offered files that are not stored yet, one after the other. A file that the source does not return is left
/// out, until the next reading. Stops when the source does not answer, when the service stops, or at a limit: the data that
/// was read, and the session that may have changed, must not wait.
pub(super) async fn fetch(
    app: &App,
    owner: &Owner,
    account: &AccountId,
    (provider_id, read): (&ProviderId, &Read),
    declined: &DeclinedData,
) -> Vec<FetchedFile> {
    if read.batch.files.is_empty() {
        return Vec::new();
    }
    let offers = offers_to_follow(app, owner, account, (read, declined)).await.unwrap_or_else(|problem| {
        tracing::error!(%account, ?problem, "Looking up the files of documents failed");
        Vec::new()
    });
    let source = Arc::clone(app.source(owner.mode));
    let ends_at = tokio::time::Instant::now() + TIMEOUT;
    let mut fetched = FetchedFiles::default();
    for offer in offers {
        if app.is_stopping() {
            break;
        }
        let request = FileRequest { provider_id, state: &read.state, reference: &offer.reference };
        let content = match tokio::time::timeout_at(ends_at, source.file(request)).await {
            Ok(Ok(Some(content))) => content,
            Ok(Ok(None)) => continue,
            Ok(Err(FileUnavailableError)) | Err(_) => {
                tracing::warn!(%account, fetched = fetched.len(), "Fetching files ended; the next reading continues");
                break;
            }
        };
        if !fetched.add(FetchedFile { offer, content }) {
            break;
        }
    }
    fetched.into_files()
}

async fn offers_to_follow(
    app: &App,
    owner: &Owner,
    account: &AccountId,
    (read, declined): (&Read, &DeclinedData),
) -> ApiResult<Vec<FileOffer>> {
    let (whose, which) = (owner.clone(), account.clone());
    let (points, stored) = app
        .store()
        .read(move |reader| -> ApiResult<_> {
            let points = reader.data_points().of_account(&whose, &which)?;
            Ok((points, reader.provider_files().references(&which)?))
        })
        .await?;
    let known = Known::of(points).map_err(Problem::system)?;
    Ok(files_to_fetch(&read.batch, &known, &stored, declined))
}
