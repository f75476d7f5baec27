"""Tables that are no texts, in packages of Debian: how the pairs of each are read from its file.

Each function takes the content of a file and yields contexts and outcomes; `pixels` yields a pair
as often as it counts.
"""

import csv
import json
import re
from itertools import pairwise

LEAST = 8  # tags of a package; others are left out
_DEVICE = re.compile(r"^(\t?)[0-9a-f]{4}  (\S+)")
_SYLLABLE = re.compile(r"\(([a-z ]+)\) \d\)")
_COUNTRY = re.compile(r"\b[A-Z]{2}\b")


def occupations(text):
    """Yield the occupation of a wife, and that of her husband: answers to a survey of 1974."""
    for row in csv.DictReader(text.splitlines()):
        yield row["occupation"], row["occupation_husb"]


def weather(text):
    """Yield the month, and the weather of a day."""
    for row in csv.DictReader(text.splitlines()):
        yield row["date"][5:7], row["weather"]


def devices(text):
    """Yield the maker of a PCI device, and the first word of the name of the device."""
    maker = None
    for line in text.partition("\nC ")[0].splitlines():
        if found := _DEVICE.match(line):
            if not found[1]:
                maker = line[:4]
            else:
                yield maker, found[2].lower()


def subdivisions(text):
    """Yield the country, and the kind of its subdivision, such as a province."""
    for entry in json.loads(text)["3166-2"]:
        yield entry["code"][:2], entry["type"]


def characters(text):
    """Yield the first word of the name of a character, and its general category."""
    for line in text.splitlines():
        _, name, category, *_ = line.split(";")
        yield name.split()[0], category


def moves(text):
    """Yield the last but one move of a chess opening, and its last move."""
    for line in text.splitlines():
        played = re.sub(r"\d+\.+", "", line.rpartition('"')[2]).split()[:-1]
        if len(played) > 1:
            yield played[-2], played[-1]


def makers(text):
    """Yield the first word of a maker of network cards, and the country of its address."""
    for row in csv.DictReader(text.splitlines()):
        name = row["Organization Name"].split()
        countries = _COUNTRY.findall(row["Organization Address"])
        if name and countries:
            yield name[0].lower(), countries[-1]


def phones(text):
    """Yield a phone of an English word, and the next; ``#`` stands before and after a word."""
    for line in text.splitlines():
        if found := _SYLLABLE.findall(line):
            spoken = ["#", *" ".join(found).split(), "#"]
            yield from pairwise(spoken)


def tags(text):
    """Yield a package, and each of its tags."""
    for line in text.splitlines():
        package, _, rest = line.partition(": ")
        found = rest.split(", ")
        if len(found) >= LEAST:
            yield from ((package, tag) for tag in found)


def pixels(text):
    """Yield the image of a digit, and a pixel, as often as the pixel is dark (0 to 16)."""
    for image, row in enumerate(csv.reader(text.splitlines())):
        for pixel, darkness in enumerate(row[:-1]):
            yield from [(image, pixel)] * int(float(darkness))


TABLES = {
    each.__name__: each
    for each in (
        *(occupations, weather, devices, subdivisions, characters),
        *(moves, makers, phones, tags, pixels),
    )
}
