//! Stops a handler at a call. So a test can write, or end the handler, in a window that is
//! otherwise milliseconds long.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use instep_aws::{Clients, Instep, QueueMessage, Sending};
use instep_local::{PumpOptions, QueueHandler, QueuePumpOptions, ReadFrom};
use serde_json::value::RawValue;
use tokio::sync::oneshot;

use crate::world::{World, run};

/// Any operation.
pub const ANY: &str = "";

/// Stops the first call of an operation until the test releases it, then the first call of the next
/// operation.
#[derive(Debug)]
struct Gate(Mutex<VecDeque<Hold>>);

/// The operation, the channel that reports that the call was reached, and the channel that releases
/// it.
type Hold = (String, oneshot::Sender<()>, oneshot::Receiver<()>);

#[derive(Debug, Clone)]
struct GatedClient(SharedHttpClient, Arc<Gate>);

#[derive(Debug, Clone)]
struct GatedConnector(SharedHttpConnector, Arc<Gate>);

impl HttpClient for GatedClient {
    fn http_connector(&self, settings: &HttpConnectorSettings, components: &RuntimeComponents) -> SharedHttpConnector {
        SharedHttpConnector::new(GatedConnector(self.0.http_connector(settings, components), Arc::clone(&self.1)))
    }
}

impl HttpConnector for GatedConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let Self(inner, gate) = self.clone();
        HttpConnectorFuture::new(async move {
            let target = request.headers().get("x-amz-target").unwrap_or_default().to_owned();
            let is_next = |hold: &mut Hold| hold.0 == ANY || target.ends_with(&format!(".{}", hold.0));
            let hold = gate.0.lock().unwrap().pop_front_if(is_next);
            if let Some((_, reached, go)) = hold {
                reached.send(()).unwrap();
                go.await.unwrap();
            }
            inner.call(request).await
        })
    }
}

/// A call at which a handler stops.
pub struct Stop {
    reached: oneshot::Receiver<()>,
    go: oneshot::Sender<()>,
}

impl Stop {
    /// Waits until the handler reaches the call, runs `meanwhile`, and releases the call.
    pub async fn then(self, meanwhile: impl Future<Output = ()>) {
        assert!(self.reached.await.is_ok(), "the handler ended before the call");
        meanwhile.await;
        self.go.send(()).unwrap();
    }

    /// Waits until the handler reaches the call. Never returns if it does not.
    pub async fn reached(self) {
        if self.reached.await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// Ends the handler at the call, as a crash would.
    pub async fn crash<T>(self, work: impl Future<Output = T>) {
        tokio::select! {
            biased;
            _ = work => panic!("the handler ended before the call"),
            reached = self.reached => reached.unwrap(),
        }
    }
}

/// A handler that stops before its first call of each of these operations, one after another.
pub fn gated<const N: usize>(world: &World, operations: [&str; N]) -> (Instep, [Stop; N]) {
    let (handler, stops) = stopping(world, &operations);
    (handler, stops.try_into().ok().unwrap())
}

/// The same for any number of operations.
pub fn stopping(world: &World, operations: &[&str]) -> (Instep, Vec<Stop>) {
    let mut holds = VecDeque::new();
    let stop = |operation: &&str| {
        let ((is_there, reached), (go, let_go)) = (oneshot::channel(), oneshot::channel());
        holds.push_back(((*operation).to_owned(), is_there, let_go));
        Stop { reached, go }
    };
    let stops = operations.iter().map(stop).collect();
    let config = world.stack.sdk_config();
    let gate = Arc::new(Gate(Mutex::new(holds)));
    let client = SharedHttpClient::new(GatedClient(config.http_client().unwrap(), gate));
    let config = config.to_builder().http_client(client).build();
    (world.handler(Clients::new(&config)), stops)
}

/// Takes the records that the stream has not delivered yet.
pub async fn take_records(world: &World) -> Vec<Box<RawValue>> {
    let mut pump = world.stack.pump(PumpOptions::default()).unwrap();
    let records = pump.read_all(ReadFrom::Checkpoint).unwrap();
    pump.skip_to_end().unwrap();
    records
}

struct Taken(Vec<QueueMessage>);

impl QueueHandler for Taken {
    async fn handle(&mut self, messages: &[QueueMessage]) -> Result<Vec<String>, String> {
        let copies = messages.iter().map(|message| delivered(message, message.receives));
        self.0.extend(copies);
        Ok(Vec::new())
    }
}

fn delivered(message: &QueueMessage, receives: u32) -> QueueMessage {
    QueueMessage { id: message.id.clone(), body: message.body.clone(), receives }
}

/// Takes the messages that the work queue has not delivered yet.
pub async fn take_work(world: &World) -> Vec<QueueMessage> {
    let mut taken = Taken(Vec::new());
    let mut pump = world.stack.queue_pump(world.stack.work_queue(), QueuePumpOptions::default()).unwrap();
    pump.drain(&mut taken).await.unwrap();
    taken.0
}

/// The messages of a replay of captured records.
pub async fn replayed(world: &World, records: &[Box<RawValue>]) -> Vec<QueueMessage> {
    world.instep.send_records(records, Sending::REPLAY, &run()).await.unwrap();
    take_work(world).await
}

/// The same messages, as a second delivery.
pub fn once_more(messages: &[QueueMessage]) -> Vec<QueueMessage> {
    messages.iter().map(|message| delivered(message, message.receives + 1)).collect()
}
