//! What the functions have in common that Cognito invokes.

use instep_doctor::access::FunctionRole;
use instep_model::Model;

use super::policies;

/// The pool that may invoke the function.
const POOL: &str = r#"!If [NewUserPool, !GetAtt UserPool.Arn, !Sub "arn:${AWS::Partition}:cognito-idp:${AWS::Region}:${AWS::AccountId}:userpool/${UserPoolId}"]"#;

/// The resources of a function, with the parts that depend on the model.
pub(super) fn filled(resources: &str, model: &Model, function: FunctionRole, layers: &[String]) -> Vec<String> {
    let filled = |line: &str| {
        let indent = line.get(..line.len() - line.trim_start().len()).unwrap_or_default().to_owned();
        let inner = match line.trim_start() {
            "# layers" => layers.to_vec(),
            "# policy" => policies::statements(model, function),
            "SourceArn: POOL" => vec![format!("SourceArn: {POOL}")],
            other => vec![other.to_owned()],
        };
        inner.into_iter().map(move |line| format!("{indent}{line}").trim_end().to_owned())
    };
    resources.lines().flat_map(filled).collect()
}
