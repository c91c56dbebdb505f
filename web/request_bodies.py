"""What requests bring, and how every refusal is told: ``{"error": sentence, "status": number}``."""

from collections.abc import Mapping
from typing import Any, Final

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

_SENTENCES: Final[Mapping[int, str]] = {
    400: "This is nothing that can be asked for.",
    401: "Enter the code to play along.",
    403: "This page is out of date, or the request does not come from a page of the box: load it again.",
    404: "There is no such page.",
    405: "This cannot be asked for in this way.",
    409: "This cannot be done now.",
    411: "The length of the request was not told.",
    413: "This is too long.",
    415: "Requests bring JSON or a photo.",
    421: "This address is none of the box's.",
    431: "The head of this request is too long.",
    500: "The box made an error. It is in its log.",
    503: "The box is busy: try again in a moment.",
}


def body() -> Any:
    """The JSON of a request, or None where it has none, or one so nested that nobody means it."""
    try:
        return request.get_json(silent=True)
    except RecursionError:
        return None


def refused(status: int, words: str = "", **more: Any) -> dict[str, Any]:
    """The one shape in which it is told why something is not given."""
    return {"error": words or _SENTENCES.get(status, "This cannot be done."), "status": status, **more}


def refusal(status: int, words: str = "", headers: Mapping[str, str] | None = None, **more: Any) -> Response:
    """Why something is not given."""
    response = jsonify(refused(status, words, **more))
    response.status_code = status
    response.headers.update(headers or {})
    return response


def wants_page() -> bool:
    """Whether whoever asks would rather read a page than data."""
    kinds = request.accept_mimetypes
    return kinds.best_match(["application/json", "text/html"]) == "text/html" and bool(
        request.accept_mimetypes
    )


def tell_refusals(app: Flask) -> None:
    """Have every refusal of an application told in the one shape; browsers that open a page get one."""

    def answer(wrong: HTTPException) -> Response | tuple[str, int]:
        if wrong.response is not None:
            return wrong.response  # type: ignore[return-value]  # ours are
        status = wrong.code or 500
        if wants_page() and request.method == "GET":
            words = _SENTENCES.get(status, wrong.name)
            return render_template("refused.html", token="", status=status, words=words), status
        return refusal(status)

    app.register_error_handler(HTTPException, answer)
