"""Playing on from a node of the tree."""

from app.core.i18n.text import _
from app.core.web.filters import shown_name
from app.nugget.contents import plays_of
from app.nugget.entries import Entries
from app.nugget.runs import Runs, RunState
from app.nugget.tree.reading import FoundShown, Tree
from engine.golden_nugget.lineage import DERIVED_FROM


class Continuing:
    """Runs that are begun at nodes."""

    def __init__(self, tree: Tree, runs: Runs, entries: Entries) -> None:
        self._tree = tree
        self._runs = runs
        self._entries = entries

    async def begin(self, account_id: int, node: int) -> RunState:
        """Start a run with the boards that reach a node in the fewest moves, those of whoever found them.

        Raise NotFoundError, InvalidError if a run has no board after these, ConflictError if the player has
        too many runs.
        """
        best = (await self._tree.node(node)).best
        if best is None:
            return await self._runs.create(account_id)
        boards = (await plays_of(best.entry_id, await self._tree.record(best.entry_id)))[: best.boards]
        name = _(
            "%(player)s's record, from board %(board)s",
            player=shown_name(best.found_by),
            board=best.boards + 1,
        )
        is_help = best.assisted or (best.is_computer and best.account_id != account_id)
        return await self._runs.begin_after(
            account_id,
            name.translated(),
            boards,
            first_board=await self._of_others(best, account_id) + 1,
            finished=best.boards if is_help and best.boards >= DERIVED_FROM else 0,
        )

    async def _of_others(self, best: FoundShown, account_id: int) -> int:
        """Return after how many boards of a way there are no more of others than an account's own."""
        if best.account_id != account_id:
            return best.boards
        lineage = (await self._entries.get(best.entry_id, account_id)).lineage
        shares = lineage.shares if lineage else ()
        of_others = [mine for share in shares for mine, _theirs in share.boards if mine <= best.boards]
        return max(of_others) if len(of_others) >= DERIVED_FROM else 0
