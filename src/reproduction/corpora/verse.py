"""The lines of a play, in TEI or in Bosak's XML: no headings, speakers or directions."""

from xml.etree import ElementTree

from reproduction.corpora.errors import CorpusError

BESIDE = ("note", "stage", "speaker", "STAGEDIR")  # elements whose text is no verse


def read_verse(name, raw):
    """Return the verse of a play, a line each; an end of a line in the file is a space."""
    play = _parse(name, "TEI", raw)
    return "\n".join(line.replace("\n", " ") for line in _lines(play))


def read_speeches(name, raw):
    """Return the speeches of a play in Bosak's XML, a line each, as in NLTK's Shakespeare."""
    speeches = _parse(name, "XML", raw).iter("SPEECH")
    return "\n".join(
        " ".join(" ".join(word for text in _texts(line) for word in text.split()) for line in lines)
        for lines in (speech.iter("LINE") for speech in speeches)
    )


def _parse(name, form, raw):
    """Return the root of a file of XML."""
    try:
        return ElementTree.fromstring(raw)
    except (ElementTree.ParseError, LookupError, ValueError) as error:
        raise CorpusError(name, f"its {form} cannot be read: {error}") from error


def _lines(element):
    """Yield the lines of verse in an element."""
    for child in element:
        if _name(child) == "l":
            yield "".join(_texts(child))
        elif _name(child) not in BESIDE:
            yield from _lines(child)


def _texts(line):
    """Yield the texts in a line, but for what is next to the verse."""
    yield line.text or ""
    for child in line:
        if _name(child) not in BESIDE:
            yield from _texts(child)
        yield child.tail or ""


def _name(element):
    """Return the name of an element, without its namespace."""
    return element.tag.rpartition("}")[2]
