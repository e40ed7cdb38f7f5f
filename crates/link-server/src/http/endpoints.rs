//! Endpoints: their routes and their OpenAPI documentation.
//!
//! Our own: `OpenApiRouter` of utoipa-axum generates the document at each start. The heap grew to 28 MB (ADR 113).
//!
//! Only `cargo xtask codegen` and the tests build the OpenAPI document. The released program does not even contain the
//! code: it is a tenth of the program and would be interleaved with the code that serves requests.

use std::convert::Infallible;

use axum::extract::Request;
use axum::response::IntoResponse;
use axum::routing::{MethodRouter, Route};
use link_domain::tenancy::audit::Act;
use tower::{Layer, Service};
use utoipa::openapi::HttpMethod;
#[cfg(feature = "document")]
use utoipa::openapi::OpenApi;
use utoipa_axum::router::UtoipaMethodRouter;

use crate::app::App;

/// The endpoints of one or more resources.
#[derive(Default)]
pub struct Endpoints(Vec<Address>);

/// One path with all its methods.
pub struct Address {
    path: String,
    methods: MethodRouter<App>,
    acts: Vec<(&'static str, Act)>,
    #[cfg_attr(not(feature = "document"), expect(dead_code, reason = "only the document reads it"))]
    documented: Documented,
}

/// Builds the documentation of a path. `None` if the document leaves it out, or without the feature `document`.
pub type Documented = Option<fn() -> UtoipaMethodRouter<App>>;

impl Address {
    /// Creates a documented path. Called by `routes!`.
    pub fn new(
        path: String,
        methods: MethodRouter<App>,
        acts: Vec<(&'static str, Act)>,
        documented: Documented,
    ) -> Self {
        Self { path, methods, acts, documented }
    }
}

impl Endpoints {
    /// Creates an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a documented path.
    #[must_use]
    pub fn routes(mut self, address: Address) -> Self {
        self.0.push(address);
        self
    }

    /// Returns what the requests to each method and path are for the audit log.
    pub fn acts(&self) -> impl Iterator<Item = (&'static str, &str, Act)> {
        self.0.iter().flat_map(|it| it.acts.iter().map(|(method, act)| (*method, it.path.as_str(), *act)))
    }

    /// Adds a path that the OpenAPI document leaves out. Its requests must only read.
    #[must_use]
    pub fn route(self, path: &str, methods: MethodRouter<App>) -> Self {
        self.routes(Address { path: path.to_owned(), methods, acts: Vec::new(), documented: None })
    }

    /// Adds all endpoints of another set.
    #[must_use]
    pub fn merge(mut self, others: Self) -> Self {
        self.0.extend(others.0);
        self
    }

    /// Wraps each endpoint in a layer.
    #[must_use]
    pub fn layer<L>(self, layer: L) -> Self
    where
        L: Layer<Route> + Clone + Send + Sync + 'static,
        L::Service: Service<Request> + Clone + Send + Sync + 'static,
        <L::Service as Service<Request>>::Response: IntoResponse + 'static,
        <L::Service as Service<Request>>::Error: Into<Infallible> + 'static,
        <L::Service as Service<Request>>::Future: Send + 'static,
    {
        let wrapped = |it: Address| Address { methods: it.methods.layer(layer.clone()), ..it };
        Self(self.0.into_iter().map(wrapped).collect())
    }

    /// Builds the axum router of the endpoints below a path prefix.
    ///
    /// `Router::nest` would wrap each endpoint in layers that rewrite the address of each request.
    pub fn router(self, prefix: &str) -> axum::Router<App> {
        let add = |router: axum::Router<App>, it: Address| {
            router.route(&format!("{prefix}{}", it.path), it.methods)
        };
        self.0.into_iter().fold(axum::Router::new(), add)
    }

    /// Adds the operations to an OpenAPI document.
    #[cfg(feature = "document")]
    pub fn document(self, document: OpenApi) -> OpenApi {
        use utoipa_axum::router::OpenApiRouter;

        let documented = self.0.into_iter().filter_map(|it| it.documented);
        let routers = documented.fold(OpenApiRouter::with_openapi(document), |all, it| all.routes(it()));
        routers.into_openapi()
    }
}

/// Returns the name of a method.
pub fn method_name(method: &HttpMethod) -> &'static str {
    match method {
        HttpMethod::Get => "GET",
        HttpMethod::Post => "POST",
        HttpMethod::Put => "PUT",
        HttpMethod::Delete => "DELETE",
        HttpMethod::Options => "OPTIONS",
        HttpMethod::Head => "HEAD",
        HttpMethod::Patch => "PATCH",
        HttpMethod::Trace => "TRACE",
    }
}

/// Builds the [`Address`] of handlers that share one path. Each handler is documented by its `#[utoipa::path]`, and
/// declares what its requests are for the audit log: an action, `read`, or `person` for acts of a person at the widget.
macro_rules! routes {
    ($first:path => $act:ident $(, $further:path => $more:ident)* $(,)?) => {{
        use utoipa_axum::PathItemExt as _;
        let mut methods = axum::routing::MethodRouter::<crate::app::App>::new();
        let mut acts = Vec::new();
        crate::http::endpoints::routes!(@on methods, acts, $first, $act);
        $(crate::http::endpoints::routes!(@on methods, acts, $further, $more);)*
        // Only the macro of `utoipa_axum` knows where `#[utoipa::path]` put the path.
        let path = utoipa_axum::paste! { utoipa_axum::routes!(@path [path()] of $first) };
        #[cfg(feature = "document")]
        let documented: crate::http::endpoints::Documented = Some(|| utoipa_axum::routes!($first $(, $further)*));
        #[cfg(not(feature = "document"))]
        let documented: crate::http::endpoints::Documented = None;
        crate::http::endpoints::Address::new(path, methods, acts, documented)
    }};
    (@on $methods:ident, $acts:ident, $handler:path, $act:ident) => {
        for method in utoipa_axum::paste! { utoipa_axum::routes!(@path [methods()] of $handler) } {
            $acts.push((crate::http::endpoints::method_name(&method), crate::http::endpoints::routes!(@act $act)));
            $methods = $methods.on(method.to_method_filter(), crate::http::endpoints::routes!(@handler $handler, $act));
        }
    };
    (@act read) => { link_domain::tenancy::audit::Act::Read };
    (@act person) => { link_domain::tenancy::audit::PERSON };
    (@act $action:ident) => {
        link_domain::tenancy::audit::Act::Audited(link_types::audit::AuditAction::$action)
    };
    (@handler $handler:path, read) => { $handler };
    (@handler $handler:path, person) => { $handler };
    (@handler $handler:path, $action:ident) => {
        crate::http::audit::Audited::new($handler, link_types::audit::AuditAction::$action)
    };
}
pub(crate) use routes;
