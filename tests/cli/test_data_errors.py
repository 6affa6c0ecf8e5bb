"""Bad data: exit code 3, and a message that leads to the place."""

import contextlib
import gzip
import os
import random
import subprocess
import threading
import unittest
from pathlib import Path

from cli_case import NOT_PRIVATE, PROGRAM, CliCase

HEADER = "x1,x2,x3,y\n"
ROWS = "0,1,2,3\n1,2,3,4\n2,4,3,5\n"

# Content of the source file -> what the message must contain after the file's name.
SOURCES = {
    "": "the file is empty",
    "\n\n": "the file is empty",
    "\ufeff": "the file is empty",
    HEADER: "no rows below the header",
    HEADER.strip(): "no rows below the header",
    "x1,x2,x1,y\n1,2,3,4\n": 'line 1 names two columns "x1"',
    "x1,,x3,y\n1,2,3,4\n": "column 2: the column has no name; is there a separator too many?",
    "x1,x2,y,\n1,2,3,4\n": "column 4: the column has no name; is there a separator too many?",
    ",x1,y\n1,2,3\n": "in R write.csv(..., row.names = FALSE), in pandas to_csv(..., "
                     "index=False)), or name it and leave it out by --ignore NAME",
    HEADER + ROWS + "1,\x1b[31m2,3,4\n": '(x2): "\\x1b[31m2" is not a number',
    HEADER + ROWS + '1,"2\n\u009b3",3,4\n': '(x2): "2\\x0a\\x9b3" is not a number',
    "\x1b[31m,x2,y\n1,two,3\n2,3,4\n3,4,5\n4,5,6\n": 'line 2, column 2 (x2): "two"',
    "x\x1b[31m,x2,y\ntwo,1,3\n2,3,4\n3,4,5\n4,5,6\n": 'column 1 (x\\x1b[31m): "two" is not',
    HEADER + "1,2,3\n": "line 2 has 3 fields, but the header has 4",
    HEADER + "1,2,3,4\n1,2,3,4,5\n": "line 3 has 5 fields, but the header has 4",
    HEADER + "1,2,3,4,\n": "line 2 has 5 fields, but the header has 4",
    HEADER + "\n\r\n1,2,3,4\n1,two,3,4\n": 'line 5, column 2 (x2): "two" is not a number',
    HEADER + "1,2,3,NA\n": "bad.csv: no row has a label",
    HEADER + "1,,3,4\n1,NA,3,4\n": "left as a feature: x1: one value only; x2: no value;",
    HEADER + ROWS + '1,"1,5",3,4\n': 'line 5, column 2 (x2): "1,5" is not a number',
    HEADER + ROWS + "1,2 3,3,4\n": 'line 5, column 2 (x2): "2 3" is not a number',
    HEADER + ROWS + "1,0x10,3,4\n": 'line 5, column 2 (x2): "0x10" is not a number',
    HEADER + ROWS + "1,+-2,3,4\n": 'line 5, column 2 (x2): "+-2" is not a number',
    HEADER + ROWS + "1,1e999,3,4\n": 'line 5, column 2 (x2): "1e999" is beyond the range',
    HEADER + ROWS + "1,\0,3,4\n": "line 5, column 2 (x2)",
    HEADER + ROWS + "1,inf,3,4\n": 'line 5, column 2 (x2): "inf" is not a finite number',
    HEADER + "1,2,3,4\n1,2,3,-inf\n": 'line 3, column 4 (y): "-inf" is not a finite number',
    HEADER + "1,2,3,4\n" + "w" * 100 + ",2,3,4\n": '"' + "w" * 40 + '..." is not a number',
    HEADER + '1,2"2,3,4\n': "line 2, column 2 (x2): misplaced quote",
    HEADER + '1,"2"2,3,4\n': "line 2, column 2 (x2): misplaced quote",
    HEADER + '1,2,3,4\n1,"2,3,4\n1,2,3,4\n': "line 3 starts a quoted cell that is never closed",
    HEADER + '1,"2' + ",2" * 700_000: "line 2 has a cell longer than 1 MiB",
    HEADER + "1,2,3,4\n" + "1," * 5_000_000: "line 3 is longer than 8 MiB",
    "x," * 5_000_000: "line 1 is longer than 8 MiB",
    "x1,x2,x3\n1,2,3\n": 'there is no column "y"',
}


class DataErrors(CliCase):
    def reject(self, *arguments, label="y", command="fit", **keywords):
        return self.fail_with(3, command, *arguments, "--label", label, *NOT_PRIVATE, **keywords)

    def reject_source(self, content, *arguments):
        source = self.write("bad.csv", content)
        return self.reject("--source", source, "--target", self.target, *arguments)

    def test_files_that_are_no_text_are_told_the_way(self):
        for content, expected in (
            (b"PAR1\x15\x04\x15", "is a Parquet file, not CSV; convert it first: duckdb"),
            (b"ARROW1\0\0", "pandas.read_feather"),
            (b"PK\x03\x04\x14\0", "save the sheet as CSV"),
            (b"\xfd7zXZ\0", "packed by xz, not CSV; unpack it first, or pack it by gzip"),
            (b"BZh91AY&SY", "packed by bzip2"),
            (b"\x28\xb5\x2f\xfd", "packed by zstd"),
            ('x1,"x2",y\n1,2,3\n'.encode("utf-16"), "is UTF-16 text, not CSV; recode it first"),
            (b"\xfe\xff" + "x1,x2,y\n".encode("utf-16-be"), "iconv -f UTF-16"),
        ):
            self.assertIn(expected, self.reject_source(content))
        self.assertIn('no column "y"', self.reject_source(b"BZh"))
        names = self.write("names.csv", "PAR1,BZh,y\n1,2,3\n2,4,4\n3,1,5\n")
        self.succeed("fit", "--source", names, "--target", names, "--label", "y", *NOT_PRIVATE)

    def test_bad_content_is_named_with_its_place(self):
        for content, expected in SOURCES.items():
            with self.subTest(content[-40:]):
                message = self.reject_source(content)
                self.assertIn("bad.csv: ", message)
                self.assertIn(expected, message)

    def test_the_target_and_the_data_of_predict_are_checked_alike(self):
        target = self.write("bad.csv", HEADER + "1,2,three,4\n")
        expected = 'bad.csv: line 2, column 3 (x3): "three" is not a number'
        for command in ("fit", "discrepancy"):
            message = self.reject("--source", self.source, "--target", target, command=command)
            self.assertIn(expected, message)
        model, _ = self.fit_model()
        message = self.fail_with(3, "predict", "--model", model, "--data", target, "--na", "fail")
        self.assertIn(expected, message)

    def test_columns_that_the_target_lacks_are_named_with_a_way_on(self):
        wide = self.write("wide.csv", "x1,here,x2,x3,there,y\n1,0,2,3,9,4\n2,5,1,4,1,2\n"
                          "4,2,2,2,7,1\n3,3,1,2,2,2\n")
        message = self.reject("--source", wide, "--target", self.target)
        self.assertIn('there is no column "here"', message)
        self.assertIn("--ignore here,there leaves out", message)
        self.succeed("fit", "--source", wide, "--target", self.target, "--label", "y",
                     *NOT_PRIVATE, "--ignore", "here,there")

    def test_missing_columns(self):
        files = ("--source", self.source, "--target", self.target)
        self.assertIn('no column "z"', self.reject(*files, label="z"))
        self.assertIn('no column "z"', self.reject(*files, "--features", "x1,z"))
        self.assertIn('no column "z"', self.reject(*files, "--ignore", "z"))
        self.assertIn("no column is left", self.reject(*files, "--ignore", "x1,x2,x3"))
        target = self.write("short.csv", "x1,x3,y\n1,2,3\n")
        message = self.reject("--source", self.source, "--target", target)
        self.assertIn('short.csv: there is no column "x2"', message)
        model, _ = self.fit_model()
        message = self.fail_with(3, "predict", "--model", model, "--data", target)
        self.assertIn('short.csv: there is no column "x2"', message)

    def test_a_name_in_other_capitals_is_told(self):
        files = ("--source", self.source, "--target", self.target)
        self.assertIn('there is no column "Y", but "y": capitals count',
                      self.reject(*files, label="Y"))
        target = self.write("capitals.csv", "X1,x2,x3,y\n1,2,3,4\n")
        message = self.reject("--source", self.source, "--target", target)
        self.assertIn('there is no column "x1", but "X1": capitals count', message)
        self.assertNotIn("--ignore", message)
        self.assertIn("needs no --ignore", self.reject(*files, "--ignore", "id"))
        words = self.write("words.csv", "height,y\n1,2\n2,3\n")
        self.assertIn('did you mean "height"?', self.reject(
            "--source", words, "--target", words, label="heigth"))

    def test_names_that_are_not_utf8(self):
        message = self.reject_source(b"x1,\xff\xfe,y\n1,2,3\n")
        self.assertIn("line 1, column 2: the name is not UTF-8 text", message)

    def test_names_of_files_and_columns_do_not_reach_the_terminal(self):
        message = self.reject("--source", self.path("a\x1b[31m\nb.csv"), "--target", self.target)
        self.assertIn("a\\x1b[31m\\x0ab.csv: cannot be read: ", message)
        message = self.reject("--source", self.source, "--target", self.target, label="y\x7f")
        self.assertIn('no column "y\\x7f"', message)
        model, _ = self.fit_model()
        data = self.write("cells.csv", "x1,x2,x3\n1,2\x1b[31m,3\n1,\"2\nthe end\",3\n")
        done = self.run_cli("predict", "--model", model, "--data", data)
        self.assertIn('"2\\x1b[31m" is not a number\n', done.stderr)
        self.assertIn('"2\\x0athe end" is not a number\n', done.stderr)

    def test_domain_words(self):
        unknown = self.write("both.csv", "domain,x1,y\nsource,1,2\n\ntest,1,2\n")
        message = self.reject("--data", unknown)
        self.assertIn('line 4, column 1 (domain): "test" is neither source nor target', message)
        self.assertIn("(--domain COLUMN=SOURCE,TARGET names other words)", message)
        one_sided = self.write("both.csv", "domain,x1,y\nsource,1,2\n")
        self.assertIn('no row has target in column "domain"', self.reject("--data", one_sided))
        self.assertIn("--domain COLUMN=SOURCE,TARGET", self.reject("--data", one_sided))
        self.assertIn('no column "where"', self.reject("--data", one_sided, "--domain", "where"))
        self.assertIn('no row has a in column "domain"',
                      self.reject("--data", one_sided, "--domain", "domain=a,source"))
        for words in ("a=", "a=b", "a=b,", "a=,c", "=b,c", "a=b,b", "a=b,c,d"):
            self.fail_with(2, "fit", "--data", one_sided, "--label", "y", "--domain", words)

    def test_a_name_with_an_equals_sign_is_quoted(self):
        rows = "".join(f"{domain},{k * 7 % 11},{k % 7}\n" for domain in ("source", "target")
                       for k in range(20))
        both = self.write("both.csv", "a=b,x1,y\n" + rows)
        fit = ("fit", "--data", both, "--label", "y", *NOT_PRIVATE)
        self.succeed(*fit, "--domain", '"a=b"')
        self.succeed(*fit, "--domain", '"a=b"=target,source')
        quoted = self.write("both.csv", '"a""=b",x1,y\n' + rows)
        self.succeed("fit", "--data", quoted, "--label", "y", *NOT_PRIVATE, "--domain", '"a""=b"')
        for words in ('"a=b', '"a=b"x', '"a=b"=m'):
            self.assertIn("double quotes", self.fail_with(2, *fit, "--domain", words))

    def test_another_separator_is_told(self):
        pipes = self.write("pipes.csv", "x|y\n1|2\n")
        self.assertIn("separators are comma, semicolon and tab",
                      self.reject("--source", pipes, "--target", pipes))

    def test_unreadable_files(self):
        missing = self.path("missing.csv")
        for path in (missing, str(self.directory)):
            message = self.reject("--source", path, "--target", self.target)
            self.assertIn(path + ": cannot be read: ", message)
        message = self.fail_with(3, "predict", "--model", missing, "--data", self.target)
        self.assertIn("missing.csv: cannot be read: No such file", message)

    def test_files_that_unfold_too_much(self):
        bomb = gzip.compress((HEADER + "1,2,3,4\n" * 3_000_000).encode())
        self.assertLess(len(bomb), 100_000)
        self.assertIn("unfolds to more than 100 times its size", self.reject_source(bomb))
        model = self.write("model.json", gzip.compress(b"[" + b"0," * 10_000_000))
        message = self.fail_with(3, "predict", "--model", model, "--data", self.target)
        self.assertIn("unfolds to more than 100 times its size", message)

    def test_a_file_that_unfolds_to_200_times_its_size(self):
        draw = random.Random(1)
        block = "".join(f"1,{draw.randrange(1000)},3,4\n" for _ in range(100))
        text = (HEADER + block * 20_000).encode()
        packed = gzip.compress(text)
        self.assertTrue(120 < len(text) / len(packed) < 240, len(text) / len(packed))
        self.assertIn("unfolds to more than 100 times its size", self.reject_source(packed))

    def test_a_pipe_unfolds_to_16_mib_at_most(self):
        bomb = self.write("bomb.gz", gzip.compress((HEADER + "1,2,3,4\n" * 3_000_000).encode()))
        with subprocess.Popen(["cat", bomb], stdout=subprocess.PIPE) as cat:
            message = self.reject("--source", "-", "--target", self.target, stdin=cat.stdout)
        self.assertIn("-: cannot be read: it comes through a pipe and unfolds to more than 16 MiB; "
                      "unpack it before the pipe: zcat FILE.gz", message)
        model = self.path("model.fifo")
        os.mkfifo(model)

        def fill():
            with open(model, "wb") as file, contextlib.suppress(BrokenPipeError):
                file.write(gzip.compress(b"[" + b"0," * 10_000_000))

        threading.Thread(target=fill).start()
        message = self.fail_with(3, "predict", "--model", model, "--data", self.target)
        self.assertIn("unfolds to more than 16 MiB", message)
        small = gzip.compress(Path(self.source).read_bytes())
        done = subprocess.run([PROGRAM, "fit", "--source", "-", "--target", self.target, "--label",
                               "y", *NOT_PRIVATE], input=small, capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_damaged_gzip(self):
        whole = gzip.compress(Path(self.source).read_bytes())
        self.assertIn("cut off", self.reject_source(whole[: len(whole) // 2]))
        self.assertIn("cut off", self.reject_source(whole[:-4]))
        flipped = bytearray(whole)
        flipped[-6] ^= 1  # in the checksum
        self.assertIn("damaged", self.reject_source(flipped))


if __name__ == "__main__":
    unittest.main()
