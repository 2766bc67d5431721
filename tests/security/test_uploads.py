"""Large, compressed and crowded bodies."""

import gzip
import io
import zipfile

import pytest

from tests.support import plain_http
from tests.support.answers import assert_error_page, assert_problem, code
from tests.support.nugget import SAMPLE

CHECK = "/api/v1/nugget/check"
TOO_LARGE = 512 * 1024 + 1  # bytes


@pytest.mark.parametrize("kind", ["text/plain", "application/json"])
@pytest.mark.parametrize("is_chunked", [False, True])
def test_a_body_is_limited_by_its_declared_length_and_as_it_arrives(server, kind, is_chunked):
    body = b"x" * TOO_LARGE
    chunks = (body[start : start + 65_536] for start in range(0, len(body), 65_536))
    answer = plain_http.post(
        f"{server.url}{CHECK}", content=chunks if is_chunked else body, headers={"Content-Type": kind}
    )
    assert_problem(answer, 413, "too_large")


def test_an_error_is_no_longer_for_many_unknown_members(server):
    crowded = {str(number): 1 for number in range(1_900)}
    answer = plain_http.post(f"{server.url}/api/v1/tokens", json=crowded)
    assert code(answer) == (422, "invalid_request")
    assert len(answer.content) < 1_000


@pytest.mark.parametrize("charset", ["undefined", "punycode", "utf-7", "unicode_escape", "latin-1"])
def test_forms_are_in_utf_8(server, visitor, charset):
    part = b'--b\r\nContent-Disposition: form-data; name="username"\r\n\r\n+2AA-\\ud800\r\n--b--\r\n'
    headers = {"Content-Type": f"multipart/form-data; boundary=b; charset={charset}", "Origin": server.url}
    assert_error_page(visitor.http.post("/login", content=part, headers=headers), 400)
    headers["Content-Type"] = "multipart/form-data; boundary=b; charset=UTF-8"
    assert visitor.http.post("/login", content=part, headers=headers).status_code == 401


def test_a_form_has_a_limit_of_fields_and_files(visitor):
    fields = {f"field{number}": "x" for number in range(1500)}
    assert_error_page(visitor.http.post("/nugget/submit", files={"file": b"x", **fields}), 413)
    files = dict.fromkeys(fields, b"x")
    assert_error_page(visitor.http.post("/nugget/submit", files=files), 413)


def test_archives_are_not_unpacked(server):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("record.txt", SAMPLE.read_text())
    headers = {"Content-Type": "text/plain", "Content-Encoding": "gzip"}
    for body in (archive.getvalue(), gzip.compress(SAMPLE.read_bytes())):
        answer = plain_http.post(f"{server.url}{CHECK}", content=body, headers=headers)
        assert answer.status_code == 422 or answer.json()["valid"] is False


def test_an_empty_body_is_no_record(server):
    answer = plain_http.post(f"{server.url}{CHECK}", headers={"Content-Type": "text/plain"})
    assert code(answer) == (422, "invalid_request")


def test_a_method_that_an_address_does_not_accept(server):
    answer = plain_http.put(f"{server.url}/api/v1/challenges")
    assert_problem(answer, 405, "method_not_allowed")
    assert answer.headers["allow"] == "GET, HEAD, OPTIONS, POST"
