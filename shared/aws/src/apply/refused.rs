//! Why a service refuses an effect for good, for the person who fixes the item. INVARIANT 9: it names attributes and
//! says what form their values have, and shows no value.

use instep_flow::account::FoundUser;
use instep_flow::effect::{Action, EnsureUser, Write};
use instep_flow::reconcile::Applied;
use instep_model::{Identity, Key, Model, Object, template::Template, user_attribute_refusal};

use crate::call::CallFailure;

/// Another user has the email address, phone number or name by which people sign in as this one.
const ALIAS_EXISTS: &str = "AliasExistsException";

/// A trigger of the pool does not take the user. Source: as of the codes.
const BY_A_TRIGGER: [&str; 3] =
    ["UserLambdaValidationException", "UnexpectedLambdaException", "InvalidLambdaResponseException"];

/// A value is not as Cognito takes it.
const INVALID: &str = "InvalidParameterException";

/// The outcome of an effect whose call failed.
pub(super) fn failed(operation: &str, failure: &CallFailure) -> Applied {
    failed_because(operation, failure, || "the service will never accept this; fix the item".to_owned())
}

/// The outcome of an effect whose call failed. `why` says what the service refuses and how to fix it, if it refuses
/// this for good.
fn failed_because(operation: &str, failure: &CallFailure, why: impl FnOnce() -> String) -> Applied {
    let words = failure.words(operation);
    match failure {
        failure if failure.is_quota() => {
            let reason = format!("{words}: a hard quota is reached; make room, then redrive the record");
            Applied::Refused { code: "quota-reached", reason }
        }
        failure if failure.is_permanent() => {
            let reason = format!("{words}: {}, then redrive the record", why());
            Applied::Refused { code: "service-refused", reason }
        }
        // An error of another kind is not the record's fault.
        CallFailure::Answer { .. } | CallFailure::Transient(_) | CallFailure::OutOfTime => Applied::Failed(words),
    }
}

/// The outcome of a call that creates or changes a user.
pub(super) fn user_failed(model: &Model, ensure: &EnsureUser, operation: &str, failure: &CallFailure) -> Applied {
    let CallFailure::Answer { code, message } = failure else { return failed(operation, failure) };
    match code.as_str() {
        INVALID => failed_because(operation, failure, || invalid_attributes(model, ensure, message)),
        ALIAS_EXISTS => failed_because(operation, failure, || ANOTHER_USER.to_owned()),
        code if BY_A_TRIGGER.contains(&code) => failed_because(operation, failure, || {
            "a Lambda trigger of the user pool refuses the user, or fails; correct the trigger, or the item".to_owned()
        }),
        _ => failed(operation, failure),
    }
}

/// What to do if two users have one sign-in attribute.
pub(super) const ANOTHER_USER: &str = "another user has a sign-in attribute of this one, such as its email or \
                                       phone_number; correct that in one of the two";

/// The attributes of a user that Cognito does not take: those whose form is known and wrong, or those that its answer
/// names, or else all.
fn invalid_attributes(model: &Model, ensure: &EnsureUser, message: &str) -> String {
    let attributes = || ensure.state.attributes.iter().filter_map(|(name, value)| Some((name, value.as_deref()?)));
    let shown = |name: &str, why: &str| format!("`{name}`{}: {why}", made_of(model, &ensure.of, name));
    let wrong: Vec<String> =
        attributes().filter_map(|(name, value)| Some(shown(name, &user_attribute_refusal(name, value)?))).collect();
    if !wrong.is_empty() {
        return format!("correct the user's {}", wrong.join("; "));
    }
    let with_length = |(name, value): (&String, &str)| shown(name, &format!("{} characters", value.chars().count()));
    let named: Vec<String> = attributes().filter(|(name, _)| names(message, name)).map(with_length).collect();
    if !named.is_empty() {
        return format!("the answer is about the user's {}; correct the item, or the pool's schema", named.join("; "));
    }
    let all: Vec<String> = attributes().map(with_length).collect();
    format!(
        "the user's name or one of its attributes is not as the user pool's schema has it; correct the item, or the \
         schema. The attributes are {}",
        if all.is_empty() { "none".to_owned() } else { all.join("; ") }
    )
}

/// Whether a text names an attribute, and not only one whose name contains this one.
fn names(text: &str, attribute: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || "_:-".contains(c))).any(|word| word.trim_matches(':') == attribute)
}

/// The attributes of the item that an attribute of its user is made of.
fn made_of(model: &Model, object: &Object, attribute: &str) -> String {
    let rules = model.item(object.of).user.iter().flat_map(|user| &user.attributes);
    let template = rules.filter(|(name, _)| *name == attribute).map(|(_, template)| template).next();
    let names = template.into_iter().flat_map(Template::names);
    let sources: Vec<String> = names
        .flat_map(|name| model.sources(object.of, &object.names, name))
        .map(|source| format!("`{source}`"))
        .collect();
    if sources.is_empty() { String::new() } else { format!(" (made of the item's {})", sources.join(", ")) }
}

/// The outcome of a conditional write.
pub(super) fn write_failed(model: &Model, write: &Write, operation: &str, failure: &CallFailure) -> Applied {
    if !failure.is_item_too_large() {
        return failed(operation, failure);
    }
    failed_because(operation, failure, || {
        let items: Vec<String> = write.actions.iter().filter_map(|action| grown(model, action)).collect();
        format!("an item would exceed DynamoDB's limit of 400 KB: {}; shorten the item", items.join(", or "))
    })
}

/// An item that a write makes larger, and by which attributes.
fn grown(model: &Model, action: &Action) -> Option<String> {
    match action {
        Action::Put { key, .. } => Some(format!("the {} that Instep writes", type_of(model, key))),
        Action::Set { key, attributes, .. } => {
            let set = attributes.iter().filter(|(_, value)| value.is_some()).map(|(name, _)| format!("`{name}`"));
            let set: Vec<String> = set.collect();
            let added = format!("the {} to which Instep adds {}", type_of(model, key), set.join(", "));
            (!set.is_empty()).then_some(added)
        }
        Action::Delete { .. } => None,
    }
}

fn type_of(model: &Model, key: &Key) -> String {
    match model.identify(key) {
        Identity::Item { object, .. } => format!("`{}`", model.item(object.of).name),
        Identity::Bookkeeping => "bookkeeping item".to_owned(),
        Identity::Unknown(_) => "item of no known type".to_owned(),
    }
}

/// INVARIANT 2: what a user signs in by is no name. It can become another user's.
pub(super) fn other_user(operation: &str, found: &FoundUser) -> Applied {
    let reason = if found.has_generated_name() {
        format!(
            "{operation} answered for a user whose name the pool has generated: its users sign in by an address \
             (`UsernameAttributes`), which can become another person's. If that is the user's name, give `cognito.user` the \
             attribute `email` or `phone_number` with the template of its `name`; for people who sign up, write \
             `cognito.member.user = {{ sub = \"…\" }}`; or use a user pool without that. Then redrive the record"
        )
    } else {
        format!(
            "{operation} answered for another user, of whom the name is an alias: use a user pool without sign-in \
             aliases, or remove the alias from that user, then redrive the record"
        )
    };
    Applied::Refused { code: "other-user", reason }
}
