"""Identity: tokens are signed, expire, can be renewed, and the secret is ours alone."""

from pathlib import Path

import pytest

from palatine_server.games.kit import Refused
from palatine_server.gateway.tokens import LONGEST_NAME, TokenSigner, clean_name, read_secret

NOW = 1_000_000.0


def make_signer(secret: str = "s", now: float = NOW) -> TokenSigner:
    return TokenSigner(secret, lambda: now)


def code_of(known: TokenSigner, token: str) -> str:
    with pytest.raises(Refused) as refused:
        known.read(token)
    return refused.value.code


def test_a_token_says_who_somebody_is() -> None:
    token, user = make_signer().create_token("Anna")
    assert make_signer().read(token) == user
    assert (user.name, user.kind) == ("Anna", "guest")


def test_a_token_of_another_server_is_refused() -> None:
    token, _ = make_signer("other").create_token("Anna")
    assert code_of(make_signer(), token) == "bad_token"


def test_a_token_changed_anywhere_is_refused() -> None:
    token, _ = make_signer().create_token("Anna", "guest")
    for place in range(len(token) - 1):
        changed = token[:place] + ("A" if token[place] != "A" else "B") + token[place + 1 :]
        assert code_of(make_signer(), changed) == "bad_token"


def test_a_token_expires() -> None:
    token, user = make_signer().create_token("Anna", days=1)
    assert make_signer(now=NOW + 86_399).read(token) == user
    assert code_of(make_signer(now=NOW + 86_400), token) == "token_expired"


@pytest.mark.parametrize("token", ["", "palatine_", "palatine_x.y", "x" * 1000, "palatine_\ud800", "Bearer x"])
def test_nonsense_is_refused(token: str) -> None:
    assert code_of(make_signer(), token) == "bad_token"


def test_a_renewed_token_is_the_same_user() -> None:
    _, user = make_signer().create_token("Anna")
    token, again = make_signer(now=NOW + 5).renew_token(user, "Anna B.", 30)
    assert (again.id, again.kind, again.expires) == (user.id, user.kind, user.expires + 5)
    assert make_signer().read(token).name == "Anna B."


def test_a_renewed_token_is_revoked_with_the_old_one_and_another_one_is_not() -> None:
    token, user = make_signer().create_token("Anna")
    renewed, _ = make_signer().renew_token(user, "", 30)
    other, _ = make_signer().create_token("Anna", user=user.id)
    revoked = [make_signer().build_revocation(each, days=1)[0] for each in (token, renewed, other)]
    assert revoked[0] == revoked[1] == user.token != revoked[2]


def test_a_user_is_revoked_by_his_id_and_until_then() -> None:
    assert make_signer().build_revocation("KWTXGBsSiQjxWXDQ", days=2) == (
        "KWTXGBsSiQjxWXDQ",
        1000 * (int(NOW) + 2 * 86_400),
    )


def test_an_expired_token_can_be_revoked_for_it_may_have_been_renewed() -> None:
    token, user = make_signer().create_token("Anna", days=1)
    assert make_signer(now=NOW + 10 * 86_400).build_revocation(token, days=1)[0] == user.token


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("  Anna \n Maria ", "Anna Maria"),
        ("\u202eevil\u0000", "evil"),
        ("x" * 99, "x" * LONGEST_NAME),
        ("Jürgen 🏰", "Jürgen 🏰"),
    ],
)
def test_names_are_made_fit_to_be_seen(name: str, shown: str) -> None:
    assert clean_name(name) == shown


def test_who_has_no_name_gets_one() -> None:
    assert clean_name("\u200b \t").startswith("Guest ")


def test_the_secret_is_made_once_and_for_our_eyes_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PALATINE_SECRET", raising=False)
    secret = read_secret(tmp_path / "data")
    assert len(secret) >= 32
    assert read_secret(tmp_path / "data") == secret
    assert (tmp_path / "data" / "secret").stat().st_mode & 0o777 == 0o600
    (tmp_path / "data" / "secret").chmod(0o644)
    with pytest.raises(Refused, match="chmod 600"):
        read_secret(tmp_path / "data")


def test_the_environment_may_give_the_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALATINE_SECRET", "from outside")
    assert read_secret(tmp_path) == "from outside"
    assert not (tmp_path / "secret").exists()
