"""Chromium without a window, by its debugging protocol over two pipes."""

import json
import os
import shutil
import subprocess
import tempfile
import time

PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)


class Browser:
    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory()
        to_read, self.to_write = os.pipe()
        self.from_read, from_write = os.pipe()
        # The program speaks on its descriptors 3 and 4.
        shell = f'exec 3<&{to_read} 4>&{from_write}; exec "$@"'
        self.process = subprocess.Popen(
            ["bash", "-c", shell, "bash", PROGRAM, "--headless", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--no-first-run", "--remote-debugging-pipe",
             f"--user-data-dir={self.profile.name}", "about:blank"],
            pass_fds=(to_read, from_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.count, self.rest, self.events = 0, b"", []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = None
        self.session = self.call("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        return self

    def __exit__(self, *_):
        os.close(self.to_write)  # the program ends with its pipe
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.from_read)
        self.profile.cleanup()

    def message(self):
        while b"\0" not in self.rest:
            part = os.read(self.from_read, 1 << 16)
            if not part:
                raise AssertionError("Chromium has ended")
            self.rest += part
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.count += 1
        request = {"id": self.count, "method": method, "params": parameters}
        if getattr(self, "session", None):
            request["sessionId"] = self.session
        os.write(self.to_write, json.dumps(request).encode() + b"\0")
        while True:
            message = self.message()
            if message.get("id") == self.count:
                if "error" in message:
                    raise AssertionError(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def open(self, path, width):
        """Shows a file in a window of that width, as a phone does."""
        self.events = []
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=740,
                  deviceScaleFactor=1, mobile=width < 500)
        self.call("Page.navigate", url=f"file://{path}")
        end = time.monotonic() + 30
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            if time.monotonic() > end:
                raise AssertionError("the page does not load")
            self.events.append(self.message())

    def value(self, script):
        done = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        if "exceptionDetails" in done:
            raise AssertionError(done["exceptionDetails"])
        return done["result"].get("value")

    def complaints(self):
        """What the console of the page has to say."""
        self.value("1")  # what came before is here now
        found = []
        for event in self.events:
            method, content = event.get("method"), event.get("params", {})
            if method in ("Runtime.exceptionThrown", "Network.loadingFailed"):
                found.append(content)
            if method == "Log.entryAdded" and content["entry"]["level"] in ("error", "warning"):
                found.append(content["entry"]["text"])
            if method == "Runtime.consoleAPICalled" and content["type"] in ("error", "warning"):
                found.append(content["args"])
        return found

    def requests(self):
        return [event["params"]["request"]["url"] for event in self.events
                if event.get("method") == "Network.requestWillBeSent"]
