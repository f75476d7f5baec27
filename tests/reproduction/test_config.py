"""Every planted mistake is one line with its place; nothing is ignored in silence."""

import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import jsonschema
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from snakemake.common.configfile import load_configfile

from condprob.catalogue import METHODS
from reproduction.config import (
    ConfigError,
    check_config,
    complete_config,
    list_files,
    load_config,
    main,
)
from reproduction.mistakes import load_schema
from reproduction.studies import STUDIES

TOP = Path(__file__).parents[2]
VALID = """\
# A whole configuration.
seed: 7
strict: false
allow_other_hashes: false
corpora:
  mine:
    source: file
    path: mine.txt
    tokenizer: letters
    train: 100
    test: half
  king-james:
    source: nltk
    package: genesis
    files: [english-kjv.txt]
    tokenizer: whitespace
    words: 1000
    train: 600
    test: 400
methods:
  ad: {method: ad, discount: 0.75}
  kn: {method: kn, discount: estimated}
  ad-lr: {method: ad-lr, iterations: 200}
  ad-lr-20: {method: ad-lr, rank: 20}
exhibits:
  curve:
    kind: risk-curve
    k_values: [50, 100]
    rank_values: [3, 5]
    n_values: [10, 20]
    rows: uniform
    trials: 2
    methods: [ad, ad-lr, ad-lr-20]
  table:
    kind: table
    corpora: [mine, king-james]
    methods: [ad, kn, ad-lr]
    rank: 5
    seeds: 2
  learning:
    kind: learning-curve
    corpora: [mine]
    n_values: [20, 40]
    test: last
    test_words: 30
    baseline: kn
    methods: [kn, ad-lr-20]
    seeds: 2
    y_range: [-0.4, 0]
  ranks:
    kind: rank-selection
    corpora: [mine]
    rank_values: [2, 4]
    methods: [ad-lr]
    seeds: 2
    y_ranges: {mine: [5.6, 5.8]}
"""
# A line for each mistake: the text to replace => the text in its place, in which ⏎ ends a line =>
# the line and the key of the mistake, where it has them.
TABLE = Path(__file__).with_name("mistakes.txt").read_text(encoding="utf-8").splitlines()
MISTAKES = [line.replace("⏎", "\n").split(" => ") for line in TABLE]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Work in a folder that has the text of the valid configuration, and a folder of code."""
    monkeypatch.chdir(tmp_path)
    Path("mine.txt").write_text(100 * "some words ", encoding="utf-8")
    Path("src").mkdir()
    Path("src", "code.py").touch()
    return tmp_path


def write(text, name="config.yaml"):
    Path(name).write_text(text, encoding="utf-8")
    return name


def mistakes(*paths):
    with pytest.raises(ConfigError) as caught:
        load_config(paths)
    return str(caught.value).split("\n")


def test_valid_configuration_is_returned_as_it_is():
    assert load_config([write(VALID)]) == yaml.safe_load(VALID)


@pytest.mark.parametrize(("old", "new", "place"), MISTAKES)
def test_planted_mistake_is_one_line_with_its_place(old, new, place):
    assert VALID.count(old) == 1, "the text to replace is not unique"
    write(VALID.replace(old, new))
    before = sorted(Path().rglob("*"))
    (printed,) = mistakes("config.yaml")
    line, _, key = place.partition(" ")
    where = f"config.yaml:{line}: {key}".rstrip()
    assert printed.startswith("config.yaml: " if line == "-" else where)
    assert printed.isprintable()
    assert len(printed) < 500
    assert sorted(Path().rglob("*")) == before  # nothing is written


@pytest.mark.parametrize(
    ("old", "new", "allowed"),
    [
        ("trials: 2", "trials: 0", "0 is not allowed; must be an integer >= 1"),
        ("trials: 2", "trails: 2", "unknown key; did you mean 'trials'? (allowed: kind, title,"),
        ("rows: uniform", "rows: power", "must be 'uniform' or 'power-law'; did you mean 'pow"),
        (
            "[kn, ad-lr-20]",
            "[kn, ad-rl]",
            "the name of an entry of `methods`; did you mean 'ad-lr'",
        ),
        ("rank: 20", "rank: abc", "'abc' is not allowed; must be an integer >= 1"),
        (
            "rows: uniform",
            "rows: power-law\n    exponent: a",
            "'a' is not allowed; must be a number",
        ),
        ("trials: 2", "trials: 2\n    trials: 3", "'trials' is given twice, first in line 32"),
        ("words: 1000", "words: 999", "must be >= train + test = 1000"),
        ("rank_values: [3, 5]", "rank_values: [60]", "must be <= 50, the smallest of k_values"),
    ],
)
def test_a_mistake_says_what_is_allowed(old, new, allowed):
    assert allowed in "\n".join(mistakes(write(VALID.replace(old, new, 1))))


def test_all_mistakes_are_reported_in_the_order_of_the_file():
    text = VALID.replace("seed: 7", "seed: -7").replace("trials: 2", "trials: 0")
    text = text.replace("rows: uniform", "rows: power-law")
    lines = mistakes(write(text.replace("test_words: 30", "test_words: abc")))
    assert [int(line.split(":")[1]) for line in lines] == [2, 32, 45]


def test_how_values_go_together_is_asked_once_each_is_right():
    text = VALID.replace("rows: uniform", "rows: power-law").replace("[-0.4, 0]", "[0, -0.4]")
    lines = mistakes(write(text))
    assert [int(line.split(":")[1]) for line in lines] == [31, 49]


# ------------------------------------------------------------------------------------- the files


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", ":"),
        ("# nothing\n", ":"),
        ("\n- a\n- b\n", ":"),
        ("seed: 1\n\tstrict: true\n", ":2:"),
        ("seed: [1, 2\nstrict: true\n", ":2:"),
        ("seed: 1\n---\nseed: 2\n", ":2:"),
        ("seed: *other\n", ":1:"),
        ("seed: \x07\n", ":"),
        ("seed: 1\nstrict: \udce9\n", ":"),
        (f"a: {3000 * '['}{3000 * ']'}\n", ":"),
        (f"a: {5000 * '9'}\n", ":"),
        (None, ":"),
    ],
)
def test_a_file_of_which_no_data_can_be_made_is_one_line(text, place):
    if text is not None:
        Path("config.yaml").write_bytes(text.encode(errors="surrogateescape"))
    (line,) = mistakes("config.yaml")
    assert line.startswith(f"config.yaml{place}")


def test_a_mistake_is_placed_in_the_file_that_set_the_key_last():
    above = "# smaller\nexhibits:\n  curve:\n    trials: 0\n  table: {seeds: 1}\nseed: 8\n"
    paths = [write(VALID), write(above, "small.yaml")]
    (line,) = mistakes(*paths)
    assert line.startswith("small.yaml:4: exhibits.curve.trials: 0 is not allowed")
    write(above.replace("trials: 0", "trials: 1"), "small.yaml")
    config = load_config(paths)
    assert (config["seed"], config["exhibits"]["curve"]["trials"]) == (8, 1)
    assert config["exhibits"]["table"] == yaml.safe_load(VALID)["exhibits"]["table"] | {"seeds": 1}


def test_values_are_those_that_snakemake_reads():
    """A reader of YAML 1.2 takes 1e3 for a number and yes for a text."""
    text = VALID.replace("{method: ad, discount: 0.75}", "{<<: {method: ad}, label: '010'}")
    config = load_config([write(text.replace("strict: false", "strict: no"))])
    assert config == load_configfile("config.yaml")
    assert (config["strict"], config["methods"]["ad"]["label"]) == (False, "010")


def test_changes_by_the_command_line_are_placed_there():
    files, config = [write(VALID)], yaml.safe_load(VALID)
    check_config(config, files)
    config |= {"seed": True, "sed": 1}
    config["exhibits"]["curve"]["n_values"] = [10, 0]
    with pytest.raises(ConfigError) as caught:
        check_config(config, files)
    lines = str(caught.value).split("\n")
    keys = ("exhibits.curve.n_values[1]", "sed", "seed")
    for line, key in zip(lines, keys, strict=True):
        assert line.startswith(f"config: {key}: ")


def test_anchors_and_merge_keys_are_followed():
    text = VALID.replace("ad: {method: ad, ", "ad: &ad {method: ad, ", 1)
    text = text.replace("exhibits:\n", "  ad-2: {<<: *ad, discount: 2}\nexhibits:\n")
    (line,) = mistakes(write(text))
    assert line.startswith("config.yaml:25: methods.ad-2.discount: 2 is not allowed")


def test_broken_sections_do_not_hide_or_multiply_mistakes():
    text = VALID[: VALID.index("methods:\n")] + "methods: [ad, kn]\n"
    (line,) = mistakes(write(text + VALID[VALID.index("exhibits:\n") :]))
    assert line.startswith('config.yaml:20: methods: ["ad", "kn"] is not allowed')


SWEEP = VALID[VALID.index("exhibits:\n") : VALID.index("  table:\n")].replace("ad-lr-20", "kn")


def test_ten_lines_in_the_working_folder_are_laid_over_the_projects():
    write(SWEEP)
    files = list_files(["mine.yaml"])
    assert files[0] == str(TOP / "config.yaml")
    assert files[-2:] == ["config.yaml", "mine.yaml"]
    config = load_config(files[:-1])
    assert config["exhibits"]["curve"]["trials"] == 2
    assert "figure-1a" in config["exhibits"]


def test_a_whole_configuration_of_the_working_folder_stands_alone():
    write(VALID)
    assert list_files() == ["config.yaml"]


def test_ten_lines_of_a_module_are_laid_over_the_projects():
    config = complete_config(yaml.safe_load(SWEEP))
    assert config["exhibits"].keys() > {"curve", "figure-1a"}
    check_config(config, list_files())
    whole = yaml.safe_load(VALID)
    assert complete_config(whole) is whole


@pytest.mark.parametrize(
    ("section", "place"),
    [
        ("beyondd: {}", "beyondd: unknown key; did you mean 'beyond'?"),
        ("readings: {methods: [kn, ad-lr, nought]}", "readings.methods[2]: 'nought' is not"),
        ("readings: {new_texts: {seeds: 0}}", "readings.new_texts.seeds: 0 is not allowed"),
        ("readings: {tokenizers: {brown: [letters]}}", "readings.tokenizers.brown[0]: 'letters'"),
        ("readings: {tokenizers: {bronw: [letters]}}", "readings.tokenizers.bronw: "),
        ("readings: {methods: [kn]}", 'readings.methods: ["kn"] is not allowed; must have one'),
        ("structured: {corpus: tartuffe}", "structured.corpus: 'tartuffe' is not allowed"),
        ("structured: {orders_of: {kn: [2]}}", "structured.orders_of.kn: 'kn' is none of"),
        ("structured: {sizes: [10000000]}", "structured.sizes[0]: 10000000 is not allowed"),
        ("survey: {words: {methods: [nought]}}", "survey.words.methods[0]: 'nought' is not"),
        (
            "survey: {comparison: {models: {rows: uniform, exponent: 2}}}",
            "survey.comparison.models.exponent: has no effect with rows: uniform",
        ),
        (
            "beyond: {exhibits: {beyond-1a: {rank_values: [101]}}}",
            "beyond.exhibits.beyond-1a.rank_values[0]: rank 101 is not allowed; must be <= 100",
        ),
        (
            "beyond: {exhibits: {beyond-1a: {rank_values: [5], outcomes: 4}}}",
            "beyond.exhibits.beyond-1a.rank_values[0]: rank 5 is not allowed",
        ),
    ],
)
def test_a_mistake_in_the_section_of_a_study_is_one_line(section, place, monkeypatch):
    other = Path(write(f"studies: {{{section}}}", "other.yaml")).absolute()
    monkeypatch.chdir(TOP)
    (line,) = mistakes(*list_files([str(other)]))
    assert line.startswith(f"{other}:1: studies.{place}")


# ------------------------------------------------------------------------- the folder of results


@pytest.mark.parametrize(
    "inside",
    [
        None,
        "",
        "logs/tabulate/figure.log",
        "smoke/results/logs/draw/a.log",
        "reference/near_optimal/",
    ],
)
def test_a_folder_of_results_may_be_new_empty_or_of_a_run(folder, inside):
    if inside is not None:
        path = folder / "results" / inside
        (path if inside.endswith("/") else path.parent).mkdir(parents=True, exist_ok=True)
        if path.suffix:
            path.touch()
    load_config([write(VALID)])


@pytest.mark.parametrize("inside", ["corpora/brown.zip", "logs/app.log", "mine.txt"])
def test_a_run_writes_over_no_folder_of_other_files(folder, inside):
    path = folder / "results" / inside
    path.parent.mkdir(parents=True)
    path.touch()
    (line,) = mistakes(write(VALID))
    assert "'results' holds something else than results" in line


def test_a_run_writes_over_no_folder_that_results_is_a_link_to(folder):
    (folder / "results").symlink_to(folder / "src")
    (line,) = mistakes(write(VALID))
    assert "'results' holds something else than results" in line


# -------------------------------------------------------------------------------- the command


def test_the_command_reports_a_mistake_in_one_line(folder, capsys):
    (folder / "config.yaml").write_text(VALID)
    (folder / "mine.yaml").write_text("a: [")
    assert main(["mine.yaml"]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert re.fullmatch(r"mine\.yaml:[^\n]+\n", printed.err)


def test_the_command_says_nothing_of_a_right_configuration(folder):
    (folder / "config.yaml").write_text(VALID)
    command = [sys.executable, "-m", "reproduction.config"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


# ------------------------------------------------------------------------------------- fuzzed

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["ad", "kn", "ad-lr", "curve", "mine", "rank", "half", "clusters", "last"])
)
KEYS = st.sampled_from(sorted({*re.findall(r"[\w-]+", VALID)})) | st.text(max_size=5)
VALUES = st.recursive(
    SCALARS,
    lambda below: st.lists(below, max_size=4) | st.dictionaries(KEYS, below, max_size=4),
    max_leaves=12,
)


@given(st.data())
def test_any_value_at_any_place_is_right_or_a_mistake(data):
    """A value is put over each key or item of the valid configuration."""
    config = yaml.safe_load(VALID)
    place = config
    while isinstance(place, dict | list) and place:
        keys = sorted(place) if isinstance(place, dict) else range(len(place))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(place[key], dict | list) or not data.draw(st.integers(0, 2)):
            place[key] = data.draw(VALUES)
            break
        place = place[key]
    text = yaml.safe_dump(config, allow_unicode=True).encode("utf-8", "surrogatepass")
    Path("config.yaml").write_bytes(text)
    with suppress(ConfigError):  # any other error fails the test
        load_config(["config.yaml"])


# ------------------------------------------------------------------------------------ the schema


def test_shipped_configuration_is_valid(monkeypatch):
    monkeypatch.chdir(TOP)
    config = load_config(list_files([]))
    assert config["exhibits"]
    assert set(config["studies"]) == set(STUDIES[1:])
    assert "studies" not in load_config(["config.yaml"])  # the paper needs no other study


def walk(schema, path="schema"):
    yield path, schema
    for key, value in schema.items():
        for name, below in value.items() if key in ("properties", "$defs") else ():
            yield from walk(below, f"{path}.{name}")
        if key in ("items", "additionalProperties") and isinstance(value, dict):
            yield from walk(value, f"{path}.{key}")


def test_every_key_is_described_and_no_unknown_key_is_allowed():
    schema = load_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    for path, part in walk(schema):
        described = part
        while "description" not in described and "$ref" in described:
            described = schema["$defs"][described["$ref"].rpartition("/")[2]]
        dispatches = "allOf" in part  # to one of $defs, which is described and closed
        filled_in = path.split(".")[1:2] and path.split(".")[1] in METHODS
        if not filled_in and not path.endswith(("items", "additionalProperties", "files")):
            assert described.get("description"), path
        if "properties" in part and not dispatches:
            assert part["additionalProperties"] is False, path


def test_schema_has_the_methods_and_their_options():
    definitions = load_schema()["$defs"]
    assert definitions["method"]["enum"] == list(METHODS)
    for id, record in METHODS.items():
        known = {name for name, option in record.options.items() if option.schema() is not None}
        assert definitions[id]["properties"].keys() == known | {"method", "label", "style"}


def test_a_list_of_values_is_a_sweep():
    text = VALID.replace("discount: 0.75", "discount: [0.25, 0.5]", 1)
    assert text != VALID
    load_config([write(text)])
    load_config([write(text.replace("trials: 2", "trials: 2\n    x: discount"))])


PAGES = [TOP / "docs" / name for name in ("configuration.md", "clusters.md")]
PAGE = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
FILES = dict(re.findall(r"```yaml\n# (\S+\.yaml)\n(.*?)```", PAGE, re.DOTALL))
COMMANDS = re.findall(r"^make figure NAME=(\S+) CONFIG=(\S+)$", PAGE, re.MULTILINE)


@pytest.mark.parametrize("name", FILES)
def test_a_configuration_of_the_page_is_right(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.txt").write_text(5000 * "some words of my own ", encoding="utf-8")
    Path(name).write_text(FILES[name], encoding="utf-8")
    config, given = load_config([TOP / "config.yaml", name]), yaml.safe_load(FILES[name])
    assert given["exhibits"].keys() <= config["exhibits"].keys()


def test_every_block_is_a_file_of_its_own():
    assert PAGE.count("```yaml") == len(FILES) > 5


def test_the_commands_name_exhibits_of_their_files():
    assert COMMANDS
    for name, file in COMMANDS:
        assert name in yaml.safe_load(FILES[file])["exhibits"]


def test_every_kind_of_exhibit_is_shown():
    shown = {
        exhibit.get("kind")
        for text in FILES.values()
        for exhibit in yaml.safe_load(text)["exhibits"].values()
    }
    assert shown >= {"risk-curve", "table", "learning-curve", "rank-selection"}
