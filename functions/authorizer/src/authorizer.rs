//! One request: who it is of, what it asks, and what the table answers.

use std::sync::Arc;

use futures::future::try_join;
use instep_answers::{Allowed, Answer, Denied, Question};
use instep_aws::calls::Calls;
use instep_aws::reader::{AskError, Reader};
use instep_aws::{Clients, connect};
use instep_flow::account::AccountState;
use instep_lambda::{InvocationFailure, environment};
use instep_model::{Model, Object};
use instep_routes::{Route, RouteAsked, TokenSubject, TokenUser, subject_of};
use jiff::Timestamp;
use serde_json::Value;
use tokio::time::{Duration, Instant};
use tracing::{debug, error, info};

use crate::config::{AuthorizerConfig, AuthorizerOptions};
use crate::event::{AnswerContext, ApiRequest, unauthorized};
use crate::tokens::{TokenFailure, Tokens};

/// How long the reads of one request may take. API Gateway waits for ten seconds. Source: Amazon API Gateway Developer
/// Guide, "Quotas".
const READ_TIME: Duration = Duration::from_secs(5);

/// Answers the requests of an API.
#[derive(Debug)]
pub struct Authorizer {
    model: Arc<Model>,
    reader: Reader,
    options: AuthorizerOptions,
    tokens: Tokens,
}

/// Why a request is denied, for the log. INVARIANT 9: nothing of whom or what it is about.
type Doubt = String;

impl Authorizer {
    /// An authorizer over the table that `reader` reads, which `model` describes.
    #[must_use]
    pub fn new(model: Arc<Model>, reader: Reader, options: AuthorizerOptions) -> Self {
        let tokens = Tokens::new(options.issuer.clone(), options.clients.clone(), options.token_use);
        Self { model, reader, options, tokens }
    }

    /// An authorizer in Lambda. Nothing is called yet: keys and table are read with the first request.
    ///
    /// # Errors
    /// What is wrong with the environment.
    pub async fn start() -> Result<Self, Vec<String>> {
        let AuthorizerConfig { model, table, options } = AuthorizerConfig::read(&environment)?;
        let clients = Clients::new(&connect::lambda(&Calls::default()).await);
        let model = Arc::new(model);
        let reader = Reader::new(clients.dynamodb().clone(), Arc::clone(&model), table);
        info!(routes = options.routes.count(), "started");
        Ok(Self::new(model, reader, options))
    }

    /// The answer to an event of API Gateway, at a moment.
    ///
    /// # Errors
    /// The token is not valid, which API Gateway answers with 401; or something cannot be read, which it answers with 500.
    pub async fn answer(&self, event: &str, now: Timestamp) -> Result<Value, InvocationFailure> {
        let request = ApiRequest::of_event(event)?;
        let user = self.user(&request, now).await?;
        let decided = self.decide(&request, &user, now).await.map_err(|why| {
            error!(problem = %why, "no answer");
            InvocationFailure { kind: "NoAnswer", message: "the table cannot be read".to_owned() }
        })?;
        let answer = decided.and_then(|context| {
            let allowed = request.form.allow(&user.sub, context);
            allowed.ok_or_else(|| "the path would make the policy one for other requests".to_owned())
        });
        Ok(match answer {
            Ok(answer) => {
                debug!(route = request.path, method = request.method, "allowed");
                answer
            }
            Err(why) => {
                info!(route = request.path, method = request.method, why, "denied");
                request.form.deny(&user.sub)
            }
        })
    }

    async fn user(&self, request: &ApiRequest, now: Timestamp) -> Result<TokenUser, InvocationFailure> {
        let found = match &request.token {
            Some(token) => self.tokens.user(token, now).await,
            None => Err(TokenFailure::Invalid("no token, or several")),
        };
        found.map_err(|failure| match failure {
            TokenFailure::Invalid(why) => {
                info!(why, "not a valid token");
                unauthorized()
            }
            TokenFailure::KeysUnread => {
                error!("the keys of the user pool cannot be fetched");
                InvocationFailure { kind: "NoKeys", message: "the keys of the user pool cannot be fetched".to_owned() }
            }
        })
    }

    /// What the application is told if the request is allowed, or why it is not.
    async fn decide(
        &self,
        request: &ApiRequest,
        user: &TokenUser,
        now: Timestamp,
    ) -> Result<Result<AnswerContext, Doubt>, AskError> {
        let doubt = |why: &str| Ok(Err(why.to_owned()));
        let Some(route) = self.options.routes.find(&request.method, &request.path) else {
            return doubt("the route is not listed");
        };
        let Some(asked) = request.parameters.as_ref().and_then(|parameters| route.asked(parameters)) else {
            return doubt("the path has a value that could be read in several ways");
        };
        let Some(subject) = subject_of(&self.model, user, &asked.names) else {
            return doubt("the token stands for no item");
        };
        let reader = self.reader.until(Instant::now() + READ_TIME);
        let serves = serves(&reader, subject.account.as_ref(), user);
        let (serves, decided) = try_join(serves, self.ask(&reader, route, &subject, &asked, now)).await?;
        if !serves {
            return doubt("the account does not serve the item");
        }
        Ok(decided)
    }

    /// Asks what the route needs: one of several roles suffices.
    async fn ask(
        &self,
        reader: &Reader,
        route: &Route,
        subject: &TokenSubject,
        asked: &RouteAsked,
        now: Timestamp,
    ) -> Result<Result<AnswerContext, Doubt>, AskError> {
        let mut reasons = Denied::default().reasons;
        for wanted in route.wanted() {
            let Some(at) = route.place(&self.model, asked) else { continue };
            let question = Question::Can { subject: subject.named.clone(), wanted: wanted.clone(), at };
            match reader.ask(question, now).await {
                Ok((Answer::Allow(allowed), _)) => return Ok(Ok(self.context(subject, allowed))),
                Ok((Answer::Deny(denied), _)) => reasons.extend(denied.reasons),
                Ok((Answer::Holds(_) | Answer::Scopes(_) | Answer::Who(_), _)) => {}
                // `check` has accepted the route for some subject, and this is another one.
                Err(AskError::Refused(_)) => return Ok(Err("no grant of the subject is of this kind".to_owned())),
                Err(AskError::Failed(why)) => return Err(AskError::Failed(why)),
            }
        }
        let words: Vec<&str> = reasons.iter().map(|reason| reason.word()).collect();
        Ok(Err(words.join(", ")))
    }

    /// What the application is told: texts alone, as API Gateway asks.
    fn context(&self, subject: &TokenSubject, allowed: Allowed) -> AnswerContext {
        let Allowed { grant, role, at, until, same, .. } = allowed;
        let mut context: AnswerContext = same.into_iter().map(|(name, text)| (name, Value::from(text))).collect();
        let grant = grant.and_then(|key| serde_json::to_string(&key).ok());
        let words = [
            ("subject", Some(subject.named.label(&self.model))),
            ("scope", Some(at)),
            ("role", role),
            ("grant", grant),
            ("until", until.map(|until| until.to_string())),
        ];
        for (word, text) in words {
            context.shift_remove(word);
            context.extend(text.map(|text| (word.to_owned(), Value::from(text))));
        }
        context
    }
}

/// Whether the account of the token is the one that serves the object. INVARIANT 2: a name says for whom an account was
/// meant, and not whose it is.
async fn serves(reader: &Reader, object: Option<&Object>, user: &TokenUser) -> Result<bool, AskError> {
    let Some(object) = object else { return Ok(true) };
    let account = reader.account(object).await?;
    Ok(match account.map(|account| account.state) {
        Some(AccountState::Bound { sub, .. }) => sub == user.sub,
        Some(AccountState::Attempt { .. } | AccountState::Waiting(_) | AccountState::Foreign { .. }) | None => false,
    })
}
