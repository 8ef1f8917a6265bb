"""Keeping learned facts true: repeated, refined, contradicted, ended. Pure; ``decide`` has the rules."""
