"""Pages of reports as their script leaves them, which node runs without a browser."""

import json
import re
import shutil
import subprocess
import unittest

# What the script of a page asks its browser for.
DOCUMENT = """
const page = {};
const document = {getElementById: id => id === "page" ? page : {textContent: REPORT}};
"""

needs_node = unittest.skipUnless(shutil.which("node"), "no node here, which runs the page's script")


def drawn(content):
    """The page with what its script draws in the place of the script."""
    data, script = re.findall(r"(?s)<script[^>]*>(.*?)</script>", content)
    program = DOCUMENT.replace("REPORT", json.dumps(data)) + script + "console.log(page.innerHTML);"
    done = subprocess.run(["node", "-"], input=program, text=True, capture_output=True)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    content = re.sub(r"(?s)<script[^>]*>.*?</script>", "", content)
    return content.replace('<main id="page">', '<main id="page">' + done.stdout)
