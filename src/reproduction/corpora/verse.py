"""The verse of a play in TEI: no headings, speakers or directions."""

from reproduction.corpora.errors import CorpusError


def read_verse(name, raw):
    """Return the verse of a play, a line each."""
    import xml.etree.ElementTree as ET

    parser = ET.XMLParser(target=_Verse(name))
    try:
        parser.feed(raw)
        return parser.close()
    except ET.ParseError as error:
        raise CorpusError(name, f"its TEI is not well-formed: {error}") from error
    except (LookupError, ValueError) as error:
        what = " ".join(str(error).split())
        raise CorpusError(name, f"its TEI cannot be decoded: {what}") from error


class _Verse:
    """Takes what a parser of XML finds, one piece after the other, and keeps the lines of verse.

    A line inside of a line is part of it.
    """

    def __init__(self, name):
        self.name, self.lines, self.inside = name, [], 0

    def doctype(self, *_):
        """Refuse what may declare entities, which could grow without end or name other files."""
        raise CorpusError(self.name, "its TEI has a DOCTYPE, which is not allowed")

    def start(self, tag, _):
        """Begin a line, or what stands in one."""
        is_line = tag.rpartition("}")[2] == "l"
        if is_line and not self.inside:
            self.lines.append([])
        self.inside += is_line

    def end(self, tag):
        """End a line."""
        self.inside -= tag.rpartition("}")[2] == "l"

    def data(self, text):
        """Keep a text that stands in a line."""
        if self.inside:
            self.lines[-1].append(text)

    def close(self):
        """Return all lines as one text."""
        return "\n".join(map("".join, self.lines))
