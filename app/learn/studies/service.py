"""The commands on studies: saving, changing and deleting them, and the shared board of a game."""

import asyncio
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from sqlalchemy import delete, func, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.core.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError
from app.core.i18n.text import _
from app.core.ids import new_id
from app.core.merging import Revision, check_seen
from app.core.moments import now
from app.core.realtime.bus import Bus
from app.learn.studies import queries
from app.learn.studies.analysis import Analysis, Edit, edited, of_record
from app.learn.studies.events import StudyChanged
from app.learn.studies.models import StudyRow
from app.learn.studies.news import tell_opponent
from app.learn.studies.queries import Study, Visibility
from app.people.identity.devices import Person
from app.people.identity.locking import Most
from app.people.identity.sanctions import check_not_muted
from app.people.identity.service import Identity, check_registered
from app.people.inbox.events import InboxChanged
from app.people.social.queries import hidden_authors
from app.play.bots.fair_play import FairPlay
from app.play.games import decisions
from app.play.games.export import record_of
from app.play.games.game import GameState
from app.play.games.service import Games

_MOST_STUDIES = Most(
    200,
    "too_many_studies",
    "You have %(count)s study, the most there may be. Delete one first.",
    "You have %(count)s studies, the most there may be. Delete one first.",
)
"""The most studies of one account."""

MOST_BYTES = 64 * 1024
"""The largest tree, as text."""


@dataclass(frozen=True, slots=True)
class StudyDraft:
    """What somebody saves as a study."""

    title: str
    visibility: Visibility
    analysis: Analysis


@dataclass(frozen=True, slots=True)
class StudySettings:
    """The title of a study, and who sees it."""

    title: str
    visibility: Visibility


@dataclass(frozen=True, slots=True)
class SeenStudy:
    """A study as a viewer sees it: whether they may change its tree, and whether it is theirs to delete.

    The shared board of a game is nobody's to delete.

    `at` is the key of the node that they see, 0 for the start, and "" for the one that was shown last.
    """

    study: Study
    may_edit: bool
    is_own: bool
    at: str = ""

    @property
    def shown(self) -> Analysis:
        """Return its tree, at the node that is seen."""
        analysis = self.study.analysis
        return analysis.shown_at(analysis.tree.numbered(self.at)) if self.at else analysis

    @property
    def path(self) -> str:
        """Return the address of the node that is seen."""
        return f"{self.study.path}?{urlencode({'at': self.shown.key or '0'})}"


class Studies:
    """The studies of the server."""

    def __init__(self, database: Database, bus: Bus, games: Games, fair_play: FairPlay) -> None:
        self._database = database
        self._bus = bus
        self._games = games
        self._fair_play = fair_play

    async def save(self, identity: Identity, draft: StudyDraft) -> Study:
        """Save a new study, and return it.

        Raise NeedsAccountError `guest`, ForbiddenError `muted`, ConflictError `too_many_studies`,
        InvalidError `too_large`.
        """
        check_registered(identity, _("Register to save studies."), code="guest")
        study_id = new_id()
        async with self._database.transaction() as session:
            await _check_may_show(session, identity, draft.visibility)
            number = queries.count_of(identity.id)
            await _MOST_STUDIES.check(session, identity.id, number)
            row = {"id": study_id, "account_id": identity.id, **_columns(draft)}
            await session.execute(insert(StudyRow).values(row))
            return (await self._find(session, study_id, identity, to_change=False)).study

    async def get(self, study_id: str, viewer: Identity | None, person: Person, at: str = "") -> SeenStudy:
        """Return a study at a node.

        Raise NotFoundError, also for a private one of somebody else, ConflictError as
        `FairPlay.check_games` does.
        """
        seen = replace(await self._read(study_id, viewer), at=at)
        shown = await asyncio.to_thread(lambda: seen.shown)
        await self._fair_play.check_games(person, shown.rules, shown.all_positions)
        return seen

    async def stored(self, study_id: str, viewer: Identity | None) -> Study:
        """Return a study as it is stored, whose positions are built only to compare them with games.

        Raise what `get` raises for the viewer.
        """
        if viewer is not None:
            return (await self.get(study_id, viewer, Person(viewer.id))).study
        return (await self._read(study_id, viewer)).study

    async def version(self, study_id: str, viewer: Identity | None) -> int:
        """Return the version of a study. Raise NotFoundError, also for a private one of somebody else."""
        return (await self._read(study_id, viewer)).study.version

    async def edit(self, study_id: str, identity: Identity, person: Person, edit: Edit) -> str:
        """Change a node of a study, and return the key of the node where that leads.

        Raise what `get` and `edited` raise, ForbiddenError `not_your_study`, `no_comments` or `muted`,
        InvalidError `too_large`.
        """
        await self.get(study_id, identity, person)
        async with self._database.transaction() as session:
            seen = await self._find(session, study_id, identity, to_change=True)
            study = seen.study
            if not seen.may_edit:
                raise _not_yours()
            if edit.has_text:
                if study.is_shared:
                    raise ForbiddenError("no_comments", _("Write in the chat of the game instead."))
                await _check_may_show(session, identity, study.visibility)
            after = await asyncio.to_thread(lambda: edited(study.analysis, edit))
            await _write(session, study, moves=_text(after), shown=after.key)
        self._bus.publish(StudyChanged(study_id))
        return after.key

    async def replace(
        self, study_id: str, identity: Identity, draft: StudyDraft, version: int | None = None
    ) -> Study:
        """Replace all of a study, unless it has changed since a version.

        Raise NotFoundError, ForbiddenError `not_your_study` or `muted`, ConflictError `stale_version`,
        InvalidError `too_large`.
        """
        async with self._database.transaction() as session:
            study = await self._own(session, study_id, identity)
            check_seen(study.version, version, _("The study has changed since. Look at it again."))
            await _check_may_show(session, identity, draft.visibility)
            await _write(session, study, **_columns(draft))
        self._bus.publish(StudyChanged(study_id))
        return (await self._read(study_id, identity)).study

    async def change_settings(
        self, study_id: str, identity: Identity, change: Revision[StudySettings]
    ) -> None:
        """Change the title of a study, and who sees it.

        Raise NotFoundError, ForbiddenError `not_your_study` or `muted`, and what `change` raises.
        """
        async with self._database.transaction() as session:
            study = await self._own(session, study_id, identity)
            settings = change(StudySettings(study.heading, study.visibility))
            await _check_may_show(session, identity, settings.visibility)
            await _write(session, study, title=settings.title, visibility=settings.visibility)
        self._bus.publish(StudyChanged(study_id))

    async def delete(self, study_id: str, identity: Identity) -> None:
        """Delete a study. Raise NotFoundError, ForbiddenError `not_your_study`."""
        async with self._database.transaction() as session:
            await self._own(session, study_id, identity)
            await session.execute(delete(StudyRow).where(StudyRow.id == study_id))
        self._bus.publish(StudyChanged(study_id))

    async def open_shared(self, game_id: str, identity: Identity) -> str:
        """Return the id of the shared board of a game; for the first who asks it is made, and the other told.

        Raise NotFoundError, ForbiddenError `not_a_player`, ConflictError `not_over` or `no_shared_board`.
        """
        state = await self._games.seen_by(identity, game_id)
        decisions.side_of(state, identity.id, now())
        if state.is_solitaire or state.is_against_computer:
            raise ConflictError("no_shared_board", _("Only games between two people have a shared board."))
        if state.result is None:
            raise ConflictError("not_over", _("You can look at the game together when it is over."))
        analysis = await asyncio.to_thread(lambda: of_record(record_of(state)))
        last = analysis.shown_at(len(analysis.tree.moves))
        draft = StudyDraft("", Visibility.LINK, last)
        row = {"id": new_id(), "account_id": identity.id, "game_id": game_id, **_columns(draft)}
        insertion = insert(StudyRow).values(row).on_conflict_do_nothing().returning(StudyRow.id)
        told: list[int] = []
        async with self._database.transaction() as session:
            if made := await session.scalar(insertion):
                told = await tell_opponent(session, made, state, identity.id)
            study_id = await queries.shared_board(session, game_id)
        if told:
            self._bus.publish(InboxChanged(tuple(told)))
        assert study_id is not None
        return study_id

    async def shared_board_of(self, state: GameState) -> str | None:
        """Return the id of the shared board of a game, or None."""
        if state.result is None:
            return None
        async with self._database.reading_now() as session:
            return await queries.shared_board(session, state.id)

    async def public(self, viewer: Identity | None, *, number: int, limit: int) -> tuple[list[Study], bool]:
        """Return a page of the public studies, those changed last first, and whether there are more.

        Those of players who are hidden from the viewer are left out.
        """
        async with self._database.reading() as session:
            hidden = await hidden_authors(session, viewer.id if viewer else None)
            listed = queries.is_public() & ~queries.is_by(*hidden)
            return await queries.latest(session, listed, number=number, limit=limit)

    async def own(self, viewer: Identity, *, number: int, limit: int) -> tuple[list[Study], bool]:
        """Return a page of the studies of an account, as `public` does."""
        async with self._database.reading_now() as session:
            return await queries.latest(session, queries.is_by(viewer.id), number=number, limit=limit)

    async def _read(self, study_id: str, viewer: Identity | None) -> SeenStudy:
        async with self._database.reading_now() as session:
            return await self._find(session, study_id, viewer, to_change=False)

    async def _own(self, session: AsyncSession, study_id: str, identity: Identity) -> Study:
        """Return a study of an account, locked. Raise NotFoundError, ForbiddenError `not_your_study`."""
        seen = await self._find(session, study_id, identity, to_change=True)
        if not seen.is_own:
            raise _not_yours()
        return seen.study

    async def _find(
        self, session: AsyncSession, study_id: str, viewer: Identity | None, *, to_change: bool
    ) -> SeenStudy:
        study = await queries.find(session, study_id, to_change=to_change)
        is_own = study is not None and viewer is not None and study.author_id == viewer.id
        if study is None or (study.visibility is Visibility.PRIVATE and not is_own):
            raise NotFoundError("study")
        if study.shared_game is None:
            return SeenStudy(study, is_own, is_own)
        state = await self._games.get(study.shared_game)
        # Not stored: a name may change, and is erased with its account.
        titled = replace(study, title=", ".join(player.username for player in state.players))
        may_edit = viewer is not None and state.side_of(viewer.id) is not None
        return SeenStudy(titled, may_edit, is_own=False)


async def _check_may_show(session: AsyncSession, identity: Identity, visibility: Visibility) -> None:
    """Raise ForbiddenError `muted` for a text that others will see by an account that may not write."""
    if visibility is not Visibility.PRIVATE:
        await check_not_muted(session, identity.id)


def _columns(draft: StudyDraft) -> dict[str, Any]:
    """Return the columns of a study. Raise InvalidError `too_large`."""
    ground = draft.analysis.ground
    return {
        "title": draft.title,
        "visibility": draft.visibility,
        "game": ground.rules.key,
        "players": ground.players,
        "options": dict(ground.options),
        "position": ground.position,
        "moves": _text(draft.analysis),
        "shown": draft.analysis.key,
    }


def _text(analysis: Analysis) -> str:
    text = str(analysis.tree)
    if len(text.encode()) > MOST_BYTES:
        raise InvalidError(
            "too_large", _("A study has %(most)s KiB at most, comments included.", most=MOST_BYTES // 1024)
        )
    return text


async def _write(session: AsyncSession, study: Study, **columns: Any) -> None:
    """Write what changes a locked study; what changes nothing leaves its version and its place in lists.

    The node that is shown is a change only where two look at it together.
    """
    changed = {name for name, value in columns.items() if getattr(study, name) != value}
    if changed - {"shown"} or (changed and study.is_shared):
        counted = {"version": StudyRow.version + 1, "updated_at": func.now()}
        await session.execute(update(StudyRow).where(StudyRow.id == study.id).values({**columns, **counted}))


def _not_yours() -> ForbiddenError:
    return ForbiddenError("not_your_study", _("This study is not yours. Save a copy to change it."))
