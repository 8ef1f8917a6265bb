"""OAuth 2.1 for hosted MCP clients, which register themselves and ask a person for access.

``provider`` answers the SDK's endpoints, ``clients`` holds who registered, ``consent`` asks the person, whose
key says which memory is meant; ``grants`` keeps what was allowed, with the hashes of its tokens.
"""
