"""Compiles and runs the programs of the pages in one language: pages.py SOURCE_DIR FOLDER LANGUAGE
COMMAND...

The pages are README.md and docs/*.md. COMMAND compiles {source} to {program}, or without a
{program} runs {source} itself. Where a block of text follows a program, it is its output. Blocks in
sh are run if all their commands are dpadapt, beside small CSV files of the names that the pages
use, and those in Python if they import the package.
"""

import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def is_script_of_command(content):
    commands = content.replace("\\\n", "").splitlines()
    return all(line.startswith("dpadapt ") for line in commands)


def is_program(language, content):
    if language == "python":
        return re.search(r"^(from|import) dpadapt", content, re.MULTILINE) is not None
    return language != "sh" or is_script_of_command(content)


def programs(text, wanted):
    """Pairs of source and expected output, None where the page shows none."""
    blocks = BLOCK.findall(text)
    for (language, content), (next_language, output) in zip(blocks, blocks[1:] + [("", None)]):
        if language == wanted and is_program(language, content):
            yield content, output if next_language == "text" else None


def run(stem, language, source, expected, command):
    file = stem.with_suffix(f".{language}")
    file.write_text(source)
    places = {"{source}": str(file), "{program}": str(stem)}
    command_of_block = [places.get(word, word) for word in command]
    if "{program}" in command:
        subprocess.run(command_of_block, check=True)
        command_of_block = [stem]
    result = subprocess.run(command_of_block, stdout=subprocess.PIPE, text=True, cwd=stem.parent)
    if result.returncode:
        sys.exit(f"{source}\nends with {result.returncode}")
    if expected is not None and result.stdout != expected:
        sys.exit(f"{stem.name} prints\n{result.stdout}but the page shows\n{expected}")


def write_samples(folder):
    """Two classes, -1 and +1, which serve every loss. Ledgers, keys and signatures are made once,
    so none is left."""
    for ending in ("ledger", "key", "sig"):
        for old in folder.glob("*." + ending):
            old.unlink()
    for name, shift in {"source": 0.0, "target": 0.3, "new": 0.3, "other": 0.3}.items():
        rows = [(i % 7 - 3.0, i % 5 - 2.0) for i in range(70)]
        labels = [1 if a + b / 2 + i % 3 / 2 > shift else -1 for i, (a, b) in enumerate(rows)]
        lines = ["a,b,y", *(f"{a},{b},{y}" for (a, b), y in zip(rows, labels))]
        if name == "new":
            lines = [line.rsplit(",", 1)[0] for line in lines]
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")
        scored = [f"{'vendor' if i == 0 else i % 4 / 2 - 1},{line}" for i, line in enumerate(lines)]
        name_of_scored = {"target": "scored_target", "source": "scored", "new": "scored_new"}
        if name in name_of_scored:
            (folder / f"{name_of_scored[name]}.csv").write_text("\n".join(scored) + "\n")
        if name == "source":
            american = ["inches,pounds,y", *(f"{a / 0.0254},{(b + 70) / 0.4536},{y}"
                                             for (a, b), y in zip(rows, labels))]
            (folder / "american.csv").write_text("\n".join(american) + "\n")
            (folder / "map.csv").write_text("column,inches,pounds,(constant)\n"
                                            "a,0.0254,,\nb,,0.4536,-70\n")
            survey = [f"{line},{'weight' if i == 0 else i % 3}" for i, line in enumerate(lines)]
            (folder / "survey.csv").write_text("\n".join(survey) + "\n")
        if name == "target":
            wide = [f"{line},{'own' if i == 0 else i % 7}" for i, line in enumerate(lines)]
            (folder / "wide.csv").write_text("\n".join(wide) + "\n")
            bare = [line.rsplit(",", 1)[0] for line in lines]
            (folder / "unlabelled.csv").write_text("\n".join(bare) + "\n")
            visits = [f"{line},{'patient' if i == 0 else i % 30}" for i, line in enumerate(lines)]
            (folder / "visits.csv").write_text("\n".join(visits) + "\n")


def write_people(folder):
    """Texts, missing values, and the classes dead and live."""
    for name in ("people", "clinic", "patients"):
        lines = ["id,age,smoker,outcome"]
        for i in range(90):
            age = "nk" if i % 11 == 0 else str(40 + i * 17 % 41)
            outcome = "dead" if i * 17 % 41 + i % 3 * 10 > 30 else "live"
            lines.append(f"{name}{i},{age},{('no', 'yes', 'once')[i % 3]},{outcome}")
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")


def main():
    root, folder, language, *command = sys.argv[1:]
    folder = pathlib.Path(folder).resolve()
    folder.mkdir(exist_ok=True)
    if language == "sh":
        write_samples(folder)
        write_people(folder)
    root = pathlib.Path(root)
    found = [(page.stem, *block) for page in [root / "README.md", *sorted(root.glob("docs/*.md"))]
             for block in programs(page.read_text(), language)]
    pages = {stem for stem, *_ in found}
    if not pages or (language != "cpp" and ("README" not in pages or len(pages) < 2)):
        sys.exit(f"README.md or the page of {language} has no block")
    for number, (stem, source, expected) in enumerate(found, 1):
        run(folder / f"{stem}_{language}_{number}", language, source, expected, command)
    print(f"{len(found)} {language} blocks run")


main()
