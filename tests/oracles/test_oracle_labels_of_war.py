"""How the second generator of Dominoes of War names its steps, and that it counts what it names."""

from tests.oracles import dominoes_of_war as war


def test_the_tile_of_a_class_is_the_smallest_never_seen():
    """One fact a class; a class of which all tiles were seen does not come."""
    position = war.positions()["the last troop lands"]
    tiles = ["0-0", "0-1", "0-10", "0-12", "5-12", "8-12"]
    assert {label for label, _ in war.steps(position)} == {f"flip d4 {tile}" for tile in tiles}
    seen = {**position, "discard": [[8, 12], [9, 11], [0, 1], [0, 0]]}
    tiles = ["0-2", "0-10", "0-12", "1-1", "5-12"]
    assert {label for label, _ in war.steps(seen)} == {f"flip d4 {tile}" for tile in tiles}


def test_labels_name_the_player_and_facts_nobody():
    """The second player's turn is labelled 2."""
    turn = war.positions()["lightfoot over walls"]
    assert all(label.startswith("2:") for label, _ in war.steps(turn))


def test_perft_counts_sequences():
    """It is the number of label sequences that one gets by writing them all down."""
    position = war.positions()["bonus 17"]
    ends = [((), position)]
    for n in range(4):
        assert war.perft(position, n) == len(ends)
        assert len({labels for labels, _ in ends}) == len(ends)
        ends = [((*labels, label), p) for labels, here in ends for label, p in war.steps(here)]
