"""The golden streams, recomputed; and the cipher of the reference against RFC 8439."""

import pathlib
import re
import sys

import reference

KEY = bytes(range(32))
STEP = 7
SIZE = 1000
GOLDEN = re.compile(r"^GOLDEN\((\w+), (\d+), (\w+), (0x[0-9a-f]+),([^)]*)\)", re.MULTILINE)

# Key, counter, nonce, first bytes of the block: sections 2.3.2 and A.1.
CIPHER = [
    (KEY, 1, "000000090000004a00000000", "10f1e7e4d13b5915500fdd1fa32071c4"),
    (bytes(32), 0, "00" * 12, "76b8e0ada0f13d90405d6ae55386bd28"),
    (bytes(32), 1, "00" * 12, "9f07e7be5551387a98ba977c732d080d"),
]


def checksum(numbers):
    total = 0
    for number in numbers:
        total = (total * 6364136223846793005 + number) % 2**64
    return total


def failures():
    for key, counter, nonce, expected in CIPHER:
        block = reference.chacha20_block(key, counter, bytes.fromhex(nonce))
        if not block.hex().startswith(expected):
            yield f"ChaCha20, counter {counter}, nonce {nonce}: {block.hex()}"

    golden = GOLDEN.findall((pathlib.Path(__file__).parent / "golden.def").read_text())
    if len(golden) != 4:
        yield f"{len(golden)} golden streams, not 4"
    for sampler, bits, purpose, expected_sum, expected in golden:
        numbers = reference.noise(SIZE, sampler, int(bits), KEY, purpose, STEP)
        first = [int(number) for number in expected.split(",")]
        if numbers[:10] != first or checksum(numbers) != int(expected_sum, 16):
            yield f"{sampler}({bits}): {checksum(numbers):#018x}, {numbers[:10]}"


found = list(failures())
print("\n".join(found))
sys.exit(1 if found else 0)
