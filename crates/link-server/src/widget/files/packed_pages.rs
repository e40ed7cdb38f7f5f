//! Compresses pages of the frame, and the bridge's scripts. The same page is sent often, because it depends only on its link
//! template and the build; a script depends only on the build and the address of the service.

use std::io::Write as _;
use std::sync::Arc;

use axum::body::Bytes;
use moka::sync::Cache;
use tokio::sync::Semaphore;

/// The total size of kept pages in bytes: 300 of the usual 13.5 KB.
const KEPT: u64 = 4 << 20;
/// The quality of brotli for pages: 13.5 KB in 1.1 ms. The best quality saves 1 KB, but takes 41 ms.
pub const QUICK: u32 = 5;
/// The best quality, for scripts.
pub const BEST: u32 = 11;
/// The window of brotli as a power of 2: larger than a page, unless the tenant has replaced most texts.
const WINDOW: u32 = 18;

/// Pages that were compressed with brotli.
#[derive(Debug)]
pub struct PackedPages {
    /// By the hash of the page.
    kept: Cache<[u8; 32], Bytes>,
    /// Anyone can ask for a page, and a tenant can have many large ones, so one is compressed at a time.
    turn: Arc<Semaphore>,
}

impl Default for PackedPages {
    fn default() -> Self {
        let weight = |_: &[u8; 32], page: &Bytes| u32::try_from(page.len()).unwrap_or(u32::MAX);
        Self {
            kept: Cache::builder().max_capacity(KEPT).weigher(weight).build(),
            turn: Arc::new(Semaphore::new(1)),
        }
    }
}

impl PackedPages {
    /// Returns the page with this hash, compressed. `None` while another page is compressed: then this one is sent as it is.
    pub async fn packed(&self, hash: [u8; 32], page: &Arc<str>, quality: u32) -> Option<Bytes> {
        if let Some(kept) = self.kept.get(&hash) {
            return Some(kept);
        }
        let turn = Arc::clone(&self.turn).try_acquire_owned().ok()?;
        let page = Arc::clone(page);
        let packed = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            compressed(&page, quality)
        });
        let packed = Bytes::from(packed.await.ok()??);
        self.kept.insert(hash, packed.clone());
        Some(packed)
    }
}

fn compressed(page: &str, quality: u32) -> Option<Vec<u8>> {
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
        let page: Arc<str> = "<meta>".repeat(10_000).into();
        let packed = pages.packed([1; 32], &page, QUICK).await.unwrap();
        let mut read = Vec::new();
        brotli::BrotliDecompress(&mut &packed[..], &mut read).unwrap();
        assert!(read == page.as_bytes() && packed.len() < 1_000);

        let turn = pages.turn.acquire().await.unwrap();
        assert_eq!(pages.packed([1; 32], &page, QUICK).await, Some(packed));
        assert_eq!(pages.packed([2; 32], &page, QUICK).await, None);
        drop(turn);
        assert!(pages.packed([2; 32], &page, QUICK).await.is_some());
    }
}
