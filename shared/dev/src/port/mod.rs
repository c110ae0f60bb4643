//! The port: the page, its interface, and AWS's own protocols, on loopback only.

mod api;
mod aws;
mod commands;
mod guard;
mod history;
mod page;
mod queries;
mod stream;
mod trial;

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, PoisonError, RwLock};

use aws_sdk_dynamodb::Client;
use axum::extract::{DefaultBodyLimit, FromRef, State};
use axum::routing::get;
use axum::{Json, Router};
use instep_aws::{Clients, Instep};
use instep_console::model_source::ModelSource;
use instep_local::{Front, Stack};
use instep_model::Model;
use miette::miette;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::forwarding::Forwarding;
use super::http_tap::{Caller, watched};
use super::index::{KeyIndex, TableReader};
use super::origins::Who;
use super::shared_state::Hub;

/// The maximum bytes of a request. Source: DynamoDB takes 16 MB.
const BODY_BYTES_MAX: usize = 16 * 1024 * 1024;

/// Where the commands of `instep` ask for what they would need options for otherwise.
const WHEREABOUTS: &str = "/.instep";

/// What the handlers of requests share.
pub(super) struct Port {
    pub(super) hub: Arc<Hub>,
    /// The id of the process and of its model when this port was made.
    pub(super) run: String,
    pub(super) front: Front,
    /// For what the page asks: its calls are neither shown nor made to fail.
    pub(super) instep: Instep,
    pub(super) reader: TableReader,
    /// Writes as the page.
    pub(super) writer: Client,
    pub(super) index: tokio::sync::Mutex<KeyIndex>,
    /// Where it listens.
    pub(super) number: u16,
    pub(super) user_pool: String,
    pub(super) bus: String,
    pub(super) work_queue: String,
    /// The model: a shipped one, or a file.
    pub(super) source: ModelSource,
    /// Where events are sent, if they are.
    pub(super) forwarding: Option<Forwarding>,
}

impl Port {
    /// A port with this model.
    pub(super) fn new(hub: &Arc<Hub>, stack: &Stack, model: Arc<Model>, number: u16, source: ModelSource) -> Self {
        let own = stack.uncounted_config();
        Self {
            hub: Arc::clone(hub),
            run: hub.run(),
            front: stack.front(),
            instep: Instep::new(Arc::clone(&model), Clients::new(&own), stack.settings()),
            reader: TableReader { client: Client::new(&own), table: hub.table.clone(), model },
            writer: Client::new(&watched(own, hub, Caller::Other(Who::Page))),
            index: tokio::sync::Mutex::new(KeyIndex::default()),
            number,
            user_pool: stack.user_pool().to_owned(),
            bus: stack.bus().to_owned(),
            work_queue: stack.work_queue().to_owned(),
            source,
            forwarding: None,
        }
    }

    /// The model that runs.
    pub(super) fn model(&self) -> &Model {
        self.instep.model()
    }
}

/// Awaits what the compiler cannot show to be able to move between threads.
async fn on_one_thread<T: Send + 'static, F: Future<Output = T>>(
    of: impl FnOnce() -> F + Send + 'static,
) -> Result<T, String> {
    let runtime = tokio::runtime::Handle::current();
    let done = tokio::task::spawn_blocking(move || runtime.block_on(of()));
    done.await.map_err(|error| error.to_string())
}

/// The port as it is now. With another model there is another one; a request ends with the one that it began with.
#[derive(Clone)]
pub(super) struct CurrentPort(Arc<RwLock<Arc<Port>>>);

impl CurrentPort {
    pub(super) fn new(port: Port) -> Self {
        Self(Arc::new(RwLock::new(Arc::new(port))))
    }

    /// The port as it is now.
    pub(super) fn get(&self) -> Arc<Port> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Another port answers from now on.
    pub(super) fn set(&self, port: Port) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(port);
    }
}

impl FromRef<CurrentPort> for Arc<Port> {
    fn from_ref(current: &CurrentPort) -> Self {
        current.get()
    }
}

/// Sockets of one port.
pub(super) struct Sockets {
    listeners: Vec<TcpListener>,
    pub(super) number: u16,
}

impl Sockets {
    /// Listens on the loopback interface: on 127.0.0.1, and on ::1 if there is one, because `localhost` can be either.
    pub(super) async fn open(number: u16) -> miette::Result<Self> {
        let in_use = |error: std::io::Error| {
            if error.kind() != std::io::ErrorKind::AddrInUse {
                return miette!("cannot listen on port {number}: {error}");
            }
            let help =
                "is another `instep dev` running? choose another port with `--port`, or any free one with `--port 0`";
            miette!(help = help, "port {number} is in use")
        };
        let first = TcpListener::bind((Ipv4Addr::LOCALHOST, number)).await.map_err(in_use)?;
        let number = first.local_addr().map_err(in_use)?.port();
        let mut listeners = vec![first];
        match TcpListener::bind(SocketAddr::from((Ipv6Addr::LOCALHOST, number))).await {
            Ok(second) => listeners.push(second),
            Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => return Err(in_use(error)),
            Err(error) => tracing::debug!("no IPv6 loopback: {error}"),
        }
        Ok(Self { listeners, number })
    }

    /// Serves until the hub stops.
    pub(super) fn serve(self, current: &CurrentPort) -> Vec<JoinHandle<()>> {
        let router = router(current, self.number);
        let hub = Arc::clone(&current.get().hub);
        let serve = |listener: TcpListener| {
            let mut stop = hub.stop.subscribe();
            let stopped = async move {
                // An error means that the hub is gone.
                let _ = stop.wait_for(|stop| *stop).await;
            };
            let served = axum::serve(listener, router.clone()).with_graceful_shutdown(stopped);
            tokio::spawn(async move {
                if let Err(error) = served.await {
                    tracing::error!("the port has failed: {error}");
                }
            })
        };
        self.listeners.into_iter().map(serve).collect()
    }
}

/// The resources, and the model.
fn whereabouts(port: &Port) -> Value {
    let model = match &port.source {
        ModelSource::Shipped(name) => name.clone(),
        // A command may be run in another folder.
        ModelSource::File(path) => std::path::absolute(path).unwrap_or_else(|_| path.clone()).display().to_string(),
    };
    json!({
        "model": model, "table": port.hub.table, "userPool": port.user_pool, "bus": port.bus, "workQueue": port.work_queue,
    })
}

fn router(current: &CurrentPort, number: u16) -> Router {
    Router::new()
        .merge(page::routes())
        .route(WHEREABOUTS, get(|State(port): State<Arc<Port>>| async move { Json(whereabouts(&port)) }))
        .nest("/api", api::routes().fallback(api::not_found))
        .fallback(aws::answer)
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .layer(axum::middleware::from_fn_with_state(number, guard::check))
        .with_state(current.clone())
}
