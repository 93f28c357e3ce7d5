"""What a check tells: how much it looked at, and what it found."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Finding:
    """One fault: the file and the place in it, and what is wrong there."""

    place: str
    what: str


@dataclass
class Result:
    """The outcome of one check. `counted` says in words what was looked at."""

    counted: str = ""
    findings: list[Finding] = field(default_factory=list)

    def add(self, place: str, what: str) -> None:
        self.findings.append(Finding(place, " ".join(what.split())[:400]))
