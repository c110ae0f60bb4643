//! What a stack has for the groups in tokens: the function that Cognito invokes before it issues some.

use instep_doctor::access::FunctionRole;
use instep_model::Model;
use miette::{Result, miette};

use super::added_function;

/// The trigger of a pool. Groups need no more than the first version, which each plan of Cognito has.
const TRIGGER: &str = "PreTokenGenerationConfig: { LambdaArn: !GetAtt TokenFunction.Arn, LambdaVersion: V1_0 }";

/// The resources. Cognito's pool names the function, so the function must not name the pool that the stack creates.
const RESOURCES: &str = r#"# Tokens -------------------------------------------------------------------------------------------

TokenFunction:
  Type: AWS::Serverless::Function
  Metadata:
    BuildMethod: rust-cargolambda
    BuildProperties: { Binary: token }
  Properties:
    CodeUri: functions/token
    Description: Sets the groups in tokens to what the table implies
    MemorySize: 512
    # Cognito waits for five seconds.
    Timeout: 5
    Role: !GetAtt TokenRole.Arn
    # layers
    Environment:
      Variables:
        INSTEP_USER_POOL: !If [NewUserPool, none, !Ref UserPoolId]
        INSTEP_POOL_IGNORES_CASE: !If [NewUserPool, FOLDS, "no"]
    LoggingConfig: { LogFormat: JSON, ApplicationLogLevel: TRACE, LogGroup: !Ref TokenLogs }

# logs

# permission of the pool

# role

TokenErrorsAlarm:
  Type: AWS::CloudWatch::Alarm
  Properties:
    AlarmDescription: Nobody can sign in, or get a new token. Runbook/TokenErrors.
    Namespace: AWS/Lambda
    MetricName: Errors
    Dimensions: [{ Name: FunctionName, Value: !Ref TokenFunction }]
    Statistic: Sum
    Period: 60
    EvaluationPeriods: 1
    Threshold: 0
    ComparisonOperator: GreaterThanThreshold
    TreatMissingData: notBreaching
    AlarmActions: !If [HasAlarmTopic, [!Ref AlarmTopicArn], !Ref AWS::NoValue]

TokensIncompleteAlarm:
  Type: AWS::CloudWatch::Alarm
  Properties:
    AlarmDescription: A token lacks groups, because it has too many. Runbook/TokensIncomplete.
    Namespace: Instep
    MetricName: TokensIncomplete
    Dimensions: [{ Name: Function, Value: !Ref TokenFunction }]
    Statistic: Sum
    Period: 300
    EvaluationPeriods: 1
    Threshold: 0
    ComparisonOperator: GreaterThanThreshold
    TreatMissingData: notBreaching
    AlarmActions: !If [HasAlarmTopic, [!Ref AlarmTopicArn], !Ref AWS::NoValue]
"#;

/// Whether a stack has them.
///
/// # Errors
/// No item of the model gives a membership.
pub(super) fn are_wanted(model: &Model, is_asked: bool) -> Result<bool> {
    if !is_asked && !model.has_token_groups() {
        return Ok(false);
    }
    if model.items.iter().all(|ty| ty.members.is_empty()) {
        return Err(miette!(
            help = "leave out `--tokens`",
            "no item of the model `{}` gives a membership, so no token has a group of it",
            model.name
        ));
    }
    Ok(true)
}

/// The resources. `ignores_case`: whether the pool does that the stack creates.
pub(super) fn resources(model: &Model, layers: &[String], ignores_case: bool) -> Vec<String> {
    let text = RESOURCES.replace("FOLDS", if ignores_case { "\"yes\"" } else { "\"no\"" });
    added_function::filled(&text, "Token", model, FunctionRole::Token, layers)
}

/// The trigger, as a property of a new pool's `LambdaConfig`.
pub(super) const fn trigger() -> &'static str {
    TRIGGER
}

/// What the operator of an existing pool sets there.
pub(super) fn outputs() -> Vec<String> {
    let lines = [
        "TokenFunctionArn:",
        "  Description: >-",
        "    The function that Cognito invokes before it issues tokens. In a pool that this stack has not created, set it as",
        "    the trigger PreTokenGenerationConfig, with the version V1_0",
        "  Value: !GetAtt TokenFunction.Arn",
    ];
    lines.map(str::to_owned).to_vec()
}
