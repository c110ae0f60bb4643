"""Deploys both forms of the template as CloudFormation would, with binaries that are built already."""

import io
import json
import os
import subprocess
import zipfile

from samtranslator.yaml_helper import yaml_parse

from services import client, wait_for

CODE_BUCKET = "instep-code"
FUNCTIONS = ("stream", "work", "redrive", "clock", "sweep", "signup", "token", "authorizer", "consumer")


def packed(binary):
    """A function's code, as cargo-lambda packs it."""
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        entry = zipfile.ZipInfo("bootstrap")
        entry.external_attr = 0o755 << 16
        with open(binary, "rb") as code:
            archive.writestr(entry, code.read())
    return body.getvalue()


def from_source(url, template, binaries):
    """SAM's form of a template, with its code as `sam package` uploads it."""
    s3 = client("s3", url)
    s3.create_bucket(Bucket=CODE_BUCKET)
    body = yaml_parse(template)
    for binary in FUNCTIONS:
        # A model in which nobody signs up has no function for it, and only a stack with routes has an authorizer.
        if function := body["Resources"].get(f"{binary.title()}Function"):
            s3.put_object(Bucket=CODE_BUCKET, Key=f"{binary}.zip", Body=packed(os.path.join(binaries, binary)))
            function["Properties"]["CodeUri"] = f"s3://{CODE_BUCKET}/{binary}.zip"
    return body


def of_release(url, instep, model, binaries, folder):
    """The plain form of a model's template, with all that it may create, and its code copied from what a release has."""
    client("s3", url).create_bucket(Bucket=CODE_BUCKET)
    printed = run(instep, "stack", model, "--create", "table,pool,bus", "--consumer")
    body = json.loads(printed)
    key = body["Resources"]["StreamFunction"]["Properties"]["Code"]["S3Key"]["Fn::Sub"]
    name = key.removeprefix("${CodePrefix}").removesuffix("/stream.zip").replace("${Architecture}", "x86_64")
    functions = os.path.join(folder, name)
    os.mkdir(functions)
    for binary in FUNCTIONS:
        with open(os.path.join(functions, f"{binary}.zip"), "wb") as file:
            file.write(packed(os.path.join(binaries, binary)))
    run(instep, "functions", model, functions, "--bucket", CODE_BUCKET, "--prefix", "instep/", "--endpoint", url)
    check_layer(url, instep, functions)
    return body


def check_layer(url, instep, functions):
    """With a model of one's own, its folder is copied, under the name that its template has, and everybody may read what is in it."""
    folder = os.path.join(os.path.dirname(functions), "model")
    os.mkdir(folder)
    model = os.path.join(folder, "mine.toml")
    text = b'model = "mine"\n[table]\npk = "PK"\nsk = "SK"\n[items.A]\npk = "A#{a}"\nsk = "A"\n'
    with open(model, "wb") as file:
        file.write(text)
    run(instep, "functions", model, functions, "--bucket", CODE_BUCKET, "--endpoint", url)
    layer = json.loads(run(instep, "stack", model))["Resources"]["ModelLayer"]["Properties"]["Content"]["S3Key"]["Fn::Sub"]
    copied = client("s3", url).get_object(Bucket=CODE_BUCKET, Key=layer.removeprefix("${CodePrefix}"))["Body"].read()
    with zipfile.ZipFile(io.BytesIO(copied)) as archive:
        assert archive.testzip() is None
        [entry] = archive.infolist()
        assert (entry.filename, entry.external_attr >> 16, archive.read(entry)) == ("mine.toml", 0o100644, text), entry


def run(instep, *arguments):
    return subprocess.run([instep, "template", *arguments], capture_output=True, text=True, check=True, timeout=300).stdout


class Stack:
    """A deployed stack, by its outputs."""

    def __init__(self, url, body, parameters, name="instep"):
        self.url = url
        # ministack takes a parameter's value for text, and then compares text with numbers: its poller stops.
        concurrency = body["Parameters"]["WorkConcurrency"]["Default"]
        body["Resources"]["WorkMapping"]["Properties"]["ScalingConfig"]["MaximumConcurrency"] = int(concurrency)
        # CloudFormation takes a template of more than 51,200 bytes from S3 only. `sam deploy` uploads each.
        client("s3", url).put_object(Bucket=CODE_BUCKET, Key="template.json", Body=json.dumps(body, separators=(",", ":")))
        formation = client("cloudformation", url)
        formation.create_stack(
            StackName=name,
            TemplateURL=f"{url}/{CODE_BUCKET}/template.json",
            Capabilities=["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"],
            Parameters=[{"ParameterKey": key, "ParameterValue": value} for key, value in parameters.items()],
        )

        def ended():
            stack = formation.describe_stacks(StackName=name)["Stacks"][0]
            return stack if not stack["StackStatus"].endswith("IN_PROGRESS") else None

        stack = wait_for("the stack", ended)
        assert stack["StackStatus"] == "CREATE_COMPLETE", (stack["StackStatus"], self.why(formation, name))
        outputs = {output["OutputKey"]: output["OutputValue"] for output in stack["Outputs"]}
        self.table, self.pool, self.bus = outputs["TableName"], outputs.get("UserPool"), outputs["EventBus"]
        self.queue, self.bucket = outputs["ParkedQueueUrl"], outputs["BucketName"]
        self.work_queue, self.work_dead_letters = outputs["WorkQueueUrl"], outputs["WorkDeadLetterQueueUrl"]
        self.stream_function, self.redrive_function = outputs["StreamFunctionName"], outputs["RedriveFunctionName"]
        self.work_function, self.machine = outputs["WorkFunctionName"], outputs["SweepMachineArn"]
        resources = formation.describe_stack_resources(StackName=name)["StackResources"]
        ids = {resource["LogicalResourceId"]: resource["PhysicalResourceId"] for resource in resources}
        # Without the example consumer there is none of these.
        self.consumer_table, self.consumer_queue, self.consumer_dead_letters = (
            ids.get(name) for name in ("ConsumerTable", "ConsumerQueue", "ConsumerDeadLetters")
        )
        # A rule of a bus of one's own has the bus in its id.
        rule = ids["SweepRule"].split("|")[-1].split("/")[-1]
        [self.schedule] = client("events", url).list_targets_by_rule(Rule=rule)["Targets"]

    @staticmethod
    def why(formation, name):
        events = formation.describe_stack_events(StackName=name)["StackEvents"]
        return [
            (event["LogicalResourceId"], event.get("ResourceStatusReason"))
            for event in events
            if "FAILED" in event["ResourceStatus"]
        ]
