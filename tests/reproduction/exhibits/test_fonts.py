"""Labels of any script: further fonts where the machine has them, and a line where it has none."""

import pytest
from matplotlib import rcParams, style

from reproduction.exhibits.panels import STYLE, make_panels, our_style, save_figure


@pytest.fixture
def save(tmp_path):
    """Return what saves a figure with a label, and returns the bytes of the file."""

    def save(label, context=None):
        with context or our_style():
            figure, axes = make_panels(1, 1)
            axes[0, 0].set_xlabel(label)
            save_figure(figure, tmp_path / "a.png")
        return (tmp_path / "a.png").read_bytes()

    return save


def test_letters_of_the_first_font_are_drawn_by_it_alone(save, monkeypatch, capfd):
    found = save("size n, Größe, размер")
    monkeypatch.setitem(STYLE, "font.family", STYLE["font.family"][:1])
    assert save("size n, Größe, размер") == found
    assert capfd.readouterr().err == ""


def test_no_font_is_asked_for_that_the_machine_lacks():
    with our_style():
        assert rcParams["font.family"][0] == STYLE["font.family"][0] == "DejaVu Sans"
        assert {*rcParams["font.family"]} <= {*STYLE["font.family"]}
    with style.context({"font.family": "a font"}), our_style():  # whatever a matplotlibrc says
        assert "a font" not in rcParams["font.family"]


@pytest.mark.filterwarnings("ignore:Glyph")
def test_letters_that_no_font_has_are_named_past_the_log(save, capfd):
    save("n \U000f0000 \U000f0001")
    printed = capfd.readouterr().err
    assert printed.count("\n") == 1
    assert "a.png: no font of this machine has" in printed
