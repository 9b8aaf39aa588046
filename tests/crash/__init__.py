"""Killed anywhere, resumed, same end.

Every durable effect of the program passes `step(name)`. Here each such call of all processes of a run is
counted, and a run is struck at one of them: the process dies, all processes die, or the disk is full.
Worked example:

    run = Run(world)
    run.step.order(Strike("push.refs", 2, "after"))
    assert run.go().killed           # a process of its own, dead by SIGKILL
    assert run.go().end == "landed"  # another one, which finishes what the first began

Nothing is imported here: the runner's process comes through, once per session.
"""
