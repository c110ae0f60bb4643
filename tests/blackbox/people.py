"""People who sign up in moto, and what the built functions make of it.

moto calls no triggers: after a confirmation, the function `signup` is invoked here as Cognito would invoke it.
"""

import json
import os
import re
import subprocess
import time
import urllib.request

from emulator import Emulator, new_pool, record
from services import INSTEP, ROOT, client, plain_environment

GUIDE = os.path.join(ROOT, "docs/guide/people.md")
PASSWORD = "Passw0rd!Passw0rd!"


def model_of_guide(name, folder):
    """The model of this name in the guide, as a file."""
    with open(GUIDE, encoding="utf-8") as file:
        models = re.findall(r"```toml\n(.*?)```", file.read(), re.DOTALL)
    path = os.path.join(folder, f"{name}.toml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(next(model for model in models if f'model = "{name}"' in model))
    return path


class Deployment:
    """A model of the guide behind the runtime API: its table and queues on ministack, its pool in moto."""

    def __init__(self, services, name, url, pools):
        self.services, self.name, self.sequence = services, name, 0
        self.pools = pools
        self.dynamodb, self.sqs, self.cognito = client("dynamodb", url), client("sqs", url), client("cognito-idp", pools)
        self.dynamodb.create_table(
            TableName=name,
            KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
            AttributeDefinitions=[{"AttributeName": key, "AttributeType": "S"} for key in ("PK", "SK")],
            BillingMode="PAY_PER_REQUEST",
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
        )
        self.pool = new_pool(self.cognito, name)
        self.client_id = self.cognito.create_user_pool_client(UserPoolId=self.pool, ClientName=name)["UserPoolClient"]["ClientId"]
        client("events", url).create_event_bus(Name=name)
        client("s3", url).create_bucket(Bucket=name)
        self.parked_queue, self.work = (self.sqs.create_queue(QueueName=f"{name}-{queue}")["QueueUrl"] for queue in ("parked", "work"))
        self.environment = plain_environment(
            AWS_LAMBDA_RUNTIME_API="127.0.0.1:9",
            AWS_LAMBDA_FUNCTION_MEMORY_SIZE="256",
            AWS_LAMBDA_FUNCTION_VERSION="$LATEST",
            AWS_ENDPOINT_URL=url,
            AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER=pools,
            INSTEP_MODEL=model_of_guide(name, services.folder),
            INSTEP_TABLE=name,
            INSTEP_USER_POOL=self.pool,
            INSTEP_BUS=name,
            INSTEP_PARKED_QUEUE=self.parked_queue,
            INSTEP_BUCKET=name,
            INSTEP_WORK_QUEUE_URL=self.work,
            INSTEP_COGNITO_RATE="1000",
            NO_COLOR="1",
        )
        self.emulator = Emulator(services, self.environment, ("stream", "work", "signup", "token"))

    def invoke(self, function, event):
        path = os.path.join(self.services.folder, f"{function}.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(event, file)
        return self.emulator.invoke(function, path)

    def put(self, *items):
        """Writes items, and delivers their records."""
        records = []
        for item in items:
            self.sequence += 1
            new = {name: {"S": value} for name, value in item.items()}
            self.dynamodb.put_item(TableName=self.name, Item=new)
            keys = {name: new[name] for name in ("PK", "SK")}
            records.append(record(self.name, self.sequence, keys, new, int(time.time())))
        assert self.invoke("stream", {"Records": records}) == {"batchItemFailures": []}
        self.deliver()

    def deliver(self):
        return self.emulator.deliver_work(self.sqs, self.work)

    def sign_up(self, name):
        """Returns the `sub` of the account, which is not confirmed yet."""
        email = [{"Name": "email", "Value": f"{name}@example.com"}]
        said = self.cognito.sign_up(ClientId=self.client_id, Username=name, Password=PASSWORD, UserAttributes=email)
        return said["UserSub"]

    def confirm(self, name):
        """What Cognito does at a confirmation. Returns how many messages followed."""
        self.cognito.confirm_sign_up(ClientId=self.client_id, Username=name, ConfirmationCode="123456")
        user = self.cognito.admin_get_user(UserPoolId=self.pool, Username=name)
        assert user["UserStatus"] == "CONFIRMED", user
        attributes = {attribute["Name"]: attribute["Value"] for attribute in user["UserAttributes"]}
        event = {
            "version": "1", "region": "us-east-1", "userPoolId": self.pool, "userName": name,
            "callerContext": {"awsSdkVersion": "aws-sdk-unknown-unknown", "clientId": self.client_id},
            "triggerSource": "PostConfirmation_ConfirmSignUp",
            "request": {"userAttributes": {**attributes, "cognito:user_status": user["UserStatus"]}},
            "response": {},
        }
        assert self.invoke("signup", event) == event, "the event comes back as it was"
        return self.deliver()

    def token(self, name, **more):
        """The groups of the next token, as Cognito would ask for them."""
        user = self.cognito.admin_get_user(UserPoolId=self.pool, Username=name)
        own = self.cognito.admin_list_groups_for_user(UserPoolId=self.pool, Username=name)["Groups"]
        event = {
            "version": "1", "region": "us-east-1", "userPoolId": self.pool, "userName": name,
            "callerContext": {"awsSdkVersion": "aws-sdk-unknown-unknown", "clientId": self.client_id},
            "triggerSource": "TokenGeneration_Authentication",
            "request": {
                "userAttributes": {attribute["Name"]: attribute["Value"] for attribute in user["UserAttributes"]},
                "groupConfiguration": {"groupsToOverride": [group["GroupName"] for group in own], "iamRolesToOverride": []},
            },
            "response": {}, **more,
        }
        answer = self.invoke("token", event)
        assert {**answer, "response": {}} == event, "all else comes back as it was"
        return answer["response"]["claimsOverrideDetails"]["groupOverrideDetails"]["groupsToOverride"]

    def next_sub(self, name):
        """The `sub` of an account that signs up right after `seed`."""
        self.seed()
        sub = self.sign_up(name)
        self.cognito.admin_delete_user(UserPoolId=self.pool, Username=name)
        return sub

    def seed(self):
        """moto makes the `sub` of random numbers, which can be set."""
        urllib.request.urlopen(urllib.request.Request(f"{self.pools}/moto-api/seed?a=7", method="POST"), timeout=60).close()

    def members(self, group):
        users = self.cognito.list_users_in_group(UserPoolId=self.pool, GroupName=group)["Users"]
        return sorted(user["Username"] for user in users)

    def parked(self):
        said = self.sqs.receive_message(QueueUrl=self.parked_queue, MaxNumberOfMessages=10, VisibilityTimeout=0)
        return [json.loads(message["Body"]) for message in said.get("Messages", [])]

    def instep(self, *arguments, status=0):
        ran = subprocess.run([INSTEP, *arguments], env=self.environment, capture_output=True, text=True, check=False, timeout=120)
        assert ran.returncode == status, (arguments, ran.returncode, ran.stdout, ran.stderr)
        return ran.stdout


def grants_before_and_after_a_sign_up(family):
    """Promise 1: a grant takes effect at the sign-up of whom it names, and a sign-up before the grant changes nothing."""
    group = "family:lee:member"
    ann = family.next_sub("ann")
    family.put(
        {"PK": "FAMILY#lee", "SK": "FAMILY", "entity": "Family"},
        {"PK": "FAMILY#lee", "SK": f"MEMBER#{ann}", "entity": "Member", "role": "member"},
    )
    assert family.members(group) == [], "nobody has signed up"
    family.seed()
    assert family.sign_up("ann") == ann
    assert family.confirm("ann") > 0
    assert family.members(group) == ["ann"], "the pending grant has taken effect"
    assert family.token("ann") == [group]
    family.dynamodb.delete_item(TableName=family.name, Key={"PK": {"S": "FAMILY#lee"}, "SK": {"S": f"MEMBER#{ann}"}})
    assert family.token("ann") == [], "a revocation is in the next token, before its record is handled"
    family.put({"PK": "FAMILY#lee", "SK": f"MEMBER#{ann}", "entity": "Member", "role": "member"})
    assert family.token("ann") == [group]
    print("  ok  a token has the groups that the table implies now", flush=True)
    print("  ok  a grant that waited takes effect at the sign-up", flush=True)
    bob = family.sign_up("bob")
    assert family.confirm("bob") > 0
    assert family.members(group) == ["ann"], "a sign-up grants nothing"
    family.put({"PK": "FAMILY#lee", "SK": f"MEMBER#{bob}", "entity": "Member", "role": "member"})
    assert family.members(group) == ["ann", "bob"]
    assert family.parked() == []
    print("  ok  a grant after the sign-up takes effect at once", flush=True)


def a_stranger_gets_nothing(office):
    """Promise 2: who signs up under the name of a person gets nothing, until somebody vouches for the account."""
    office.sign_up("ann")
    assert office.confirm("ann") == 0, "the model has nobody who signs up"
    office.put(
        {"PK": "TEAM#red", "SK": "TEAM", "entity": "Team"},
        {"PK": "PERSON#ann", "SK": "PERSON", "entity": "Person"},
        {"PK": "TEAM#red", "SK": "SEAT#ann", "role": "lead"},
    )
    assert office.members("red:lead") == []
    assert office.token("ann") == []
    parked = office.parked()
    assert {message["code"] for message in parked} == {"existing-user"}, parked
    assert all("instep backfill --adopt-before TIME" in message["reason"] for message in parked), parked
    print("  ok  a stranger who registered first gets nothing, and the record is parked", flush=True)
    said = office.instep("explain", "ann", status=1)
    assert "unbound-user ann" in said, said
    said = office.instep("sweep", "--grace", "0", "--repair", status=1)
    assert "instep backfill --adopt-before TIME" in said, said
    said = office.instep("users", "existing")
    assert said.startswith("adopts  ann: Person ann; somebody signed up, or used an invitation (CONFIRMED; created "), said
    assert "1 account that Instep did not make; `instep backfill --adopt-before TIME` adopts 1 of them" in said, said
    assert office.members("red:lead") == []
    office.instep("backfill", "--adopt-before", "2000-01-01T00:00:00Z")
    office.deliver()
    assert office.members("red:lead") == [], "it was created later"
    office.instep("backfill", "--adopt-before", time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 60)))
    office.deliver()
    assert office.members("red:lead") == ["ann"]
    assert office.token("ann") == ["red:lead"]
    assert office.instep("users", "existing").startswith("0 accounts"), "it is the person's now"
    print("  ok  the commands say what helps, and it does", flush=True)


def people(services):
    url, pools = services.ministack(), services.moto()
    grants_before_and_after_a_sign_up(Deployment(services, "family", url, pools))
    a_stranger_gets_nothing(Deployment(services, "office", url, pools))
