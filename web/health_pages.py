"""How the box is, as figures: for people at a match, and at ``/metrics`` for whoever has switched it on.

if settings.service.metrics:
    app.register_blueprint(metrics_pages(health))
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from flask import Blueprint, Response, jsonify, request

from device.home.prometheus import KIND, metrics_text
from web.access import Who
from web.box_glance import glance
from web.guard import Door
from web.words import language_of, translated


def glance_pages(health: Callable[[], Mapping[str, Any]], door: Door) -> Blueprint:
    """What the page of a match tells of the box, in the language of the screen that asks."""
    pages = Blueprint("glance", __name__)

    def told() -> Response:
        say = partial(translated, language_of(request))
        return jsonify(glance(health(), say, owner=door.asking() is Who.OWNER))

    pages.get("/api/health/glance")(told)
    return pages


def metrics_pages(health: Callable[[], Mapping[str, Any]]) -> Blueprint:
    """The page of figures; ``health`` tells what ``/api/health`` tells."""
    pages = Blueprint("metrics", __name__)

    def metrics() -> Response:
        return Response(metrics_text(health()), content_type=KIND)

    pages.get("/metrics")(metrics)
    return pages
