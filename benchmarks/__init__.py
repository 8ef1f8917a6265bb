"""Measures how well and how fast Recollect remembers, next to baselines run in the same minute.

``python -m benchmarks --help`` shows what can be run; ``docs/inside/benchmarks.md`` is made from the results.
"""
