"""What the page offers to keys that may not do all."""

import re

import pytest
from playwright.sync_api import expect

from recollect import Memory
from recollect.server import KeyRing


@pytest.fixture
def wants_keys():
    return True


@pytest.fixture
def enter(page, at, served):
    """Opens a part of the page with a key of a role."""

    def go(role, path):
        with Memory(served.path) as memory:
            _, key = KeyRing(memory.parts.store).create(owner="default", role=role)
        at("/settings")
        page.get_by_label("Access key").fill(key)
        page.get_by_role("button", name="Use").click()
        at(path)

    yield go
    page.complaints[:] = [one for one in page.complaints if not re.search("status of 40[13]", one)]


def test_a_writer_is_told_who_may_import_and_may_keep_documents(page, enter, tmp_path):
    (tmp_path / "shed.md").write_text("# Shed\n\nThe shed is green.")
    enter("writer", "/import")
    choosing = page.get_by_role("region", name="Files to import")
    expect(choosing).to_contain_text("This key may add documents")
    expect(choosing).to_contain_text("All else needs a key with the role admin.")
    expect(choosing.get_by_role("button", name="Choose a folder")).to_have_count(0)
    page.get_by_label("Files to add").set_input_files(tmp_path / "shed.md")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_role("list", name="Files")).to_contain_text("1 memory added.")


def test_a_reader_is_told_who_may_import(page, enter):
    enter("reader", "/import")
    choosing = page.get_by_role("region", name="Files to import")
    expect(choosing).to_contain_text("This key may only read.")
    expect(choosing.get_by_role("button", name="Choose files")).to_have_count(0)


@pytest.mark.parametrize(("role", "offered"), [("writer", 0), ("admin", 1)])
def test_settings_offer_only_an_admin_what_only_an_admin_may(page, enter, role, offered):
    enter(role, "/settings")
    data = page.get_by_role("region", name="Your data")
    expect(data.get_by_role("button", name="Download my data")).to_have_count(offered)
    expect(data.get_by_role("link", name="Import files")).to_have_count(offered)
    expect(page.get_by_role("region", name="Delete my data")).to_have_count(offered)
    if not offered:
        expect(data).to_contain_text("need a key with the role admin")
