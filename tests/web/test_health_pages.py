"""The page of figures is there for whoever has switched it on, and nowhere else."""

from flask import Flask

from device.settings import Settings
from tests.device.home.well import WELL
from web.health_pages import metrics_pages


def test_figures_are_told_at_metrics_as_a_collector_reads_them() -> None:
    """The kind of the answer is Prometheus' text format; each asking looks anew."""
    app, phases = Flask(__name__), iter(("watching", "hands"))
    app.register_blueprint(
        metrics_pages(lambda: {**WELL, "game": {"name": "draw-game", "phase": next(phases), "entries": 1}})
    )
    asker = app.test_client()
    first, second = asker.get("/metrics"), asker.get("/metrics")
    assert first.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert 'phase="watching"' in first.text
    assert 'phase="hands"' in second.text
    assert asker.post("/metrics").status_code == 405


def test_nobody_is_told_figures_unasked() -> None:
    """The setting is off as shipped."""
    assert not Settings().service.metrics
