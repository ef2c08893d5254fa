"""`conpole train` where the program cannot train, as in a wheel: the same options, in this process."""

import argparse
import sys

from conpole._native import Error
from conpole._training import settings, train


def main(arguments: list[str]) -> int:
    """Trains as the arguments say, and returns the exit status of `conpole train`."""
    parser = argparse.ArgumentParser(
        prog="conpole train",
        description="Learn a policy for a domain from scratch: on the CPU, or on a GPU with PyTorch.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("domain", nargs="*", metavar="DOMAIN", help="the domain to learn, or a file; one network learns several")
    parser.add_argument("--out", help="the folder of the run; by default runs/DOMAIN")
    parser.add_argument("--config", help="read settings from this TOML file; options on the command line count more")
    parser.add_argument("--resume", action="store_true", help="go on from the newest checkpoint in the folder")
    groups: dict[str, argparse._ArgumentGroup] = {}
    for setting in settings():
        if setting.topic not in groups:
            groups[setting.topic] = parser.add_argument_group(setting.topic)
        group = groups[setting.topic]
        words = f"{setting.meaning} [{setting.default}]" if setting.default else setting.meaning
        dest = "domain_option" if setting.name == "domain" else setting.name
        group.add_argument("--" + setting.name.replace("_", "-"), dest=dest, metavar="VALUE", help=words.replace("%", "%%"))
    given = vars(parser.parse_args(arguments))
    option, argument = given.pop("domain_option"), " + ".join(given.pop("domain"))
    if option and argument:
        parser.error("the domain is given twice: as DOMAIN and by --domain")
    domain, out, config, resume = option or argument, given.pop("out"), given.pop("config"), given.pop("resume")
    if out is None and not domain:
        parser.error("name a domain, or a folder with --out")
    chosen = {name: value for name, value in given.items() if value is not None}
    try:
        result = train(domain or None, out=out or "runs/" + domain.replace(" + ", "+"), config=config, resume=resume, **chosen)
    except Error as error:
        print(f"conpole: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    print(f"{result.status['step']} steps; the best policy: {result.best_model or 'none yet'}")
    return 0
