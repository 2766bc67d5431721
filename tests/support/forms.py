"""Forms as browsers send them."""

import re
from html import unescape


def sent_by(page, action, *, kind=""):
    """Return what a form of a page sends if nothing is changed in it; `kind` is a class of the form."""
    (form,) = re.findall(
        rf'<form(?=[^>]* action="{action}")(?=[^>]*{kind})[^>]*>(.*?)</form>', page, re.DOTALL
    )
    fields = dict(re.findall(r'<textarea[^>]*? name="([\w-]+)"[^>]*>([^<]*)<', form))
    for tag in re.findall(r"<input[^>]*>", form):
        named, value = re.search(r' name="([\w-]+)"', tag), re.search(r' value="([^"]*)"', tag)
        is_chosen = " checked" in tag or not re.search(r' type="(radio|checkbox)"', tag)
        if named and is_chosen:
            fields[named[1]] = value[1] if value else ""
    for name, choices in re.findall(r'<select[^>]*? name="([\w-]+)"[^>]*>(.*?)</select>', form, re.DOTALL):
        fields[name] = re.search(r'value="([^"]*)" selected', choices)[1]
    fields.pop("once", None)
    return {name: unescape(value) for name, value in fields.items()}
