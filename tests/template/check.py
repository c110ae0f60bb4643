#!/usr/bin/env python3
"""Lints a template: one of SAM also after an expansion as AWS would do it.

    check.py TEMPLATE [NAME=VALUE ...]     the template, with these parameters
    check.py --mutations TEMPLATE          breaks it in many ways and fails where one is not caught

Linting the template as it is written would pass misspelt properties of serverless resources: only the expanded template has
resources that the linter knows by heart. What even that does not catch is checked here.
"""

import json
import logging
import multiprocessing
import re
import sys

import boto3
import yaml
from cfnlint.api import ManualArgs, lint
from cfnlint.decode.decode import decode_str
from moto.stepfunctions.parser.asl.parse.asl_parser import AmazonStateLanguageParser
from samtranslator.model.exceptions import InvalidDocumentException
from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator
from samtranslator.yaml_helper import yaml_parse

REGION = "eu-west-1"

# What a state machine may read of its context.
# Source: AWS Step Functions Developer Guide, "Accessing execution data from the Context object in Step Functions".
CONTEXT = {"$$.Execution.Id", "$$.Execution.Input", "$$.Execution.Name", "$$.Execution.StartTime", "$$.StateMachine.Id"}


def linting():
    return ManualArgs(regions=[REGION])


# The translator complains of metrics of its own that nobody publishes.
logging.disable(logging.CRITICAL)

# Metrics of AWS's own that alarms and the dashboard may speak of, by namespace and dimension.
# Source: AWS Lambda Developer Guide, "Types of metrics for Lambda functions"; Amazon SQS Developer Guide, "CloudWatch metrics".
METRICS = {
    ("AWS/Lambda", "FunctionName"): {
        "Duration", "Errors", "Invocations", "IteratorAge", "Throttles", "DestinationDeliveryFailures",
    },
    ("AWS/Lambda", "EventSourceMappingUUID"): {
        "DroppedEventCount", "FilteredOutEventCount", "OnFailureDestinationDeliveredEventCount",
    },
    ("AWS/SQS", "QueueName"): {
        "ApproximateNumberOfMessagesVisible", "ApproximateNumberOfMessagesNotVisible", "ApproximateNumberOfMessagesDelayed",
        "ApproximateAgeOfOldestMessage",
    },
    # Source: Amazon EventBridge User Guide, "Monitoring Amazon EventBridge".
    ("AWS/Events", "RuleName"): {"FailedInvocations", "Invocations", "ThrottledRules", "TriggeredRules"},
    # Source: AWS Step Functions Developer Guide, "Monitoring Step Functions metrics using Amazon CloudWatch".
    ("AWS/States", "StateMachineArn"): {"ExecutionsFailed"},
    # Those that the functions write: shared/lambda/src/metrics.rs.
    ("Instep", "Function"): {
        "Records", "Parked", "Retried", "Effects", "Events", "Conflicts", "Findings", "CognitoThrottles",
        "OldestRecordAge", "UnknownErrors", "UsersHeld",
        "WorkHandled", "WorkFailed", "OldestWorkAge", "DueSent", "DueDelay", "DriftFound", "DriftRepaired", "SweepRemovals",
        "SweepStopped", "ChangeWaiting", "SweepEnded", "SweepTime", "SignUps", "SignUpsLost", "Tokens", "TokensFailed", "TokensIncomplete",
    },
}


def expand(text, parameters):
    """The template after the transform, local folders taken for uploaded."""
    template = yaml_parse(text)
    for resource in template["Resources"].values():
        for key in ("CodeUri", "ContentUri"):
            if isinstance(resource.get("Properties", {}).get(key), str):
                resource["Properties"][key] = "s3://bucket/key"
    translator = Translator({}, Parser(), boto_session=boto3.Session(region_name=REGION))
    return translator.translate(template, parameter_values=parameters)


def definition_of(machine):
    """The text of a machine's definition, and its substitutions. SAM joins its lines; the plain form is a Fn::Sub."""
    text = machine["Properties"]["DefinitionString"]
    if "Fn::Sub" in text:
        return text["Fn::Sub"]
    return text["Fn::Join"][0].join(text["Fn::Join"][1]), machine["Properties"]["DefinitionSubstitutions"]


def machines(resources):
    """The definitions of the state machines, with values as their substitutions."""
    given = {"Partition": "aws", "Function": "arn:aws:lambda:eu-west-1:123456789012:function:f", "Bucket": "b"}
    for name, resource in resources.items():
        if resource["Type"] == "AWS::StepFunctions::StateMachine":
            definition, substitutions = definition_of(resource)
            for variable in substitutions:
                definition = definition.replace("${" + variable + "}", given.get(variable, "v"))
            yield name, json.loads(definition)


def check_machines(resources):
    """A definition is a string, and the linter does not look into it. So the linter gets it as an object, a parser of the
    language reads it, and what neither notices is checked here."""
    for name, definition in machines(resources):
        machine = {"Type": "AWS::StepFunctions::StateMachine", "Properties": {"RoleArn": "arn:aws:iam::123456789012:role/r", "Definition": definition}}
        for match in lint(json.dumps({"Resources": {name: machine}}), config=linting()):
            yield f"{match.rule.id} {'/'.join(map(str, match.path or []))}: {match.message}"
        try:
            AmazonStateLanguageParser.parse(json.dumps(definition))
        # The parser has no class of its own for all of its errors.
        except Exception as error:  # pylint: disable=broad-except
            yield f"own: {name} is no state machine: {error!r}"
        yield from (f"own: {name}: {problem}" for problem in check_states(definition, set()))
        for path in re.findall(r'"(\$\$\.[^"]+)"', json.dumps(definition)):
            if path not in CONTEXT:
                yield f"own: {name} reads {path}, which the context does not have"


def check_states(states, known):
    """Each state that is named is there, in the same scope; each is reached; and no name is there twice in the whole machine."""
    own, wanted = states["States"], {states["StartAt"]}
    for name, state in own.items():
        if name in known:
            yield f"{name} is there twice"
        known.add(name)
        wanted |= set(targets(state))
        for inner in [state["ItemProcessor"]] if "ItemProcessor" in state else state.get("Branches", []):
            yield from check_states(inner, known)
    yield from (f"{name} does not exist" for name in wanted - set(own))
    yield from (f"{name} is not reached" for name in set(own) - wanted)


def targets(value):
    """The states that a state names, without those inside it."""
    if isinstance(value, dict):
        for name, part in value.items():
            if name in ("Next", "Default") and isinstance(part, str):
                yield part
            elif name not in ("ItemProcessor", "Branches"):
                yield from targets(part)
    elif isinstance(value, list):
        for part in value:
            yield from targets(part)


def leaves_are_lists(pattern):
    if isinstance(pattern, dict):
        return all(leaves_are_lists(value) for value in pattern.values())
    return isinstance(pattern, list)


def own_checks(resources):
    for name, resource in resources.items():
        properties = resource.get("Properties", {})
        if resource["Type"] == "AWS::Lambda::EventSourceMapping":
            yield from check_mapping(name, properties)
            yield from check_queue(name, properties, resources)
        elif resource["Type"] == "AWS::CloudWatch::Alarm":
            yield from check_alarm(name, properties)
        elif resource["Type"] == "AWS::CloudWatch::Dashboard":
            yield from check_dashboard(name, properties)
        # The example consumer's table is nobody's source, and its function sends nothing.
        elif resource["Type"] == "AWS::DynamoDB::Table" and name != "ConsumerTable":
            if properties.get("StreamSpecification", {}).get("StreamViewType") != "NEW_AND_OLD_IMAGES":
                yield f"own: {name} has no stream with both images"
        elif resource["Type"] == "AWS::Events::Rule":
            yield from check_rule(name, properties, resources)
        elif resource["Type"] == "AWS::Lambda::Function":
            role = properties.get("Role", {}).get("Fn::GetAtt", [None])[0]
            if resources.get(role, {}).get("Type") != "AWS::IAM::Role":
                yield f"own: the role of {name} is no role"


def check_mapping(name, properties):
    is_stream = "queue" not in json.dumps(properties.get("EventSourceArn")).lower()
    if is_stream and properties.get("StartingPosition") != "TRIM_HORIZON":
        yield f"own: {name} starts at {properties.get('StartingPosition')}"
    if "ReportBatchItemFailures" not in properties.get("FunctionResponseTypes", []):
        yield f"own: {name} does not report batch item failures"
    filters = properties.get("FilterCriteria", {}).get("Filters", [])
    if len(filters) > 5:
        yield f"own: {name} has more than five filters"
    for entry in filters:
        try:
            pattern = json.loads(entry["Pattern"])
        except (ValueError, KeyError, TypeError) as error:
            yield f"own: {name} has a filter that is no pattern: {entry}: {error!r}"
            continue
        # Source: AWS Lambda Developer Guide, "Using event filtering with a DynamoDB event source".
        if set(pattern) != {"dynamodb"} or not leaves_are_lists(pattern) or len(entry["Pattern"]) > 4096:
            yield f"own: {name} has a bad pattern: {entry['Pattern']}"


def check_queue(name, properties, resources):
    """A queue that feeds a function: what AWS advises of it, and what keeps a failing message from coming for ever.

    Source: AWS Lambda Developer Guide, "Configuring a queue to use with Lambda" and "Configuring maximum concurrency".
    """
    queue = properties.get("EventSourceArn", {}).get("Fn::GetAtt", [None])[0]
    if resources.get(queue, {}).get("Type") != "AWS::SQS::Queue":
        return
    function = resources.get(properties.get("FunctionName", {}).get("Ref"), {}).get("Properties", {})
    options = resources[queue].get("Properties", {})
    if options.get("VisibilityTimeout", 30) < 6 * function.get("Timeout", 3):
        yield f"own: {queue} hides messages for less than six times the timeout of its function"
    if options.get("RedrivePolicy", {}).get("maxReceiveCount", 0) < 5:
        yield f"own: {queue} gives a message up too soon, or never"
    # Source: AWS Lambda Developer Guide, "Use Lambda recursive loop detection to prevent infinite loops".
    if function.get("RecursiveLoop") != "Allow" and queue != "ConsumerQueue":
        yield f"own: Lambda stops what the function behind {queue} sends itself after about 16 messages: RecursiveLoop is not Allow"
    if not properties.get("ScalingConfig", {}).get("MaximumConcurrency"):
        yield f"own: {name} has no maximum concurrency"
    dead_letters = options.get("RedrivePolicy", {}).get("deadLetterTargetArn", {}).get("Fn::GetAtt", [None])[0]
    if resources.get(dead_letters, {}).get("Properties", {}).get("MessageRetentionPeriod", 0) < options.get("MessageRetentionPeriod", 0):
        yield f"own: the dead-letter queue of {queue} keeps messages for a shorter time than the queue"
    if not is_watched(dead_letters, resources):
        yield f"own: no alarm says that {dead_letters} has messages"


def is_watched(queue, resources):
    """Whether an alarm rings when the queue has a message, wherever the queue is deployed."""
    for resource in resources.values():
        properties = resource.get("Properties", {})
        if resource["Type"] != "AWS::CloudWatch::Alarm" or properties["MetricName"] != "ApproximateNumberOfMessagesVisible":
            continue
        of = {"Name": "QueueName", "Value": {"Fn::GetAtt": [queue, "QueueName"]}}
        is_deployed = resource.get("Condition") in (None, resources.get(queue, {}).get("Condition"))
        if of in properties["Dimensions"] and is_deployed and properties["Threshold"] == 0:
            return True
    return False


def check_rule(name, properties, resources):
    """A schedule that starts a state machine: it may, and gives that of sweeps an object. That of snapshots reads no input."""
    for target in properties.get("Targets", []):
        machine = target.get("Arn", {}).get("Ref")
        if resources.get(machine, {}).get("Type") != "AWS::StepFunctions::StateMachine":
            continue
        role = resources.get(target.get("RoleArn", {}).get("Fn::GetAtt", [None])[0], {}).get("Properties", {})
        statements = [statement for policy in role.get("Policies", []) for statement in policy["PolicyDocument"]["Statement"]]
        if {"Effect": "Allow", "Action": "states:StartExecution", "Resource": {"Ref": machine}} not in statements:
            yield f"own: {name} may not start {machine}"
        if machine == "SnapshotMachine":
            continue
        try:
            text = re.sub(r"\$\{\w+\}", "1", target["Input"]["Fn::Sub"])
            json.loads(text)["mode"]
        except (ValueError, KeyError, TypeError) as error:
            yield f"own: {name} gives what is no input of a sweep: {error!r}"


def check_metric(where, namespace, metric, dimension):
    if metric not in METRICS.get((namespace, dimension), set()):
        yield f"own: {where} speaks of {namespace} {metric} by {dimension}, which there is not"


def check_alarm(name, properties):
    for dimension in properties.get("Dimensions", []):
        yield from check_metric(name, properties.get("Namespace"), properties.get("MetricName"), dimension["Name"])


def check_dashboard(name, properties):
    body = properties["DashboardBody"]["Fn::Sub"]
    try:
        widgets = json.loads(body)["widgets"]
    except ValueError as error:
        yield f"own: {name} is no JSON: {error}"
        return
    for widget in widgets:
        for metric in widget["properties"]["metrics"]:
            if isinstance(metric[0], str):
                yield from check_metric(name, metric[0], metric[1], metric[2])


def check(text, parameters=None, plain=None):
    """Everything that is wrong with a template; `plain` is what linting it as it is written found, where that is known."""
    twice = decode_str(text)[1]
    if twice:
        return [f"{match.rule.id} {match.message}" for match in twice]
    # What the transform drops only the template as it is written shows.
    found = plainly(text) if plain is None else plain
    expanded = yaml_parse(text)
    if "Transform" in expanded:
        try:
            expanded = expand(text, parameters or {})
        except InvalidDocumentException as error:
            return [f"SAM {cause.message}" for cause in error.causes]
        found = found + lint(json.dumps(expanded, indent=1), config=linting())
    problems = [f"{match.rule.id} {'/'.join(map(str, match.path or []))}: {match.message}" for match in found]
    return problems + list(own_checks(expanded["Resources"])) + list(check_machines(expanded["Resources"])) + list(check_yaml(text))


def check_yaml(text):
    """CloudFormation reads no aliases. Source: AWS CloudFormation User Guide, "CloudFormation template format", YAML."""
    aliases = [token for token in yaml.scan(text) if isinstance(token, yaml.AliasToken)]
    yield from (f"own: line {alias.start_mark.line + 1} has the YAML alias *{alias.value}" for alias in aliases)


def plainly(text):
    """What linting finds in the template as it is written."""
    return lint(text, config=linting())


# What is written, and what is put in its place.
MUTATIONS = [
    ("FunctionResponseTypes: [ReportBatchItemFailures]", "FunctionResponseType: [ReportBatchItemFailures]"),
    ("FunctionResponseTypes: [ReportBatchItemFailures]", "FunctionResponseTypes: []"),
    ("BisectBatchOnFunctionError:", "BisectBatchOnFunctionErrors:"),
    ("MaximumRetryAttempts: !Ref MaximumRetryAttempts", "MaximumRetryAttempts: 20000"),
    ("StartingPosition: TRIM_HORIZON", "StartingPosition: LATESTS"),
    ("StartingPosition: TRIM_HORIZON", "StartingPosition: LATEST"),
    ("DestinationConfig: { OnFailure:", "DestinationConfig: { OnFail:"),
    ("MetricsConfig: { Metrics: [EventCount] }", "MetricsConfig: { Metrics: [EventCounts] }"),
    ("EventSourceArn: !GetAtt ParkedQueue.Arn", "EventSourceArn: !GetAtt ParkedQ.Arn"),
    ("Role: !GetAtt StreamRole.Arn", "Role: !GetAtt StreamRole.ARN"),
    ("Role: !GetAtt StreamRole.Arn", "Role: !GetAtt ParkedQueue.Arn"),
    ('AttributeName: "siKey1", AttributeType', 'AttributeName: "siKey", AttributeType'),
    ("- dynamodb:Query", "- dynamodb:Qery"),
    ("ComparisonOperator: GreaterThanThreshold", "ComparisonOperator: GreaterThan"),
    ("MetricName: IteratorAge", "MetricName: IteratorsAge"),
    ("MetricName: DroppedEventCount", "MetricName: DroppedCount"),
    ('"Retried", "Function"', '"Retries", "Function"'),
    ('{"dynamodb":{"Keys":', '{"dynamodb":{"Keys"'),
    ('[{"prefix":"G:"},{"prefix":"U:"}]', '{"prefix":"G:"}'),
    ("- Pattern:", "- Patern:"),
    ("Timeout: 300", "Timeout: 1000"),
    ("StreamViewType: NEW_AND_OLD_IMAGES", "StreamViewType: NEW_IMAGE"),
    ("Runtime: provided.al2023", "Runtime: provided.al2024"),
    ("ReservedConcurrentExecutions:", "ReservedConcurentExecutions:"),
    ("LoggingConfig: { LogFormat: JSON", "LoggingConfig: { LogFormats: JSON"),
    ("PointInTimeRecoveryEnabled: true", "PointInTimeRecovery: true"),
    ("maxReceiveCount: 50", "maxReceives: 50"),
    ("maxReceiveCount: 30", "maxReceiveCount: 1"),
    ("VisibilityTimeout: 720", "VisibilityTimeout: 700"),
    ("Timeout: 120", "Timeout: 130"),
    ("EventSourceArn: !GetAtt WorkQueue.Arn", "EventSourceArn: !GetAtt WorkQueues.Arn"),
    ("MessageRetentionPeriod: 864000", "MessageRetentionPeriod: 8640000"),
    ("ScalingConfig: { MaximumConcurrency: !Ref WorkConcurrency }", "ScalingConfig: { MaximumConcurency: !Ref WorkConcurrency }"),
    ("INSTEP_WORK_QUEUE_URL: !Ref WorkQueue", "INSTEP_WORK_QUEUE_URL: !Ref WorkQueues"),
    ('"WorkFailed", "Function"', '"WorkFails", "Function"'),
    ("Role: !GetAtt WorkRole.Arn", "Role: !GetAtt WorkQueue.Arn"),
    ("MessageRetentionPeriod: 1209600", "MessageRetentionPeriod: 86400"),
    ("INSTEP_BUCKET: !Ref Bucket", "INSTEP_BUCKET: !Ref Buckets"),
    ('!Sub "${Bucket.Arn}/aws/lambda/*"', '!Sub "${Buckets.Arn}/aws/lambda/*"'),
    ("BatchSize: !Ref BatchSize", "BatchSizes: !Ref BatchSize"),
    ("OnFailure: { Type: SQS", "OnFailures: { Type: SQS"),
    ("MetricName: ApproximateAgeOfOldestMessage", "MetricName: AgeOfOldestMessage"),
    ("ExpirationInDays: !Ref GivenUpRetentionDays", "ExpirationDays: !Ref GivenUpRetentionDays"),
    ("ScheduleExpression: !Ref SweepSchedule", "ScheduleExpression: !Ref SweepsSchedule"),
    ("Arn: !Ref SweepMachine\n          RoleArn", "Arn: !Ref SweepMachines\n          RoleArn"),
    ("Action: states:StartExecution", "Action: states:StopExecution"),
    ('"mode":"${Sweep}"', '"mode":"${Sweeps}"'),
    ("MetricName: ExecutionsFailed", "MetricName: ExecutionFailed"),
    ("SecondsPath: $.plan.next.wait, Next: Units", "SecondsPath: $.plan.next.wait, Next: Unit"),
    ("Default: Grace\n", "Default: Gracee\n"),
    ("Default: Plan\n", "Defualt: Plan\n"),
    ("BooleanEquals: true, Next: UnitDone", "BooleanEqual: true, Next: UnitDone"),
    ("InputType: JSON }", "InputType: JASON }"),
    ("MaxConcurrencyPath:", "MaxConcurencyPath:"),
    ("JitterStrategy: FULL", "JitterStrategy: ALL"),
    ("ResultPath: $.plan\n", "ResultPth: $.plan\n"),
    ("BooleanEquals: true, Next: Over }", "BooleanEquals: true }"),
    ("SecondsPath: $.plan.next.wait", "SecondsPath: plan.next.wait"),
    ("UnitDone", "Begin"),
    (":states:::lambda:invoke", ":states:::lambda:invok"),
    ("$$.Execution.Name", "$$.Execution.Nam"),
    ("MetricName: SweepStopped", "MetricName: SweepStops"),
    ("MetricName: FailedInvocations", "MetricName: FailedInvocation"),
    ("Dimensions: [{ Name: RuleName", "Dimensions: [{ Name: Rule"),
    ("Value: !GetAtt ConsumerDeadLetters.QueueName", "Value: !GetAtt ConsumerQueue.QueueName"),
    ("Value: !GetAtt WorkDeadLetterQueue.QueueName", "Value: !GetAtt WorkQueue.QueueName"),
    ("            ResultPath: $.running\n            # A service", "            ResultPath: &path $.running\n            Comment: *path\n            # A service"),
]


def is_caught(broken):
    """Whether linting the template as it is written catches what is broken, and whether everything together does."""
    plain = plainly(broken)
    return bool(plain), bool(plain or check(broken, plain=plain))


def mutations(text):
    missed = [f"nothing to break: {old}" for old, _ in MUTATIONS if old not in text]
    tried = [(old, new) for old, new in MUTATIONS if old in text]
    with multiprocessing.Pool() as pool:
        results = pool.map(is_caught, [text.replace(old, new) for old, new in tried], chunksize=1)
    for (_, new), (plain, caught) in zip(tried, results):
        print(f"{'caught' if caught else 'MISSED'}  {'also plainly' if plain else 'not plainly '}  {new.splitlines()[-1].strip()[:60]}")
        if not caught:
            missed.append(new)
    found = sum(plain for plain, _ in results)
    print(f"{len(MUTATIONS)} mutations: {len(MUTATIONS) - len(missed)} caught, {found} of them by plain linting")
    return missed


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if arguments[:1] == ["--mutations"]:
        problems = mutations(open(arguments[1], encoding="utf-8").read())
    else:
        parameters = dict(argument.split("=", 1) for argument in arguments[1:])
        text = sys.stdin.read() if arguments[0] == "-" else open(arguments[0], encoding="utf-8").read()
        problems = check(text, parameters)
        print("\n".join(problems) or f"{arguments[0]}: sound")
    sys.exit(bool(problems))
