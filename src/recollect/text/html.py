"""HTML read in linear time: what the standard library's parser does not end, ends here."""

from html.parser import HTMLParser
from typing import Final

_UNENDED: Final = 32
"""Tags without an end that are read as text one by one: each is searched for its end up to the end of the
page. What follows these is text. Chosen by hand."""


class HtmlReader(HTMLParser):
    """A parser that accepts invalid HTML, as browsers do, however many tags in it have no end."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def close(self) -> None:
        """Read what is left."""
        for _ in range(_UNENDED):
            if not self.rawdata.startswith("<"):
                break
            end = self.rawdata.find(">") + 1 or self.rawdata.find("<", 1)
            end = end if end > 0 else len(self.rawdata)
            text, self.rawdata = self.rawdata[:end], self.rawdata[end:]
            self.handle_data(text)
            self.feed("")
        if self.rawdata.startswith("<"):
            self.handle_data(self.rawdata)
            self.rawdata = ""
        super().close()
