//! The plain form of the template, and the functions that it deploys. `tests/template/forms.py` compares it with what
//! AWS's own transform makes of the form for SAM.

use std::collections::BTreeSet;
use std::path::Path;

use instep_model::shipped_names;
use serde_json::Value;

use crate::support::{Ran, instep, root};

/// The most that CloudFormation takes in a request. Source: AWS CloudFormation User Guide, "Understand CloudFormation
/// quotas", "Template body size in a request".
const BODY_BYTES_MAX: usize = 51_200;

/// The functions of a release.
const FUNCTIONS: [&str; 7] = ["clock", "consumer", "redrive", "signup", "stream", "sweep", "work"];

fn plain(arguments: &[&str]) -> Value {
    let made = instep(&[&["template", "stack"], arguments].concat());
    assert_eq!(made.status, 0, "{}", made.stderr);
    serde_json::from_str(&made.stdout).unwrap()
}

/// What an error says, without the frame around it.
fn said(ran: &Ran) -> String {
    ran.stderr.split_whitespace().filter(|word| *word != "|" && *word != "│").collect::<Vec<_>>().join(" ")
}

/// So `aws cloudformation deploy` needs no bucket for the template.
#[test]
fn the_template_fits_a_request() {
    for name in shipped_names() {
        for options in [&[][..], &["--alarm-topic"]] {
            let made = instep(&[&["template", "stack", name], options].concat());
            assert_eq!(made.status, 0, "{}", made.stderr);
            assert!(made.stdout.len() <= BODY_BYTES_MAX, "{name} {options:?}: {}", made.stdout.len());
        }
    }
}

/// A condition may read parameters and nothing else: one that reads what a caller passes would refuse the attribute of
/// another resource. Source: AWS CloudFormation User Guide, "Conditions".
#[test]
fn no_condition_reads_what_a_caller_passes() {
    const GIVEN: [&str; 4] = ["TableStreamArn", "UserPoolId", "EventBusName", "AlarmTopicArn"];
    let is_read = |template: &Value| GIVEN.map(|name| template.to_string().contains(name));
    let given = plain(&["platform", "--alarm-topic"]);
    assert_eq!((is_read(&given["Resources"]), is_read(&given["Conditions"])), ([true; 4], [false; 4]));
    for name in GIVEN {
        assert!(given["Parameters"][name].is_object() && given["Parameters"][name].get("Default").is_none(), "{name}");
    }
    let created = plain(&["platform", "--create", "table,pool,bus"]);
    assert_eq!(is_read(&created), [false; 4]);
    for (name, kind) in
        [("Table", "DynamoDB::Table"), ("UserPool", "Cognito::UserPool"), ("EventBus", "Events::EventBus")]
    {
        assert_eq!(created["Resources"][name]["Type"], format!("AWS::{kind}"));
        assert_eq!(created["Resources"][name]["DeletionPolicy"], "Retain", "{name}");
        assert!(given["Resources"].get(name).is_none(), "{name}");
    }
}

/// A resource is a line: a change of the template shows as a change of what it is about.
#[test]
fn each_resource_is_a_line() {
    let made = instep(&["template", "stack", "platform"]).stdout;
    let template: Value = serde_json::from_str(&made).unwrap();
    for (name, resource) in template["Resources"].as_object().unwrap() {
        let line = format!("{}:{resource}", Value::from(name.as_str()));
        assert!(made.lines().any(|other| other.trim_end_matches(',') == line), "{name}");
    }
}

/// The archive of the functions, unpacked.
fn functions(at: &Path, architecture: &str) -> String {
    let folder = at.join(format!("functions-{}-{architecture}", env!("CARGO_PKG_VERSION")));
    std::fs::create_dir(&folder).unwrap();
    for name in FUNCTIONS {
        std::fs::write(folder.join(format!("{name}.zip")), name).unwrap();
    }
    folder.to_str().unwrap().to_owned()
}

/// Changing the model changes the name of its archive: CloudFormation would not see a change under the same name.
#[test]
fn a_changed_model_is_another_archive() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    let text = std::fs::read_to_string(root().join("events/bookings/model.toml")).unwrap();
    std::fs::write(&file, &text).unwrap();
    let of = || {
        let template = plain(&[file.to_str().unwrap()]);
        let layer = &template["Resources"]["ModelLayer"]["Properties"];
        let function = &template["Resources"]["StreamFunction"]["Properties"];
        assert_eq!(function["Layers"], serde_json::json!([{ "Ref": "ModelLayer" }]));
        assert_eq!(function["Environment"]["Variables"]["INSTEP_MODEL"], "/opt/mine.toml");
        layer["Content"]["S3Key"]["Fn::Sub"].as_str().unwrap().to_owned()
    };
    let first = of();
    assert!(first.starts_with("${CodePrefix}model-") && first.ends_with(".zip"), "{first}");
    assert_eq!(of(), first);
    std::fs::write(&file, text + "# changed\n").unwrap();
    assert_ne!(of(), first);
}

/// A pool names the function that it invokes after a sign-up, so the function must not name the pool: CloudFormation
/// would refuse the circle. Promise 9: the function may send to the work queue, and only its pool may invoke it.
#[test]
fn people_who_sign_up_have_a_function() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("family.toml");
    let model = "model = \"family\"\ntable = { pk = \"PK\", sk = \"SK\" }\n[items.Member]\npk = \"FAMILY#{familyId}\"\n\
                 sk = \"MEMBER#{memberId}\"\ncognito.member = { user = { sub = \"{memberId}\" }, group = \"f:{familyId}\" }\n";
    std::fs::write(&file, model).unwrap();
    let file = file.to_str().unwrap();
    let without = plain(&["platform"]);
    assert!(!without.to_string().contains("SignUp"), "the shipped models have no people who sign up");
    for create in [&[][..], &["--create", "pool"]] {
        let template = plain(&[&[file], create].concat());
        let resources = &template["Resources"];
        let function = resources["SignUpFunction"].to_string();
        let is_own = !create.is_empty();
        assert!(!function.contains("UserPool\"") && !function.contains("UserPoolId"), "{function}");
        assert!(template.to_string().len() <= BODY_BYTES_MAX);
        let permission = resources["SignUpPermission"]["Properties"].to_string();
        let pool = if is_own { "{\"Fn::GetAtt\":[\"UserPool\",\"Arn\"]}" } else { "userpool/${UserPoolId}" };
        assert!(permission.contains(pool) && permission.contains("SourceArn"), "{permission}");
        let role = resources["SignUpRole"].to_string();
        assert_eq!(role.matches("\"Action\":").count(), 3, "{role}");
        assert!(role.contains("sqs:SendMessage") && !role.contains("dynamodb") && !role.contains("cognito"), "{role}");
        assert_eq!(resources["SignUpsLostAlarm"]["Properties"]["MetricName"], "SignUpsLost");
        assert!(template["Outputs"]["SignUpFunctionArn"].is_object());
        let stream = resources["StreamRole"].to_string();
        assert!(stream.contains("cognito-idp:ListUsers") && !stream.contains("AdminDeleteUser"), "{stream}");
        if is_own {
            let pool = &resources["UserPool"]["Properties"];
            assert_eq!(pool["LambdaConfig"]["PostConfirmation"]["Fn::GetAtt"][0], "SignUpFunction");
            assert_eq!(pool["AdminCreateUserConfig"]["AllowAdminCreateUserOnly"], false);
            let before = &pool["UserAttributeUpdateSettings"]["AttributesRequireVerificationBeforeUpdate"];
            assert_eq!(before, &serde_json::json!(["email"]));
        }
    }
}

#[test]
fn what_would_have_no_effect_is_refused() {
    let refusals: [(&[&str], &str); 5] = [
        (&["relational-store", "--create", "pool"], "leave `pool` out of `--create`"),
        (&["platform", "--create", "tables"], "possible values: table, pool, bus"),
        (&["platform", "--sam", "--consumer"], "cannot be used with '--consumer'"),
        (&["platform", "--sam", "--create", "table"], "cannot be used with '--create"),
        (&["platform", "--out", "template.yaml"], "`--sam`"),
    ];
    for (arguments, why) in refusals {
        let refused = instep(&[&["template", "stack"], arguments].concat());
        assert!(refused.status == 2 && said(&refused).contains(why), "{arguments:?}: {}", refused.stderr);
    }
}

/// Everything is looked at before anything is copied. There is no such endpoint: a copy would fail otherwise.
#[test]
fn functions_of_another_version_are_not_copied() {
    let dir = tempfile::tempdir().unwrap();
    let right = functions(dir.path(), "arm64");
    let other = dir.path().join("functions-0.0.1-arm64");
    std::fs::create_dir(&other).unwrap();
    let copy = |model: &str, folder: &str, options: &[&str]| {
        let arguments =
            ["template", "functions", model, folder, "--bucket", "code", "--endpoint", "http://127.0.0.1:1"];
        let refused = instep(&[&arguments, options].concat());
        assert_eq!(refused.status, 2, "{}", refused.stdout);
        said(&refused)
    };
    let of_other = copy("platform", other.to_str().unwrap(), &[]);
    assert!(of_other.contains("is no folder of the functions of version") && of_other.contains("unpack"), "{of_other}");
    assert!(copy("platform", &right, &["--prefix", "instep"]).contains("a prefix ends with `/`"));
    let unreached = copy("platform", &right, &[]);
    assert!(
        unreached.contains("cannot copy to `s3://code/functions-") && unreached.contains("PutObject"),
        "{unreached}"
    );
    std::fs::remove_file(Path::new(&right).join("work.zip")).unwrap();
    assert!(copy("platform", &right, &[]).contains("cannot read the function"), "one is missing");
}

/// The page explains each parameter of either form with its default, and no other, and each option of the plain form.
#[test]
fn each_parameter_is_documented() {
    let page = std::fs::read_to_string(root().join("docs/operate/deploying.md")).unwrap();
    let section = |name: &str| page.split(&format!("\n## {name}\n")).nth(1).unwrap().split("\n## ").next().unwrap();
    let everything = plain(&["platform", "--consumer", "--alarm-topic"]);
    let parameters = everything["Parameters"].as_object().unwrap();
    let mut documented = BTreeSet::new();
    for row in section("Parameters").lines().filter(|line| line.starts_with("| `")) {
        let [_, names, defaults, ..] = row.split('|').map(str::trim).collect::<Vec<_>>()[..] else { panic!("{row}") };
        let names: Vec<&str> = names.split(", ").map(|name| name.trim_matches('`')).collect();
        // One default for each, or one for all.
        let defaults: Vec<&str> = defaults.split(", ").collect();
        for (place, name) in names.iter().enumerate() {
            let parameter = parameters.get(*name).unwrap_or_else(|| panic!("no form has `{name}`"));
            let default = match &parameter["Default"] {
                Value::Null => "needed".to_owned(),
                Value::String(text) if text.is_empty() => "empty".to_owned(),
                Value::String(text) => format!("`{text}`"),
                number @ (Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => number.to_string(),
            };
            let said = defaults.get(place).unwrap_or(&defaults[0]);
            let is_said = *said == default || said.starts_with(&format!("{default} ("));
            assert!(is_said, "{name}: {said}, not {default}");
            documented.insert(*name);
        }
    }
    let expected: BTreeSet<&str> = parameters.keys().map(String::as_str).collect();
    assert_eq!(documented, expected);
    for option in ["--create table,pool,bus", "--consumer", "--alarm-topic", "--dashboard"] {
        assert!(section("With CloudFormation").contains(&format!("\n| `{option}` |")), "{option}");
    }
}

/// A release has the archives that the template names.
#[test]
fn a_release_has_what_the_template_names() {
    let workflow = std::fs::read_to_string(root().join(".github/workflows/release.yml")).unwrap();
    let packed = workflow.lines().find_map(|line| line.trim().strip_prefix("functions='")).unwrap();
    let page = std::fs::read_to_string(root().join("docs/operate/deploying.md")).unwrap();
    assert!(page.contains(&format!("for name in {}; do", packed.trim_end_matches('\''))), "so does who builds them");
    let mut packed: Vec<&str> = packed.trim_end_matches('\'').split(' ').collect();
    packed.sort_unstable();
    assert_eq!(packed, FUNCTIONS);
    assert!(workflow.contains("folder=functions-${GITHUB_REF_NAME#v}-$ARCHITECTURE\n"));
    assert!(workflow.contains("zip -qr \"$folder.zip\" \"$folder\"\n"), "the folder is in the archive");
    let template = plain(&["platform", "--consumer"]);
    let resources = template["Resources"].as_object().unwrap().values();
    let mut named: Vec<&str> =
        resources.filter_map(|resource| resource["Properties"]["Code"]["S3Key"]["Fn::Sub"].as_str()).collect();
    named.sort_unstable();
    let version = env!("CARGO_PKG_VERSION");
    // Nobody signs up for this model.
    let expected = FUNCTIONS.iter().filter(|name| **name != "signup");
    let expected: Vec<String> =
        expected.map(|name| format!("${{CodePrefix}}functions-{version}-${{Architecture}}/{name}.zip")).collect();
    assert_eq!(named, expected);
    for architecture in template["Parameters"]["Architecture"]["AllowedValues"].as_array().unwrap() {
        assert!(workflow.contains(&format!("architecture: {},", architecture.as_str().unwrap())), "{architecture}");
    }
}
