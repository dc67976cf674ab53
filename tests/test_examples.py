"""The programs that tests/examples.py gives the type checkers."""

from tests.examples import programs


def test_programs_come_from_the_readme_pages_and_docstrings() -> None:
    made = programs()
    assert {"page_README_1", "page_embedding_3", "page_protocol_2", "docstring_mqconvert", "docstring_decode"} <= made.keys()
    assert len([name for name in made if name.startswith("docstring_")]) > 40
    assert "done.message.basic.delivery_mode, done.message.payload" in made["docstring_mqconvert"]
    for name, text in made.items():
        compile(text, name, "exec")


def test_blocks_of_a_page_continue_one_another() -> None:
    assert programs()["page_spark_1"].count("from mqconvert.") == 2
    assert all(programs()[f"page_embedding_{number}"].startswith('"""') for number in (1, 2, 3))
