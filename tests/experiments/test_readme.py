"""What the README says of accuracy is what the CSV files say: its tables are theirs, and no other number is invented. The same of
what docs/methods.md says of unseen tables."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "reference"))

from prerequisites import require

require("numpy")

import readme


def main():
    told, measured = readme.told_of_unseen(), readme.unseen()
    if told != measured:
        print("docs/methods.md says of `unseen`", told, "where unseen.csv has", measured)
    text, means = readme.section(), readme.measured()
    unknown = readme.unknown_numbers(text, means)
    if unknown:
        print("numbers of the README that are in no file of docs/results:", *unknown)
    wrong = readme.table() not in text or readme.patients() not in text
    if wrong:
        print("the tables of the README are not those of hospital.csv and private_distinct.csv; python3 tests/experiments/readme.py writes them")
    if readme.told_lead() != readme.lead():
        print("the lead that the README tells is not that of the benchmark's page:", readme.lead())
        return 1
    if readme.least_lead() >= 1:
        print("a rival with one setting for all data is better in the mean")
        return 1
    # The test itself must be able to fail.
    spoilt = text.replace(" 5.33.", " 5.337654.") + "| 7.771234 |"
    caught = readme.unknown_numbers(spoilt, means) == [*unknown, "5.337654", "7.771234"]
    return 1 if unknown or told != measured or wrong or not caught else 0


if __name__ == "__main__":
    sys.exit(main())
