"""Ending announcements, so that no page of a later test has a banner."""

from tests.support.waiting import wait_until


def end_announcement(administrator):
    """End what is announced through an administrator's client, and wait until pages show no banner."""
    assert administrator.post("/admin/announcement/end").is_success
    wait_for_no_banner(administrator)


def wait_for_no_banner(reader):
    """Wait until pages show no banner to a client: within ten seconds if nothing was announced of the end."""
    wait_until(lambda: 'class="banner"' not in reader.get("/help").text)
