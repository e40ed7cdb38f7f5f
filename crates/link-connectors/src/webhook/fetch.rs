//! Requests to providers that tenants choose: the checks of the webhook sender, and whole responses of a limited size.
//!
//! Each request has its own connection. They are rare, and no response may wait on one that another tenant used.

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::client::conn::http1;
use hyper::header::{CONTENT_TYPE, HOST, HeaderValue, USER_AGENT};
use hyper::{Method, Request};
use hyper_util::rt::TokioIo;
use link_domain::console::single_sign_on::port::{
    FETCH_TIMEOUT, FetchError, FetchRequest, FetchedResponse, MAX_FETCHED, ProviderClient,
};
use link_domain::kernel::system::BoxFuture;
use link_domain::notifications::delivery::CONNECT_TIMEOUT;
use link_domain::notifications::webhook_sender::{SendError, WebhookSender};
use tokio::time::{Instant, timeout, timeout_at};

use super::network::{Connect, Resolve, Stream};
use super::sender::{HttpSender, Target, UNRESOLVED_AFTER};
use super::tls::tls_cause;

impl<R: Resolve, C: Connect> HttpSender<R, C> {
    async fn open(&self, request: &FetchRequest) -> Result<(Target, Box<dyn Stream>), SendError> {
        let target = self.target(&request.url, false)?;
        let tls = match target.server_name()? {
            Some(name) => Some((self.tls().await?, name)),
            None => None,
        };
        let connecting = timeout(CONNECT_TIMEOUT, self.connect(&target, tls));
        let stream = connecting.await.map_err(|_| SendError::ConnectFailed)??;
        Ok((target, stream))
    }
}

impl<R: Resolve, C: Connect> ProviderClient for HttpSender<R, C> {
    fn fetch<'a>(&'a self, request: &'a FetchRequest) -> BoxFuture<'a, Result<FetchedResponse, FetchError>> {
        Box::pin(async move {
            let began = Instant::now();
            let fetched = async {
                let (target, stream) = self.open(request).await?;
                exchange(stream, message(&target, request)?).await
            };
            let fetched =
                timeout_at(began + FETCH_TIMEOUT, fetched).await.unwrap_or(Err(FetchError::TimedOut));
            if fetched == Err(FetchError::Send(SendError::Unresolved)) {
                // The duration of a look-up would also distinguish internal names from those that do not exist.
                tokio::time::sleep_until(began + UNRESOLVED_AFTER).await;
            }
            fetched
        })
    }

    fn vet(&self, url: &str) -> Result<(), SendError> {
        WebhookSender::vet(self, url, false)
    }

    fn find_texts<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Vec<String>, FetchError>> {
        Box::pin(async move {
            self.resolver.find_texts(name).await.map_err(|_| FetchError::Send(SendError::Unresolved))
        })
    }
}

fn message(target: &Target, request: &FetchRequest) -> Result<Request<Full<Bytes>>, FetchError> {
    let url = &target.url;
    let mut message = Request::builder()
        .method(if request.body.is_some() { Method::POST } else { Method::GET })
        .uri(&url[url::Position::BeforePath..url::Position::AfterQuery])
        .header(HOST, &url[url::Position::BeforeHost..url::Position::AfterPort])
        .header(USER_AGENT, concat!("Linchpin/", env!("CARGO_PKG_VERSION"), " (single sign-on)"));
    for (name, value) in &request.headers {
        let mut value =
            HeaderValue::from_str(value.expose()).map_err(|_| FetchError::Send(SendError::AddressRefused))?;
        value.set_sensitive(true);
        message = message.header(name, value);
    }
    let body = request.body.as_ref().map(|it| Bytes::from(it.expose().to_owned()));
    message.body(Full::new(body.unwrap_or_default())).map_err(|_| FetchError::Send(SendError::AddressRefused))
}

/// Sends a request and reads the whole response. The connection is driven here and not by a separate task, so that nothing is
/// sent or received after the deadline.
async fn exchange(
    stream: Box<dyn Stream>,
    message: Request<Full<Bytes>>,
) -> Result<FetchedResponse, FetchError> {
    let (mut client, driver) =
        http1::handshake(TokioIo::new(stream)).await.map_err(|error| fetch_error(&error))?;
    let exchange = async {
        let response = client.send_request(message).await.map_err(|error| fetch_error(&error))?;
        let status = response.status().as_u16();
        let content_type = response.headers().get(CONTENT_TYPE).and_then(|it| it.to_str().ok());
        let content_type = content_type.map(str::to_owned);
        let body = Limited::new(response.into_body(), MAX_FETCHED).collect().await.map_err(|error| {
            if error.is::<LengthLimitError>() {
                FetchError::TooLarge
            } else {
                FetchError::Send(SendError::Broken)
            }
        })?;
        Ok(FetchedResponse { status, content_type, body: body.to_bytes().to_vec() })
    };
    tokio::pin!(exchange, driver);
    tokio::select! {
        biased;
        response = &mut exchange => response,
        // The end of the connection may complete the response.
        _ = &mut driver => exchange.await,
    }
}

fn fetch_error(error: &hyper::Error) -> FetchError {
    FetchError::Send(tls_cause(error).map_or(SendError::Broken, SendError::Tls))
}
