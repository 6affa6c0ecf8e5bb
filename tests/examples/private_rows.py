"""No page shows a noiseless statistic of private rows: private_rows.py SOURCE_DIR.

In R code of README.md, docs, help pages and vignettes, a table of private rows (assigned
on a line with the comment "# private", or called so) must not be predicted, averaged or plotted.
"""

import pathlib
import re
import sys

FUNCTIONS = ("predict|residuals|mean|median|summary|plot|head|print|table|range|sd|var|cor|lm|glm"
             "|quantile")
ASSIGNED = re.compile(r"^\s*(\w+)\s*<-.*#\s*private", re.MULTILINE)
NAMES = {"private", "private_rows", "january", "clinic"}


def statistics(text):
    """Calls that would tell about private rows."""
    names = set(ASSIGNED.findall(text))
    names |= {name for name in NAMES if re.search(rf"^\s*{name}\s*<-", text, re.MULTILINE)}
    found = []
    for line in text.splitlines():
        code = line.split("#")[0]
        for name in names:
            # Sizes and names of columns are public; a fit may have the table as its target.
            used = rf"\b(?:{FUNCTIONS})\((?:[^()]|\([^()]*\))*\b{name}\b(?!\s*<-)"
            size = rf"\b(?:nrow|ncol|names|dim)\({name}\)"
            if re.search(used, code) and not re.search(size, code):
                found.append(line.strip())
    return found


def main(root):
    root = pathlib.Path(root)
    pages = [root / "README.md", *root.glob("docs/*.md"), *root.glob("bindings/r/man/*.Rd"),
             *root.glob("bindings/r/vignettes/*.Rmd")]
    found = [(page.name, line) for page in sorted(pages) for line in statistics(page.read_text())]
    for page, line in found:
        print(f"{page}: a statistic of private rows: {line}")
    # The test itself must be able to fail: what the pages once showed.
    once = ("january <- subset(wind, x)   # private\n"
            "sqrt(mean((predict(fit, january) - january$MAL)^2))\n")
    assert statistics(once) and len(pages) > 20, "this test sees nothing"
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
