//! Which questions a model can answer.

use instep_model::{Model, Scope, TypeId};

use crate::question::{
    AskedPlace, NamedItem, Question, RefusedQuestion, WantedAccess, check_item, grants_of, permissions, shared_names,
};
use crate::who::{after, check_who};

impl Question {
    /// Whether the model can answer it.
    ///
    /// # Errors
    /// It cannot, and why.
    pub fn check(&self, model: &Model) -> Result<(), RefusedQuestion> {
        match self {
            Self::Can { subject, wanted, at } => {
                check_subject(model, subject)?;
                check_wanted(model, wanted)?;
                match at {
                    AskedPlace::Item(at) => check_item(model, at, &shared_names(model, subject.of)),
                    AskedPlace::Nowhere => Ok(()),
                    AskedPlace::Text(text) => check_text(model, subject, text),
                }
            }
            Self::What { subject } => check_subject(model, subject),
            Self::Scopes { at } => check_item(model, at, &[]),
            Self::Who { wanted, at, from } => {
                if model.items.iter().all(|ty| ty.grant.is_none()) {
                    return Err(RefusedQuestion::NoGrants);
                }
                check_wanted(model, wanted)?;
                check_who(model, at)?;
                after(model, from.as_deref()).map(drop)
            }
        }
    }
}

/// A permission has a form that some item gives.
fn check_wanted(model: &Model, wanted: &WantedAccess) -> Result<(), RefusedQuestion> {
    if let WantedAccess::Permission(permission) = wanted
        && permissions(model, permission).is_empty()
    {
        let forms = model.items.iter().filter_map(|ty| ty.permits.as_ref());
        let known = forms.map(|permits| format!("`{}`", permits.permission)).collect();
        return Err(RefusedQuestion::NoSuchForm { permission: permission.clone(), known });
    }
    Ok(())
}

/// A scope that is only a text is one of some grant of the subject.
fn check_text(model: &Model, subject: &NamedItem, text: &str) -> Result<(), RefusedQuestion> {
    let is_of = |of: TypeId| {
        let scope = model.item(of).grant.as_ref().map(|grant| &grant.scope);
        matches!(scope, Some(Scope::Value(template)) if model.read_text(of, template, text).is_some())
    };
    if grants_of(model, subject.of).into_iter().any(is_of) {
        return Ok(());
    }
    Err(RefusedQuestion::NoScope { subject: model.item(subject.of).name.clone(), at: format!("`{text}`") })
}

fn check_subject(model: &Model, subject: &NamedItem) -> Result<(), RefusedQuestion> {
    if model.items.iter().all(|ty| ty.grant.is_none()) {
        return Err(RefusedQuestion::NoGrants);
    }
    if grants_of(model, subject.of).is_empty() {
        return Err(RefusedQuestion::NoSubject { of: model.item(subject.of).name.clone() });
    }
    check_item(model, subject, &[])
}
