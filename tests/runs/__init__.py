"""Whole runs over real repositories, told as stories.

A `World` is a person's repository with an operator's file and agents that play by script. Worked example:

    world = World.make(tmp_path)
    world.plays("task-1", "echo hello > hello.txt", attempt=2)
    world.start("- [ ] Greet\\n  run: test -f hello.txt")
    assert world.run() is End.LANDED
    assert world.landed() == ("Greet",)
"""
