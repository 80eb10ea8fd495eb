"""A machine without the databases: told to a person, and a failure in CI."""

from pathlib import Path

import pytest

from tests.examples import databases


@pytest.mark.parametrize(("in_ci", "raised"), [("true", pytest.fail.Exception), ("", pytest.skip.Exception)])
def test_what_is_missing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_ci: str, raised: type[BaseException]
) -> None:
    """With the package that brings it; never a silent pass."""
    monkeypatch.setenv("CI", in_ci)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(databases, "DEBIAN_FOLDERS", "/nowhere/*/bin")
    with pytest.raises(raised, match="apt-get install redis-server"):
        databases.redis_program()
    with pytest.raises(raised, match="apt-get install postgresql"):
        databases.postgres_folder()
