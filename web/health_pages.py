"""What collectors of figures may ask: ``/metrics``, for whoever has switched it on.

if settings.service.metrics:
    app.register_blueprint(metrics_pages(health))
"""

from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, Response

from device.home.prometheus import KIND, metrics_text


def metrics_pages(health: Callable[[], Mapping[str, Any]]) -> Blueprint:
    """The page of figures; ``health`` tells what ``/api/health`` tells."""
    pages = Blueprint("metrics", __name__)

    def metrics() -> Response:
        return Response(metrics_text(health()), content_type=KIND)

    pages.get("/metrics")(metrics)
    return pages
