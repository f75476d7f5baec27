"""Every planted mistake gives one line: file, line, key, value, the allowed values."""

import re
from pathlib import Path

import jsonschema
import pytest
import yaml
from config_mistakes import MISTAKES, VALID
from snakemake.common.configfile import load_configfile

from condprob.catalogue import METHODS
from reproduction.config.files import (
    ConfigError,
    check_config,
    list_files,
    load_config,
)
from reproduction.config.reading import read_yaml
from reproduction.config.schema import load_schema
from reproduction.studies import STUDIES

TOP = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Work in an empty folder that holds the corpus of the valid configuration."""
    monkeypatch.chdir(tmp_path)
    Path("mine.txt").write_text("some words " * 100, encoding="utf-8")
    Path("src").mkdir()
    Path("src", "code.py").touch()


def write(text, name="config.yaml"):
    Path(name).write_text(text, encoding="utf-8")
    return name


def mistakes(*paths):
    with pytest.raises(ConfigError) as caught:
        load_config(paths)
    return str(caught.value).split("\n")


def test_valid_configuration_is_returned_as_it_is():
    assert load_config([write(VALID)]) == yaml.safe_load(VALID)


@pytest.mark.parametrize(("old", "new", "message"), MISTAKES)
def test_planted_mistake_is_one_exact_line(old, new, message):
    assert VALID.count(old) == 1, "the text to replace is not unique"
    write(VALID.replace(old, new))
    before = sorted(Path().rglob("*"))
    (line,) = mistakes("config.yaml")
    assert re.fullmatch(".+".join(map(re.escape, f"config.yaml:{message}".split("…"))), line)
    assert sorted(Path().rglob("*")) == before  # nothing is written


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("rows: uniform", "rows: power-law\n    exponent: abc"),
        ("test_words: 30", "test_words: abc"),
        ("rank: 5\n", "rank: abc\n"),
        ("rank: 20", "rank: abc"),
    ],
)
def test_a_wrong_value_is_one_mistake_and_not_said_to_be_missing(old, new):
    (line,) = mistakes(write(VALID.replace(old, new)))
    assert "'abc' is not allowed" in line


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
    ("text", "message"),
    [
        ("", ": empty; it must hold keys and values"),
        ("# nothing\n", ": empty; it must hold keys and values"),
        ("\n- a\n- b\n", ":2: not a mapping; it must hold keys and values"),
        ("seed: 1\n\tstrict: true\n", ":2: not valid YAML: found character '\\t' that cannot "),
        ("seed: [1, 2\nstrict: true\n", ":2: not valid YAML: expected ',' or ']', but got ':' "),
        ("seed: 1\n---\nseed: 2\n", ":2: not valid YAML: but found another document "),
        ("seed: *other\n", ":1: not valid YAML: found undefined alias 'other' "),
        ("seed: \x07\n", ": not valid YAML: character U+0007 is not allowed"),
        ("seed: 1\nresults: r\udce9sultats\n", ":2: not UTF-8: byte 0xe9"),
        (None, ": cannot be read: No such file or directory"),
    ],
)
def test_file_that_is_not_a_mapping_in_yaml(text, message):
    if text is not None:
        Path("config.yaml").write_bytes(text.encode(errors="surrogateescape"))
    (line,) = mistakes("config.yaml")
    assert line.startswith("config.yaml" + message)


def test_a_mistake_is_placed_in_the_file_that_set_the_key_last():
    above = "# smaller\nexhibits:\n  curve:\n    trials: 0\n  table: {seeds: 1}\nseed: 8\n"
    paths = [write(VALID), write(above, "small.yaml")]
    assert mistakes(*paths) == [
        "small.yaml:4: exhibits.curve.trials: 0 is not allowed; must be an integer >= 1"
    ]
    write(above.replace("trials: 0", "trials: 1"), "small.yaml")
    config = load_config(paths)
    assert (config["seed"], config["exhibits"]["curve"]["trials"]) == (8, 1)
    assert config["exhibits"]["table"] == yaml.safe_load(VALID)["exhibits"]["table"] | {"seeds": 1}


def test_values_are_those_that_snakemake_reads():
    """A reader of YAML 1.2 takes 1e3 for a number and yes for a text."""
    text = "a: 1e3\nb: yes\nc: [0.5, .inf, ~, 1_0x]\nd: &x {e: 1, on: 2}\nf: {<<: *x, g: '010'}\n"
    config, *_ = read_yaml(write(text))
    assert config == load_configfile("config.yaml")
    assert (config["a"], config["b"], config["f"]["g"]) == ("1e3", True, "010")


def test_changes_by_the_command_line_are_placed_there():
    files, config = [write(VALID)], yaml.safe_load(VALID)
    check_config(config, files)
    config |= {"seed": True, "sed": 1}
    config["exhibits"]["curve"]["n_values"] = [10, 0]
    with pytest.raises(ConfigError) as caught:
        check_config(config, files)
    lines = str(caught.value).split("\n")
    assert lines[0] == (
        "--config: exhibits.curve.n_values[1]: 0 is not allowed; must be an integer >= 1"
    )
    assert lines[1].startswith("--config: sed: unknown key; did you mean 'seed'? (allowed: ")
    assert lines[2].startswith("--config: seed: true is not allowed; must be an integer >= 0 ")
    with pytest.raises(ConfigError, match=r"(?m)^config: sed: unknown key"):
        check_config(config, [])  # of a module, whose caller has the files


def test_anchors_and_merge_keys_are_followed():
    text = VALID.replace("ad: {method: ad, ", "ad: &ad {method: ad, ", 1)
    text = text.replace("exhibits:\n", "  ad-2: {<<: *ad, discount: 2}\nexhibits:\n")
    assert mistakes(write(text)) == [
        "config.yaml:25: methods.ad-2.discount: 2 is not allowed; must be a number > 0 and < 1"
    ]


def test_broken_sections_do_not_hide_or_multiply_mistakes():
    text = VALID[: VALID.index("methods:\n")] + "methods: [ad, kn]\n"
    text += VALID[VALID.index("exhibits:\n") :]
    assert mistakes(write(text)) == [
        'config.yaml:20: methods: ["ad", "kn"] is not allowed; must be keys and values'
    ]


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ("beyondd: {}", "beyondd: unknown key; did you mean 'beyond'? (allowed: "),
        (
            "readings: {methods: [kn, ad-lr, nought]}",
            "readings.methods[2]: 'nought' is not among the methods",
        ),
        (
            "readings: {new_texts: {seeds: 0}}",
            "readings.new_texts.seeds: 0 is not allowed; must be an integer >= 1",
        ),
        (
            "readings: {tokenizers: {brown: [letters]}}",
            "readings.tokenizers.brown[0]: 'letters' "
            "is not allowed; must be 'reattached', the corpus's own",
        ),
        (
            "readings: {methods: [kn]}",
            'readings.methods: ["kn"] is not allowed; must have one whose method is ad-lr',
        ),
        (
            "structured: {corpus: tartuffe}",
            "structured.corpus: 'tartuffe' is not allowed; must be one with tags, of NLTK's",
        ),
        (
            "structured: {default: {methods: [add-half]}}",
            "structured.default.methods[0]: 'add-half' is not among its methods",
        ),
        (
            "beyond: {exhibits: {beyond-1a: {trials: 0}}}",
            "beyond.exhibits.beyond-1a.trials: 0 is not allowed; must be an integer >= 1",
        ),
        (
            "beyond: {exhibits: {beyond-1a: {rank_values: [101]}}}",
            "beyond.exhibits.beyond-1a."
            "rank_values[0]: 101 is not allowed; must be <= 100, the smallest of k_values",
        ),
        (
            "beyond: {exhibits: {beyond-settings-models: {rank_values: [5], outcomes: 4}}}",
            "beyond.exhibits.beyond-settings-models.rank_values[0]: 5 is not allowed; must be "
            "<= 4, the number of outcomes",
        ),
    ],
)
def test_a_mistake_in_the_section_of_a_study_is_one_line(section, message, monkeypatch):
    other = Path(write(f"studies: {{{section}}}", "other.yaml")).absolute()
    monkeypatch.chdir(TOP)
    (line,) = mistakes(*list_files([str(other)]))
    assert line.startswith(f"{other}:1: studies.{message}")


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
        if not path.endswith(("items", "additionalProperties", "files")):
            assert described.get("description"), path
        if "properties" in part and not dispatches:
            assert part["additionalProperties"] is False, path


def test_schema_has_the_methods_and_their_options():
    definitions = load_schema()["$defs"]
    assert definitions["method"]["enum"] == list(METHODS)
    for id, record in METHODS.items():
        known = {name for name, option in record.options.items() if option.schema() is not None}
        assert definitions[id]["properties"].keys() == known | {"method", "label"}


def test_a_list_of_values_is_a_sweep():
    text = VALID.replace("discount: 0.75", "discount: [0.25, 0.5]", 1)
    assert text != VALID
    load_config([write(text)])
    load_config([write(text.replace("trials: 2", "trials: 2\n    x: discount"))])


PAGES = [TOP / "docs" / name for name in ("configuration.md", "scale.md")]
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
