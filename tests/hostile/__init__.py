"""Whole runs with hostile input: repositories, agents, secrets in reach, strangers in the log.

What single rooms do with such input is proved beside them; here a convoy goes all the way, and afterwards
nothing has run, leaked, moved or been believed. Test names carry the numbers of the threat model.
"""
