"""Intents learned from classifications that turned out right or wrong."""
