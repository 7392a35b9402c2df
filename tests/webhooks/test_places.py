"""Where a webhook may lead."""

from collections.abc import Collection
from ipaddress import ip_address

import pytest

from palatine_server.games.kit import Refused
from palatine_server.webhooks.places import Forbidden, Places, Target, looked_up

HTTPS = Target("https", "hooks.example", 443, "/")
PRIVATE = [
    "0.0.0.0",
    "10.0.0.1",
    "100.64.0.1",
    "127.0.0.1",
    "127.8.8.8",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:10.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "::10.0.0.1",
    "64:ff9b::10.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::1",
    "100::1",
    "2001:db8::1",
    "2001:0:53aa:64c::1",
    "2002:a00:1::1",
    "2002:7f00:1::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fe80::1%lo",
    "fec0::1",
    "ff02::1",
]
PUBLIC = ["1.1.1.1", "93.184.216.34", "172.32.0.1", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1"]


def places(*found: str, schemes: Collection[str] = ("https",), networks: Collection[str] = ()) -> Places:
    """Every name has these addresses."""

    async def resolve(host: str, port: int) -> Collection[str]:
        return found

    return Places(schemes, networks, resolve)


@pytest.mark.parametrize("address", PRIVATE)
async def test_a_name_with_a_private_address_is_forbidden(address: str) -> None:
    for found in ([address], ["1.1.1.1", address], [address, "1.1.1.1"]):
        with pytest.raises(Forbidden):
            await places(*found).addresses(HTTPS)


@pytest.mark.parametrize("address", PUBLIC)
async def test_a_name_with_a_public_address_is_allowed(address: str) -> None:
    assert await places(address).addresses(HTTPS) == [ip_address(address)]


async def test_a_name_without_an_address_leads_nowhere() -> None:
    with pytest.raises(Forbidden):
        await places().addresses(HTTPS)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "0x7f.1", "2130706433", "0177.0.0.1", "127.1", "0", "::1"])
async def test_whatever_this_machine_is_called_it_is_forbidden(host: str) -> None:
    with pytest.raises(Forbidden):
        await Places(["https"], [], looked_up).addresses(Target("https", host, 443, "/"))


@pytest.mark.parametrize("port", [22, 25, 80, 6379, 8080])
async def test_only_usual_ports_are_reached(port: int) -> None:
    with pytest.raises(Forbidden):
        await places("1.1.1.1").addresses(Target("https", "hooks.example", port, "/"))


async def test_an_allowed_network_is_reached_on_any_port_and_no_other_is() -> None:
    allowed = places("10.1.2.3", networks=["10.1.0.0/16"])
    assert await allowed.addresses(Target("https", "inside", 9999, "/"))
    assert await places("::ffff:10.1.2.3", networks=["10.1.0.0/16"]).addresses(HTTPS)
    assert await places("64:ff9b::10.1.2.3", networks=["10.1.0.0/16"]).addresses(HTTPS)
    for address in ("10.2.0.1", "127.0.0.1", "::1"):
        with pytest.raises(Forbidden):
            await places(address, networks=["10.1.0.0/16"]).addresses(HTTPS)
    with pytest.raises(Forbidden):
        await places("1.1.1.1", networks=["10.1.0.0/16"]).addresses(Target("https", "hooks.example", 9999, "/"))


@pytest.mark.parametrize(
    "url",
    [
        "",
        "hooks.example",
        "//hooks.example/",
        "http://hooks.example/",
        "ftp://hooks.example/",
        "file:///etc/passwd",
        "https://",
        "https:///path",
        "https://user:word@hooks.example/",
        "https://@hooks.example/",
        "https://hooks.example:22/",
        "https://hooks.example:0/",
        "https://hooks.example:99999/",
        "https://hooks.example:x/",
        "https://[::1/",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://127.0.0.1/",
        "https://169.254.169.254/latest/meta-data",
        "https://hooks.example/a b",
        "https://hooks.example/\r\nHost: other",
        " https://hooks.example/",
        "https://schlösser.example/",
        "https://hooks.example/" + "x" * 1024,
    ],
)
def test_what_leads_nowhere_is_refused_at_once(url: str) -> None:
    with pytest.raises(Refused) as refused:
        places().must_be_possible(url)
    assert refused.value.code == "bad_webhook"
    assert "https://" in refused.value.sentence


@pytest.mark.parametrize(
    ("url", "target", "authority"),
    [
        ("https://hooks.example", ("https", "hooks.example", 443, "/"), "hooks.example"),
        ("https://Hooks.Example:8443/a?b=c#d", ("https", "hooks.example", 8443, "/a?b=c"), "hooks.example:8443"),
        ("https://[2606:4700::1111]/", ("https", "2606:4700::1111", 443, "/"), "[2606:4700::1111]"),
        ("https://1.1.1.1/?x", ("https", "1.1.1.1", 443, "/?x"), "1.1.1.1"),
        ("https://10.evil.example/%2e", ("https", "10.evil.example", 443, "/%2e"), "10.evil.example"),
    ],
)
def test_a_url_is_taken_apart(url: str, target: tuple[str, str, int, str], authority: str) -> None:
    places().must_be_possible(url)
    assert places().target(url) == target
    assert places().target(url).authority == authority


def test_http_is_possible_when_the_operator_allows_it() -> None:
    places(schemes=["https", "http"]).must_be_possible("http://hooks.example/")
    with pytest.raises(Refused):
        places(schemes=["https", "http"]).must_be_possible("http://hooks.example:443/")
