"""Links between the pages lead somewhere: relative ones to files that are there.
links.py SOURCE_DIR"""

import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)#:\s]+)(#[^)\s]*)?\)")
CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)

root = pathlib.Path(sys.argv[1])
pages = [*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("examples/**/*.md"),
         *root.glob("tests/*/README.md")]
dead = [f"{page.relative_to(root)}: {target}" for page in sorted(pages)
        for target, _ in LINK.findall(CODE.sub("", page.read_text()))
        if not (page.parent / target).exists()]
print("\n".join(dead) or f"{len(pages)} pages without a dead link")
sys.exit(1 if dead else 0)
