//! The page itself. Everything that it uses is in the binary.

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;

use super::{CurrentPort, aws};

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The files of the page: path, type, content.
const FILES: [(&str, &str, &str); 19] = [
    ("/", "text/html; charset=utf-8", include_str!("../page/index.html")),
    ("/style.css", "text/css; charset=utf-8", include_str!("../page/style.css")),
    ("/outline.css", "text/css; charset=utf-8", include_str!("../page/outline.css")),
    ("/icon.svg", "image/svg+xml", include_str!("../page/icon.svg")),
    ("/app.js", SCRIPT, include_str!("../page/app.js")),
    // Preact 11.2.0, as npm has it, under the MIT licence beside it.
    ("/preact.js", SCRIPT, include_str!("../page/preact.js")),
    ("/api.js", SCRIPT, include_str!("../page/api.js")),
    ("/dom.js", SCRIPT, include_str!("../page/dom.js")),
    ("/controls.js", SCRIPT, include_str!("../page/controls.js")),
    ("/lists.js", SCRIPT, include_str!("../page/lists.js")),
    ("/traces.js", SCRIPT, include_str!("../page/traces.js")),
    ("/outline.js", SCRIPT, include_str!("../page/outline.js")),
    ("/states.js", SCRIPT, include_str!("../page/states.js")),
    ("/details.js", SCRIPT, include_str!("../page/details.js")),
    ("/form.js", SCRIPT, include_str!("../page/form.js")),
    ("/place.js", SCRIPT, include_str!("../page/place.js")),
    ("/search.js", SCRIPT, include_str!("../page/search.js")),
    ("/copy.js", SCRIPT, include_str!("../page/copy.js")),
    ("/trace_tools.js", SCRIPT, include_str!("../page/trace_tools.js")),
];

pub(super) fn routes() -> Router<CurrentPort> {
    FILES.into_iter().fold(Router::new(), |router, (path, of, content)| {
        // Whatever is no request for a file of the page is one of AWS's protocols: they all use the path `/`.
        router.route(path, get(move || async move { file(of, content) }).fallback(aws::answer))
    })
}

fn file(of: &'static str, content: &'static str) -> impl IntoResponse {
    ([(CONTENT_TYPE, of)], content)
}
