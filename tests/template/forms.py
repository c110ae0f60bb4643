#!/usr/bin/env python3
"""Compares the two forms of the template: SAM's, expanded by AWS's own translator, and the plain one.

    forms.py INSTEP MODEL ...              every combination of options: both forms have the same resources and outputs
    forms.py --cdk INSTEP MODEL FILE       what the example of the CDK synthesised from the plain form has its resources, and is sound
    forms.py --lint INSTEP MODEL ...       lints the plain form: of the first model each option alone and all, of the rest all
    forms.py --steps INSTEP                changes models, writes the template of each step in both forms, and lints it

The conditions that the plain form decides are decided here from parameters, as CloudFormation would.
"""

import itertools
import json
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile

from samtranslator.yaml_helper import yaml_parse

from check import check, definition_of, expand

# The parameter that creates a resource when it is empty, its condition, and a value of it.
CREATES = {
    "table": ("TableStreamArn", "NewTable"),
    "pool": ("UserPoolId", "NewUserPool"),
    "bus": ("EventBusName", "NewEventBus"),
}
NOTHING = {"Ref": "AWS::NoValue"}


def stack(instep, model, *options):
    printed = subprocess.run([instep, "template", "stack", model, *options], capture_output=True, text=True, check=False)
    if printed.returncode:
        sys.exit(f"template stack {model} {' '.join(options)}: {printed.stderr}")
    return printed.stdout


def options_of(create, flags):
    return [*(["--create", ",".join(create)] if create else []), *(f"--{flag}" for flag in flags)]


def combinations(creatable):
    """What may be created and added, in every combination."""
    flags = ["consumer", "alarm-topic", "dashboard"]
    subsets = lambda names: itertools.chain.from_iterable(itertools.combinations(names, n) for n in range(len(names) + 1))
    for create, chosen in itertools.product(subsets(creatable), subsets(flags)):
        yield create, chosen
        if "bus" in create:
            yield create, (*chosen, "archive")


def decisions(create, flags):
    """The conditions of SAM's form that these options decide."""
    decided = {condition: made in create for made, (_, condition) in CREATES.items()}
    decided.update({"HasConsumer": "consumer" in flags, "HasAlarmTopic": "alarm-topic" in flags, "HasArchive": "archive" in flags})
    return decided if "consumer" in flags else {**decided, "HasOrderedConsumer": False}


def decide(value, decided):
    if isinstance(value, list):
        return [decide(part, decided) for part in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"Fn::If"} and value["Fn::If"][0] in decided:
        condition, yes, no = value["Fn::If"]
        return decide(yes if decided[condition] else no, decided)
    parts = {name: decide(part, decided) for name, part in value.items()}
    return {name: part for name, part in parts.items() if part != NOTHING}


def expected(expanded, create, flags):
    """The resources and outputs of SAM's form with these decisions."""
    decided = decisions(create, flags)
    for section in ("Resources", "Outputs"):
        parts = {}
        for name, part in expanded[section].items():
            if decided.get(part.get("Condition"), True) and (name != "Dashboard" or "dashboard" in flags):
                part = {key: value for key, value in part.items() if part.get("Condition") not in decided or key != "Condition"}
                parts[name] = decide(part, decided)
        yield section, parts


def alike(name, resource):
    """A resource without what may differ: where the code is, the tags of SAM, how a text is put together."""
    resource = json.loads(json.dumps(resource))
    resource.pop("Metadata", None)
    properties = resource.get("Properties", {})
    if resource["Type"] == "AWS::StepFunctions::StateMachine":
        text, properties["DefinitionSubstitutions"] = definition_of(resource)
        properties["DefinitionString"] = json.loads(text)
    properties.pop("Tags", None)
    properties.pop("Code", None)
    properties.pop("Content", None)
    if properties.get("DestinationConfig") == {}:
        del properties["DestinationConfig"]
    if resource["Type"] == "AWS::Lambda::LayerVersion":
        resource.pop("DeletionPolicy", None)
    return name, resource


def named_alike(resources):
    """SAM puts a digest behind the name of a layer."""
    text = json.dumps(resources)
    for name in re.findall(r'"(ModelLayer[0-9a-f]{10})": \{"Type"', text):
        text = text.replace(name, "ModelLayer")
    return json.loads(text)


def difference(there, expected_there, path):
    if isinstance(there, dict) and isinstance(expected_there, dict):
        for name in sorted(there.keys() | expected_there.keys()):
            if name not in there or name not in expected_there:
                yield f"{path}/{name} is {'there, and should not be' if name in there else 'missing'}"
            else:
                yield from difference(there[name], expected_there[name], f"{path}/{name}")
    elif isinstance(there, list) and isinstance(expected_there, list) and len(there) == len(expected_there):
        for place, (part, expected_part) in enumerate(zip(there, expected_there)):
            yield from difference(part, expected_part, f"{path}/{place}")
    elif there != expected_there:
        yield f"{path}: {json.dumps(there)} in place of {json.dumps(expected_there)}"


def check_code(plain):
    """Each function has code of its own, by version and architecture, and each reference leads to something."""
    for name, resource in plain["Resources"].items():
        if resource["Type"] == "AWS::Lambda::Function":
            code = resource["Properties"]["Code"]
            binary = name.removesuffix("Function").lower()
            if code["S3Bucket"] != {"Ref": "CodeBucket"} or not re.fullmatch(
                r"\$\{CodePrefix\}functions-\d+\.\d+\.\d+-\$\{Architecture\}/" + binary + r"\.zip", code["S3Key"]["Fn::Sub"]
            ):
                yield f"the code of {name} is {code}"


def check_parameters(plain, create, flags):
    """What is not created is needed, nothing else but the bucket is, and no condition is left that reads a parameter of these."""
    decided = {parameter: made in create for made, (parameter, _) in CREATES.items()}
    decided["AlarmTopicArn"] = "alarm-topic" not in flags
    parameters = plain["Parameters"]
    for parameter, is_gone in decided.items():
        has_pool = parameter != "UserPoolId" or "cognito-idp" in json.dumps(plain)
        if (parameter in parameters) != (not is_gone and has_pool):
            yield f"{parameter} is {'there' if parameter in parameters else 'missing'}"
        if parameter in json.dumps(plain["Conditions"]):
            yield f"a condition reads {parameter}"
    needed = {name for name, parameter in parameters.items() if "Default" not in parameter}
    if needed != {"CodeBucket"} | {name for name in decided if name in parameters}:
        yield f"needed are {sorted(needed)}"
    for name, parameter in parameters.items():
        if "Default" not in parameter and re.search(parameter["AllowedPattern"], ""):
            yield f"{name} may be empty"


def compare(instep, model):
    sam = stack(instep, model, "--sam")
    expanded = expand(sam, {})
    creatable = [made for made in CREATES if made != "pool" or "AWS::Cognito::UserPool" in sam]
    count = 0
    for create, flags in combinations(creatable):
        options = options_of(create, flags)
        plain = json.loads(stack(instep, model, *options))
        found = list(check_code(plain)) + list(check_parameters(plain, create, flags))
        for section, parts in expected(expanded, create, flags):
            mine, its = plain[section], parts
            if section == "Resources":
                mine, its = (dict(alike(*entry) for entry in named_alike(all_of).items()) for all_of in (mine, its))
            found += difference(mine, its, section)
        if found:
            return [f"{model} {' '.join(options)}: {problem}" for problem in found]
        count += 1
    print(f"{model}: both forms have the same resources in {count} combinations of options")
    return []


def with_parameters(value, given):
    """A value with what is given in place of parameters. What CDK gives to a text becomes a variable of it."""
    if isinstance(value, list):
        return [with_parameters(part, given) for part in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"Ref"}:
        return given.get(value["Ref"], value)
    text = value.get("Fn::Sub")
    if isinstance(text, str) and (named := {name: what for name, what in given.items() if "${" + name + "}" in text}):
        return {"Fn::Sub": [text, named]}
    return {name: with_parameters(part, given) for name, part in value.items()}


def given_by(synthesised, kind):
    [name] = [name for name, resource in synthesised["Resources"].items() if resource["Type"] == kind]
    return name


def check_synthesised(instep, model, path):
    """The resources of the plain form are there, with the table, the pool, the bus and the topic of the application as parameters, and with
    assets as code."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    synthesised = json.loads(text)
    kinds = ("AWS::DynamoDB::Table", "AWS::Cognito::UserPool", "AWS::Events::EventBus", "AWS::SNS::Topic")
    table, pool, bus, topic = (given_by(synthesised, kind) for kind in kinds)
    given = {"TableStreamArn": {"Fn::GetAtt": [table, "StreamArn"]}, "UserPoolId": {"Ref": pool}, "EventBusName": {"Ref": bus}}
    # As in examples/cdk/app.ts.
    given.update({"AlarmTopicArn": {"Ref": topic}, "Architecture": "arm64", "CognitoRate": "10"})
    plain = json.loads(stack(instep, model, "--alarm-topic"))
    code = [name for name, resource in plain["Resources"].items() if {"Code", "Content"} & resource.get("Properties", {}).keys()]
    assets = set()
    for name, resource in plain["Resources"].items():
        there = synthesised["Resources"].get(name)
        if there is None:
            yield f"{name} is missing"
            continue
        yield from difference(alike(name, there)[1], with_parameters(alike(name, resource)[1], given), name)
        if name in code:
            asset = there["Properties"].get("Code", there["Properties"].get("Content"))
            assets.add(asset["S3Key"])
            if not re.fullmatch(r"[0-9a-f]{64}\.zip", asset["S3Key"]) or "assets" not in json.dumps(asset["S3Bucket"]):
                yield f"the code of {name} is no asset: {asset}"
    if len(assets) != len(code):
        yield f"{len(code)} functions and layers have {len(assets)} different assets"
    yield from check(text)


def lint_one(instep, model, options):
    return [f"{model} {' '.join(options)}: {problem}" for problem in check(stack(instep, model, *options))]


def linted(instep, models):
    everything = options_of(CREATES, ["consumer", "archive", "alarm-topic", "dashboard"])
    alone = [[], *(["--create", made] for made in CREATES), ["--consumer"], ["--alarm-topic"], everything]
    every = [(instep, models[0], options) for options in alone]
    every += [(instep, model, []) for model in models[1:]]
    with multiprocessing.Pool() as pool:
        found = pool.starmap(lint_one, every, chunksize=1)
    print(f"{len(every)} plain templates linted")
    return [problem for problems in found for problem in problems]


# A model to change.
BASE = """
model = "shop"
table = { pk = "PK", sk = "SK", ttl = "expires" }
indexes.GSI1 = { pk = "GSI1PK", sk = "GSI1SK" }
[items.Shop]
pk = "SHOP#{shop}"
sk = "SHOP"
cognito.groups = "shop:{shop}"
[items.Clerk]
pk = "CLERK#{clerk}"
sk = "CLERK"
GSI1 = { pk = "SHOP#{shop}", sk = "CLERK#{clerk}" }
parent = "Shop"
cognito.user = { name = "{clerk}", attributes = { email = "{email}", "custom:desk" = "{desk}", "custom:floor" = "{floor}" } }
"""
# Changes of it: what is written, what is put in its place, and the words with which its steps begin.
CHANGES = {
    "time to live is moved": ([("expires", "ends")], ["disables the time", "deploys"]),
    "an index is replaced": ([("GSI1", "byShop")], ["adds the index `byShop`", "deploys", "drops the index `GSI1`"]),
    "a custom attribute is dropped": ([(', "custom:floor" = "{floor}"', "")], ["deploys"]),
    "user names are in lower case": ([("{clerk}\",", "{clerk|lower}\",")], ["deploys"]),
    "all of it": (
        [("expires", "ends"), ("GSI1", "byShop"), ("custom:floor", "custom:room"), ("{clerk}\",", "{clerk|lower}\",")],
        ["adds the index `byShop`", "disables the time", "deploys", "drops the index `GSI1`"],
    ),
}


def steps_of(instep, change, form):
    """The templates that a change needs, and what is wrong with what the command says of them."""
    edits, expected = CHANGES[change]
    with tempfile.TemporaryDirectory() as folder:
        after = BASE
        for old, new in edits:
            after = after.replace(old, new)
        for name, text in (("old", BASE), ("new", after)):
            os.mkdir(os.path.join(folder, name))
            with open(os.path.join(folder, name, "shop.toml"), "w", encoding="utf-8") as file:
                file.write(text)
        out = os.path.join(folder, "template." + ("yaml" if form == ["--sam"] else "json"))
        stack(instep, os.path.join(folder, "old", "shop.toml"), *form, "--out", out)
        templates = []
        for place, words in enumerate(expected, start=1):
            told = stack(instep, os.path.join(folder, "new", "shop.toml"), *form, "--out", out, "--force")
            if not told.startswith(f"Step {place} of {len(expected)}: {words}"):
                return [], [f"{change}: {told}"]
            with open(out, encoding="utf-8") as file:
                templates.append(file.read())
        told = stack(instep, os.path.join(folder, "new", "shop.toml"), *form, "--out", out, "--force")
        return templates, [] if told.startswith("Nothing changes") else [f"{change} goes on: {told}"]


def stepwise(instep):
    every, problems = [], []
    for change in CHANGES:
        for form in (["--create", "table,pool,bus"], ["--sam"]):
            templates, wrong = steps_of(instep, change, form)
            problems += wrong
            # Linting SAM's form takes long: what is in all of it, is in each.
            every += templates if form != ["--sam"] or change == "all of it" else []
            # Cognito changes neither.
            last = yaml_parse(templates[-1])["Resources"]["UserPool"]["Properties"] if templates else {}
            names = {entry["Name"] for entry in last.get("Schema", [])}
            if last.get("UsernameConfiguration") != {"CaseSensitive": True} or not {"desk", "floor", "instep"} <= names:
                problems.append(f"{change}: the pool is not kept: {last}")
    with multiprocessing.Pool() as pool:
        found = pool.map(check, every, chunksize=1)
    print(f"{len(CHANGES)} changes made step by step in both forms, {len(every)} templates linted")
    return problems + [problem for problems in found for problem in problems]


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if arguments[:1] == ["--lint"]:
        problems = linted(arguments[1], arguments[2:])
    elif arguments[:1] == ["--steps"]:
        problems = stepwise(arguments[1])
    elif arguments[:1] == ["--cdk"]:
        problems = list(check_synthesised(*arguments[1:]))
    else:
        with multiprocessing.Pool() as workers:
            problems = [problem for found in workers.starmap(compare, [(arguments[0], model) for model in arguments[1:]]) for problem in found]
    print("\n".join(problems) or "sound")
    sys.exit(bool(problems))
