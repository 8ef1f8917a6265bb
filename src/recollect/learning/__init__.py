"""Learning from what happened: intents from classifications that turned out right or wrong."""
