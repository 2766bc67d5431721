"""Queries that are executed again and again: asyncpg does it alone, with what SQLAlchemy has told once.

They stay SQLAlchemy's, and so are their results, entities included. Sessions of `readers` use this.
"""

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

from sqlalchemy import ARRAY, CompoundSelect, Executable, Select, SQLColumnExpression, inspect
from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg
from sqlalchemy.engine import IteratorResult, Result
from sqlalchemy.engine.result import SimpleResultMetaData
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import instance_state

if TYPE_CHECKING:
    import asyncpg

    Connection = asyncpg.Connection[asyncpg.Record]

_Query: TypeAlias = Select[*tuple[Any, ...]] | CompoundSelect[*tuple[Any, ...]]
_Process: TypeAlias = Callable[[Any], Any] | None
_Part: TypeAlias = slice | Callable[[Sequence[Any], Session], Any]
"""Elements of a row that are those of asyncpg's row, or what makes one of it."""

_DIALECT = PGDialect_asyncpg()  # type: ignore[no-untyped-call]
_REFRESH = "populate_existing"  # the option by which a query reads entities again that are known


class DirectQuery(NamedTuple):
    """A query as asyncpg executes it. Without `parts`, the rows of its result are those of asyncpg."""

    text: str
    constants: Mapping[str, Any]
    parameters: Sequence[tuple[str, _Process]]
    metadata: SimpleResultMetaData
    parts: Sequence[_Part]

    async def result(
        self, connection: "Connection", values: Mapping[str, Any] | None, session: Session
    ) -> Result[*tuple[Any, ...]]:
        """Return the result for these values of the query's parameters; its entities are the session's."""
        every = {**self.constants, **(values or {})}
        given = [
            every[name] if process is None else process(every[name]) for name, process in self.parameters
        ]
        rows: Sequence[Any] = await connection.fetch(self.text, *given)
        made = [self._row(row, session) for row in rows] if self.parts else rows
        return IteratorResult(self.metadata, iter(made))

    def _row(self, row: Sequence[Any], session: Session) -> Sequence[Any]:
        elements: list[Any] = []
        for part in self.parts:
            if isinstance(part, slice):
                elements += row[part]
            else:
                elements.append(part(row, session))
        return elements


_QUERIES: WeakKeyDictionary[Executable, DirectQuery | None] = WeakKeyDictionary()
"""The statements that were executed: how asyncpg does it, or None if only a session can."""

_ONCE = DirectQuery("", {}, (), SimpleResultMetaData(()), ())  # stands for one that was executed once


async def direct_query(statement: Executable, connection: "Connection") -> DirectQuery | None:
    """Return how asyncpg executes a statement, or None if a session must.

    A session does it the first time, since most statements that are not kept are executed once, for which
    compiling them takes too long.
    """
    if statement not in _QUERIES:
        _QUERIES[statement] = _ONCE if isinstance(statement, Select | CompoundSelect) else None
        return None
    query = _QUERIES[statement]
    if query is _ONCE:
        assert isinstance(statement, Select | CompoundSelect)
        query = _QUERIES[statement] = await _compiled(statement, connection)
    return query


async def _compiled(query: _Query, connection: "Connection") -> DirectQuery | None:
    """Return how asyncpg executes a query, or None if only a session can."""
    described = _described(query)
    elements = [each["expr"] for each in described]
    if not all(_is_column(each["expr"]) or each["expr"] is each["entity"] for each in described):
        return None
    options = query.get_execution_options()
    is_locking = query._for_update_arg is not None  # noqa: SLF001
    if is_locking or query._with_options or options.keys() - {_REFRESH}:  # noqa: SLF001
        return None
    columns = [_columns(element) for element in elements]
    every = [column for own in columns for column in own]
    compiled: Any = query.compile(dialect=_DIALECT)
    if not all(bind.unique for bind in compiled.post_compile_params | compiled.literal_execute_params):
        return None  # the text depends on the value, as `in_` does on how many there are
    values = {name: bind for name, bind in compiled.binds.items() if bind.required}
    whole = compiled.construct_expanded_state(dict.fromkeys(values))
    processors = {
        name: process  # a parameter may be there more than once, and have a type at one place only
        for bind, name in compiled.bind_names.items()
        if (process := _impl(bind).bind_processor(_DIALECT)) is not None
    } | whole.processors
    parameters = [(name, processors.get(name)) for name in whole.positiontup]
    constants = {name: value for name, value in whole.parameters.items() if name not in values}
    attributes = (await connection.prepare(whole.statement)).get_attributes()
    if not _are_in_order(every, [attribute.name for attribute in attributes]):
        return None
    of_columns = [
        _result_process(_impl(column), attribute.type.oid)
        for column, attribute in zip(every, attributes, strict=True)
    ]
    metadata = SimpleResultMetaData([str(each["name"]) for each in described])
    is_plain = not any(of_columns) and all(map(_is_column, elements))
    parts = [] if is_plain else _parts(elements, columns, of_columns, _REFRESH in options)
    return DirectQuery(whole.statement, constants, parameters, metadata, parts)


def _are_in_order(columns: Sequence[Any], names: Sequence[str]) -> bool:
    """Return whether PostgreSQL names the columns of tables like these; "id" may be "id_1", too."""
    if len(columns) != len(names):
        return False
    stored = [getattr(getattr(column, "property", None), "columns", ()) for column in columns]
    return all(name.startswith(own[0].name) for own, name in zip(stored, names, strict=True) if own)


def _described(query: _Query) -> Sequence[Mapping[str, Any]]:
    if isinstance(query, Select):
        described: Sequence[Mapping[str, Any]] = query.column_descriptions
        return described
    return [{"name": name, "expr": column, "entity": None} for name, column in query.selected_columns.items()]


def _is_column(element: Any) -> bool:
    return isinstance(element, SQLColumnExpression)


def _columns(element: Any) -> Sequence[Any]:
    if _is_column(element):
        return [element]
    return [getattr(element, name) for name in _names(inspect(element).mapper)]


def _names(mapper: Any) -> Sequence[str]:
    """Return the names of the attributes that are read with an entity."""
    return [attribute.key for attribute in mapper.column_attrs if not attribute.deferred]


def _impl(element: Any) -> Any:
    return element.type.dialect_impl(_DIALECT)


def _result_process(kind: Any, oid: int) -> _Process:
    """Return what makes a value of a column of asyncpg's, None if it stays: SQLAlchemy copies all arrays."""
    if isinstance(kind, ARRAY) and not kind.as_tuple:
        item = kind.item_type.dialect_impl(_DIALECT)
        if item.result_processor(_DIALECT, oid) is None:
            return None
    process: _Process = kind.result_processor(_DIALECT, oid)
    return process


def _parts(
    elements: Sequence[Any], columns: Sequence[Sequence[Any]], processes: Sequence[_Process], refresh: bool
) -> Sequence[_Part]:
    """Return what makes the elements of a row."""
    parts: list[_Part] = []
    start = 0
    for element, own in zip(elements, columns, strict=True):
        places = slice(start, start + len(own))
        if not _is_column(element):
            parts.append(_entity(inspect(element).mapper, places, processes[places], refresh))
        elif (process := processes[start]) is not None:
            parts.append(_value(start, process))
        elif parts and isinstance(before := parts[-1], slice):
            parts[-1] = slice(before.start, places.stop)
        else:
            parts.append(places)
        start = places.stop
    return parts


def _value(place: int, process: Callable[[Any], Any]) -> _Part:
    return lambda row, _session: process(row[place])


def _entity(mapper: Any, places: slice, processes: Sequence[_Process], refresh: bool) -> _Part:
    names = _names(mapper)
    of_key = [
        places.start + names.index(mapper.get_property_by_column(column).key) for column in mapper.primary_key
    ]
    key_of, missing = itemgetter(slice(0, 0), *of_key), ((), *(None for _ in of_key))
    processed = [(place, process) for place, process in enumerate(processes) if process is not None]
    class_, new_instance = mapper.class_, mapper.class_manager.new_instance

    def entity(row: Sequence[Any], session: Session) -> Any:
        key = key_of(row)
        if key == missing:
            return None  # an outer join has found nothing
        identity = class_, key[1:], None
        made = session.identity_map.get(identity)
        if made is not None and not refresh:
            return made
        values = list(row[places])
        for place, process in processed:
            values[place] = process(values[place])
        if made is None:
            made = new_instance()
            state = instance_state(made)
            state.key, state.session_id = identity, session.hash_key
            session.identity_map.add(state)
        made.__dict__.update(zip(names, values, strict=True))
        return made

    return entity
