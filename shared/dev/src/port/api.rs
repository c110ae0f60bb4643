//! The page's own interface.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use instep_model::Key;
use serde::Deserialize;
use serde_json::{Value, json};

use super::queries::{ListPart, QueryResult, state};
use super::{CurrentPort, Port, commands, stream, trial};
use crate::form;

type Shared = State<Arc<Port>>;
type Part = Query<ListPart>;

#[derive(Debug, Deserialize)]
struct Of {
    pk: String,
    sk: String,
}

#[derive(Debug, Deserialize)]
struct Named {
    name: String,
}

pub(super) fn routes() -> Router<CurrentPort> {
    Router::new()
        .route("/stream", get(stream::open))
        .route("/state", get(|State(port): Shared| async move { Json(state(&port)) }))
        .route("/model", get(|State(port): Shared| async move { Json(form::model(port.model(), &port.run)) }))
        .route("/types", get(|State(port): Shared, Query(part): Part| async move { answer(port.types(&part).await) }))
        .route("/items", get(|State(port): Shared, Query(part): Part| async move { answer(port.items(&part).await) }))
        .route("/item", get(item))
        .route("/groups", get(|State(port): Shared, Query(part): Part| async move { Json(port.groups(&part)) }))
        .route("/group", get(|State(port): Shared, Query(part): Part| async move { answer(port.members(&part)) }))
        .route("/users", get(|State(port): Shared, Query(part): Part| async move { Json(port.users(&part)) }))
        .route(
            "/user",
            get(|State(port): Shared, Query(of): Query<Named>| async move { answer(port.user(&of.name).await) }),
        )
        .route("/guards", get(|State(port): Shared, Query(part): Part| async move { answer(port.guards(&part).await) }))
        .route("/events", get(|State(port): Shared, Query(part): Part| async move { Json(port.events(&part)) }))
        .route("/event", get(|State(port): Shared, Query(part): Part| async move { answer(port.event(&part.name)) }))
        .route("/traces", get(|State(port): Shared, Query(part): Part| async move { Json(port.traces(&part)) }))
        .route("/traces/{id}", get(|State(port): Shared, Path(id): Path<u64>| async move { answer(port.trace(id)) }))
        .route("/traces/{id}/children", get(children))
        .route(
            "/traces/{id}/write",
            get(|State(port): Shared, Path(id): Path<u64>| async move { answer(port.shown_write(id)) }),
        )
        .route(
            "/traces/{id}/capture",
            get(|State(port): Shared, Path(id): Path<u64>| async move { answer(port.capture(id)) }),
        )
        .route(
            "/traces/{id}/removed",
            get(|State(port): Shared, Path(id): Path<u64>| async move { answer(port.removed(id)) }),
        )
        .route(
            "/traces/{id}/undo",
            post(|State(port): Shared, Path(id): Path<u64>| async move { answer(port.undo(id).await) }),
        )
        .route("/try", post(try_delete))
        .route("/write", post(write))
        .route("/sign-up", post(sign_up))
        .route("/do", post(act))
}

pub(super) async fn not_found() -> Response {
    answer(Err("there is no such request of the page".to_owned()))
}

async fn item(State(port): Shared, Query(of): Query<Of>) -> Response {
    answer(port.item(&Key { pk: of.pk, sk: of.sk }).await)
}

async fn children(State(port): Shared, Path(id): Path<u64>, Query(part): Part) -> Json<Value> {
    Json(port.children(id, &part))
}

async fn write(State(port): Shared, Json(asked): Json<commands::RequestedWrite>) -> Response {
    answer(commands::write(&port, asked).await)
}

/// What a deletion of this item would do.
async fn try_delete(State(port): Shared, Json(of): Json<Of>) -> Response {
    answer(trial::deletion(port, Key { pk: of.pk, sk: of.sk }).await)
}

async fn sign_up(State(port): Shared, Json(asked): Json<commands::SignsUp>) -> Response {
    answer(commands::sign_up(&port, asked).await)
}

async fn act(State(port): Shared, Json(asked): Json<commands::ControlCommand>) -> Response {
    answer(commands::act(&port, asked))
}

fn answer(seen: QueryResult) -> Response {
    match seen {
        Ok(value) => Json(value).into_response(),
        Err(why) => (StatusCode::BAD_REQUEST, Json(json!({ "error": why }))).into_response(),
    }
}
