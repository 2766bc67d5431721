"""Passkeys (WebAuthn): registering one, and proving with one who is there.

The functions run in the caller's transaction. Passkeys are bound to the host of the site's
address.
"""

from datetime import timedelta
from urllib.parse import urlsplit

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import (
    generate_challenge,
    parse_authentication_credential_json,
    parse_client_data_json,
    parse_registration_credential_json,
)
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticationCredential,
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    RegistrationCredential,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from app.core.errors import ConflictError, InvalidError, NotFoundError
from app.core.i18n.text import _, ngettext
from app.core.moments import utc_now
from app.people.identity.locking import check_limit, lock_account
from app.people.identity.service import Identity
from app.site.accounts.models import Passkey, PasskeyChallenge

CHALLENGE_LIFETIME = timedelta(minutes=5)
_MOST = 10
_INVALID = (WebAuthnException, ValueError, TypeError, KeyError, AttributeError, RecursionError)
"""What the library raises on malformed data."""
_HANDLE_LENGTH = 16  # hexadecimal digits of a credential's id


class PasskeyError(InvalidError):
    """A passkey's answer is malformed, too late, or proves nothing here."""

    def __init__(self) -> None:
        super().__init__("bad_passkey", _("This passkey was not accepted. Try again, or use your password."))


def parse_new(text: str) -> RegistrationCredential:
    """Return a new passkey that a browser sent as JSON. Raise PasskeyError."""
    try:
        return parse_registration_credential_json(text)
    except _INVALID:
        raise PasskeyError from None


def parse_answer(text: str) -> AuthenticationCredential:
    """Return a passkey's answer to a challenge, as a browser sent it as JSON. Raise PasskeyError."""
    try:
        return parse_authentication_credential_json(text)
    except _INVALID:
        raise PasskeyError from None


async def options_of_new(session: AsyncSession, identity: Identity, site_url: str) -> str:
    """Return as JSON what a browser needs to make a passkey for an account."""
    known = await session.scalars(
        select(Passkey.credential_id).where(Passkey.account_id == identity.id).limit(_MOST)
    )
    options = generate_registration_options(
        rp_id=_host(site_url),
        rp_name="Gorrion",
        user_id=str(identity.id).encode(),
        user_name=identity.username,
        challenge=await _new_challenge(session, identity.id),
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED,
            user_verification=UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(id=credential_id) for credential_id in known],
    )
    return options_to_json(options)


async def options_of_answer(session: AsyncSession, account_id: int | None, site_url: str) -> str:
    """Return as JSON what a browser needs to ask for one of an account's passkeys, or (None) for any."""
    known = await session.scalars(select(Passkey.credential_id).where(Passkey.account_id == account_id))
    options = generate_authentication_options(
        rp_id=_host(site_url),
        challenge=await _new_challenge(session, account_id),
        allow_credentials=[PublicKeyCredentialDescriptor(id=credential_id) for credential_id in known],
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return options_to_json(options)


async def take_challenge(
    session: AsyncSession,
    credential: RegistrationCredential | AuthenticationCredential,
    account_id: int | None,
) -> bytes:
    """Return the challenge that a browser answers, which is used up by that. Raise PasskeyError.

    It must have been made for this account, or for a visitor (None), in the last minutes.
    """
    try:
        challenge = parse_client_data_json(credential.response.client_data_json).challenge
    except _INVALID:
        raise PasskeyError from None
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
    credential: RegistrationCredential,
    challenge: bytes,
    site_url: str,
) -> None:
    """Store a new passkey of an account. Raise PasskeyError, ConflictError `too_many_passkeys`."""
    try:
        verified = verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=_host(site_url),
            expected_origin=site_url,
            require_user_verification=True,
        )
    except _INVALID:
        raise PasskeyError from None
    error = ConflictError(
        "too_many_passkeys",
        ngettext(
            "You have %(count)s passkey. Revoke it if you no longer need it.",
            "You have %(count)s passkeys. Revoke one that you no longer need.",
            _MOST,
        ),
    )
    count = select(func.count()).select_from(Passkey).where(Passkey.account_id == account_id)
    await check_limit(session, account_id, count, _MOST, error)
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


async def check(
    session: AsyncSession, credential: AuthenticationCredential, challenge: bytes, site_url: str
) -> Passkey:
    """Return the passkey that answered a challenge; its account is locked. Raise PasskeyError."""
    passkey = await session.get(Passkey, credential.raw_id)
    if passkey is None:
        raise PasskeyError
    await lock_account(session, passkey.account_id)
    passkey = await session.get(Passkey, credential.raw_id, with_for_update=True, populate_existing=True)
    if passkey is None:
        raise PasskeyError
    try:
        verified = verify_authentication_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=_host(site_url),
            expected_origin=site_url,
            credential_public_key=passkey.public_key,
            credential_current_sign_count=passkey.sign_count,
            require_user_verification=True,
        )
    except _INVALID:
        raise PasskeyError from None
    passkey.sign_count = verified.new_sign_count
    passkey.used_at = utc_now()
    return passkey


async def of_account(session: AsyncSession, account_id: int) -> list[Passkey]:
    """Return the passkeys of an account, the newest first."""
    query = select(Passkey).where(Passkey.account_id == account_id)
    return list(await session.scalars(query.order_by(Passkey.created_at.desc())))


def handle_of(passkey: Passkey) -> str:
    """Return what identifies a passkey among those of its account."""
    return passkey.credential_id.hex()[:_HANDLE_LENGTH]


async def remove(session: AsyncSession, account_id: int, handle: str) -> str:
    """Delete a passkey of an account and return its name. Raise NotFoundError."""
    for passkey in await of_account(session, account_id):
        if handle_of(passkey) == handle:
            await session.delete(passkey)
            return passkey.name
    raise NotFoundError("passkey")


async def _new_challenge(session: AsyncSession, account_id: int | None) -> bytes:
    challenge = generate_challenge()
    session.add(
        PasskeyChallenge(
            challenge=challenge, account_id=account_id, expires_at=utc_now() + CHALLENGE_LIFETIME
        )
    )
    return challenge


def _host(site_url: str) -> str:
    return urlsplit(site_url).hostname or ""
