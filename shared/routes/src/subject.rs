//! Whom a token stands for: the item that is the subject of grants.

use std::collections::{BTreeMap, BTreeSet};

use instep_answers::NamedItem;
use instep_flow::account::is_kept_for;
use instep_model::template::Template;
use instep_model::{ADDRESSES, CognitoUser, Create, LinkId, Model, Names, Object, Subject, TypeId, UserValue};

/// What a verified token says about its user.
#[derive(Clone, PartialEq, Eq)]
pub struct TokenUser {
    /// Its `sub`, which Cognito makes.
    pub sub: String,
    /// Its user name.
    pub name: String,
    /// Its addresses by their attributes, which only ID tokens have. Users can change them: they only find an item, and its
    /// account proves that it is theirs.
    pub addresses: BTreeMap<&'static str, String>,
}

/// The item that a token stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenSubject {
    /// The item.
    pub named: NamedItem,
    /// The object whose account has to be the token's. `None` if Instep makes no accounts for its type: then the name, or
    /// the `sub`, says it all.
    pub account: Option<Object>,
}

/// How the items of a type are found that a token stands for.
#[derive(Debug)]
pub(crate) enum SubjectRule<'m> {
    /// By the name of their Cognito user.
    Named(TypeId),
    /// By a value in the items of `of`, which have grants: they are the subject themselves, or refer to it.
    Valued { of: TypeId, subject: TypeId, link: Option<LinkId>, value: UserValue, template: &'m Template },
}

impl SubjectRule<'_> {
    /// The type of the subject.
    pub(crate) const fn subject(&self) -> TypeId {
        match self {
            Self::Named(of) => *of,
            Self::Valued { subject, .. } => *subject,
        }
    }

    /// The names of the subject's key that a token gives.
    pub(crate) fn names(&self, model: &Model) -> BTreeSet<String> {
        match self {
            Self::Named(of) => model.key_order(*of).into_iter().map(str::to_owned).collect(),
            Self::Valued { link: None, template, .. } => template.names().map(str::to_owned).collect(),
            Self::Valued { link: Some(link), .. } => model.link(*link).names.keys().cloned().collect(),
        }
    }
}

/// All rules of a model.
pub(crate) fn rules(model: &Model) -> Vec<SubjectRule<'_>> {
    let mut named: BTreeSet<TypeId> = BTreeSet::new();
    let mut valued = Vec::new();
    for (of, ty) in model.types() {
        let Some(grant) = &ty.grant else { continue };
        let (subject, link) = match grant.subject {
            Subject::Itself => (of, None),
            Subject::Link(link) => (model.link(link).to, Some(link)),
        };
        if model.item(subject).user.is_some() && model.item(subject).user_value.is_none() {
            if has_certain_user(model, subject) {
                named.insert(subject);
            }
            continue;
        }
        for member in &ty.members {
            let Subject::Link(user) = member.user else { continue };
            let user = model.link(user);
            if let Some((value, template)) = model.item(user.to).user_value.zip(user.names.values().next()) {
                let rule = SubjectRule::Valued { of, subject, link, value, template };
                if is_told(model, &rule) {
                    valued.push(rule);
                }
            }
        }
    }
    named.into_iter().map(SubjectRule::Named).chain(valued).collect()
}

/// Whether a user of this name is the item's. INVARIANT 2: of a user that Instep does not make, nothing but its name says
/// so, and that says nothing of an item that has a user only at times.
fn has_certain_user(model: &Model, of: TypeId) -> bool {
    let user = model.item(of).user.as_ref();
    user.is_some_and(|user| user.create != Create::Never || user.when.tests().next().is_none())
}

/// Whether the subject's key has the whole value. INVARIANT 2: otherwise any user could be the subject.
fn is_told(model: &Model, rule: &SubjectRule<'_>) -> bool {
    let SubjectRule::Valued { subject, link, template, .. } = rule else { return true };
    let mut names = template.names().peekable();
    let is_some = names.peek().is_some();
    let key = model.key_order(*subject);
    is_some
        && names.all(|name| match link {
            None => key.contains(&name),
            Some(link) => {
                let link = model.link(*link);
                let mut from = link.names.iter().filter(|(to, _)| key.contains(&to.as_str()));
                from.any(|(_, template)| template.names().any(|own| own == name))
            }
        })
}

/// The item that a token stands for. `known` are the names that the path of the request gives: they complete a key, and
/// never replace what the token says. `None` if there is none, or if there could be several.
#[must_use]
pub fn subject_of(model: &Model, user: &TokenUser, known: &Names) -> Option<TokenSubject> {
    let objects: BTreeSet<Object> = rules(model).iter().flat_map(|rule| objects(model, rule, user, known)).collect();
    let mut objects = objects.into_iter();
    let (object, None) = (objects.next()?, objects.next()) else { return None };
    let named = NamedItem { of: object.of, names: object.names.clone() };
    let account = is_kept_for(model, &object).then_some(object);
    Some(TokenSubject { named, account })
}

/// The name by which the model knows a user: the address, if the pool has made the name. An address finds only an item whose
/// account is compared.
fn name_of<'u>(own: &CognitoUser, user: &'u TokenUser) -> Option<&'u String> {
    if !own.named_by_address || own.create == Create::Never || user.name != user.sub {
        return Some(&user.name);
    }
    let name = own.name.as_written();
    let is_it = |(attribute, template): &&(String, Template)| {
        ADDRESSES.contains(&attribute.as_str()) && template.as_written() == name
    };
    let (attribute, _) = own.attributes.iter().find(is_it)?;
    user.addresses.get(attribute.as_str())
}

fn objects(model: &Model, rule: &SubjectRule<'_>, user: &TokenUser, known: &Names) -> Vec<Object> {
    match rule {
        SubjectRule::Named(of) => {
            let Some(own) = &model.item(*of).user else { return Vec::new() };
            let by = |text: &String| model.object_named(*of, &model.read_name(*of, &own.name, text)?);
            name_of(own, user).and_then(by).into_iter().collect()
        }
        SubjectRule::Valued { of, subject, link, value, template } => {
            let text = match value {
                UserValue::Sub => &user.sub,
                UserValue::Name => &user.name,
            };
            let object = || {
                let said = model.read_text(*of, template, text)?;
                let names = match link {
                    Some(link) => model.reference_names(model.link(*link), &said, None, None)?,
                    None => {
                        let mut names = known.clone();
                        names.extend(said);
                        names
                    }
                };
                model.object_named(*subject, &names)
            };
            object().into_iter().collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Promise 2: whoever registers a name in another case, in a pool that heeds case, is not the user of the item.
    #[test]
    fn a_name_in_another_case_is_another_users() {
        let made = |name: &str| {
            format!(
                "[items.Person]\npk = \"P#{{id|lower}}\"\nsk = \"P\"\ncognito.user = {{ name = \"{name}\", create = false }}\n\
                 [items.Seat]\npk = \"T#{{team}}\"\nsk = \"S#{{id|lower}}\"\n\
                 grant = {{ subject = {{ type = \"Person\", find = \"back-reference\" }}, scope = \"Team\" }}\n\
                 cognito.member = {{ user = \"Person\", group = \"Team\" }}\n"
            )
        };
        let named = |name: &str| {
            format!(
                "[items.Seat]\npk = \"T#{{team}}\"\nsk = \"S#{{id|lower}}\"\ngrant = {{ subject = \"Seat\", scope = \"Team\" }}\n\
                 cognito.member = {{ user = {{ name = \"{name}\" }}, group = \"Team\" }}\n"
            )
        };
        let head = "model = \"m\"\ntable = { pk = \"PK\", sk = \"SK\" }\n[items.Team]\npk = \"T#{team}\"\nsk = \"T\"\n\
                    cognito.groups = \"t:{team}\"\n";
        for text in [made("{id}"), made("{id|lower}"), named("{id}"), named("{id|lower}")] {
            let model = Model::parse("m.toml", &format!("{head}{text}")).unwrap();
            let known = Names::from([("team".to_owned(), "red".to_owned())]);
            let is_found = |name: &str| {
                let user = TokenUser { sub: "s1".to_owned(), name: name.to_owned(), addresses: Default::default() };
                subject_of(&model, &user, &known).is_some()
            };
            assert_eq!((is_found("ann"), is_found("ANN"), is_found("Ann")), (true, false, false), "{text}");
        }
    }

    /// Promise 2: an address that a user can change finds no item for a user who has a name.
    #[test]
    fn an_address_counts_only_where_the_pool_makes_the_names() {
        let text = "model = \"m\"\ntable = { pk = \"PK\", sk = \"SK\" }\n[items.Person]\npk = \"P#{email}\"\nsk = \"P\"\n\
                    cognito.user = { name = \"{email}\", create = \"silent\", attributes = { email = \"{email}\" } }\n\
                    [items.Team]\npk = \"T#{team}\"\nsk = \"T\"\ncognito.groups = \"t:{team}\"\n[items.Seat]\n\
                    pk = \"T#{team}\"\nsk = \"S#{email}\"\n\
                    grant = { subject = { type = \"Person\", find = \"back-reference\" }, scope = \"Team\" }\n\
                    cognito.member = { user = \"Person\", group = \"Team\" }\n";
        let model = Model::parse("m.toml", text).unwrap();
        let found = |sub: &str, name: &str| {
            let addresses = [("email", "ann@x.example".to_owned())].into();
            let user = TokenUser { sub: sub.to_owned(), name: name.to_owned(), addresses };
            subject_of(&model, &user, &Names::new()).map(|subject| subject.named.names["email"].clone())
        };
        assert_eq!(found("s1", "s1").as_deref(), Some("ann@x.example"), "the pool has made the name");
        assert_eq!(found("s1", "bob@x.example").as_deref(), Some("bob@x.example"));
    }
}
