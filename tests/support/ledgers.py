"""A site with a ledger that tests make up and forge, and serving it as another Gorrion does."""

import json
from dataclasses import asdict, replace

from app.nugget.heads.published import Published
from app.nugget.heads.signing import encoded, key_id_of, public_key_of, sign
from engine.golden_nugget import ledger, sealing
from engine.golden_nugget.entry import verify
from engine.golden_nugget.record import from_moves
from tests.support.loopback import LoopbackServer
from tests.support.nugget import new_record, sealed

KEY = bytes(range(32))
AT = "2026-11-27T04:00:00.000000Z"
EARLIER = "2026-11-26T04:00:00.000000Z"
DETOURS = (1, 2, 3, 4)


def keys(*private):
    return {
        "keys": [
            {
                "kty": "OKP",
                "crv": "Ed25519",
                "use": "sig",
                "kid": key_id_of(public_key_of(each)),
                "x": encoded(public_key_of(each)),
                "since": AT,
            }
            for each in private
        ]
    }


def head(links, number=None, key=KEY, at=AT):
    number = len(links) if number is None else number
    signed = sign(key, number, links[number - 1].hash if number else ledger.NO_LINK, at)
    return asdict(signed)


class Site:
    """A site with four entries, of which the last one was withdrawn, and one that was committed to."""

    def __init__(self):
        self.links, self.entries = [], []
        for number, detours in enumerate(DETOURS):
            moves = new_record(detours)
            verdict = verify(from_moves(moves))
            last = self.links[-1] if self.links else None
            name = f"entry{number:05}"
            sha256 = verdict.sha256
            self.links.append(
                ledger.accept(last, entry=name, player="wren", submitted_at=AT, record_sha256=sha256)
            )
            counts = list(verdict.counts)
            self.entries.append(
                {
                    "id": name,
                    "digest": sha256,
                    "submitted_at": AT,
                    "counts": counts,
                    "mean": {"moves": sum(counts), "boards": 20, "text": ""},
                    "moves": moves,
                }
            )
        self.entries[2]["moves"] = None  # not published
        self.reveal(DETOURS[-1] + 1)
        self.links.append(ledger.withdraw(self.links[-1], entry="entry00003", withdrawn_at=AT))
        self.withdrawn = self.entries.pop(3)
        self.head, self.keys = head(self.links), keys(KEY)

    def reveal(self, detours):
        """Add an entry that its player had committed to."""
        moves = new_record(detours)
        verdict = verify(from_moves(moves))
        name, commitment, counts = "entry00004", "commit0000", list(verdict.counts)
        self.files = {commitment: sealed(moves)}
        sha256 = sealing.hash_of(self.files[commitment])
        terms = {"player": "wren", "committed_at": EARLIER, "competition": "", "sha256": sha256}
        self.links.append(ledger.commit(self.links[-1], commitment=commitment, **terms))
        terms = {"player": "wren", "revealed_at": AT, "record_sha256": verdict.sha256}
        self.links.append(ledger.reveal(self.links[-1], entry=name, commitment=commitment, **terms))
        mean = {"moves": sum(counts), "boards": 20, "text": ""}
        shown = {"id": name, "digest": verdict.sha256, "submitted_at": EARLIER, "counts": counts}
        self.entries.append({**shown, "mean": mean, "moves": moves})

    @property
    def published(self):
        text = "".join(f"{ledger.to_line(link)}\n" for link in self.links)
        return Published(self.keys, self.head, self.entries, text, self.files)

    def cut_off(self, number):
        """Cut the ledger off after a number of links, and forget the entries that have no receipt then."""
        self.links = self.links[:number]
        accepted = {getattr(link, "entry", None) for link in self.links}
        self.entries = [entry for entry in self.entries if entry["id"] in accepted]

    def rewrite(self, keep):
        """Rewrite the ledger from the links to keep, so that the chain is whole."""
        links = []
        for link in filter(keep, self.links):
            sequence, previous = ledger.after(links[-1] if links else None)
            new = replace(link, sequence=sequence, previous=previous)
            links.append(replace(new, hash=ledger.hash_of(new)))
        self.links = links


class ServedSite(LoopbackServer):
    """A `Site` on the loopback. It publishes `heads`, the latest first, or answers `status` to everything."""

    def __init__(self, site):
        self.site, self.heads, self.status = site, [site.head], 200
        super().__init__(self._answer)
        self.url = self.url.replace("127.0.0.1", "localhost")

    def _answer(self, path, _headers, _body):
        content = self.content(path)
        status = 404 if content is None else self.status
        return status, content or b"", {"Location": self.url}  # a redirect back here, if the status is one

    def content(self, path):
        """Return what is at a path, None if nothing is."""
        published = self.site.published
        documents = {
            "/.well-known/gorrion-keys.json": published.keys,
            "/api/v1/nugget/ledger/head": published.head,
            "/api/v1/nugget/ledger/heads": self.heads,
            "/api/v1/leaderboards/golden_nugget?limit=50": {
                "rows": [{"entry_id": entry["id"]} for entry in published.entries]
            },
            **{f"/api/v1/nugget/entries/{entry['id']}": entry for entry in published.entries},
        }
        files = {f"/nugget/commitments/{name}/file": file for name, file in published.files.items()}
        if path in documents:
            return json.dumps(documents[path]).encode()
        return {**files, "/nugget/ledger": published.ledger.encode()}.get(path)
