"""Wake-ups and passes on a real server, with workers in threads."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from app.errors import Later
from app.ports import wall_clock
from app.service import Next, Wake, passes
from app.webhooks import Signal
from tests.service.conftest import Launch
from tests.service.scene import PATIENCE_S, Scene, TestControl, repository


def test_hint_becomes_a_pass(scene: Scene) -> None:
    scene.work()
    scene.wake(42)
    scene.control.wait(lambda: scene.control.passes(42) == 1)


def test_thousand_hints_for_one_repository_make_few_passes(scene: Scene) -> None:
    hold = threading.Event()
    scene.control.during = lambda _: Next(changed=not hold.wait(PATIENCE_S))
    scene.work()
    for number in range(1000):
        signal = Signal(42, 3, "issue", number + 1)
        assert scene.ask(lambda queue, n=number, s=signal: queue.put(f"d-{n}", (s,)))  # type: ignore[misc]
    hold.set()
    scene.control.wait(lambda: scene.control.passes(42) == 2)
    scene.wake(1)
    scene.control.wait(lambda: scene.control.passes(1) == 1)
    assert scene.control.passes(42) == 2


def test_hint_during_a_pass_causes_one_more_pass(scene: Scene) -> None:
    once = threading.Event()

    def during(_: int) -> Next:
        if not once.is_set():
            once.set()
            scene.wake(42)
            scene.wake(42)
        return Next()

    scene.control.during = during
    scene.work()
    scene.wake(42)
    scene.control.wait(lambda: scene.control.passes(42) == 2)
    scene.wake(1)
    scene.control.wait(lambda: scene.control.passes(1) == 1)
    assert scene.control.passes(42) == 2


def test_pass_that_changed_something_is_followed_by_another(scene: Scene) -> None:
    scene.control.during = lambda _: Next(changed=scene.control.begun.count(42) < 3)
    scene.work()
    scene.wake(42)
    scene.control.wait(lambda: scene.control.passes(42) == 3)


def test_next_look_is_at_its_time_and_a_hint_brings_it_forward(scene: Scene) -> None:
    far = wall_clock() + 3_600_000
    scene.control.during = lambda _: Next(look_again=far)
    scene.work()
    scene.wake(42)
    scene.control.wait(lambda: scene.control.passes(42) == 1)
    scene.control.during = lambda _: Next()
    scene.wake(42)
    scene.control.wait(lambda: scene.control.passes(42) == 2)


def test_later_time_does_not_push_back_an_earlier_one(scene: Scene) -> None:
    scene.wake(42)
    far = wall_clock() + 3_600_000
    scene.ask(lambda queue: queue.wake([Wake(repository(42), "later")], at=far))
    assert scene.due() == 1
    assert scene.ask(lambda queue: queue.waiting()) == 1


def test_what_has_to_wait_is_looked_at_when_its_time_has_come(scene: Scene) -> None:
    def during(_: int) -> Next:
        if len(scene.control.begun) == 1:
            raise Later("rate limit", retry_at=wall_clock() + 200)
        return Next()

    scene.control.during = during
    scene.work()
    scene.wake(42)
    scene.control.wait(lambda: scene.control.passes(42) == 2)


def test_defect_in_a_pass_costs_neither_the_worker_nor_the_repository(scene: Scene) -> None:
    def during(number: int) -> Next:
        if scene.control.begun.count(42) == 1 and number == 42:
            raise RuntimeError("a mistake")
        return Next()

    scene.control.during = during
    scene.work()
    scene.wake(42)
    scene.control.wait(lambda: scene.control.passes(42) == 1)
    scene.wake(1)
    scene.control.wait(lambda: scene.control.passes(1) == 1)
    scene.control.wait(lambda: scene.control.passes(42) == 2)


def test_busy_repository_does_not_starve_the_others(scene: Scene) -> None:
    scene.control.during = lambda number: Next(changed=number == 42)
    scene.work(at_once=1)
    scene.wake(42)
    scene.control.wait(lambda: scene.control.passes(42) >= 3)
    scene.wake(*range(1, 6))
    scene.control.wait(lambda: all(scene.control.passes(each) for each in range(1, 6)))
    first = scene.control.ended.index(1)
    assert scene.control.ended[first : scene.control.ended.index(5)].count(42) <= 3
    scene.control.during = lambda _: Next()


def test_repository_is_passed_over_by_one_worker_at_a_time(scene: Scene) -> None:
    def during(_: int) -> Next:
        """The first pass, whose job still stands there, goes on until its hint was taken up by somebody."""
        if len(scene.control.begun) == 1:
            scene.wake(42)
            scene.until(lambda: scene.due() == 1)
            assert scene.control.begun == [42]
        return Next()

    scene.control.during = during
    scene.work()
    scene.work()
    scene.wake(42)
    scene.control.wait(lambda: scene.control.passes(42) == 2)
    assert scene.control.failed == []


def test_two_workers_share_the_repositories(scene: Scene) -> None:
    other = TestControl()
    gate = threading.Barrier(2, timeout=PATIENCE_S)

    def meet(_: int) -> Next:
        gate.wait()
        return Next()

    scene.control.during = other.during = meet
    scene.work(at_once=1)
    scene.work(at_once=1, control=other)
    scene.wake(1, 2)
    scene.control.wait(lambda: len(scene.control.ended) == 1)
    other.wait(lambda: len(other.ended) == 1)
    assert {*scene.control.ended, *other.ended} == {1, 2}


def test_flush_in_mid_pass_costs_time_only(scene: Scene) -> None:
    scene.control.known = (repository(42), repository(43))
    flushed = threading.Event()

    def during(_: int) -> Next:
        if not flushed.is_set():
            flushed.set()
            with scene.redis as client:
                client.flushall()
        return Next()

    scene.control.during = during
    scene.work()
    scene.control.wait(lambda: flushed.is_set() and scene.control.sweeps >= 2)
    sure = scene.control.passes(43)
    scene.control.wait(lambda: scene.control.passes(43) > sure or scene.control.passes(42) > 1)
    scene.wake(7)
    scene.control.wait(lambda: scene.control.passes(7) == 1)


def test_sweep_at_start_wakes_what_it_finds(scene: Scene) -> None:
    scene.control.known = (repository(1), repository(2))
    scene.work()
    scene.control.wait(lambda: scene.control.passes(1) == 1 and scene.control.passes(2) == 1)


def test_sweep_comes_again_after_its_interval(scene: Scene) -> None:
    scene.work(sweep_interval_ms=1000)
    scene.control.wait(lambda: scene.control.sweeps >= 3)


def test_turn_is_taken_by_one_worker_and_free_after_its_time_or_a_flush(scene: Scene) -> None:
    def turn() -> bool:
        return scene.ask(lambda queue: queue.take_turn("sweep", 3_600_000))

    assert [turn(), turn()] == [True, False]
    with scene.redis as client:
        client.flushall()
    assert turn()
    assert scene.ask(lambda queue: queue.take_turn("poll", 1))
    scene.until(lambda: scene.ask(lambda queue: queue.take_turn("poll", 1)))


def test_without_a_public_address_each_known_repository_is_asked_by_the_clock(scene: Scene) -> None:
    scene.control.known = (repository(1),)
    scene.work(public_url=None)
    scene.control.wait(lambda: scene.control.passes(1) >= 1)
    with scene.redis as client:
        client.delete("brat:turn:poll")
    seen = scene.control.passes(1)
    scene.control.wait(lambda: scene.control.passes(1) > seen)


def test_what_happens_on_this_machine_wakes_a_pass_too(scene: Scene) -> None:
    scene.work()
    scene.control.wake(repository(42))
    scene.control.wait(lambda: scene.control.passes(42) == 1)


def test_pass_that_takes_too_long_does_not_hold_up_the_others(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passes, "PASS_S", 0.1)
    hold = threading.Event()
    scene.control.during = lambda number: Next(changed=number == 42 and not hold.wait(PATIENCE_S))
    scene.work(at_once=1)
    scene.wake(42)
    scene.control.wait(lambda: 42 in scene.control.begun)
    scene.wake(43)
    scene.control.wait(lambda: scene.control.passes(43) == 1)
    scene.wake(42)
    hold.set()
    scene.control.wait(lambda: scene.control.passes(42) == 2)


def test_redis_that_goes_and_comes_costs_time_only(launch: Launch, tmp_path: Path) -> None:
    server = launch()
    scene = Scene(f"unix://{server.unix_socket_path}", tmp_path)
    scene.control.known = (repository(42),)
    try:
        scene.work()
        scene.control.wait(lambda: scene.control.passes(42) == 1)
        server.stop()
        server.start()
        scene.control.wait(lambda: scene.control.sweeps >= 2 and scene.control.passes(42) >= 2)
    finally:
        scene.stop()


def test_delivery_is_taken_once_also_by_two_web_processes(scene: Scene) -> None:
    signals = (Signal(42, 3, "push"),)
    assert [scene.ask(lambda queue: queue.put("same", signals)) for _ in range(2)] == [True, False]
    assert scene.ask(lambda queue: queue.waiting()) == 1


def test_delivery_that_names_no_installation_asks_for_a_sweep(scene: Scene) -> None:
    scene.work()
    swept = scene.control.sweeps
    scene.ask(lambda queue: queue.put("d", (Signal(42, None, "push"),)))
    scene.control.wait(lambda: scene.control.sweeps > swept)


def test_nothing_is_left_behind_that_could_refuse_the_next_job(scene: Scene) -> None:
    worker = scene.work()
    scene.wake(42)
    scene.control.wait(lambda: scene.control.passes(42) == 1)
    worker.stop()
    assert scene.left("arq:", "brat:lease", "brat:again") == []
    assert scene.ask(lambda queue: queue.waiting()) == 0


def test_worker_that_ends_lets_go_of_what_it_drove(scene: Scene) -> None:
    scene.work().stop()
    assert scene.control.closed
