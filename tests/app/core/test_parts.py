"""The parts of a process: each made once, of those that its constructor names."""

from typing import Protocol

import pytest

from app.core.parts import Parts


class Store:
    def __init__(self) -> None:
        self.kept = []

    def keep(self, word: str) -> None:
        self.kept.append(word)

    def count(self, least: int = 0) -> int:
        return max(least, len(self.kept))


class Library:
    def __init__(self, store: Store) -> None:
        self.store = store


class Reader(Protocol):
    """Reads."""


class Scholar:
    def __init__(self, library: Library, store: Store, *, name: str = "Ann") -> None:
        self.library, self.store, self.name = library, store, name


class Hen:
    def __init__(self, egg: "Egg") -> None:
        self.egg = egg


class Egg:
    def __init__(self, hen: Hen) -> None:
        self.hen = hen


class Numbered:
    def __init__(self, store: Store, number: int) -> None:
        self.number = number


class Careless:
    def __init__(self, store) -> None:
        self.store = store


class Audience:
    def __init__(self, reader: Reader) -> None:
        self.reader = reader


async def lend(word: str, library: Library, reader: Reader) -> tuple[str, Library, Reader]:
    return word, library, reader


def test_a_part_is_made_once_of_the_others():
    parts = Parts()
    scholar = parts.get(Scholar)
    assert scholar is parts.get(Scholar)
    assert scholar.library.store is scholar.store is parts.get(Store)
    assert scholar.name == "Ann"


def test_a_part_that_was_made_by_hand_is_given_to_the_others():
    parts, store = Parts(), Store()
    parts.add(Store, store)
    assert parts.get(Library).store is store


async def test_a_function_is_given_its_parts_and_what_is_left():
    parts = Parts()
    parts.use(Reader, Scholar)
    lent = await parts.bind(lend, "word")("Moby-Dick")
    assert lent == ("Moby-Dick", parts.get(Library), parts.get(Scholar))


def test_a_method_is_bound_to_the_part_of_its_class():
    parts = Parts()
    parts.bind(Store.keep, "word")("Emma")
    assert parts.bind(Store.count)() == 1


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (Hen, "Hen needs Egg needs Hen"),
        (Numbered, r"Numbered.__init__\(number\): no part is <class 'int'>"),
        (Careless, r"Careless.__init__\(store\): no part is None"),
        (Audience, r"Audience.__init__\(reader\): no part is .*Reader"),
        (Reader, "no part is .*Reader"),
    ],
)
def test_what_cannot_be_made_is_named(kind, told):
    parts = Parts()
    for _ in range(2):
        with pytest.raises(TypeError, match=told):
            parts.get(kind)
