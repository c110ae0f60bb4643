"""Deploys template.yaml as CloudFormation would, with binaries that are built already."""

import io
import json
import os
import zipfile

from samtranslator.yaml_helper import yaml_parse

from services import client, wait_for

CODE_BUCKET = "instep-code"


def upload(s3, binary, key):
    """A function's code, as `sam package` uploads it."""
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        entry = zipfile.ZipInfo("bootstrap")
        entry.external_attr = 0o755 << 16
        with open(binary, "rb") as code:
            archive.writestr(entry, code.read())
    s3.put_object(Bucket=CODE_BUCKET, Key=key, Body=body.getvalue())
    return f"s3://{CODE_BUCKET}/{key}"


class Stack:
    """A deployed stack, by its outputs."""

    def __init__(self, url, template, binaries, parameters, name="instep"):
        self.url = url
        s3 = client("s3", url)
        s3.create_bucket(Bucket=CODE_BUCKET)
        body = yaml_parse(template)
        for function, binary in (("StreamFunction", "stream"), ("WorkFunction", "work"), ("RedriveFunction", "redrive"),
                                 ("ClockFunction", "clock"), ("SweepFunction", "sweep"), ("ConsumerFunction", "consumer")):
            code = upload(s3, os.path.join(binaries, binary), f"{binary}.zip")
            body["Resources"][function]["Properties"]["CodeUri"] = code
        # ministack takes a parameter's value for text, and then compares text with numbers: its poller stops.
        concurrency = body["Parameters"]["WorkConcurrency"]["Default"]
        body["Resources"]["WorkMapping"]["Properties"]["ScalingConfig"]["MaximumConcurrency"] = int(concurrency)
        # CloudFormation takes a template of more than 51,200 bytes from S3 only. `sam deploy` uploads each.
        s3.put_object(Bucket=CODE_BUCKET, Key="template.json", Body=json.dumps(body, separators=(",", ":")))
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
