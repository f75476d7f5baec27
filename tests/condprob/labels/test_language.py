"""Language models: one cutting of texts for fit and score, unknown words, ARPA files."""

import bz2
import gzip
import json
import lzma
import pickle
import re
import warnings
from collections import Counter
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO, TextIOWrapper
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import condprob
from condprob import METHODS, LanguageModel, Sentences, Text, fit_text, load, method, mix
from condprob.cli import main
from condprob.files.data_files import read_bytes
from condprob.tokenizers import TOKENIZERS

TRAIN = ["a b a c", "a b b", "c a b a b", "b a d"]  # d is rare, and so is nothing else
TEST = ["a b", "c e a"]


@pytest.fixture(scope="module")
def model():
    return fit_text(TRAIN, 3, text=Text(min_count=2), discount="estimated")


def read_by_hand(path):
    """Return log10 probabilities by the rule of the format, from n-grams in a dictionary."""
    grams, left = {}, {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if "\t" in line:
            chance, words, *back = line.split("\t")
            grams[tuple(words.split())] = float(chance)
            left[tuple(words.split())] = float(back[0]) if back else 0.0

    def log_prob(history, word):
        if (*history, word) in grams:
            return grams[(*history, word)]
        return left.get(history, 0.0) + log_prob(history[1:], word)

    def score(sentence, order):
        words = ["<s>", *(w if (w,) in grams else "<unk>" for w in sentence.split()), "</s>"]
        places = range(1, len(words))
        return [log_prob(tuple(words[max(i - order + 1, 0) : i]), words[i]) for i in places]

    return score


def test_an_arpa_file_has_the_same_probabilities(tmp_path):
    sentences = ["a b a", "d e", "c", "b b b b"]
    for order in (1, 2, 3, 5):
        for options in ({"discount": "modified"}, {"form": "backoff"}, {}):
            made = fit_text(TRAIN * 3, order, text=Text(min_count=4, unknown=7), **options)
            path = tmp_path / "model.arpa"
            made.to_arpa(path)
            readers = [read_by_hand(path)]
            if order > 1 and find_spec("kenlm"):
                peer = import_module("kenlm").Model(str(path))
                readers.append(lambda s, _, peer=peer: [p for p, *_ in peer.full_scores(s)])
            read = LanguageModel.from_arpa(path)
            for sentence in sentences:
                numbers, _ = made.text.number(made.text.sentences([sentence]), made.words)
                ours = made.model.score(numbers)
                for reader in readers:
                    theirs = np.array(reader(sentence, order)) * np.log(10)
                    np.testing.assert_allclose(theirs, ours, atol=1e-5, rtol=0)
                numbers, _ = read.text.number(read.text.sentences([sentence]), read.words)
                np.testing.assert_allclose(read.model.score(numbers), ours, atol=1e-7)
    read.save(tmp_path / "read.npz")
    assert load(tmp_path / "read.npz").top("a b", 2) == read.top("a b", 2)
    assert (read.text, read.about, read.words) == (made.text, made.about, made.words)
    whole = made.score(["a e"]).nats_with_unknown
    assert read.score(["a e"]).nats_with_unknown == pytest.approx(whole, abs=1e-6)
    note, bare = path.read_text(encoding="utf-8").split("\n", 1)
    path.write_text(bare, encoding="utf-8")  # of another program: the class is taken for one word
    assert LanguageModel.from_arpa(path).text == Text(unknown=1)
    scores = (one.score(["a e"]) for one in (LanguageModel.from_arpa(path, made.text), read))
    assert len({repr(score) for score in scores}) == 1  # ends that are NaN are equal to nothing
    for wrong in ("# condprob {}", "# condprob no", note.replace("tokenizer", "x")):
        path.write_text(f"{wrong}\n{bare}", encoding="utf-8")
        with pytest.raises(ValueError, match="its first line is"):
            LanguageModel.from_arpa(path)
    few = "\\data\\\nngram 1=2\n\n\\1-grams:\n-1\ta\n\n\\end\\\n"
    for damage in (few, "no", "\\data\\\n\\1-grams:\n-x a\n"):
        path.write_text(damage, encoding="utf-8")
        with pytest.raises(ValueError, match="not an ARPA file"):
            LanguageModel.from_arpa(path)
    for write in (LanguageModel.to_arpa, LanguageModel.save):
        with pytest.raises(ValueError, match="ad: an ARPA file needs a back-off model"):
            write(fit_text(TRAIN, 2, method="ad"), path)


@pytest.mark.parametrize("decimals", [7, 5, 4])
def test_an_arpa_file_of_few_digits_is_a_distribution(tmp_path, decimals):
    made, path = fit_text(TRAIN * 3, 3, discount="modified"), tmp_path / "model.arpa"
    made.to_arpa(path)
    text = re.sub(r"-?[0-9]+\.[0-9e-]+", lambda n: f"{float(n[0]):.{decimals}f}", path.read_text())
    path.write_text(text, encoding="utf-8")
    read = LanguageModel.from_arpa(path)
    rows = read.model.rows([(), (0,), (1, 0)])
    np.testing.assert_allclose(rows.sum(axis=1), 1, atol=1e-12)
    # Half a last digit of each of the logarithms that are added up, and as much for the sum.
    atol = 2 * 3 * 0.5 * 10.0**-decimals * np.log(10)
    np.testing.assert_allclose(np.log(rows), np.log(made.model.rows([(), (0,), (1, 0)])), atol=atol)
    read.save(tmp_path / "read.npz")
    assert load(tmp_path / "read.npz").top("a", 2) == read.top("a", 2)


def test_a_factor_of_minus_99_is_none(tmp_path):
    """As a probability of -99 is: after ``a`` comes ``b`` alone."""
    unigrams = "-0.30103\ta\t-99\n-0.30103\tb\n-99\t<s>\n-99\t</s>\n"
    text = f"\\data\\\nngram 1=4\nngram 2=1\n\n\\1-grams:\n{unigrams}\n\\2-grams:\n0\ta b\n"
    (tmp_path / "model.lm").write_text(f"{text}\n\\end\\\n")
    assert load(tmp_path / "model.lm").row("a") == {"a": 0, "b": 1, "</s>": 0}


def test_an_arpa_file_whose_rows_are_no_distributions_has_its_own_numbers(tmp_path):
    """CMU's QuickLM gives the start of a sentence a share; others prune, or round above one."""
    path, head = tmp_path / "model.lm", "\\data\\\nngram 1=4\n\n\\1-grams:\n-99\t</s>\n"
    for a, start, row in (
        ("-0.30103", "-99", [0.5, 0.5]),
        ("-0.30103", "-0.69897", [0.5, 0.5]),  # and .2 for the start, which is no word
        ("-0.69897", "-0.52288", [0.2, 0.5]),  # and .3: what is left is not scaled
        ("0.2", "-99", [1.0, 0.5]),  # no probability is above one
    ):
        path.write_text(f"{head}{a}\ta\n-0.30103\tb\n{start}\t<s>\n\n\\end\\\n")
        if sum(row) == 1:
            read = load(path)
        else:
            with pytest.warns(
                UserWarning, match="its rows do not sum to one, so its numbers are sco"
            ):
                read = load(path)
            with pytest.raises(
                ValueError, match="cannot sample: the distribution of a context does not sum to one"
            ):
                read.generate(3)
        np.testing.assert_allclose(read.model.rows([()])[0], [0, *row], rtol=1e-5)
        read.save(tmp_path / "model.npz")
        assert load(tmp_path / "model.npz").row("") == read.row("")


def test_a_word_of_our_own_file_is_no_mark_of_others(tmp_path):
    made = fit_text(["a <UNK> !EXIT\v", "<UNK> a"], 2, text=Text("whitespace"))
    made.save(tmp_path / "m.arpa")
    words = list(load(tmp_path / "m.arpa").words)
    assert words == list(made.words) == ["!EXIT", "</s>", "<UNK>", "a"]


def test_an_arpa_file_in_another_encoding_is_read_by_its_name(tmp_path):
    path = tmp_path / "m.lm"
    path.write_bytes(FOREIGN.replace(" a", " \u00e9").encode("latin-1"))
    with pytest.raises(ValueError, match=r"byte 84 \(0xe9\) is not utf-8: name the"):
        load(path)
    read = LanguageModel.from_arpa(path, Text(encoding="latin-1", unknown=1))
    assert read.prob("", "\u00e9") == pytest.approx(0.5, abs=1e-6)


BACK = np.log10(2 / 3)
FOREIGN = f"""\\data\\
ngram 1=5
ngram 2=4

\\1-grams:
-99 <s>\t{BACK:.7f}
-0.6020600 </s>
-0.6020600 a\t0
-0.6020600 b\t{BACK:.7f}
-0.6020600 <UNK>

\\2-grams:
-0.3010300 <s> a
-0.6020600 a b
-0.3010300 b </s>
-0.6020600 a </s>

\\end\\
"""
HEADER = """A 2-gram model over 3 words, as toolkits describe it.
start of the data: \\data\\
ngram 1=so many   # of one word

\\1-grams:
logp  word  logbackoff
end of the data: \\end\\

"""


@pytest.mark.parametrize("name", ["model.arpa", "model.lm", "model.lm.gz"])
@pytest.mark.parametrize("header", ["", HEADER])
def test_an_arpa_file_of_another_program_is_known_by_its_content(tmp_path, name, header):
    raw = (header + FOREIGN).encode()
    (tmp_path / name).write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
    read = load(tmp_path / name)
    assert list(read.words) == ["</s>", "a", "b", "<unk>"]
    # a at the start 1/2; b after a 1/4; unknown after b 2/3 of 1/4; the end after it 1/4.
    expected = -np.log([1 / 2, 1 / 4, 1 / 6, 1 / 4]).mean()
    assert read.score(["a b new"]).nats_with_unknown == pytest.approx(expected, abs=1e-6)


def test_a_word_that_never_follows_one_is_warned_of():
    text = [f"w{number}" for number in np.random.default_rng(1).zipf(1.5, 3000) % 300]
    plain, titled = Text(lines=False), [["TITLE", *text]]
    with pytest.warns(UserWarning, match="'TITLE' never follows a word, and still has 0"):
        fit_text(titled, 2, text=plain)
    with pytest.warns(UserWarning, match="'zzz' never follows a word"):
        fit_text([text], 3, known=["zzz"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit_text([text], 2, text=plain)
        fit_text(titled, 2, text=plain, continuation="uniform")
        fit_text(titled, 2, text=plain, method="add-half")
        fit_text([text], 3, text=Text(unknown=5))  # the class may have what is freed


def test_the_core_is_kneser_ney_of_the_sentences(model):
    # Words in sorted order; d, seen once, is the class of unknown words.
    end, a, b, c, unknown = range(5)
    lists = [[a, b, a, c, end], [a, b, b, end], [c, a, b, a, b, end], [b, a, unknown, end]]
    assert list(model.words) == ["</s>", "a", "b", "c", "<unk>"]
    expected = method("kn", discount="estimated").fit_text(Sentences.from_lists(lists, 5), order=3)
    known = [[a, b, end], [c, unknown, a, end]]
    losses = -expected.score(Sentences.from_lists(known, 5))
    score = model.score(TEST)
    assert (score.n, score.unknown) == (6, 1)
    assert score.nats == pytest.approx(np.delete(losses, 4).mean())
    assert score.nats_with_unknown == pytest.approx(losses.mean())  # the class has one word, d
    assert score.bits == pytest.approx(score.nats / np.log(2))
    wider = fit_text(TRAIN, 3, text=Text(min_count=2, unknown=50), discount="estimated")
    whole = wider.score(TEST).nats_with_unknown
    assert whole == pytest.approx((losses.sum() + np.log(50)) / 7)
    assert wider.prob("a b", "new") == pytest.approx(wider.prob("a b", "<unk>") / 50)


def test_without_a_class_unknown_words_are_left_out():
    model = fit_text(TRAIN, 2, text=Text(lines=False), method="add-half")
    assert model.model.shape == (4, 4)  # pairs of neighbours, over line ends
    with pytest.warns(UserWarning, match="50% of the words are unknown, .*min_count=2"):
        score = model.score("a b e a b")
    assert (score.n, score.unknown, score.nats_with_unknown) == (2, 2, np.inf)
    with pytest.raises(ValueError, match="'e' is not in the vocabulary"):
        model.top("e")
    with pytest.raises(ValueError, match="contains no word that the model knows"):
        model.score("x y z")
    with pytest.raises(ValueError, match="pass a known word"):
        model.top("")


def test_a_name_of_a_file_is_no_text_and_a_sentence_no_list(model, tmp_path, monkeypatch):
    """A string is the text itself; one that looks like a name was meant as a path."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "two words").write_text("word", encoding="utf-8")  # and its text is a name, too
    (tmp_path / "word").write_text("a b", encoding="utf-8")
    for name in ("no.txt", "no.CSV", "no.gz", "folder/no", "two words", "word"):
        for take in (fit_text, model.score):
            with pytest.raises(ValueError, match="looks like the name of a file: give Path"):
                take(name)
    assert model.score(["folder/no a"]).n == 2
    assert model.score("folder/no a.txt").unknown == 2  # several words are a text
    assert list(fit_text(Path("two words"), 2).words) == ["</s>", "word"]
    with pytest.raises(ValueError, match="'a b' is a string: must be a list of words"):
        model.text.number(TEST, model.words)
    for nothing in ([], [""], " "):
        with pytest.raises(ValueError, match="the text has no words"):
            fit_text(nothing)


def test_a_model_keeps_its_cutting(model, tmp_path):
    made = fit_text("The rose, the ROSE.\nA rose!", 2, text=Text("letters"))
    made.save(tmp_path / "model.npz")
    read = load(tmp_path / "model.npz")
    assert (read.text, read.words) == (made.text, made.words)
    assert repr(read.score("THE rose")) == repr(made.score("the rose..."))
    assert pickle.loads(pickle.dumps(model)).top("a", 3) == model.top("a", 3)
    assert "words seen less than 2 times are <unk>; <unk> stands for" in model.summary()
    assert repr(model) == "<LanguageModel by kn: order 3, 5 types, n = 19, closed form>"
    assert len(model.generate(4, "a b", seed=1)) == 4
    assert model.generate(0) == model.sample("a", 0) == []
    assert len(model.sample("a")) == 1
    assert {*model.sample("a", 5)} <= {*model.words}
    assert sum(chance for _, chance in model.top("a b", 5)) == pytest.approx(1)
    with pytest.raises(ValueError, match="tokenizer = 'no'"):
        Text("no")
    for name in ("no", 8, "idna"):
        with pytest.raises(ValueError, match=f"unknown encoding: {name!r}"):
            Text(encoding=name)


def test_after_the_end_of_a_line_another_begins():
    model = fit_text(["a b c", "a b d", "a c b"] * 20, 3, text=Text())
    for before in ("</s>", "c </s>", ["a", "b", "</s>"], "a </s> </s>"):
        assert model.row(before) == model.row("")
    assert model.row("c </s> a") == model.row("a") != model.row("c a")
    drawn = " ".join(model.generate(600, seed=1)).split("</s>")
    starts = [line.split()[0] for line in drawn if line.split()]
    # Each line begins with "a" but for 1.1 % of smoothing: of some 200 lines two would not.
    assert starts.count("a") > 0.93 * len(starts) > 100
    over = fit_text("a b </s> c a b", 3, text=Text(lines=False))  # where it is a word like others
    assert over.row("b </s>") != over.row("")


@pytest.mark.filterwarnings("default")
def test_what_comes_compressed_by_standard_input_is_read(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    raw = "\n".join(TRAIN).encode()
    fit_text(TRAIN, 3).save("model.npz")
    Path("plain").write_bytes(raw)

    def score(given):
        monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(given)))
        status = main(["score", "model.npz", "-"])
        return status, capsys.readouterr()

    assert main(["score", "model.npz", "plain"]) == 0
    output = capsys.readouterr().out
    for packed in (gzip.compress(raw), bz2.compress(raw, 1), bz2.compress(raw), lzma.compress(raw)):
        assert score(packed) == (0, (output, ""))
        status, printed = score(packed[:-4])
        assert status == 2
        assert printed.err.startswith("condprob: error: -: damaged: ")
    assert score(b"BZh is a word")[0] == 0


NOT_OF_TOYS = {"nplm", "gibbs-rows", "kn-ad-lr-bins", "aso"}


@pytest.mark.parametrize("id", [id for id in METHODS if id not in NOT_OF_TOYS])
def test_texts_that_teach_longer_histories_nothing_are_kept(id, tmp_path):
    # Where no weight is left a sum of none had been one of whole numbers, and the file "damaged".
    few = {"rank": 2, "iterations": 2, "starts": 1, "largest_rank": 2, "classes": 2, "penalty": 9.0}
    options = {name: v for name, v in few.items() if name in METHODS[id].options}
    for lines, order in ((["a b c"] * 30, 3), (["yes", "no", "yes", "maybe"], 1)):
        model = fit_text(lines, order, method=id, **options)
        model.save(tmp_path / "model.npz")
        assert load(tmp_path / "model.npz").row("") == model.row("")


def test_what_is_no_word_and_no_order_is_told():
    plain = fit_text(["<s> a"], text=Text(lines=False))
    rare = "^min_count = 3: no word occurs so often"
    for call, message in (
        (lambda: fit_text([[1, 2], [2, 1]]), "the word 1 is of type int: words must be texts"),
        (lambda: fit_text([b"a b"]), "sentence 0 = b'a b': must be a text or a list of words"),
        (lambda: fit_text([1, 2]), "^sentence 0 = 1: must be a text or a list of words$"),
        (
            lambda: fit_text(pd.Series(["a b", None])),
            "^sentence 1 = (nan|None): must be a text",
        ),
        (lambda: fit_text(pd.DataFrame({"a": ["b c"]})), "^a table with columns is no text"),
        (lambda: fit_text(Counter(["a b"])), r"^Counter.* is a dictionary: .* list\(counter.elem"),
        (
            lambda: fit_text(None),
            r"^None is of type NoneType: must be a text, a Path, or a list of sent",
        ),
        (lambda: fit_text(b"a b"), "^b'a b' is of type bytes: must be a text, a Path, or a list"),
        (lambda: fit_text(["a"]).score([3]), "^sentence 0 = 3: must be a text or a list of words"),
        (lambda: fit_text(["a"]).top(5), "^history = 5: must be a text or a list of words$"),
        (lambda: fit_text(["a"]).generate(1, 5), "^history = 5: must be a text or a list"),
        (lambda: fit_text(["a"]).prob("a", 5), "^word = 5: must be a text or a list of words$"),
        (lambda: fit_text(["a"]).top("a", exclude=5), "^exclude = 5: must be a text or a list"),
        (lambda: fit_text("a b a", text=Text(min_count=3)), f"{rare}, the largest count is 2$"),
        (lambda: fit_text("a b a", text=Text(min_count=3, lines=False, unknown=0)), rare),
        (lambda: fit_text(["a"], known=["b", 3]), "the word 3 is of type int: words must be texts"),
        (lambda: fit_text(["a b"], 10**12), "order = 1000000000000: at most 1,000 words at once"),
        (lambda: fit_text(["a b"]).generate(-1), "n = -1: must be an integer >= 0"),
        (lambda: plain.to_arpa("x.arpa"), "'<s>': must be a word without spaces"),
        (lambda: fit_text([["a b", "c"]]).to_arpa("x.arpa"), "'a b': must be a word without"),
    ):
        with pytest.raises(ValueError, match=message):
            call()


def test_marks_at_the_ends_of_a_sentence_are_its_ends_and_refused_inside():
    plain = fit_text(["a b", "b a"])
    for lines in (["<s> a b </s>", "b a </s>"], [["<s>", "a", "b"], ["b", "a"]]):
        assert fit_text(lines).row("a") == plain.row("a")
        assert plain.score(lines) == plain.score(["a b", "b a"])
    assert plain.row("<s> a") == plain.row("b </s> a") == plain.row("a")
    for tokenizer in TOKENIZERS:
        cut = Text(tokenizer).cut("<s> a b </s>\n\t</s> \r\n<s>\n b a </s>")
        between = ["▁"] * (tokenizer == "characters")
        assert cut == [["a", *between, "b", "</s>"], ["b", *between, "a", "</s>"]]
    for line, mark in (("a </s> b", "</s>"), ("</s> b", "</s>"), ("c <s>", "<s>")):
        for take in (fit_text, plain.score):
            with pytest.raises(ValueError, match=f"sentence 1 has the word {mark} inside"):
                take(["a b", line])
    fit_text(["<s> a </s>", "<s> b </s>"], 2, text=Text(lines=False))


@pytest.mark.parametrize(
    "marks",
    [("<S>", "</S>", "<UNK>"), ("!ENTER", "!EXIT", "!!UNK"), ("!SENT_START", "!SENT_END", "<UNK>")],
)
def test_an_arpa_file_of_other_spellings_is_the_same_model(tmp_path, marks):
    text = FOREIGN.replace("<UNK>", marks[2]).replace("</s>", marks[1]).replace("<s>", marks[0])
    for here, there in (("-99", "-inf"), ("data\\\n", "data\\\t\n"), (" a", " a\u00a0b")):
        text = text.replace(here, there)
    (tmp_path / "m.lm").write_text(FOREIGN, encoding="utf-8")
    (tmp_path / "other").write_text(text, encoding="utf-8")
    first, other = load(tmp_path / "m.lm"), load(tmp_path / "other")
    assert list(other.words) == [word.replace("a", "a\u00a0b") for word in first.words]
    assert [*other.row(["b"]).values()] == [*first.row(["b"]).values()]


def test_packed_files_are_known_by_their_first_bytes(tmp_path):
    (tmp_path / "packed.txt").write_bytes(gzip.compress(b"a b\n"))
    (tmp_path / "plain.gz").write_bytes(b"a b\n")
    rows = [fit_text(tmp_path / name).row("a") for name in ("packed.txt", "plain.gz")]
    assert rows[0] == rows[1] == fit_text(["a b"]).row("a")


def test_a_history_is_cut_as_the_model_cuts():
    lines = ["And God said, Let there be light: and there was light."] * 5
    model = fit_text([*lines, "a rare word"], 3, text=Text("letters", min_count=2))
    assert model.row("And God") == model.row(["and", "god"])
    assert model.prob("God said,", "let") == model.prob("god said", "let") > 0.5
    assert model.generate(3, "And God", seed=1) == model.generate(3, ["and", "god"], seed=1)
    assert model.row("</s> And") == model.row("and")
    with pytest.warns(
        UserWarning, match="'zebra', 'crossing' are not in the vocabulary: the class"
    ):
        model.row("Zebra crossing")
    with pytest.warns(
        UserWarning, match="'And' is not in the vocabulary"
    ):  # a list is taken as it is
        model.row(["And"])


def test_what_is_excluded_is_not_drawn():
    model = fit_text(TRAIN, 3, text=Text(min_count=2))
    assert "<unk>" in model.generate(300, seed=1)
    drawn = model.generate(300, seed=1, exclude=["<unk>", "unheard of"])
    assert "<unk>" not in drawn
    assert {"a", "b", "c", "</s>"} == {*drawn}
    for draw in (model.generate, lambda n, **how: model.sample("a", n, **how)):
        one = draw(50, seed=1, exclude="<unk>")  # a string is one word, and no letters
        assert one == draw(50, seed=1, exclude=["<unk>"]) != draw(50, seed=1)
    assert model.top("a", exclude="<unk>") == model.top("a", exclude=["<unk>"])
    many = model.sample("a b", 4000, seed=2, exclude=["<unk>", "</s>"])
    row = model.row("a b")
    for word in "abc":  # within four standard deviations
        expected = row[word] / sum(row[w] for w in "abc")
        assert abs(many.count(word) / 4000 - expected) < 4 * np.sqrt(expected / 4000)
    with pytest.raises(ValueError, match="every word that can follow 'a' is excluded"):
        model.sample("a", exclude=[*model.words])


def test_what_is_doubtful_is_told_of_the_line_that_called(model):
    """Through however many functions of ours; a word that is twice unknown is one word."""
    plain = fit_text(TRAIN, 3)
    calls = [
        (lambda: plain.log_prob("nope nope", "a"), "^'nope' is not in the vocabulary"),
        (lambda: plain.generate(1, "nope"), "^'nope' is not in the vocabulary"),
        (lambda: model.prob("nope", "a"), "^'nope' is not in the vocabulary: the class"),
        (lambda: fit_text(["In", "the", "beginning"], 2), "^every sentence has a single word"),
        (lambda: fit_text(TRAIN, 2, method="lr", rank=9, iterations=1), "^rank=9: no matrix of 5"),
    ]
    for call, message in calls:
        with pytest.warns(UserWarning, match=message) as caught:
            call()
        assert [each.filename for each in caught] == [__file__]
    for source, order, lines in (
        (["In", "the"], 1, True),
        ([["In", "the"]], 2, True),
        (["In", "the"], 2, False),
    ):
        fit_text(source, order, text=Text(lines=lines))  # warnings are errors


def test_several_files_are_one_text(tmp_path):
    paths = [tmp_path / "one.txt", tmp_path / "other.txt.gz"]
    paths[0].write_text("a b a c\na b b", encoding="utf-8")
    paths[1].write_bytes(gzip.compress(b"c a b a b\nb a d"))
    found = fit_text(paths, 3)
    assert found.row("a b") == fit_text(TRAIN, 3).row("a b")
    assert found.score(paths).n == found.score(TRAIN).n
    with pytest.raises(ValueError, match="'a b' among paths: sentences or paths, not both"):
        fit_text([paths[0], "a b"])


def test_models_of_other_texts_are_mixed_and_the_mixture_is_kept(tmp_path):
    known = ["b", "a", "c", "d", "e"]
    how = {"known": known, "continuation": "uniform"}
    fits = [fit_text(text, order, **how) for text, order in ((TRAIN, 3), (TEST, 2))]
    assert [*fits[0].words] == [*fits[1].words] == [*known, "</s>"]
    tuned = mix(fits, TRAIN[:1] + TEST[:1])
    weights = tuned.weights
    row = tuned.row("a b")
    for word, chance in row.items():
        parts = [part.prob("a b", word) for part in fits]
        assert chance == pytest.approx(weights @ parts, abs=1e-15)
    same = mix(fits, weights=weights)
    assert same.row("a b") == row
    for made in (tuned, mix([*fits, tuned], weights=[0.2, 0.3, 0.5]), mix(fits[:1], weights=[1])):
        made.save(tmp_path / "mixed.npz")
        again = load(tmp_path / "mixed.npz")
        assert again.row("a b") == made.row("a b")
        assert (again.order, again.text) == (3, made.text)
    mistakes = {
        "pass either held-out data, tune=..., or weights=": lambda: mix(fits),
        r"weights = \[0.5, 0.6\]: must be 2 numbers >= 0 that sum to one": lambda: mix(
            fits, weights=[0.5, 0.6]
        ),
        r"models\[1\] have them in different orders. Fit all with the same": lambda: mix(
            [fits[0], fit_text(TRAIN, known=known[::-1])], TEST
        ),
        r"only one of models\[0\] and models\[1\] has 'e'": lambda: mix(
            [fits[0], fit_text(TRAIN)], TEST
        ),
        r"models\[1\] reads texts by Text.*'letters'.*, not Text": lambda: mix(
            [fits[0], fit_text(TRAIN, known=known, text=Text("letters"))], TEST
        ),
    }
    for message, call in mistakes.items():
        with pytest.raises(ValueError, match=message):
            call()
    # The words that are known are looked up, and not sought one by one: this took minutes.
    many = [[f"w{n}" for n in range(30_000)]]
    text, words = Text(min_count=2).learn(many, known=[f"w{n}" for n in range(30_000)])
    assert len(words) == 30_000 + (text.unknown > 0)


@pytest.mark.parametrize("packed", ["", ".gz", ".bz2", ".xz"])
def test_arpa_files_are_compressed_by_their_name(model, tmp_path, packed):
    path = tmp_path / f"model.arpa{packed}"
    model.save(path)
    (tmp_path / "again").mkdir()
    again = tmp_path / "again" / path.name
    load(path).save(again)
    assert again.read_bytes() == path.read_bytes()
    raw = read_bytes(path)
    assert raw.startswith(b"# condprob ")
    assert raw != path.read_bytes() or not packed
    if packed:
        path.write_bytes(path.read_bytes()[:-9])
        with pytest.raises(ValueError, match=r"model\.arpa.*: not an ARPA file: damaged: "):
            load(path)


def test_the_command_line_cuts_as_the_model_was_cut(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    raw = "\n".join(TRAIN).encode()
    (tmp_path / "train.gz").write_bytes(gzip.compress(raw))
    (tmp_path / "train.xz").write_bytes(lzma.compress(raw))
    (tmp_path / "test").write_text("A, b!\nc e a", encoding="utf-8")
    (tmp_path / "broken.gz").write_bytes(gzip.compress(raw)[:-5])

    def run(*arguments, status=0):
        assert main([*map(str, arguments)]) == status
        return capsys.readouterr()

    cut = ("--order", 3, "--tokenizer", "letters", "--min-count", 2)
    for name in ("train.gz", "train.xz"):
        run("fit", name, "-o", name + ".npz", "--method", "kn", *cut)
    output = run("score", "train.gz.npz", "test", "--json")
    found = json.loads(output.out)
    expected = fit_text(TRAIN, 3, method="kn", text=Text("letters", min_count=2))
    score = expected.score(TEST)
    assert found["nats"] == pytest.approx(score.nats)
    assert found["nats_with_unknown"] == pytest.approx(score.nats_with_unknown)
    assert (found["unknown"], found["words"]) == (1, 6)
    assert run("score", "train.xz.npz", "test", "--json").out == output.out
    assert ", 1 unknown: " in run("score", "train.xz.npz", "test").out
    assert run("top", "train.gz.npz", "a b", "-n", 1).out.startswith("a b\t")
    listed = run("top", "train.gz.npz", "a", "--exclude", "<unk>", "--exclude", "b").out
    assert listed.splitlines() == [
        f"a\t{word}\t{p:.6g}" for word, p in expected.top("a", exclude=["<unk>", "b"])
    ]
    assert isinstance(condprob.load("train.gz.npz"), LanguageModel)
    run("fit", "train.gz", "-o", "model.arpa", "--method", "kn", *cut)
    read = LanguageModel.from_arpa("model.arpa")
    assert (read.text, read.about) == (expected.text, expected.about)
    again = json.loads(run("score", "model.arpa", "test", "--json").out)
    assert again["nats_with_unknown"] == pytest.approx(found["nats_with_unknown"], abs=1e-6)
    assert "broken.gz: damaged: " in run("fit", "broken.gz", "-o", "x", status=2).err


@pytest.mark.parametrize("id", [id for id, record in METHODS.items() if record.estimator.backs_off])
def test_what_backs_off_is_written_as_an_arpa_file(tmp_path, capsys, monkeypatch, id):
    """Each method whose record says so; any other is refused before its data are read."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train").write_text("\n".join(TRAIN), encoding="utf-8")
    fit = ["fit", "train", "--order", "3", "--method", id, "-o"]
    assert [main([*fit, name]) for name in ("model.arpa", "model.npz")] == [0, 0]
    read, kept = load("model.arpa"), load("model.npz")
    assert read.about.method == id
    for context in ("", "a", "a b", "b a"):
        after = [dict(made.top(context, 9)) for made in (read, kept)]
        assert after[0] == pytest.approx(after[1], abs=1e-7)


@pytest.mark.parametrize("lines", [True, False])
def test_a_row_and_lists_of_words_have_the_probabilities_of_single_words(lines):
    language = fit_text(TRAIN, 2, text=Text(min_count=2, unknown=4, lines=lines))
    row = language.row("a")
    assert list(row) == list(language.words)
    assert sum(row.values()) == pytest.approx(1)
    found = language.prob("a", ["b", "c", "never"])
    assert found.tolist() == [language.prob("a", word) for word in ("b", "c", "never")]
    assert language.log_prob("a", ["b", "c"]).tolist() == np.log(found[:2]).tolist()
    assert language.log_prob("a", "b") == np.log(found[0])
    np.testing.assert_allclose(found, [row["b"], row["c"], row["<unk>"] / 4])
    assert language.prob(["a"], []).shape == (0,)


@pytest.mark.parametrize("name", ["M.ARPA", "m.Arpa", "M.ARPA.GZ"])
def test_an_arpa_file_is_known_by_a_name_in_capitals(tmp_path, name):
    made = fit_text(["a b a c", "b a c"], 2, method="kn")
    made.save(tmp_path / name)
    beginning = (tmp_path / name).read_bytes()[:2]
    assert beginning == (b"\x1f\x8b" if name.endswith("GZ") else b"# ")
    assert load(tmp_path / name).prob("a", "b") == pytest.approx(made.prob("a", "b"))


@pytest.mark.parametrize(
    ("ngrams", "told"),
    [
        ("ngram 1=0\n\n\\1-grams:\n", "no 1-gram"),
        ("ngram 1=1\n\n\\1-grams:\n-99 <s>\n", "no 1-gram"),
        ("ngram 1=2\n\n\\1-grams:\n-.3 a\n-.3 </s>\n-.5 a\n", "1-gram occurs twice"),
    ],
)
def test_an_arpa_file_without_words_or_with_one_twice_is_refused(tmp_path, ngrams, told):
    (tmp_path / "m.arpa").write_text(f"\\data\\\n{ngrams}\n\\end\\\n", encoding="utf-8")
    with pytest.raises(ValueError, match=told):
        load(tmp_path / "m.arpa")


@pytest.mark.parametrize(
    ("unigrams", "bigrams", "told", "losses"),
    [
        # The end is an event of no text: of `a b` and `b` there are three words.
        ("-1 <s> -.2|-.4 a -.3|-.6 b -.1", "-.2 <s> a|-.3 a b", ["no </s>"], [0.2, 0.3, 0.8]),
        # An unknown word is one, and the end none all the same.
        ("-1 <s>|-.4 a -.3|-.6 b|-2 <unk>", "-.3 a b", ["no </s>"], [0.4, 0.3, 0.6]),
        ("-.5 </s>|-.4 a -.3|-.6 b -.1", "-.3 a b", ["no <s>"], [0.4, 0.3, 0.6, 0.6, 0.6]),
        ("-.4 a -.3|-.6 b -.1", "-.3 a b", ["no <s>", "no </s>"], [0.4, 0.3, 0.6]),
    ],
)
def test_an_arpa_file_without_a_mark_is_scored_without_it(
    tmp_path, unigrams, bigrams, told, losses
):
    """By hand, in logarithms of base 10; KenLM refuses such files, and so says nothing."""
    parts = [part.split("|") for part in (unigrams, bigrams)]
    head = [f"ngram {n}={len(part)}" for n, part in enumerate(parts, 1)]
    body = [line for n, part in enumerate(parts, 1) for line in ("", f"\\{n}-grams:", *part)]
    path = tmp_path / "m.lm"
    path.write_text("\n".join(["\\data\\", *head, *body, "", "\\end\\", ""]))
    with pytest.warns(UserWarning, match="it has no |its rows") as given:
        read = load(path)
    messages = [str(one.message).partition("it has ")[2] for one in given]
    assert [m.partition(":")[0] for m in messages if m] == told
    for again in ("", "again.npz", "again.arpa"):
        if again:
            read.save(tmp_path / again)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # rows that do not sum to one
                read = load(tmp_path / again)
        score = read.score(["a b", "b"])
        assert (score.n, score.unknown) == (len(losses), 0)
        assert score.nats == pytest.approx(np.mean(losses) * np.log(10), abs=1e-6)
        assert score.nats_with_unknown == pytest.approx(score.nats)
        assert ("</s>" in read.words) == ("no </s>" not in told)


def test_a_text_without_ends_has_none_after_an_arpa_file(tmp_path):
    made = fit_text(["a b a c b", "b a c"], 3, method="kn", text=Text(lines=False))
    made.save(tmp_path / "m.arpa")
    assert "\t</s>\n" in (tmp_path / "m.arpa").read_text()  # other programs need one
    read = load(tmp_path / "m.arpa")
    assert list(read.words) == list(made.words) == ["a", "b", "c"]
    assert read.row("a") == pytest.approx(made.row("a"))


def test_a_table_of_ngrams_is_their_dictionary():
    counts = {("the", "cat"): 3, ("the", "dog"): 2, ("a", "cat"): 1}
    rows = pd.DataFrame([(*words, n) for words, n in counts.items()], columns=["w", "v", "n"])
    expected = fit_text(counts, 2).prob("the", "cat")
    for table in (rows, {name: rows[name].tolist() for name in rows}):
        assert fit_text(table, 2).prob("the", "cat") == expected
