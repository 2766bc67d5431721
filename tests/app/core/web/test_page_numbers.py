"""Lists that count their pages: each leads to all of them."""

import pytest
from pydantic import BaseModel

from app.core.web.params import PageNumber
from tests.support.application import application


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
