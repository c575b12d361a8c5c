"""Debian's Chromium through its driver, as far as a page needs it: open a file at a width, ask it, take its picture."""

import base64
import json
import shutil
import subprocess
import tempfile
import urllib.request
from contextlib import contextmanager
from pathlib import Path

BROWSER, DRIVER = Path("/usr/bin/chromium"), Path("/usr/bin/chromedriver")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
INSTALL = ["apt-get", "install", "--yes", "--no-install-recommends", "chromium", "chromium-driver"]


def absent():
    """Why there is no browser, after trying to install it; empty where there is one."""
    if BROWSER.exists() and DRIVER.exists():
        return ""
    if shutil.which("apt-get") is None:
        return "there is no Chromium, and no apt-get to install it"
    for command in (["apt-get", "update"], INSTALL):
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"there is no Chromium, and {' '.join(command)} failed: {error}"
    if BROWSER.exists() and DRIVER.exists():
        return ""
    return f"there is no Chromium, and apt-get could not install it: {done.stderr.strip()[-200:]}"


class Browser:
    """One session of the driver."""

    def __init__(self, url, folder):
        options = {"binary": str(BROWSER), "args": [*FLAGS, f"--user-data-dir={folder}"]}
        wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        self.url = url
        self.url = (
            f"{url}/session/{self.post('/session', {'capabilities': {'alwaysMatch': wanted}})['sessionId']}"
        )

    def post(self, path, body):
        request = urllib.request.Request(
            self.url + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.loads(answer.read())["value"]

    def control(self, command, **parameters):
        """A command of the browser's own protocol."""
        return self.post("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def open(self, file, *, width, height=900, dark=False, media="screen"):
        """Open a file at a width, in a light or dark scheme."""
        self.go(Path(file).resolve().as_uri(), width=width, height=height, dark=dark, media=media)

    def go(self, address, *, width, height=900, dark=False, media="screen"):
        """Open an address at a width, in a light or dark scheme."""
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.control("Emulation.setDeviceMetricsOverride", **size)
        self.control("Emulation.setEmulatedMedia", media=media, features=scheme)
        self.post("/url", {"url": address})

    def click(self, selector):
        """Click what a selector finds, as a mouse does."""
        (element,) = self.post("/element", {"using": "css selector", "value": selector}).values()
        self.post(f"/element/{element}/click", {})

    def press(self, keys):
        """Press keys one after the other, wherever the focus is."""
        strokes = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.post("/actions", {"actions": [{"type": "key", "id": "keys", "actions": strokes}]})

    def ask(self, script):
        """The value of a script."""
        return self.post("/execute/sync", {"script": script, "args": []})

    def complaints(self):
        """What the console says, errors and warnings."""
        return [
            e["message"] for e in self.post("/se/log", {"type": "browser"}) if e["level"] in ("SEVERE", "WARNING")
        ]

    def requests(self):
        """The addresses that were asked for since the last time."""
        said = [json.loads(e["message"])["message"] for e in self.post("/se/log", {"type": "performance"})]
        return [m["params"]["request"]["url"] for m in said if m["method"] == "Network.requestWillBeSent"]

    def picture(self, file, *, whole=True, clip=None):
        """A PNG of the page, or of a part of it."""
        more = (
            {}
            if clip is None
            else {"clip": dict(zip(("x", "y", "width", "height"), clip, strict=True)) | {"scale": 1}}
        )
        shot = self.control("Page.captureScreenshot", captureBeyondViewport=whole, **more)
        Path(file).write_bytes(base64.b64decode(shot["data"]))


@contextmanager
def browsing():
    """A browser with a profile of its own, ended whatever happens."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        driver = subprocess.Popen(
            [DRIVER, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        browser = None
        try:
            port = next(
                line.rsplit(" ", 1)[1].strip(". \n") for line in driver.stdout if "successfully on port" in line
            )
            browser = Browser(f"http://localhost:{port}", folder)
            yield browser
        finally:
            if browser is not None:
                request = urllib.request.Request(browser.url, method="DELETE")
                urllib.request.urlopen(request, timeout=60).close()
            driver.terminate()
            driver.wait(timeout=60)
