"""Downloads in parts: what goes wrong before the first part is an error, and not a file that breaks off."""

import pytest

from app.core.web.downloads import begun


async def parts(*given):
    for part in given:
        if isinstance(part, Exception):
            raise part
        yield part


async def test_all_parts_come_in_order():
    assert [part async for part in await begun(parts(1, 2, 3))] == [1, 2, 3]
    assert [part async for part in await begun(parts())] == []
    assert [part async for part in await begun(parts(()))] == [()]


async def test_an_error_of_the_first_part_is_raised_before_the_answer_begins():
    with pytest.raises(TimeoutError):
        await begun(parts(TimeoutError()))
