//! What a stack has for an API whose requests the authorizer allows: the function, and an authorizer of the API.

use std::path::Path;

use instep_doctor::access::FunctionRole;
use instep_model::Model;
use instep_routes::Routes;
use miette::{Result, miette};

use super::added_function;
use super::layer::{Layer, in_function};
use crate::cli::template::GuardedApi;

/// The parameters.
const PARAMETERS: &str = r#"TokenClients:
  Type: String
  Description: The ids of the app clients whose tokens the authorizer accepts, with commas between them.
  AllowedPattern: ^[\w+]+(,[\w+]+)*$
TokenUse:
  Type: String
  Default: access
  AllowedValues: [access, id]
  Description: Which tokens the authorizer accepts.
"#;

/// The resources.
const RESOURCES: &str = r#"# The authorizer of an API ------------------------------------------------------------------------

AuthorizerFunction:
  Type: AWS::Serverless::Function
  Metadata:
    BuildMethod: rust-cargolambda
    BuildProperties: { Binary: authorizer }
  Properties:
    CodeUri: functions/authorizer
    Description: Allows a request to an API if the table implies it
    MemorySize: 256
    # API Gateway waits for ten seconds.
    Timeout: 10
    Role: !GetAtt AuthorizerRole.Arn
    # layers
    Environment:
      Variables:
        # routes
        INSTEP_TOKEN_CLIENTS: !Ref TokenClients
        INSTEP_TOKEN_USE: !Ref TokenUse
    LoggingConfig: { LogFormat: JSON, ApplicationLogLevel: TRACE, LogGroup: !Ref AuthorizerLogs }

# logs

# role

AuthorizerErrorsAlarm:
  Type: AWS::CloudWatch::Alarm
  Properties:
    AlarmDescription: The authorizer cannot answer, or gets tokens that are not valid. Runbook/AuthorizerErrors.
    Namespace: AWS/Lambda
    MetricName: Errors
    Dimensions: [{ Name: FunctionName, Value: !Ref AuthorizerFunction }]
    Statistic: Sum
    Period: 300
    EvaluationPeriods: 3
    Threshold: 100
    ComparisonOperator: GreaterThanThreshold
    TreatMissingData: notBreaching
    AlarmActions: !If [HasAlarmTopic, [!Ref AlarmTopicArn], !Ref AWS::NoValue]
"#;

const OUTPUTS: &str = r#"AuthorizerFunctionArn:
  Description: The function of the authorizer, for an API to which this stack adds none
  Value: !GetAtt AuthorizerFunction.Arn
"#;

/// What an API of either kind gets. A time to live of 0: with a cached answer, one allowed request would allow others.
/// Source: Amazon API Gateway Developer Guide, "Control access to HTTP APIs with AWS Lambda authorizers".
const OF_HTTP: &str = r#"
HttpApiAuthorizer:
  Type: AWS::ApiGatewayV2::Authorizer
  Properties:
    ApiId: !Ref HttpApiId
    Name: instep
    AuthorizerType: REQUEST
    AuthorizerUri: URI
    AuthorizerPayloadFormatVersion: "2.0"
    EnableSimpleResponses: true
    AuthorizerResultTtlInSeconds: 0
    IdentitySource: ["$request.header.Authorization"]
"#;

const OF_REST: &str = r#"
RestApiAuthorizer:
  Type: AWS::ApiGateway::Authorizer
  Properties:
    RestApiId: !Ref RestApiId
    Name: instep
    Type: REQUEST
    AuthorizerUri: URI
    AuthorizerResultTtlInSeconds: 0
    IdentitySource: method.request.header.Authorization
"#;

const PERMISSION: &str = r#"
KINDAuthorizerPermission:
  Type: AWS::Lambda::Permission
  Properties:
    Action: lambda:InvokeFunction
    FunctionName: !Ref AuthorizerFunction
    Principal: apigateway.amazonaws.com
    SourceArn: !Sub "arn:${AWS::Partition}:execute-api:${AWS::Region}:${AWS::AccountId}:${KINDId}/authorizers/${KINDAuthorizer}"
"#;

const URI: &str = r#"!Sub "arn:${AWS::Partition}:apigateway:${AWS::Region}:lambda:path/2015-03-31/functions/${AuthorizerFunction.Arn}/invocations""#;

impl GuardedApi {
    /// What the names of its resources and parameters begin with.
    const fn name(self) -> &'static str {
        match self {
            Self::Http => "HttpApi",
            Self::Rest => "RestApi",
        }
    }

    fn parameter(self) -> String {
        let name = self.name();
        format!(
            "{name}Id:\n  Type: String\n  Description: The API that gets the authorizer.\n  AllowedPattern: ^[a-z0-9]+$\n"
        )
    }

    fn resources(self) -> String {
        let own = match self {
            Self::Http => OF_HTTP,
            Self::Rest => OF_REST,
        };
        format!(
            "{}{}",
            own.replace("AuthorizerUri: URI", &format!("AuthorizerUri: {URI}")),
            PERMISSION.replace("KIND", self.name())
        )
    }

    fn output(self) -> String {
        let name = self.name();
        format!(
            "{name}AuthorizerId:\n  Description: The authorizer of the API, for its routes\n  Value: !Ref {name}Authorizer\n"
        )
    }
}

/// The routes of an API, checked, in the layer of the model.
pub(super) struct RoutesInLayer {
    /// Their path in a function.
    path: String,
}

impl RoutesInLayer {
    /// A file of routes, if there is one. It lies beside the model, whose folder becomes the layer.
    pub(super) fn of(routes: Option<&Path>, model: &Model, layer: Option<&Layer>) -> Result<Option<Self>> {
        let Some(path) = routes else { return Ok(None) };
        Routes::load(model, path)?;
        let folder = path.parent().map(|folder| Path::new(".").join(folder));
        let is_beside = |layer: &&Layer| {
            let of = |path: &Path| std::fs::canonicalize(path).ok();
            folder.as_deref().and_then(of).is_some_and(|folder| of(&layer.folder) == Some(folder))
        };
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        match layer.filter(is_beside) {
            Some(_) if name.ends_with(".toml") => Ok(Some(Self { path: in_function(&name) })),
            Some(_) | None => Err(miette!(
                help = "the functions get the folder of the model: put both files there. A model of your own can have one line, \
                        such as `extends = \"account-management\"`",
                "`{}` is no `.toml` file beside the model",
                path.display()
            )),
        }
    }
}

/// The lines of a block of the template that is about the authorizer. `None` if the block is not.
pub(super) fn block(
    name: &str,
    (routes, apis): (Option<&RoutesInLayer>, &[GuardedApi]),
    model: &Model,
    layers: &[String],
) -> Option<Vec<String>> {
    let of_apis = |of: fn(GuardedApi) -> String| apis.iter().map(|api| of(*api)).collect::<String>();
    let text = match name {
        "authorizer-parameters" => PARAMETERS.to_owned() + &of_apis(GuardedApi::parameter),
        "authorizer" => RESOURCES.to_owned() + &of_apis(GuardedApi::resources),
        "authorizer-output" => OUTPUTS.to_owned() + &of_apis(GuardedApi::output),
        _ => return None,
    };
    let Some(routes) = routes else { return Some(Vec::new()) };
    let routes = format!("INSTEP_ROUTES: {}", super::table::quoted(&routes.path));
    let text = text.replace("# routes", &routes);
    Some(added_function::filled(&text, "Authorizer", model, FunctionRole::Authorizer, layers))
}
