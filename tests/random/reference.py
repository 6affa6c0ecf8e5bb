"""The noise of src/random in plain integers, straight from the definitions, slow and independent.

Bits are those of ChaCha20 (RFC 8439), the lowest bit of each byte first. A uniform number is a
string of binary digits that comparisons lengthen by eight at a time; the first eight are drawn at
once.
"""

import itertools
import struct

PURPOSES = {"discrepancy": 1, "gaussian_w": 2, "gaussian_u": 3, "selector": 4}
BLOCK = 256  # coordinates with a common stream
MASK = 0xFFFFFFFF


def rotate(word, count):
    return (word << count | word >> (32 - count)) & MASK


def quarter_round(state, a, b, c, d):
    for target, other, source, count in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        state[target] = (state[target] + state[other]) & MASK
        state[source] = rotate(state[source] ^ state[target], count)


def chacha20_block(key, counter, nonce):
    start = [*struct.unpack("<4L", b"expand 32-byte k"), *struct.unpack("<8L", key), counter]
    start += struct.unpack("<3L", nonce)
    state = list(start)
    for _ in range(10):
        for i in range(4):
            quarter_round(state, i, 4 + i, 8 + i, 12 + i)
        for i in range(4):
            quarter_round(state, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
    return struct.pack("<16L", *((a + b) & MASK for a, b in zip(state, start)))


class Stream:
    def __init__(self, key, purpose, step, block):
        nonce = (PURPOSES[purpose] << 80 | step << 32 | block).to_bytes(12, "big")
        self.blocks = (chacha20_block(key, counter, nonce) for counter in itertools.count())
        self.unread, self.length = 0, 0

    def bits(self, count):
        while self.length < count:
            self.unread |= int.from_bytes(next(self.blocks), "little") << self.length
            self.length += 512
        taken = self.unread & ((1 << count) - 1)
        self.unread >>= count
        self.length -= count
        return taken


class Uniform:
    def __init__(self, stream):
        self.stream = stream
        self.digits, self.length = stream.bits(8), 8

    def leading(self, count):
        """floor(2^count U)"""
        if self.length < count:
            more = count - self.length
            self.digits = self.digits << more | self.stream.bits(more)
            self.length = count
        return self.digits >> (self.length - count)

    def __lt__(self, other):
        for count in itertools.count(8, 8):
            a, b = self.leading(count), other.leading(count)
            if a != b:
                return a < b


def run(stream, x, link=lambda: True):
    """The number of links x > u1 > u2 > ..., each of which must hold by itself as well."""
    for links in itertools.count():
        u = Uniform(stream)
        if not (u < x and link()):
            return links
        x = u


def half(stream):
    """Whether run(1/2) is even; the first bit of a number tells whether it is below 1/2."""
    u = Uniform(stream)
    return u.leading(1) == 1 or run(stream, u) % 2 == 1


def fair_sign(stream, y):
    return y if stream.bits(1) == 0 else -y - 1


def normal(stream, bits):
    def link():
        j = stream.bits((2 * k + 1).bit_length())
        while j > 2 * k + 1:
            j = stream.bits((2 * k + 1).bit_length())
        return j < 2 * k or (j == 2 * k and Uniform(stream) < x)

    while True:
        k = 0
        while half(stream):
            k += 1
        if not all(half(stream) for _ in range(k * (k - 1))):
            continue
        x = Uniform(stream)
        if all(run(stream, x, link) % 2 == 0 for _ in range(k + 1)):
            return fair_sign(stream, (k << bits) + x.leading(bits))


def laplace(stream, bits):
    for k in itertools.count():
        x = Uniform(stream)
        if run(stream, x) % 2 == 0:
            return fair_sign(stream, (k << bits) + x.leading(bits))


SAMPLERS = {"normal": normal, "laplace": laplace}


def noise(size, sampler, bits, key, purpose, step):
    drawn = []
    for begin in range(0, size, BLOCK):
        stream = Stream(key, purpose, step, begin // BLOCK)
        drawn += [SAMPLERS[sampler](stream, bits) for _ in range(min(BLOCK, size - begin))]
    return drawn
