"""Memories as points of a service without transactions: a journal makes each write whole.

Qdrant and Pinecone are such services; each brings a ``Connection`` and a ``Layout`` of its own.
"""
