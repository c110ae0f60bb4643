//! Who may call: programs of this machine, and the page itself. No web page of another site, whatever address it
//! has made a browser believe.

use axum::Json;
use axum::extract::{Request, State};
use axum::http::header::{HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

/// What browsers send about the site that a request comes from.
const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
const DESTINATION: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// What every response says: nothing of another host is loaded, nothing is embedded elsewhere, and text is never
/// markup.
const ALWAYS: [(&str, &str); 7] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cache-control", "no-store"),
];

/// Lets a request through, or refuses it.
pub(super) async fn check(State(number): State<u16>, request: Request, next: Next) -> Response {
    let mut response = match refusal(request.method(), request.headers(), request.uri().path(), number) {
        None => next.run(request).await,
        Some(why) => {
            // AWS's clients show the message of an error in this form.
            let body = Json(serde_json::json!({"__type": "AccessDeniedException", "message": why, "error": why}));
            (StatusCode::FORBIDDEN, body).into_response()
        }
    };
    for (name, value) in ALWAYS {
        response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

/// Why a request is refused. `None` if it is not.
fn refusal(method: &Method, headers: &HeaderMap, path: &str, number: u16) -> Option<String> {
    let text = |name: &HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let hosts = [format!("127.0.0.1:{number}"), format!("localhost:{number}"), format!("[::1]:{number}")];
    // DNS rebinding: a name of another site that leads to this machine.
    let host = text(&HOST).unwrap_or_default();
    if !hosts.iter().any(|own| own.eq_ignore_ascii_case(host)) {
        return Some(format!("`instep dev` answers to {} only, not to the host of this request", hosts.join(", ")));
    }
    let is_own = |origin: &str| hosts.iter().any(|own| origin.eq_ignore_ascii_case(&format!("http://{own}")));
    if text(&ORIGIN).is_some_and(|origin| !is_own(origin)) {
        return Some("a web page of another site must not use `instep dev`".to_owned());
    }
    match text(&SITE) {
        None | Some("same-origin" | "none") => None,
        // Following a link to the page is no harm.
        Some(_)
            if *method == Method::GET
                && path == "/"
                && text(&MODE) == Some("navigate")
                && text(&DESTINATION) == Some("document") =>
        {
            None
        }
        Some(_) => Some("a web page of another site must not use `instep dev`".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(method: &Method, path: &str, headers: &[(&str, &str)]) -> bool {
        let headers: HeaderMap = headers
            .iter()
            .map(|(name, value)| (HeaderName::try_from(*name).unwrap(), HeaderValue::try_from(*value).unwrap()))
            .collect();
        refusal(method, &headers, path, 4747).is_some()
    }

    #[test]
    fn only_this_machine_and_the_page_may_call() {
        let (get, post) = (Method::GET, Method::POST);
        for host in ["127.0.0.1:4747", "localhost:4747", "LOCALHOST:4747", "[::1]:4747"] {
            assert!(!refused(&post, "/", &[("host", host)]), "{host}");
        }
        for host in
            ["evil.example", "evil.example:4747", "127.0.0.1", "127.0.0.1:80", "localhost.evil.example:4747", ""]
        {
            assert!(refused(&get, "/", &[("host", host)]), "{host}");
        }
        assert!(refused(&get, "/", &[]));
        let host = ("host", "127.0.0.1:4747");
        assert!(!refused(&post, "/api/items", &[host, ("origin", "http://127.0.0.1:4747")]));
        for origin in
            ["https://evil.example", "http://127.0.0.1:3000", "http://localhost", "null", "https://127.0.0.1:4747"]
        {
            assert!(refused(&post, "/", &[host, ("origin", origin)]), "{origin}");
            assert!(refused(&Method::OPTIONS, "/", &[host, ("origin", origin)]), "{origin}");
        }
        for site in ["cross-site", "same-site"] {
            assert!(refused(&get, "/api/stream", &[host, ("sec-fetch-site", site)]), "{site}");
            assert!(refused(&get, "/", &[host, ("sec-fetch-site", site), ("sec-fetch-mode", "no-cors")]), "{site}");
            let link = [host, ("sec-fetch-site", site), ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")];
            assert!(!refused(&get, "/", &link), "{site}");
            assert!(refused(&post, "/", &link), "{site}");
            let frame = [host, ("sec-fetch-site", site), ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "iframe")];
            assert!(refused(&get, "/", &frame), "{site}");
        }
    }
}
