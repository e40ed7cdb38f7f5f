//! Logos of providers: a catalog has them as `data:` URLs, and the service shows a URL on the service's origin.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use link_domain::data::provider_file::FileBytes;
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::owner::Owner;
use link_domain::kernel::system::BoxFuture;
use link_domain::linking::account_source::{
    AccountSource, FileRequest, FileUnavailableError, Guessing, Read, ReadRequest, Step, StepRequest,
};
use link_domain::linking::withdrawal::{NotWithdrawnError, WithdrawRequest};
use link_domain::tenancy::logo::{LogoEncoder, LogoError};
use link_domain::tenancy::logo::{LogoName, PROVIDER_LOGO};
use link_types::id::ProviderId;
use link_types::provider::{Provider, Translations};
use tokio::sync::watch;

use crate::uploads::base64_text;

/// How many catalogs without a logo it takes until its picture is dropped. Lists that are open may still load it.
const RENEWALS: u8 = 40;

/// How many catalogs the source waits for an encoder that was unavailable: about 10 minutes.
const PAUSE: u8 = 40;

/// An [`AccountSource`] whose providers have logos that were encoded again. A provider has no logo until its picture is
/// encoded, or if the picture is rejected.
pub struct WithLogos {
    source: Arc<dyn AccountSource>,
    encoder: Arc<dyn LogoEncoder>,
    /// The base of the logos' URLs.
    sdk_url: String,
    shown: watch::Sender<Arc<[Provider]>>,
    pictures: Mutex<BTreeMap<Digest32, Picture>>,
    /// The number of catalogs until an unavailable encoder is tried again.
    pause: AtomicU8,
}

/// A picture of a catalog, by the digest of its `data:` URL.
struct Picture {
    /// The name and the PNG file. `None` if the picture was rejected.
    encoded: Option<(LogoName, Arc<[u8]>)>,
    /// The number of consecutive catalogs without it.
    unused: u8,
}

impl WithLogos {
    /// Wraps a source. Pictures are encoded at each [`AccountSource::renew_providers`].
    pub fn new(source: Arc<dyn AccountSource>, encoder: Arc<dyn LogoEncoder>, sdk_url: String) -> Self {
        let logos = Self {
            source,
            encoder,
            sdk_url,
            shown: watch::Sender::new(Arc::new([])),
            pictures: Mutex::default(),
            pause: AtomicU8::new(0),
        };
        logos.show();
        logos
    }

    /// Replaces each picture by the URL of its logo.
    fn show(&self) {
        let providers = self.source.providers();
        let shown = if providers.iter().all(|it| it.logo_url.is_none()) {
            providers
        } else {
            providers.iter().map(|it| Provider { logo_url: self.url_of(it), ..it.clone() }).collect()
        };
        self.shown.send_replace(shown);
    }

    fn url_of(&self, provider: &Provider) -> Option<String> {
        let digest = Digest32::from_text(provider.logo_url.as_ref()?);
        let pictures = self.pictures.lock().unwrap_or_else(PoisonError::into_inner);
        let (name, _) = pictures.get(&digest)?.encoded.as_ref()?;
        Some(format!("{}{}", self.sdk_url, name.path()))
    }

    /// Encodes new pictures, one after the other, and drops those that no catalog has had for a while.
    async fn renew_pictures(&self) {
        let mut unused: Vec<Digest32> = self.with_pictures(|pictures| pictures.keys().copied().collect());
        for provider in self.source.providers().iter() {
            let Some(url) = &provider.logo_url else { continue };
            let digest = Digest32::from_text(url);
            unused.retain(|it| *it != digest);
            let is_known = self.with_pictures(|pictures| match pictures.get_mut(&digest) {
                Some(picture) => {
                    picture.unused = 0;
                    true
                }
                None => false,
            });
            if is_known || self.pause.load(Ordering::Relaxed) > 0 {
                continue;
            }
            match self.encode(provider, url).await {
                Some(encoded) => {
                    self.with_pictures(|pictures| pictures.insert(digest, Picture { encoded, unused: 0 }));
                }
                None => self.pause.store(PAUSE, Ordering::Relaxed),
            }
        }
        // Only renewals change it, one after the other.
        self.pause.store(self.pause.load(Ordering::Relaxed).saturating_sub(1), Ordering::Relaxed);
        self.with_pictures(|pictures| {
            for digest in unused {
                if let Some(picture) = pictures.get_mut(&digest) {
                    picture.unused += 1;
                    if picture.unused >= RENEWALS {
                        pictures.remove(&digest);
                    }
                }
            }
        });
    }

    /// Encodes a picture. Returns `None` if a later renewal must try again.
    async fn encode(&self, provider: &Provider, url: &str) -> Option<Option<(LogoName, Arc<[u8]>)>> {
        let encoded = match base64_text::file(url) {
            Some(file) => self.encoder.encode(file, PROVIDER_LOGO).await,
            None => Err(LogoError::Format),
        };
        match encoded {
            Ok(logo) => {
                let name = LogoName::of_provider(&logo.png);
                Some(Some((name, logo.png.into())))
            }
            Err(LogoError::Unavailable) => None,
            Err(fault) => {
                tracing::warn!(provider = %provider.id, %fault, "A provider's logo is not shown");
                Some(None)
            }
        }
    }

    fn with_pictures<T>(&self, run: impl FnOnce(&mut BTreeMap<Digest32, Picture>) -> T) -> T {
        run(&mut self.pictures.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl AccountSource for WithLogos {
    fn is_configured(&self) -> bool {
        self.source.is_configured()
    }

    fn providers(&self) -> Arc<[Provider]> {
        Arc::clone(&self.shown.borrow())
    }

    fn translations(&self, provider: &ProviderId) -> Arc<Translations> {
        self.source.translations(provider)
    }

    fn logo(&self, name: &LogoName) -> Option<Arc<[u8]>> {
        self.with_pictures(|pictures| {
            let mut encoded = pictures.values().filter_map(|it| it.encoded.as_ref());
            encoded.find(|(it, _)| it == name).map(|(_, png)| Arc::clone(png))
        })
    }

    fn renew_providers(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            self.source.renew_providers().await;
            // A new catalog does not wait for its pictures.
            self.show();
            self.renew_pictures().await;
            self.show();
        })
    }

    fn guessing<'a>(
        &'a self,
        owner: &'a Owner,
        provider: &'a ProviderId,
        login_name: &'a str,
    ) -> BoxFuture<'a, Guessing> {
        self.source.guessing(owner, provider, login_name)
    }

    fn step<'a>(&'a self, request: StepRequest<'a>) -> BoxFuture<'a, Step> {
        self.source.step(request)
    }

    fn read<'a>(&'a self, request: ReadRequest<'a>) -> BoxFuture<'a, Read> {
        self.source.read(request)
    }

    fn file<'a>(
        &'a self,
        request: FileRequest<'a>,
    ) -> BoxFuture<'a, Result<Option<FileBytes>, FileUnavailableError>> {
        self.source.file(request)
    }

    fn withdraw<'a>(&'a self, request: WithdrawRequest<'a>) -> BoxFuture<'a, Result<(), NotWithdrawnError>> {
        self.source.withdraw(request)
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use link_connectors::sandbox::SandboxSource;
    use link_documents::logo;
    use link_domain::tenancy::logo::{EncodedLogo, LogoBounds};

    use super::*;

    /// A PNG of 16 by 16 pixels.
    const PNG: &[u8] = include_bytes!("provider_logos/square.png");

    /// Encodes in this process.
    struct InProcess;

    impl LogoEncoder for InProcess {
        fn encode(&self, file: Vec<u8>, bounds: LogoBounds) -> BoxFuture<'_, Result<EncodedLogo, LogoError>> {
            Box::pin(std::future::ready(logo::encode(&file, bounds).map_err(LogoError::from)))
        }
    }

    /// The sandbox, with a picture for its first provider and a rejected one for its second.
    struct Illustrated(SandboxSource, watch::Sender<Option<String>>);

    impl AccountSource for Illustrated {
        fn providers(&self) -> Arc<[Provider]> {
            let mut providers = self.0.providers().to_vec();
            providers[0].logo_url.clone_from(&self.1.borrow());
            providers[1].logo_url = Some("data:image/svg+xml;base64,PHN2Zy8+".to_owned());
            providers.into()
        }

        fn step<'a>(&'a self, request: StepRequest<'a>) -> BoxFuture<'a, Step> {
            self.0.step(request)
        }

        fn read<'a>(&'a self, request: ReadRequest<'a>) -> BoxFuture<'a, Read> {
            self.0.read(request)
        }

        fn withdraw<'a>(
            &'a self,
            request: WithdrawRequest<'a>,
        ) -> BoxFuture<'a, Result<(), NotWithdrawnError>> {
            self.0.withdraw(request)
        }
    }

    fn source_with_logo(logo: Option<String>) -> (Arc<Illustrated>, WithLogos) {
        let source = Arc::new(Illustrated(SandboxSource::new(), watch::Sender::new(logo)));
        let shared = Arc::clone(&source) as Arc<dyn AccountSource>;
        (source, WithLogos::new(shared, Arc::new(InProcess), "https://sdk.example".to_owned()))
    }

    fn data_url() -> Option<String> {
        Some(format!("data:image/png;base64,{}", STANDARD.encode(PNG)))
    }

    #[tokio::test]
    async fn provider_logo_is_a_url_of_the_service_once_it_is_encoded() {
        let (_, source) = source_with_logo(data_url());
        assert!(source.providers().iter().all(|it| it.logo_url.is_none()), "not encoded yet");
        source.renew_providers().await;
        let providers = source.providers();
        let url = providers[0].logo_url.as_deref().unwrap();
        let name = LogoName::of_path(url.strip_prefix("https://sdk.example").unwrap()).unwrap();
        assert!(source.logo(&name).unwrap().starts_with(b"\x89PNG"));
        assert_eq!(providers[1].logo_url, None, "an SVG is rejected");
    }

    #[tokio::test]
    async fn unavailable_encoder_is_tried_again_after_a_pause() {
        struct Away(AtomicU8);
        impl LogoEncoder for Away {
            fn encode(&self, _: Vec<u8>, _: LogoBounds) -> BoxFuture<'_, Result<EncodedLogo, LogoError>> {
                self.0.fetch_add(1, Ordering::Relaxed);
                Box::pin(std::future::ready(Err(LogoError::Unavailable)))
            }
        }
        let catalog: Arc<dyn AccountSource> = Arc::new(SandboxSource::new());
        let away = Arc::new(Away(AtomicU8::new(0)));
        let encoder = Arc::clone(&away) as Arc<dyn LogoEncoder>;
        let source = WithLogos::new(catalog, encoder, String::new());
        for _ in 0..PAUSE {
            source.renew_providers().await;
        }
        assert_eq!(away.0.load(Ordering::Relaxed), 1);
        source.renew_providers().await;
        assert_eq!(away.0.load(Ordering::Relaxed), 2);
    }

    #[tokio::test]
    async fn picture_is_dropped_after_many_catalogs_without_it() {
        let (catalog, source) = source_with_logo(data_url());
        source.renew_providers().await;
        let url = source.providers()[0].logo_url.clone().unwrap();
        let name = LogoName::of_path(url.strip_prefix("https://sdk.example").unwrap()).unwrap();
        catalog.1.send_replace(None);
        for _ in 1..RENEWALS {
            source.renew_providers().await;
        }
        assert_eq!(source.providers()[0].logo_url, None);
        assert!(source.logo(&name).is_some(), "an open list may still load it");
        source.renew_providers().await;
        assert!(source.logo(&name).is_none());
    }
}
