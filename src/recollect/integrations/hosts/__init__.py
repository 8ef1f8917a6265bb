"""Hosts: coding agents and editors in which Recollect remembers by itself.

``catalog`` describes each host; ``installer`` writes its settings; ``hook`` is what it runs at its events;
``spool`` keeps what was said until a memory is opened; ``recall`` writes what it is given back.
"""
