"""The verse of a play in TEI: no headings, speakers or directions."""

from reproduction.corpora.errors import CorpusError

BESIDE = ("note", "stage", "speaker")  # elements whose text is no verse


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

    A line inside of a line is part of it; a note or a direction inside of a line is not.
    """

    def __init__(self, name):
        self.name, self.lines, self.inside, self.beside = name, [], 0, 0

    def doctype(self, *_):
        """Refuse what may declare entities, which could grow without end or name other files."""
        raise CorpusError(self.name, "its TEI has a DOCTYPE, which is not allowed")

    def start(self, tag, _):
        """Begin a line, or what stands in one."""
        name = tag.rpartition("}")[2]
        if name == "l" and not self.inside:
            self.lines.append([])
        self.inside += name == "l"
        self.beside += name in BESIDE

    def end(self, tag):
        """End a line."""
        name = tag.rpartition("}")[2]
        self.inside -= name == "l"
        self.beside -= name in BESIDE

    def data(self, text):
        """Keep a text that stands in a line."""
        if self.inside and not self.beside:
            self.lines[-1].append(text)

    def close(self):
        """Return all lines as one text; an end of a line in the file is a space."""
        return "\n".join("".join(line).replace("\n", " ") for line in self.lines)
