"""Tables that are no texts, in packages of Debian: how the pairs of each are read from its files.

Each function takes the content of the files and yields contexts and outcomes; `codons` yields a
pair as often as it counts.
"""

import re
from xml.etree import ElementTree

_BITS = re.compile(r"//.*|\[[Gg]roup\d\]")  # that are no symbols: comments, and a group's number
_KEY = re.compile(r"\bkey\s*<(\w+)>\s*\{(.*?)\}\s*;", re.S)
_LIST = re.compile(r"\[([^]]*)\]")
_CODON = re.compile(r"(?m)^([ACGTU]{3})\s+\S\s+\S+\s+(\S+)")
_SYSTEM = re.compile(r"(?m)^Class (.+?) \|.*\| (.+)$")
_DRIVER = re.compile(r'<driver id="driver/([^"]+)"|<id>printer/([^-<]+)')
_WORD = re.compile(r"(?m)^([^\s/]+)\S* po:(\S+)")
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


def printers(text):
    """Yield a driver of printers, and the maker of each printer that it drives."""
    driver = None
    for name, maker in _DRIVER.findall(text):
        if name:
            driver = name
        else:
            yield driver, maker


def endings(text):
    """Yield the last three letters of a word, and its part of speech."""
    for word, part in _WORD.findall(text):
        yield word[-3:].lower(), part


TABLES = {
    each.__name__: each
    for each in (
        *(baskets, codons, keys, kanji, domains),
        *(providers, systems, emoji, printers, endings),
    )
}
