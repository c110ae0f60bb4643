//! Configuration: read once, from the environment. All errors are reported at once.

use std::path::Path;
use std::time::Duration;

use instep_aws::Parking;
use instep_aws::Settings;
use instep_flow::table_id::TableId;
use instep_model::{Model, shipped_names};
use miette::Diagnostic as _;
use tracing::level_filters::LevelFilter;

use crate::metrics::MetricsDetail;

/// An environment variable that the functions read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub what: &'static str,
    /// The value if it is absent or empty. `None`: the variable is required.
    pub default: Option<&'static str>,
}

const fn needed(name: &'static str, what: &'static str) -> Variable {
    Variable { name, what, default: None }
}

const fn optional(name: &'static str, what: &'static str, default: &'static str) -> Variable {
    Variable { name, what, default: Some(default) }
}

const MODEL: Variable = needed("INSTEP_MODEL", "the table model: the name of a shipped one, or a file's path");
const TABLE: Variable = needed("INSTEP_TABLE", "the table's name");
const TABLE_ARN: Variable = optional(
    "INSTEP_TABLE_ARN",
    "the table's ARN; records of a table of this name in another account or region are parked",
    "none",
);
const USER_POOL: Variable =
    optional("INSTEP_USER_POOL", "the Cognito user pool's id; needed where the model asks for Cognito", "none");
const BUS: Variable = needed("INSTEP_BUS", "the event bus's name or ARN");
const PARKED_QUEUE: Variable = needed("INSTEP_PARKED_QUEUE", "the URL of the SQS queue that parked records go to");
const WORK_QUEUE: Variable = needed("INSTEP_WORK_QUEUE_URL", "the URL of the SQS queue that work messages go to");
const BUCKET: Variable = needed(
    "INSTEP_BUCKET",
    "the S3 bucket of records and work messages that do not fit a queue, and of batches that Lambda gave up on",
);
const COGNITO_RATE: Variable = optional(
    "INSTEP_COGNITO_RATE",
    "changes of memberships and users a second in Cognito, by all instances of this function together; 1000 means no limit",
    "15",
);
const CONCURRENCY: Variable =
    optional("INSTEP_CONCURRENCY", "instances that may run at the same time; they share the rate", "1");
const MAX_USER_DELETIONS: Variable = optional(
    "INSTEP_MAX_USER_DELETIONS_PER_HOUR",
    "the most users that are deleted in an hour; the deletion of any other waits for a person",
    "20",
);
const INDEX_LAG: Variable =
    optional("INSTEP_INDEX_LAG", "seconds after which an index is taken to have caught up with the table", "2");
const TOKEN_GROUP_BYTES: Variable = optional(
    "INSTEP_TOKEN_GROUP_BYTES",
    "the most bytes of group names in a token; a token that lacks some has the claim `instep_groups`",
    "4096",
);
const POOL_IGNORES_CASE: Variable = optional(
    "INSTEP_POOL_IGNORES_CASE",
    "`yes` if the user pool ignores the case of user names; of any other pool, only users whose names are spelled as in the \
     model get the groups of people who sign up",
    "no",
);
const LOG: Variable = optional("INSTEP_LOG", "what is logged: `error`, `warn`, `info` or `debug`", "info");
const METRICS: Variable = optional(
    "INSTEP_METRICS",
    "`full`, `totals` (no breakdown by item type, operation …: fewer metrics to pay for) or `off`",
    "full",
);

/// The largest rate: with it, calls are not paced. No account of Cognito has such a quota.
const RATE_MAX: u32 = 1_000;

/// The largest number of users that are deleted in an hour.
const MAX_USER_DELETIONS_MAX: u32 = 1_000_000;

/// The smallest and the largest size of the group names in a token. A header of a request has at most 8 KB in many places.
const TOKEN_GROUP_BYTES_RANGE: std::ops::RangeInclusive<u32> = 256..=65_536;

/// The value of [`USER_POOL`] for a function that must not name its pool, because the pool names it.
const NO_POOL: &str = "none";

/// The maximum time between two calls to Cognito.
const INTERVAL_MAX: Duration = Duration::from_secs(2);

/// All variables, in the order of the documentation.
pub const VARIABLES: [Variable; 16] = [
    MODEL,
    TABLE,
    TABLE_ARN,
    USER_POOL,
    BUS,
    PARKED_QUEUE,
    BUCKET,
    WORK_QUEUE,
    COGNITO_RATE,
    CONCURRENCY,
    MAX_USER_DELETIONS,
    INDEX_LAG,
    TOKEN_GROUP_BYTES,
    POOL_IGNORES_CASE,
    LOG,
    METRICS,
];

/// Variables that Lambda itself sets. Without them, the program does not run in Lambda.
const OF_LAMBDA: [&str; 5] = [
    "AWS_LAMBDA_RUNTIME_API",
    FUNCTION_NAME,
    "AWS_LAMBDA_FUNCTION_MEMORY_SIZE",
    "AWS_LAMBDA_FUNCTION_VERSION",
    "AWS_REGION",
];
pub(crate) const FUNCTION_NAME: &str = "AWS_LAMBDA_FUNCTION_NAME";

/// The configuration of a function.
#[derive(Debug)]
pub struct Config {
    /// The table model.
    pub model: Model,
    /// What Instep reconciles, and how.
    pub settings: Settings,
    /// What the function of tokens needs.
    pub tokens: TokenSettings,
    /// How detailed the metrics are.
    pub metrics: MetricsDetail,
    /// The function's name.
    pub function: String,
}

/// What the function of tokens needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenSettings {
    /// The only pool that may ask. `None`: the permission to invoke the function says which.
    pub pool: Option<String>,
    /// Whether that pool ignores the case of user names.
    pub ignores_case: bool,
    /// The most bytes of group names in a token.
    pub group_bytes: usize,
}

/// What is wrong with the environment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A required variable is missing.
    #[error("{} is not set: it is {}", .0.name, .0.what)]
    Missing(Variable),
    /// The value of a variable is invalid.
    #[error("{} is `{given}`, which is not {expected}", variable.name)]
    Not {
        /// The variable.
        variable: Variable,
        /// Its value.
        given: String,
        /// What is expected.
        expected: String,
    },
    /// Two numbers that are valid separately contradict each other.
    #[error(
        "{} and {} leave an instance one call to Cognito in {} seconds, which no invocation can work with: raise the rate, or let \
         fewer instances run (see docs/operate/deploying.md)",
        COGNITO_RATE.name, CONCURRENCY.name, .0.as_secs()
    )]
    TooSlow(Duration),
    /// The model has mistakes.
    #[error("{place}: {message}{}", help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default())]
    Model {
        /// File, line and column.
        place: String,
        /// What is wrong.
        message: String,
        /// How to fix it.
        help: Option<String>,
    },
    /// The program does not run in Lambda.
    #[error("{0} is not set: this program is an AWS Lambda function and runs behind Lambda's runtime API only")]
    NotLambda(&'static str),
}

/// Looks up an environment variable.
type Lookup<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The log level. If it cannot be read, the default of [`LOG`], so that the error can be logged.
pub(crate) fn log_level(lookup: Lookup<'_>) -> LevelFilter {
    match lookup(LOG.name).as_deref() {
        Some("error") => LevelFilter::ERROR,
        Some("warn") => LevelFilter::WARN,
        Some("debug") => LevelFilter::DEBUG,
        Some(_) | None => LevelFilter::INFO,
    }
}

/// Whether the program runs behind Lambda's runtime API.
pub(crate) fn is_in_lambda(lookup: Lookup<'_>) -> bool {
    OF_LAMBDA.into_iter().all(|name| lookup(name).is_some())
}

/// The process's environment.
#[expect(clippy::disallowed_methods, reason = "this is the place")]
pub fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|text| !text.is_empty())
}

impl Config {
    /// Reads all variables.
    ///
    /// # Errors
    /// All errors at once.
    pub fn read(lookup: Lookup<'_>) -> Result<Self, Vec<ConfigError>> {
        let mut errors: Vec<ConfigError> =
            OF_LAMBDA.into_iter().filter(|name| lookup(name).is_none()).map(ConfigError::NotLambda).collect();
        let mut reading = Reading { lookup, errors: Vec::new() };
        let model = reading.model();
        let table = reading.text(TABLE);
        let user_pool = lookup(USER_POOL.name);
        if user_pool.is_none() && model.as_ref().is_some_and(Model::uses_cognito) {
            reading.errors.push(ConfigError::Missing(USER_POOL));
        }
        let bus = reading.text(BUS);
        let queue_url = reading.text(PARKED_QUEUE);
        let bucket = reading.text(BUCKET);
        let work_queue = reading.text(WORK_QUEUE);
        let rate = reading.number(COGNITO_RATE, 1..=RATE_MAX);
        let instances = reading.number(CONCURRENCY, 1..=1_000);
        let interval = Duration::from_secs(1) * instances / rate;
        if interval > INTERVAL_MAX && model.as_ref().is_none_or(Model::uses_cognito) {
            reading.errors.push(ConfigError::TooSlow(interval));
        }
        let deletions_per_hour = reading.number(MAX_USER_DELETIONS, 0..=MAX_USER_DELETIONS_MAX);
        let index_lag = Duration::from_secs(reading.number(INDEX_LAG, 0..=60).into());
        let tokens = TokenSettings {
            pool: user_pool.clone().filter(|pool| pool != NO_POOL),
            ignores_case: reading.one_of(POOL_IGNORES_CASE, &["yes", "no"]) == "yes",
            group_bytes: usize::try_from(reading.number(TOKEN_GROUP_BYTES, TOKEN_GROUP_BYTES_RANGE))
                .unwrap_or_default(),
        };
        reading.one_of(LOG, &["error", "warn", "info", "debug"]);
        let metrics = match reading.one_of(METRICS, &["full", "totals", "off"]).as_str() {
            "totals" => MetricsDetail::Totals,
            "off" => MetricsDetail::Off,
            _ => MetricsDetail::Full,
        };
        let arn = reading.table_arn(&table);
        errors.append(&mut reading.errors);
        let (Some(model), true) = (model, errors.is_empty()) else { return Err(errors) };
        let settings = Settings {
            records_of: arn.clone().or_else(|| Some(table.clone())),
            table_arn: arn,
            table,
            user_pool,
            bus,
            work_queue,
            deletions_per_hour,
            cognito_interval: (rate < RATE_MAX).then_some(interval),
            index_lag,
            parking: Some(Parking { queue_url, bucket }),
        };
        Ok(Self { model, settings, tokens, metrics, function: lookup(FUNCTION_NAME).unwrap_or_default() })
    }
}

struct Reading<'a> {
    lookup: Lookup<'a>,
    errors: Vec<ConfigError>,
}

impl Reading<'_> {
    /// A variable's value, or its default. Empty, with an error, if it is required and missing.
    fn text(&mut self, variable: Variable) -> String {
        let text = (self.lookup)(variable.name).filter(|text| !text.trim().is_empty());
        text.or_else(|| variable.default.map(str::to_owned)).unwrap_or_else(|| {
            self.errors.push(ConfigError::Missing(variable));
            String::new()
        })
    }

    /// INVARIANT 6: with the ARN of another table, every record would be parked.
    fn table_arn(&mut self, table: &str) -> Option<String> {
        let given = (self.lookup)(TABLE_ARN.name).filter(|text| !text.trim().is_empty())?;
        if TableId::named(&given).is_none_or(|id| !id.is_arn() || id.name() != table) {
            let expected = format!("the ARN of the table `{table}`");
            self.errors.push(ConfigError::Not { variable: TABLE_ARN, given: given.clone(), expected });
        }
        Some(given)
    }

    fn number(&mut self, variable: Variable, range: std::ops::RangeInclusive<u32>) -> u32 {
        let given = self.text(variable);
        match given.parse().ok().filter(|number| range.contains(number)) {
            Some(number) => number,
            None => {
                let expected = format!("a whole number from {} to {}", range.start(), range.end());
                self.errors.push(ConfigError::Not { variable, given, expected });
                *range.start()
            }
        }
    }

    fn one_of(&mut self, variable: Variable, words: &[&str]) -> String {
        let given = self.text(variable);
        if !words.contains(&given.as_str()) {
            let expected = format!("one of {}", words.join(", "));
            self.errors.push(ConfigError::Not { variable, given: given.clone(), expected });
        }
        given
    }

    fn model(&mut self) -> Option<Model> {
        let name = self.text(MODEL);
        if name.is_empty() {
            return None;
        }
        if let Some(model) = Model::shipped(&name) {
            return Some(model);
        }
        let path = Path::new(&name);
        if !path.is_file() {
            let expected = format!("a file, nor one of {}", shipped_names().join(", "));
            self.errors.push(ConfigError::Not { variable: MODEL, given: name, expected });
            return None;
        }
        match Model::load(path) {
            Ok(model) => Some(model),
            Err(errors) => {
                let problems = errors.problems().iter().map(|problem| ConfigError::Model {
                    place: problem.place().to_owned(),
                    message: problem.to_string(),
                    help: problem.help().map(|help| help.to_string()),
                });
                self.errors.extend(problems);
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use instep_aws::DELETIONS_PER_HOUR;

    use super::*;

    const SOUND: [(&str, &str); 12] = [
        ("AWS_LAMBDA_RUNTIME_API", "127.0.0.1:9001"),
        ("AWS_LAMBDA_FUNCTION_NAME", "stream"),
        ("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "256"),
        ("AWS_LAMBDA_FUNCTION_VERSION", "$LATEST"),
        ("AWS_REGION", "eu-west-1"),
        ("INSTEP_MODEL", "access-management"),
        ("INSTEP_TABLE", "t"),
        ("INSTEP_USER_POOL", "eu-west-1_x"),
        ("INSTEP_BUS", "b"),
        ("INSTEP_PARKED_QUEUE", "https://sqs.eu-west-1.amazonaws.com/1/q"),
        ("INSTEP_BUCKET", "bucket"),
        ("INSTEP_WORK_QUEUE_URL", "https://sqs.eu-west-1.amazonaws.com/1/w"),
    ];

    fn read(changes: &[(&str, &str)]) -> Result<Config, Vec<String>> {
        let mut variables = BTreeMap::from(SOUND);
        variables.extend(changes.iter().copied());
        let lookup = |name: &str| variables.get(name).filter(|text| !text.is_empty()).map(|text| (*text).to_owned());
        Config::read(&lookup).map_err(|errors| errors.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn absent_variables_have_their_defaults() {
        let config = read(&[]).unwrap();
        assert_eq!(config.settings.deletions_per_hour, DELETIONS_PER_HOUR);
        assert_eq!(config.settings.cognito_interval, Some(Duration::from_secs(1) / 15));
        assert_eq!(config.settings.records_of.as_deref(), Some("t"), "records of other tables are not ours");
        let arn = "arn:aws:dynamodb:eu-west-1:111122223333:table/t";
        let config = read(&[("INSTEP_TABLE_ARN", arn)]).unwrap();
        assert_eq!((config.settings.records_of.as_deref(), config.settings.table.as_str()), (Some(arn), "t"));
        for wrong in
            ["t", "arn:aws:dynamodb:eu-west-1:111122223333:table/other", "arn:aws:kinesis:eu-west-1:1:stream/t"]
        {
            let errors = read(&[("INSTEP_TABLE_ARN", wrong)]).unwrap_err();
            assert!(errors[0].to_string().contains("is not the ARN of the table `t`"), "{wrong}: {errors:?}");
        }
        assert_eq!((config.metrics, config.settings.index_lag), (MetricsDetail::Full, Duration::from_secs(2)));
        assert_eq!(config.settings.work_queue, "https://sqs.eu-west-1.amazonaws.com/1/w");
        let shared = read(&[("INSTEP_CONCURRENCY", "10"), ("INSTEP_COGNITO_RATE", "25")]).unwrap();
        assert_eq!(shared.settings.cognito_interval, Some(Duration::from_millis(400)), "a tenth of the rate");
    }

    #[test]
    fn a_rate_shared_by_too_many_is_refused() {
        let refused = read(&[("INSTEP_CONCURRENCY", "100"), ("INSTEP_COGNITO_RATE", "20")]).unwrap_err();
        let expected =
            "INSTEP_COGNITO_RATE and INSTEP_CONCURRENCY leave an instance one call to Cognito in 5 seconds, which";
        assert!(refused[0].starts_with(expected), "{refused:?}");
        assert!(read(&[("INSTEP_CONCURRENCY", "40"), ("INSTEP_COGNITO_RATE", "20")]).is_ok());
    }

    #[test]
    fn a_model_without_cognito_needs_no_pool() {
        assert!(read(&[("INSTEP_MODEL", "relational-store"), ("INSTEP_USER_POOL", "")]).is_ok());
        let refused = read(&[("INSTEP_USER_POOL", "")]).unwrap_err();
        assert!(refused[0].starts_with("INSTEP_USER_POOL is not set: it is the Cognito user pool's id"), "{refused:?}");
    }

    #[test]
    fn all_mistakes_are_said_at_once() {
        let refused = read(&[
            ("AWS_LAMBDA_RUNTIME_API", ""),
            ("INSTEP_MODEL", "acces-management"),
            ("INSTEP_TABLE", " "),
            ("INSTEP_BUS", ""),
            ("INSTEP_WORK_QUEUE_URL", ""),
            ("INSTEP_COGNITO_RATE", "fast"),
            ("INSTEP_CONCURRENCY", "0"),
            ("INSTEP_LOG", "trace"),
            ("INSTEP_METRICS", "some"),
        ]);
        let expected = [
            "AWS_LAMBDA_RUNTIME_API is not set: this program is an AWS Lambda function and runs behind Lambda's runtime API only",
            "INSTEP_MODEL is `acces-management`, which is not a file, nor one of teams, access-management, access-management-sif, \
             relational-store, authorization, platform, account-management",
            "INSTEP_TABLE is not set: it is the table's name",
            "INSTEP_BUS is not set: it is the event bus's name or ARN",
            "INSTEP_WORK_QUEUE_URL is not set: it is the URL of the SQS queue that work messages go to",
            "INSTEP_COGNITO_RATE is `fast`, which is not a whole number from 1 to 1000",
            "INSTEP_CONCURRENCY is `0`, which is not a whole number from 1 to 1000",
            "INSTEP_LOG is `trace`, which is not one of error, warn, info, debug",
            "INSTEP_METRICS is `some`, which is not one of full, totals, off",
        ];
        assert_eq!(refused.unwrap_err(), expected);
    }

    #[test]
    fn a_broken_model_file_says_where() {
        let path = std::env::temp_dir().join("instep-broken-model.toml");
        std::fs::write(
            &path,
            "model = \"m\"\n[table]\npk = \"PK\"\nsk = \"SK\"\n[items.A]\npk = \"A#{a}\"\nsk = \"A\"\nparnt = \"B\"\n",
        )
        .unwrap();
        let refused = read(&[("INSTEP_MODEL", path.to_str().unwrap())]).unwrap_err();
        for said in ["model.toml:8:1: `parnt` is not a setting of an item type", "did you mean `parent`?"] {
            assert!(refused[0].contains(said), "{refused:?}");
        }
    }
}
