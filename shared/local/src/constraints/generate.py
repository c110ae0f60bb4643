#!/usr/bin/env python3
"""Writes aws.json: which values AWS accepts as members of the requests that the stack answers.

The source is botocore (https://pypi.org/project/botocore, Apache-2.0), which has AWS's own models of its APIs. Only facts
are taken: which members are required or sensitive, and lengths, ranges, patterns and enumerations.

    pip download botocore==1.44.8 --no-deps -d target/botocore
    python3 shared/local/src/constraints/generate.py target/botocore/botocore-*.whl

An operation that the stack learns is added to OPERATIONS.
"""

import gzip
import json
import pathlib
import re
import sys
import zipfile

# By the model's folder in botocore.
OPERATIONS = {
    "cognito-idp/2016-04-18": [
        "AdminAddUserToGroup", "AdminConfirmSignUp", "AdminCreateUser", "AdminDeleteUser", "AdminDeleteUserAttributes",
        "AdminDisableUser", "AdminEnableUser", "AdminGetUser", "AdminListGroupsForUser", "AdminRemoveUserFromGroup",
        "AdminResetUserPassword", "AdminSetUserPassword", "AdminUpdateUserAttributes", "AdminUserGlobalSignOut",
        "ConfirmSignUp", "CreateGroup", "DeleteGroup", "DescribeUserPool", "GetGroup", "ListGroups", "ListUsers",
        "ListUsersInGroup", "SignUp", "UpdateGroup",
    ],
    "dynamodb/2012-08-10": [
        "BatchExecuteStatement", "BatchGetItem", "BatchWriteItem", "CreateTable", "DeleteItem", "DeleteTable",
        "DescribeTable", "DescribeTimeToLive", "ExecuteStatement", "ExecuteTransaction", "GetItem", "ListTables",
        "ListTagsOfResource", "PutItem", "Query", "Scan", "TagResource", "TransactGetItems", "TransactWriteItems",
        "UntagResource", "UpdateItem", "UpdateTable", "UpdateTimeToLive",
    ],
    "dynamodbstreams/2012-08-10": ["DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"],
    "events/2015-10-07": ["DescribeEventBus", "PutEvents"],
    "sqs/2012-11-05": [
        "ChangeMessageVisibilityBatch", "DeleteMessageBatch", "GetQueueAttributes", "GetQueueUrl", "ReceiveMessage",
        "SendMessageBatch",
    ],
}

# DynamoDB answers for names of tables in other words for each operation, and the engine has these.
LEFT_OUT = {"dynamodb/2012-08-10": ("TableName", {"TableArn", "TableName"})}

CONSTRAINTS = ["required", "min", "max", "pattern", "enum", "sensitive"]


def parts(shape):
    """The shapes within a shape, as the data names them."""
    if shape["type"] == "structure":
        return {"members": {name: member["shape"] for name, member in shape["members"].items()}}
    if shape["type"] == "list":
        return {"of": shape["member"]["shape"]}
    if shape["type"] == "map":
        return {"key": shape["key"]["shape"], "value": shape["value"]["shape"]}
    return {}


def names(shape):
    for part in parts(shape).values():
        yield from part.values() if isinstance(part, dict) else [part]


def reachable(shapes, first):
    found, left = set(), list(first)
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += names(shapes[name])
    return found


def constrained(shapes, found, left_out):
    """Shapes that have a constraint, or a part that has one."""
    kept = {name for name in found - left_out if set(CONSTRAINTS) - {"sensitive"} & set(shapes[name])}
    while more := {name for name in found - kept if kept & set(names(shapes[name]))}:
        kept |= more
    return kept


def data_of(shape, kept, member):
    data = {"type": {"integer": "number", "long": "number"}.get(shape["type"], shape["type"])}
    data |= {name: shape[name] for name in CONSTRAINTS if name in shape}
    if data.get("required"):
        data["required"] = [name for name in data["required"] if name != member]
    for name, part in parts(shape).items():
        if isinstance(part, dict):
            data[name] = {member: of for member, of in part.items() if of in kept}
        elif part in kept:
            data[name] = part
    return data


def service(model, operations, left_out):
    member, names_left_out = left_out
    shapes = model["shapes"]
    inputs = {name: model["operations"][name]["input"]["shape"] for name in operations}
    found = reachable(shapes, inputs.values())
    kept = constrained(shapes, found, names_left_out)
    return {
        "operations": {name: shape if shape in kept else None for name, shape in inputs.items()},
        "shapes": {name: data_of(shapes[name], kept, member) for name in sorted(kept)},
    }


def main(wheel):
    archive = zipfile.ZipFile(wheel)
    version = re.search(r"botocore-([0-9.]+)-", wheel).group(1)
    lines = []
    for folder, operations in OPERATIONS.items():
        model = json.loads(gzip.decompress(archive.read(f"botocore/data/{folder}/service-2.json.gz")))
        data = service(model, operations, LEFT_OUT.get(folder, (None, set())))
        compact = lambda name: ",\n".join(
            f"      {json.dumps(key)}: {json.dumps(value)}" for key, value in data[name].items())
        lines.append(f"""    {json.dumps(model["metadata"]["targetPrefix"])}: {{
      "operations": {{
{compact("operations")}
      }},
      "shapes": {{
{compact("shapes")}
      }}
    }}""")
    text = f'{{\n  "source": "botocore {version}",\n  "services": {{\n' + ",\n".join(lines) + "\n  }\n}\n"
    json.loads(text)
    pathlib.Path(__file__).with_name("aws.json").write_text(text)


main(sys.argv[1])
