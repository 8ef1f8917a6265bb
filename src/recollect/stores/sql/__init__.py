"""What the SQL stores share: rows, columns, copies, statistics."""
