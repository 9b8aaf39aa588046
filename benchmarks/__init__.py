"""How fast brat is, as ratios to what the same machine could do at best in the same run.

`python -m benchmarks [NAME...]` prints a table and writes `benchmarks/out/<time>.json`. Each module measures
one thing and answers with figures; docs/benchmarks.md says how to read them.
"""
