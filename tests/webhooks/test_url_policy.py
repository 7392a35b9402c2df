"""Where a webhook may lead."""

from collections.abc import Collection
from ipaddress import ip_address

import pytest

from palatine_server.games.kit import Refused
from palatine_server.webhooks.url_policy import ForbiddenUrl, Target, UrlPolicy, look_up_host

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
    # The rest of IANA's special-purpose registries
    "192.0.0.1",
    "192.0.0.9",
    "192.0.0.170",
    "192.31.196.1",
    "192.52.193.1",
    "192.175.48.1",
    "198.51.100.1",
    "203.0.113.1",
    "100::",
    "100:0:0:1::1",
    "64:ff9b:1:ffff::1.1.1.1",
    "2001:1::1",
    "2001:2::1",
    "2001:3::1",
    "2001:4:112::1",
    "2001:10::1",
    "2001:20::1",
    "2001:30::1",
    "2001:1ff:ffff::1",
    "2620:4f:8000::1",
    "3fff::1",
    "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff",
    "5f00::1",
    # What IANA has assigned to nobody
    "1000::1",
    "4000::1",
    "8000::1",
    "f000::1",
    # ISATAP, with every prefix and both bits of the interface id
    "2606:4700::5efe:10.0.0.1",
    "2606:4700::200:5efe:10.0.0.1",
    "2606:4700::100:5efe:10.0.0.1",
    "2606:4700::300:5efe:127.0.0.1",
    "2606:4700::5efe:1.1.1.1",
    "2606:4700:1:2:0:5efe:169.254.169.254",
    "2002:101:101:0:0:5efe:10.0.0.1",
    "fe80::5efe:10.0.0.1",
]
PUBLIC = ["1.1.1.1", "93.184.216.34", "172.32.0.1", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1"]
PUBLIC += ["192.0.1.1", "2001:200::1", "2001:4860:4860::8888", "2a00:1450::1", "3ffe::1", "2606:4700::5efe"]
PUBLIC += ["2606:4700::5eff:1.1.1.1", "2606:4700::400:5efe:1.1.1.1", "2606:4700:0:5efe:1:2:3:4"]


def places(*found: str, schemes: Collection[str] = ("https",), networks: Collection[str] = ()) -> UrlPolicy:
    """Every name has these addresses."""

    async def resolve(host: str, port: int) -> Collection[str]:
        return found

    return UrlPolicy(schemes, networks, resolve)


@pytest.mark.parametrize("address", PRIVATE)
async def test_a_name_with_a_private_address_is_forbidden(address: str) -> None:
    for found in ([address], ["1.1.1.1", address], [address, "1.1.1.1"]):
        with pytest.raises(ForbiddenUrl):
            await places(*found).resolve(HTTPS)


@pytest.mark.parametrize("address", PUBLIC)
async def test_a_name_with_a_public_address_is_allowed(address: str) -> None:
    assert await places(address).resolve(HTTPS) == [ip_address(address)]


async def test_an_isatap_address_needs_both_of_its_networks_allowed() -> None:
    inside = Target("https", "inside", 9999, "/")
    both = ["fd00:1::/32", "10.1.0.0/16"]
    assert await places("fd00:1::5efe:10.1.2.3", networks=both).resolve(inside)
    for address, networks in (
        ("fd00:1::5efe:10.2.0.1", both),
        ("fd00:1::5efe:10.1.2.3", both[:1]),
        ("fd00:1::5efe:10.1.2.3", both[1:]),
        ("2606:4700::5efe:10.1.2.3", both),
    ):
        with pytest.raises(ForbiddenUrl):
            await places(address, networks=networks).resolve(HTTPS)


async def test_a_name_without_an_address_leads_nowhere() -> None:
    with pytest.raises(ForbiddenUrl):
        await places().resolve(HTTPS)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "0x7f.1", "2130706433", "0177.0.0.1", "127.1", "0", "::1"])
async def test_whatever_this_machine_is_called_it_is_forbidden(host: str) -> None:
    with pytest.raises(ForbiddenUrl):
        await UrlPolicy(["https"], [], look_up_host).resolve(Target("https", host, 443, "/"))


@pytest.mark.parametrize("port", [22, 25, 80, 6379, 8080])
async def test_only_usual_ports_are_reached(port: int) -> None:
    with pytest.raises(ForbiddenUrl):
        await places("1.1.1.1").resolve(Target("https", "hooks.example", port, "/"))


async def test_an_allowed_network_is_reached_on_any_port_and_no_other_is() -> None:
    allowed = places("10.1.2.3", networks=["10.1.0.0/16"])
    assert await allowed.resolve(Target("https", "inside", 9999, "/"))
    assert await places("::ffff:10.1.2.3", networks=["10.1.0.0/16"]).resolve(HTTPS)
    assert await places("64:ff9b::10.1.2.3", networks=["10.1.0.0/16"]).resolve(HTTPS)
    for address in ("10.2.0.1", "127.0.0.1", "::1"):
        with pytest.raises(ForbiddenUrl):
            await places(address, networks=["10.1.0.0/16"]).resolve(HTTPS)
    with pytest.raises(ForbiddenUrl):
        await places("1.1.1.1", networks=["10.1.0.0/16"]).resolve(Target("https", "hooks.example", 9999, "/"))


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
        places().check_url(url)
    assert refused.value.code == "bad_webhook"
    assert "https://" in refused.value.sentence


@pytest.mark.parametrize(
    ("url", "target", "authority"),
    [
        ("https://hooks.example", ("https", "hooks.example", 443, "/"), "hooks.example"),
        (
            "https://Hooks.Example:8443/a?b=c#d",
            ("https", "hooks.example", 8443, "/a?b=c"),
            "hooks.example:8443",
        ),
        ("https://[2606:4700::1111]/", ("https", "2606:4700::1111", 443, "/"), "[2606:4700::1111]"),
        ("https://1.1.1.1/?x", ("https", "1.1.1.1", 443, "/?x"), "1.1.1.1"),
        ("https://10.evil.example/%2e", ("https", "10.evil.example", 443, "/%2e"), "10.evil.example"),
    ],
)
def test_a_url_is_taken_apart(url: str, target: tuple[str, str, int, str], authority: str) -> None:
    places().check_url(url)
    assert places().parse_url(url) == target
    assert places().parse_url(url).authority == authority


def test_http_is_possible_when_the_operator_allows_it() -> None:
    places(schemes=["https", "http"]).check_url("http://hooks.example/")
    with pytest.raises(Refused):
        places(schemes=["https", "http"]).check_url("http://hooks.example:443/")
