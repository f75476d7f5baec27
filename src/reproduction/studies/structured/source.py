"""The second paper itself, as verdicts and page take it; its claims and words are in words.toml."""

from reproduction.verdicts.source import read_source

# The decay of weights by depth that the paper gives to each penalty.
DECAYS = {"ll-l2": 0.5, "ll-l1": 0.7, "ll-tree2": 1.1, "ll-treeinf": 0.85}
STATED = {f"{id}-w": {"method": id, "decay": decay} for id, decay in DECAYS.items()}

SOURCE = read_source(__file__, stated=STATED)
