"""boto3, and the commands of docs/guide/local.md with the AWS CLI, against `instep dev`."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import boto3
from botocore.exceptions import ClientError

ROOT = Path(__file__).resolve().parents[2]
POOL = "us-east-1_instep000"


def until(what, ask, seconds=10):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if ask():
            return
        time.sleep(0.05)
    sys.exit(f"after {seconds} s: {what}")


def start(*args):
    command = [os.environ["INSTEP"], "dev", *args]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={"HOME": "/nonexistent"})
    for line in process.stdout:
        if found := re.search(r"page\s+(http://\S+)", line):
            return process, found[1]
    sys.exit(f"instep dev did not start: {process.stderr.read()}")


def stop(process):
    process.terminate()
    output, errors = process.communicate(timeout=15)
    assert process.returncode == 0 and errors == "", f"it did not end clean: {process.returncode} {errors}"
    return output


def with_boto3():
    """An application of two modules that knows nothing of Instep, in another region than the stack says."""
    data = ROOT / "target" / "dev-tests" / "data"
    subprocess.run(["rm", "-rf", data], check=True)
    process, url = start("authorization", "--data", str(data), "--port", "0", "--table", "my-table")
    settings = {"endpoint_url": url, "region_name": "ap-south-1", "aws_access_key_id": "x", "aws_secret_access_key": "x"}
    table = boto3.resource("dynamodb", **settings).Table("my-table")
    client = boto3.client("dynamodb", **settings)
    with table.batch_writer() as batch:
        batch.put_item(Item={"PK": "TENANT#acme", "SK": "TENANT#acme", "tenantId": "acme", "name": "Acme"})
        batch.put_item(Item={"PK": "USER#u1", "SK": "USER#u1", "userId": "u1", "email": "ann@example.com"})
    guard = lambda: [item for item in table.scan()["Items"] if "ann@example.com" in item["PK"]]
    until("the email is reserved", guard)
    items = client.execute_statement(Statement='SELECT * FROM "my-table" WHERE "PK" = \'USER#u1\'')["Items"]
    assert items, "PartiQL reads"
    stop(process)
    process, url = start("authorization", "--data", str(data), "--port", "0")
    again = boto3.resource("dynamodb", **{**settings, "endpoint_url": url}).Table("my-table")
    assert [item for item in again.scan()["Items"] if "ann@example.com" in item["PK"]], "--data keeps the table"
    stop(process)
    print("ok  boto3: a guard follows, and --data keeps it")


def as_the_readme_says():
    """The commands of the page, as somebody types them who has read nothing else."""
    text = (ROOT / "docs/guide/local.md").read_text()
    found = re.search(r"<!-- typed by tests/dev -->\n```sh\n(.*?)```", text, re.S)
    assert found, "the page has the commands"
    process, url = start("access-management", "--load", str(ROOT / "events/access-management"), "--port", "0")
    script = found[1].replace("http://127.0.0.1:4747", url)
    environment = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "HOME": "/nonexistent"}
    began = time.monotonic()
    # What follows from a write follows a moment later: a person types the last command after it.
    *before, last = [line for line in script.replace("\\\n", " ").splitlines() if line.strip()]
    result = []

    def typed():
        run = subprocess.run(["bash", "-ec", "\n".join([*(line for line in before if line.startswith("export")), last])], env=environment, capture_output=True, text=True)
        result[:] = [run.stdout, run.stderr]
        return "/norway|||reader" in run.stdout

    subprocess.run(["bash", "-ec", "\n".join(before)], env=environment, check=True, stdout=subprocess.DEVNULL)
    until(f"the grant arrives in Cognito: {result}", typed, 20)
    print(f"ok  the page's commands: a grant arrives in Cognito after {time.monotonic() - began:.1f} s")
    output = stop(process)
    assert "User ola@example.com created" in output, output[-2000:]


def what_aws_refuses():
    """What AWS refuses is refused, and a table's name may be as short as DynamoDB allows."""
    refused = subprocess.run([os.environ["INSTEP"], "dev", "platform", "--table", "am", "--port", "0"], capture_output=True, text=True, timeout=20)
    assert refused.returncode == 2 and "`am` cannot be the name of a table" in refused.stderr, refused.stderr
    process, url = start("access-management", "--port", "0", "--table", "abc")
    settings = {"endpoint_url": url, "region_name": "eu-west-1", "aws_access_key_id": "x", "aws_secret_access_key": "x"}
    cognito, table, streams = (boto3.client(name, **settings) for name in ("cognito-idp", "dynamodb", "dynamodbstreams"))

    def error_of(call, **request):
        try:
            call(**request)
        except ClientError as error:
            return f"{error.response['Error']['Code']}: {error.response['Error']['Message']}"
        sys.exit(f"accepted: {request}")

    for name, value in [("phone_number", "555-1234"), ("email", "nobody"), ("custom:undeclared", "x")]:
        said = error_of(cognito.admin_create_user, UserPoolId=POOL, Username="ann", UserAttributes=[{"Name": name, "Value": value}])
        assert said.startswith("InvalidParameterException"), said
    assert not cognito.list_users(UserPoolId=POOL)["Users"], "nothing is created"
    values = {f":{n}": {"S": str(n)} for n in range(101)}
    scan = {"TableName": "abc", "FilterExpression": f"a IN ({', '.join(values)})", "ExpressionAttributeValues": values}
    said = error_of(table.scan, **scan)
    assert said.startswith("ValidationException") and said.endswith("number of operands: 101"), said
    # The client itself refuses a shard id that is too short.
    arn = table.describe_table(TableName="abc")["Table"]["LatestStreamArn"]
    shard = streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"][0]["ShardId"]
    table.put_item(TableName="abc", Item={"pk": {"S": "a"}, "sk": {"S": "b"}})
    iterator = streams.get_shard_iterator(StreamArn=arn, ShardId=shard, ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
    assert streams.get_records(ShardIterator=iterator)["Records"][0]["awsRegion"] == "us-east-1"
    stop(process)
    print("ok  boto3: what AWS refuses is refused")


with_boto3()
what_aws_refuses()
as_the_readme_says()
