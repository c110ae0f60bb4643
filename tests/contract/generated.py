"""Reads every example with the classes that datamodel-codegen made of its schema, and writes it again: nothing may be lost.

    generated.py GENERATED EXAMPLES    where GENERATED/models has a module for each schema
"""

import importlib
import json
import sys
from pathlib import Path

GENERATED, EXAMPLES = Path(sys.argv[1]), Path(sys.argv[2])


def main():
    sys.path.insert(0, str(GENERATED))
    read = 0
    for path in sorted(EXAMPLES.glob("*.json")):
        example = json.loads(path.read_text())
        event = getattr(importlib.import_module(f"models.{path.stem}"), path.stem).model_validate(example)
        again = event.model_dump(mode="json", by_alias=True, exclude_unset=True)
        assert again == example, f"{path.stem}: {again}"
        read += 1
    assert read > 5, read
    print(f"datamodel-codegen: {read} examples; quicktype and json2ts: they compile")


if __name__ == "__main__":
    main()
