"""Prometheus, its alerts and the dashboard ask for figures that exist."""

import json
import re
from collections.abc import Iterator
from typing import Any, get_args

import promql_parser
import pytest
from deploy.files import documents, image_environment, read
from prometheus_client.parser import text_string_to_metric_families

from palatine_protocol.errors import Close, Code
from palatine_protocol.messages import AnyRequest
from palatine_server.metrics import Limit, Metrics
from palatine_server.metrics.instruments import tag_of
from palatine_server.settings import Settings
from palatine_server.store import TroubleKind

(PROMETHEUS,) = documents("prometheus/prometheus.yml")
(ALERTS,) = documents("prometheus/alerts.yml")
RULES = [rule for group in ALERTS["groups"] for rule in group["rules"]]
BOARD = json.loads(read("grafana/palatine.json"))
PANELS = [panel for panel in BOARD["panels"] if panel["type"] != "row"]
TARGET = {"instance", "job"}  # labels that Prometheus adds


def figures() -> dict[str, set[str]]:
    """Every figure of a server, with its labels."""
    metrics = Metrics()
    undo = get_args(AnyRequest)[-1](id="1", table="t" * 16)
    metrics.count_request("palais_royal", undo, None)
    metrics.count_automatic_move("palais_royal", "bot")
    samples = [
        sample for family in text_string_to_metric_families(metrics.text().decode()) for sample in family.samples
    ]
    return {sample.name: {*sample.labels} for sample in samples} | {"up": set()}


FIGURES = figures()


def expressions() -> Iterator[tuple[str, str]]:
    for rule in RULES:
        yield rule["alert"], rule["expr"]
    for panel in PANELS:
        for target in panel["targets"]:
            yield panel["title"], target["expr"].replace("$__rate_interval", "5m")


def selectors(expression: Any) -> Iterator[Any]:
    """All figures that an expression asks for."""
    if isinstance(expression, promql_parser.VectorSelector):
        yield expression
    for part in ("expr", "lhs", "rhs", "vector_selector"):
        if (inner := getattr(expression, part, None)) is not None:
            yield from selectors(inner)
    for argument in getattr(expression, "args", None) or []:
        yield from selectors(argument)


def groupings(text: str) -> set[str]:
    return {label.strip() for labels in re.findall(r"by \(([^)]*)\)", text) for label in labels.split(",")}


@pytest.mark.parametrize(("title", "text"), [*expressions()])
def test_what_is_asked_for_exists(title: str, text: str) -> None:
    asked = [*selectors(promql_parser.parse(text))]
    assert asked, title
    for selector in asked:
        labels = FIGURES[selector.name] | TARGET
        assert {matcher.name for matcher in selector.matchers.matchers} <= labels, selector.name
        assert groupings(text) <= labels, selector.name


def test_every_figure_is_shown_somewhere() -> None:
    asked = {selector.name for _, text in expressions() for selector in selectors(promql_parser.parse(text))}
    ours = {name for name in FIGURES if name.startswith("palatine_")}
    assert {re.sub("_(count|sum)$", "_bucket", name) for name in ours} <= asked


def test_words_in_matchers_are_labels_that_can_be() -> None:
    text = " ".join(text for _, text in expressions())
    results = {*re.findall(r'result!?="(\w+)"', text)}
    assert results <= {"ok", "rule", *map(str, Code)}
    assert {*re.findall(r'request="(\w+)"', text)} <= {tag_of(kind) for kind in get_args(AnyRequest)}
    assert {word for words in re.findall(r'limit=~"([\w|]+)"', text) for word in words.split("|")} <= {*get_args(Limit)}
    assert {word for words in re.findall(r'kind=~?"([\w|]+)"', text) for word in words.split("|")} == {
        *get_args(TroubleKind)
    }
    assert {*re.findall(r'code="(\w+)"', text)} <= {code.name.lower() for code in Close}


def test_alerts_say_what_to_do() -> None:
    assert len({rule["alert"] for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert rule["labels"]["severity"] in {"page", "look"}
        assert {*rule["annotations"]} == {"summary", "action"}


def test_the_alert_for_a_full_node_comes_before_it_is_full() -> None:
    (rule,) = [rule for rule in RULES if rule["alert"] == "PalatineNearlyFull"]
    threshold = int(rule["expr"].rpartition(">")[2])
    most = Settings().most_connections
    assert 0.8 * most < threshold < 0.95 * most
    assert f"{most:,}" in rule["annotations"]["summary"]


def test_prometheus_scrapes_the_nodes_of_compose() -> None:
    (job,) = PROMETHEUS["scrape_configs"]
    port = image_environment()["PALATINE_METRICS_PORT"]
    assert job["job_name"] == "palatine"
    assert job["static_configs"][0]["targets"] == [f"node1:{port}", f"node2:{port}"]
    assert PROMETHEUS["rule_files"] == ["alerts.yml"]


def test_panels_lie_side_by_side_and_say_what_they_show() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in BOARD["panels"]:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not cells & taken, panel["title"]
        assert place["x"] + place["w"] <= 24
        taken |= cells
    assert all(panel["description"] and panel["fieldConfig"]["defaults"]["unit"] for panel in PANELS)
    assert len({panel["id"] for panel in BOARD["panels"]}) == len(BOARD["panels"])


def test_the_dashboard_finds_its_source() -> None:
    (sources,) = documents("grafana/sources.yaml")
    (source,) = sources["datasources"]
    assert {panel["datasource"]["uid"] for panel in PANELS} == {source["uid"]}
    assert BOARD["templating"]["list"][0]["datasource"]["uid"] == source["uid"]
