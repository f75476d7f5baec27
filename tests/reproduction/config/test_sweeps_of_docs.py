"""Configurations and commands of docs/configuration.md and docs/scale.md are right."""

import re
from pathlib import Path

import pytest
import yaml

from reproduction.config.files import load_config

TOP = Path(__file__).parents[3]
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
