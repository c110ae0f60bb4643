//! The name of a route: a method and a path with parameters, as API Gateway writes it.

/// The methods, as API Gateway names them.
pub(crate) const METHODS: [&str; 8] = ["ANY", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];

/// The method that stands for all others.
pub(crate) const ANY: &str = "ANY";

/// A parameter of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PathParameter {
    pub(crate) name: String,
    /// `{name+}`: the rest of the path.
    pub(crate) is_rest: bool,
}

/// A method and a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RoutePattern {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) parameters: Vec<PathParameter>,
}

impl RoutePattern {
    /// Reads a route's name.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let Some((method, path)) = text.split_once(' ') else {
            return Err(format!("`{text}` is not a method and a path"));
        };
        if !METHODS.contains(&method) {
            return Err(format!("`{method}` is no method of API Gateway"));
        }
        let Some(segments) = path.strip_prefix('/') else {
            return Err(format!("the path `{path}` begins with no `/`"));
        };
        let mut parameters: Vec<PathParameter> = Vec::new();
        // The path `/` alone has no segments.
        for segment in segments.split('/').filter(|_| !segments.is_empty()) {
            if parameters.last().is_some_and(|last| last.is_rest) {
                return Err(format!("something follows the rest of the path in `{path}`"));
            }
            let Some(parameter) = segment.strip_prefix('{').and_then(|segment| segment.strip_suffix('}')) else {
                if segment.is_empty() || !segment.chars().all(is_plain) {
                    return Err(format!("`{segment}` in `{path}` is neither a plain word nor one parameter"));
                }
                continue;
            };
            let (name, is_rest) = parameter.strip_suffix('+').map_or((parameter, false), |name| (name, true));
            if name.is_empty() || !name.chars().all(is_plain) {
                return Err(format!("`{{{parameter}}}` in `{path}` has no name that API Gateway takes"));
            }
            if parameters.iter().any(|other| other.name == name) {
                return Err(format!("`{path}` has the parameter `{name}` twice"));
            }
            parameters.push(PathParameter { name: name.to_owned(), is_rest });
        }
        Ok(Self { method: method.to_owned(), path: path.to_owned(), parameters })
    }

    /// As the file has it.
    pub(crate) fn text(&self) -> String {
        format!("{} {}", self.method, self.path)
    }
}

/// What a segment and a parameter's name may have.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | ':' | '~' | '$' | '@')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_is_a_method_and_a_path() {
        let parse = |text: &str| RoutePattern::parse(text);
        let found = parse("GET /clients/{client_id}/files/{path+}").unwrap();
        let names: Vec<(&str, bool)> = found.parameters.iter().map(|of| (of.name.as_str(), of.is_rest)).collect();
        assert_eq!(names, [("client_id", false), ("path", true)]);
        assert_eq!(found.text(), "GET /clients/{client_id}/files/{path+}");
        assert!(parse("ANY /").unwrap().parameters.is_empty());
        let wrong = [
            "$default",
            "get /a",
            "GET  /a",
            "GET a",
            "GET /a/",
            "GET //a",
            "GET /{a+}/b",
            "GET /{a}/{a}",
            "GET /x{a}",
            "GET /{}",
            "GET /{+}",
            "GET /a b",
            "GET /{a}{b}",
        ];
        for text in wrong {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
