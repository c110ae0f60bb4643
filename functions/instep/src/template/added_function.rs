//! What the functions have in common that only some stacks have.

use instep_doctor::access::FunctionRole;
use instep_model::Model;

use super::policies;

/// Where the function's log goes. `NAME` is what the names of its resources begin with.
const LOGS: &str = r#"NAMELogs:
  Type: AWS::Logs::LogGroup
  Properties:
    RetentionInDays: !Ref LogRetentionDays
"#;

/// What the function may do.
const ROLE: &str = r#"NAMERole:
  Type: AWS::IAM::Role
  Properties:
    AssumeRolePolicyDocument:
      Version: "2012-10-17"
      Statement:
        - Effect: Allow
          Principal: { Service: lambda.amazonaws.com }
          Action: sts:AssumeRole
    Policies:
      - PolicyName: the-function
        PolicyDocument:
          Version: "2012-10-17"
          Statement:
            # policy
      - PolicyName: lambda
        PolicyDocument:
          Version: "2012-10-17"
          Statement:
            - Effect: Allow
              Action: [logs:CreateLogStream, logs:PutLogEvents]
              Resource: !GetAtt NAMELogs.Arn
"#;

/// Who may invoke the function: a user pool.
const PERMISSION: &str = r#"NAMEPermission:
  Type: AWS::Lambda::Permission
  Properties:
    Action: lambda:InvokeFunction
    FunctionName: !Ref NAMEFunction
    Principal: cognito-idp.amazonaws.com
    SourceAccount: !Ref AWS::AccountId
    SourceArn: POOL
"#;

/// The pool that may invoke the function.
const POOL: &str = r#"!If [NewUserPool, !GetAtt UserPool.Arn, !Sub "arn:${AWS::Partition}:cognito-idp:${AWS::Region}:${AWS::AccountId}:userpool/${UserPoolId}"]"#;

/// The resources of a function, with the parts that all such functions have, and those that depend on the model. The names of
/// its resources begin with `name`.
pub(super) fn filled(
    resources: &str,
    name: &str,
    model: &Model,
    function: FunctionRole,
    layers: &[String],
) -> Vec<String> {
    let text = resources
        .replace("# logs\n", LOGS)
        .replace("# role\n", ROLE)
        .replace("# permission of the pool\n", PERMISSION)
        .replace("NAME", name)
        .replace("SourceArn: POOL", &format!("SourceArn: {POOL}"));
    let filled = |line: &str| {
        let indent = line.get(..line.len() - line.trim_start().len()).unwrap_or_default().to_owned();
        let inner = match line.trim_start() {
            "# layers" => layers.to_vec(),
            "# policy" => policies::statements(model, function),
            other => vec![other.to_owned()],
        };
        inner.into_iter().map(move |line| format!("{indent}{line}").trim_end().to_owned())
    };
    text.lines().flat_map(filled).collect()
}
