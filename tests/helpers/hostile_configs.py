"""Configurations that no run may begin with: texts to replace in a valid one, and what is said.

The message of each is one line; here is a part of it. `config_mistakes` has the mistakes that one
makes in good faith, with their whole lines.
"""


def bomb(width=9, height=9):
    """Aliases of aliases: a few lines that stand for more values than fit into a memory."""
    first = f"a0: &a0 [{', '.join(width * 'x')}]\n"
    return first + "".join(
        f"a{i}: &a{i} [{', '.join(width * [f'*a{i - 1}'])}]\n" for i in range(1, height)
    )


def long_texts(length=30_000, times=4):
    """Aliases of one long text: each message that shows their list would hold all of them."""
    return f"  a: &a {length * 'a'}\n  b: [{', '.join(times * ['*a'])}]\n"


def chain(length):
    """Aliases of aliases: lists inside each other, none of which is written inside another."""
    links = "".join(f"a{i}: &a{i} [*a{i - 1}]\n" for i in range(1, length))
    return f"a0: &a0 [x]\n{links}"


SEED, RESULTS, TRIALS = "seed: 7\n", "results: results\n", "trials: 2\n"
RANK, ROWS = "rank: 5\n", "rows: uniform\n"
FOLDER, FILE = "the name of a folder, without braces", "the path of a file, without braces"
HUGE = "is not allowed; must be at most 1,000,000,000,000"


def in_place(old, *cases):
    """Return the cases of a text to replace: what stands there instead, and a part of the line."""
    return {f"{old.strip()} -> {new[:40]!r}": (old, new, told) for new, told in cases}


# ------------------------------------------------------------------------------- what YAML may hold
HOSTILE = in_place(
    SEED,
    ("seed: &a {a: *a}\n", "config.yaml:2: *a stands inside of &a"),
    *((f"seed: {seed}\n", "in the digits 0 to 9") for seed in ("1:30", "1_0", "010", "0x1F")),
    ("seed: &a [[*a]]\n", "config.yaml:2: *a stands inside of &a"),
    ("seed: &a\n  <<: *a\n", "config.yaml:3: *a stands inside of &a"),
    (f"seed: {3000 * '['}{3000 * ']'}\n", "config.yaml:2: more than 30 lists and keys inside"),
    (f"seed: {3000 * '{a: '}1{3000 * '}'}\n", "config.yaml:2: more than 30 lists and keys inside"),
    (f"seed: {31 * '- '}1\n", "config.yaml:2: "),
    (f"seed:\n{bomb()}", "config.yaml:7: aliases add more than 10000 values"),
    (f"seed:\n{long_texts()}", "config.yaml:4: aliases add more than 100000 characters"),
    (f"seed:\n{chain(40)}", "config.yaml:32: more than 30 lists and keys inside each other"),
    ("seed: 2020-01-01\n", "config.yaml:2: a value of YAML's type 'timestamp' is not allowed"),
    ("seed: 2020-99-99\n", "config.yaml:2: a value of YAML's type 'timestamp' is not allowed"),
    ("seed: !!timestamp x\n", "config.yaml:2: a value of YAML's type 'timestamp' is not allowed"),
    ("seed: !!binary '@@@'\n", "config.yaml:2: a value of YAML's type 'binary' is not allowed"),
    ("seed: !!set {a, b}\n", "config.yaml:2: a value of YAML's type 'set' is not allowed"),
    ("seed: !!omap [a: 1]\n", "config.yaml:2: a value of YAML's type 'omap' is not allowed"),
    ("seed: !!pairs [a: 1]\n", "config.yaml:2: a value of YAML's type 'pairs' is not allowed"),
    ("seed: =\n", "config.yaml:2: a value of YAML's type 'value' is not allowed"),
    ("seed: !!int abc\n", "config.yaml:2: 'abc' is none of YAML's type 'int'"),
    ("seed: !!int ''\n", "config.yaml:2: '' is none of YAML's type 'int'"),
    ("seed: !!int [1]\n", "config.yaml:2: not valid YAML: expected a scalar node"),
    ("seed: !!float abc\n", "config.yaml:2: 'abc' is none of YAML's type 'float'"),
    ("seed: !!bool abc\n", "config.yaml:2: 'abc' is none of YAML's type 'bool'"),
    ("? !!bool abc\n: 1\n", "config.yaml:2: 'abc' is none of YAML's type 'bool'"),
    ("seed: !!python/object/apply:os.abort []\n", "config.yaml:2: not valid YAML: could not "),
    ("seed: !!python/object:condprob.Model {}\n", "config.yaml:2: not valid YAML: could not "),
    ("seed: !mine 1\n", "config.yaml:2: not valid YAML: could not determine a constructor"),
    (f"seed: {5000 * '9'}\n", "config.yaml:2: a number of 5000 characters; at most 100"),
    (f"seed: 0x{5000 * 'f'}\n", "config.yaml:2: a number of 5002 characters; at most 100"),
    (f"seed: 1{40 * ':59'}\n", "config.yaml:2: a number of 121 characters; at most 100"),
    (f"seed: {99 * '9'}\n", "seed: 999"),
    ("seed: 18446744073709551616\n", "seed: 18446744073709551616 is not allowed; must be an "),
    ("seed: -1\n", "seed: -1 is not allowed; must be an integer >= 0"),
    ("seed: .nan\n", "seed: nan is not allowed"),
    ("seed: 1:2.5\n", "in the digits 0 to 9"),
    ("seed: [7]\n", "seed: [7] is not allowed"),
    ("seed: 7\n? [a, b]\n: 1\n", "config.yaml:3: not valid YAML: found unhashable key"),
    ("seed: 7\n? {a: b}\n: 1\n", "config.yaml:3: not valid YAML: found unhashable key"),
    ("seed: 7\n<<: [1, 2]\n", "config.yaml:3: not valid YAML: expected a mapping for merging"),
    ("seed: 7\n1: x\n", "config.yaml:3: 1: the key is not text; put it in quotes"),
    ("seed: 7\n~: x\n", "config.yaml:3: ~: the key is not text; put it in quotes"),
    (f'seed: 7\n"{900 * "k"}": 1\n', "kkk...: unknown key (allowed: results, "),
    ('seed: 7\n"a\\nb": 1\n', "config.yaml:3: a\\nb: unknown key"),
    ('seed: 7\n"\\ud800": 1\n', "config.yaml:3: \\ud800: unknown key"),
    ("seed: 7\nmemory_gb: 0\n", "memory_gb: 0 is not allowed; must be a number > 0"),
    ("seed: 7\nmemory_gb: much\n", "memory_gb: 'much' is not allowed; must be a number > 0"),
    ("seed: 7\nrepository: javascript:1\n", "must be an address that begins with https://"),
    ('seed: 7\nrepository: "https://a b"\n', "must be an address that begins with https://"),
)
# --------------------------------------------------------------------------- where the results go
HOSTILE |= in_place(
    RESULTS,
    ("results: src\n", "results: 'src' is not allowed; 'src' holds something else than results"),
    ("results: src/new\n", "'src' holds something else than results"),
    ("results: .\n", "results: '.' is not allowed; must be a folder of its own"),
    ("results: ..\n", "results: '..' is not allowed; must be a folder of its own"),
    ("results: ../elsewhere\n", "must be a folder of its own, and none that is hidden"),
    ("results: /\n", "results: '/' is not allowed; must be a folder of its own"),
    ("results: /etc\n", "'/etc' holds something else than results"),
    ("results: .snakemake\n", "must be a folder of its own, and none that is hidden"),
    ("results: .git/x\n", "must be a folder of its own, and none that is hidden"),
    ("results: ~/x\n", "must be a folder of its own, and none that is hidden"),
    ("results: results/reference\n", "must not be a folder of results to compare with"),
    ("results: mine.txt\n", "results: 'mine.txt' is not allowed; 'mine.txt' is a file"),
    ("results: mine.txt/x\n", "'mine.txt' is a file"),
    ("results: results/\n", "must be written as 'results'"),
    ("results: ./results\n", "must be written as 'results'"),
    ("results: a//b\n", "must be written as 'a/b'"),
    (f"results: {300 * 'a'}\n", "must have names of at most 100 bytes"),
    (f"results: {150 * 'a/'}{150 * 'b/'}{150 * 'c'}\n", "results: 'a/a/"),
    ("results: 'out{a}'\n", FOLDER),
    ("results: '{'\n", FOLDER),
    ('results: "a\\0b"\n', FOLDER),
    ('results: "a\\nb"\n', FOLDER),
    ('results: "a\\n"\n', FOLDER),
    ('results: "\\ud800"\n', FOLDER),
    ("results: ''\n", FOLDER),
    ("results: ' '\n", "results: ' ' is not allowed; must be names without spaces around them"),
    ("results: ' a'\n", "results: ' a' is not allowed; must be names without spaces around them"),
    ("results: 'a /b'\n", "must be names without spaces around them"),
    ("results: 'a\u202eb'\n", "results: 'a\\u202eb' is not allowed; must be a name of characters"),
    ("results: 5\n", FOLDER),
    ("results: [a]\n", FOLDER),
)
# --------------------------------------------------------------------------------------- corpora
HOSTILE |= in_place(
    "path: mine.txt\n",
    (f"path: {5000 * 'a'}\n", "is not a file"),
    ("path: .\n", "corpora.mine.path: '.' is not a file"),
    ("path: src\n", "corpora.mine.path: 'src' is not a file"),
    ("path: 't{a}le.txt'\n", FILE),
    ('path: "t\\0le.txt"\n', FILE),
    ("path: ''\n", FILE),
    *(
        (f"path: mine.txt\n    encoding: {encoding}\n", f"'{encoding}' is no text encoding")
        for encoding in (
            *("punycode", "idna", "undefined", "unicode_escape", "raw-unicode-escape"),
            *("hex", "base64", "zlib", "rot13", "utf-9", "mbcs"),
        )
    ),
    ('path: mine.txt\n    encoding: "a\\0b"\n', "must be text, not empty, in one line"),
    ("path: mine.txt\n    words: 100000000000000\n", HUGE),
)
HOSTILE |= in_place(
    "files: [english-kjv.txt]\n",
    ("files: [/etc/passwd]\n", "must be the name of a file inside its package"),
    ("files: [../../x]\n", "must be the name of a file inside its package"),
    ("files: [a/../../x]\n", "must be the name of a file inside its package"),
    ("files: ['a\\b']\n", "must be the name of a file inside its package"),
    ('files: ["a\\0"]\n', "must be the name of a file inside its package"),
    ('files: ["a\\n"]\n', "must be the name of a file inside its package"),
)
HOSTILE |= in_place(
    "package: genesis\n",
    ("package: ../genesis\n", "must be the name of an NLTK package"),
    ("package: a/b\n", "must be the name of an NLTK package"),
    ("package: .hidden\n", "must be the name of an NLTK package"),
    ('package: "a\\n"\n', "must be the name of an NLTK package"),
)
HOSTILE |= in_place(
    "    train: 100\n    test: half\n",
    ("    train: 100000\n    test: half\n", "corpora.mine: train + test = "),
    ("    train: 10\n    test: 40000\n", "must be at most 550: the 1,100 bytes of 'mine.txt'"),
)
# --------------------------------------------------------------------------------------- methods
HOSTILE |= in_place(
    "{method: ad, discount: 0.75}",
    ("{method: add-half, constant: 1.0e+300}", f"constant: 1e+300 {HUGE}"),
    (f"{{method: add-half, constant: 1{400 * '0'}}}", "a number of 401 characters"),
    ("{method: add-half, constant: 1.0e-300}", "methods.ad: constant = 1e-300: must be zero, or"),
    ("{method: ad, discount: 1.0e-300}", "methods.ad: discount = 1e-300: must be zero, or"),
    ("{method: sb, weight: 1000}", "weight: 1000 is not allowed; must be a number > 0 and < 100"),
    ("{method: sb, weight: .inf}", "weight: inf is not allowed"),
    ("{method: sb, normalised: 'no'}", "normalised: 'no' is not allowed; must be true or false"),
    ("{method: ad, discount: {a: 1}}", "methods.ad.discount: "),
    ("{method: [ad]}", "methods.ad.method: "),
    ("{method: {}}", "methods.ad.method: "),
    ("{}", "methods.ad: 'method' is missing"),
    ("[]", "methods.ad: [] is not allowed"),
    ("{method: ad, discount: []}", "methods.ad.discount: [] is not allowed"),
    ('{method: ad, label: "a\\nb"}', "methods.ad.label: 'a\\nb' is not allowed; must be text"),
    ('{method: ad, label: "\\ud800"}', "methods.ad.label: '\\ud800' is not allowed; must be text"),
    (
        "{method: ad-lr, soft_counts: leave-one-out, update: alternating}",
        "methods.ad: update = 'alternating': must be simultaneous with leave-one-out",
    ),
    (
        "{method: ad-lr, soft_counts: leave-one-out, update: [simultaneous, alternating]}",
        "methods.ad: update = 'alternating': must be simultaneous with leave-one-out",
    ),
    ("{method: py-lr, largest_rank: 0, background: none}", "methods.ad: background = 'none'"),
)
HOSTILE |= in_place(
    "iterations: 200",
    ("iterations: 900000000000", "takes 14,400.0 GB of memory, at least, with k = 100, rank = 5"),
    ("iterations: 10000000000000", HUGE),
    ("threads: 1000000", "threads: 1000000 is not allowed; must be an integer >= 1 and <= 1024"),
    (f"discount: [{', '.join(f'0.{i:03}' for i in range(1, 401))}], constant: "
     f"[{', '.join(map(str, range(400)))}]", "methods.ad-lr: sweeps 160,000 settings"),
)  # fmt: skip
# -------------------------------------------------------------------------------------- exhibits
HOSTILE |= in_place(
    "k_values: [50, 100]\n",
    ("k_values: &k [*k]\n", "*k stands inside of &k"),
    ("k_values: [50, 1000000000]\n", "GB of memory, at least, with k = 1,000,000,000, rank = 5"),
    ("k_values: [50, 10000000000000]\n", HUGE),
    ("k_values: [[50]]\n", "exhibits.curve.k_values[0]: [50] is not allowed"),
    ("k_values: {50: 100}\n", "the key is not text"),
)
HOSTILE |= in_place(
    "n_values: [10, 20]\n",
    ("n_values: [1000000000000000000000]\n", HUGE),
)
HOSTILE |= in_place(
    "k_values: [50, 100]\n    rank_values: [3, 5]\n    n_values: [10, 20]\n",
    (
        f"k_values: {list(range(50, 275))}\n    rank_values: [3, 5]\n"
        f"    n_values: {list(range(1, 226))}\n",
        "exhibits.curve: has 101,250 points; must be at most 100,000",
    ),
)
HOSTILE |= in_place(
    TRIALS,
    ("trials: 900000000000\n", "exhibits.curve: a job takes "),
    ("trials: 1.0e+3\n", "exhibits.curve.trials: 1000.0 is not allowed"),
    ("trials: 2\n    y_range: [0, 1.0e+300]\n", HUGE),
    ("trials: 2\n    y_range: [0, .inf]\n", "y_range[1]: inf is not allowed; must be a number"),
    ("trials: 2\n    y_range: [1]\n", "must be a list of two numbers, the lower first"),
    ('trials: 2\n    title: "\\ud800"\n', "title: '\\ud800' is not allowed; must be text"),
    ('trials: 2\n    title: "a\\0"\n', "title: 'a\\x00' is not allowed; must be text"),
    ('trials: 2\n    title: "a\\nb"\n', "title: 'a\\nb' is not allowed; must be text"),
)
HOSTILE |= in_place(
    ROWS,
    ("rows: power-law\n    exponent: 1.0e+308\n", HUGE),
    ("rows: power-law\n    exponent: .nan\n", "exponent: nan is not allowed"),
    ("rows: power-law\n    exponent: -1\n", "exponent: -1 is not allowed"),
)
HOSTILE |= in_place(
    RANK,
    ("rank: 900000000000\n", "exhibits.table: a job takes "),
    ("rank: 5\n    seeds: 3\n", "exhibits.table.seeds: given twice"),
)
HOSTILE |= in_place(
    "n_values: [20, 40]\n",
    ("n_values: [20, 40000]\n", "'mine' has at most 550: the 1,100 bytes of 'mine.txt'"),
    ("n_values: [20, 1]\n", "exhibits.learning.n_values[1]: 1 is not allowed"),
)
HOSTILE |= in_place(
    "  curve:\n",
    ('  "cur\\nve":\n', "exhibits.cur\\nve: the name is not allowed"),
    ('  "curve\\n":\n', "exhibits.curve\\n: the name is not allowed"),
    ('  "{curve}":\n', "exhibits.{curve}: the name is not allowed"),
    ("  ..:\n", "exhibits...: the name is not allowed"),
    ("  -curve:\n", "exhibits.-curve: the name is not allowed"),
    ("  'a b':\n", "exhibits.a b: the name is not allowed"),
    ("  é:\n", "exhibits.é: the name is not allowed"),
)
