"""Every method, with the code behind it.

The paper's methods are in `direct`, `kneser_ney`, `low_rank` and `naive`, their formulas in
`smoothing`, and the EM loop in `em`. The project's own method, PY-LR, is in `pitman_yor`. The
methods of other sources are in `structured`, `survey` and `textbook`.
"""

from condprob.methods.record import Method

RECORDS = (
    Method(
        "add-half", "condprob.methods.direct:AddHalf", "Add-1/2", aliases=("krichevsky-trofimov",)
    ),
    Method("ad", "condprob.methods.direct:AbsoluteDiscounting", "AD"),
    Method("laplace", "condprob.methods.direct:AddOne", "Add-1", aliases=("add-one",)),
    Method("naive-add-half-lr", "condprob.methods.naive:NaiveAddHalfLowRank", "Naive Add-1/2 LR"),
    Method("naive-ad-lr", "condprob.methods.naive:NaiveDiscountingLowRank", "Naive AD-LR"),
    Method("sb", "condprob.methods.kneser_ney:StupidBackoff", "SB"),
    Method("kn", "condprob.methods.kneser_ney:KneserNey", "KN"),
    Method("kn-modified", "condprob.methods.kneser_ney:ModifiedKneserNey", "Modified KN"),
    Method("add-half-lr", "condprob.methods.low_rank:AddHalfLowRank", "Add-1/2-LR"),
    Method("ad-lr", "condprob.methods.low_rank:DiscountingLowRank", "AD-LR"),
    Method("lr", "condprob.methods.low_rank:LowRank", "LR"),
    Method("py-lr", "condprob.methods.pitman_yor.estimator:PitmanYorLowRank", "PY-LR"),
    Method("mle", "condprob.methods.textbook.ngrams:MaximumLikelihood", "MLE"),
    Method(
        "interpolated",
        "condprob.methods.textbook.ngrams:Interpolated",
        "Interpolated",
        aliases=("trigram", "n-gram"),
    ),
    Method("jm", "condprob.methods.textbook.ngrams:JelinekMercer", "Jelinek-Mercer"),
    Method("wb", "condprob.methods.textbook.ngrams:WittenBell", "Witten-Bell"),
    Method("good-turing", "condprob.methods.good_turing:GoodTuring", "Good-Turing"),
    Method("katz", "condprob.methods.good_turing:Katz", "Katz", aliases=("katz-backoff",)),
    Method("class-kmeans", "condprob.methods.textbook.classes:KMeansClasses", "Classes, k-means"),
    Method(
        "class-exchange",
        "condprob.methods.textbook.classes:ExchangeClasses",
        "Classes, exchange",
        aliases=("brown-clusters",),
    ),
    Method(
        "mf-sgd",
        "condprob.methods.textbook.completion:MatrixCompletion",
        "MF, SGD",
        aliases=("mf", "als", "funk-svd"),
    ),
    Method(
        "lsa",
        "condprob.methods.survey.lsa:LatentSemanticAnalysis",
        "LSA",
        aliases=("svd", "pca", "truncated-svd"),
    ),
    Method(
        "plsa",
        "condprob.methods.survey.plsa:ProbabilisticSemanticAnalysis",
        "PLSA",
        aliases=("nmf", "lda", "topics"),
    ),
    Method("aso", "condprob.methods.survey.aso:StructuralSoftmax", "ASO"),
    Method(
        "nplm",
        "condprob.methods.survey.neural:NeuralLanguageModel",
        "NPLM",
        aliases=("neural", "mlp"),
    ),
    Method("sdr", "condprob.methods.survey.sdr:SufficientReduction", "SDR"),
    Method(
        "sdr-conditional", "condprob.methods.survey.sdr:ConditionalReduction", "SDR, conditional"
    ),
    Method("ll-l1", "condprob.methods.structured.log_linear:LogLinearL1", "LL-l1"),
    Method("ll-l2", "condprob.methods.structured.log_linear:LogLinearL2", "LL-l2"),
    Method("ll-tree2", "condprob.methods.structured.log_linear:LogLinearTree2", "LL-T2"),
    Method("ll-treeinf", "condprob.methods.structured.log_linear:LogLinearTreeInf", "LL-T∞"),
)
