"""What a change of a memory sets in motion: revising, archiving, undeleting."""
