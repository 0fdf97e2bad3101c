"""The law by which programs are started again."""

from tourney.launch.supervisor import (
    RESTART_DELAYS_MS,
    SHORTAGE_RETRY_MS,
    STARTS_AGAIN,
    STARTS_MAX,
    Supervision,
)


def test_it_is_given_up_after_so_many_starts_in_a_row_with_growing_delays() -> None:
    supervision = Supervision(rejoins_max=1)
    delays_ms = []
    supervision.start()
    while supervision.note_end():
        delays_ms.append(supervision.delay_ms)
        supervision.start()
    assert supervision.starts == STARTS_MAX
    assert delays_ms == list(RESTART_DELAYS_MS[: STARTS_MAX - 1])


def test_after_a_board_it_has_as_many_starts_as_it_may_rejoin_and_some_more() -> None:
    supervision = Supervision(rejoins_max=2)
    supervision.start()
    supervision.note_board()
    for _ in range(2 + STARTS_AGAIN - 1):
        assert supervision.note_end()
        supervision.start()
    assert not supervision.note_end()


def test_neither_a_shortage_nor_an_end_that_does_not_count_brings_it_nearer_to_that() -> None:
    supervision = Supervision()
    for _ in range(10):
        supervision.start()
        supervision.note_shortage()
        assert supervision.delay_ms == SHORTAGE_RETRY_MS
        supervision.start()
        assert supervision.note_end(is_counted=False)
        assert supervision.delay_ms == RESTART_DELAYS_MS[0]
    assert supervision.starts == 0
