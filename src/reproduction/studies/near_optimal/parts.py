"""The names of parts of test words, and of training texts, in scores, tables and figures."""

ALL, UNSEEN_WORD, UNSEEN_CONTEXT, OTHER = "all words", "unseen words", "unseen contexts", "other"
PARTS = (UNSEEN_WORD, UNSEEN_CONTEXT, OTHER)  # every test word is in one of these
SEEN = "seen words"  # the parts UNSEEN_CONTEXT and OTHER together
# Cross-entropy of the seen words when each method's probabilities are divided by the total that it
# gives to seen words.
CONDITIONAL = "seen words, renormalised"
MASS = "probability of unseen words"
TEST_WORDS = "test words"  # the method of the row of MASS that has the true fraction
AS_PRINTED, EXCHANGED, WINDOW = "as in the paper", "halves exchanged", "window"
WINDOWS = "all windows"  # the text of the row with their mean
