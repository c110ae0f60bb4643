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
const FUNCTIONS: [&str; 9] =
    ["authorizer", "clock", "consumer", "redrive", "signup", "stream", "sweep", "token", "work"];

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

/// An archive costs: a stack has one only if it is asked for.
#[test]
fn an_archive_is_of_the_bus_that_the_stack_creates() {
    let archive = |options: &[&str]| {
        let template = plain(&[&["platform", "--create", "bus"], options].concat());
        template["Resources"].get("EventArchive").map(|archive| archive["Properties"].clone())
    };
    assert_eq!(archive(&[]), None);
    let properties = archive(&["--archive"]).unwrap();
    assert_eq!(properties["SourceArn"], serde_json::json!({"Fn::GetAtt": ["EventBus", "Arn"]}));
    assert_eq!(properties["RetentionDays"], serde_json::json!({"Ref": "ArchiveDays"}));
}

/// Snapshots cost: a stack sends them only if that is asked for. Then the sweep function may put events on the own bus, and
/// nothing else is added to what it may do.
#[test]
fn snapshots_are_sent_only_where_they_are_asked_for() {
    let before = plain(&["platform"]);
    let with = plain(&["platform", "--snapshots", "cron(0 4 * * ? *)"]);
    let names =
        |template: &Value| -> BTreeSet<String> { template["Resources"].as_object().unwrap().keys().cloned().collect() };
    let added: Vec<String> = names(&with).difference(&names(&before)).cloned().collect();
    let expected = [
        "SnapshotFailedAlarm",
        "SnapshotMachine",
        "SnapshotMachineRole",
        "SnapshotNotStartedAlarm",
        "SnapshotPolicy",
        "SnapshotRule",
        "SnapshotRuleRole",
    ];
    assert_eq!(added, expected);
    for (name, resource) in before["Resources"].as_object().unwrap() {
        assert_eq!(with["Resources"][name], *resource, "{name}");
    }
    let statements = with["Resources"]["SnapshotPolicy"]["Properties"]["PolicyDocument"]["Statement"].clone();
    let statements = statements.as_array().unwrap();
    assert_eq!(statements.len(), 1);
    assert_eq!(statements[0]["Action"], "events:PutEvents");
    assert!(statements[0]["Resource"].to_string().contains("event-bus/${EventBusName}"), "{}", statements[0]);
    assert_eq!(with["Resources"]["SnapshotRule"]["Properties"]["ScheduleExpression"], "cron(0 4 * * ? *)");
    let refused = instep(&["template", "stack", "platform", "--snapshots", "daily"]);
    assert_eq!(refused.status, 2);
    assert!(refused.stderr.contains("a schedule is `rate(1 day)`"), "{}", refused.stderr);
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

/// Promise 9: the function of tokens may read the table and nothing else, and only its pool may invoke it. A pool of the stack
/// has it as its trigger. A model with groups in tokens alone always has it.
#[test]
fn tokens_have_a_function() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("clubs.toml");
    let model = "model = \"clubs\"\ntable = { pk = \"PK\", sk = \"SK\" }\n[items.Seat]\npk = \"CLUB#{clubId}\"\n\
                 sk = \"SEAT#{id}\"\ncognito.member = { user = { sub = \"{id}\" }, group = \"c:{clubId}\", in = \"token\" }\n";
    std::fs::write(&file, model).unwrap();
    let file = file.to_str().unwrap();
    assert!(!plain(&["platform"]).to_string().contains("Token"), "only if somebody asks for it");
    for arguments in [&["platform", "--tokens"][..], &[file], &["platform", "--tokens", "--create", "table,pool,bus"]] {
        let template = plain(arguments);
        let resources = &template["Resources"];
        let is_own = arguments.contains(&"--create");
        let permission = &resources["TokenPermission"]["Properties"];
        let pool = if is_own { "{\"Fn::GetAtt\":[\"UserPool\",\"Arn\"]}" } else { "userpool/${UserPoolId}" };
        assert!(permission["SourceArn"].to_string().contains(pool), "{permission}");
        assert_eq!(permission["SourceAccount"]["Ref"], "AWS::AccountId");
        assert_eq!(permission["Principal"], "cognito-idp.amazonaws.com");
        let role = resources["TokenRole"].to_string();
        let writes = ["Put", "Update", "Delete", "Scan", "cognito-idp", "sqs:", "s3:", "events:"];
        assert!(writes.iter().all(|word| !role.replace("PutLogEvents", "").contains(word)), "{role}");
        assert!(role.contains("dynamodb:BatchGetItem") && role.contains("dynamodb:Query"), "{role}");
        let variables = &resources["TokenFunction"]["Properties"]["Environment"]["Variables"];
        assert_eq!(variables["INSTEP_USER_POOL"] == "none", is_own, "the pool that it creates names the function");
        // The names of `platform` are as they are written: a pool that the stack creates heeds case.
        assert_eq!(variables["INSTEP_POOL_IGNORES_CASE"], "no");
        assert!(template["Outputs"]["TokenFunctionArn"].is_object());
        if is_own {
            let trigger = &resources["UserPool"]["Properties"]["LambdaConfig"]["PreTokenGenerationConfig"];
            assert_eq!(trigger["LambdaArn"]["Fn::GetAtt"][0], "TokenFunction");
            assert_eq!(trigger["LambdaVersion"], "V1_0");
        }
    }
    let stream = plain(&[file])["Resources"]["StreamRole"].to_string();
    assert!(!stream.contains("UserToGroup") && !stream.contains("CreateGroup"), "in no pool: {stream}");
    let refused = instep(&["template", "stack", "relational-store", "--tokens"]);
    assert!(refused.status == 2 && said(&refused).contains("leave out `--tokens`"), "{}", refused.stderr);
}

#[test]
fn what_would_have_no_effect_is_refused() {
    let refusals: [(&[&str], &str); 6] = [
        (&["platform", "--create", "table", "--archive"], "add `bus` to `--create`"),
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

/// A stack that exists: a folder with models, and the template that is deployed.
struct Deployed {
    folder: tempfile::TempDir,
    /// The options of each command.
    options: &'static [&'static str],
    file: &'static str,
}

/// A model of people, with what stands in place of these words.
const PEOPLE: &str = "model = \"people\"\ntable = { pk = \"PK\", sk = \"SK\", ttl = \"expires\" }\n\
                      indexes.GSI1 = { pk = \"GSI1PK\", sk = \"GSI1SK\" }\n\
                      [items.Org]\npk = \"ORG#{org}\"\nsk = \"ORG\"\ncognito.groups = \"org:{org}\"\n\
                      [items.User]\npk = \"USER#{id}\"\nsk = \"USER\"\nGSI1 = { pk = \"ORG#{org}\", sk = \"USER#{id}\" }\n\
                      parent = \"Org\"\n\
                      cognito.user = { name = \"{id}\", attributes = { \"custom:desk\" = \"{desk}\" } }\n";

impl Deployed {
    fn new(options: &'static [&'static str], file: &'static str) -> Self {
        let deployed = Self { folder: tempfile::tempdir().unwrap(), options, file };
        let first = deployed.write("old", PEOPLE, &[]);
        assert_eq!((first.status, &*first.stdout), (0, ""), "{}", first.stderr);
        deployed
    }

    fn plain() -> Self {
        Self::new(&["--create", "table,pool,bus"], "template.json")
    }

    fn sam() -> Self {
        Self::new(&["--sam"], "template.yaml")
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn model(&self, folder: &str, text: &str) -> String {
        let folder = self.folder.path().join(folder);
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("people.toml");
        std::fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_owned()
    }

    fn write(&self, folder: &str, model: &str, more: &[&str]) -> Ran {
        let (model, out) = (self.model(folder, model), self.path(self.file));
        instep(&[&["template", "stack", &model], self.options, &["--out", &out, "--force"], more].concat())
    }

    /// The first line that the command prints for a model.
    fn step(&self, folder: &str, model: &str) -> String {
        let ran = self.write(folder, model, &[]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        ran.stdout.lines().next().unwrap_or_default().split(". It is for").next().unwrap().to_owned()
    }

    fn refused(&self, model: &str, more: &[&str]) -> String {
        let before = self.text();
        let ran = self.write("new", model, more);
        assert_eq!((ran.status, self.text()), (2, before), "{}", ran.stdout);
        said(&ran)
    }

    fn text(&self) -> String {
        std::fs::read_to_string(self.path(self.file)).unwrap()
    }

    fn properties(&self, resource: &str) -> Value {
        let template: Value = serde_json::from_str(&self.text()).unwrap();
        template["Resources"][resource]["Properties"].clone()
    }
}

fn changed(edits: &[(&str, &str)]) -> String {
    edits.iter().fold(PEOPLE.to_owned(), |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replace(old, new)
    })
}

/// One deployment for each index, and none in which a model queries an index that is being created. The property of
/// all changes is tested beside the rules.
#[test]
fn a_change_is_written_step_by_step() {
    let new = changed(&[("GSI1", "byOrg"), ("expires", "ends")]);
    for deployed in [Deployed::plain(), Deployed::sam()] {
        let told = deployed.write("new", &new, &[]).stdout;
        let expected = [
            "Step 1 of 4: adds the index `byOrg`, under the model that is deployed. It is for a stack",
            "until the index is ACTIVE",
            "IndexName=='byOrg'",
            "disables the time to live by `expires`, under the model that is deployed; deploys the new model; drops the \
             index `GSI1`.",
        ];
        assert!(expected.iter().all(|part| told.contains(part)), "{told}");
        let steps = ["Step 2 of 4: disables the time to live by `expires`", "Step 3 of 4: deploys the new model"];
        for step in steps {
            assert!(deployed.step("new", &new).starts_with(step), "{step}");
        }
        assert!(deployed.text().contains("\"3 of 4\""), "the metadata says it");
        assert_eq!(deployed.step("new", &new), "Step 4 of 4: drops the index `GSI1`");
        let last = deployed.text();
        assert!(deployed.step("new", &new).starts_with("Nothing changes"));
        assert_eq!(deployed.text(), last);
        let fresh = deployed.write("new", &new, &["--fresh"]);
        assert_eq!((fresh.status, &*fresh.stdout, deployed.text()), (0, "", last), "complete is as new");
    }
}

/// The functions keep what they have until their model's indexes exist: a query would fail, and the record be parked.
#[test]
fn an_index_comes_alone() {
    let deployed = Deployed::plain();
    let before: Value = serde_json::from_str(&deployed.text()).unwrap();
    deployed.step("new", &changed(&[("GSI1", "byOrg")]));
    let mut after: Value = serde_json::from_str(&deployed.text()).unwrap();
    let names = |table: &Value| {
        let indexes = table["GlobalSecondaryIndexes"].as_array().unwrap().iter();
        indexes.map(|index| index["IndexName"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&after["Resources"]["Table"]["Properties"]), ["GSI1", "byOrg"]);
    after["Resources"]["Table"] = before["Resources"]["Table"].clone();
    assert_eq!(after["Resources"], before["Resources"]);
    assert_eq!(after["Metadata"]["Instep"]["Step"], "1 of 3");
}

/// Cognito deletes no attribute, and no pool begins to ignore case.
#[test]
fn what_a_pool_cannot_change_is_kept() {
    let deployed = Deployed::plain();
    let there = deployed.properties("UserPool");
    let told = deployed.write("new", &changed(&[("custom:desk", "custom:floor"), ("\"{id}\"", "\"{id|lower}\"")]), &[]);
    assert!(told.stdout.starts_with("Step 1 of 1: deploys the new model"), "{}", told.stdout);
    assert!(told.stdout.contains("keeps the attributes that the model has no more: `desk`"), "{}", told.stdout);
    assert!(told.stdout.contains("heeds case, as before"), "{}", told.stdout);
    let pool = deployed.properties("UserPool");
    assert_eq!(pool["UsernameConfiguration"], serde_json::json!({ "CaseSensitive": true }));
    let (old, new) = (there["Schema"].as_array().unwrap(), pool["Schema"].as_array().unwrap());
    assert!(new.starts_with(old) && new.len() == old.len() + 1 && new[old.len()]["Name"] == "floor", "{new:?}");
    assert!(
        deployed.text().contains("because Cognito cannot change it: UsernameConfiguration, Schema"),
        "{}",
        deployed.text()
    );

    // What somebody else has set in the template, and what is absent, stays so.
    let mut template: Value = serde_json::from_str(&deployed.text()).unwrap();
    let properties = template["Resources"]["UserPool"]["Properties"].as_object_mut().unwrap();
    properties.remove("UsernameConfiguration");
    properties.insert("AliasAttributes".to_owned(), serde_json::json!(["email"]));
    std::fs::write(deployed.path("template.json"), template.to_string()).unwrap();
    deployed.step("new", PEOPLE);
    let pool = deployed.properties("UserPool");
    assert_eq!((pool.get("UsernameConfiguration"), &pool["AliasAttributes"][0]), (None, &Value::from("email")));
}

#[test]
fn what_no_template_changes_is_refused() {
    let deployed = Deployed::plain();
    let refused = |edits: &[(&str, &str)], parts: &[&str]| {
        let said = deployed.refused(&changed(edits), &[]);
        assert!(parts.iter().all(|part| said.contains(part)), "{said}");
    };
    refused(&[("GSI1SK", "GSI1Sort")], &["`GSI1` would change its keys", "another name in the model"]);
    refused(&[("pk = \"PK\"", "pk = \"id\"")], &["KeySchema would change", "keep `pk` and `sk`", "`--fresh`"]);
    refused(&[("model = \"people\"", "model = \"folk\"")], &["is of the model `people`", "keeps its name"]);
    let indexes = |of: std::ops::Range<u8>| {
        let index = |n| {
            format!(
                "[indexes.byNumber{n}]\npk = \"P{n}\"\n[items.T{n}]\npk = \"T{n}#{{t}}\"\nsk = \"T\"\nbyNumber{n}.pk = \"ALL\"\n"
            )
        };
        of.map(index).collect::<String>()
    };
    let many = deployed.refused(&(PEOPLE.replace("GSI1", "byOrg") + &indexes(0..19)), &[]);
    assert!(many.contains("are 21 together") && many.contains("at most 20"), "{many}");

    let ignoring = Deployed::plain();
    ignoring.write("new", &changed(&[("\"{id}\"", "\"{id|lower}\"")]), &["--fresh"]);
    let case = ignoring.refused(PEOPLE, &[]);
    assert!(case.contains("two items could share a user") && case.contains("`|lower`"), "{case}");
    assert!(!case.contains("UserPoolId"), "that is of the form for SAM: {case}");

    let mut template: Value = serde_json::from_str(&deployed.text()).unwrap();
    let schema = template["Resources"]["UserPool"]["Properties"]["Schema"].as_array_mut().unwrap();
    schema.iter_mut().find(|entry| entry["Name"] == "desk").unwrap()["Mutable"] = false.into();
    std::fs::write(deployed.path("template.json"), template.to_string()).unwrap();
    let schema = deployed.refused(PEOPLE, &[]);
    assert!(schema.contains("attribute `desk` as") && schema.contains("another name"), "{schema}");
}

/// A stack gives nothing up, and makes nothing anew, because somebody left an option out.
#[test]
fn a_stack_keeps_what_it_creates() {
    let deployed = Deployed::plain();
    let (model, out) = (deployed.model("old", PEOPLE), deployed.path("template.json"));
    let write =
        |options: &[&str]| instep(&[&["template", "stack", &model, "--out", &out, "--force"], options].concat());
    let lost = said(&write(&["--create", "table"]));
    assert!(lost.contains("creates the pool, and the new template would not") && lost.contains("add `bus`"), "{lost}");
    assert_eq!(write(&["--fresh"]).status, 0);
    let anew = said(&write(&["--create", "table"]));
    assert!(anew.contains("a table of yours (`TableStreamArn`)") && anew.contains("leave `table` out"), "{anew}");
    let own = write(&["--alarm-topic"]);
    assert!(own.status == 0 && own.stdout.contains("`instep doctor` with the new model lists"), "{}", own.stdout);
}

#[test]
fn the_template_that_is_deployed_can_be_another_file() {
    let deployed = Deployed::plain();
    let new = changed(&[("GSI1", "byOrg")]);
    let (model, there, out) = (deployed.model("new", &new), deployed.path("template.json"), deployed.path("next.json"));
    let write = |more: &[&str]| {
        let options = ["template", "stack", &model, "--create", "table,pool,bus", "--out", &out];
        instep(&[&options, more].concat())
    };
    let ran = write(&["--against", &there]);
    assert!(ran.stdout.starts_with("Step 1 of 3: adds the index `byOrg`"), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("template.json` as it was"), "{}", ran.stdout);
    assert!(said(&write(&["--against", &there])).contains("`--force` overwrites it"));
    assert!(said(&write(&["--force", "--against", "nowhere.json"])).contains("cannot read `nowhere.json`"));
    assert!(said(&write(&["--force", "--fresh", "--against", &there])).contains("cannot be used with"));
    std::fs::write(&out, "mine").unwrap();
    let other = said(&write(&["--force"]));
    assert!(other.contains("is no template that Instep wrote") && other.contains("`--fresh`"), "{other}");
    std::fs::write(&out, "").unwrap();
    let empty = write(&["--force"]);
    assert_eq!((empty.status, &*empty.stdout), (0, ""), "an empty file is no history: {}", empty.stderr);
}

/// `sam build` takes the model that the folder has, or that the source ships.
#[test]
fn sam_needs_the_model_that_is_deployed() {
    let deployed = Deployed::sam();
    let new = changed(&[("GSI1", "byOrg")]);
    let before = deployed.text();
    let refused = deployed.write("old", &new, &[]);
    assert_eq!((refused.status, deployed.text()), (2, before));
    assert!(said(&refused).contains("put the new model into a folder of its own"), "{}", refused.stderr);
    // What needs no such step is written at once.
    let attribute = changed(&[("custom:desk", "custom:floor")]);
    assert_eq!(deployed.step("old", &attribute), "Step 1 of 1: deploys the new model");
    assert!(deployed.text().contains("Kept: \"as the pool has it"), "{}", deployed.text());
    let next = attribute.replace("GSI1", "byOrg");
    assert_eq!(deployed.step("new", &next), "Step 1 of 3: adds the index `byOrg`, under the model that is deployed");
    assert!(deployed.text().contains("ContentUri: \"old\""), "the model that is deployed");

    let unmarked = deployed.text().replace("# from the model: table", "# my table");
    std::fs::write(deployed.path("template.yaml"), unmarked).unwrap();
    let more =
        next + "[indexes.byName]\npk = \"name\"\n[items.Name]\npk = \"N#{n}\"\nsk = \"N\"\nbyName.pk = \"ALL\"\n";
    assert!(deployed.refused(&more, &[]).contains("put the comments back"));
    let other = instep(&[
        "template",
        "stack",
        &deployed.model("new", &more),
        "--create",
        "table,pool,bus",
        "--out",
        &deployed.path("x.json"),
        "--against",
        &deployed.path("template.yaml"),
    ]);
    assert!(said(&other).contains("has the other form"), "{}{}", other.stdout, other.stderr);
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
    let mut parameters = everything["Parameters"].as_object().unwrap().clone();
    let archive = plain(&["platform", "--create", "bus", "--archive"]);
    parameters.extend(archive["Parameters"].as_object().unwrap().clone());
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
    for option in ["--create table,pool,bus", "--consumer", "--archive", "--alarm-topic", "--dashboard"] {
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
    // Nobody signs up for this model, nobody has asked for `--tokens`, and there are no routes.
    let expected = FUNCTIONS.iter().filter(|name| !["authorizer", "signup", "token"].contains(*name));
    let expected: Vec<String> =
        expected.map(|name| format!("${{CodePrefix}}functions-{version}-${{Architecture}}/{name}.zip")).collect();
    assert_eq!(named, expected);
    for architecture in template["Parameters"]["Architecture"]["AllowedValues"].as_array().unwrap() {
        assert!(workflow.contains(&format!("architecture: {},", architecture.as_str().unwrap())), "{architecture}");
    }
}
