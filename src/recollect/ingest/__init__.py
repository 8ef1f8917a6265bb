"""A memory's way in: messages read and screened, labelled, embedded, stored in one transaction."""
