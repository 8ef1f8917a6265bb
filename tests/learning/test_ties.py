"""What somebody named does ends that they are what they are to the user only where it ends just that."""

from tests.learning.test_whose import changed
from tests.tables import table


@table(
    "known, said",
    [
        ("My brother is called Stan.", "Stan quit his job."),
        ("My brother is called Stan.", "Stan moved to Spain."),
        ("My daughter is called Kerry.", "kerry has moved to shipley"),
        ("We have two kids, Ben and Sue.", "Ben moved to Leeds."),
        ("My dog is called Rex.", "Rex got over his cold."),
        ("My dog is called Rex.", "Rex is off his food."),
        ("My sister is Ines.", "Ines moved out of her flat."),
        ("My friend Terry lives next door.", "Terry sold his car."),
        ("My friend Terry lives next door.", "Terry gave up smoking."),
        ("My carer is called Bev.", "Bev moved house."),
        ("My son Jake is 19.", "Jake dropped out of college."),
        ("My neighbour is called Frank.", "Frank quit smoking."),
        ("My boss is called Rita.", "Rita's secretary has left."),
        ("I have two brothers, Liam and Sean.", "Sean gave up drinking."),
        ("My neighbour Carol has a dog.", "Carol sold her car."),
        ("My daughter is called Alma.", "Alma isn't breastfed anymore."),
        ("My partner is Joris.", "Joris isn't tired anymore."),
        ("My friend is called Noor.", "Noor is no longer vegetarian."),
        ("I swim with Noor on Mondays.", "Noor quit smoking."),
        ("I swim with Noor on Mondays.", "Noor closed her shop."),
        ("I swim with Noor on Mondays.", "Noor ran off to catch her train."),
    ],
)
def test_who_somebody_is_stays_whatever_they_do(known, said):
    assert changed([known], [said]) == (set(), set())


@table(
    "known, said",
    [
        ("My manager is called Sam.", "Sam moved to Accounts."),
        ("My teacher is called Mrs Shaw.", "Mrs Shaw moved to Hull."),
        ("My appointment with Dr Okafor is on 12 June.", "Dr Okafor moved to Leeds."),
        ("I have two cats, Mia and Tom.", "Sadly Tom died yesterday."),
        ("I swim with Noor on Mondays.", "Noor moved to Antwerp."),
    ],
)
def test_what_may_end_it_ends_nothing_by_itself(known, said):
    assert changed([known], [said])[0] == set()


@table(
    "known, said",
    [
        ("My dog is called Rex.", "Rex died last night."),
        ("I have a cat called Gizmo.", "We had to say goodbye to Gizmo."),
        ("I have a flatmate called Olu.", "Olu moved out."),
        ("My boss is called Rita.", "Rita retired."),
        ("My boss is called Rita.", "Rita isn't my boss any more."),
        ("My boss is called Rita.", "Rita no longer works with us."),
        ("My partner is Joris.", "Joris and I aren't together anymore."),
        ("We have a cleaner called Ewa.", "We let Ewa go."),
        ("I have a boyfriend called Sam.", "Sam dumped me."),
        ("I have two cats, Mia and Tom.", "Tom died yesterday."),
        ("My neighbour is called Carol.", "Carol moved away."),
    ],
)
def test_a_death_a_parting_and_leaving_the_role_end_it_or_are_asked_about(known, said):
    ended, asked = changed([known], [said])
    assert ended or asked


@table("known, said", [("My boss smokes.", "My boss lives in Derby.")])
def test_what_is_told_of_a_boss_is_no_other_boss(known, said):
    assert changed([known], [said]) == (set(), set())
