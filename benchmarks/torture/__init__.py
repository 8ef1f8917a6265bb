"""Attacks on a store and a server, seeded, with one figure each: ``make torture``."""
