"""Accounts as they are stored, and what pages and calls do not change."""

import secrets

from tests.support.database import execute, fetch


def id_of(database_url, player):
    return fetch(database_url, "SELECT id FROM accounts WHERE username = $1", player.username)["id"]


def grant(database_url, player, *rights):
    """Grant a player the rights of an organiser or a moderator, and return the player."""
    execute(
        database_url, "UPDATE accounts SET rights = $2 WHERE username = $1", player.username, list(rights)
    )
    return player


def give_address(database_url, player, address, language="en"):
    """Set and confirm the e-mail address of a player."""
    execute(
        database_url,
        "INSERT INTO email_addresses (account_id, address, language, unsubscribe_key) "
        "VALUES ($1, $2, $3, $4)",
        *(id_of(database_url, player), address, language, secrets.token_urlsafe(32)),
    )
