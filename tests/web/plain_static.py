"""`{% static %}` without a storage: the pages under test are served from the source tree."""

from django import template

register = template.Library()


@register.simple_tag
def static(path: str) -> str:
    return f"/static/{path}"
