//! The functions' policies: exactly the actions that they call for a model, and their resources.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use instep_doctor::access::{Access, FunctionRole, Resource, needed};
use instep_flow::bookkeeping::BookkeepingKind;
use instep_model::{BOOKKEEPING_PREFIX, Model};

use super::table::quoted;

/// The functions, by their names in the template.
const FUNCTIONS: [(&str, FunctionRole); 8] = [
    ("stream", FunctionRole::Stream),
    ("work", FunctionRole::Work),
    ("redrive", FunctionRole::Redrive),
    ("clock", FunctionRole::Clock),
    ("sweep", FunctionRole::Sweep),
    ("signup", FunctionRole::SignUp),
    ("authorizer", FunctionRole::Authorizer),
    ("token", FunctionRole::Token),
];

/// The statements of a block of the template, such as `work-policy`. `None` if it is no function's.
pub(super) fn of_block(model: &Model, block: &str) -> Option<Vec<String>> {
    let name = block.strip_suffix("-policy")?;
    let (_, function) = FUNCTIONS.into_iter().find(|(own, _)| *own == name)?;
    Some(statements(model, function))
}

/// Statements for one function.
pub(super) fn statements(model: &Model, function: FunctionRole) -> Vec<String> {
    let mut by_resource: BTreeMap<Resource, Vec<&'static str>> = BTreeMap::new();
    for Access { on, action } in needed(model, function) {
        by_resource.entry(on).or_default().push(action);
    }
    let mut lines = Vec::new();
    for (on, actions) in by_resource {
        lines.push("- Effect: Allow".to_owned());
        lines.push("  Action:".to_owned());
        lines.extend(actions.iter().map(|action| format!("    - {action}")));
        lines.push(format!("  Resource: {}", arn(model, on)));
        let partitions = match (function, on) {
            (FunctionRole::Clock, Resource::Table) => Some(format!("{}#*", BookkeepingKind::Due.word())),
            (_, Resource::ModelItems) => Some(BookkeepingKind::Model.word().to_owned()),
            (_, _) => None,
        };
        if let Some(partitions) = partitions {
            lines.push("  Condition:".to_owned());
            let keys = quoted(&format!("{BOOKKEEPING_PREFIX}{partitions}"));
            lines.push(format!("    ForAllValues:StringLike: {{ dynamodb:LeadingKeys: [{keys}] }}"));
        }
    }
    lines
}

/// The statements of all functions, for other templates.
pub(super) fn all(model: &Model) -> String {
    let mut text = String::new();
    let is_of_model = |function: &FunctionRole| match function {
        FunctionRole::SignUp => model.user_value().is_some(),
        FunctionRole::Authorizer => model.items.iter().any(|item| item.grant.is_some()),
        FunctionRole::Token => model.items.iter().any(|ty| !ty.members.is_empty()),
        FunctionRole::Stream
        | FunctionRole::Work
        | FunctionRole::Redrive
        | FunctionRole::Clock
        | FunctionRole::Sweep => true,
    };
    for (name, function) in FUNCTIONS.into_iter().filter(|(_, function)| is_of_model(function)) {
        let _ = writeln!(text, "{name}:");
        for line in statements(model, function) {
            let _ = writeln!(text, "  {line}");
        }
    }
    text
}

/// The resource for a policy of the template. A new table, pool or bus has a logical name; an
/// existing one has parameters.
pub(super) fn arn(model: &Model, on: Resource) -> String {
    match on {
        Resource::Table | Resource::ModelItems => {
            "!If [NewTable, !GetAtt Table.Arn, !Select [0, !Split [/stream/, !Ref TableStreamArn]]]".to_owned()
        }
        Resource::Index(place) => {
            let index = model.index_at(place).name.as_str();
            let new = quoted(&format!("${{Table.Arn}}/index/{index}"));
            let old = quoted(&format!("${{Arn}}/index/{index}"));
            format!(
                "!If [NewTable, !Sub {new}, !Sub [{old}, {{ Arn: !Select [0, !Split [/stream/, !Ref TableStreamArn]] }}]]"
            )
        }
        Resource::Stream => "!If [NewTable, !GetAtt Table.StreamArn, !Ref TableStreamArn]".to_owned(),
        Resource::UserPool => {
            let old = "arn:${AWS::Partition}:cognito-idp:${AWS::Region}:${AWS::AccountId}:userpool/${UserPoolId}";
            format!("!If [NewUserPool, !GetAtt UserPool.Arn, !Sub {}]", quoted(old))
        }
        // The model has whole ARNs: nobody can give another role to a group through Instep.
        Resource::GroupRoles => {
            let roles: Vec<String> = model.iam_roles().into_iter().map(quoted).collect();
            format!("[{}]", roles.join(", "))
        }
        Resource::Bus => {
            let old = "arn:${AWS::Partition}:events:${AWS::Region}:${AWS::AccountId}:event-bus/${EventBusName}";
            format!("!If [NewEventBus, !GetAtt EventBus.Arn, !Sub {}]", quoted(old))
        }
        Resource::WorkQueue => "!GetAtt WorkQueue.Arn".to_owned(),
        Resource::ParkedQueue => "!GetAtt ParkedQueue.Arn".to_owned(),
        Resource::ParkedObjects => format!("!Sub {}", quoted("${Bucket.Arn}/parked/*")),
        Resource::SweptObjects => format!("!Sub {}", quoted("${Bucket.Arn}/sweeps/*")),
        Resource::GivenUpObjects => format!("!Sub {}", quoted("${Bucket.Arn}/aws/lambda/*")),
        Resource::Bucket => "!GetAtt Bucket.Arn".to_owned(),
    }
}
