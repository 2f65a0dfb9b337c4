"""What proves that a replica is at most so far behind, and what does not, as numbers: places in a log, and moments."""

from __future__ import annotations

from core.db.proofs import Proofs, Told


def primary(place: int, timeline: int = 1) -> Told:
    return Told(is_replica=False, place=place, timeline=timeline)


def replica(place: int | None, timeline: int | None = 1) -> Told:
    return Told(is_replica=True, place=place, timeline=timeline)


def asked(*places: int, timeline: int = 1, start: float = 100.0) -> Proofs:
    """Proofs of a primary that was asked once a second and was at these places."""
    proofs = Proofs(seconds=10)
    for second, place in enumerate(places):
        proofs.primary(start + second, primary(place, timeline))
    return proofs


def test_who_replayed_a_place_has_all_that_was_committed_when_the_primary_was_there() -> None:
    proofs = asked(1_000, 1_100, 1_200)
    assert proofs.moment("r", replica(1_200), primary(1_250)) == 102.0
    assert proofs.moment("r", replica(1_199), primary(1_250)) == 101.0
    assert proofs.moment("r", replica(1_000), primary(1_250)) == 100.0


def test_who_is_behind_all_places_that_are_known_is_not_proven_to_be_of_any_moment() -> None:
    assert asked(1_000).moment("r", replica(999), primary(1_000)) is None


def test_while_nothing_is_written_a_replica_stays_as_fresh_as_the_last_question() -> None:
    """By the age of its last transaction it would be hours behind."""
    assert asked(*[1_000] * 9).moment("r", replica(1_000), primary(1_000)) == 108.0


def test_a_replica_that_stands_still_is_as_fresh_as_when_the_places_passed_it() -> None:
    """It has replayed all that it received, and would call itself current."""
    proofs = asked(1_000, 1_000, 1_001, 1_500, 9_000)
    assert proofs.moment("r", replica(1_000), primary(9_000)) == 101.0


def test_places_older_than_the_lag_that_is_allowed_prove_nothing() -> None:
    proofs = asked(*range(1_000, 1_020))
    assert proofs.moment("r", replica(1_009), primary(1_019)) == 109.0
    assert proofs.moment("r", replica(1_008), primary(1_019)) is None


def test_while_the_primary_does_not_answer_no_moment_is_newer_than_its_last_answer() -> None:
    proofs = asked(1_000, 1_001)
    for second in range(102, 110):
        proofs.primary(second, None)
    assert proofs.moment("r", replica(1_050), None) == 101.0


def test_a_primary_that_became_a_replica_proves_nothing() -> None:
    proofs = asked(1_000)
    proofs.primary(101.0, replica(1_700))
    assert proofs.moment("r", replica(1_800), None) == 100.0


def test_who_is_ahead_of_the_primary_has_another_past() -> None:
    """It replayed what the new primary never received, and what nobody was told is committed."""
    proofs = asked(1_000, timeline=2)
    assert proofs.moment("r", replica(1_050, timeline=None), primary(1_040, 2)) is None
    assert proofs.moment("r", replica(1_040, timeline=None), primary(1_040, 2)) == 100.0


def test_places_of_a_former_primary_are_forgotten() -> None:
    proofs = asked(5_000, 5_100)
    proofs.primary(102.0, primary(5_060, timeline=2))
    assert proofs.moment("r", replica(5_055, timeline=2), primary(5_070, 2)) is None
    assert proofs.moment("r", replica(5_065, timeline=2), primary(5_070, 2)) == 102.0


def test_a_former_primary_that_is_heard_again_proves_nothing() -> None:
    proofs = asked(5_000, timeline=2)
    proofs.primary(101.0, primary(4_000, timeline=1))
    assert proofs.moment("r", replica(4_500, timeline=None), None) is None


def test_who_still_follows_the_former_primary_is_not_read_also_while_it_hears_nobody() -> None:
    proofs = asked(5_000)
    assert proofs.moment("r", replica(5_000, timeline=1), primary(5_000)) == 100.0
    proofs.primary(101.0, primary(4_900, timeline=2))
    assert proofs.moment("r", replica(5_000, timeline=None), primary(5_001, 2)) is None
    assert proofs.moment("r", replica(5_001, timeline=2), primary(5_001, 2)) == 101.0


def test_a_former_primary_among_the_replicas_is_not_read() -> None:
    assert asked(5_000, timeline=2).moment("r", primary(5_000, timeline=1), primary(5_001, 2)) is None


def test_a_replica_that_became_the_primary_is_as_fresh_as_can_be() -> None:
    assert asked(5_000, timeline=2).moment("r", primary(5_000, timeline=2), primary(5_000, 2)) == 100.0


def test_who_does_not_answer_or_has_replayed_nothing_is_not_proven() -> None:
    proofs = asked(0)
    assert proofs.moment("r", None, primary(0)) is None
    assert proofs.moment("r", replica(None), primary(0)) is None
