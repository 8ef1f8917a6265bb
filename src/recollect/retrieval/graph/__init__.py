"""The concept graph: what memories are about, and which concepts occur together.

Concepts are the topics and entities that memories are labelled with (``text.outline``). Two are joined by an
edge when a memory holds both; its weight is how many memories do. Nothing of the graph is stored: an
index of which memory holds which concept says it all, and is derived from the store's rows as they are. So
the graph is as durable as the memories, and what is updated or deleted is right at once.
"""
