//! Server-sent events: what has changed. The page then reads what it shows.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::Stream;
use futures_util::stream::unfold;

use super::CurrentPort;
use super::queries::state;

/// The shortest time between two of them: what happens in between is one.
const BETWEEN: Duration = Duration::from_millis(100);

/// How often a quiet stream is used, so that a closed connection is noticed.
const KEEP_ALIVE: Duration = Duration::from_secs(10);

pub(super) async fn open(State(current): State<CurrentPort>) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let port = current.get();
    let (mut versions, stop) = (port.hub.versions(), port.hub.stop.subscribe());
    versions.mark_changed();
    let events = unfold((current, versions, stop), |(current, mut versions, mut stop)| async move {
        tokio::select! {
            changed = versions.changed() => changed.ok()?,
            // The port closes only when no connection is left.
            _ = stop.wait_for(|stop| *stop) => return None,
        }
        let seen = *versions.borrow_and_update();
        let data = serde_json::json!({"versions": seen, "state": state(&current.get())});
        let event = Event::default().event("changed").data(data.to_string());
        tokio::time::sleep(BETWEEN).await;
        Some((Ok(event), (current, versions, stop)))
    });
    Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE))
}
