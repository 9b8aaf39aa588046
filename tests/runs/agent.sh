#!/bin/sh
# An agent by script: plays `<task>.<attempt>`, else `<task>`, else its role, from the folder beside it.
task="${BRAT_BRANCH##*/}"
export task
for name in "$task.$BRAT_ATTEMPT" "$task" "$BRAT_ROLE"; do
  if [ -f "${0%/*}/plays/$name" ]; then
    exec /bin/sh -eu "${0%/*}/plays/$name"
  fi
done
echo "nobody told me what to do as $BRAT_ROLE on $task" >&2
exit 9
