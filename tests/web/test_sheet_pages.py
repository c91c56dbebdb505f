"""The sheet pages: hostile uploads, tapped corners, corrections, printing, and examples kept on wish."""

import io
import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from device.sheet_reading import read_photo
from device.untrusted_picture import PictureNotYet
from engine.kingdomino_duel.edition import COATS
from engine.kingdomino_duel.kingdom import Kingdom
from simulation.filled_sheet import OUR_FORM, Cells, filled
from simulation.filled_spellbook import BookLine, filled_spellbook
from simulation.sheet_photo import PhotoConditions, photographed
from web.guard import TOKEN_HEADER, Door
from web.sheet_pages import MOST_BYTES, Album, standalone

ROWS = [". . . . . . .", ". . d1 d0 . . .", ". . d0 C s0 s0 .", ". . . q2 q0 . .", ". . . . . . ."]
D0, S0 = ("dot", 0), ("stripe", 0)
SMALL: Cells = (
    (None,) * 7,
    (None, None, ("dot", 1), D0, None, None, None),
    (None, None, D0, None, S0, S0, None),
    (None, None, None, ("quarters", 2), ("quarters", 0), None, None),
    (None,) * 7,
)
Told = dict[str, object]


@pytest.fixture(scope="module")
def photo() -> bytes:
    """A photo of a small map."""
    rng = np.random.default_rng(34)
    paper = filled(OUR_FORM, SMALL, False, rng)
    return photographed([paper], PhotoConditions(turn_deg=8, tilt=0.1), rng).jpeg


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    """The pages alone, with a folder for examples, asked as they ask themselves."""
    door = Door()
    made = standalone(Album(tmp_path / "examples"), door).test_client()
    made.environ_base["HTTP_" + TOKEN_HEADER.upper().replace("-", "_")] = door.token
    made.environ_base["CONTENT_TYPE"] = "application/octet-stream"
    return made


def as_rows(rows: list[str] = ROWS, **more: object) -> Told:
    """One map as the page sends it."""
    return {"maps": [{"rows": [row.split() for row in rows], "roof": False, "named": None, **more}]}


def test_a_photo_is_read_corrected_printed_and_kept(
    client: FlaskClient, photo: bytes, tmp_path: Path
) -> None:
    """The whole way: what was read comes with its picture, and what the person says is what counts."""
    read = client.post("/sheets/read", data=photo).get_json()
    (one,) = read["maps"]
    assert Kingdom.from_rows([" ".join(row) for row in one["rows"]]).marks()
    picture = client.get(f"/sheets/{read['photo']}/0.jpg").data
    flat = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    assert flat is not None
    assert flat.shape[:2] == (5 * 110 + 28, 7 * 110 + 28)
    score = client.post("/sheets/score", json=as_rows(named="stripe")).get_json()["maps"][0]
    assert (score["score"], score["named_points"], score["largest"]) == (10, 3, 3)
    page = client.post(f"/sheets/{read['photo']}/score.pdf", json=as_rows())
    assert page.data.startswith(b"%PDF")
    assert client.post(f"/sheets/{read['photo']}/keep", json=as_rows()).get_json() == {"kept": 1}
    (label,) = (tmp_path / "examples").glob("*.json")
    assert Kingdom.from_rows(json.loads(label.read_text())["rows"]) == Kingdom.from_rows(ROWS)
    assert cv2.imread(str(label.with_suffix(".png"))) is not None


def test_the_photos_of_one_game_are_told_together(client: FlaskClient, photo: bytes) -> None:
    """A spellbook, a map, another map: all that was read before comes again, and P5 is asked for."""
    lines = tuple(BookLine((0, 3), struck=1) if name == "black" else BookLine((0, 0)) for name in COATS)
    rng = np.random.default_rng(8)
    book = photographed([filled_spellbook(lines, rng)], PhotoConditions(), rng).jpeg
    told = client.post("/sheets/read", data=book).get_json()
    assert told["maps"] == []
    # A line that is read in doubt ends with "?": how surely it is read is measured elsewhere.
    words = told["spellbooks"][0][4].rstrip("?")
    assert words == "P5: struck out and 3 of 3; it belongs to the right player"
    for count in (1, 2):
        told = client.post(f"/sheets/read?after={told['photo']}", data=photo).get_json()
        assert len(told["maps"]) == count
    assert [one["unnamed"] for one in told["maps"]] == [False, True]
    assert told["spellbooks"]
    assert client.get(f"/sheets/{told['photo']}/1.jpg").mimetype == "image/jpeg"
    gone = client.post("/sheets/read?after=nobody", data=photo)
    assert gone.status_code == 404


def test_nothing_is_kept_unasked(client: FlaskClient, photo: bytes, tmp_path: Path) -> None:
    """Reading and scoring leave no file behind."""
    client.post("/sheets/read", data=photo)
    client.post("/sheets/score", json=as_rows())
    assert list(tmp_path.iterdir()) == []


def test_two_maps_have_a_winner_at_once(client: FlaskClient) -> None:
    """With two maps on the page their comparison comes with the score."""
    two = {"maps": as_rows()["maps"] + as_rows(named="dot")["maps"]}  # type: ignore[operator]
    assert "Player 2 wins by 10 to 7" in client.post("/sheets/score", json=two).get_json()["outcome"]


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        (b"", 411, "no photo"),
        (b"GIF89a", 400, "is a GIF picture, which is not read: save it as JPEG or PNG"),
        (b"\xff\xd8\xff\xe0\x00\x04ab\xff\xd9", 400, "without a size"),
    ],
)
def test_a_file_that_is_no_photo_is_refused_with_the_reason(
    body: bytes, status: int, says: str, client: FlaskClient
) -> None:
    """One sentence, and never a trace."""
    answer = client.post("/sheets/read", data=body)
    assert answer.status_code == status
    assert says in answer.get_json()["error"]


def test_too_large_a_photo_is_refused_before_it_is_read(client: FlaskClient) -> None:
    """The length that a request announces is enough to refuse it."""
    answer = client.post(
        "/sheets/read", input_stream=io.BytesIO(), environ_overrides={"CONTENT_LENGTH": str(MOST_BYTES + 1)}
    )
    assert answer.status_code == 413


def test_a_photo_for_which_the_box_has_no_time_may_be_sent_again(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not called a bad request, and the next one is read."""

    def no_time(*_given: object, **_more: object) -> None:
        raise PictureNotYet("was not decoded within 120 seconds")

    with monkeypatch.context() as busy:
        busy.setattr("web.sheet_pages.decoded", no_time)
        assert client.post("/sheets/read", data=b"\xff\xd8").status_code == 503
    assert client.post("/sheets/read", data=b"\xff\xd8").status_code == 400


def test_a_bomb_is_refused_by_its_header(client: FlaskClient) -> None:
    """A PNG that would unpack to billions of pixels is never unpacked."""
    done, data = cv2.imencode(".png", np.zeros((32, 32, 3), np.uint8))
    assert done
    bomb = bytearray(data.tobytes())
    bomb[16:24] = (60000).to_bytes(4, "big") * 2
    answer = client.post("/sheets/read", data=bytes(bomb))
    assert answer.status_code == 400
    assert "60000×60000 pixels" in answer.get_json()["error"]


def test_a_photo_without_a_map_is_settled_by_four_taps(client: FlaskClient) -> None:
    """What is not found by itself is kept until its corners are tapped; crossed corners are refused."""
    grey = np.full((400, 560, 3), 200, np.uint8)
    done, data = cv2.imencode(".jpg", grey)
    assert done
    where = b"Exif\0\0MM\0*\0\0\0\x08\0\0at home"
    marked = data.tobytes()[:2] + b"\xff\xe1" + (len(where) + 2).to_bytes(2, "big") + where
    answer = client.post("/sheets/read", data=marked + data.tobytes()[2:])
    assert answer.status_code == 422
    told = answer.get_json()
    assert told["size"] == [560, 400]
    place = f"/sheets/{told['photo']}"
    shown = client.get(f"{place}/photo.jpg")
    assert shown.mimetype == "image/jpeg"
    assert b"at home" not in shown.data  # nor anything else that the phone wrote beside the pixels
    for corners in (
        [[0, 0]],
        [[9, 9], [9, 300], [300, 300], [300, 9]],
        [["a", 1]] * 4,
        [[10**400, 1]] * 4,
        [[9, 9], [900, 9]] * 2,
    ):
        assert client.post(f"{place}/corners", json={"corners": corners}).status_code == 400
    tapped = client.post(f"{place}/corners", json={"corners": [[9, 9], [500, 9], [500, 380], [9, 380]]})
    assert tapped.status_code == 422
    told = tapped.get_json()
    assert "no castle amid these corners" in told["error"]
    assert "photo" not in told  # it is kept already, to tap again


def test_squares_that_cannot_be_read_are_not_to_be_tapped_again(
    client: FlaskClient, photo: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the castle is seen, what helps is another photo."""
    image = cv2.imdecode(np.frombuffer(photo, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    around = read_photo(np.asarray(image, np.uint8)).maps[0].corners[[0, 0, -1, -1], [0, -1, -1, 0]].tolist()
    monkeypatch.setattr("vision.sheet_reader._LEAST_SURE", 1.01)
    place = client.post("/sheets/read", data=photo).get_json()["photo"]
    tapped = client.post(f"/sheets/{place}/corners", json={"corners": around})
    assert tapped.status_code == 422
    assert "sharper, nearer or in more light" in tapped.get_json()["error"]


@pytest.mark.parametrize("told", [{}, {"maps": []}, {"maps": [{}]}, as_rows(ROWS[:4]), as_rows(named="lion")])
def test_maps_that_are_none_are_refused(told: Told, client: FlaskClient) -> None:
    """Whatever is posted, the answer is a sentence."""
    answer = client.post("/sheets/score", json=told)
    assert answer.status_code == 400
    assert answer.get_json()["error"]


def test_only_this_page_on_this_machine_may_ask(client: FlaskClient) -> None:
    """Another site's page, and another name for this machine, are turned away."""
    assert (
        client.post("/sheets/score", json=as_rows(), headers={"Origin": "http://x.test"}).status_code == 403
    )
    assert (
        client.post("/sheets/score", json=as_rows(), headers={"Sec-Fetch-Site": "cross-site"}).status_code
        == 403
    )
    assert client.get("/sheets", headers={"Host": "x.test"}).status_code == 421
    page = client.get("/sheets")
    assert "default-src 'self'" in page.headers["Content-Security-Policy"]
    assert b"<script>" not in page.data


def test_photos_long_gone_are_told_so(client: FlaskClient) -> None:
    """A name nobody gave out is 404 with a sentence."""
    assert client.post("/sheets/nobody/keep", json=as_rows()).status_code == 404
    assert client.get("/sheets/nobody/0.jpg").status_code == 404
