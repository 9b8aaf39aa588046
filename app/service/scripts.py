"""What is done to redis in one step. Times are milliseconds; `LT` needs redis 6.2.

A *subject* is `repository-42` or `sweep`. Its wake-up is the arq job `<subject>:<generation>`: of each
generation at most one waits, and a pass raises the generation before it reads, so what is heard from then on
is one more job. The job's keys and their format are arq's (`arq.constants`, `arq.jobs`), which only a
worker imports.
"""

from __future__ import annotations

import hashlib
from typing import Final

__all__ = ["ACCEPT", "BEGIN", "END", "JOB_PREFIX", "RENEW", "Script"]

JOB_PREFIX: Final = "arq:job:"


class Script:
    """A Lua script and its name."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.sha = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()


_WAKE = f"""
local function wake(queue, subject, at, life, job)
  local id = subject .. ':' .. (redis.call('GET', 'brat:generation:' .. subject) or '0')
  redis.call('SET', '{JOB_PREFIX}' .. id, job, 'NX', 'PX', life)
  redis.call('ZADD', queue, 'LT', at, id)
end
"""

ACCEPT = Script(
    _WAKE
    + """
-- KEYS queue, delivery | ARGV how long a delivery is known (0: not one), then subject, at, life, job of each
if ARGV[1] ~= '0' and not redis.call('SET', KEYS[2], '1', 'NX', 'PX', ARGV[1]) then return 0 end
for i = 2, #ARGV, 4 do wake(KEYS[1], ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]) end
return 1
"""
)

BEGIN = Script(
    _WAKE
    + """
-- KEYS queue, generation, lease, again | ARGV token, lease, month, subject, at, life, job
redis.call('INCR', KEYS[2])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
if redis.call('SET', KEYS[3], ARGV[1], 'NX', 'PX', ARGV[2]) then
  redis.call('DEL', KEYS[4])
  return 1
end
redis.call('SET', KEYS[4], '1', 'PX', ARGV[3])
wake(KEYS[1], ARGV[4], ARGV[5], ARGV[6], ARGV[7])
return 0
"""
)

RENEW = Script("""
-- KEYS lease | ARGV token, lease
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
""")

END = Script(
    _WAKE
    + """
-- KEYS queue, lease, again | ARGV token, now, subject, at (empty: never), life, job
if redis.call('GET', KEYS[2]) == ARGV[1] then redis.call('DEL', KEYS[2]) end
local at = ARGV[4]
if redis.call('GETDEL', KEYS[3]) then at = ARGV[2] end
if at ~= '' then wake(KEYS[1], ARGV[3], at, ARGV[5], ARGV[6]) end
return 1
"""
)
