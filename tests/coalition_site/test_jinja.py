"""Included templates look the same wherever they are read."""

from __future__ import annotations

from jinja2 import DictLoader, Environment

from coalition_site.jinja import Inlined

TEMPLATES = {
    "page": """{% set name = "Ada" %}
<ol>
  {% for seat in seats %}
    {% include "row" %}
  {% endfor %}
</ol>
{% include "end" %}
{{ name }}, {{ inside }}
""",
    "row": """{# A row. #}
{% from "macros" import bold %}
{% set name = "Bo" %}
  <li>{% include "name" %}: {{ seat }}</li>
""",
    "name": "{{ bold(name) }}\n\n",
    "macros": "{% macro bold(text) %}<b>{{ text }}</b>{% endmacro %}",
    "end": "\n{% if seats %}\n{% set inside = 1 %}\n  {{ inside }}\n{% endif %}\n",
}


def drawing(*extensions: type[Inlined]) -> str:
    environment = Environment(
        loader=DictLoader(TEMPLATES),
        extensions=extensions,
        lstrip_blocks=True,
        trim_blocks=True,
    )
    return environment.get_template("page").render(seats=[1, 2])


def test_an_included_template_looks_the_same_put_in_place() -> None:
    assert drawing(Inlined) == drawing()
    assert "<b>Bo</b>\n: 2" in drawing(Inlined)
    assert drawing(Inlined).endswith("\n  1\nAda, ")
