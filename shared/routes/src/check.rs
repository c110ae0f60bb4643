//! Routes against a model: what could not come true is refused.

use std::collections::{BTreeMap, BTreeSet};

use instep_answers::{AskedPlace, NamedItem, Question, RefusedQuestion, WantedAccess, grants_of, scope_types};
use instep_model::{Model, Names, Scope, TypeId, suggestion};

use crate::errors::RouteMistakes;
use crate::file::{DraftRoute, PlacedText, listed};
use crate::places::with_above;
use crate::route::{Route, Routes};
use crate::subject::{SubjectRule, rules};

/// What is wrong with a question: the message and the help.
type Refusal = (String, String);

/// Checks routes against a model.
pub(crate) fn routes(model: &Model, drafts: Vec<DraftRoute>, mistakes: &mut RouteMistakes) -> Routes {
    let subjects = rules(model);
    if subjects.is_empty() && !drafts.is_empty() {
        let message = "the model does not say whom a token stands for: no subject of a grant has a Cognito user";
        let help = "give the subject's item type a `cognito.user`, or name people by `user = { sub = … }` or `{ name = … }` \
                    with names that are all in its key";
        mistakes.add(&(0..0), message, "these routes", help);
        return Routes::default();
    }
    let checking = Checking { model, subjects };
    let mut found = BTreeMap::new();
    for draft in drafts {
        if let Some(route) = checking.route(&draft, mistakes) {
            found.insert(route.pattern.text(), route);
        }
    }
    Routes(found)
}

struct Checking<'m> {
    model: &'m Model,
    subjects: Vec<SubjectRule<'m>>,
}

impl Checking<'_> {
    fn route(&self, draft: &DraftRoute, mistakes: &mut RouteMistakes) -> Option<Route> {
        let before = mistakes.0.len();
        let wanted = wanted(draft, mistakes)?;
        let at = self.place(draft, mistakes)?;
        let (of_place, ignored) = self.parameters(draft, at, mistakes);
        if mistakes.0.len() > before {
            return None;
        }
        self.questions(draft, &wanted, at, &of_place, mistakes);
        let wanted = wanted.into_iter().map(|(wanted, _)| wanted).collect();
        (mistakes.0.len() == before).then(|| Route { pattern: draft.pattern.clone(), wanted, at, of_place, ignored })
    }

    /// The item type that `at` names. The outer `None` is a mistake.
    fn place(&self, draft: &DraftRoute, mistakes: &mut RouteMistakes) -> Option<Option<TypeId>> {
        let model = self.model;
        let everywhere = self.subjects.iter().flat_map(|rule| grants_of(model, rule.subject()));
        let has_everywhere =
            everywhere.filter_map(|of| model.item(of).grant.as_ref()).any(|grant| matches!(grant.scope, Scope::Global));
        let mut scopes: Vec<&str> = self
            .subjects
            .iter()
            .flat_map(|rule| scope_types(model, rule.subject()))
            .map(|of| model.item(of).name.as_str())
            .collect();
        scopes.sort_unstable();
        scopes.dedup();
        let Some(at) = &draft.at else {
            if !has_everywhere {
                let help = format!("write `at` with one of {}", listed(&scopes));
                mistakes.add(&draft.span, "no grant counts everywhere, and the route says not where", "where?", help);
                return None;
            }
            return Some(None);
        };
        let Some(of) = model.type_named(at.get_ref()).filter(|of| model.item(*of).user_value.is_none()) else {
            let near = suggestion(at.get_ref(), &scopes).map(|near| format!("did you mean `{near}`? "));
            let help = format!("{}grants apply at {}", near.unwrap_or_default(), listed(&scopes));
            mistakes.add(&at.span(), format!("there is no item type `{}`", at.get_ref()), "unknown", help);
            return None;
        };
        if !has_everywhere && !scopes.contains(&model.item(of).name.as_str()) {
            let message = format!("no grant applies at a {}, or at anything that it is in", at.get_ref());
            let help = format!("grants apply at {}", listed(&scopes));
            mistakes.add(&at.span(), message, "no scope", help);
            return None;
        }
        Some(Some(of))
    }

    /// The parameters that name the place, and those that say nothing about it.
    fn parameters(
        &self,
        draft: &DraftRoute,
        at: Option<TypeId>,
        mistakes: &mut RouteMistakes,
    ) -> (Vec<String>, Vec<String>) {
        let model = self.model;
        let ignored: Vec<String> = draft.ignores.iter().map(|name| name.get_ref().clone()).collect();
        for name in &draft.ignores {
            if !draft.pattern.parameters.iter().any(|parameter| parameter.name == *name.get_ref()) {
                let message = format!("the path has no parameter `{}`", name.get_ref());
                mistakes.add(&name.span(), message, "no parameter", "remove it from `ignores`");
            }
        }
        let types = at.map(|of| with_above(model, of)).unwrap_or_default();
        let of_subject: BTreeSet<String> = self
            .subjects
            .iter()
            .filter(|rule| matches!(rule, SubjectRule::Valued { link: None, .. }))
            .flat_map(|rule| model.key_order(rule.subject()))
            .map(str::to_owned)
            .collect();
        let mut of_place = Vec::new();
        for parameter in &draft.pattern.parameters {
            let name = &parameter.name;
            let names_place = types.iter().any(|of| model.may_be_found_by(*of, name));
            match (names_place, ignored.contains(name)) {
                (true, false) => of_place.push(name.clone()),
                (false, true) => {}
                (false, false) if of_subject.contains(name) => {}
                (false, false) => {
                    let place = at.map_or("nothing", |of| model.item(of).name.as_str());
                    let message = format!("`{name}` is no name of a {place}, or of what that is in");
                    let help = format!(
                        "call the parameter as the model calls the name{}; or, if the application itself checks it, write \
                         `ignores = [\"{name}\"]`",
                        at.map(|of| format!(": {}", listed(&model.key_order(of)))).unwrap_or_default()
                    );
                    mistakes.add(&draft.span, message, "a parameter that proves nothing", help);
                }
                (true, true) => {
                    let message = format!("`{name}` says where, and must not be ignored");
                    let of_name = |own: &&PlacedText| own.get_ref() == name;
                    let span = draft.ignores.iter().find(of_name).map_or(draft.span.clone(), PlacedText::span);
                    mistakes.add(&span, message, "a name of the place", "remove it from `ignores`");
                }
            }
        }
        (of_place, ignored)
    }

    /// What is asked has to be a question that the model can answer, for some subject.
    fn questions(
        &self,
        draft: &DraftRoute,
        wanted: &[(WantedAccess, &PlacedText)],
        at: Option<TypeId>,
        of_place: &[String],
        mistakes: &mut RouteMistakes,
    ) {
        for (wanted, text) in wanted {
            let refused = |rule: &SubjectRule<'_>| self.refusal(rule, draft, wanted, at, of_place).err();
            let refusals: Vec<Option<Refusal>> = self.subjects.iter().map(refused).collect();
            if refusals.iter().any(Option::is_none) {
                continue;
            }
            let Some((message, help)) = refusals.into_iter().flatten().next() else { continue };
            let is_of_word = matches!(wanted, WantedAccess::Role(_)) || help.is_empty();
            let span = if is_of_word { text.span() } else { draft.span.clone() };
            let help =
                if help.is_empty() { "`instep check MODEL` shows what the model answers".to_owned() } else { help };
            // What is wrong with the path is wrong once.
            if !mistakes.0.iter().any(|mistake| mistake.at == span && mistake.message == message) {
                mistakes.add(&span, message, "not answered", help);
            }
        }
    }

    fn refusal(
        &self,
        rule: &SubjectRule<'_>,
        draft: &DraftRoute,
        wanted: &WantedAccess,
        at: Option<TypeId>,
        of_place: &[String],
    ) -> Result<(), Refusal> {
        let model = self.model;
        let of_subject = self.subject_names(rule, draft)?;
        if let WantedAccess::Role(role) = wanted {
            self.check_role(rule, role)?;
        }
        let subject = NamedItem { of: rule.subject(), names: values(model, rule.subject(), &of_subject) };
        let place = match at {
            Some(of) => AskedPlace::Item(NamedItem { of, names: values(model, of, of_place) }),
            None => AskedPlace::Nowhere,
        };
        let question = Question::Can { subject, wanted: wanted.clone(), at: place };
        at.map_or(Ok(()), |of| self.check_key(rule, of, of_place))?;
        question.check(model).or_else(|why| match why {
            // That the names suffice is known already, and a value of the check may be one that no key has.
            RefusedQuestion::NoWay { .. } => Ok(()),
            RefusedQuestion::NoGrants
            | RefusedQuestion::NoSubject { .. }
            | RefusedQuestion::NoSuchForm { .. }
            | RefusedQuestion::Secret { .. }
            | RefusedQuestion::NoScope { .. }
            | RefusedQuestion::NoPlace
            | RefusedQuestion::NoWayBack { .. }
            | RefusedQuestion::Cursor => Err((why.to_string(), String::new())),
        })
    }

    /// The path has to say which item it is: by all names of its key, or of an index. The subject's values fill in what
    /// grants share with it, such as a client.
    fn check_key(&self, rule: &SubjectRule<'_>, of: TypeId, of_place: &[String]) -> Result<(), Refusal> {
        let model = self.model;
        let grants = grants_of(model, rule.subject()).into_iter().filter_map(|of| model.item(of).grant.as_ref());
        let shared = grants.flat_map(|grant| grant.same.iter().cloned());
        let known: Vec<String> = of_place.iter().cloned().chain(shared).collect();
        let in_index = model.item(of).index_keys.iter().any(|keys| {
            let mut names = keys.pk.names().chain(keys.sk.iter().flat_map(|sk| sk.names())).peekable();
            names.peek().is_some() && names.all(|name| known.iter().any(|own| own == name))
        });
        if in_index || has_key(model, of, &known) {
            return Ok(());
        }
        let missing: Vec<String> = model
            .key_order(of)
            .into_iter()
            .filter(|name| !known.iter().any(|own| own == name))
            .map(|name| format!("{{{name}}}"))
            .collect();
        let message = format!("the path does not say which {}", model.item(of).name);
        Err((message, format!("it needs {}, too", listed(&missing))))
    }

    /// The names that are known of a subject: what its token says, and, of one that has its grants itself, what completes
    /// its key.
    fn subject_names(&self, rule: &SubjectRule<'_>, draft: &DraftRoute) -> Result<Vec<String>, Refusal> {
        let model = self.model;
        let mut names: Vec<String> = rule.names(model).into_iter().collect();
        if matches!(rule, SubjectRule::Valued { link: None, .. }) {
            let ignored = |name: &String| draft.ignores.iter().any(|own| own.get_ref() == name);
            let given = draft.pattern.parameters.iter().map(|parameter| parameter.name.clone());
            names.extend(given.filter(|name| !ignored(name)));
            if !has_key(model, rule.subject(), &names) {
                let missing: Vec<String> = model
                    .key_order(rule.subject())
                    .into_iter()
                    .filter(|name| !names.iter().any(|own| own == name))
                    .map(|name| format!("{{{name}}}"))
                    .collect();
                let ty = &model.item(rule.subject()).name;
                let message = format!("whose token it is, a {ty} says, and the path does not say which {ty}");
                return Err((message, format!("the path needs {}, too", listed(&missing))));
            }
        }
        Ok(names)
    }

    /// A role that no grant of the subject can have is a mistake.
    fn check_role(&self, rule: &SubjectRule<'_>, role: &str) -> Result<(), Refusal> {
        let model = self.model;
        let mut known: Vec<&str> = Vec::new();
        for of in grants_of(model, rule.subject()) {
            let Some(grant) = model.item(of).grant.as_ref() else { continue };
            if matches!(grant.roles, instep_model::Roles::None) {
                continue;
            }
            let sets: Vec<&[String]> = grant.role_names.iter().map(|name| model.closed_set(of, name)).collect();
            if sets.is_empty() || sets.iter().any(|set| set.is_empty()) {
                return Ok(());
            }
            known.extend(sets.into_iter().flatten().map(String::as_str));
        }
        if known.contains(&role) {
            return Ok(());
        }
        known.sort_unstable();
        known.dedup();
        let ty = &model.item(rule.subject()).name;
        if known.is_empty() {
            let help = "no grant of the model has roles: write `can`, if the model has `permits`".to_owned();
            return Err((format!("no {ty} has the role `{role}`"), help));
        }
        let near = suggestion(role, &known).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
        Err((format!("no {ty} has the role `{role}`"), format!("{near}the roles are {}", listed(&known))))
    }
}

/// What a route needs, with where it says so. `None` is a mistake.
fn wanted<'d>(draft: &'d DraftRoute, mistakes: &mut RouteMistakes) -> Option<Vec<(WantedAccess, &'d PlacedText)>> {
    match (&draft.can, &draft.role) {
        (Some(can), None) => Some(vec![(WantedAccess::Permission(can.get_ref().clone()), can)]),
        (None, Some(roles)) => {
            Some(roles.iter().map(|role| (WantedAccess::Role(role.get_ref().clone()), role)).collect())
        }
        (None, None) => {
            let help =
                "write `can = \"…\"` with a permission, or `role = [\"…\"]` with the roles of which one suffices";
            mistakes.add(&draft.span, "the route needs nothing, so anybody could do it", "what?", help);
            None
        }
        (Some(_), Some(_)) => {
            let help = "write one of them; of several roles, one suffices";
            mistakes.add(&draft.span, "the route has `can` and `role`", "which?", help);
            None
        }
    }
}

/// Whether these names are all of a key.
fn has_key(model: &Model, of: TypeId, names: &[String]) -> bool {
    model.item(of).forms.iter().any(|form| form.names.iter().all(|name| names.contains(name)))
}

/// Values for names, as keys could have them.
fn values(model: &Model, of: TypeId, names: &[String]) -> Names {
    let value = |name: &String| model.closed_set(of, name).first().cloned().unwrap_or_else(|| "1".to_owned());
    names.iter().map(|name| (name.clone(), value(name))).collect()
}
