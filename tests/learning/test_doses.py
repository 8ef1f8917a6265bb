"""A dose is of the medicine that is named beside it, and a new medicine ends no other."""

import pytest
from tests.learning.living import learned, left
from tests.tables import table

from recollect.learning.extraction.extract import extract_facts
from recollect.learning.extraction.facts import Turn
from recollect.learning.reconcile.doses import doses_in


@table(
    "said, doses",
    [
        ("I took paracetamol 500 mg last night", [("paracetamol", "500 mg")]),
        ("two of 500 mg metformin, and my sertraline went up from 50 to 100 mg", None),
        ("500 mg of metformin", [("metformin", "500 mg")]),
        ("The doctor put me up to 100 mg twice daily", [("", "100 mg")]),
        ("I take folic acid 5 mg and vitamin D 25 mcg", [("folic acid", "5 mg"), ("vitamin d", "25 mcg")]),
        ("I'm taking losartan now, 50 mg a day", [("losartan", "50 mg")]),
        ("I ran 10 km in 50 minutes", []),
    ],
)
def test_a_dose_is_of_what_is_named_beside_it(said, doses):
    found = [tuple(one) for one in doses_in(said)]
    if doses is None:
        assert found[0] == ("metformin", "500 mg")
        assert found[-1] == ("sertraline", "100 mg")
    else:
        assert found == doses


@table(
    "known, said, fact",
    [
        ("I take ramipril 5 mg.", "I took paracetamol 500 mg last night.", "User takes ramipril 5 mg."),
        ("I take metformin 500 mg.", "I take warfarin 3 mg every evening.", "User takes metformin 500 mg."),
        ("I take metformin 500 mg.", "I take warfarin 3 mg on Mondays.", "User takes metformin 500 mg."),
        ("I take ramipril 5 mg.", "I also take metformin 500 mg.", "User takes ramipril 5 mg."),
        ("I take folic acid 5 mg.", "I now take vitamin D 25 mcg.", "User takes folic acid 5 mg."),
        (
            "I take metformin 500 mg.",
            "The doctor put me on losartan 50 mg as well.",
            "User takes metformin 500 mg.",
        ),
        ("I take metformin 500 mg.", "I'm on losartan 50 mg now.", "User takes metformin 500 mg."),
        ("I take ramipril 5 mg.", "The vet put Bran on Metacam 15 mg.", "User takes ramipril 5 mg."),
        (
            "I take ramipril 5 mg.",
            "Dr Munnelly started Jayden on ritalin 10 mg.",
            "User takes ramipril 5 mg.",
        ),
        (
            "I take methotrexate 15 mg on Mondays.",
            "I take folic acid 5 mg on Fridays.",
            "User takes methotrexate 15 mg.",
        ),
        ("I take metformin.", "I take losartan.", "User takes metformin."),
    ],
)
def test_another_medicine_leaves_a_dose_as_it_is(known, said, fact):
    before, after = left(known)[0], left(known, said)
    assert fact in before
    assert fact in after[0]
    assert after[1] == 0


@table(
    "known, said, fact",
    [
        (
            "I take ramipril 5 mg.",
            "The doctor took me off ramipril and put me on losartan 50 mg.",
            "User takes losartan 50 mg.",
        ),
        (
            "I take ramipril 5 mg.",
            "The doctor swapped ramipril for losartan 50 mg.",
            "User takes losartan 50 mg.",
        ),
        ("I take ramipril 5 mg.", "Ramipril is gone, it's losartan 50 mg now.", "User takes losartan 50 mg."),
        (
            "I take citalopram 20 mg.",
            "I'm on fluoxetine 40 mg instead of citalopram.",
            "User takes fluoxetine 40 mg.",
        ),
        (
            "I take bisoprolol 5 mg.",
            "They switched me from bisoprolol to amlodipine 10 mg.",
            "User takes amlodipine 10 mg.",
        ),
        (
            "My son takes ritalin 10 mg.",
            "The doctor swapped his ritalin for concerta 18 mg.",
            "User's son takes concerta 18 mg.",
        ),
        (
            "I take sertraline 50 mg.",
            "The doctor increased sertraline to 100 mg and added mirtazapine 15 mg.",
            "User takes sertraline 100 mg.",
        ),
        (
            "I take sertraline 50 mg.",
            "My sertraline went up from 50 to 100 mg.",
            "User takes sertraline 100 mg.",
        ),
        ("I take venlafaxine 75 mg.", "My dose went up to 150 mg.", "User takes venlafaxine 150 mg."),
    ],
)
def test_a_medicine_taken_in_the_place_of_another_and_a_new_dose_end_it(known, said, fact):
    (before,), (after, asked) = left(known)[0], left(known, said)
    assert before not in after
    assert fact in after
    assert asked == 0


def test_a_swap_ends_the_one_that_it_names_and_no_other():
    after, asked = left(
        "I take metformin 500 mg.", "I take ramipril 5 mg.", "I'm off ramipril, I'm on losartan 50 mg now."
    )
    assert after == {"User takes metformin 500 mg.", "User takes losartan 50 mg."}
    assert asked == 0


def test_three_medicines_of_one_message_do_not_contradict_each_other():
    assert left("I take methotrexate and folic acid and losartan.")[1] == 0


@table(
    "said",
    [
        "I took 10 mg of ramipril today by mistake.",
        "My doctor may put me up to 10 mg of ramipril.",
        "I accidentally took 10 mg ramipril this morning.",
        "The nurse may have to raise my ramipril to 10 mg.",
    ],
)
def test_a_dose_that_was_a_mistake_or_is_only_possible_changes_nothing(said):
    after, asked = left("I take ramipril 5 mg.", said)
    assert "User takes ramipril 5 mg." in after
    assert asked == 0


def test_the_month_of_may_hides_no_change():
    after, _ = left("I take ramipril 5 mg.", "They put my ramipril up to 10 mg in May.")
    assert "User takes ramipril 5 mg." not in after


@table(
    "said, facts",
    [
        (
            "I'm on metformin 500 mg, ramipril 5 mg and atorvastatin 20 mg.",
            {"User takes metformin 500 mg.", "User takes ramipril 5 mg.", "User takes atorvastatin 20 mg."},
        ),
        (
            "My tablets are ramipril 5 mg and bisoprolol 2.5 mg.",
            {"User takes ramipril 5 mg.", "User takes bisoprolol 2.5 mg."},
        ),
        ("my meds: ramipril 5 mg, aspirin", {"User takes ramipril 5 mg.", "User takes aspirin."}),
        ("I take metformin, 500 mg.", {"User takes metformin 500 mg."}),
        ("i take naproxen for my back, 250 twice a day", {"User takes naproxen 250 twice a day."}),
        ("doc's put me on ramipril 5mg", {"User takes ramipril 5mg."}),
        ("doc has me on naproxen 500mg twice a day", {"User takes naproxen 500mg twice a day."}),
        ("My tablets are in the drawer.", set()),
    ],
)
def test_each_medicine_of_a_list_is_learned_with_its_dose(said, facts):
    assert facts <= left(said)[0]
    assert len([one for one in left(said)[0] if one.startswith("User takes")]) == len(facts)


@table("said", ["naproxen's 250mg now", "naproxen is now 250 mg", "My naproxen's 250 mg from today."])
def test_a_medicine_with_another_dose_now_ends_the_old_dose(said):
    after, asked = left("I take naproxen 500mg.", said)
    assert "User takes naproxen 500mg." not in after
    assert any("naproxen 250" in one for one in after)
    assert asked == 0


def test_a_medicine_that_is_over_says_nothing_of_the_illness():
    after, asked = left("I have asthma, my doctor has me on ventolin.", "I stopped the ventolin.")
    assert "User has asthma." in after
    assert asked == 0


def test_an_illness_that_the_message_names_is_asked_about():
    assert left("I have diabetes.", "Off metformin: the diabetes is in remission!")[1] == 1


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("I take ramipril 5mg in the morning.", "Ramipril has been stopped."),
        ("I take ramipril 5mg in the morning.", "ramiprils been stopped"),
        ("I'm on sertraline 50mg.", "off the sertraline now"),
        ("I take lisinopril.", "I came off lisinopril in the spring."),
        ("My mum takes gliclazide 40mg in the mornings.", "mum's off the gliclazide now"),
        ("My dad takes warfarin.", "Dad's warfarin was discontinued."),
    ],
)
def test_a_medicine_that_is_stopped_is_taken_no_more(before, said):
    _, (over,), _ = learned(before, said)
    assert "take" in over or "is on" in over


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("I take aspirin.", "Aspirin was stopped for the op."),
        ("I take metformin.", "the doctor said metformin should never be stopped suddenly"),
        ("I take sertraline.", "my sister is off the sertraline now"),
        ("My mum takes ramipril.", "I'm off the ramipril now"),
        ("I take sertraline.", "has the sertraline been stopped?"),
        ("I take warfarin.", "They stopped the bleeding but I still take warfarin."),
        ("My mum takes gliclazide.", "Gliclazide has been stopped."),
    ],
)
def test_what_is_not_said_to_be_over_for_them_goes_on(before, said):
    assert learned(before, said)[1] == set()


@table(
    "known, said, fact",
    [
        (
            "On metformin 500 mg morning and evening.",
            "Metformin goes up to 1000 mg twice a day, the nurse was strict.",
            "User takes Metformin 1000 mg twice a day.",
        ),
        (
            "I take sertraline 50 mg in the morning.",
            "sertraline is 100 mg once a day",
            "User takes sertraline 100 mg once a day.",
        ),
        ("I take ramipril 5 mg.", "ramipril is down to 2.5 mg", "User takes ramipril 2.5 mg."),
        (
            "I take amlodipine 5 mg.",
            "The walk was lovely. And amlodipine moved up to 10 mg once a day.",
            "User takes amlodipine 10 mg once a day.",
        ),
    ],
)
def test_a_plain_later_dose_ends_the_one_before(known, said, fact):
    assert left(known, said) == ({fact}, 0)


@pytest.mark.parametrize(
    "said",
    [
        "aspirin is 75 mg a day normally",
        "my mum's metformin went up to 1000 mg twice a day",
        "if metformin goes up to 1000 mg I will be sick",
        "metformin costs 5 euro a day",
        "My mum saw the doctor. Metformin 1000 mg every morning for her.",
    ],
)
def test_a_dose_in_general_or_of_others_is_not_the_speakers(said):
    held, asked = left("I take metformin 500 mg.", said)
    assert ({one for one in held if " takes " in one}, asked) == ({"User takes metformin 500 mg."}, 0)


def test_the_next_sentence_may_name_another_medicine_without_a_verb():
    (first, second) = extract_facts(
        [Turn(text="Metformin goes up to 1000 mg twice a day. And ramipril 5 mg in the morning, for it.")]
    )
    assert (first.object, second.text) == ("1000 mg", "User takes ramipril 5 mg in the morning.")
