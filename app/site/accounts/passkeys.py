"""Passkeys (WebAuthn): registering one, and proving with one who is there.

The functions run in the caller's transaction. Passkeys are bound to the host of the site's
address.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.errors import InvalidError, found
from app.core.i18n.text import _
from app.core.later import Later
from app.core.moments import utc_now
from app.people.identity.locking import Most
from app.people.identity.service import Identity
from app.site.accounts.models import Passkey, PasskeyChallenge

if TYPE_CHECKING:
    import webauthn
    from webauthn import helpers
    from webauthn.helpers import exceptions, structs
else:
    webauthn, helpers = Later("webauthn"), Later("webauthn.helpers")
    exceptions, structs = Later("webauthn.helpers.exceptions"), Later("webauthn.helpers.structs")

CHALLENGE_LIFETIME = timedelta(minutes=5)
_MOST = Most(
    10,
    "too_many_passkeys",
    "You have %(count)s passkey. Revoke it if you no longer need it.",
    "You have %(count)s passkeys. Revoke one that you no longer need.",
)


class PasskeyError(InvalidError):
    """A passkey's answer is malformed, too late, or proves nothing here."""

    def __init__(self) -> None:
        super().__init__("bad_passkey", _("This passkey was not accepted. Try again, or use your password."))


def parse_new(text: str) -> "structs.RegistrationCredential":
    """Return a new passkey that a browser sent as JSON. Raise PasskeyError."""
    with _refusing():
        return helpers.parse_registration_credential_json(text)


def parse_answer(text: str) -> "structs.AuthenticationCredential":
    """Return a passkey's answer to a challenge, as a browser sent it as JSON. Raise PasskeyError."""
    with _refusing():
        return helpers.parse_authentication_credential_json(text)


async def options_of_new(session: AsyncSession, identity: Identity, site_url: str) -> str:
    """Return as JSON what a browser needs to make a passkey for an account."""
    known = await session.scalars(
        select(Passkey.credential_id).where(Passkey.account_id == identity.id).limit(_MOST.number)
    )
    options = webauthn.generate_registration_options(
        rp_id=_host(site_url),
        rp_name="Gorrion",
        user_id=str(identity.id).encode(),
        user_name=identity.username,
        challenge=await _new_challenge(session, identity.id),
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.REQUIRED,
            user_verification=structs.UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=[
            structs.PublicKeyCredentialDescriptor(id=credential_id) for credential_id in known
        ],
    )
    return webauthn.options_to_json(options)


async def options_of_answer(session: AsyncSession, account_id: int | None, site_url: str) -> str:
    """Return as JSON what a browser needs to ask for one of an account's passkeys, or (None) for any."""
    known = await session.scalars(select(Passkey.credential_id).where(Passkey.account_id == account_id))
    options = webauthn.generate_authentication_options(
        rp_id=_host(site_url),
        challenge=await _new_challenge(session, account_id),
        allow_credentials=[
            structs.PublicKeyCredentialDescriptor(id=credential_id) for credential_id in known
        ],
        user_verification=structs.UserVerificationRequirement.REQUIRED,
    )
    return webauthn.options_to_json(options)


async def take_challenge(
    session: AsyncSession,
    credential: "structs.RegistrationCredential | structs.AuthenticationCredential",
    account_id: int | None,
) -> bytes:
    """Return the challenge that a browser answers, which is used up by that. Raise PasskeyError.

    It must have been made for this account, or for a visitor (None), in the last minutes.
    """
    with _refusing():
        challenge = helpers.parse_client_data_json(credential.response.client_data_json).challenge
    taken: bytes | None = await session.scalar(
        delete(PasskeyChallenge)
        .where(
            PasskeyChallenge.challenge == challenge,
            PasskeyChallenge.account_id.is_not_distinct_from(account_id),
            PasskeyChallenge.expires_at > func.now(),
        )
        .returning(PasskeyChallenge.challenge)
    )
    if taken is None:
        raise PasskeyError
    return taken


async def add(
    session: AsyncSession,
    account_id: int,
    name: str,
    credential: "structs.RegistrationCredential",
    challenge: bytes,
    site_url: str,
) -> None:
    """Store a new passkey of an account. Raise PasskeyError, ConflictError `too_many_passkeys`."""
    with _refusing():
        verified = webauthn.verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=_host(site_url),
            expected_origin=site_url,
            require_user_verification=True,
        )
    count = select(func.count()).select_from(Passkey).where(Passkey.account_id == account_id)
    await _MOST.check(session, account_id, count)
    added = await session.scalar(
        insert(Passkey)
        .values(
            credential_id=verified.credential_id,
            account_id=account_id,
            public_key=verified.credential_public_key,
            sign_count=verified.sign_count,
            name=name,
        )
        .on_conflict_do_nothing()
        .returning(Passkey.account_id)
    )
    if added is None:
        raise PasskeyError


async def owner_of(session: AsyncSession, credential: "structs.AuthenticationCredential") -> int:
    """Return the account whose passkey is said to answer a challenge. Raise PasskeyError."""
    owner = await session.scalar(select(Passkey.account_id).where(Passkey.credential_id == credential.raw_id))
    if owner is None:
        raise PasskeyError
    return owner


async def check(
    session: AsyncSession,
    account_id: int,
    credential: "structs.AuthenticationCredential",
    challenge: bytes,
    site_url: str,
) -> Passkey:
    """Return the passkey of an account, which is locked, that answered a challenge. Raise PasskeyError."""
    passkey = await session.get(Passkey, credential.raw_id, with_for_update=True)
    if passkey is None or passkey.account_id != account_id:
        raise PasskeyError
    with _refusing():
        verified = webauthn.verify_authentication_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=_host(site_url),
            expected_origin=site_url,
            credential_public_key=passkey.public_key,
            credential_current_sign_count=passkey.sign_count,
            require_user_verification=True,
        )
    passkey.sign_count = verified.new_sign_count
    passkey.used_at = utc_now()
    return passkey


async def of_account(session: AsyncSession, account_id: int) -> list[Passkey]:
    """Return the passkeys of an account, the newest first."""
    query = select(Passkey).where(Passkey.account_id == account_id)
    return list(await session.scalars(query.order_by(Passkey.created_at.desc())))


async def find(session: AsyncSession, account_id: int, handle: str) -> Passkey:
    """Return a passkey of an account. Raise NotFoundError."""
    mine = await of_account(session, account_id)
    return found(next((passkey for passkey in mine if passkey.handle == handle), None), "passkey")


async def remove(session: AsyncSession, passkey: Passkey) -> None:
    """Delete a passkey. Raise NotFoundError if it is gone."""
    is_it = Passkey.credential_id == passkey.credential_id
    removed = delete(Passkey).where(is_it).returning(Passkey.credential_id)
    found(await session.scalar(removed), "passkey")


async def _new_challenge(session: AsyncSession, account_id: int | None) -> bytes:
    challenge = helpers.generate_challenge()
    session.add(
        PasskeyChallenge(
            challenge=challenge, account_id=account_id, expires_at=utc_now() + CHALLENGE_LIFETIME
        )
    )
    return challenge


@contextmanager
def _refusing() -> Iterator[None]:
    """Raise PasskeyError in place of what the library raises, on malformed data, too."""
    malformed = (ValueError, TypeError, KeyError, AttributeError, RecursionError)
    try:
        yield
    except (exceptions.WebAuthnException, *malformed):
        raise PasskeyError from None


def _host(site_url: str) -> str:
    return urlsplit(site_url).hostname or ""
