"""Texts are cut into words, and labels have numbers."""

import doctest
import sqlite3
import unicodedata
from contextlib import closing
from io import BytesIO
from zipfile import ZipFile

import numpy as np
import pandas as pd
import pytest

from condprob import Vocabulary, vocabulary
from condprob.tokenizers import TOKENIZERS, TOKENIZERS_IN_SHORT, decode, lines_of

letters = TOKENIZERS["letters"]


def test_each_has_a_line_in_the_help():
    assert list(TOKENIZERS_IN_SHORT) == list(TOKENIZERS)


def test_whitespace_keeps_punctuation_and_case():
    assert TOKENIZERS["whitespace"]("  The end,\n\tthe End. ") == ["The", "end,", "the", "End."]


def test_letters_are_lower_case_runs():
    text = "L'École n'a_pas 2 murs, mais 3x1 : fin"
    expected = ["l", "école", "n", "a", "pas", "murs", "mais", "x", "fin"]
    assert letters(text) == expected


def test_letters_do_not_depend_on_how_an_accent_is_written():
    apart = unicodedata.normalize("NFD", "Où était-ce ? À l'été")
    assert len(apart) > len("Où était-ce ? À l'été")  # the accents do stand apart
    assert letters(apart) == ["où", "était", "ce", "à", "l", "été"]


def test_an_accent_without_joined_form_stays_in_its_word():
    # Lower case of the dotted capital I is i and a combining dot, which NFC cannot join.
    assert letters("İki m\u0303a") == ["i\u0307ki", "m\u0303a"]


def test_letters_keep_a_word_together_at_soft_hyphens_and_joiners():
    assert letters("co\u00adop\u00aderate \u00ad") == ["cooperate"]
    persian, malayalam = "\u0646\u0645\u06cc\u200c\u062e\u0648", "\u0d15\u0d4d\u200d\u0d37"
    assert letters(f"{persian} {malayalam}\u200d, \u200c") == [persian, malayalam]


RULES = [  # the table of docs/text.md
    (lines_of("a\fb\u2028c\x85d\r\ne\rf\n"), ["a\fb\u2028c\x85d", "e\rf"]),
    (lines_of("a\n\nb"), ["a", "", "b"]),
    (TOKENIZERS["whitespace"]("1\u00a0km\tb\vc\rd\u3000e"), ["1\u00a0km", "b", "c", "d\u3000e"]),
    (letters("x\u2060y \ufeffz a\u200bb"), ["xy", "z", "a", "b"]),
    (letters("J\u030c \u01f0"), ["\u01f0", "\u01f0"]),
    (letters("e\u00ad\u0301"), ["é"]),
    (letters("\u2764\ufe0f red"), ["red"]),
    (decode("\ufeffa".encode()), "a"),
    (decode("aä".encode("utf-16")), "aä"),
]


@pytest.mark.parametrize(("found", "expected"), RULES)
def test_the_rules_of_lines_words_letters_and_bytes(found, expected):
    assert found == expected


def sqlite(path):
    with closing(sqlite3.connect(path)) as database:
        database.execute("create table t (a text, b text)")
        database.commit()


def npz(**arrays):
    raw = BytesIO()
    np.savez(raw, **arrays)
    return raw.getvalue()


def excel(path):
    with ZipFile(path, "w") as archive:
        for name in ("[Content_Types].xml", "_rels/.rels", "xl/workbook.xml"):
            archive.writestr(name, "<xml/>")


def arrow(kind):
    def write(path):
        pytest.importorskip("pyarrow")
        getattr(pd.DataFrame({"a": ["x"] * 9, "b": ["y"] * 9}), f"to_{kind}")(path)

    return write


KINDS_OF_FILES = {
    "Parquet": arrow("parquet"),
    "Feather": arrow("feather"),
    "ORC": arrow("orc"),
    "SQLite": sqlite,
    "Stata": lambda path: pd.DataFrame({"a": ["x"]}).to_stata(path, version=118),
    "Excel": lambda path: path.write_bytes(bytes.fromhex("d0cf11e0a1b11ae1") + bytes(500)),
    "spreadsheet": excel,
    "NumPy": lambda path: path.write_bytes(npz(a=np.eye(2))),
    "pickle": lambda path: pd.DataFrame({"a": ["x"]}).to_pickle(path),
    "Zstandard": lambda path: path.write_bytes(bytes.fromhex("28b52ffd2058c10000612062") + b" c"),
    "NUL": lambda path: path.write_bytes(b"a b\0c\n"),
}


@pytest.mark.parametrize("kind", KINDS_OF_FILES)
def test_binary_files_are_read_in_no_encoding(tmp_path, kind):
    """With latin-1, which takes any bytes, a model of noise was fitted; with utf-8, of noise with
    few letters beyond ASCII."""
    path = tmp_path / "file"
    KINDS_OF_FILES[kind](path)
    for encoding in ("utf-8", "latin-1", "cp1252"):
        with pytest.raises(ValueError, match=r"^not a text: .*such as pandas.read_parquet"):
            decode(path.read_bytes(), encoding)


@pytest.mark.parametrize("text", ["a b c\na b d\n", "我爱 a 天安门\n", "мир и мир\n"])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le"])
def test_a_text_of_two_bytes_a_letter_without_a_mark_needs_its_encoding(text, encoding):
    raw = text.encode(encoding)
    with pytest.raises(ValueError, match="a text in UTF-16 or UTF-32 needs"):
        decode(raw)
    assert decode(raw, encoding) == text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Ein Füßchen im Öl", "latin-1"),
        ("he said “no”, twice", "cp1252"),
        ("日本語のテキスト", "shift_jis"),
        ("мама мыла раму", "koi8-r"),
    ],
)
def test_a_text_in_another_encoding_is_told_with_its_first_wrong_byte(text, encoding):
    with pytest.raises(ValueError, match=r"^byte [0-9]+ \(0x.*name the file's encoding"):
        decode(text.encode(encoding))
    assert decode(text.encode(encoding), encoding) == text


def test_letters_take_no_other_numerals():
    # Not digits to a regular expression's \d, but no letters either.
    assert letters("x² ½ Ⅳy") == ["x", "y"]


def test_wordpunct_splits_off_runs_of_punctuation():
    expected = ["Isn", "'", "t", "it", "3", ".", "50", "?!"]
    assert TOKENIZERS["wordpunct"]("Isn't it 3.50?!") == expected


def test_the_example_of_its_docstring():
    assert doctest.testmod(vocabulary).failed == 0


def test_labels_are_numbered_as_they_first_appear():
    words = Vocabulary(["b", "a", "b", 3, ("x", 1)])
    assert list(words) == ["b", "a", 3, ("x", 1)]
    assert words.numbers([3, "b", "b"]).tolist() == [2, 0, 0]
    assert words.labels([1, 1, 3]) == ["a", "a", ("x", 1)]
    assert ("a" in words, "z" in words, words[2]) == (True, False, 3)
    assert words == Vocabulary(["b", "a", 3, ("x", 1)]) != Vocabulary(["a", "b"])


def test_an_unknown_label_is_one_clear_line():
    with pytest.raises(ValueError, match=r"^'c' is not in the vocabulary of 2 labels"):
        Vocabulary("ab").numbers("abc")
    assert Vocabulary("ab").numbers("abcb", -1).tolist() == [0, 1, -1, 1]
