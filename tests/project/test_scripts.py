"""Scripts of pages run without HTTPS, too: there is another way for what needs a secure context."""

import re

import pytest

from app.core.settings import ROOT

FOLDER = ROOT / "static" / "js"
SERVICE_WORKER = "service_worker.js"
"""The script that browsers start in secure contexts only."""
SCRIPTS = {
    str(path.relative_to(FOLDER)): path.read_text()
    for path in FOLDER.rglob("*.js")
    if path.name != SERVICE_WORKER
}

SECURE = re.compile(
    r"randomUUID|crypto\.subtle|isSecureContext|PublicKeyCredential|PushManager|Notification\b|cookieStore"
    r"|\bcaches\b|show(?:Open|Save|Directory)\w*Picker|DeviceMotionEvent"
    r"|DeviceOrientationEvent|AudioWorklet|SharedArrayBuffer|PaymentRequest|\bAccelerometer\b|\bGyroscope\b"
    r"|navigator\.(?:serviceWorker|clipboard|share|canShare|credentials|setAppBadge|clearAppBadge|storage|locks"
    r"|wakeLock|geolocation|mediaDevices|permissions|bluetooth|usb|serial|hid|gpu|getBattery|keyboard|contacts"
    r"|requestMIDIAccess|virtualKeyboard|userAgentData|deviceMemory)\b"
)
"""What needs a secure context."""

OTHER_WAYS = {
    ("alerts.js", "navigator.setAppBadge"): "navigator.setAppBadge?.(",
    ("copy.js", "navigator.clipboard"): 'button.textContent = text("copy_by_keys")',
    ("copy.js", "navigator.share"): '"share" in navigator',
    ("devices.js", "Notification"): '"Notification" in globalThis',
    ("devices.js", "PushManager"): '"PushManager" in globalThis',
    ("devices.js", "crypto.subtle"): "if (!isSupported()) return",
    ("devices.js", "navigator.serviceWorker"): '"serviceWorker" in navigator',
    ("live.js", "navigator.serviceWorker"): "navigator.serviceWorker?.register(",
    ("passkeys.js", "PublicKeyCredential"): "window.PublicKeyCredential?.",
    ("passkeys.js", "navigator.credentials"): "isSupported",
    ("seal.js", "crypto.subtle"): "if (crypto.subtle)",
}
"""What scripts use of it, each with the words in the script by which pages do without it."""


def used(script):
    code = re.sub(r"^\s*(?://|/?\*).*$", "", script, flags=re.MULTILINE)
    return set(SECURE.findall(code))


def test_the_names_are_found():
    assert used("const id = crypto.randomUUID();\n// crypto.subtle\nnavigator.locks.request()") == {
        "randomUUID",
        "navigator.locks",
    }


def test_scripts_use_nothing_that_needs_https_without_another_way():
    found = {(name, word) for name, script in SCRIPTS.items() for word in used(script)}
    assert found == OTHER_WAYS.keys()


@pytest.mark.parametrize(("name", "word"), OTHER_WAYS)
def test_there_is_another_way_without_https(name, word):
    assert OTHER_WAYS[name, word] in SCRIPTS[name]
