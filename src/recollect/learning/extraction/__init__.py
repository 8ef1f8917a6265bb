"""Facts and episodes from what was said, by rules: no model, no network, the same answer every time.

A fact is a statement in the first person that will still matter in a month: who someone is, where and with
whom they live, what they do, like, know, can, have and suffer from. The path of a turn:

1. ``reading`` puts the words in composed characters; ``slips`` blanks what is taken back in the same breath,
   ``masking`` and ``others`` what is not the
   speaker's own: code, quotations, recalled memories, pasted letters and chats, lines with secrets.
2. ``tokens`` and ``clauses`` cut the rest, ``questions``, ``standing`` and ``guards`` put aside what is no
   statement: questions, conditions, wishes, role-play, reported speech, material for a task.
3. ``leads``, ``subjects`` and ``predicates`` find what leads a clause in ("I think"), whom it is about ("my
   sister"), and its verb with time and denial.
4. ``states``, ``habits``, ``having`` and ``events`` read what the verb says, by the rules in ``rules.txt``
   (``verb_rules``); ``idioms`` and ``objects`` refuse what says nothing lasting.
5. ``telling`` and ``wording`` make facts of it, ``sureness`` says how sure each is, ``unclear`` refuses
   what nobody could use, and ``when`` puts dates into its words. ``foreign`` does all of this for plain
   statements in German, French, Spanish and Chinese.

Functions of this folder share their parameters:

============== =================================================================================
``text``       a turn as it was written
``masked``     the same, with blanks for what is not the speaker's own
``speaker``    how facts call the speaker
``clauses``    those of a sentence; ``number`` is one of them
``clause``     where the words stand; ``rest`` are the clauses behind it
``lead``       what leads the clause in
``start``      the place of the first word behind the verb, which is ``found``
``end``        the place behind the last word that belongs to the verb
``kind``       of what it is said
============== =================================================================================

What is decided where it could be decided otherwise: Plans ("I'm planning to move", "I'm getting married")
are facts, hedged; wishes ("I'd love to", "I want to", "I wish") are none. What happened once ("I went to
Rome") is none, unless it changed a life ("I moved to Rome", "I quit smoking"). "We" counts as the speaker,
with less confidence. Names of others ("my sister Ines") are facts. "Remember that ..." makes a fact only of a
statement about the speaker. "I feel like" tells tastes and skills; where somebody lives or works, and what
they have, is only likened by it, and by "practically". "I moved to Google" tells nothing: known firms are no
homes, and nobody says whether they are where one works or what one uses. A name in small letters is no common
word, and where its sentence has capitals it is a known one. Irony is seen where a marker gives it away
(``irony``). ``instructions`` and ``plans`` read what the assistant shall do and what is to come.
"""
