"""The tree in the API and on pages: from an entry to a node, and from there to a run."""

import re

from engine.golden_nugget.blocks import Face
from engine.golden_nugget.board import Board
from engine.golden_nugget.bounds import border_bound
from tests.support.answers import assert_problem
from tests.support.nugget import new_record


def publish(program, detours):
    entry = program.http.post("/nugget/entries", json={"boards": new_record(detours)}).json()["id"]
    assert program.http.post(f"/nugget/entries/{entry}/publish").is_success
    return entry


def test_a_node_is_described_and_played_on_from(program, other):
    entry = publish(program, detours=4)
    counts = program.http.get(f"/nugget/entries/{entry}").json()["counts"]
    start = other.http.get("/nugget/tree/start").json()
    assert (start["node"], start["best"], start["board_parity"]) == ("start", None, "odd")
    found = next(each for each in start["next"] if each["found_by"])
    node = other.http.get(f"/nugget/tree/{found['node']}").json()
    assert node["board_parity"] == "even"
    assert node["position"].startswith("B:")
    assert node["best"]["mean"] == {
        "moves": node["best"]["moves"],
        "boards": node["best"]["boards"],
        "text": f"{node['best']['moves']}.00",
    }
    assert node["best"]["moves"] <= counts[0]
    run = other.http.post(f"/nugget/tree/{node['node']}/runs")
    assert run.status_code == 201
    assert (run.json()["board"], run.json()["counts"]) == (2, [node["best"]["moves"]])
    assert run.json()["cells"] == [int(block) for block in node["position"][2:].split(",")]
    assert_problem(other.http.get("/nugget/tree/0123456789abcdef"), 404, "not_found")
    assert_problem(other.http.post("/nugget/tree/0123456789abcdef/runs"), 404, "not_found")


def test_each_board_of_an_entry_leads_to_its_node_while_that_is_shown(program, visitor):
    entry = publish(program, detours=6)
    page = visitor.http.get(f"/nugget/entries/{entry}").text
    nodes = re.findall(r'href="/nugget/tree/([0-9a-f]{16}|start)"', page)
    assert len(nodes) == 20
    assert nodes[0] == "start"
    replay = visitor.http.get(f"/nugget/entries/{entry}/boards/7?move=0").text
    assert f'href="/nugget/tree/{nodes[6]}"' in replay
    shown = visitor.http.get(f"/nugget/tree/{nodes[6]}")
    assert shown.status_code == 200
    run = visitor.http.post(f"/nugget/tree/{nodes[6]}/runs")
    assert "/nugget/runs/" in str(run.url)
    assert "common records" in run.text
    program.http.post(f"/nugget/entries/{entry}/withdraw")
    assert "/nugget/tree/" not in visitor.http.get(f"/nugget/entries/{entry}").text


def test_bounds_are_shown_with_the_gap_and_the_certificate(program, visitor):
    entry = publish(program, detours=8)
    entry = program.http.get(f"/nugget/entries/{entry}").json()
    start = program.http.get("/nugget/tree/start").json()
    certificate = visitor.http.get("/nugget/tree/start/certificate.json")
    assert "attachment" in certificate.headers["content-disposition"]
    assert start["bound"] == entry["start_bound"] == certificate.json()["bound"] > 12
    gap = start["next"][0]["moves"] - start["bound"]
    for path in ("/nugget/tree/start", "/nugget/records?players=everybody"):
        shown = visitor.http.get(path).text
        assert f"<dd>{start['bound']}</dd>" in shown
        assert "/nugget/tree/start/certificate.json" in shown
    assert f"<dd>{gap}</dd>" in visitor.http.get("/nugget/tree/start").text
    gap = entry["counts"][0] - start["bound"]
    assert f"a gap of {gap}" in visitor.http.get(f"/nugget/entries/{entry['id']}").text
    node = program.http.get(f"/nugget/tree/{start['next'][0]['node']}").json()
    blocks = [int(block) for block in node["position"][2:].split(",")]
    assert node["bound"] == border_bound(Board(Face.B, tuple(blocks))) >= 12
    assert "certificate" not in visitor.http.get(f"/nugget/tree/{node['node']}").text
