//! Compresses pages of the frame, and the bridge's scripts. The same page is sent often, because it depends only on its link
//! template and the build; a script depends only on the build and the address of the service.

use std::io::Write as _;
use std::sync::Arc;

use axum::body::Bytes;
use moka::sync::Cache;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

/// The total size of kept pages in bytes: 300 of the usual 13.5 KB.
const KEPT: u64 = 4 << 20;
/// The quality of brotli for the first response: a page takes 1.1 ms. The best quality saves 1 KB, but takes 41 ms.
pub const QUICK: u32 = 5;
/// The best quality: for scripts, and for later responses with a page.
pub const BEST: u32 = 11;
/// Larger pages stay as they are. Only those with many texts of a tenant are larger.
const BEST_UP_TO: usize = 64 << 10;
/// The window of brotli as a power of 2: larger than a page, unless the tenant has replaced most texts.
const WINDOW: u32 = 18;

/// Pages that were compressed with brotli.
#[derive(Debug)]
pub struct PackedPages {
    /// By the hash of the page, each with its quality.
    kept: Cache<[u8; 32], (Bytes, u32)>,
    /// Anyone can ask for a page, and a tenant can have many large ones, so one is compressed at a time.
    turn: Arc<Semaphore>,
    /// The same for pages that are compressed again. No request waits for these.
    again: Arc<Semaphore>,
}

impl Default for PackedPages {
    fn default() -> Self {
        let weight = |_: &[u8; 32], (page, _): &(Bytes, u32)| u32::try_from(page.len()).unwrap_or(u32::MAX);
        Self {
            kept: Cache::builder().max_capacity(KEPT).weigher(weight).build(),
            turn: Arc::new(Semaphore::new(1)),
            again: Arc::new(Semaphore::new(1)),
        }
    }
}

impl PackedPages {
    /// Returns the page with this hash, compressed. `None` while another page is compressed: then this one is sent as it is.
    /// After a quick response, compresses a page again with the best quality, for later responses.
    pub async fn get(&self, hash: [u8; 32], page: &Arc<str>, quality: u32) -> Option<Bytes> {
        let (packed, quality) = match self.kept.get(&hash) {
            Some(kept) => kept,
            None => (self.compress(&self.turn, hash, page, quality)?.await.ok()??, quality),
        };
        if quality < BEST && page.len() <= BEST_UP_TO {
            drop(self.compress(&self.again, hash, page, BEST));
        }
        Some(packed)
    }

    /// Starts to compress a page, and keeps the result. `None` if it is not its turn.
    fn compress(
        &self,
        turn: &Arc<Semaphore>,
        hash: [u8; 32],
        page: &Arc<str>,
        quality: u32,
    ) -> Option<JoinHandle<Option<Bytes>>> {
        let turn = Arc::clone(turn).try_acquire_owned().ok()?;
        let (page, kept) = (Arc::clone(page), self.kept.clone());
        Some(tokio::task::spawn_blocking(move || {
            let _turn = turn;
            let packed = Bytes::from(compress(&page, quality)?);
            kept.insert(hash, (packed.clone(), quality));
            Some(packed)
        }))
    }
}

fn compress(page: &str, quality: u32) -> Option<Vec<u8>> {
    let mut writer = brotli::CompressorWriter::new(Vec::new(), page.len(), quality, WINDOW);
    writer.write_all(page.as_bytes()).ok()?;
    Some(writer.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn page_is_compressed_once_and_one_at_a_time() {
        let pages = PackedPages::default();
        let page: Arc<str> = "<meta>".repeat(20_000).into();
        let packed = pages.get([1; 32], &page, QUICK).await.unwrap();
        let mut read = Vec::new();
        brotli::BrotliDecompress(&mut &packed[..], &mut read).unwrap();
        assert!(read == page.as_bytes() && packed.len() < 1_000);

        let turn = pages.turn.acquire().await.unwrap();
        assert_eq!(pages.get([1; 32], &page, QUICK).await, Some(packed));
        assert_eq!(pages.get([2; 32], &page, QUICK).await, None);
        drop(turn);
        assert!(pages.get([2; 32], &page, QUICK).await.is_some());
    }

    #[tokio::test]
    async fn small_page_is_compressed_again_after_it_was_sent() {
        let pages = PackedPages::default();
        let small: Arc<str> = include_str!("packed_pages.rs").into();
        let large: Arc<str> = small.repeat(BEST_UP_TO / small.len() + 1).into();
        for (hash, page, improves) in [([1; 32], small, true), ([2; 32], large, false)] {
            let first = pages.get(hash, &page, QUICK).await.unwrap();
            drop(pages.again.acquire().await.unwrap());
            let later = pages.get(hash, &page, QUICK).await.unwrap();
            assert_eq!(later.len() < first.len(), improves, "{} and {} bytes", first.len(), later.len());
            let mut read = Vec::new();
            brotli::BrotliDecompress(&mut &later[..], &mut read).unwrap();
            assert_eq!(read, page.as_bytes());
        }
    }
}
