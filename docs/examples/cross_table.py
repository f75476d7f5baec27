"""
From a cross table of pandas
============================

Counts that are a table already, contexts down and outcomes across, go in as they are.
"""

import matplotlib.pyplot as plt
import pandas as pd

from condprob import fit

rows = [("rain", "rain")] * 6 + [("rain", "sun")] * 2 + [("sun", "sun")] * 7
rows += [("sun", "cloud")] * 2 + [("cloud", "rain")] * 3
days = pd.DataFrame(rows, columns=["today", "tomorrow"])
table = pd.crosstab(days["today"], days["tomorrow"])
print(table, "\n")

estimate = fit(table, method="add-half")
frame = estimate.to_frame()
print(frame.round(3).head(4).to_string(index=False))

figure, axes = plt.subplots(figsize=(5.5, 3), layout="constrained")
wide = frame.pivot(index="context", columns="outcome", values="probability")
wide.plot.barh(stacked=True, ax=axes, xlabel="probability of tomorrow", ylabel="today")
axes.legend(title="outcome", loc="center left", bbox_to_anchor=(1, 0.5))
plt.show()
