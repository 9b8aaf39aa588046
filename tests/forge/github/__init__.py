"""GitHub behind the forge."""
