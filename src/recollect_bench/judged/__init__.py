"""Answers by a model and verdicts by judges, and how far a judge is to be trusted: ``bench judge``."""
