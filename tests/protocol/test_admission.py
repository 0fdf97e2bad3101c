"""Who stays at a port that is full, and who gives way: the one rule of all ports."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tourney.protocol.admission import (
    IDLE_AT_ONCE,
    IDLE_PER_S,
    KEYS_MAX,
    ConnectionBudget,
    Eviction,
    LineRateLimit,
    SlidingWindow,
    TokenBucket,
)


def oldest_of_most(waiting: dict[int, str]) -> int | None:
    """Who gives way, of the connections of some addresses, the oldest first."""
    counts = Counter(waiting.values())
    return max(waiting, key=lambda each: counts[waiting[each]], default=None)


def test_whoever_fills_a_port_takes_places_from_himself() -> None:
    budget = ConnectionBudget[int](4)
    for number, address in enumerate(("a", "b", "b", "a")):
        assert budget.enter(number, address) is None
    budget.authenticate(0)
    assert budget.enter(4, "c") == Eviction(1, is_share_used=False), "two of b wait, one of a"
    assert budget.leave(1) == "b"
    budget.authenticate(2)
    assert budget.choose_eviction() == 3


def test_an_address_that_has_used_its_share_gives_way_to_itself_or_is_refused() -> None:
    budget = ConnectionBudget[str](100, per_address=2)
    assert [budget.enter(each, "a") for each in ("one", "two")] == [None, None]
    assert budget.enter("three", "a") == Eviction("one", is_share_used=True)
    budget.leave("one")
    budget.authenticate("two")
    budget.authenticate("three")
    assert budget.enter("four", "a") == Eviction("four", is_share_used=True), "nobody else may have to leave"
    budget.leave("four")
    assert [budget.enter(f"local {number}", "") for number in range(9)] == [None] * 9, "no address has no share"


def test_whoever_may_have_to_give_way_again_is_the_last_of_its_address() -> None:
    budget = ConnectionBudget[int](9)
    for number in range(3):
        budget.enter(number, "a")
    budget.authenticate(0)
    budget.release(0)
    left = []
    while (oldest := budget.choose_eviction("a")) is not None:
        left.append(oldest)
        budget.leave(oldest)
    assert left == [1, 2, 0]
    assert len(budget) == 0
    assert budget.leave(0) == "", "once is enough"


def test_of_two_addresses_that_have_as_many_the_oldest_gives_way_whichever_came_first() -> None:
    budget = ConnectionBudget[int](3)
    for number, address in ((1, "a"), (2, "b"), (3, "a")):
        assert budget.enter(number, address) is None
    budget.leave(1)  # the place of its address among the others stays, its age does not
    assert budget.choose_eviction() == 2
    assert oldest_of_most({2: "b", 3: "a"}) == 2


@given(
    steps=st.lists(st.tuples(st.integers(0, 9), st.sampled_from("abc"), st.booleans()), max_size=40),
    in_all=st.integers(1, 6),
    per_address=st.none() | st.integers(1, 4),
)
def test_no_more_stay_than_may_and_nobody_who_has_authenticated_gives_way(
    steps: list[tuple[int, str, bool]], in_all: int, per_address: int | None
) -> None:
    budget = ConnectionBudget[int](in_all, per_address)
    inside: dict[int, str] = {}
    known: set[int] = set()
    for number, address, authenticates in steps:
        if number not in inside:
            eviction = budget.enter(number, address)
            inside[number] = address
            if eviction is not None:
                gone = eviction.connection
                assert gone == number or gone == oldest_of_most(
                    {
                        each: of
                        for each, of in inside.items()
                        if each not in known | {number} and (not eviction.is_share_used or of == address)
                    }
                )
                assert gone not in known
                budget.leave(gone)
                del inside[gone]
        if authenticates and number in inside:
            budget.authenticate(number)
            known.add(number)
        elif number in known:
            budget.leave(number)
            known.remove(number)
            del inside[number]
        assert len(budget) == len(inside) <= in_all
        if per_address is not None:
            assert all(list(inside.values()).count(each) <= per_address for each in "abc")


@given(st.lists(st.tuples(st.integers(0, 300), st.integers(1, 5)), max_size=40))
def test_a_bucket_allows_its_rate_and_its_burst_and_says_how_long_the_next_waits(
    steps: list[tuple[int, int]],
) -> None:
    bucket, now_ms, taken = TokenBucket(50, 10), 1000, 0
    for wait_ms, tries in steps:
        now_ms += wait_ms
        for _ in range(tries):
            due_ms = bucket.wait_ms(now_ms)
            assert bucket.take_one(now_ms) is (due_ms == 0)
            taken += due_ms == 0
        assert taken <= 10 + (now_ms - 1000) * 50 / 1000
        if due_ms := bucket.wait_ms(now_ms):
            assert bucket.wait_ms(now_ms + due_ms) == 0
            now_ms += due_ms


def test_lines_that_move_nothing_are_read_at_tens_a_second_and_others_at_the_full_rate() -> None:
    idle, moving = LineRateLimit(2000, 10_000), LineRateLimit(2000, 10_000)
    read = {idle: 0, moving: 0}
    for now_ms in range(0, 10_000, 5):
        for limit in read:
            for _ in range(min(10, limit.room(now_ms))):  # as 2,000 lines a second arrive
                limit.take()
                read[limit] += 1
                if limit is idle:
                    limit.charge_idle(now_ms)
    assert read[moving] == 20_000
    assert read[idle] <= IDLE_AT_ONCE + 3 * IDLE_PER_S * 10


def test_of_many_keys_those_that_did_something_last_are_remembered() -> None:
    window = SlidingWindow(1)
    for number in range(2 * KEYS_MAX):
        window.note(str(number), number)
    assert len(window) == KEYS_MAX
    assert [window.wait_ms(str(number), 2 * KEYS_MAX) > 0 for number in (0, 2 * KEYS_MAX - 1)] == [False, True]
