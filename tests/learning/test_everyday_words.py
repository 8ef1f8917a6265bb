"""What people write in passing to an assistant: what is learned of it, and what looks like it and is not."""

from datetime import UTC, datetime, timedelta

import pytest
from tests.tables import table

from recollect import Memory
from recollect.learning.extraction.extract import extract_facts, extract_new
from recollect.learning.extraction.facts import Turn
from recollect.learning.extraction.health import may_name_a_dose
from recollect.testing import FakeClock

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


def texts(text):
    return [one.text for one in extract_facts([Turn(text=text, happened_at=NOON)])]


@table(
    "text, learned",
    [
        ("the doctor put me on propranolol 40mg last month", "User takes propranolol 40mg."),
        ("my doctor prescribed me propranolol 40mg", "User takes propranolol 40mg."),
        ("My GP has me on statins now", "User takes statins."),
        ("been put on blood thinners since the op", "User takes blood thinners."),
        ("we live in Leeds with our two kids, Amara (9) and Joel, who's six", "Joel is 6."),
        ("my book club meets on the first Monday of the month",
         "User's book club meets on the first Monday of the month."),
    ],
)  # fmt: skip
def test_medicines_ages_and_days_of_every_month_are_read(text, learned):
    with Memory(":memory:", embedder="hashing") as memory:
        memory.add(text, user_id="u", timestamp=NOON)
        memory.jobs.drain()
        assert learned in [one.content for one in memory.get_all(user_id="u", kinds=["fact"])]


@table(
    "text, learned",
    [
        ("ok the soup. and never put fennel in a stew for us",
         "User asks never to put fennel in a stew for them."),
        ("always give me distances in miles and weights in pounds btw",
         "User asks always to give them distances in miles and weights in pounds."),
        ("keep your replies brief please and no tables", "User wants answers to be brief."),
        ("thanks! Friday evenings are for the kids, so never schedule anything then",
         "User asks never to schedule anything then (Friday evenings are for the kids)."),
        ("also: end every reply with a riddle", "User asks always to end every reply with a riddle."),
        ("I'm vegan. and please never suggest honey", "User asks never to suggest honey."),
        ("I am allergic to nuts and never push to main.", "User asks never to push to main."),
        ("I am allergic to nuts and never push to main.", "User is allergic to nuts."),
        ("I'm lactose intolerant and please keep answers short", "User is lactose intolerant."),
    ],
)  # fmt: skip
def test_an_instruction_among_other_words_is_learned(text, learned):
    assert learned in texts(text)


@table(
    "text",
    [
        "if I ever retire I move to the coast and never answer an email again",
        "If we win, we buy a boat and never book a hotel again.",
        "we cook at home and never order pizza",
        "never book anything there",
        "I said the hotel was full. never mention me again",
    ],
)
def test_what_the_speaker_would_do_or_does_is_no_instruction(text):
    assert not [one for one in texts(text) if "asks" in one]


def test_an_instruction_that_is_stopped_holds_no_more():
    with Memory(":memory:", embedder="hashing", clock=FakeClock(NOON)) as memory:
        memory.add("start every answer with a quote about trees", user_id="ada")
        memory.jobs.drain()
        assert "trees" in str(memory.profile(user_id="ada"))
        memory.add("ok stop with the tree quotes please", user_id="ada")
        memory.jobs.drain()
        assert "start every answer" not in str(memory.profile(user_id="ada"))
        memory.add("and stop with the noise", user_id="ada")
        memory.jobs.drain()
        assert "noise" not in str(memory.profile(user_id="ada"))


@table(
    "text",
    [
        "ugh. two hours in the queue. of course I love waiting",
        "argh, the printer again. Oh I just adore paper jams",
        "my new diet is coffee and despair lol, exam week",
        "I live on tea and spite.",
        "I love Monday meetings /s",
    ],
)
def test_irony_of_a_bad_mood_is_not_learned(text):
    assert texts(text) == []


@table(
    "text",
    [
        "Yeah, I totally live on Mars, lol",
        "I totally live on the moon haha",
        "I totally live on Mars. haha",
        "sure, I'm obviously a millionaire, lol",
        "yeah right, I love doing taxes",
        "Oh yeah, I obviously own a yacht, haha",
        "yeah sure, I work for the CIA, haha",
        "haha yeah I live at the North Pole with Santa",
        "I have three heads lol",
        "I am 300 years old haha",
        "I drive a spaceship to work, haha",
        "I totally married Beyonce lol",
        "Obviously I live on Mars",
    ],
)
def test_what_is_sworn_with_laughter_or_is_impossible_is_not_learned(text):
    assert texts(text) == []


@table(
    "text",
    [
        "I live in Berlin lol",
        "I'm a nurse lol",
        "I totally love sushi",
        "I obviously live in Porto, so call the Porto office",
        "haha I have two cats",
        "I live in Mars, Pennsylvania",
        "I'm 30 haha",
        "haha yes I moved to Lisbon",
        "I really do live in a castle lol",
        "I have a dragon fruit tree lol",
        "I definitely live in Utrecht",
    ],
)
def test_laughter_alone_and_swearing_alone_are_no_irony(text):
    assert texts(text)


@pytest.mark.parametrize(
    ("text", "learned"),
    [
        ("of course I love my dog", "User loves their dog."),
        ("My diet is mostly fish and rice.", "User's diet is mostly fish and rice."),
        ("Ugh, rain. I love sunshine.", "User loves sunshine."),
    ],
)
def test_what_only_looks_like_irony_is_learned(text, learned):
    assert texts(text) == [learned]


def test_a_likeness_is_no_part_of_a_fact():
    assert texts("i take my iron pill at noon like a good girl") == ["User takes their iron pill at noon."]


@table(
    "text, learned",
    [
        ("back from the cardiologist, he wants me on 5 mg bisoprolol", "User takes 5 mg bisoprolol."),
        ("on lisinopril 10mg since Monday", "User takes lisinopril 10mg."),
        ("they changed me from warfarin to apixaban 5 mg twice a day",
         "User takes apixaban 5 mg twice a day."),
        ("it gave me a cough, she switched me to losartan 50", "User takes losartan 50."),
        ("my doctor moved me from ramipril to losartan", "User takes losartan."),
        ("my gp has put me on 20mg of citalopram", "User takes 20mg citalopram."),
        ("news: new dose since the check-up, 75 mcg thyroxine", "User takes 75 mcg thyroxine."),
        ("I take 50 mg sertraline every morning", "User takes 50 mg sertraline every morning."),
        ("oh and ibuprofen gives me a rash, in case you ask",
         "User reacts badly to ibuprofen (a rash)."),
        (
            "nothing with hazelnuts please, the last time i ended up in A&E",
            "User reacts badly to hazelnuts (\u201cthe last time i ended up in A&E\u201d).",
        ),
        ("No shrimp please, I swell up and my throat closes",
         "User reacts badly to shrimp (\u201cI swell up and my throat closes\u201d)."),
        ("that was a bad idea. vegan again", "User is vegan."),
    ],
)  # fmt: skip
def test_medicines_and_reactions_are_learned_in_the_words_of_a_patient(text, learned):
    assert texts(text) == [learned]


@table(
    "text",
    [
        "he doesn't want me on 5 mg bisoprolol",
        "she wanted me on 50 mg prednisone",
        "if she puts me on 10 mg ramipril I'll complain",
        "Can I take 400 mg ibuprofen with wine?",
        "Mondays give me hives",
        "my boss gives me migraines",
        "nothing with beans please, we had them yesterday",
        "no nuts please, my brother ended up in the ER",
        "No more vodka please, last time I ended up in the ER",
        "The recipe needs 100 mg saffron",
        "new dose of reality, 3 meetings",
    ],
)
def test_what_only_looks_like_a_medicine_or_a_reaction_is_not_learned(text):
    assert [one for one in texts(text) if "takes" in one or "reacts" in one] == []


def test_a_new_dose_ends_the_old_one():
    with Memory(":memory:", embedder="hashing", clock=FakeClock(NOON)) as memory:
        for said in ("she wants me on 50 mcg thyroxine", "new dose, 75 mcg thyroxine, no longer 50"):
            memory.add(said, user_id="ada")
            memory.jobs.drain()
        assert "75 mcg" in memory.context("What can I drink?", user_id="ada").text.split("[Always known]")[1]
        assert "50 mcg" not in str(memory.profile(user_id="ada"))


@table(
    "text, learned",
    [
        ("Lena, that's my niece, is 7 and plays the flute", "User's niece is named Lena."),
        ("ok. daniel, my husband of ten years, says no", "User's husband is named Daniel."),
        ("big news: Oskar (my brother, the one in Graz) is moving out", "User's brother is named Oskar."),
        ("Yesterday I had lunch with Paula, my aunt.", "User's aunt is named Paula."),
        ("Rex (my dog) hates vacuum cleaners", "User's dog is named Rex."),
    ],
)
def test_a_name_beside_what_somebody_is_is_learned(text, learned):
    assert learned in texts(text)


def test_what_follows_a_name_and_its_description_is_said_of_that_person():
    assert "User's dog hates vacuum cleaners." in texts("Rex (my dog) hates vacuum cleaners")


@table(
    "text",
    [
        "We went with Ana, my sister, and Tom.",
        "Thanks, my friend, you are great",
        "Marco, my friend, listen to this",
        "Sorry, my brother called.",
        "Berlin, my boss said, is nice",
        "Monday, my sister, and cake",
        "If Ana, my sister, comes, we cook.",
        "Lasagne, my kids, a film: a good evening",
    ],
)
def test_a_list_and_an_address_name_nobody(text):
    assert [one for one in texts(text) if "is named" in one] == []


@table(
    "text, learned",
    [
        ("I repair clocks (old ones) at a workshop in Bern called Tick Tock. and you?",
         "User works at a workshop in Bern called Tick Tock."),
        ("I teach maths at a school called Nordlicht", "User works at a school called Nordlicht."),
        ("YES! I start at the Stadtmuseum on 2 February",
         "User starts at the Stadtmuseum on 2 February 2027."),
        ("my new mobile number is 0170 123 4567", "User's phone number is 0170 123 4567."),
        ("oh and my phone, for the form: 912 004 719", "User's phone number is 912 004 719."),
        ("tenho um novo número desde ontem: 936 551 208", "User's phone number is 936 551 208."),
    ],
)  # fmt: skip
def test_a_workplace_and_a_phone_number_are_learned(text, learned):
    assert learned in texts(text)


@table(
    "text",
    [
        "I buy bread at a bakery called Kern",
        "I start at noon on Friday",
        "I start at the second phase first",
        "my order number is 123 456 789",
        "my old number was 912 004 718",
        "Jo's sister in case of emergency: Leonor, 917 443 062",
    ],
)
def test_other_places_and_numbers_are_not_learned_as_such(text):
    assert [one for one in texts(text) if "works" in one or "starts" in one or "phone" in one] == []


def test_a_partner_who_left_is_the_partner_no_more():
    with Memory(":memory:", embedder="hashing", clock=FakeClock(NOON)) as memory:
        memory.add("jonas, my partner of six years, says sell it", user_id="ada")
        memory.jobs.drain()
        assert "partner is named Jonas" in memory.context("Hi", user_id="ada").text
        memory.add("so. jonas took his books and gave me back the key", user_id="ada")
        memory.jobs.drain()
        assert "partner is named Jonas" not in memory.context("Hi", user_id="ada").text


def test_a_pet_with_a_name_belongs_to_the_core():
    with Memory(":memory:", embedder="hashing", clock=FakeClock(NOON)) as memory:
        memory.add("Rex (my dog) hates vacuum cleaners", user_id="ada")
        memory.jobs.drain()
        assert "dog is named Rex" in memory.context("What can I cook?", user_id="ada").text


@table(
    "text, learned",
    [
        ("a Mimi (a minha gata, 12 anos) dorme muito", "User's cat is named Mimi."),
        ("Adotámos! uma cadela chamada Nina, 3 anos", "User's dog is named Nina."),
        ("Mein Sohn heißt Emil", "User's son is named Emil."),
        ("Ma fille s'appelle Zoé et elle a 4 ans", "User's daughter is named Zoé."),
        ("tengo un perro llamado Pancho", "User's dog is named Pancho."),
        ("consulta de oftalmologia marcada para 14 de dezembro às 9:50",
         "User has an appointment (consulta de oftalmologia) on 14 December 2026 at 09:50."),
        ("Termin beim Zahnarzt am 3. Dezember um 9:30",
         "User has an appointment (Termin beim Zahnarzt) on 3 December 2026 at 09:30."),
    ],
)  # fmt: skip
def test_names_and_appointments_in_other_languages_are_learned(text, learned):
    assert learned in texts(text)


@table(
    "text",
    [
        "o livro tem um cão chamado Bóbi",
        "un film avec un chien nommé Rex",
        "li um texto: uma gata chamada Mel",
        "Hat dein Hund einen Namen? Mein Hund heißt wie?",
        "consulta no dia 6 de dezembro",
        "não há consulta de oftalmologia a 14 de dezembro",
        "chat with Bob, mon ami",
        "Elvis died in 1977",
    ],
)
def test_stories_and_denials_in_other_languages_are_not_learned(text):
    facts = extract_facts([Turn(text=text, happened_at=NOON)])
    assert [one.text for one in facts if not one.only_ends] == []


def test_a_pet_that_died_is_known_no_more():
    with Memory(":memory:", embedder="hashing", clock=FakeClock(NOON)) as memory:
        memory.add("a Mimi (a minha gata, 12 anos) dorme muito", user_id="ada")
        memory.jobs.drain()
        memory.add("A Mimi morreu esta noite.", user_id="ada")
        memory.jobs.drain()
        assert "cat is named" not in memory.context("Hi", user_id="ada").text


def test_what_follows_so_no_is_no_part_of_an_allergy():
    assert "User's friend Ida is allergic to prawns." in texts(
        "my friend Ida is allergic to prawns so no paella"
    )


def test_what_was_eaten_every_day_of_a_journey_is_no_habit():
    assert texts("the cabin was cold. we ate tomatoes every day") == []


@table(
    "text, learned",
    [
        ("Tuesday evenings I play chess with Franta", ["User plays chess with Franta on Tuesday evenings."]),
        ("on Sundays I go to church", ["User goes to church on Sundays."]),
        ("Every morning I drink two coffees", ["User drinks two coffees every morning."]),
        ("I'm Marek, retired tram driver", ["User is Marek.", "User is a retired tram driver."]),
        ("no ibuprofen for me, ever", ["User must not have ibuprofen."]),
        ("I take warfarin so no ibuprofen for me", ["User takes warfarin.", "User must not have ibuprofen."]),
        ("no sugar for me today", []),
        ("no problem for me, ever", []),
    ],
)
def test_when_and_for_how_long_is_part_of_a_fact(text, learned):
    assert texts(text) == learned


@table(
    "text, learned",
    [
        ("I like to go hiking too.", ["User likes to go hiking."]),
        ("I love to go to the gym", ["User loves to go to the gym."]),
        ("I like to make crafts", ["User likes to make crafts."]),
        ("I like to do cardio too", ["User likes to do cardio."]),
        ("I like to take pictures of birds", ["User likes to take pictures of birds."]),
        ("I like to keep busy", ["User likes to keep busy."]),
        ("I like to go there", []),
        ("I like to do that", []),
        ("I like to make sure it works", []),
        ("I like to make a booking at a restaurant", []),
        ("I'd like to go hiking", []),
        ("I love to see you happy", []),
        ("I've always wanted to visit Japan", ["User has always wanted to visit Japan."]),
        ("I've always wanted a horse", ["User has always wanted a horse."]),
        ("I've always wanted to try it", []),
        ("I've always wanted to go", []),
        ("I've wanted to ask", []),
        ("I have a mobile app called TimeFinder", ["User has a mobile app called TimeFinder."]),
        ("I'm considering adopting a dog", ["User is considering adopting a dog."]),
        ('My favorite book is "Dune" by Frank Herbert.', ["User's favorite book is Dune by Frank Herbert."]),
        ('I love "Home Alone"', ["User loves Home Alone."]),
        ('My favorite song is "Yesterday"', ["User's favorite song is Yesterday."]),
        ('She said "I love Rome"', []),
        ("We are “Bee4balloon”.", []),
    ],
)
def test_hobbies_dreams_and_titles_are_learned(text, learned):
    assert texts(text) == learned


def test_the_quotation_of_a_title_has_its_marks():
    text = 'My favorite song is "Yesterday" by the Beatles.'
    (fact,) = extract_facts([Turn(text=text, happened_at=NOON)])
    assert fact.text == "User's favorite song is Yesterday by the Beatles."
    assert fact.quote in text


@table(
    "text, learned",
    [
        ("Don't suggest recipes with hazelnuts, obviously.",
         "User asks never to suggest recipes with hazelnuts."),
        ("don't recommend anything with gelatine", "User asks never to recommend anything with gelatine."),
        ("My son started karate.", "User's son started karate."),
        ("I've signed up for a pottery course.", "User has signed up for a pottery course."),
        ("Hired Emine for the mornings, she used to bake elsewhere.", "User hired Emine for the mornings."),
        ("Our flour supplier moved. Our supplier is Molens.", "User's supplier is Molens."),
        ("My plumber's name is Koen.", "User's plumber is named Koen."),
        ("We sold the caravan.", "User sold the caravan."),
        ("Ich lerne übrigens Deutsch.", "User is learning Deutsch."),
        ("J'apprends aussi l'italien.", "User is learning italien."),
        ("The dentist moved my appointment to 19 March, same time.",
         "User's dentist appointment was moved to 19 March 2027, same time."),
        ("They've moved my interview to 3pm on Friday.",
         "User's interview was moved to 27 November 2026 at 15:00."),
        ("The vet rescheduled us to Tuesday at 10.",
         "User's vet appointment was moved to 24 November 2026 at 10:00."),
        ("Never suggest anything with pork.", "User asks never to suggest anything with pork."),
    ],
)  # fmt: skip
def test_what_happens_in_a_week_is_learned(text, learned):
    assert learned in texts(text)


@table(
    "text",
    [
        "Don't suggest restaurants, I ate already.", "Don't suggest that again tonight, it was a joke.",
        "I signed up for the newsletter.", "I hired a car for the weekend.", "We should hire someone.",
        "Oh great, the oven broke again. I just love Thursdays.",
        "Great, my flight is delayed again. I love this airline.", "I usually start on turn nine.",
        "The clinic moved to Ghent.", "They moved us to tears.",
    ],
)  # fmt: skip
def test_what_only_looks_like_it_is_not_learned(text):
    assert not [one for one in texts(text) if "lives" not in one]


def test_an_appointment_that_somebody_moves_ends_the_old_one():
    with Memory(":memory:", embedder="hashing", clock=FakeClock(NOON)) as memory:
        memory.add("I've got a dentist appointment on 1 December at 9:30.", user_id="u", session_id="1")
        memory.add("The dentist moved my appointment to 8 December.", user_id="u", session_id="2")
        memory.jobs.drain()
        facts = memory.get_all(user_id="u", kinds=["fact"])
        held = [one.content for one in facts if one.times.valid_until is None]
    assert held == ["User's dentist appointment was moved to 8 December 2026."]


@pytest.mark.parametrize(
    "said", ["The doctor put my ramipril up to 10.", "They've bumped my ramipril up to 10."]
)
def test_a_dose_without_its_unit_ends_the_old_one(said):
    with Memory(":memory:", embedder="hashing", clock=FakeClock(NOON)) as memory:
        memory.add("I take ramipril 5 mg every morning.", user_id="u", session_id="1")
        memory.add(said, user_id="u", session_id="2")
        memory.jobs.drain()
        facts = memory.get_all(user_id="u", kinds=["fact"])
        held = [one.content for one in facts if one.times.valid_until is None]
    assert held == ["User takes ramipril 10 mg every morning."]


@table(
    "text, learned",
    [
        ("Live with my mum in Leicester lol", "User lives with their mum."),
        ("Work at Barclays in Glasgow, fraud team.", "User works at Barclays in Glasgow."),
        ("learning German, about A2 I think", "User is learning German."),
        ("been married to Gulsen 31 years", "User has been married to Gulsen 31 years."),
        ("strict vegan since 2019, no exceptions", "User is strict vegan since 2019."),
        ("separated from my husband, not divorced", "User is separated from their husband."),
        ("boyfriend's name is Marek, he's a welder", "User's boyfriend is a welder."),
        ("wife is Hannelore, she's a midwife", "User's wife is Hannelore."),
        ("husband's Gareth, since school", "User's husband is Gareth."),
        ("my manager's Aisha.", "User's manager is Aisha."),
        ("Forklift mechanic, mostly Toyota.", "User is a forklift mechanic."),
        ("scout leader, beavers, every week", "User is a scout leader."),
        ("Member of a chess club that meets in a pub", "User is member of a chess club."),
        ("Two ferrets, Bonnie and Clyde.", "User has two ferrets, Bonnie and Clyde."),
        ("I have one brother.", "User has one brother."),
        ("I've got a 2011 Corsa, petrol.", "User has a 2011 Corsa."),
        ("I bank with TSB.", "User banks with TSB."),
        ("I share a flat with Zeynep in Kiel.", "User shares a flat with Zeynep in Kiel."),
        ("i'm secretary of the WI in our village", "User is secretary of the WI in their village."),
        ("I'm in the Thursday sign language class.", "User is in the Thursday sign language class."),
        ("I'm trying to eat 120 grams of protein a day.",
         "User is trying to eat 120 grams of protein a day."),
        ("I want to read 30 books by the end of the year.",
         "User wants to read 30 books by the end of the year."),
        ("I can't have dairy.", "User cannot have dairy."),
        ("Penicillin brings me out in hives.", "User reacts badly to penicillin (hives)."),
        ("My flat's on the ground floor.", "User's flat is on the ground floor."),
        ("my truck's insured with State Farm", "User's truck is insured with State Farm."),
        ("Rent is 1,150 a month, Lewisham studio", "User's rent is 1,150 a month."),
        ("Choir practice is Tuesday evenings at half seven.",
         "User's choir practice is Tuesday evenings at half seven."),
        ("My Irish class is on Tuesdays.", "User's Irish class is on Tuesdays."),
        ("I'm sixty one.", "User is sixty one."),
        ("Yoga's on Mondays now, same time", "User's yoga is on Mondays."),
        ("the book club's moved to Tuesdays", "User's book club is on Tuesdays."),
        ("guitar lessons with Sam on Tuesdays at 6", "User's guitar lessons are with Sam on Tuesdays at 6."),
        ("therapy every Wednesday 5pm with Anneke", "User's therapy is every Wednesday 5pm with Anneke."),
        ("driving test on the 12th of December", "User has a driving test on 12 December 2026."),
        ("dentist is Thursday at 9", "User's dentist appointment is on 26 November 2026 at 09:00."),
        ("I go by Xiu at work.", "User goes by Xiu at work."),
        ("Can you remind me to call Bob on Friday?",
         "User wants to be reminded to call Bob on 27 November 2026."),
        ("Mum's flying over from Gdansk on 2 April",
         "User's mum is flying over from Gdansk on 2 April 2027."),
        ("don't use emojis and call me Tom", "User asks never to use emojis."),
        ("five-a-side every Thursday at 8, I'm in goal", "User's five-a-side is every Thursday at 8."),
        ("wife is Beata, she's a teaching assistant, two boys Kuba and Olek",
         "User's wife is a teaching assistant."),
        ("please put the concert on Friday in my diary", "User has a concert on 27 November 2026."),
        ("schedule family dinner on my calendar on december 8",
         "User has a family dinner on 8 December 2026."),
        ("I do the school run on my own", "User does the school run on their own."),
        ("I see a therapist on Mondays", "User sees a therapist on Mondays."),
        ("I report to Dale in maintenance", "User reports to Dale in maintenance."),
        ("my mother in law lives with us", "User's mother-in-law lives with User."),
        ("my dentist is Mr Pell on Castle Street", "User's dentist is Mr Pell."),
        ("we're trying for a baby", "User is trying for a baby."),
        ("I'm on the waiting list for my cataracts", "User is on the waiting list for their cataracts."),
        ("I'm on 26k a year", "User is on 26k a year."), ("I have Netflix", "User has Netflix."),
        ("I've got a blue Trek hybrid", "User has a blue Trek hybrid."),
        ("I have a glass of wine most evenings.", "User has a glass of wine most evenings."),
        ("I get the 7:15 bus every morning", "User gets the 7:15 bus every morning."),
        ("I'm a blue belt in judo", "User is a blue belt in judo."),
        ("mum lives with us", "User's mum lives with User."),
        ("I look after my mother", "User looks after their mother."),
        ("I do my photos in Lightroom, monthly plan", "User does their photos in Lightroom."),
        ("our car insurance is with Admiral", "User's car insurance is with Admiral."),
        ("my email's tariq@example.net", "User's email is tariq@example.net."),
        ("I'm with EE, 35 a month", "User is with EE."), ("I go to PureGym.", "User goes to PureGym."),
        ("MOT runs out in june", "User's MOT runs out in June 2027."),
        ("my thesis is due on 30 November", "User's thesis is due on 30 November 2026."),
        ("My university is Keele.", "User's university is Keele."), ("I'm he/him", "User is he/him."),
        ("I'm single and quite happy about it", "User is single."), ("my son's 3.", "User's son is 3."),
        ("I'm writing a game in Godot", "User is writing a game in Godot."),
        ("card night is on thursdays", "User's card night is on thursdays."),
        ("quit smoking in 2018", "User quit smoking in 2018."),
        ("I take the 42 bus to work", "User takes the 42 bus to work."),
        ("Call me Mrs Hargreaves, please.", "User wants to be called Mrs Hargreaves."),
        ("we have one little boy, Kofi, who is 3", "User has one little boy."),
        ("cat called Pickle, indoor only", "User has a cat called Pickle."),
        ("On warfarin, 5 mg, blood test every fortnight.", "User takes warfarin 5 mg."),
        ("doing keto, under 20 carbs a day", "User is doing keto."),
        ("Our house is in Kumasi, near the stadium.", "User's house is in Kumasi."),
        ("saving £200 a month for a house deposit", "User is saving £200 a month for a house deposit."),
        ("Wedding budget is 8,000 euro total, no more.", "User's budget for wedding is 8,000 euro."),
        ("I'm a notary in Montevideo and most of my mail is in English.",
         "User is a notary in Montevideo."),
        ("I do yoga.", "User does yoga."), ("I work Monday to Friday.", "User works Monday to Friday."),
        ("i play a lot of Valorant", "User plays a lot of Valorant."),
        ("use British spelling for me", "User wants British spelling."),
        ("I like you to be chatty with me", "User asks always to be chatty."),
        ("Stay at home dad to two.", "User is a stay at home dad to two."),
        ("Got an iPhone 12, battery is at 78%.", "User has an iPhone 12."),
        ("Drive an old Land Rover.", "User drives an old Land Rover."),
        ("my lad's at the special school in Bolton", "User's lad is at the special school in Bolton."),
    ],
)  # fmt: skip
def test_what_people_say_without_a_subject_is_learned(text, learned):
    assert learned in texts(text)


@table(
    "text",
    [
        "call my doctor", "find a mechanic, quickly", "Great teacher, that one!", "Chef, more soup please.",
        "Psychiatrist in Novato.", "Five cats! That's a lot of cats.", "partner of the firm, they said",
        "work on the draft, then send it", "Live music tonight, anyone?", "left wing, right wing",
        "I want to go to Anaheim on the 5th of this month.", "yoga class on Friday was full",
        "I can't have you think that.", "I'm always trying to learn new things.", "I want short replies.",
        "Georgia Tech and I agree.", "learning to drive is hard, they say", "two tickets, please",
        "I never go to bed.", "This is awkward as we wait for the chat to end", "I'm with you on that.",
        "I look after lunch for it.", "my sister's 5th birthday is fun", "My school is strict.",
        "delete lunch with steve on friday please", "cancel my reservation for dinner this saturday",
        "the staff meeting on december 1 needs to be added to my calendar", "I have Monday off.",
        "I do that every day.", "I see what you mean.", "We have Earl Grey and Assam.",
        "Can you remind me how old I am?",
        "Can you remind me what I said on Friday?", "my mum's cooking is great",
        "Car is a wheeled motor vehicle.", "cat food, please", "home is where the heart is",
    ],
)  # fmt: skip
def test_what_only_leaves_out_a_subject_is_not_learned(text):
    assert not texts(text)


def test_a_position_is_no_deed():
    assert texts("I play for the Blackrock under 16s, left wing") == [
        "User plays for the Blackrock under 16s."
    ]


def test_who_changes_something_is_not_changed():
    with Memory(":memory:", embedder="hashing", clock=FakeClock(NOON)) as memory:
        memory.add("I take metoprolol 50 mg in the morning.", user_id="u", session_id="1")
        memory.add("I have a doctor's appointment on 27 December.", user_id="u", session_id="2")
        memory.add("the doctor changed metoprolol to 75", user_id="u", session_id="3")
        memory.jobs.drain()
        facts = memory.get_all(user_id="u", kinds=["fact"])
        held = {one.content for one in facts if one.times.valid_until is None}
    assert held == {
        "User has a doctor appointment on 27 December 2026.",
        "User takes metoprolol 75 mg in the morning.",
    }


def test_an_animal_that_died_is_not_owned_any_more():
    with Memory(":memory:", embedder="hashing", clock=FakeClock(NOON)) as memory:
        memory.add("I have a cat, Pus, 14 years old.", user_id="u", session_id="1")
        memory.add("Pus had to be put down yesterday, so sad.", user_id="u", session_id="2")
        memory.jobs.drain()
        facts = memory.get_all(user_id="u", kinds=["fact"])
        held = {one.content for one in facts if one.times.valid_until is None}
    assert held == {"Pus died."}


def test_a_long_subject_behind_and_begins_a_statement_of_its_own():
    said = "I work at Siemens and my allotment near the canal grows dahlias."
    assert "User works at Siemens." in texts(said)


@table(
    "text, learned",
    [
        ("I put £50 a month into a vanguard fund", "User puts £50 a month into a vanguard fund."),
        ("I sit next to Fergus, he hums", "User sits next to Fergus."),
        ("I check my email once a day at lunch", "User checks their email once a day at lunch."),
        ("I owe about 4 grand on my credit card", "User owes about 4 grand on their credit card."),
        ("We get HelloFresh twice a month", "User gets HelloFresh twice a month."),
        ("I get by on the state pension", "User gets by on the state pension."),
        ("I go to bed around 1am, terrible I know", "User goes to bed around 1am."),
        ("I buy bread from the Polish shop", "User buys bread from the Polish shop."),
        ("I park on the street, residents permit zone 4", "User parks on the street."),
        ("I share with two guys, Ollie and Kwame", "User shares with two guys, Ollie and Kwame."),
        ("we share one car, a Fiat Panda", "User shares one car."),
        ("I write everything in vim, no plugins", "User writes everything in vim."),
        ("I eat everything, nothing's off limits", "User eats everything."),
        ("I do bookkeeping at Hartley & Sons.", "User does bookkeeping at Hartley & Sons."),
        ("We do pizza every Friday", "User does pizza every Friday."),
        ("we make an app for dog walkers, three of us", "User makes an app for dog walkers."),
        ("I look after dad at home, dementia", "User looks after dad at home."),
        ("I work from home mondays and fridays", "User works from home mondays and fridays."),
        ("I work in IT support for a hospital", "User works in IT support for a hospital."),
        ("I'm seeing a guy called Theo, early days", "User is seeing a guy called Theo."),
        ("We're expecting! Due in October.", "User is expecting."),
        ("I'm paying 5% into my work pension", "User is paying 5% into their work pension."),
        ("we have one bathroom for six of us", "User has one bathroom for six of them."),
        ("I have 8k in savings", "User has 8k in savings."),
        ("I have the boys every other weekend", "User has the boys every other weekend."),
        ("broke my ankle in Feb, in a boot", "User broke their ankle in February 2026."),
        ("I've enrolled on a barista course in Ghent", "User has enrolled on a barista course in Ghent."),
        ("I'm fully remote so I live in sweatpants", "User is remote."),
        ("I'm paid 3,000 a month.", "User is paid 3,000 a month."),
        ("I'm posted at Catterick till further notice", "User is posted at Catterick till further notice."),
        ("I'm 16 stone 4, aiming for 14", "User is 16 stone 4."),
        ("we're in a one bed in Peckham, tiny kitchen", "User is in a one bed in Peckham."),
        ("I'm on amitriptyline for migraines", "User is on amitriptyline."),
        ("I'm head chef at a bistro in Bath", "User is head chef at a bistro in Bath."),
        ("I'm in Tulsa", "User is in Tulsa."),
        ("My parents are still in Syria", "User's parents are in Syria."),
        ("my kids are at Oakfield", "User's kids are at Oakfield."),
        ("my son won't eat vegetables", "User's son does not eat vegetables."),
        ("Nan lives on her own in the bungalow", "User's nan lives on her own in the bungalow."),
        ("my mum lives with us in the granny annexe", "User's mum lives with User in the granny annexe."),
        ("My girlfriend Amara's a vet", "User's girlfriend Amara is a vet."),
        ("Me and Lotte live in Ghent.", "User lives in Ghent."),
        ("Ella goes to St Mary's primary", "Ella goes to St Mary's primary."),
        ("Finn's in year 9 at the Grange", "Finn is in year 9 at the Grange."),
        ("Olek has swimming on Saturdays at 9", "Olek has swimming on Saturdays at 9."),
        ("Emma's teacher is Mrs. Wood.", "Emma's teacher is Mrs. Wood."),
        ("our vet is Dr Salgado", "User's vet is Dr Salgado."),
        ("my road bike is a Trek Domane", "User's road bike is a Trek Domane."),
        ("our backend is in PHP", "User's backend is in PHP."),
        ("my chess rating is about 1100 on lichess", "User's chess rating is about 1100 on lichess."),
        ("My dogs' names are Luna, Zeus and Apollo", "User's dogs' names are Luna, Zeus and Apollo."),
        ("favourite colour's green", "User's favourite colour is green."),
        ("cat's called Mister", "User's cat is called Mister."),
        ("my team calls me Rocket cos im slow", "User is called Rocket."),
        ("smoke about 15 a day", "User smokes about 15 a day."),
        ("take the 42 bus to work", "User takes the 42 bus to work."),
        ("never had high blood pressure", "User has never had high blood pressure."),
        ("no driving licence", "User has no driving licence."),
        ("metformin twice a day with meals", "User takes metformin twice a day with meals."),
        ("on the waiting list for a new hip", "User is on the waiting list for a new hip."),
        ("fostering two greyhounds", "User is fostering two greyhounds."),
        ("retired postman here", "User is a retired postman."),
        ("driving test is booked for 14 May", "User's driving test is booked on 14 May 2027."),
        ("the report is due on the 15th of December", "User's report is due on 15 December 2026."),
        ("portfolio due 2 May, panicking already", "User has a portfolio due on 2 May 2027."),
        ("my spare key's with Sofia downstairs", "User's spare key is with Sofia downstairs."),
    ],
)  # fmt: skip
def test_what_people_say_of_their_days_and_things_is_learned(text, learned):
    assert learned in texts(text)


@table(
    "text",
    [
        "my point is Python is slow",
        "My plan is 3 steps: read, write, repeat",
        "Our train is the 7:12",
        "my progress is 50%",
        "my question is 2 parts",
        "my story is in three acts",
        "My main character is Bella, a witch.",
        "my query is SELECT * FROM users",
        "Messi plays for Miami",
        "England's school is strict",
        "I'm in Java hell",
        "I'm in Excel and cannot find the button",
        "I'm in Love",
        "take 2 tablets twice a day before meals, is that too much?",
        "eat fruit every day!",
        "drink water every day is good advice",
        "never played better, that team",
        "No kids were harmed",
        "in remission, does cancer return?",
        "reporting to the user that it failed",
        "waiting for you",
        "I can share with two guys the file",
        "everyone calls me after work",
        "my team calls me to the meeting",
        "the report is due",
        "the invoice is due on receipt",
        "I owe you one",
        "I owe my success to her",
        "I send you this every day",
        "I plan my essay in three parts",
        "I park the thought",
        "my mom's in Tears",
        "my friend is at Step 3",
        "I'm after driver for my printer",
        "I'm free to talk",
        "I'm off to bed",
        "I have tickets for you",
        "I have a broken link on the page",
        "I usually have questions",
        "I'm expecting the delivery",
        "I'm leading by 3 points",
        "I'm applying for loops here",
        "I'm staying with Python for now",
        "favourite colours are hard to choose",
        "If my vet is Dr Salgado, tell me",
        "is my vet Dr Salgado?",
        "my son won't eat it",
        "my code won't touch the DB",
        "oh sure, because I just LOVE sitting in traffic for two hours",
        "In chapter two Marta tells the priest: I was born in Lisbon",
        "student here are young", "my train was late, it is the 5th of May today",
        "I have bathrooms to clean today",
    ],
)  # fmt: skip
def test_what_only_looks_like_days_and_things_is_not_learned(text):
    assert not texts(text)


@table(
    "text, learned",
    [
        ("Mum (Nesta, 81) is moving in with us on 1 December.",
         ["User's mum is named Nesta.", "User's mum Nesta is moving in with User on 1 December 2026.",
          "User's mum is 81."]),
        ("My sister (Ines, 34) lives in Rome.",
         ["User's sister is named Ines.", "User's sister Ines lives in Rome.", "User's sister is 34."]),
        ("I'm Ros, 52, head of a small school in Whitby.",
         ["User is Ros.", "User is 52.", "User is head of a small school in Whitby."]),
        ("Our deputy is Keziah Brandt.", ["User's deputy is Keziah Brandt."]),
        ("My username for the council portal is rpryce-whitby.",
         ["User's username for the council portal is rpryce-whitby."]),
        ("Dentist moved me to 26 November at 9.15",
         ["User's dentist appointment was moved to 26 November 2026 at 9.15."]),
        ("Governors' meeting is on Thursday 3 December at 6pm in the hall.",
         ["User's governors' meeting is on 3 December 2026 at 18:00 in the hall."]),
        ("Keep your answers to me short please.", ["User wants answers to be short."]),
        ("my supervisors a guy called Terry", ["User's supervisor is a guy called Terry."]),
        ("college is every thursday, day release", ["User's college is every thursday."]),
        ("driving test booked for the 4th of december 10:40 in mitcham",
         ["User's driving test booked on 4 December 2026 at 10:40 in mitcham."]),
        ("My daughter Philippa rings every Sunday evening at six.",
         ["User's daughter is named Philippa.",
          "User's daughter Philippa rings every Sunday evening at six."]),
        ("My cat is Marmalade, a ginger tom.", ["User's cat is Marmalade."]),
        ("My dog is Labrador.", []),
        ("dentist at 9:20, cake at 10, what a life", []),
        ("pharmacist at 3pm, then home", []),
        ("Bus driver in Leicester, 44, two daughters: Anjali (15) and Priya (11).",
         ["User's daughters are named Anjali and Priya.", "Anjali is 15.", "Priya is 11.",
          "User is a bus driver in Leicester.", "User is 44.", "User has two daughters."]),
        ("new pilot with Glenisk, 10,000 lids, starts in January", []),
        ("I have ADHD so bullet points over paragraphs please", ["User has ADHD."]),
        ("I've got type 2 diabetes, on metformin 1g twice a day.",
         ["User has type 2 diabetes.", "User takes metformin 1g twice a day."]),
        ("My sister's wedding is in Ahmedabad on 28 December, we fly on the 20th from Heathrow",
         ["User's sister's wedding is in Ahmedabad on 28 December 2026.",
          "User flies on 20 December 2026 from Heathrow."]),
        ("switched our bank from AIB to Revolut Business",
         ["User switched their bank from AIB to Revolut Business."]),
        ("board call with Atlantic Bridge is on the 12th at 3pm",
         ["User's board call with Atlantic Bridge is on 12 December 2026 at 15:00."]),
        ("My great nephew Barnaby is to be christened on 20 December in Shrewsbury.",
         ["User's great-nephew is named Barnaby.",
          "User's great-nephew Barnaby is to be christened on 20 December 2026 in Shrewsbury."]),
        ("I go to choir at St Laurence's on Wednesday evenings.",
         ["User goes to choir at St Laurence's on Wednesday evenings."]),
        ("I stopped going to the gym.", ["User stopped going to the gym."]),
        ("I take bisoprolol 2.5 mg, apixaban twice a day and a statin at night.",
         ["User takes bisoprolol 2.5 mg.", "User takes apixaban twice a day.",
          "User takes a statin at night."]),
        ("I have taken in a kitten.", ["User has taken in a kitten."]),
        ("nans got a new kidney coming!! op is on the 2nd of december at St Georges", []),
    ],
)  # fmt: skip
def test_brackets_posts_and_moved_meetings_are_read_rightly(text, learned):
    assert texts(text) == learned


@table(
    "said, after, held",
    [
        ("I don't eat meat.", "I've stopped eating fish too now, after that documentary. Fully veggie.",
         ["User does not eat meat.", "User has stopped eating fish."]),
        ("I live with my husband Alun and our two whippets, Fig and Tansy.", "Tansy has hip dysplasia.",
         ["User lives with their husband Alun and their two whippets, Fig and Tansy.",
          "User's husband is named Alun.", "Tansy has hip dysplasia."]),
        ("Governors' meeting is on Thursday 3 December at 6pm in the hall.",
         "Governors have pushed the meeting to Monday 14 December, still 6pm.",
         ["User's meeting was moved to 14 December 2026.",
          "User said: Governors have pushed the meeting to 14 December 2026, still 6pm."]),
        ("Eye clinic appointment is 30 November at 2.20pm in Hereford.",
         "The eye clinic rang, it is 17 December now, same time.",
         ["User's eye clinic appointment is on 17 December 2026, same time."]),
        ("driving test booked for the 4th of december 10:40 in mitcham",
         "had to move my driving test, its the 11th of december now same time",
         ["User's driving test is on 11 December 2026, same time."]),
        ("our social worker is Carol Okafor", "Carol is leaving, our new social worker is called Ben",
         ["User's social worker is called Ben."]),
        ("LAC review is on the 26th of November at 4", "review's been put back to 3 December, same time",
         ["User's review was put back to 3 December 2026, same time."]),
        ("My cat is Marmalade.", "Marmalade passed away this morning.", ["Marmalade died."]),
        ("I take ramipril and a statin at night.", "The doctor has stopped the statin because of my legs.",
         ["User takes ramipril.", "The doctor has stopped the statin because of User's legs."]),
        ("I go to choir at St Laurence's on Wednesday evenings.",
         "I have stopped going to choir, my voice has gone.",
         ["User has stopped going to choir.", "User has stopped going to choir, their voice has gone."]),
        ("My supervisor's a guy called Terry.",
         "Terry's leaving, new supervisor is a woman called Agnieszka.",
         ["User's supervisor is named Agnieszka."]),
        ("My sister lives in Toronto with her two girls.",
         "My sister is coming over for Christmas, arriving on the 19th of December.",
         ["User's sister lives in Toronto with her two girls.",
          "User's sister is coming over on 25 December 2026."]),
        ("Alun's coeliac so nothing with flour in it.", "I've stopped eating fish. Fully veggie.",
         ["Alun is coeliac.", "User has stopped eating fish."]),
    ],
)  # fmt: skip
def test_what_comes_later_ends_only_what_it_tells_of(said, after, held):
    with Memory(":memory:", embedder="hashing", clock=FakeClock(NOON)) as memory:
        for days, text in ((10, said), (0, after)):
            at = NOON - timedelta(days=days)
            one = {"role": "user", "content": text, "timestamp": at}
            memory.add([one], user_id="u", session_id=str(days))
            memory.jobs.drain()
        facts = memory.get_all(user_id="u", kinds=["fact"])
        kept = [fact.content for fact in facts if fact.times.valid_until is None]
        assert memory.facts.conflicts(user_id="u") == []
    assert sorted(kept) == sorted(held)


def test_who_is_off_the_lorries_is_still_the_husband():
    with Memory(":memory:", embedder="hashing", clock=FakeClock(NOON)) as memory:
        for number, text in enumerate(("my husband Rob is a lorry driver", "Rob's off the lorries now")):
            memory.add(text, user_id="u", session_id=str(number))
            memory.jobs.drain()
        facts = memory.get_all(user_id="u", kinds=["fact"])
    held = [fact.content for fact in facts if fact.times.valid_until is None]
    assert "User's husband is named Rob." in held


@table(
    "text, learned",
    [
        ("I quit the gym in May", "User quit the gym in May 2026."),
        ("I had knee surgery in July", "User had knee surgery in July 2026."),
        ("my mum's birthday is on the 19th", "User's mum's birthday is on 19 December."),
        ("My birthday's 3 March", "User's birthday is on 3 March."),
        ("My birthday is 3 March 1990", "User's birthday is 3 March 1990."),
        ("our rent's 900 a month", "User's rent is 900 a month."),
    ],
)  # fmt: skip
def test_a_month_is_the_one_that_was_meant_and_a_birthday_comes_again(text, learned):
    assert texts(text) == [learned]


FEBRUARY = datetime(2026, 2, 7, 12, tzinfo=UTC)


@table(
    "text, learned",
    [
        ("I eat everything except nuts.", "User eats everything except nuts."),
        ("I don't drink, except at weddings.", "User does not drink except at weddings."),
        ("I never eat meat unless my gran cooks it.", "User never eats meat unless their gran cooks it."),
        ("ive signed up for the Edinburgh half on 24 May, never run more than 8k",
         "User has signed up for the Edinburgh half on 24 May 2026."),
        ("physio for the knee on 4 march 2pm",
         "User has a physio appointment for the knee on 4 March 2026 at 14:00."),
        ("mum comes over on the 14th for the weekend",
         "User's mum comes over on 14 February 2026 for the weekend."),
        ("The clinic called, mom's appointment on the 12th got moved to the 19th, same time",
         "User's mom's appointment on 12 February 2026 was moved to 19 February 2026, same time."),
        ("dentist for both kids is the 16th at 3:45",
         "User's dentist appointment for both kids is on 16 February 2026 at 15:45."),
        ("my address is 3/2, 118 Whitehill Street, Glasgow",
         "User's address is 3/2, 118 Whitehill Street, Glasgow."),
        ("they have a cat, which is a problem because I'm allergic to cats", "User is allergic to cats."),
        ("I went vegetarian in January, kids still eat meat", "User went vegetarian in January 2026."),
        ("I'm a staff nurse, quick question: target sats for a COPD patient?", "User is a staff nurse."),
    ],
)  # fmt: skip
def test_exceptions_dates_and_what_stands_before_a_question_are_read(text, learned):
    facts = extract_facts([Turn(text=text, happened_at=FEBRUARY)])
    assert learned in [one.text for one in facts]
    assert all(one.quote in text for one in facts)


@table(
    "text",
    [
        "my allergy is basically a national betrayal then",
        "I signed up for the half, never run more than 8k",
        "I work every day except Fridays.",
    ],
)
def test_neither_a_joke_about_it_nor_a_deed_nor_half_a_sentence_is_a_fact(text):
    for fact in extract_new([Turn(text=text, id="t", happened_at=FEBRUARY)], known=0):
        assert fact.relation != "allergy"
        assert fact.category != "instruction"
        assert fact.object != "I work every day"


@table(
    "said",
    [
        "I have prescribed statins for my patients",
        "I just prescribed warfarin for a patient",
        "my vet prescribed prednisone for Rex",
        "the doctor prescribed warfarin for my dad",
        "she prescribed 20 mg omeprazole for the dog",
    ],
)
def test_what_is_prescribed_for_somebody_else_is_not_taken_by_the_speaker(said):
    assert not [fact for fact in texts(said) if "takes" in fact]


def test_a_long_word_is_searched_for_a_medicine_in_one_pass():
    assert not may_name_a_dose("a" * 100_000)
