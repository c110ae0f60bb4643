"""Collects the pages of the book, with the files that they link to, as `docs/SUMMARY.md` lists them.

The pages keep their paths, so that each link leads to the same file as in the repository.

    collect.py FOLDER
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

LINK = re.compile(r"\]\(([^)\s#:]+)(?:#[^)\s]*)?\)")


def main(out: Path) -> None:
    root = Path.cwd()
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"], check=True, capture_output=True, text=True
    )
    there = {Path(line) for line in listed.stdout.splitlines() if Path(line).is_file()}
    summary = Path("docs/SUMMARY.md").read_text()
    linked = {resolve(root, Path("docs/SUMMARY.md"), link) for link in LINK.findall(summary)}
    own = {page for page in there if page.parts[0] == "docs" and page.name != "SUMMARY.md"}
    if left_out := sorted(own - linked):
        sys.exit(f"docs/SUMMARY.md does not list {', '.join(map(str, left_out))}")
    # The pages that tell of a folder of the repository are not in the list by hand.
    folders = sorted(page for page in there - linked if page.name == "README.md")
    lines = [LINK.sub(lambda link: f"]({resolve(root, Path('docs/SUMMARY.md'), link[1])})", summary), "# Folders of the repository\n"]
    lines += [f"- [{page.parent}]({page})" for page in folders]
    for page in sorted(linked | set(folders)):
        copy(page, out)
        for link in LINK.findall(page.read_text()):
            target = resolve(root, page, link)
            if target.is_dir():
                (out / target).mkdir(parents=True, exist_ok=True)
            elif target.is_file() and target.suffix != ".md":
                copy(target, out)
    (out / "SUMMARY.md").write_text("\n".join(lines) + "\n")


def resolve(root: Path, page: Path, link: str) -> Path:
    """The path of a link, from the root of the repository."""
    return (root / page.parent / link).resolve().relative_to(root)


def copy(path: Path, out: Path) -> None:
    target = out / path
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, target)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
