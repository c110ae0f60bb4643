//! Whether a function says which groups tokens get.

use aws_sdk_cognitoidentityprovider::types::UserPoolType;
use instep_model::Model;

use crate::verify::CheckResult;

const POOL: &str = "pool";

/// The versions of the trigger that the function of tokens answers. Source: Amazon Cognito user pools API Reference,
/// PreTokenGenerationVersionConfigType.
const VERSIONS: [&str; 3] = [FIRST, "V2_0", "V3_0"];
const FIRST: &str = "V1_0";

/// Checks the trigger of a pool. With groups in tokens alone, it has to be there.
pub(crate) fn check(model: &Model, pool: &UserPoolType) -> Vec<CheckResult> {
    let triggers = pool.lambda_config();
    let set = triggers.and_then(|triggers| triggers.pre_token_generation_config());
    let set = set.map(|set| (set.lambda_version().as_str(), set.lambda_arn()));
    // The setting of before there were versions.
    let of_first = triggers.and_then(|triggers| triggers.pre_token_generation()).map(|arn| (FIRST, arn));
    match set.or(of_first) {
        Some((version, _)) if !VERSIONS.contains(&version) => {
            let message =
                format!("its trigger before tokens has the version {version}, which the function does not know");
            vec![CheckResult::wrong(POOL, message, "set it to V1_0, V2_0 or V3_0: groups need no more than V1_0")]
        }
        Some((version, arn)) => {
            let name = arn.rsplit(':').next().unwrap_or_default();
            let message = format!(
                "`{name}` says which groups tokens get ({version}). It has to be `TokenFunction` of the stack, whose permission \
                 is not checked"
            );
            vec![CheckResult::fine(POOL, message)]
        }
        None if model.has_token_groups() => {
            let message =
                "the model has groups in tokens alone, and no function says which groups tokens get: none has these";
            vec![CheckResult::wrong(POOL, message, attach(pool.id().unwrap_or("POOL")))]
        }
        None => Vec::new(),
    }
}

/// How a function becomes the trigger of a pool that its stack has not created.
fn attach(pool: &str) -> String {
    format!(
        "with `ARN` for the output `TokenFunctionArn` of the stack of `instep template stack`, which also has the permission to \
         invoke it: `aws cognito-idp update-user-pool --user-pool-id {pool} --lambda-config \
         PreTokenGenerationConfig='{{LambdaVersion=V1_0,LambdaArn=ARN}}'`, with all other settings of the pool, because \
         UpdateUserPool resets what a call leaves out"
    )
}

#[cfg(test)]
mod tests {
    use aws_sdk_cognitoidentityprovider::types::{LambdaConfigType, PreTokenGenerationVersionConfigType};

    use super::*;
    use crate::verify::Level;

    fn pool(version: Option<&str>) -> UserPoolType {
        let arn = "arn:aws:lambda:eu-west-1:111122223333:function:stack-TokenFunction-1";
        let of = |version: &str| {
            let set = PreTokenGenerationVersionConfigType::builder().lambda_version(version.into()).lambda_arn(arn);
            LambdaConfigType::builder().pre_token_generation_config(set.build().unwrap()).build()
        };
        UserPoolType::builder().id("eu-west-1_abc").set_lambda_config(version.map(of)).build()
    }

    /// Without the trigger, or with a version that the function does not know, no token has the groups.
    #[test]
    fn groups_in_tokens_need_the_trigger() {
        let text = "model = \"m\"\ntable = { pk = \"pk\", sk = \"sk\" }\n[items.Seat]\npk = \"T#{team}\"\nsk = \"S#{id}\"\n\
                    cognito.member = { user = { sub = \"{id}\" }, group = \"t:{team}\", in = \"token\" }";
        let in_tokens = Model::parse("m.toml", text).unwrap();
        let in_pool = Model::parse("m.toml", &text.replace(", in = \"token\"", "")).unwrap();
        let level = |model: &Model, version| check(model, &pool(version)).first().map(|found| found.level);
        for version in VERSIONS {
            assert_eq!(level(&in_tokens, Some(version)), Some(Level::Fine), "{version}");
        }
        assert_eq!(level(&in_tokens, None), Some(Level::Wrong));
        assert_eq!(level(&in_pool, None), None, "the pool's groups are in its tokens");
        assert_eq!(level(&in_pool, Some("V4_0")), Some(Level::Wrong), "no sign-in would work");
        let fix = check(&in_tokens, &pool(None)).remove(0).fix.unwrap();
        assert!(fix.contains("--user-pool-id eu-west-1_abc --lambda-config PreTokenGenerationConfig="), "{fix}");
    }
}
