"""No program reads English or cuts JSON by hand: what a report says has a function or a member that
gives it. Sentences may change in any release. typed.py SOURCE_DIR"""

import pathlib
import re
import sys

PLACES = {"src": {".cpp", ".hpp"}, "bindings": {".R", ".java", ".py", ".c", ".h", ".cpp", ".hpp"}}
SEARCH = (r"(?:\b(?:r?find|starts_with|ends_with|contains|strstr|strn?cmp|startsWith|endsWith|"
          r"indexOf|equals|startswith|endswith|search|match|grepl|g?regexpr|g?sub|compile)"
          r"\s*\((?:[\w.$\[\]>-]+(?:\([^()]*\))?,\s*)?|[=!]=\s*|\bin )")
SENTENCE = re.compile(SEARCH + r'"[^"\\]*[A-Za-z]{2,} [a-z]{2,}[^"]*"')
JSON = re.compile(SEARCH + r'(?:paste0\()?[\'"][^\n]*?\\"[^\n]*?\\?":')
BRACE = re.compile(r"\brfind\('[}\]]'\)|\bfind_last_of\([\"'][}\]]")
# Of others, which have nothing better than their words.
EXCEPT = {
    "bindings/java/src/main/java/org/dpadapt/NativeLoader.java": "messages of the Java machine",
    "bindings/r/R/design.R": "a message of model.frame",
}

root = pathlib.Path(sys.argv[1])
found = []
used = set()
for folder, endings in PLACES.items():
    for path in sorted((root / folder).rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.suffix not in endings or "/test" in name:
            continue
        text = path.read_text(encoding="utf-8")
        for rule in (SENTENCE, JSON, BRACE):
            for hit in rule.finditer(text):
                line = text.count("\n", 0, hit.start()) + 1
                used.add(name)
                if name not in EXCEPT:
                    found.append(f"{name}:{line}: {hit[0]}")
found += [f"{name} needs no exception" for name in EXCEPT if name not in used]
print("\n".join(found))
sys.exit(1 if found else 0)
