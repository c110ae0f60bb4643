//! Routes, and what a request to one asks.

use std::collections::BTreeMap;

use instep_answers::NamedItem;
use instep_answers::{AskedPlace, WantedAccess};
use instep_model::{Model, Names, TypeId};

use crate::pattern::{ANY, PathParameter, RoutePattern};

/// The routes of an API.
#[derive(Debug, Clone, Default)]
pub struct Routes(pub(crate) BTreeMap<String, Route>);

/// A route: what a request to it needs, and where.
#[derive(Debug, Clone)]
pub struct Route {
    pub(crate) pattern: RoutePattern,
    /// One of these suffices.
    pub(crate) wanted: Vec<WantedAccess>,
    /// The type of the item. `None`: in no scope in particular.
    pub(crate) at: Option<TypeId>,
    /// The parameters that name the item, or what it is in.
    pub(crate) of_place: Vec<String>,
    /// The parameters that say nothing about the place.
    pub(crate) ignored: Vec<String>,
}

/// What a request asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteAsked {
    /// The names that the path gives. Items have to prove them.
    pub names: Names,
    /// Those of them that name the item where something is to be done, or what it is in.
    pub of_place: Names,
}

impl Routes {
    /// The route with this method and path, as API Gateway names it: `/projects/{project_id}`. `None` if it is not listed.
    #[must_use]
    pub fn find(&self, method: &str, path: &str) -> Option<&Route> {
        let of = |method: &str| self.0.get(&format!("{method} {path}"));
        // INVARIANT 2: many applications answer HEAD as they answer GET.
        of(method).or_else(|| of("GET").filter(|_| method == "HEAD")).or_else(|| of(ANY))
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The routes with what each needs, for people.
    pub fn described(&self, model: &Model) -> impl Iterator<Item = (String, String)> {
        self.0.values().map(|route| (route.pattern.text(), route.needs(model)))
    }
}

impl Route {
    fn needs(&self, model: &Model) -> String {
        let word = |wanted: &WantedAccess| match wanted {
            WantedAccess::Access => "any grant".to_owned(),
            WantedAccess::Role(role) => format!("role {role}"),
            WantedAccess::Permission(permission) => permission.clone(),
        };
        let wanted = self.wanted.iter().map(word).collect::<Vec<_>>().join(" or ");
        match self.at {
            Some(of) => format!("{wanted} at the {} {}", model.item(of).name, self.of_place.join(", ")),
            None => format!("{wanted} everywhere"),
        }
    }

    /// What a request asks whose path has these parameters, decoded once. `None` if one is missing, or has a value that an
    /// application could read in another way.
    #[must_use]
    pub fn asked<N: AsRef<str>, T: AsRef<str>>(&self, parameters: &[(N, T)]) -> Option<RouteAsked> {
        let mut names = Names::new();
        for parameter in &self.pattern.parameters {
            let mut given = parameters.iter().filter(|(name, _)| name.as_ref() == parameter.name);
            let (Some((_, text)), None) = (given.next(), given.next()) else { return None };
            let text = value(parameter, text.as_ref())?;
            if !self.ignored.contains(&parameter.name) {
                names.insert(parameter.name.clone(), text);
            }
        }
        let of_place = names.iter().filter(|(name, _)| self.of_place.contains(name));
        let of_place = of_place.map(|(name, text)| (name.clone(), text.clone())).collect();
        Some(RouteAsked { names, of_place })
    }

    /// What it needs: one of these suffices.
    #[must_use]
    pub fn wanted(&self) -> &[WantedAccess] {
        &self.wanted
    }

    /// Where something is to be done.
    #[must_use]
    pub fn place(&self, model: &Model, asked: &RouteAsked) -> Option<AskedPlace> {
        let Some(of) = self.at else { return Some(AskedPlace::Nowhere) };
        let names = asked.of_place.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        NamedItem::new(model, &model.item(of).name, names).map(AskedPlace::Item)
    }
}

/// The value of a parameter. INVARIANT 2: nothing that the application behind the API could read as another value.
fn value(parameter: &PathParameter, text: &str) -> Option<String> {
    // Some servers take what follows a `;` for a parameter of the segment, and `\` for `/`.
    let is_odd = |segment: &str| matches!(segment.split(';').next(), Some("." | ".."));
    if text.is_empty()
        || text.contains('\\')
        || is_encoded(text)
        || text.chars().any(char::is_control)
        || text.split('/').any(is_odd)
    {
        return None;
    }
    if !parameter.is_rest {
        return Some(text.to_owned());
    }
    // The rest of a path has no empty parts: a `/` too many is no other item.
    (!text.split('/').any(str::is_empty)).then(|| format!("/{text}"))
}

/// Whether a text has something percent-encoded.
fn is_encoded(text: &str) -> bool {
    let is_hex = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_hexdigit);
    let bytes = text.as_bytes();
    let mut places = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'%').map(|(place, _)| place);
    places.any(|place| is_hex(bytes.get(place + 1)) && is_hex(bytes.get(place + 2)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_value_that_has_one_reading_names_anything() {
        let of = |is_rest: bool| PathParameter { name: "a".to_owned(), is_rest };
        let plain = |text: &str| value(&of(false), text);
        let rest = |text: &str| value(&of(true), text);
        assert_eq!(plain("usa/west").as_deref(), Some("usa/west"), "the items say that there is no such one");
        assert_eq!(plain("100%").as_deref(), Some("100%"));
        assert_eq!(rest("usa/west").as_deref(), Some("/usa/west"));
        for odd in ["", "%2F", "a%2fb", "%252F", "..", "a/../b", "./a", "..;/a", "a/..;x", r"..\a", "a\u{0}", "a\nb"] {
            assert_eq!((plain(odd), rest(odd)), (None, None), "{odd:?}");
        }
        for odd in ["/usa", "usa/", "usa//west"] {
            assert_eq!(rest(odd), None, "{odd:?}");
        }
    }

    /// Promise 2: an application that answers HEAD as GET asks as much for both.
    #[test]
    fn head_needs_what_get_needs() {
        let model = Model::shipped("access-management").unwrap();
        let text = "[\"GET /groups\"]\nrole = \"admin\"\nat = \"Group\"\n[\"ANY /groups\"]\nrole = \"reader\"\nat = \"Group\"\n";
        let text = text.replace("/groups", "/groups/{groupId+}");
        let routes = Routes::parse(&model, "routes.toml", &text).unwrap();
        let wanted = |method: &str| match routes.find(method, "/groups/{groupId+}").unwrap().wanted() {
            [WantedAccess::Role(role)] => role.clone(),
            other => panic!("{other:?}"),
        };
        assert_eq!(["GET", "HEAD", "PUT"].map(wanted), ["admin", "admin", "reader"]);
    }
}
