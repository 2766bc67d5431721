"""What templates escape and call: the same as Jinja would, in fewer steps."""

import pytest
from jinja2 import UndefinedError
from jinja2.utils import _PassArg
from markupsafe import Markup, escape

from app.core.i18n.languages import LANGUAGES, reading
from app.core.i18n.text import Text, _
from app.core.web.quick import escaped
from app.core.web.render import _environment


class Drawn:
    """Something that says itself how it looks in HTML."""

    def __html__(self):
        return "<i>&amp;</i>"


class Named(str):
    """A string of another type."""

    __slots__ = ()

    def __str__(self):
        return "<named>"


VALUES = [
    "",
    '<b title="it\'s">&amp;</b>',
    Markup("<b>&amp;</b>"),
    Text("<b>"),
    _("%(player)s is to move", player="<script>"),
    Named("<b>"),
    Drawn(),
    None,
    True,
    12,
    1.5,
    ["<b>"],
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("value", VALUES)
def test_values_are_escaped_as_by_jinja(value, language):
    with reading(language):
        assert str(escaped(value)) == str(escape(value))


@pytest.mark.parametrize("value", VALUES)
def test_templates_escape_what_they_draw(value):
    template = _environment("en").from_string(
        "{% macro drawn(value) %}{{ value }}{% endmacro %}{% set kept %}{{ value }}{% endset %}"
        "{% block main %}{{ value }}{{ drawn(value) }}{{ kept }}"
        "{% for each in [value] %}{{ each }}{% endfor %}{% endblock %}"
    )
    assert template.render(value=value) == str(escape(value)) * 4


def test_macros_know_what_is_set_where_they_are_called():
    template = _environment("en").from_string(
        "{% macro row(name) %}<i>{{ name }}{{ caller(name) }}</i>{% endmacro %}"
        "{% block main %}{% for each in '<>' %}"
        "{% call(name) row(each) %}{{ loop.index }}{{ name }}{% endcall %}"
        "{% endfor %}{% endblock %}"
    )
    assert template.render() == "<i>&lt;1&lt;</i><i>&gt;2&gt;</i>"


@pytest.mark.parametrize("language", LANGUAGES)
def test_globals_of_templates_know_nothing_of_the_context(language):
    called = _environment(language).globals
    assert not [name for name, value in called.items() if _PassArg.from_obj(value) is not None]


@pytest.mark.parametrize(
    "drawn", ["{{ x }}", "{{ x.y }}", "{{ x() }}", "{% block main %}{{ x }}{% endblock %}"]
)
def test_what_is_undefined_is_an_error(drawn):
    with pytest.raises(UndefinedError):
        _environment("en").from_string(drawn).render()
