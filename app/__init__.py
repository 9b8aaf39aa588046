"""brat: plans a change, has coding agents work on it in parallel, and lands what was tested."""

__version__ = "0.1.0"
