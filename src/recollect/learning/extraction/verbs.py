"""Verbs, by what they say: tastes, habits and trades, skills, and talk that says nothing lasting.

The simple present of an English verb of action tells of a habit ("I bake bread"), so the list of such
verbs is long, and what they say is general. Chosen by hand, of plain words in common use.
"""

from typing import Final

from recollect.learning.listing import listed

TASTES: Final = listed(
    """
    love like adore enjoy prefer hate dislike detest loathe despise favor favour avoid crave fear dread
    worship relish
    """
)
"""What they say is a preference."""

ACTIVITIES: Final = listed(
    """
    live reside work study learn teach coach run swim cook bake read write paint draw knit sew crochet
    garden hike climb ski snowboard skate surf cycle bike jog dance sing play meditate journal volunteer
    travel camp fish hunt sail row kayak dive snorkel box wrestle fence lift train stretch exercise eat
    drink smoke vape sleep nap wake rise collect grow keep raise breed make brew build repair restore
    fix carve weld craft drive ride fly commute walk speak use own possess manage lead supervise mentor
    direct organize organise host freelance attend practice practise pray vote support follow watch
    listen stream blog vlog podcast photograph film shoot edit code program develop design produce
    compose record perform tour busk tutor lecture research translate interpret sell trade invest donate
    save budget pay shop cut recycle compost plant forage farm foster babysit care clean iron rent
    sublet share wear carry take weigh measure suffer struggle stutter stammer snore procrastinate tend
    believe trust identify celebrate observe fast skip order mow feed groom breastfeed homeschool caddy
    umpire referee judge serve deliver illustrate animate juggle whistle hum strum drum dj rap gamble
    bet bowl golf spin quilt embroider whittle sculpt ferment pickle grill barbecue upcycle thrift
    scrapbook birdwatch stargaze geocache speedrun main mine cosplay larp subscribe belong specialize
    specialise major minor audit consult advise represent nurse bartend cater guide patrol recruit
    publish proofread curate renovate decorate upholster survey maintain administer operate moderate
    tweet bookbind hail root browse skateboard rollerblade unicycle powerlift deadlift bench squat
    sprint spar grapple visit go get spend
    """
)
"""Verbs whose simple present tells of a habit, a trade or a state."""

SINGLE_DEEDS: Final = listed(
    """
    take make get go follow share test cut order shop pay fix spin bet mine build save record visit carry
    direct design develop edit run produce lead trade measure write skip use watch read plant clean feed
    sell film shoot restore repair
    """
)
"""Verbs that are said of single deeds as well, so that "a", "my" or "the" behind them makes one."""

TALK: Final = listed(
    """
    think know guess suppose mean see hear feel hope wish wonder want need agree disagree understand get
    remember recall realize realise notice imagine assume doubt expect bet promise swear thank appreciate
    congratulate say tell reply answer speak mention suggest recommend propose insist claim admit confess
    explain describe look sound seem appear come arrive start begin continue try attempt fail help let
    give send show bring put set turn move change click press type enter call name pass define declare
    import install initialize print select choose pick add remove delete create insert update upload
    download submit check find miss wait hold catch hit break open close point refer receive accept reject
    request require plan intend decide consider dream matter seek hurt ache bleed smile giggle dare beg envy
    pity admire respect value relate deserve owe stand sit fall happen exist include contain consist depend
    figure reckon suspect presume gather concur vow pledge resolve encourage inspire motivate face deal
    overcome handle cope push pull proceed implement log debug compile execute iterate loop cast parse
    convert compute calculate determine obtain assign append do be have can may hire adjust focus aim
    """
)
"""Verbs that, in the first person, tell of the moment or of the talk itself."""
CHARACTER: Final = listed(
    """
    lie cry complain gossip regret return finish fight argue laugh leave ask lose lend borrow forgive forget
    apologize apologise stay
    """
)
"""Verbs that tell of a character when "never" denies them."""

LASTING: Final = listed(
    """
    live reside work study learn train teach raise date grow expect attend practice practise take do save
    write build volunteer recover prepare use run tutor research renovate breastfeed homeschool foster
    freelance major coach rent share pursue see
    """
)
"""Verbs whose progressive may tell of months ("I'm learning Greek") rather than of now."""

ABLE: Final = listed(
    """
    speak play swim drive cook bake sing dance draw paint ski skate surf ride juggle whistle read write code
    program knit sew crochet weld type touch-type dive sail fly hunt fish climb run lift lip-read sign rap
    beatbox yodel snowboard skateboard moonwalk garden solder iron
    """
)
"""What one can do or not, in general."""
UNABLE: Final = ABLE | listed(
    """
    eat drink digest smell taste kneel bend squat sit donate work live relax sleep use wear keep
    smoke
    """
)
"""What "I can't" makes a fact of: beside skills, what a body does not bear."""
CANNOT: Final = listed("stand bear abide stomach tolerate resist handle function")
"""What one cannot do out of dislike: a taste, and no denial."""

BARE: Final = listed(
    """
    smoke drink vape drive swim ski surf climb knit sew crochet garden meditate journal cook bake paint draw
    dance sing dj rap code program freelance fish hunt sail row run jog cycle hike snore stutter stammer
    commute procrastinate snowboard skateboard skate fence box wrestle camp volunteer teach gamble kayak
    bike compost podcast stargaze quilt cosplay stream blog
    """
)
"""Verbs that say enough without an object."""

EVENTS: Final = listed(
    """
    be have do go become leave quit give begin buy know see hear lose move relocate marry divorce
    graduate retire adopt switch change join found start stop need want meet come finish drop tear break
    earn receive pass die understand miss call name diagnose promote hire fire lay resign touch treat turn
    matriculate enroll enrol emigrate immigrate remarry settle separate try plan intend hope think bite
    lie split convert bear spend invite accept finalize decide add set
    """
)
"""Other verbs whose forms must be known."""
KNOWN: Final = TASTES | ACTIVITIES | LASTING | UNABLE | CANNOT | EVENTS | CHARACTER
"""Every verb that is known."""
