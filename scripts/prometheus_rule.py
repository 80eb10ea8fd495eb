"""Writes the alerts as the Prometheus Operator has them, from deploy/prometheus/alerts.yaml: `make prometheus-rule`."""

import textwrap
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
ALERTS: Final = ROOT / "deploy" / "prometheus" / "alerts.yaml"
RULE: Final = ROOT / "deploy" / "kubernetes" / "components" / "prometheus-operator" / "alerts.yaml"
_HEAD: Final = """\
# Made of deploy/prometheus/alerts.yaml by `make prometheus-rule`: change that file.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: burraco
  namespace: burraco
  labels:
    # SITE: what the Prometheus of the cluster selects by. docs/kubernetes.md says how to see and change it.
    release: prometheus
spec:
"""


def prometheus_rule() -> str:
    """The manifest: its spec is what Prometheus itself reads, word for word."""
    return _HEAD + textwrap.indent(ALERTS.read_text("utf-8"), "  ")


def main() -> None:
    """Write it."""
    RULE.write_text(prometheus_rule(), "utf-8")


if __name__ == "__main__":
    main()
