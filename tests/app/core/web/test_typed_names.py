"""Usernames that somebody types: a space around one is no part of it."""

import pytest
from pydantic import BaseModel, TypeAdapter

from app.core.importing import import_all

import_all("schemas")
import_all("forms")
import_all("api")


def subclasses(model):
    for each in model.__subclasses__():
        yield each
        yield from subclasses(each)


FIELDS = {
    f"{model.__module__}.{model.__name__}.{name}": field
    for model in subclasses(BaseModel)
    if model.__module__.startswith("app.")
    for name, field in model.model_fields.items()
    if name in {"username", "opponent", "new_name"} and "max_length" in repr(field)
}


def test_fields_are_found():
    assert len(FIELDS) >= 9


@pytest.mark.parametrize("name", FIELDS)
def test_a_space_around_a_username_is_no_part_of_it(name):
    field = FIELDS[name]
    assert TypeAdapter(field.rebuild_annotation()).validate_python(" wren ") == "wren"


def test_who_types_a_space_behind_the_name_logs_in(visitor):
    visitor.register()
    name = visitor.username
    visitor.http.post("/logout")
    assert visitor.log_in(f"{name} ").http.get("/account").status_code == 200
    assert name in visitor.http.get("/account").text
