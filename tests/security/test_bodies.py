"""JSON bodies: nothing is ignored, and no value is taken for another."""

from typing import get_args

import pytest
from fastapi import params
from pydantic import BaseModel

from app.core.web.bodies import RequestBody
from tests.support.answers import code
from tests.support.routes import calls

_MOVE_ID = "5b0c3d52-9f2c-4a0a-8f0e-3f6f6a3f3a11"


def body_models(dependant):
    """Yield the models of the JSON bodies that a route takes."""
    for field in dependant.body_params:
        if not isinstance(field.field_info, params.Form | params.File):
            annotation = field.field_info.annotation
            for option in get_args(annotation) or (annotation,):
                if isinstance(option, type) and issubclass(option, BaseModel):
                    yield option
    for dependency in dependant.dependencies:
        yield from body_models(dependency)


def nested(model):
    """Yield a model and those of its members."""
    yield model
    for field in model.model_fields.values():
        for option in (field.annotation, *get_args(field.annotation)):
            if isinstance(option, type) and issubclass(option, BaseModel):
                yield from nested(option)


def test_every_body_refuses_unknown_members_and_values_of_other_types():
    routes = [getattr(call.route, "original_route", None) for call in calls()]
    models = {
        inner
        for route in routes
        if hasattr(route, "dependant")
        for model in body_models(route.dependant)
        for inner in nested(model)
    }
    assert len(models) > 12
    assert [model.__name__ for model in models if not issubclass(model, RequestBody)] == []


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/challenges", {"game": "jadejack", "rated": 0}),
        ("/challenges", {"game": "jadejack", "options": {"size": True}}),
        ("/challenges", {"game": "jadejack", "options": {"size": "9"}}),
        ("/challenges", {"game": "jadejack", "rating_min": 1e3}),
        ("/challenges", {"game": "jadejack", "rights": ["organiser"]}),
        ("/challenges", {"game": "jadejack", "time_control": {"kind": "correspondence", "days": True}}),
        ("/games", {"game": "up_and_up", "account_id": 1}),
        ("/evaluations", {"game": "jadejack", "position": "8/8/8/8/8/2b5/8/8 w 0", "level": 8}),
        ("/accounts", {"username": "wren", "password": "a long pass phrase", "is_computer": True}),
        ("/tokens", {"username": "wren", "password": "a long pass phrase", "account_id": 1}),
        ("/me/password", {"current_password": "x", "new_password": "y", "revoke_tokens": 1}),
        (
            "/games/2222222222/moves",
            {"move": "c4", "ply": False, "move_id": _MOVE_ID},
        ),
        (
            "/games/2222222222/moves",
            {"move": "c4", "ply": 0, "move_id": _MOVE_ID, "at": 0},
        ),
    ],
    ids=str,
)
def test_programs_cannot_send_more_or_other_than_is_asked(program, path, body):
    assert code(program.http.post(path, json=body)) == (422, "invalid_request")
