"""Compiles and runs the programs of a README in one language: readme.py README FOLDER LANGUAGE COMMAND...

COMMAND compiles {source} to {program}, or without a {program} runs {source} itself. Where a block of text follows a
program, it is its output.
"""

import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def programs(text, wanted):
    """Pairs of source and expected output, None where the README shows none."""
    blocks = BLOCK.findall(text)
    for (language, content), (next_language, output) in zip(blocks, blocks[1:] + [("", None)]):
        if language == wanted:
            yield content, output if next_language == "text" else None


def run(stem, language, source, expected, command):
    file = stem.with_suffix(f".{language}")
    file.write_text(source)
    places = {"{source}": str(file), "{program}": str(stem)}
    command_of_block = [places.get(word, word) for word in command]
    if "{program}" in command:
        subprocess.run(command_of_block, check=True)
        command_of_block = [stem]
    output = subprocess.run(command_of_block, check=True, stdout=subprocess.PIPE, text=True).stdout
    if expected is not None and output != expected:
        sys.exit(f"{stem.name} prints\n{output}but the README shows\n{expected}")


def main():
    readme, folder, language, *command = sys.argv[1:]
    folder = pathlib.Path(folder).resolve()
    folder.mkdir(exist_ok=True)
    found = list(programs(pathlib.Path(readme).read_text(), language))
    if not found:
        sys.exit(f"{readme} has no block in {language}")
    for number, (source, expected) in enumerate(found, 1):
        run(folder / f"{language}_{number}", language, source, expected, command)
    print(f"{len(found)} {language} block(s) run")


main()
