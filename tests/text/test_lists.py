from recollect.text.lists import read_lists


def test_parts_are_read_by_their_names_without_comments_and_blank_lines(tmp_path):
    file = tmp_path / "words.txt"
    file.write_text("# About\n\n[first]\none two\n goes on\n\n# more\n[second]\nthree\n", encoding="utf-8")
    assert read_lists(file) == {"first": "one two\n goes on", "second": "three"}
