"""Names of browsers for the list of sessions."""


def browser_name(user_agent: str) -> str:
    """Return a short name for a User-Agent header, such as "Firefox on Linux"."""
    browsers = {
        "Edg/": "Edge",
        "OPR/": "Opera",
        "Firefox/": "Firefox",
        "Chrome/": "Chrome",
        "Safari/": "Safari",
    }
    systems = {
        "Android": "Android",
        "iPhone": "iPhone",
        "iPad": "iPad",
        "Windows": "Windows",
        "Mac OS": "Mac",
        "Linux": "Linux",
    }
    browser = next((name for sign, name in browsers.items() if sign in user_agent), "A browser")
    system = next((name for sign, name in systems.items() if sign in user_agent), None)
    return f"{browser} on {system}" if system else browser
