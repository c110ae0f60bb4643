"""Validates every example against its schema in both dialects, with a validator for Python: a second opinion beside the
one of the Rust tests.

    schemas.py DOCUMENTS    where DOCUMENTS has a folder for each model
"""

import json
import sys
from pathlib import Path

from jsonschema import Draft4Validator, Draft202012Validator

DOCUMENTS = Path(sys.argv[1])


def main():
    checked = schemas = 0
    for folder, validator in (("schemas", Draft202012Validator), ("schemas-draft-04", Draft4Validator)):
        for path in sorted(DOCUMENTS.glob(f"*/{folder}/*.json")):
            schema = json.loads(path.read_text())
            validator.check_schema(schema)
            schemas += 1
            example = path.parents[1] / "examples" / path.name
            if example.exists():
                event = json.loads(example.read_text())
                validator(schema).validate(event)
                # A schema that takes everything would take this, too.
                del event["detail"]["metadata"]["id"]
                assert not validator(schema).is_valid(event), f"{path} takes an event without an id"
                checked += 1
    print(f"{schemas} schemas, {checked} examples")


if __name__ == "__main__":
    main()
