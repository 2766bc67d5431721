"""Commands for translators."""

import typer

from app.server.cli.shared import fail

cli = typer.Typer()
translations = typer.Typer(help="Bring the catalogues of translations up to date, and check them.")
cli.add_typer(translations, name="translations")


@translations.command()
def update() -> None:
    """Add the texts of the code and of the templates to all catalogues, and drop those no longer used."""
    from app.core.i18n import extraction

    extraction.update()


@translations.command()
def check() -> None:
    """List what is missing or wrong in the catalogues, and exit with status 1 if there is anything."""
    from app.core.i18n.extraction import problems

    faults = problems()
    if faults:
        fail("\n".join(faults))
