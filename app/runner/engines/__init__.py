"""One adapter per engine, behind one port; `registry` names those of this release."""
