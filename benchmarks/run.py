"""All measurements of `make bench`, printed and written to benchmarks/results.md."""

from pathlib import Path

import brokers
import clients
import convert
import doors
from measure import page

PARTS = {
    "The library": convert.rows,
    "Interfaces": doors.rows,
    "Client objects": clients.rows,
    "Codecs of the brokers": brokers.rows,
}


def main() -> None:
    pages = []
    for title, rows in PARTS.items():
        pages.append(page(title, rows()))
        print(pages[-1])
    text = "# What was measured\n\nWritten by `make bench`; a later run on another machine gives other figures.\n\n"
    (Path(__file__).parent / "results.md").write_text(text + "\n".join(pages), encoding="utf-8")


if __name__ == "__main__":
    main()
