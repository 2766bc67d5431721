"""Ending announcements, so that no page of a later test has a banner."""

from tests.support.waiting import wait_until


def end_announcement(administrator):
    """End what is announced through an administrator's client, and wait until pages show no banner."""
    assert administrator.post("/admin/announcement/end").is_success
    wait_until(lambda: 'class="banner"' not in administrator.get("/help").text)
