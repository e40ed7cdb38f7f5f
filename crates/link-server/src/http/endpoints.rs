//! Endpoints: what serves them, and what documents them. The document is put together for those who write it down alone
//! (`cargo xtask codegen`): in a process that serves, neither the code that does it nor what it makes takes memory.

use std::convert::Infallible;

use axum::extract::Request;
use axum::response::IntoResponse;
use axum::routing::{MethodRouter, Route};
use tower::{Layer, Service};
use utoipa::openapi::OpenApi;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

use crate::app::App;

/// The endpoints of a resource, or of several.
#[derive(Default)]
pub struct Endpoints(Vec<Address>);

/// One address, by all its methods.
pub struct Address {
    path: String,
    methods: MethodRouter<App>,
    documented: Option<fn() -> UtoipaMethodRouter<App>>,
}

impl Address {
    /// An address whose operations are documented so; made by `routes!`.
    pub fn new(
        path: String,
        methods: MethodRouter<App>,
        documented: fn() -> UtoipaMethodRouter<App>,
    ) -> Self {
        Self { path, methods, documented: Some(documented) }
    }
}

impl Endpoints {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// These and one more address.
    #[must_use]
    pub fn routes(mut self, address: Address) -> Self {
        self.0.push(address);
        self
    }

    /// These and one that is no operation of the document.
    #[must_use]
    pub fn route(self, path: &str, methods: MethodRouter<App>) -> Self {
        self.routes(Address { path: path.to_owned(), methods, documented: None })
    }

    /// These and those.
    #[must_use]
    pub fn merge(mut self, others: Self) -> Self {
        self.0.extend(others.0);
        self
    }

    /// These, each behind a layer.
    #[must_use]
    pub fn layer<L>(self, layer: L) -> Self
    where
        L: Layer<Route> + Clone + Send + Sync + 'static,
        L::Service: Service<Request> + Clone + Send + Sync + 'static,
        <L::Service as Service<Request>>::Response: IntoResponse + 'static,
        <L::Service as Service<Request>>::Error: Into<Infallible> + 'static,
        <L::Service as Service<Request>>::Future: Send + 'static,
    {
        let behind = |it: Address| Address { methods: it.methods.layer(layer.clone()), ..it };
        Self(self.0.into_iter().map(behind).collect())
    }

    /// What serves them.
    pub fn router(self) -> axum::Router<App> {
        self.0.into_iter().fold(axum::Router::new(), |router, it| router.route(&it.path, it.methods))
    }

    /// What documents them, added to a document.
    pub fn document(self, document: OpenApi) -> OpenApi {
        let documented = self.0.into_iter().filter_map(|it| it.documented);
        let routers = documented.fold(OpenApiRouter::with_openapi(document), |all, it| all.routes(it()));
        routers.into_openapi()
    }
}

/// The address that these handlers share, each documented by its `#[utoipa::path]`.
macro_rules! routes {
    ($first:path $(, $further:path)* $(,)?) => {{
        use utoipa_axum::PathItemExt as _;
        let methods = axum::routing::MethodRouter::<crate::app::App>::new();
        let methods = crate::http::endpoints::routes!(@on methods, $first);
        $(let methods = crate::http::endpoints::routes!(@on methods, $further);)*
        // Where `#[utoipa::path]` left it is known to the macro of `utoipa_axum` alone.
        let path = utoipa_axum::paste! { utoipa_axum::routes!(@path [path()] of $first) };
        crate::http::endpoints::Address::new(path, methods, || utoipa_axum::routes!($first $(, $further)*))
    }};
    (@on $methods:ident, $handler:path) => {{
        let filters = utoipa_axum::paste! { utoipa_axum::routes!(@path [methods()] of $handler) };
        filters.into_iter().fold($methods, |all, it| all.on(it.to_method_filter(), $handler))
    }};
}
pub(crate) use routes;
