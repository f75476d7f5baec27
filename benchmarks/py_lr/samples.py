"""Tables that are no texts, in packages of Debian: how the pairs of each are read from its files.

Each function takes the content of the files, or a data set of R (`rdata.read_data_set`), and yields
contexts and outcomes; a pair that counts more than once is yielded as often.
"""

import re
from itertools import pairwise, product, repeat
from xml.etree import ElementTree

_BITS = re.compile(r"//.*|\[[Gg]roup\d\]")  # that are no symbols: comments, and a group's number
_KEY = re.compile(r"\bkey\s*<(\w+)>\s*\{(.*?)\}\s*;", re.S)
_LIST = re.compile(r"\[([^]]*)\]")
_CODON = re.compile(r"(?m)^([ACGTU]{3})\s+\S\s+\S+\s+(\S+)")
_SYSTEM = re.compile(r"(?m)^Class (.+?) \|.*\| (.+)$")
_DRIVER = re.compile(r'<driver id="driver/([^"]+)"|<id>printer/([^-<]+)')
_WORD = re.compile(r"(?m)^([^\s/]+)\S* po:(\S+)")
_REMARK = re.compile(r"(?s)\$\(.*?\$\)")
_PROOF = re.compile(r"(?s)(\S+)\s+\$p\b[^=]*?\$=\s+\(\s(.*?)\s\)")
_INCLUDE = re.compile(r"(?m)^#ifndef (\w+_HPP\w*)|^#\s*include <([^>]+)>")
_SMILES = re.compile(r"\[[^]]*\]|Br|Cl|%\d\d|\S")
CODONS = 64  # lines of a table


def baskets(text):
    """Yield a basket of a supermarket, and each department that sold something in it."""
    for basket, row in enumerate(text.partition("@data\n")[2].splitlines()):
        for department, sold in enumerate(row.split(",")):
            if sold == "t":
                yield basket, department


def codons(text):
    """Yield a species, and a codon, as often as it comes in a thousand codons of its genes."""
    for place, (codon, often) in enumerate(_CODON.findall(text)):
        yield from [(place // CODONS, codon.replace("U", "T"))] * round(float(often))


def keys(text):
    """Yield a key, and each symbol that it has on the keyboards of a country."""
    for key, rest in _KEY.findall(_BITS.sub("", text)):
        for symbol in ",".join(_LIST.findall(rest)).replace(",", " ").split():
            yield key, symbol


def kanji(text):
    """Yield the radical of a kanji, and each of its readings that came from Chinese."""
    for character in ElementTree.fromstring(text).iter("character"):
        radical = character.findtext("radical/rad_value[@rad_type='classical']")
        for reading in character.iterfind(".//reading[@r_type='ja_on']"):
            yield radical, reading.text


def domains(text):
    """Yield the last label of a domain under which names are sold, and the label before it."""
    for line in text.splitlines():
        labels = line.lstrip("!*.").split(".")
        if len(labels) > 1 and not line.startswith("//"):
            yield labels[-1], labels[-2]


def providers(text):
    """Yield a country, and the first label of an access point of its telephone networks."""
    for country in ElementTree.fromstring(text).iter("country"):
        for point in country.iter("apn"):
            yield country.get("code"), point.get("value").lower().split(".")[0]


def systems(text):
    """Yield the maker of a device in a network, and the kind of the device."""
    yield from _SYSTEM.findall(text)


def emoji(text):
    """Yield an emoji or sign, and each of its English keywords."""
    for sign in ElementTree.fromstring(text).iter("annotation"):
        if sign.get("type") is None:
            yield from ((sign.get("cp"), word) for word in sign.text.split(" | "))


def _below(pattern, text):
    """Yield the heading before each item; a match of ``pattern`` is a heading or an item."""
    heading = None
    for found, item in pattern.findall(text):
        if found:
            heading = found
        else:
            yield heading, item


def printers(text):
    """Return a driver of printers, and the maker of each printer that it drives."""
    return _below(_DRIVER, text)


def endings(text):
    """Yield the last three letters of a word, and its part of speech."""
    for word, part in _WORD.findall(text):
        yield word[-3:].lower(), part


def columns(data, context, outcome, often=None):
    """Yield the values of two columns of a data set, each row once or ``often``, a third column."""
    times = repeat(1) if often is None else map(int, data[often])
    for pair, count in zip(zip(data[context], data[outcome], strict=True), times, strict=False):
        if None not in pair:
            yield from [pair] * count


def grid(data, slot=None, once=False, where=None):
    """Yield a row and a column of a data set, as often as their cell counts, or ``once``.

    A ``slot`` is a part of the data set. ``where`` names the one value that counts, once.
    """
    for outcome, cells in (data if slot is None else data[slot]).items():
        for context, cell in enumerate(cells):
            if where is not None:
                cell = str(cell) == where
            if isinstance(cell, (int, float)) and cell > 0:
                yield from [(context, outcome)] * (1 if once else int(cell))


def steps(data, first):
    """Yield each state of the rows of a data set, and the one after it, from a column on."""
    for states in zip(*list(data.values())[first:], strict=True):
        yield from pairwise(states)


def genes(data):
    """Yield each codon of some genes, and the one after it."""
    for bases in data.values():
        yield from pairwise(map("".join, zip(*[iter(bases)] * 3, strict=False)))


def theorems(text):
    """Yield a theorem, and each statement that its proof names."""
    for name, proof in _PROOF.findall(_REMARK.sub("", text)):
        yield from ((name, used) for used in proof.split())


def includes(text):
    """Return the guard of a header of C++, and each header that it includes."""
    return _below(_INCLUDE, text)


def terrains(text):
    """Yield the terrain of each hexagon of a map, and the one to its right."""
    for line in text.splitlines():
        if line.count(", ") > 1:
            yield from pairwise(line.split(", "))


def molecules(text):
    """Yield each symbol of a molecule in SMILES, and the one after it."""
    for line in text.splitlines():
        if not line.startswith("#"):
            yield from pairwise(_SMILES.findall(line.split(",")[0]))


def timetable(text):
    """Yield a teacher, and the class of each of the teacher's lessons."""
    for lesson in ElementTree.fromstring(text).iter("Activity"):
        teachers, classes = (lesson.iterfind(name) for name in ("Teacher", "Students"))
        yield from product([t.text for t in teachers], [c.text for c in classes])


def thesaurus(text):
    """Yield a word, and each word that a thesaurus gives in its place."""
    word = None
    for line in text.splitlines()[1:]:
        first, *rest = line.split("|")
        if first and not first.startswith(("(", "-")):
            word = first
        else:
            yield from ((word, other) for other in rest)


TABLES = {
    each.__name__: each
    for each in (
        *(baskets, codons, keys, kanji, domains),
        *(providers, systems, emoji, printers, endings),
        *(columns, grid, steps, genes, theorems),
        *(includes, terrains, molecules, timetable, thesaurus),
    )
}
