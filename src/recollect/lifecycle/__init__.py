"""What a memory is worth, and how use and time change that: pure functions of numbers and moments."""
