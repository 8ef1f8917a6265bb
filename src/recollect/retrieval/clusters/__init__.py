"""Clusters of memories that mean alike: k-means on their vectors, and search by near clusters first."""
