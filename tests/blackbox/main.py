#!/usr/bin/env python3
"""Runs the built functions where Lambda would, on stand-ins that this project did not write.

    main.py ministack      template.yaml deployed on ministack: the function behind a real stream, written by boto3
    main.py fifo           the plain form of the template, with the example consumer behind a FIFO queue, and fewer steps
    main.py moto           the same as ministack, with moto for Cognito and EventBridge, and without the example consumer
    main.py emulator       the functions behind cargo-lambda's runtime API, invoked with captured events and work messages
    main.py people         the same, with moto for Cognito: people who sign up, and strangers who do

Called by tests/blackbox/run, which installs what this needs.
"""

import json
import os
import subprocess
import sys
import time

from deploy import CODE_BUCKET, Stack, from_source, of_release
from emulator import Emulator, new_pool, record
from people import people
from scenario import Scenario, captures, text, validate
from samtranslator.yaml_helper import yaml_parse
from services import BINARIES, INSTEP, ROOT, Services, client, plain_environment

SERVICES = ("dynamodb", "lambda", "sqs", "logs", "s3", "stepfunctions")
# The machine's own, for ministack runs functions on it.
PARAMETERS = {"Architecture": "x86_64", "ReserveConcurrency": "false", "LogLevel": "debug", "CognitoRate": "1000", "WorkCognitoRate": "1000", "SweepCognitoRate": "1000", "Sweep": "repair"}


def template():
    with open(os.path.join(ROOT, "template.yaml"), encoding="utf-8") as file:
        return file.read()


def ministack(services):
    url = services.ministack()
    parameters = {**PARAMETERS, "ExampleConsumer": "standard"}
    on_ministack(services, Stack(url, from_source(url, template(), BINARIES), parameters)).all()


def fifo(services):
    """The plain form, with the example consumer behind an ordered queue."""
    url = services.ministack()
    parameters = {**PARAMETERS, "ExampleConsumer": "fifo", "CodeBucket": CODE_BUCKET, "CodePrefix": "instep/"}
    stack = Stack(url, of_release(url, INSTEP, "access-management", BINARIES, services.folder), parameters)
    scenario = on_ministack(services, stack)
    queue = {"QueueUrl": scenario.stack.consumer_queue, "AttributeNames": ["All"]}
    attributes = scenario.sqs.get_queue_attributes(**queue)["Attributes"]
    assert (attributes["FifoQueue"], attributes["ContentBasedDeduplication"]) == ("true", "true"), attributes
    scenario.grants()


def on_ministack(services, stack):
    stack.at, stack.environment = ("--endpoint", stack.url), {}
    clients = {name: client(name, stack.url) for name in (*SERVICES, "cognito-idp", "events")}
    return Scenario(stack, {**clients, "subscriber": clients["sqs"]}, ROOT, services.folder, stack.at)


def moto(services):
    second = services.moto()
    elsewhere = {
        "AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER": second,
        "AWS_ENDPOINT_URL_EVENTBRIDGE": second,
    }
    url = services.ministack(**elsewhere)
    cognito, events = client("cognito-idp", second), client("events", second)
    pool = new_pool(cognito, "pool")
    events.create_event_bus(Name="bus")
    stack = Stack(url, from_source(url, template(), BINARIES), {**PARAMETERS, "UserPoolId": pool, "EventBusName": "bus"})
    # AWS_ENDPOINT_URL and its like lead the command line to both.
    stack.at, stack.environment = (), {"AWS_ENDPOINT_URL": url, **elsewhere}
    clients = {name: client(name, url) for name in SERVICES}
    clients.update({"cognito-idp": cognito, "events": events, "subscriber": client("sqs", second)})
    Scenario(stack, clients, ROOT, services.folder, ("--endpoint", second)).all()


def clock(services, url, environment):
    """A grant that ends after some seconds: the clock function finds its end, and the work function revokes it."""
    dynamodb, cognito, sqs = (client(name, url) for name in ("dynamodb", "cognito-idp", "sqs"))
    printed = subprocess.run([INSTEP, "template", "table", "account-management"], capture_output=True, text=True, check=True)
    table = yaml_parse(printed.stdout)
    made = ("AttributeDefinitions", "KeySchema", "GlobalSecondaryIndexes", "BillingMode", "StreamSpecification")
    properties = {name: table[name] for name in made if name in table}
    properties["StreamSpecification"]["StreamEnabled"] = True
    dynamodb.create_table(TableName="account-management", **{"BillingMode": "PAY_PER_REQUEST", **properties})
    pool = new_pool(cognito, "clocked")
    work = sqs.create_queue(QueueName="clocked-work")["QueueUrl"]
    own = {"INSTEP_MODEL": "account-management", "INSTEP_TABLE": "account-management", "INSTEP_USER_POOL": pool, "INSTEP_WORK_QUEUE_URL": work}
    emulator = Emulator(services, {**environment, **own}, ("stream", "work", "clock"))
    now = int(time.time())
    ends = now + 6
    iso = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(ends))
    items = [
        {"PK": "CLIENT#c", "SK": "METADATA", "id": "c", "name": "Contoso"},
        {"PK": "CLIENT#c", "SK": "ROLE#r", "id": "r", "client_id": "c", "name": "Guest"},
        {"PK": "USER#u", "SK": "METADATA", "id": "u", "client_id": "c", "email": "u@example.com", "name": "U"},
        {"PK": "USER#u", "SK": "ROLE#client#c#r", "user_id": "u", "role_id": "r", "scope_type": "client", "scope_id": "c", "expires_at": iso},
    ]
    records = []
    for place, item in enumerate(items):
        new = {name: text(value) for name, value in item.items()}
        dynamodb.put_item(TableName="account-management", Item=new)
        records.append(record("account-management", place + 1, {name: new[name] for name in ("PK", "SK")}, new, now))
    path = os.path.join(services.folder, "clocked.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"Records": records}, file)
    assert emulator.invoke("stream", path) == {"batchItemFailures": []}
    emulator.deliver_work(sqs, work)
    group = {"UserPoolId": pool, "GroupName": "client:c:r"}
    noted = lambda: [i["SK"]["S"] for i in dynamodb.scan(TableName="account-management")["Items"] if i["PK"]["S"].startswith("INSTEP#DUE#")]
    assert cognito.list_users_in_group(**group)["Users"], "the grant is in force"
    assert len(noted()) == 1 and "/closes/" in noted()[0], noted()
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"detail-type": "Scheduled Event", "source": "aws.events"}, file)
    emulator.invoke("clock", path)
    assert emulator.deliver_work(sqs, work) == 0 and len(noted()) == 1, "it is not due yet"
    time.sleep(max(0, ends + 6 - time.time()))
    emulator.invoke("clock", path)
    assert emulator.deliver_work(sqs, work) == 1 and noted() == []
    assert not cognito.list_users_in_group(**group)["Users"], "the grant has ended"
    print("  ok  a grant ends at its time, which the clock sends to the work queue")


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
    pool = new_pool(cognito, "pool")
    events.create_event_bus(Name="bus")
    published = sqs.create_queue(QueueName="published")["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=published, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    for model in ("access-management", "account-management"):
        events.put_rule(Name=model, EventBusName="bus", EventPattern=json.dumps({"detail": {"metadata": {"model": [model]}}}))
        events.put_targets(Rule=model, EventBusName="bus", Targets=[{"Id": "published", "Arn": arn}])
    queue, work = (sqs.create_queue(QueueName=name)["QueueUrl"] for name in ("parked", "work"))
    s3.create_bucket(Bucket="bucket")
    environment = plain_environment(
        # Nobody listens there: what has to be told before the first invocation is told without it.
        AWS_LAMBDA_RUNTIME_API="127.0.0.1:9",
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
    emulator = Emulator(services, environment, ("stream", "work"))
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
        answer = emulator.invoke("stream", path)
        assert answer == {"batchItemFailures": []}, (path, answer, emulator.functions["stream"].tail())
        messages += emulator.deliver_work(sqs, work)
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
            answer = emulator.invoke("stream", path)
            assert answer == {"batchItemFailures": []}, (path, answer)
    parked = int(sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=["All"])["Attributes"]["ApproximateNumberOfMessages"])
    assert parked > 0
    print(f"  ok  hostile events park {parked} records and fail no batch")
    clock(services, url, environment)
    print(f"  ok  {as_their_schemas(sqs, published)} published events are as their schemas say")


def as_their_schemas(sqs, queue):
    """Validates each event of a queue. Returns how many there were."""
    count = 0
    while messages := sqs.receive_message(QueueUrl=queue, MaxNumberOfMessages=10).get("Messages"):
        for message in messages:
            event = json.loads(message["Body"])
            validate(ROOT, event["detail"]["metadata"]["model"], event)
            sqs.delete_message(QueueUrl=queue, ReceiptHandle=message["ReceiptHandle"])
        count += len(messages)
    assert count > 50, count
    return count


def main():
    which = {"ministack": ministack, "fifo": fifo, "moto": moto, "emulator": emulator, "people": people}
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
