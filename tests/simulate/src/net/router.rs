//! Routes a call to the table or to the stand-in of a service.

use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use instep_local::Fault;
use serde_json::Value;

use super::call::SeenCall;
use super::faults::Fate;
use super::wire::{is_cognito, refusal, response};
use super::{Net, REMOVING};
use crate::writers::SECRET;

impl Net {
    pub(super) fn answer(&self, call: &SeenCall) -> Result<HttpResponse, ConnectorError> {
        let SeenCall { process, operation, request, body, fate, .. } = call;
        let now_ms = self.now_ms();
        let entries = body.get("Entries").and_then(Value::as_array).map_or(0, Vec::len);
        let fault = (*fate == Fate::Partial).then(|| Fault::Entries {
            places: (0..entries).filter(|_| self.chance.of_thousand(500)).collect(),
            code: "InternalFailure".to_owned(),
        });
        if is_cognito(request) && *fate != Fate::Late {
            let found = self.facts(body).iter().find_map(|fact| self.watch().removes(*process, fact, now_ms));
            let found = found.filter(|_| REMOVING.contains(&operation.as_str()));
            let found = found.filter(|_| operation != "AdminDeleteUser" || !self.is_of_an_earlier_item(body));
            self.found(found.filter(|_| operation != "DeleteGroup" || !self.is_group_of_an_earlier_item(body)));
        }
        let Some(answer) = self.services.answer(request, fault.as_ref()) else {
            return self.answer_of_the_table(call, now_ms);
        };
        let answer = answer?;
        if answer.status().is_success() {
            self.answered(call, &answer);
        }
        self.check_limits(operation, request, &answer);
        Ok(answer)
    }

    fn answer_of_the_table(&self, call: &SeenCall, now_ms: i64) -> Result<HttpResponse, ConnectorError> {
        let SeenCall { process, operation, body, fate, .. } = call;
        let spare = if *fate == Fate::Unprocessed { 1 + self.chance.below(5) } else { 0 };
        let lag = self.lag();
        let (answer, written, lagged) = {
            let mut table = self.table();
            (table.call(operation, body, now_ms, lag, spare), table.written(), table.lagged())
        };
        if lagged {
            self.count("IndexLag");
        }
        if !written.is_empty() {
            let found = self.watch().written(written, Some(*process));
            self.found(found);
        }
        match answer {
            Ok(answer) => {
                let found =
                    answer.pointer("/Items").or_else(|| answer.pointer(&format!("/Responses/{}", self.table().name)));
                let rows = found.and_then(Value::as_array).map_or(0, Vec::len);
                let found = self.watch().reads(*process, rows);
                self.found(found);
                response(200, &answer)
            }
            Err(refused) => {
                if refused.code == "ValidationException" {
                    self.broken(format!("8: DynamoDB refuses {operation}: {body}"));
                }
                response(400, &refusal(&refused))
            }
        }
    }

    /// Promise 8: no call exceeds a limit. The stand-ins have the limits of the services.
    fn check_limits(&self, operation: &str, request: &HttpRequest, answer: &HttpResponse) {
        const INVALID: [&str; 5] = [
            "ValidationException",
            "InvalidParameter",
            "TooManyEntries",
            "BatchRequestTooLong",
            "InvalidMessageContents",
        ];
        let text = answer.body().bytes().and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default();
        if answer.status().as_u16() == 400 && INVALID.iter().any(|code| text.contains(code)) {
            self.broken(format!("8: {operation} is refused: {text}"));
        }
        let sent = request.body().bytes().and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default();
        if operation == "PutObject" && sent.contains(SECRET) {
            self.broken(format!("9: an object contains a secret: {sent}"));
        }
    }
}
