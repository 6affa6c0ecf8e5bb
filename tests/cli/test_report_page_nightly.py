"""The page of a report as a person sees it, in a headless Chromium; skipped where there is none."""

import base64
import io
import sys
import unittest

import browser
from cli_case import ALPHA, FEATURES, PRIVATE, CliCase, csv_text

# Of each picture: its place, its shapes' and its texts' places, the size of the letters on the
# screen.
PICTURES = """
[...document.querySelectorAll("svg")].map(svg => {
    const place = e => { const b = e.getBoundingClientRect();
                         return [b.left, b.top, b.right, b.bottom]; };
    return {place: place(svg),
            shapes: [...svg.querySelectorAll("rect, circle, polyline, line")].map(place),
            texts: [...svg.querySelectorAll("text")].map(place),
            scale: svg.getBoundingClientRect().width / svg.viewBox.baseVal.width *
                   parseFloat(getComputedStyle(svg).fontSize)};
})
"""


def overlap(a, b):
    return min(a[2], b[2]) - max(a[0], b[0]) > 1 and min(a[3], b[3]) - max(a[1], b[1]) > 3


class Seen(CliCase):
    def setUp(self):
        super().setUp()
        names = ["a rather long name of a column that says much", *FEATURES[1:]]
        self.source = self.write("source.csv", csv_text([*names, "y"], self.source_rows))
        self.target = self.write("target.csv", csv_text([*names, "y"], self.target_rows))
        self.page = self.path("report.html")
        self.succeed("fit", "--source", self.source, "--target", self.target, "--label", "y",
                     *PRIVATE, *ALPHA, "--report", self.page)
        opened = browser.Browser()
        self.browser = opened.__enter__()
        self.addCleanup(opened.__exit__)

    def picture(self, left, top, right, bottom):
        import matplotlib.image
        scroll = self.browser.value("window.scrollY")
        clip = {"x": left, "y": top + scroll, "width": right - left, "height": bottom - top,
                "scale": 1}
        data = self.browser.call("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
        return matplotlib.image.imread(io.BytesIO(base64.b64decode(data["data"])))

    def test_nothing_complains_and_nothing_is_fetched(self):
        self.browser.open(self.page, 1200)
        self.assertEqual(self.browser.complaints(), [])
        self.assertEqual([url for url in self.browser.requests() if not url.startswith("data:")],
                         [f"file://{self.page}"])

    def test_every_picture_is_drawn_and_readable(self):
        for width in (360, 1200):
            self.browser.open(self.page, width)
            pictures = self.browser.value(PICTURES)
            self.assertEqual(len(pictures), 4)
            for picture in pictures:
                left, top, right, bottom = picture["place"]
                self.assertGreater(right - left, 300)
                self.assertGreaterEqual(picture["scale"], 10.5)
                self.assertGreater(len(picture["shapes"]), 0)
                for place in picture["texts"] + picture["shapes"]:
                    self.assertGreaterEqual(place[0], left - 1)
                    self.assertLessEqual(place[2], right + 1)
                    self.assertGreaterEqual(place[1], top - 3)
                    self.assertLessEqual(place[3], bottom + 3)
                texts = picture["texts"]
                for i, one in enumerate(texts):
                    self.assertFalse(any(overlap(one, other) for other in texts[:i]))
                pixels = self.picture(*picture["place"])[:, :, :3]
                strong = abs(pixels.max(axis=2) - pixels.min(axis=2)) > 0.2
                self.assertGreater(strong.sum(), 100)  # something in colour
                self.assertGreater((pixels.min(axis=2) > 0.97).mean(), 0.3)  # on white

    def test_a_phone_needs_no_scrolling_aside(self):
        self.browser.open(self.page, 360)
        self.assertLessEqual(self.browser.value("document.documentElement.scrollWidth"), 360)
        small = self.browser.value(
            '[...document.querySelectorAll("p, li, figcaption, pre")]'
            ".map(e => parseFloat(getComputedStyle(e).fontSize))")
        self.assertGreaterEqual(min(small), 13)

    def test_it_can_be_printed(self):
        self.browser.open(self.page, 1200)
        done = self.browser.call("Page.printToPDF", paperWidth=8.27, paperHeight=11.69,
                                 printBackground=False)
        paper = base64.b64decode(done["data"])
        self.assertTrue(paper.startswith(b"%PDF-"))
        pages = paper.count(b"/Type /Page\n") + paper.count(b"/Type /Page ")
        self.assertTrue(2 <= pages <= 12, pages)
        self.browser.call("Emulation.setEmulatedMedia", media="print")
        kept = self.browser.value('[...document.querySelectorAll("figure")]'
                                  ".map(e => getComputedStyle(e).breakInside)")
        self.assertEqual(kept, ["avoid"] * 4)

    def test_a_broken_page_would_be_noticed(self):
        with open(self.page) as file:
            content = file.read()
        broken = self.write("broken.html", content.replace("</body>",
                            '<img src="missing.png"><script>nothing()</script></body>'))
        self.browser.open(broken, 1200)
        self.assertGreaterEqual(len(self.browser.complaints()), 2)


if __name__ == "__main__":
    if browser.PROGRAM is None:
        print("no Chromium here")
        sys.exit(77)
    unittest.main()
