"""The inputs of rules, from the config, jobs and scopes, as functions of wildcards."""


def results(path):
    """Return a path under the folder of results."""
    return f"{config['results']}/{path}"


def under(paths):
    """Return a list of paths under the folder of results."""
    return [results(path) for path in paths]


@cache
def code_of(script, *methods, calls=()):
    """Return the files of a script's code, with those of its methods and of the functions it ``calls``.

    A script that one study alone has is named with it, as in ``study/script``.
    """
    study, name = os.path.split(script)
    folder = Path("studies", study) if study else ""
    path = TOP / "workflow" / folder / "scripts" / f"{name}.py"
    found = imported_modules(path, methods, calls)
    return [os.path.relpath(path) for path in found]


def kernels_of(ids):
    """Return the marks of the groups that have to be compiled for methods with these ids."""
    return under(f"logs/{group}.compiled" for group in groups_of(ids))


def at_hand(receipt, entry):
    """Whether a text is at hand: one that was missing and has come is read, for a rule's params."""
    return was_at_hand(results(receipt), entry)


def is_awaited(texts):
    """Whether the text is at hand that some texts wait for."""
    return bool(texts.awaited) and at_hand(texts.receipt, texts.entries[texts.awaited])


def receipts_of(scope):
    """Return the receipts of the corpora and of the exhibits of a scope."""
    found = [f"corpora/{corpus}.json" for corpus in scope.corpora]
    found += [file for exhibit in scope.exhibits.values() for file in exhibit.receipts]
    return under(dict.fromkeys(found))


def names_of_jobs(scope):
    """Return the names of the jobs behind a scope, as their logs and benchmarks are called."""
    fitted = [*ids_of(scope.methods()), *(scope.theory.methods if scope.theory else ())]
    files = (Path(file) for job in scope.jobs.values() for file in job.files())
    models = [file for file in files if file.parts[1] == "models"]  # of draw_models
    return sorted(
        {
            scope.name,
            *scope.corpora,
            *groups_of(fitted),
            *(f"{scope.name}/{name}" for name in scope.exhibits),
            *(f"{scope.study}/{name}" for name in scope.jobs),
            *(f"{scope.study}/{texts.name}" for texts in scope.texts),
            *(f"{scope.study}/{file.parent.name}-{file.stem}" for file in models),
        }
    )


def tables_of(scope):
    """Return the tables of a scope's exhibits."""
    return under(f"{scope.name}/exhibits/{name}.csv" for name in scope.exhibits)


def figures_of(scope):
    """Return the figures of a scope's exhibits."""
    names = [f"{scope.name}/exhibits/{name}" for name in scope.exhibits]
    return under(f"{name}.{form}" for name in names for form in ("png", "svg"))


def made_by(name):
    """Return each result of a scope by itself, so that one that is gone is made again."""
    scope = SCOPES[name]
    return [*computed_in(scope), *pages_of(scope), results(f"{name}/manifest.json")]


def entry_of(wildcards):
    """Return the entry of an exhibit of a study."""
    scopes = (scope for scope in SCOPES.values() if scope.study == wildcards.study)
    name = wildcards.exhibit
    return next(s.exhibits[name].entry for s in scopes if name in s.exhibits)


def of_scope(function):
    """Return a function of wildcards: that of the scope that they name."""
    return lambda wildcards: function(SCOPES[wildcards.scope])


def of_theory(function):
    """Return a function of wildcards: that of the theory of the scope that they name."""
    return lambda wildcards: function(SCOPES[wildcards.scope].theory)


def of_job(function):
    """Return a function of wildcards: that of the job that they name."""
    return lambda wildcards: function(JOBS[wildcards.study, wildcards.job])


def checkpoint_of(wildcards):
    """Return where a killed fit goes on from, of a job that has such a file."""
    path = results(f"{wildcards.study}/scores/{wildcards.job}.checkpoint")
    return path if JOBS[wildcards.study, wildcards.job].checkpoint else None


def inputs_of(job):
    """Return the input files of a job, by their meaning."""
    return {
        name: under(files) if isinstance(files, tuple) else results(files)
        for name, files in job.inputs.items()
    }


def exhibit_of(wildcards):
    """Return an exhibit of a scope."""
    return SCOPES[wildcards.scope].exhibits[wildcards.exhibit]


def entries_of(wildcards):
    """Return the entries of an exhibit's methods."""
    return choose_methods(config, exhibit_of(wildcards).entry["methods"])


def made_of(scope, name):
    """Return the files that are made of an exhibit's scores."""
    forms = ("csv", "png", "svg", *(("md", "tex") if scope.exhibits[name].printed else ()))
    return under(f"{scope.name}/exhibits/{name}.{form}" for form in forms)


def cases_of(scope):
    """Return the file of the cases of a scope's theory, if it has one."""
    return under([f"{scope.name}/theory.csv"] if scope.theory else [])


def code_of_page(scope):
    """Return the modules that a scope's page depends on."""
    return code_of("write_page", calls=(source_module(scope.study),))


def scores_by_exhibit(scope, names):
    """Return the files of scores of some exhibits of a scope, by exhibit."""
    return {name: under(scope.scores(scope.exhibits[name].jobs)) for name in names}


def not_judged_in(scope):
    """Return the exhibits of a study that neither a scope has nor its larger one.

    The scope that has them judges their claims.
    """
    own = {*scope.exhibits, *(SCOPES[scope.larger].exhibits if scope.larger else ())}
    study = (other for other in SCOPES.values() if other.study == scope.study)
    return sorted({name for other in study for name in other.exhibits} - own)


def verdicts_of(scope):
    """Return the verdicts of a scope that has claims, and those under each reading."""
    names = ("claims", "claims-readings") if scope.judged else ()
    return under(f"{scope.name}/{name}.csv" for name in names)


def templates():
    """Return the templates of the pages."""
    folder = TOP / "src/reproduction/page/templates"
    return sorted(os.path.relpath(file) for file in folder.iterdir())


def words_of(scope):
    """Return the files of the criteria, and of a study's claims and words, if it has one."""
    criteria = file_of("reproduction.verdicts.criteria").with_suffix(".toml")
    words = file_of(source_module(scope.study)).with_name("words.toml")
    return [os.path.relpath(file) for file in (criteria, words) if file.is_file()]


def computed_in(scope):
    """Return the results of a scope, but for its page and its provenance."""
    claims = ("claims", "claims-evidence", "claims-readings") if scope.judged else ()
    found = [
        *under(f"corpora/{corpus}.npz" for corpus in scope.corpora),
        *receipts_of(scope),
        *under(dict.fromkeys(file for job in scope.jobs.values() for file in job.files())),
        *under(scope.scores()),
        *(file for name in scope.exhibits for file in made_of(scope, name)),
        *cases_of(scope),
        *under(f"{scope.name}/{name}.csv" for name in claims),
        *under(scope.files),
    ]
    return list(dict.fromkeys(found))


def pages_of(scope):
    """Return the page of a scope that has claims."""
    return under([f"{scope.name}/report.html"] if scope.judged else [])
