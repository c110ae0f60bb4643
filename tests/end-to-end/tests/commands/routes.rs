//! Routes of an API: `instep check --routes`, and the stack with an authorizer.

use expect_test::expect;
use instep_authorizer_function::{AUTHORIZER_VARIABLES, AuthorizerConfig};
use instep_doctor::access::{Access, FunctionRole, Resource, needed};
use instep_model::Model;
use instep_routes::Routes;
use serde_json::{Value, json};

use super::support::{instep, root};

/// The status and the output of a check.
fn checked(model: &str, routes: &str) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("routes.toml");
    std::fs::write(&file, routes).unwrap();
    let ran = instep(&["check", model, "--routes", file.to_str().unwrap()]);
    (ran.status, format!("{}{}", ran.stdout, ran.stderr))
}

/// Each error of a file, with its place and its fix.
fn wrong(model: &Model, routes: &str) -> String {
    let errors = Routes::parse(model, "routes.toml", routes).unwrap_err();
    let line = |problem: &instep_model::Problem| {
        let help = miette::Diagnostic::help(problem).map(|help| format!("\n  {help}")).unwrap_or_default();
        format!("{}: {problem}{help}\n", problem.place())
    };
    errors.problems().iter().map(line).collect()
}

#[test]
fn the_example_is_checked() {
    let ran = instep(&["check", "account-management", "--routes", "examples/api/routes.toml"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let page = std::fs::read_to_string(root().join("docs/guide/authorizer.md")).unwrap();
    assert!(page.contains(&ran.stdout), "{}", ran.stdout);
    let (status, text) = checked("account-management", "[\"GET /x\"]\ncann = \"a:b:c\"\n");
    assert_eq!(status, 2);
    assert!(text.contains("unknown word `cann`") && text.contains("did you mean `can`?"), "{text}");
    assert_eq!(instep(&["check", "platform", "--routes", "no-such-file"]).status, 2);
}

/// A mistake in each route.
const WRONG: &str = r#"
["GET /a/{building_id}"]
can = "energy:read"
at = "Building"

["GET /b/{building_id}"]
can = "energy:read:meters"
at = "Bilding"

["GET /c/{id}"]
can = "energy:read:meters"
at = "Building"

["GET /d/{project_id}"]
can = "energy:read:meters"
at = "Building"

["GET /e/{building_id}/{meter_id}"]
can = "energy:read:meters"
at = "Building"
ignores = ["meterId"]

["GET /f/{building_id}"]
role = []
at = "Building"

["GET /g/{building_id}"]
at = "Building"

["GET /h/{building_id}"]
can = "energy:read:meters"
role = ["admin"]
at = "Building"

["GET /i/{device_id}"]
can = "energy:read:meters"
at = "Device"

["GET /j"]
can = "energy:read:meters"

["GET /k/{building_id}"]
can = "energy:read:meters"
at = "Building"
ignores = ["building_id"]

["get /l"]
can = "energy:read:meters"
"#;

/// Promise: what is accepted comes true. What never could is refused, with the fix.
#[test]
fn what_could_not_come_true_is_refused() {
    let model = Model::shipped("account-management").unwrap();
    let found = wrong(&model, WRONG);
    expect![[r#"
        routes.toml:3:7: no permission of the model has the form of `energy:read`: write `{module}:{action}:{resource}` or `{module}:{action}:{resource}`
          `instep check MODEL` shows what the model answers
        routes.toml:8:6: there is no item type `Bilding`
          did you mean `Building`? grants apply at `Building`, `Client`, `Project`
        routes.toml:10:2: `id` is no name of a Building, or of what that is in
          call the parameter as the model calls the name: `project_id`, `building_id`; or, if the application itself checks it, write `ignores = ["id"]`
        routes.toml:14:2: the path does not say which Building
          it needs `{building_id}`, too
        routes.toml:18:2: `meter_id` is no name of a Building, or of what that is in
          call the parameter as the model calls the name: `project_id`, `building_id`; or, if the application itself checks it, write `ignores = ["meter_id"]`
        routes.toml:21:12: the path has no parameter `meterId`
          remove it from `ignores`
        routes.toml:24:8: the list is empty
          write at least one text
        routes.toml:27:2: the route needs nothing, so anybody could do it
          write `can = "…"` with a permission, or `role = ["…"]` with the roles of which one suffices
        routes.toml:30:2: the route has `can` and `role`
          write one of them; of several roles, one suffices
        routes.toml:37:6: no grant applies at a Device, or at anything that it is in
          grants apply at `Building`, `Client`, `Project`
        routes.toml:39:2: no grant counts everywhere, and the route says not where
          write `at` with one of `Building`, `Client`, `Project`
        routes.toml:45:12: `building_id` says where, and must not be ignored
          remove it from `ignores`
        routes.toml:47:2: `get` is no method of API Gateway
          write a route as API Gateway names it, such as `GET /projects/{project_id}`; the methods are ANY, DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT
    "#]].assert_eq(&found);
}

#[test]
fn roles_and_scopes_are_those_of_the_model() {
    let model = Model::shipped("access-management").unwrap();
    let found = wrong(
        &model,
        "[\"GET /groups/{groupId+}\"]\nrole = [\"admn\", \"reader\"]\nat = \"Group\"\n\
         [\"PUT /groups/{groupId+}\"]\ncan = \"a:b\"\nat = \"Group\"\n",
    );
    expect![[r#"
        routes.toml:2:9: no User has the role `admn`
          did you mean `admin`? the roles are `admin`, `contributor`, `reader`
        routes.toml:5:7: no permission of the model has the form of `a:b`
          `instep check MODEL` shows what the model answers
    "#]]
    .assert_eq(&found);
    let nobody = Model::shipped("relational-store").unwrap();
    expect![[r#"
        routes.toml:1:1: the model does not say whom a token stands for: no subject of a grant has a Cognito user
          give the subject's item type a `cognito.user`, or name people by `user = { sub = … }` or `{ name = … }` with names that are all in its key
    "#]].assert_eq(&wrong(&nobody, "[\"GET /x/{id}\"]\nrole = \"admin\"\nat = \"Node\"\n"));
}

/// Promise 2: a token stands for an item only if the item's key has all of what the token says.
#[test]
fn a_model_has_to_say_whose_a_token_is() {
    let model = |grant: &str, key: &str| {
        let text = format!(
            "model = \"m\"\ntable = {{ pk = \"PK\", sk = \"SK\" }}\n[items.Family]\npk = \"F#{{familyId}}\"\nsk = \"F\"\n\
             [items.Member]\npk = \"F#{{familyId}}\"\nsk = \"{key}\"\nparent = \"Family\"\n{grant}"
        );
        Model::parse("m.toml", &text).unwrap()
    };
    let grant = |value: &str| {
        format!(
            "grant = {{ subject = \"Member\", scope = \"Family\", roles = \"role\" }}\n\
             cognito.member = {{ user = {value}, group = \"f:{{familyId}}\" }}\n"
        )
    };
    let routes = "[\"GET /families/{familyId}\"]\nrole = \"owner\"\nat = \"Family\"\n";
    let in_key = model(&grant("{ sub = \"{memberId}\" }"), "M#{memberId}");
    assert!(Routes::parse(&in_key, "routes.toml", routes).is_ok());
    expect![[r#"
        routes.toml:2:8: whose token it is, a Member says, and the path does not say which Member
          the path needs `{familyId}`, too
    "#]]
    .assert_eq(&wrong(&in_key, "[\"GET /me\"]\nrole = \"owner\"\nat = \"Family\"\n"));
    let in_attribute = model(&grant("{ sub = \"{tokenId}\" }"), "M#{memberId}");
    expect![[r#"
        routes.toml:1:1: the model does not say whom a token stands for: no subject of a grant has a Cognito user
          give the subject's item type a `cognito.user`, or name people by `user = { sub = … }` or `{ name = … }` with names that are all in its key
    "#]].assert_eq(&wrong(&in_attribute, routes));
}

#[test]
fn a_stack_with_routes_has_an_authorizer() {
    let folder = tempfile::tempdir().unwrap();
    let (model, routes) = (folder.path().join("model.toml"), folder.path().join("api.toml"));
    std::fs::write(&model, "model = \"mine\"\nextends = \"account-management\"\n").unwrap();
    std::fs::copy(root().join("examples/api/routes.toml"), &routes).unwrap();
    let (model, routes) = (model.to_str().unwrap(), routes.to_str().unwrap());
    let stack = |more: &[&str]| {
        let ran = instep(&[&["template", "stack", model, "--create", "table,pool,bus"], more].concat());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        serde_json::from_str::<Value>(&ran.stdout).unwrap()
    };
    assert!(!stack(&[]).to_string().contains("Authorizer"));
    let template = stack(&["--routes", routes, "--api", "http,rest"]);
    let resources = &template["Resources"];
    let variables = &resources["AuthorizerFunction"]["Properties"]["Environment"]["Variables"];
    assert_eq!(variables["INSTEP_ROUTES"], "/opt/api.toml");
    assert_eq!(variables["INSTEP_USER_POOL"], json!({ "Ref": "UserPool" }));
    let role = resources["AuthorizerRole"].to_string();
    assert!(role.contains("dynamodb:BatchGetItem") && role.contains("dynamodb:Query"), "{role}");
    for not in ["PutItem", "DeleteItem", "UpdateItem", "Scan", "cognito", "sqs:", "s3:"] {
        assert!(!role.contains(not), "{not}: {role}");
    }
    for (kind, ttl) in [("HttpApi", "ApiGatewayV2::Authorizer"), ("RestApi", "ApiGateway::Authorizer")] {
        let own = &resources[format!("{kind}Authorizer")];
        assert_eq!(own["Type"], format!("AWS::{ttl}"));
        assert_eq!(own["Properties"]["AuthorizerResultTtlInSeconds"], 0, "a cached answer allows other requests");
        let permission = resources[format!("{kind}AuthorizerPermission")].to_string();
        assert!(permission.contains(&format!("${{{kind}Id}}/authorizers/${{{kind}Authorizer}}")), "{permission}");
        assert!(template["Parameters"][format!("{kind}Id")].get("Default").is_none());
    }
    let elsewhere = instep(&["template", "stack", "account-management", "--routes", routes]);
    assert_eq!(elsewhere.status, 2);
    assert!(elsewhere.stderr.contains("put both files there"), "{}", elsewhere.stderr);
    assert_eq!(instep(&["template", "stack", model, "--api", "http"]).status, 2, "an authorizer without routes");
}

#[test]
fn the_policy_reads_the_table_and_its_indexes() {
    let model = Model::shipped("account-management").unwrap();
    let needed = needed(&model, FunctionRole::Authorizer);
    let (of_table, others): (Vec<Access>, Vec<Access>) =
        needed.into_iter().partition(|access| access.on == Resource::Table);
    assert_eq!(of_table.iter().map(|of| of.action).collect::<Vec<_>>(), ["dynamodb:BatchGetItem", "dynamodb:Query"]);
    let is_query = |of: &Access| matches!(of.on, Resource::Index(_)) && of.action == "dynamodb:Query";
    assert!(others.len() == 5 && others.iter().all(is_query), "{others:?}");
}

/// Every variable of the authorizer is documented, and what is wrong with one is said at once.
#[test]
fn variables_of_the_authorizer_are_documented_and_checked() {
    let page = std::fs::read_to_string(root().join("docs/guide/authorizer.md")).unwrap();
    for variable in AUTHORIZER_VARIABLES {
        let default = variable.default.unwrap_or("needed");
        let row = format!("| `{}` | {} | {default} |", variable.name, variable.what);
        assert!(page.contains(&row), "{row}");
    }
    let read = |changes: &[(&str, &str)]| {
        let lookup = |name: &str| {
            let given = changes.iter().find(|(own, _)| *own == name).map(|(_, text)| (*text).to_owned());
            given.or_else(|| {
                let known =
                    ["AWS_", "INSTEP_TABLE", "INSTEP_BUS", "INSTEP_PARKED", "INSTEP_BUCKET", "INSTEP_WORK_QUEUE"];
                match name {
                    "INSTEP_MODEL" => Some("account-management".to_owned()),
                    "INSTEP_USER_POOL" => Some("eu-west-1_Ab1".to_owned()),
                    "INSTEP_TABLE_ARN" => None,
                    "INSTEP_ROUTES" => Some(root().join("examples/api/routes.toml").display().to_string()),
                    "INSTEP_TOKEN_CLIENTS" => Some("one, two".to_owned()),
                    _ => known.iter().any(|known| name.starts_with(known)).then(|| "x".to_owned()),
                }
            })
        };
        AuthorizerConfig::read(&lookup)
    };
    let config = read(&[]).unwrap();
    assert_eq!(config.options.issuer, "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Ab1");
    assert_eq!(config.options.clients, ["one", "two"]);
    let wrong = read(&[("INSTEP_TOKEN_CLIENTS", " "), ("INSTEP_TOKEN_USE", "both"), ("INSTEP_ROUTES", "none.toml")]);
    expect![[r#"
        INSTEP_TOKEN_CLIENTS is not set: it is the ids of the app clients whose tokens count, with commas between them
        INSTEP_TOKEN_USE is `both`, which is neither `access` nor `id`
        none.toml: `none.toml` cannot be read: No such file or directory (os error 2)"#]]
    .assert_eq(&wrong.unwrap_err().join("\n"));
}
