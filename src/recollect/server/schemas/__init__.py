"""What goes over the wire, as pydantic sees it: the OpenAPI document is made from these."""
