"""Playing on from a node of the tree."""

from app.core.i18n.text import _
from app.core.web.filters import shown_name
from app.nugget.contents import plays_of
from app.nugget.runs import Runs, RunState
from app.nugget.tree.reading import Tree
from engine.golden_nugget.lineage import DERIVED_FROM


class Continuing:
    """Runs that are begun at nodes."""

    def __init__(self, tree: Tree, runs: Runs) -> None:
        self._tree = tree
        self._runs = runs

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
        is_help = best.is_computer or best.assisted
        return await self._runs.begin_after(
            account_id,
            name.translated(),
            boards,
            first_board=1 if best.account_id == account_id else best.boards + 1,
            finished=best.boards if is_help and best.boards >= DERIVED_FROM else 0,
        )
