//! What the authorizer reads from the environment, beside what all functions read.

use std::path::Path;

use instep_lambda::config::{Config, Variable};
use instep_model::Model;
use instep_routes::Routes;

use crate::tokens::TokenUse;

const ROUTES: Variable = Variable { name: "INSTEP_ROUTES", what: "the file with the routes of the API", default: None };
const TOKEN_CLIENTS: Variable = Variable {
    name: "INSTEP_TOKEN_CLIENTS",
    what: "the ids of the app clients whose tokens count, with commas between them",
    default: None,
};
const TOKEN_USE: Variable =
    Variable { name: "INSTEP_TOKEN_USE", what: "which tokens count: `access` or `id`", default: Some("access") };
const TOKEN_ISSUER: Variable = Variable {
    name: "INSTEP_TOKEN_ISSUER",
    what: "the URL of the issuer of tokens, with its keys under `/.well-known/jwks.json`",
    default: Some("that of the user pool"),
};

/// The variables that only the authorizer reads.
pub const AUTHORIZER_VARIABLES: [Variable; 4] = [ROUTES, TOKEN_CLIENTS, TOKEN_USE, TOKEN_ISSUER];

/// The configuration of the authorizer.
#[derive(Debug)]
pub struct AuthorizerConfig {
    /// The table model.
    pub model: Model,
    /// The table's name.
    pub table: String,
    /// What it knows of the API and its tokens.
    pub options: AuthorizerOptions,
}

/// What an authorizer knows of the API and its tokens.
#[derive(Debug, Clone)]
pub struct AuthorizerOptions {
    /// The routes of the API.
    pub routes: Routes,
    /// The issuer of tokens.
    pub issuer: String,
    /// The app clients whose tokens count.
    pub clients: Vec<String>,
    /// Which tokens count.
    pub token_use: TokenUse,
}

impl AuthorizerConfig {
    /// Reads all variables.
    ///
    /// # Errors
    /// All errors at once, for people.
    pub fn read(lookup: &dyn Fn(&str) -> Option<String>) -> Result<Self, Vec<String>> {
        let Config { model, settings, .. } =
            Config::read(lookup).map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>())?;
        let mut errors = Vec::new();
        let mut needed = |variable: Variable| {
            let found = lookup(variable.name).filter(|text| !text.trim().is_empty());
            if found.is_none() {
                errors.push(format!("{} is not set: it is {}", variable.name, variable.what));
            }
            found.unwrap_or_default()
        };
        let (path, clients) = (needed(ROUTES), needed(TOKEN_CLIENTS));
        let token_use = match lookup(TOKEN_USE.name).as_deref() {
            None | Some("access") => TokenUse::Access,
            Some("id") => TokenUse::Id,
            Some(other) => {
                errors.push(format!("{} is `{other}`, which is neither `access` nor `id`", TOKEN_USE.name));
                TokenUse::Access
            }
        };
        let issuer = lookup(TOKEN_ISSUER.name).or_else(|| issuer_of(settings.user_pool.as_deref()?));
        if issuer.is_none() {
            errors.push(format!(
                "INSTEP_USER_POOL is not set: it says who issues tokens, unless {} does",
                TOKEN_ISSUER.name
            ));
        }
        let routes = if path.is_empty() { Routes::default() } else { routes(&model, &path, &mut errors) };
        let clients: Vec<String> =
            clients.split(',').map(str::trim).filter(|client| !client.is_empty()).map(str::to_owned).collect();
        match issuer {
            Some(issuer) if errors.is_empty() => {
                let options = AuthorizerOptions { routes, issuer, clients, token_use };
                Ok(Self { model, table: settings.table, options })
            }
            _ => Err(errors),
        }
    }
}

fn routes(model: &Model, path: &str, errors: &mut Vec<String>) -> Routes {
    Routes::load(model, Path::new(path)).unwrap_or_else(|wrong| {
        errors.extend(wrong.problems().iter().map(|problem| format!("{}: {problem}", problem.place())));
        Routes::default()
    })
}

/// The issuer of the tokens of a user pool. Source: Amazon Cognito Developer Guide, "Verifying JSON web tokens".
fn issuer_of(pool: &str) -> Option<String> {
    let (region, _) = pool.split_once('_')?;
    Some(format!("https://cognito-idp.{region}.amazonaws.com/{pool}"))
}
