"""What Recollect plugs into: coding agents and editors (``hosts/``), and agent frameworks, a module each."""
