//! Fetches the files of documents during a reading, before its result is written.

use std::sync::Arc;
use std::time::Duration;

use link_domain::data_point::Known;
use link_domain::owner::Owner;
use link_domain::ports::{FileRequest, Read};
use link_domain::provider_file::{FetchedFile, MAX_BYTES_OF_READING, files_to_fetch};
use link_types::id::{AccountId, ProviderId};

use crate::app::App;
use crate::http::problem::{ApiResult, Problem};

/// How long fetching the files of one reading may take. The rest is left for the next reading.
const TIMEOUT: Duration = Duration::from_secs(300);

/// Fetches the offered files that are not stored yet, one after the other. A file that the source does not return is
/// left out, so its document has none until the next reading.
///
/// # Errors
/// If the database cannot be read.
pub(super) async fn fetch(
    app: &App,
    owner: &Owner,
    account: &AccountId,
    (provider_id, read): (&ProviderId, &Read),
) -> ApiResult<Vec<FetchedFile>> {
    if read.batch.files.is_empty() {
        return Ok(Vec::new());
    }
    let (whose, which) = (owner.clone(), account.clone());
    let (points, stored) = app
        .store()
        .read(move |reader| -> ApiResult<_> {
            let points = reader.data_points().of_account(&whose, &which)?;
            Ok((points, reader.provider_files().references(&which)?))
        })
        .await?;
    let known = Known::of(points).map_err(Problem::system)?;
    let offers = files_to_fetch(&read.batch.files, &known, &stored);
    let source = Arc::clone(app.source(owner.mode));
    let ends_at = tokio::time::Instant::now() + TIMEOUT;
    let (mut files, mut bytes) = (Vec::new(), 0);
    for offer in offers {
        let request = FileRequest { provider_id, state: &read.state, reference: &offer.reference };
        let Ok(answer) = tokio::time::timeout_at(ends_at, source.file(request)).await else {
            tracing::warn!(%account, fetched = files.len(), "Fetching files took too long; the next reading continues");
            break;
        };
        let Ok(content) = answer else { continue };
        bytes += content.as_slice().len();
        if bytes > MAX_BYTES_OF_READING {
            break;
        }
        files.push(FetchedFile { offer, content });
    }
    Ok(files)
}
