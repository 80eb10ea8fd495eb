"""Whether a set of options of Burraco can be played."""

from service.rules.burraco.game import BURRACO
from service.rules.option_types import Defect
from service.rules.options import BurracoRules
from service.wire import rules_codec


def defects(rules: BurracoRules) -> list[Defect]:
    """Everything wrong with a set of options."""
    return rules_codec.defects(BURRACO, rules)
