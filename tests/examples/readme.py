"""Compiles and runs the C programs of a README: readme.py README FOLDER COMMAND...

COMMAND compiles {source} to {program}. Where a block of text follows a program, it is its output.
"""

import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def programs(text):
    """Pairs of C source and expected output, None where the README shows none."""
    blocks = BLOCK.findall(text)
    for (language, content), (next_language, output) in zip(blocks, blocks[1:] + [("", None)]):
        if language == "c":
            yield content, output if next_language == "text" else None


def run(number, source, expected, folder, command):
    stem = folder / f"block_{number}"
    stem.with_suffix(".c").write_text(source)
    places = {"{source}": f"{stem}.c", "{program}": str(stem)}
    subprocess.run([places.get(word, word) for word in command], check=True)
    output = subprocess.run([stem], check=True, stdout=subprocess.PIPE, text=True).stdout
    if expected is not None and output != expected:
        sys.exit(f"C block {number} prints\n{output}but the README shows\n{expected}")


def main():
    readme, folder, *command = sys.argv[1:]
    folder = pathlib.Path(folder).resolve()
    folder.mkdir(exist_ok=True)
    found = list(programs(pathlib.Path(readme).read_text()))
    if not found:
        sys.exit(f"{readme} has no C block")
    for number, (source, expected) in enumerate(found, 1):
        run(number, source, expected, folder, command)
    print(f"{len(found)} C block(s) compiled and run")


main()
