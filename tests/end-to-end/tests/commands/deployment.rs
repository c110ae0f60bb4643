//! Template, policies and variables of the deployment agree with the models and the code.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use instep_doctor::access::{FunctionRole, Resource, needed};
use instep_flow::sweep::plan::{GRACE_SECONDS, Mode, SweepStart};
use instep_model::{Model, shipped_names};

use crate::support::{DESIGNS, instep, model_of, root};

/// The committed template is the one that its model generates.
#[test]
fn the_template_is_up_to_date() {
    let there = std::fs::read_to_string(root().join("template.yaml")).unwrap();
    let made = instep(&["template", "stack", "access-management", "--sam"]);
    assert_eq!(made.status, 0, "{}", made.stderr);
    assert!(
        there == made.stdout,
        "template.yaml differs from its model; `cargo run -- template stack access-management --sam --out template.yaml --force --fresh` makes it"
    );
}

/// Every shipped model has a template, with each block filled in and without resources of other
/// models.
#[test]
fn every_model_has_a_template() {
    for name in shipped_names() {
        let made = instep(&["template", "stack", name, "--sam"]).stdout;
        assert!(!made.contains("no such block"), "{name}");
        assert!(made.contains(&format!("INSTEP_MODEL: \"{name}\"")), "{name}");
        let model = Model::shipped(name).unwrap();
        for index in &model.indexes {
            assert!(made.contains(&format!("IndexName: \"{}\"", index.name)), "{name}");
        }
        let cognito = model.uses_cognito();
        assert_eq!(made.contains("AWS::Cognito::UserPool"), cognito, "{name}");
        assert_eq!(
            made.to_lowercase().contains("cognito-idp:"),
            cognito,
            "{name}: nothing is allowed that is not called"
        );
        assert_eq!(made.contains("CognitoRate") || made.contains("CognitoThrottlesAlarm"), cognito, "{name}");
    }
    let platform = instep(&["template", "stack", "platform", "--sam"]).stdout;
    assert!(platform.contains("- { Name: \"account_id\", AttributeDataType: String, Mutable: true }"));
}

/// A model that is not shipped is packed as a layer, from a folder of its own.
#[test]
fn a_model_of_ones_own_is_a_layer() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("mine.toml");
    std::fs::copy(root().join("events/bookings/model.toml"), &file).unwrap();
    let made = instep(&["template", "stack", file.to_str().unwrap(), "--sam"]);
    assert_eq!(made.status, 0, "{}", made.stderr);
    assert!(made.stdout.contains("INSTEP_MODEL: \"/opt/mine.toml\""));
    assert_eq!(made.stdout.matches("Layers: [!Ref ModelLayer]").count(), 5);
    assert!(made.stdout.contains(&format!("ContentUri: \"{}\"", dir.path().display())));
    let beside = dir.path().parent().unwrap();
    let out = tempfile::tempdir_in(beside).unwrap();
    let path = out.path().join("template.yaml");
    let path = path.to_str().unwrap();
    let model = out.path().join("model");
    std::fs::create_dir(&model).unwrap();
    std::fs::copy(&file, model.join("mine.toml")).unwrap();
    let written = instep(&["template", "stack", model.join("mine.toml").to_str().unwrap(), "--sam", "--out", path]);
    assert_eq!(written.status, 0, "{}", written.stderr);
    assert!(written.stderr.contains("`sam build` needs"), "{}", written.stderr);
    assert!(std::fs::read_to_string(path).unwrap().contains("ContentUri: \"model\""), "relative to the template");

    std::fs::write(model.join("more.toml"), format!("extends = {:?}\n", file.to_str().unwrap())).unwrap();
    let refused = instep(&["template", "stack", model.join("more.toml").to_str().unwrap()]);
    assert_eq!(refused.status, 2);
    assert!(refused.stderr.contains("is not in the folder"), "{}", refused.stderr);

    std::fs::write(dir.path().join("secrets.txt"), "").unwrap();
    let refused = instep(&["template", "stack", file.to_str().unwrap()]);
    assert_eq!(refused.status, 2);
    let said = refused.stderr.split_whitespace().filter(|word| *word != "|").collect::<Vec<_>>().join(" ");
    assert!(said.contains("has more than models") && said.contains("a folder of its own"), "{said}");
}

#[test]
fn a_template_is_not_overwritten_by_mistake() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("template.yaml");
    std::fs::write(&out, "mine").unwrap();
    let out = out.to_str().unwrap();
    let refused = instep(&["template", "stack", "platform", "--sam", "--out", out]);
    assert_eq!((refused.status, std::fs::read_to_string(out).unwrap().as_str()), (2, "mine"));
    assert!(refused.stderr.contains("--force"));
    assert_eq!(instep(&["template", "stack", "platform", "--sam", "--out", out, "--force", "--fresh"]).status, 0);
    let folder = instep(&["template", "stack", "platform", "--out", dir.path().to_str().unwrap(), "--force"]);
    assert!(folder.status == 2 && folder.stderr.contains("name a file"), "{}", folder.stderr);
    assert!(std::fs::read_to_string(out).unwrap().contains("AWS::Serverless-2016-10-31"));
}

/// The value of a property, in the part of the template that begins with a name.
fn property(template: &str, of: &str, name: &str) -> Option<u64> {
    let part = template.split_once(&format!("\n  {of}:\n")).unwrap().1;
    let lines = part.lines().take_while(|line| line.is_empty() || line.starts_with("   "));
    let value = lines.filter_map(|line| line.trim().strip_prefix(&format!("{name}: "))).next();
    value.map(|value| value.parse().unwrap())
}

/// Promise 2: no record is kept longer than Instep remembers the deletions that it depends on: in the stream, in
/// the bucket, from which S3 deletes up to a day late, as a work message, and as a parked record.
#[test]
fn no_record_outlives_its_tombstone() {
    const DAY: u64 = 24 * 60 * 60;
    let template = instep(&["template", "stack", "authorization", "--sam"]).stdout;
    let days = |name: &str| property(&template, "GivenUpRetentionDays", name).unwrap();
    assert!(days("Default") <= days("MaxValue"));
    let queue = |name: &str| property(&template, name, "MessageRetentionPeriod").unwrap() / DAY;
    let work = queue("WorkQueue").max(queue("WorkDeadLetterQueue"));
    let parked = queue("ParkedQueue").max(queue("ParkedDeadLetters"));
    let kept = 1 + days("MaxValue") + 1 + work + parked;
    let remembered = u64::try_from(instep_flow::bookkeeping::TOMBSTONE_SECONDS).unwrap() / DAY;
    assert!(kept <= remembered, "kept for {kept} days, remembered for {remembered}");
}

/// A dead-letter queue takes each message of its queue, and keeps it as long: SQS does not reset its age.
#[test]
fn dead_letters_fit_their_queue() {
    let template = instep(&["template", "stack", "authorization", "--sam"]).stdout;
    for (queue, dead) in [("WorkQueue", "WorkDeadLetterQueue"), ("ParkedQueue", "ParkedDeadLetters")] {
        assert!(template.contains(&format!("deadLetterTargetArn: !GetAtt {dead}.Arn")));
        for name in ["MaximumMessageSize", "MessageRetentionPeriod"] {
            let of = |queue| property(&template, queue, name);
            assert!(of(queue).is_some() && of(dead) >= of(queue), "{dead}: {name}");
        }
    }
    // Lambda sends failed asynchronous invocations there with the function's role.
    let role = template.split_once("\n  RedriveRole:\n").unwrap().1.split_once("\n  # Monitoring").unwrap().0;
    assert!(role.contains("Action: sqs:SendMessage\n                Resource: !GetAtt ParkedDeadLetters.Arn"));
    let policy = template.lines().find(|line| line.trim().starts_with("Queues: [")).unwrap();
    assert!(policy.contains("!Ref ParkedDeadLetters"), "{policy}");
}

/// The IAM actions of SDK calls whose action differs from the operation's name. Source: Amazon
/// DynamoDB Developer Guide, "Using IAM with DynamoDB transactions"; Amazon SQS Developer Guide,
/// "Amazon SQS API permissions"; Amazon S3 User Guide, "Required permissions for Amazon S3 API
/// operations".
fn actions(service: &str, operation: &str) -> Vec<String> {
    let own: &[&str] = match operation {
        "transact_write_items" => &["PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"],
        "send_message_batch" => &["SendMessage"],
        "delete_message_batch" => &["DeleteMessage"],
        "change_message_visibility_batch" => &["ChangeMessageVisibility"],
        "list_objects_v2" => &["ListBucket"],
        _ => &[],
    };
    let prefix = match service {
        "dynamodb" | "streams" => "dynamodb",
        "cognito" => "cognito-idp",
        "events" => "events",
        "sqs" => "sqs",
        "s3" => "s3",
        other => unreachable!("no such service: {other}"),
    };
    let pascal = || operation.split('_').map(|word| word[..1].to_uppercase() + &word[1..]).collect::<String>();
    let names = if own.is_empty() { vec![pascal()] } else { own.iter().map(|name| (*name).to_owned()).collect() };
    names.into_iter().map(|name| format!("{prefix}:{name}")).collect()
}

/// The operations that a source file, or the files of a folder, call, by service.
fn called(path: &Path, found: &mut BTreeSet<(String, String)>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).unwrap() {
            called(&entry.unwrap().path(), found);
        }
        return;
    }
    let text = std::fs::read_to_string(path).unwrap();
    // Finds `self.clients.cognito.get_group()`, also over several lines, through a variable for the
    // client, or through the client's accessor.
    let flat: String = text.split_whitespace().collect();
    for service in ["dynamodb", "streams", "cognito", "events", "sqs", "s3"] {
        for through in [format!("{service}."), format!("{service}().")] {
            for rest in flat.split(&through).skip(1) {
                let operation: String =
                    rest.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_' || c.is_ascii_digit()).collect();
                // A client that is cloned calls nothing.
                if operation != "clone" && rest[operation.len()..].starts_with("()") {
                    found.insert((service.to_owned(), operation));
                }
            }
        }
    }
}

/// Every action that the source calls is allowed, and every allowed action is called.
#[test]
fn policies_allow_what_the_code_calls_and_no_more() {
    let mut operations = BTreeSet::new();
    called(&root().join("shared/aws/src"), &mut operations);
    // Each function verifies its resources first. The other checks of the doctor run with a
    // person's permissions.
    called(&root().join("shared/doctor/src/verify.rs"), &mut operations);
    assert!(operations.len() > 30, "{operations:?}");
    let called: BTreeSet<String> =
        operations.iter().flat_map(|(service, operation)| actions(service, operation)).collect();
    // A model with every feature: all shipped models together, with what none of them asks for.
    let mut models: Vec<Model> = shipped_names().iter().map(|name| Model::shipped(name).unwrap()).collect();
    let more = "model = \"more\"\ntable = { pk = \"PK\", sk = \"SK\" }\n[items.Seat]\npk = \"TEAM#{teamId}\"\n\
                sk = \"SEAT#{sub}\"\n\
                cognito.member = { user = { sub = \"{sub}\" }, group = \"team:{teamId}\", sign_out = true }\n";
    models.push(Model::parse("more.toml", more).unwrap());
    let allowed: BTreeSet<String> = models
        .iter()
        .flat_map(|model| {
            [FunctionRole::Stream, FunctionRole::Work, FunctionRole::Redrive, FunctionRole::Sweep]
                .into_iter()
                .flat_map(|function| needed(model, function))
        })
        .map(|access| access.action.to_owned())
        .collect();
    assert_eq!(called.difference(&allowed).collect::<Vec<_>>(), [""; 0], "called and not allowed");
    assert_eq!(allowed.difference(&called).collect::<Vec<_>>(), [""; 0], "allowed and never called");
}

/// Promise 9: a sweep changes nothing in Cognito, and of the table only what the clock deletes, lost back-references, and
/// which model is deployed.
#[test]
fn the_sweep_function_may_only_read() {
    for name in shipped_names() {
        for access in needed(&Model::shipped(name).unwrap(), FunctionRole::Sweep) {
            let (service, operation) = access.action.split_once(':').unwrap();
            let is_read = ["AdminGet", "AdminList", "BatchGet", "Describe", "Get", "List", "Query", "Scan"]
                .iter()
                .any(|verb| operation.starts_with(verb));
            let is_own = matches!(
                (service, operation),
                ("dynamodb", "BatchWriteItem" | "DeleteItem") | ("sqs", "SendMessage") | ("s3", "PutObject")
            );
            let is_note = access.on == Resource::ModelItems && operation == "PutItem";
            assert!(is_read || is_own || is_note, "{name}: {}", access.action);
        }
    }
}

/// The policy of each system's model allows all calls of the system's whole history.
#[test]
fn histories_call_nothing_that_their_model_does_not_allow() {
    for system in DESIGNS {
        let ran = instep(&["replay", &format!("events/{system}"), "--json"]);
        let calls: BTreeMap<String, u64> = serde_json::from_value(ran.summary()["apiCalls"].clone()).unwrap();
        let (model, _) = model_of(system);
        let allowed: BTreeSet<&str> = needed(&model, FunctionRole::Stream)
            .iter()
            .map(|access| access.action.split_once(':').unwrap().1)
            .collect();
        for operation in calls.keys() {
            let is_allowed = match operation.as_str() {
                "TransactWriteItems" => allowed.contains("ConditionCheckItem") && allowed.contains("PutItem"),
                "SendMessageBatch" => allowed.contains("SendMessage"),
                operation => allowed.contains(operation),
            };
            assert!(is_allowed, "{system} calls {operation}");
        }
    }
}

/// The template's policies name every resource of the stream function. They name only the indexes
/// that the model queries.
#[test]
fn policies_are_as_narrow_as_the_model() {
    let needs = |name: &str| needed(&Model::shipped(name).unwrap(), FunctionRole::Stream);
    let has = |name: &str, action: &str| needs(name).iter().any(|access| access.action == action);
    assert!(has("access-management", "cognito-idp:AdminListGroupsForUser"), "the last revocation looks");
    assert!(!has("authorization", "cognito-idp:AdminListGroupsForUser"));
    let indexes: Vec<Resource> = needs("access-management")
        .into_iter()
        .map(|access| access.on)
        .filter(|on| matches!(on, Resource::Index(_)))
        .collect();
    assert_eq!(indexes, [], "its one index is for readers");
}

/// Whoever can pass any role to a group can give its members what they like.
#[test]
fn only_the_roles_of_the_model_can_be_passed() {
    const ROLE: &str = "arn:aws:iam::123456789012:role/proposals-admin";
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("proposals.toml");
    std::fs::copy(root().join("tests/foreign/proposals/model.toml"), &file).unwrap();
    let file = file.to_str().unwrap();
    let policies = instep(&["template", "policies", file]);
    assert_eq!(policies.status, 0, "{}", policies.stderr);
    let statement = format!("- iam:PassRole\n    Resource: [\"{ROLE}\"]");
    assert_eq!(policies.stdout.matches(&statement).count(), 2, "stream and work: {}", policies.stdout);
    let stack: serde_json::Value = serde_json::from_str(&instep(&["template", "stack", file]).stdout).unwrap();
    assert_eq!(stack.to_string().matches(ROLE).count(), 2);
    assert_eq!(stack.to_string().matches(&format!("\"Resource\":[\"{ROLE}\"]")).count(), 2);
    for name in shipped_names() {
        assert!(!instep(&["template", "policies", name]).stdout.contains("PassRole"), "{name}");
    }
    // Groups that are known by their names are changed only for their settings.
    let by_name = |groups: &str| {
        let text = format!(
            "model = \"m\"\ncognito.marker = \"name\"\ntable = {{ pk = \"PK\", sk = \"SK\" }}\n[items.A]\npk = \"A#{{a}}\"\n\
             sk = \"A\"\ncognito.groups = {groups}\n"
        );
        let needed = needed(&Model::parse("m.toml", &text).unwrap(), FunctionRole::Stream).into_iter();
        needed.filter(|access| access.action.contains("Group")).map(|access| access.action).collect::<Vec<_>>()
    };
    let plain = ["cognito-idp:CreateGroup", "cognito-idp:DeleteGroup", "cognito-idp:GetGroup"];
    assert_eq!(by_name("\"g:{a}\""), plain);
    let more =
        ["cognito-idp:CreateGroup", "cognito-idp:DeleteGroup", "cognito-idp:GetGroup", "cognito-idp:UpdateGroup"];
    assert_eq!(by_name("{ name = \"g:{a}\", precedence = 1 }"), more);
}

/// Each reason for a permission, in a model that has no other reason for it.
#[test]
fn each_reason_allows_what_it_needs_by_itself() {
    const ITEM: &str = "[items.A]\npk = \"A#{a}\"\nsk = \"A\"\n";
    let all = |text: &str| {
        let text = format!("model = \"m\"\n[table]\npk = \"PK\"\nsk = \"SK\"\n{text}");
        let model = Model::parse("m.toml", &text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let needed = needed(&model, FunctionRole::Stream).into_iter();
        let of_data =
            needed.filter(|access| ["dynamodb:", "cognito-idp:"].iter().any(|of| access.action.starts_with(of)));
        of_data.map(|access| access.action.split_once(':').unwrap().1).collect::<BTreeSet<_>>()
    };
    let added = |text: &str| {
        let (with, base) = (all(&format!("{ITEM}{text}")), all(ITEM));
        with.difference(&base).copied().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(all(ITEM).into_iter().collect::<Vec<_>>(), ["BatchGetItem", "DescribeTable"], "events alone");
    let spread = "ConditionCheckItem DeleteItem PutItem Query";
    assert_eq!(added("[items.C]\npk = \"A#{a}\"\nsk = \"C#{c}\"\nparent = \"A\"\n"), spread, "a child");
    let noted = "[items.C]\npk = \"C#{c}\"\nsk = \"C\"\nparent = { type = \"A\", a = \"{owner}\", find = \"back-reference\" }\n";
    assert_eq!(added(noted), format!("BatchWriteItem {spread}"), "a child that has to be noted");
    let guard = "[items.G]\npk = \"G#{email}\"\nsk = \"G\"\nguard = { owner = \"A\" }\n";
    assert_eq!(added(guard), format!("{spread} UpdateItem"), "a guard");
    let user = "cognito.user = { name = \"{a}\" }\n";
    assert_eq!(
        added(user),
        "AdminCreateUser AdminDeleteUser AdminDisableUser AdminEnableUser AdminGetUser ConditionCheckItem DeleteItem \
         DescribeUserPool PutItem UpdateItem",
        "a user"
    );
    let disabled = "cognito.user = { name = \"{a}\", create = false, disabled = { state = \"off\" } }\n";
    assert_eq!(added(disabled), "AdminDisableUser AdminEnableUser AdminGetUser DescribeUserPool", "a user of others");
}

/// Every variable that the functions read is documented, and the template sets it or it has a
/// default. There are no other variables.
#[test]
fn variables_are_documented_and_set() {
    let template = std::fs::read_to_string(root().join("template.yaml")).unwrap();
    let page = std::fs::read_to_string(root().join("docs/operate/deploying.md")).unwrap();
    for variable in instep_lambda::config::VARIABLES {
        let row = page.lines().find(|line| line.starts_with(&format!("| `{}` |", variable.name)));
        let row = row.unwrap_or_else(|| panic!("docs/operate/deploying.md has no row for {}", variable.name));
        assert!(row.contains(variable.what), "{row}\n{}", variable.what);
        assert!(row.contains(variable.default.unwrap_or("needed")), "{row}");
        let is_set = template.contains(&format!("{}:", variable.name));
        assert!(is_set || variable.default.is_some(), "{} is needed, and the template does not set it", variable.name);
    }
    let known: BTreeSet<&str> = instep_lambda::config::VARIABLES.iter().map(|variable| variable.name).collect();
    for line in template.lines().filter_map(|line| line.trim_start().strip_prefix("INSTEP_")) {
        let name = format!("INSTEP_{}", line.split(':').next().unwrap());
        assert!(known.contains(name.as_str()), "the template sets {name}, which nobody reads");
    }
}

/// The schedule gives the state machine an input that the sweep function understands, and so do the documents.
#[test]
fn the_schedule_starts_a_sweep() {
    let start = |text: &str| serde_json::from_str::<SweepStart>(text).unwrap();
    let expected =
        SweepStart { mode: Mode::Report, max_removals: 100, grace_seconds: GRACE_SECONDS, sweep: None, change: true };
    let template = std::fs::read_to_string(root().join("template.yaml")).unwrap();
    let line = template.lines().find_map(|line| line.trim().strip_prefix("Input: !Sub '")).unwrap();
    let input = line.trim_end_matches('\'').replace("${Sweep}", "report").replace("${SweepMaxRemovals}", "100");
    assert_eq!(start(&input), expected);
    let documents = std::fs::read_to_string(root().join("docs/operate/deploying.md")).unwrap();
    let (_, block) = documents.split_once("```json\n").unwrap();
    assert_eq!(start(block.split_once("```").unwrap().0), expected);
}

/// Every alarm has a paragraph in the runbook, and every such paragraph has an alarm.
#[test]
fn every_alarm_is_in_the_runbook() {
    // A model with all that a model can need.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("people.toml");
    let model = "model = \"people\"\ntable = { pk = \"PK\", sk = \"SK\" }\n[items.Member]\npk = \"FAMILY#{familyId}\"\n\
                 sk = \"MEMBER#{memberId}\"\ncognito.member = { user = { sub = \"{memberId}\" }, group = \"f:{familyId}\" }\n\
                 [items.Person]\npk = \"PERSON#{personId}\"\nsk = \"PERSON\"\ncognito.user.name = \"{personId}\"\n\
                 [items.Team]\npk = \"TEAM#{teamId}\"\nsk = \"TEAM\"\n[items.Seat]\npk = \"TEAM#{teamId}\"\n\
                 sk = \"SEAT#{personId}\"\ngrant = { subject = { type = \"Person\", find = \"back-reference\" }, scope = \"Team\", roles = \"role\" }\n";
    std::fs::write(&file, model).unwrap();
    let routes = folder.path().join("routes.toml");
    std::fs::write(&routes, "[\"GET /teams/{teamId}\"]\nrole = \"lead\"\nat = \"Team\"\n").unwrap();
    let routes = routes.to_str().unwrap();
    let template = instep(&[
        "template",
        "stack",
        file.to_str().unwrap(),
        "--sam",
        "--tokens",
        "--routes",
        routes,
        "--snapshots",
        "rate(1 day)",
    ])
    .stdout;
    let runbook = std::fs::read_to_string(root().join("docs/operate/runbook.md")).unwrap();
    let named: BTreeSet<String> = template
        .lines()
        .filter_map(|line| line.split("Runbook/").nth(1)?.strip_suffix('.'))
        .map(str::to_owned)
        .collect();
    let alarms = template.matches("Type: AWS::CloudWatch::Alarm").count();
    assert_eq!(template.matches("Runbook/").count(), alarms);
    let section = runbook.split("\n## Alarms\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let expected: BTreeSet<String> =
        section.lines().filter_map(|line| line.strip_prefix("### ")).map(str::to_owned).collect();
    assert_eq!(named, expected);
}
