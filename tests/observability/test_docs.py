"""docs/observability.md says what there is."""

import re
from typing import Final

from prometheus_client.parser import text_string_to_metric_families

from service.server.metrics import SPECS
from tests.observability.test_tracing import MAY_SAY
from tests.server.processes import ROOT
from tests.server.watch import Watch

DOCS: Final = (ROOT / "docs" / "observability.md").read_text("utf-8")
ROW: Final = re.compile(r"^\| `(burraco_\w+)` \| (\w+) \| ([^|]*) \| ([^|]*) \|$", re.MULTILINE)


def test_the_docs_list_every_metric() -> None:
    """Table and code agree on names, kinds, labels and meanings."""
    documented = [
        (name, kind, tuple(re.findall(r"`(\w+)`", labels)), meaning)
        for name, kind, labels, meaning in ROW.findall(DOCS)
    ]
    assert documented == [tuple(spec) for spec in SPECS]


def test_the_docs_name_every_metric_of_the_process() -> None:
    """So do those that the library brings."""
    families = text_string_to_metric_families(Watch().exposition())
    others = {sample.name for family in families for sample in family.samples if not sample.name.startswith("burraco_")}
    assert others
    assert others == set(re.findall(r"`((?:process|python)_\w+)`", DOCS))


def test_the_docs_list_what_a_span_says() -> None:
    """Every attribute is named, and no other."""
    section = DOCS.partition("## Traces")[2].partition("\n## ")[0]
    assert set(re.findall(r"`((?:rpc|error|burraco)\.[a-z_.]+)`", section)) == MAY_SAY
