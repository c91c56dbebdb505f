"""Learning goes on where it was stopped, and gives the same weights as if it never had been."""

import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not here: it is needed for training alone")

from training import learning  # noqa: E402  # torch may be missing
from training.learning import Plan, export, learn, plan  # noqa: E402


@pytest.fixture(autouse=True)
def short_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkpoint every five steps."""
    monkeypatch.setattr(learning, "_KEEP", 5)
    torch.set_num_threads(1)


def tiny(seed: int = 1) -> "torch.nn.Module":
    """A network of a few weights with a norm, whose running means are no gradients' work."""
    torch.manual_seed(seed)
    nn = torch.nn
    return nn.Sequential(nn.Linear(3, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 2))


def task(net: "torch.nn.Module", most: int = 10_000) -> Callable[[np.random.Generator], "torch.Tensor"]:
    """Telling whether three numbers add up to more than nothing; breaks off after so many batches."""
    done = 0

    def step(rng: np.random.Generator) -> "torch.Tensor":
        nonlocal done
        done += 1
        if done > most:
            raise KeyboardInterrupt
        x = torch.from_numpy(rng.normal(size=(16, 3)).astype(np.float32))
        loss: torch.Tensor = torch.nn.functional.cross_entropy(net(x), (x.sum(dim=1) > 0).long())
        return loss

    return step


def of(folder: Path, steps: int) -> Plan:
    """A plan of so many steps."""
    folder.mkdir(exist_ok=True)
    return Plan(folder, steps, 7, 1, folder)


def weights(net: "torch.nn.Module") -> np.ndarray:
    """Everything a network has learned."""
    return np.concatenate([value.detach().numpy().ravel() for value in net.state_dict().values()])


def test_a_run_that_was_killed_ends_where_an_unbroken_one_does(tmp_path: Path) -> None:
    """Stopped amid a round and started again, twice: the same weights to the last bit."""
    whole = tiny()
    learn("net", whole, task(whole), of(tmp_path / "whole", 30), lambda: None)
    for most in (8, 11):
        broken = tiny()
        with pytest.raises(KeyboardInterrupt):
            learn("net", broken, task(broken, most), of(tmp_path / "broken", 30), lambda: None)
    again = tiny(seed=99)  # what it starts with is of no account: the checkpoint has it all
    batches = task(again, 20)
    learn("net", again, batches, of(tmp_path / "broken", 30), lambda: None)
    assert np.array_equal(weights(whole), weights(again))


def test_a_finished_run_takes_no_more_steps(tmp_path: Path) -> None:
    """The same command again gives the same network at once."""
    net = tiny()
    learn("net", net, task(net), of(tmp_path, 15), lambda: None)
    again = tiny(seed=5)
    learn("net", again, task(again, 0), of(tmp_path, 15), lambda: None)
    assert np.array_equal(weights(net), weights(again))


def test_it_learns_and_looks_for_new_pictures_after_each_round(tmp_path: Path) -> None:
    """The loss falls under that of guessing (0.69); whoever draws pictures meanwhile is asked each round."""
    net, looks = tiny(), []
    learn("net", net, task(net), of(tmp_path, 200), lambda: looks.append(1))
    assert len(looks) == 40
    loss = float(task(net)(np.random.default_rng(1)).detach())
    assert loss < 0.62
    assert not net.training


def test_a_torn_checkpoint_is_never_the_one_that_counts(tmp_path: Path) -> None:
    """What was written halfway bears another name until it is whole."""
    net = tiny()
    learn("net", net, task(net), of(tmp_path, 5), lambda: None)
    (tmp_path / "net.part").write_bytes(b"half a checkpo")
    learn("net", net, task(net), of(tmp_path, 10), lambda: None)
    assert {path.name for path in tmp_path.iterdir()} == {"net.pt"}


def test_what_is_exported_says_the_same(tmp_path: Path) -> None:
    """OpenCV runs the exported network with the answers of the learned one, for any number of rows."""
    import cv2

    nn = torch.nn
    net = nn.Sequential(learning.Normed(), learning.layer(3, 4, 2), nn.Flatten(), nn.Linear(4 * 16, 5)).eval()
    path = tmp_path / "net.onnx"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of the way of export, which is pinned
        export(net, path, (2, 3, 8, 8), {"input": {0: "n"}, "output": {0: "n"}})
    run = cv2.dnn.readNetFromONNX(str(path))
    for n in (1, 3):
        pictures = np.random.default_rng(n).uniform(0, 255, (n, 3, 8, 8)).astype(np.float32)
        run.setInput(pictures)
        with torch.no_grad():
            want = net(torch.from_numpy(pictures)).numpy()
        assert np.allclose(run.forward(), want, atol=1e-4)


def test_the_plan_is_what_the_command_line_says(tmp_path: Path) -> None:
    """Folders are made; steps have to be told."""
    told = plan(
        "doc", ["--data", str(tmp_path), "--out", str(tmp_path / "out"), "--steps", "12", "--seed", "4"]
    )
    assert (told.steps, told.seed, told.threads, told.data) == (12, 4, 1, tmp_path)
    assert told.out.is_dir()
    with pytest.raises(SystemExit):
        plan("doc", ["--data", str(tmp_path), "--out", str(tmp_path)])
