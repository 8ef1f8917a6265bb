"""One store over several: each user lives in one of them."""
