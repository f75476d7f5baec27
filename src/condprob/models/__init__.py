"""Methods that other people published, with their engines: one folder for each source."""

from condprob.record import Method

RECORDS = (
    Method("mle", "condprob.models.textbook.ngrams:MaximumLikelihood", "MLE"),
    Method(
        "interpolated",
        "condprob.models.textbook.ngrams:Interpolated",
        "Interpolated",
        aliases=("trigram", "n-gram"),
    ),
    Method("jm", "condprob.models.textbook.ngrams:JelinekMercer", "Jelinek-Mercer"),
    Method("wb", "condprob.models.textbook.ngrams:WittenBell", "Witten-Bell"),
    Method("class-kmeans", "condprob.models.textbook.classes:KMeansClasses", "Classes, k-means"),
    Method(
        "class-exchange",
        "condprob.models.textbook.classes:ExchangeClasses",
        "Classes, exchange",
        aliases=("brown-clusters",),
    ),
    Method(
        "mf-sgd",
        "condprob.models.textbook.completion:MatrixCompletion",
        "MF, SGD",
        aliases=("mf", "als", "funk-svd"),
    ),
    Method(
        "lsa",
        "condprob.models.survey.lsa:LatentSemanticAnalysis",
        "LSA",
        aliases=("svd", "pca", "truncated-svd"),
    ),
    Method(
        "plsa",
        "condprob.models.survey.plsa:ProbabilisticSemanticAnalysis",
        "PLSA",
        aliases=("nmf", "lda", "topics"),
    ),
    Method("aso", "condprob.models.survey.aso:StructuralSoftmax", "ASO"),
    Method(
        "nplm",
        "condprob.models.survey.neural:NeuralLanguageModel",
        "NPLM",
        aliases=("neural", "mlp"),
    ),
    Method("sdr", "condprob.models.survey.sdr:SufficientReduction", "SDR"),
    Method(
        "sdr-conditional", "condprob.models.survey.sdr:ConditionalReduction", "SDR, conditional"
    ),
    Method("ll-l1", "condprob.models.structured.log_linear:LogLinearL1", "LL-l1"),
    Method("ll-l2", "condprob.models.structured.log_linear:LogLinearL2", "LL-l2"),
    Method("ll-tree2", "condprob.models.structured.log_linear:LogLinearTree2", "LL-T2"),
    Method("ll-treeinf", "condprob.models.structured.log_linear:LogLinearTreeInf", "LL-T∞"),
)
