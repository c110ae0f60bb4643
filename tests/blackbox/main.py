#!/usr/bin/env python3
"""Runs the built functions where Lambda would, on stand-ins that this project did not write.

    main.py ministack      template.yaml deployed on ministack: the function behind a real stream, written by boto3
    main.py moto           the same, with moto for Cognito and EventBridge
    main.py emulator       the functions behind cargo-lambda's runtime API, invoked with captured events and work messages

Called by tests/blackbox/run, which installs what this needs.
"""

import json
import os
import subprocess
import sys
import time

from deploy import Stack
from scenario import Scenario, captures, text
from services import Process, Services, client, plain_environment

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
BINARIES = os.environ.get("INSTEP_BINARIES", os.path.join(ROOT, "target/debug"))
SERVICES = ("dynamodb", "lambda", "sqs", "logs", "s3")
# The machine's own, for ministack runs functions on it.
PARAMETERS = {"Architecture": "x86_64", "ReserveConcurrency": "false", "LogLevel": "debug", "CognitoRate": "1000", "WorkCognitoRate": "1000"}


def template():
    with open(os.path.join(ROOT, "template.yaml"), encoding="utf-8") as file:
        return file.read()


def ministack(services):
    url = services.ministack()
    stack = Stack(url, template(), BINARIES, PARAMETERS)
    stack.at, stack.environment = ("--endpoint", url), {}
    clients = {name: client(name, url) for name in (*SERVICES, "cognito-idp", "events")}
    Scenario(stack, {**clients, "subscriber": clients["sqs"]}, ROOT).all()


def moto(services):
    second = services.moto()
    elsewhere = {
        "AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER": second,
        "AWS_ENDPOINT_URL_EVENTBRIDGE": second,
    }
    url = services.ministack(**elsewhere)
    cognito, events = client("cognito-idp", second), client("events", second)
    pool = cognito.create_user_pool(PoolName="pool")["UserPool"]["Id"]
    events.create_event_bus(Name="bus")
    stack = Stack(url, template(), BINARIES, {**PARAMETERS, "UserPoolId": pool, "EventBusName": "bus"})
    # AWS_ENDPOINT_URL and its like lead the command line to both.
    stack.at, stack.environment = (), {"AWS_ENDPOINT_URL": url, **elsewhere}
    clients = {name: client(name, url) for name in SERVICES}
    clients.update({"cognito-idp": cognito, "events": events, "subscriber": client("sqs", second)})
    Scenario(stack, clients, ROOT).all()


def does_not_start(environment):
    """What a function needs is checked before it asks Lambda for anything. The error says what is wrong and how to fix it."""
    for name, value, expected in (
        ("INSTEP_BUS", "nowhere", "bus: `nowhere` does not exist: create it, or correct its name, region or account"),
        ("INSTEP_TABLE", "nowhere", "table: `nowhere` does not exist"),
        ("INSTEP_USER_POOL", "us-east-1_nowhere", "pool: `us-east-1_nowhere` does not exist"),
        ("INSTEP_MODEL", "relational-store", "table: `access-management` has the keys `pk` and `sk`, but the model has `PK` and `SK`"),
    ):
        command = [os.path.join(BINARIES, "stream")]
        ran = subprocess.run(command, env={**environment, name: value}, capture_output=True, text=True, check=False, timeout=60)
        problems = [json.loads(line)["problem"] for line in ran.stdout.splitlines()]
        assert ran.returncode == 1 and any(expected in problem for problem in problems), (name, ran.returncode, ran.stdout, ran.stderr)
    print("  ok  without its bus, table or pool, or with another model's table, it does not start, and says why")


def emulator(services):
    """Captured events, each handed to the function as Lambda would, beside a table that holds what they say."""
    url = services.ministack()
    dynamodb, cognito, events, sqs, s3 = (client(name, url) for name in ("dynamodb", "cognito-idp", "events", "sqs", "s3"))
    keys = [("pk", "HASH"), ("sk", "RANGE")]
    schema = lambda names: [{"AttributeName": name, "KeyType": kind} for name, kind in names]
    index = {
        "IndexName": "siKey1-pk-index",
        "KeySchema": schema([("siKey1", "HASH"), ("pk", "RANGE")]),
        "Projection": {"ProjectionType": "ALL"},
    }
    dynamodb.create_table(
        TableName="access-management",
        KeySchema=schema(keys),
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "siKey1")],
        GlobalSecondaryIndexes=[index],
        BillingMode="PAY_PER_REQUEST",
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    )
    pool = cognito.create_user_pool(PoolName="pool")["UserPool"]["Id"]
    events.create_event_bus(Name="bus")
    queue, work = (sqs.create_queue(QueueName=name)["QueueUrl"] for name in ("parked", "work"))
    s3.create_bucket(Bucket="bucket")
    port = services.emulator(ROOT)
    environment = plain_environment(
        AWS_LAMBDA_RUNTIME_API=f"http://127.0.0.1:{port}/.rt/stream",
        AWS_LAMBDA_FUNCTION_NAME="stream",
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE="256",
        AWS_LAMBDA_FUNCTION_VERSION="$LATEST",
        AWS_ENDPOINT_URL=url,
        INSTEP_MODEL="access-management",
        INSTEP_TABLE="access-management",
        INSTEP_USER_POOL=pool,
        INSTEP_BUS="bus",
        INSTEP_PARKED_QUEUE=queue,
        INSTEP_BUCKET="bucket",
        INSTEP_WORK_QUEUE_URL=work,
        INSTEP_COGNITO_RATE="1000",
    )
    does_not_start(environment)
    functions = {}
    for name in ("stream", "work"):
        own = {"AWS_LAMBDA_RUNTIME_API": f"http://127.0.0.1:{port}/.rt/{name}", "AWS_LAMBDA_FUNCTION_NAME": name}
        functions[name] = Process(name, [os.path.join(BINARIES, name)], {**environment, **own}, services.folder)
        services.processes.append(functions[name])
    time.sleep(1)
    for function in functions.values():
        assert function.process.poll() is None, function.tail()

    def invoke(name, path):
        command = [
            os.path.join(os.path.dirname(sys.executable), "cargo-lambda"), "lambda", "invoke",
            "-A", "127.0.0.1", "-P", str(port), name, "--data-file", path,
        ]
        ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, timeout=120)
        assert ran.returncode == 0, (name, path, ran.stdout, ran.stderr, functions[name].tail())
        return json.loads(ran.stdout)

    def deliver_work():
        """Hands the messages of the work queue to the work function, until there are none. Returns how many there were."""
        count = 0
        while messages := sqs.receive_message(QueueUrl=work, MaxNumberOfMessages=10, AttributeNames=["All"]).get("Messages"):
            event = [
                {"messageId": m["MessageId"], "receiptHandle": m["ReceiptHandle"], "body": m["Body"], "attributes": m["Attributes"],
                 "messageAttributes": {}, "md5OfBody": m["MD5OfBody"], "eventSource": "aws:sqs", "awsRegion": "us-east-1"}
                for m in messages
            ]
            path = os.path.join(services.folder, "work.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"Records": event}, file)
            answer = invoke("work", path)
            assert answer == {"batchItemFailures": []}, (answer, functions["work"].tail())
            for message in messages:
                sqs.delete_message(QueueUrl=work, ReceiptHandle=message["ReceiptHandle"])
            count += len(messages)
        return count

    handled = messages = 0
    for path in captures(ROOT, "access-management"):
        with open(path, encoding="utf-8") as file:
            records = json.load(file)["Records"]
        for record in records:
            body = record["dynamodb"]
            if "NewImage" in body:
                dynamodb.put_item(TableName="access-management", Item=body["NewImage"])
            else:
                dynamodb.delete_item(TableName="access-management", Key=body["Keys"])
        answer = invoke("stream", path)
        assert answer == {"batchItemFailures": []}, (path, answer, functions["stream"].tail())
        messages += deliver_work()
        handled += len(records)
    captured = len(captures(ROOT, "access-management"))
    print(f"  ok  {handled} captured records in {captured} events, and {messages} work messages, none reported")
    members = cognito.list_users_in_group(UserPoolId=pool, GroupName="/|||admin")["Users"]
    assert members, "the root group has its admin"
    for path in captures(ROOT, "hostile"):
        with open(path, encoding="utf-8") as file:
            try:
                event = json.load(file)
            except ValueError:
                continue
        if "Records" in event:
            answer = invoke("stream", path)
            assert answer == {"batchItemFailures": []}, (path, answer)
    parked = int(sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=["All"])["Attributes"]["ApproximateNumberOfMessages"])
    assert parked > 0
    print(f"  ok  hostile events park {parked} records and fail no batch")


def main():
    which = {"ministack": ministack, "moto": moto, "emulator": emulator}
    for name in sys.argv[1:] or list(which):
        services = Services()
        print(f"{name}:", flush=True)
        began = time.monotonic()
        try:
            which[name](services)
        except BaseException:
            for process in services.processes:
                print(f"--- {process.name}\n{process.tail()}", file=sys.stderr)
            raise
        finally:
            services.stop()
        print(f"  {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
