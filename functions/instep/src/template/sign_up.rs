//! What a stack has for people who sign up: the function that Cognito invokes, and what their pool needs.

use instep_doctor::access::FunctionRole;
use instep_model::Model;

use super::added_function;

/// The resources. Cognito's pool names the function, so the function must not name the pool: it needs none.
const RESOURCES: &str = r#"# Sign-ups -----------------------------------------------------------------------------------------

SignUpFunction:
  Type: AWS::Serverless::Function
  Metadata:
    BuildMethod: rust-cargolambda
    BuildProperties: { Binary: signup }
  Properties:
    CodeUri: functions/signup
    Description: Tells Instep that somebody has signed up
    MemorySize: 256
    # Cognito waits for five seconds.
    Timeout: 5
    Role: !GetAtt SignUpRole.Arn
    # layers
    Environment:
      Variables:
        # The pool names this function, and the function calls no pool.
        INSTEP_USER_POOL: none
    LoggingConfig: { LogFormat: JSON, ApplicationLogLevel: TRACE, LogGroup: !Ref SignUpLogs }

# logs

# permission of the pool

# role

SignUpsLostAlarm:
  Type: AWS::CloudWatch::Alarm
  Properties:
    AlarmDescription: Instep was not told of a sign-up. Runbook/SignUpsLost.
    Namespace: Instep
    MetricName: SignUpsLost
    Dimensions: [{ Name: Function, Value: !Ref SignUpFunction }]
    Statistic: Sum
    Period: 300
    EvaluationPeriods: 1
    Threshold: 0
    ComparisonOperator: GreaterThanThreshold
    TreatMissingData: notBreaching
    AlarmActions: !If [HasAlarmTopic, [!Ref AlarmTopicArn], !Ref AWS::NoValue]

SignUpErrorsAlarm:
  Type: AWS::CloudWatch::Alarm
  Properties:
    AlarmDescription: The sign-up function fails, and users see an error. Runbook/SignUpsLost.
    Namespace: AWS/Lambda
    MetricName: Errors
    Dimensions: [{ Name: FunctionName, Value: !Ref SignUpFunction }]
    Statistic: Sum
    Period: 300
    EvaluationPeriods: 1
    Threshold: 0
    ComparisonOperator: GreaterThanThreshold
    TreatMissingData: notBreaching
    AlarmActions: !If [HasAlarmTopic, [!Ref AlarmTopicArn], !Ref AWS::NoValue]
"#;

/// The resources for a model whose items name people who sign up.
pub(super) fn resources(model: &Model, layers: &[String]) -> Vec<String> {
    if model.user_value().is_none() {
        return Vec::new();
    }
    added_function::filled(RESOURCES, "SignUp", model, FunctionRole::SignUp, layers)
}

/// The properties of a new pool, and its trigger.
pub(super) fn pool(model: &Model) -> (&'static [&'static str], Option<&'static str>) {
    if model.user_value().is_some() {
        let properties = &[
            "AdminCreateUserConfig: { AllowAdminCreateUserOnly: false }",
            "UserAttributeUpdateSettings: { AttributesRequireVerificationBeforeUpdate: [email] }",
            "AutoVerifiedAttributes: [email]",
        ];
        (properties, Some("PostConfirmation: !GetAtt SignUpFunction.Arn"))
    } else {
        (&["AdminCreateUserConfig: { AllowAdminCreateUserOnly: true }"], None)
    }
}

/// What the operator of an existing pool sets there.
pub(super) fn outputs(model: &Model) -> Vec<String> {
    if model.user_value().is_none() {
        return Vec::new();
    }
    let lines = [
        "SignUpFunctionArn:",
        "  Description: >-",
        "    The function that Cognito invokes after a sign-up. In a pool that this stack has not created, set it as the",
        "    trigger PostConfirmation, or let the function that is set there invoke it",
        "  Value: !GetAtt SignUpFunction.Arn",
    ];
    lines.map(str::to_owned).to_vec()
}
