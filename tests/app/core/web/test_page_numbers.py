"""Lists that count their pages: each leads to all of them."""

from html import escape

import pytest
from pydantic import BaseModel

from app.core.web.params import PageNumber
from tests.support.application import application
from tests.support.page_paths import page_paths


def numbers(dependant):
    """Yield the fields of a query, and of what a route depends on, with the number of a page."""
    for parameter in dependant.query_params:
        model = parameter.field_info.annotation
        is_model = isinstance(model, type) and issubclass(model, BaseModel)
        fields = model.model_fields if is_model else {parameter.alias: parameter.field_info}
        if "number" in fields:
            yield fields["number"]
    for dependency in dependant.dependencies:
        yield from numbers(dependency)


def most_of(metadata):
    (most,) = [each.le for each in metadata if hasattr(each, "le")]
    return most


LISTS = {
    route.path: number
    for route in application().routes
    if hasattr(route, "dependant")
    for number in numbers(route.dependant)
}


def test_lists_are_found():
    assert len(LISTS) > 10


@pytest.mark.parametrize("path", LISTS)
def test_all_lists_take_the_same_numbers_of_pages(path):
    (in_query,) = PageNumber.__metadata__
    assert most_of(LISTS[path].metadata) == most_of(in_query.metadata)


PAGES = {path: examples for path, examples in page_paths().items() if path in LISTS}


def test_pages_with_numbers_are_found():
    assert len(PAGES) > 7


@pytest.mark.parametrize("path", PAGES)
def test_beyond_the_last_page_there_is_the_last_one_or_a_link_to_the_first(path, example_site):
    is_reached = False
    for example in PAGES[path]:
        first = example.format(**example_site.ids)
        beyond = f"{first}{'&' if '?' in first else '?'}number=999"
        for reader in example_site.readers.values():
            if reader.http.get(first, follow_redirects=False).status_code != 200:
                continue
            is_reached = True
            answer = reader.http.get(beyond)
            assert "number=998" not in answer.text
            assert answer.status_code == 200 or f'href="{escape(first)}">First page<' in answer.text
    assert is_reached
