"""English words that begin a sentence in capitals without being a name, in lower case.

Verbs, nouns and adjectives stand in their plain form (see ``kinds`` for the others). Chosen by hand, and
completed by what begins the sentences and headings of 9,000 turns of LoCoMo and BEAM and stands there in
lower case, too.
"""

from typing import Final

FUNCTION: Final = frozenset(
    """
    a about above absolutely accordingly across actually additionally after afterward afterwards again
    against ago ah aha ahead ain aka alas all almost alone along already alright also alternatively
    although altogether always am amen amid among amongst an and anew another any anybody anyhow anymore
    anyone anything anytime anyway anyways anywhere apart apparently are aren around as asap aside
    assuming at aw away aww basically be because been before beforehand being below beneath beside besides
    between beyond both briefly btw but by bye can cannot cant cc certainly cheers ciao clearly congrats
    congratulations consequently conversely could couldn currently danke definitely despite did didn do
    does doesn doing don done dont down due during each earlier eg either else elsewhere enough especially
    eta etc even eventually ever every everybody everyone everything everywhere evidently exactly except
    farewell few fewer finally firstly following for formerly fortunately from further furthermore fyi
    generally gonna goodbye goodnight gosh gotcha gotta gracias greetings guys ha had hadn hah haha
    happily hardly has hasn have haven having he hehe hello hence her here hereby hers herself hey hi him
    himself his hiya hm hmm honestly hooray hopefully how however huh hurray i i've idk ie if ikr im imo
    in incl including indeed initially instead into is isn it its itself ive jk just k kinda kudos lastly
    lately later least lemme less lest let lets likewise literally lmao lol luckily mainly many may maybe
    me meanwhile merci mine mm mmm more moreover most mostly much must my myself nah nay nb nearly neither
    never nevertheless no nobody none nonetheless noone nope nor normally not nothing notwithstanding now
    nowadays nowhere nvm o obviously occasionally of ofc off often oh ohh ok okay omg omw on once ones
    only onto onward onwards oof ooh oops or originally other others otherwise ouch our ours ourselves out
    outta over overall perhaps personally ph phew please pls plus pm possibly presumably previously
    probably provided ps quite rather re really recently regarding regardless regards rip rofl rsvp
    secondly seldom several shall shan she should shouldn similarly simply since sincerely smh so some
    somebody someday somehow someone something sometime sometimes somewhat somewhere soon sorta
    specifically still subsequently such suddenly supposedly sure surely ta tbh than thank thankfully
    thanks thanx that the their theirs them themselves then there thereby therefore these they thirdly
    this those though through throughout thru thus thx til till tldr to today together tomorrow tonight
    too totally toward towards truly ttyl ty ugh uh uhh ultimately um umm under underneath undoubtedly
    unfortunately unless unlike until unto up upon ur us usually various versus very via vs wanna was wasn
    we well were weren what whatever when whence whenever where whereas wherever whether which whichever
    while who whoa whoever whom whose why will with within without woah won woo woohoo would wouldn wow
    wtf x xo xoxo y y'all ya yahoo yall yay yea yeah yep yes yesterday yet yikes yippee yo you your yours
    yourself yourselves yum yummy yup
    """.split()  # noqa: SIM905 - words read better than hundreds of strings
)
"""Words of grammar, adverbs that open a sentence, interjections, and what chats are shortened to."""

KIN: Final = frozenset(
    """
    aunt auntie babe baby boss bro brother bud buddy christ corp cousin dad daddy darling daughter dear
    devil dude esq father folks friend friends gentlemen gmbh god gods gran grandad granddad grandfather
    grandma grandmother grandpa granny heaven hon honey inc jesus jr ladies lady llc lord ltd ma'am madam
    mama maman mamma mamá man mate mom momma mommy mother mum mummy mutter mutti nana oma opa pal papa
    papi papá parents pop satan sir sis sister son sr sweetheart sweetie uncle vater vati
    """.split()  # noqa: SIM905 - words read better than hundreds of strings
)
"""What people are called by who they are, and what stands behind names: never a name alone."""

TITLES: Final = frozenset(
    """
    aunt auntie capt chancellor coach col cousin detective dhr doctor don dott dr fr frau fräulein gen gov
    governor grandma grandpa granny herr herrn hon judge lt madam madame mayor meneer mevr mevrouw miss
    mister mlle mme monsieur mr mrs ms mx nana nurse officer oncle onkel president prof professor rev
    reverend sen senator senor senora sergeant señor señora señorita sgt sig signor signora sir sr sra
    srta tante tia tio tía tío uncle
    """.split()  # noqa: SIM905 - words read better than hundreds of strings
)
"""Titles: left out of a name, and a sign that one follows."""

VERBS: Final = frozenset(
    """
    accept achieve acknowledge acquire act activate adapt add address adhere adjust admit adopt advise
    afford agree aim align allocate allow alternate analyse analyze announce answer anticipate apologize
    appeal appear apply appoint appreciate approach approve argue arrange arrive ask assert assess assign
    assist assume assure ate attach attend automate avoid await bake balance base bear beat became become
    been beg began begin believe belong bent bet bike bind bite blend bless block blog blow boil book
    boost borrow bought brainstorm break breathe bring broaden broke brought browse build built burn buy
    calculate call came camp cancel capture care carry catch caught cease celebrate challenge change chase
    chat check cherish choose chose clarify clean clear click climb close collaborate collect combine come
    comfort comment commit communicate compare compensate compete compile complete compute concentrate
    conclude conduct configure confirm connect consider consult contact contain continue contribute
    convert cook cool coordinate copy cost count cover create cross cry cultivate customize cut dance deal
    debate decide declare decline decorate decrease dedicate deepen defend defer define delegate delete
    deliver delve demand demonstrate depend deploy describe design designate desire destroy detect
    determine develop did differentiate dig dine disable disagree disconnect discover discuss display
    distribute dive diversify divide document donate done download draft drag drank draw drawn dream dress
    drew drink drive driven drop drove dry dye earn eat eaten edit educate eliminate email embed embrace
    emphasize employ empower enable encourage encrypt end engage enhance enjoy enlist enroll ensure enter
    escape establish estimate evaluate examine exceed excite execute exercise exhale expand expect
    expedite experience experiment explain explore export express extend extract face facilitate fail fall
    fallen familiarize fear fed feed feel fell felt fetch fight figure file fill filter finalize find
    finish fit fix flew flow fly focus fold follow force forget forgive forgot forgotten form format
    foster fought found free freelance freeze froze fry fulfil fulfill gain game gather gave generate get
    give given glad glance go gone got gotten grab grasp greet grew grill grow grown guarantee guess guide
    hand handle hang happen hate head heal hear heard held help hid hidden hide highlight hike hire hit
    hold hook hope host hug hung hunt hurry hurt hydrate identify ignore imagine immerse implement imply
    import impress improve include incorporate increase indicate inform initiate innovate inquire insert
    inspect inspire install integrate interact interview introduce invent invest investigate invite
    involve iterate jam join jot journal judge juggle jump keep kept kick kill knew knit knock know known
    laid land last laugh launch lay lead lean leap learn learnt leave led left lend lent let leverage lie
    lift like limit link list listen live load loan locate lock log look lose lost love made maintain make
    manage marinate mark market marry match matter mean meant measure meditate meet mention mentor merge
    message met mind minimize miss mitigate mix mock moderate modify monitor motivate move multiply name
    navigate need negotiate network note notice notify nurture observe obtain offer open operate opt
    optimize order organise organize outline outsource overcome own pack paid paint park participate pass
    paste pause pay perform persevere persist personalize persuade phone photograph pick pinpoint pitch
    place plan plant play point posit post postpone pour practice practise praise pray prefer prepare
    present preserve press prevent preview print prioritize proceed process produce promise promote prompt
    proofread propose protect prove provide publish pull purchase pursue push put question quit race raise
    ran rate reach react read reaffirm realize reallocate reassess reassure rebuild recall recap receive
    recharge recognize recommend record recover recycle redirect reduce refer refine reflect refresh
    refuse register rehearse reheat reinforce reiterate relate relax release rely remain remember remind
    reminisce remove renew rent repair repeat replace reply report request require reschedule research
    reserve resolve respect respond rest restart restore restrict result retain retire return reuse reveal
    revert review revise revisit reward ridden ride ring rise risen roast rock rode roll rose rotate run
    rush sail sang sat save savor saw say scale scan schedule score scroll seal search secure see seek
    seem seen select sell send sent separate serve set settle sew shake shaken shape share shift shine
    ship shone shoot shop shorten shot shout show showcase shown shut sign simmer simplify simulate sing
    sip sit skate sketch ski skip sleep slept slice slide slow smell smile smoke snap sold solicit solve
    sort sought sound speak specify spell spend spent spill split splurge spoke spoken spread sprinkle
    stand start state stay steal stick stir stolen stood stop store streamline strengthen stretch strike
    strive structure struggle stuck study submit subscribe subtract succeed suggest summarize sung supply
    support suppose surf surprise surround survive swam swap swim switch swore swum sync tackle tailor
    take taken talk tap taste taught teach tell tend test text thank thaw think thought threw throw thrown
    tie tip told took toss touch tour track trade train transfer transform transition translate transport
    travel treat trigger trim trust try tune turn twist type understand understood unite unlock unpack
    unplug unwind update upgrade upload urge use utilize validate value vary verify view visit visualize
    volunteer vote wait wake walk want warn wash watch water wear weigh welcome went whisk win wipe wish
    woke won wonder wore work worn worry worship wrap write written wrote yell yield zoom
    """.split()  # noqa: SIM905 - words read better than hundreds of strings
)
"""Verbs: a name behind one at the begin of a sentence stands alone ("Visit Paris")."""

NOUNS: Final = frozenset(
    """
    aa ability absence access accessory accident accomplishment account accountant accuracy achievement
    action activity actor ad address adult advance advantage adventure advertising advice advisor
    aesthetic affair afternoon age agency agenda agent aid air airline airport alarm album alcohol alert
    algorithm allergy alternative amber ambition amount analogy analysis analyst analytics anchor angel
    anger angle animal ankle anniversary antivirus anxiety apartment app appetizer apple application
    appointment appraisal approval apron aquarium arch area arm army arrival art article artist artwork
    aspect asset assignment assistance assistant asthma atmosphere attack attempt attendee attention attic
    attire attitude attorney audience audio audiobook audit author authority autonomy autumn avenue
    avocado award awareness baby back background backlog backpack backup bacon bag baker bakery balancing
    balcony ball ballet balloon banana band bandwidth bank banner bar barbecue barrier baseball baseline
    basement basil basket basketball bass batch bath bathroom battery battle bbq beach bean bear beauty
    bed bedroom bedtime bee beef beer beginner beginning behavior behaviour belief bell belt bench
    beneficiary benefit berry bias bike bill bird birth birthday bit blanket blood board boat body bond
    bonding bone bonus bookstore boot booth border bottle bottom boulevard bound boundary bouquet bowl box
    boy brain branch brand bread breakdown breakfast breath breeze bride bridge brochure brother brush
    buddy budget budgeting buffer buffet bug building bulk bullet bummer bunch bundle burden burger burial
    burnout bus business butter butterfly button buyer cabin cabinet cable cafe caffeine cake calendar
    calm camera camp campaign campfire campus cancer candidate candle candy cap capacity capital car
    caramel card cardio career carpet carrot case cash casino cast castle cat category cause ceiling
    celebration celebrity cell celtic center centre ceramics ceremony certificate chain chair chairman
    champ champion championship chance change channel chapter character characteristic charge charger
    charity chart chatbot checklist checkout checkpoint cheese chef chemistry chess chest chicken child
    childcare childhood children chili chip chocolate choice choir cholesterol church cinnamon circle
    circus citizen city claim class classroom clause clay client climate climax clinic clock closing
    clothes clothing cloud club clue coach coast coat cocoa coconut code coding coffee coin cold
    collaboration colleague collection collector college color colour column combination comedy comic
    community commute company comparison competition competitor complaint compliance component compound
    computer concept concern concert conclusion condition conference confidence conflict confusion
    connection cons consensus consent consequence consistency constraint construction consultant consumer
    container content contest context contingency contract contrast control conversation conversion cooker
    cookie cop core corn corner corporation cottage couch council counselor count country countryside
    couple coupon courage course court coverage cow coworker cracker craft cream creation creativity
    creature credential credit crew crime crisis criteria criticism crop crossing crowd cruise
    cryptocurrency cuddle culture cup cupcake currency custom customer cycle cyclist dairy damage dancer
    danger dashboard data database date dawn day daycare daytime deadline death debt decade decision deck
    decor dedication deep deer default defendant definition degree delay delivery demand demo democracy
    demographic demonstration dentist department departure dependency deployment deposit depression depth
    description desert desire desk desktop dessert destination destiny detail determination developer
    device diabetes diagram dialog dialogue diary diet difference difficulty dilemma dinner dinosaur dip
    direction directive director disability disadvantage disaster discipline disclosure discount discovery
    disease dish dispute distance distributor district diversity doc doctor documentary dog doggy doll
    dollar domain donation door doubt dough downside downtime downtown draft drama drawback drawing dream
    drill drink driver drone drug drum duck dust duty ear earbuds earth ease east economy ecosystem edge
    editor effect effort egg elder election electricity elephant elevator elf email emergency emotion
    empathy emperor emphasis empire employee employer encounter encouragement ending energy engine
    engineer entertainment enthusiasm entrance entry envelope environment episode equality equation
    equipment equity era error essay essence estate ethics evening event evidence evolution exam examiner
    example exchange excitement excuse executor exercise exhibit exhibition existence exit expense
    expenses expert exposure expression extension eye fabric face facilitator facility fact factor failure
    faith family fan fantasy farm farmer fashion fate fatigue favor favorite favour favourite feast
    feature fee feedback feeling fence festival fever fiber fiction field file film finance findings
    finger fire firewall fireworks fish fishing fitness flag flame flannel flash flashback flashcard
    flavor flavour flexibility flight floor flour flowchart flower flu flute flyer foam fog food foot
    football footwear forest fork form formula fortune foundation fountain fox frame framework freedom
    freelancer freezer frequency friendship frog front fruit fuel fun function fund fundraiser funeral
    furniture future gadget gallery game gamer gaming gap garage garbage garden garlic gas gastritis
    gastronomy gate gear gem gender gene generation genre gesture ghost giant gift ginger girl glass glove
    goal goat gold golf government grade grain grandkid grant grape graph grass gratitude gravity grief
    grill grip grocery ground group growth guardian guess guest guidance guideline guilt guitar gun guy
    gym habit hair half hall hallway ham hammer handout happiness harbor harbour hardware harmony hashtag
    hat headphone health heart heat heel height hell helmet herb heritage hero hiccup highway hill hint
    history hobby hole holiday home homeowner homework honesty honor honour hook hope horizon horror horse
    hospital host hotel hour house household housing human humanity humidity hummus humor humour husband
    hydration hygiene ice icebreaker icon idea ideal identity illness illustration image imagery
    imagination impact importance improvement incident inclusivity income independence index indexing
    individual industry influence info information ingredient injury innovation input inquiry insight
    inspiration instance institution instruction instructor instrument insulin insurance integrity
    intelligence intensity intention interest interface internet interview introduction inventor inventory
    investor invitation invoice island issue item jacket jail jam jar jazz jeans jewelry job joke journey
    joy judge judgment juice jungle junior jury justice karaoke kernel key keyboard keyword kickboxing
    kickoff kid kindness king kit kitchen kite kitten knee knife knowledge lab label labor laces lack lady
    lag lake lamp landlord landscape lane language laptop largest lasagna latency laugh laughter law
    lawsuit lawyer layer layout lead leader leadership leaf league lease leather lecture leftover leg
    legacy legend leisure lemon length lens lesson letter level library licence license life lifestyle
    light lightning limit limitation line link lion liquid list literature litter living loan lobby
    location logic login logistics logo loneliness look loop loss lot lots loyalty luck luggage lunch
    luxury lyric machine magazine magic mail maintain mall management manager manner manual manufacturer
    map marathon margin mark market marketing marketplace marriage mask mass master match material math
    maths matter maximum meal meaning measure meat mechanic media medication medicine meditation meeting
    meetup melody member memory men mental mentor menu mesh mess message metal metaphor method metric
    microphone midday midnight midpoint mile milestone milk mind mindfulness mindset minimum minute
    miracle mirror mission mistake mixture model moderator module moisture mom moment momentum money
    monitor monkey monster month mood moon morning mortgage motif motion motivation motorcycle mountain
    mouse mouth movement movie muscle museum mushroom music musician mystery myth name nap narrative
    narrator nation nature nearby neck neighbor neighborhood neighbour nerve network networking newborn
    news newsletter newspaper night noise noon north nose notary note notebook notes notice notification
    novel novelty nuance nurse nut nutrition oath object objective obstacle ocean office officer offline
    oil olive onion online opening opinion opportunity option orange orchestra order organization origin
    outcome outfit output outreach outskirts oven overlap oversight overview owl owner oxygen pace pack
    package page pain paint painter painting pair palace pan panel panelist panic paper parade paragraph
    parallel parameter parent parenthood parenting park parking part participant partner partnership party
    passenger passion password past pasta pastry patent path patience patient pattern pause paycheck
    payment peace peak peer pen penalty pencil penny people pepper pepperoni percentage performance period
    perk permission perseverance person personality personnel perspective pet phase philosophy phone photo
    photographer photography phrase physics piano pic pickup picnic picture pie piece pig pillow pilot
    pineapple pipe pizza place plane planet plate platform playback player playlist pleasure plot plug
    plugin plumber pocket podcast podiatrist poem poet poetry police policy politics poll pool pop popcorn
    population portfolio portion position possibility posture pot potato potential pottery power practice
    prayer preference pregnancy preparation presence present presentation president pressure preview price
    pride prince princess principal principle printer prior priority prison privacy prize pro probate
    problem procedure process producer product production profession profile profit program programme
    programmer programming progress project promotion prompt proof prop property proportion proposal pros
    prospect protagonist protection protein prototype proverb psychology pub public publisher pumpkin
    punctuality punishment pupil puppy purpose purse puzzle quality quantity quarter queen query quest
    quilt quinoa quiz quote rabbit race radio rain rainbow range rap rationale reader reason receipt
    recipe recipient reconnect record recovery recruiter refactor reference referral refinement reflection
    reform region rehearsal rejection relationship relevance relief religion reminder renewal renovation
    rental replacement reputation request resale reschedule rescue resilience resolution resort resource
    response responsibility restaurant result resume retailer retreat retrospective return reunion revenue
    reverse review revolution reward rhythm rice ride right ring risk ritual river road roadblock roadmap
    robot rock role rollout roof room roommate root rope rose round route routine row royalty rubber
    rubric rule runner runtime safety salad salary sale salmon salt sample sand sandwich satisfaction
    sauce scavenger scenario scene scenery schedule schema scheme scholarship school science scientist
    scope score scratch screen screening screenshot script sculpture sea seal season seat secret secretary
    section sector security seed self selfie seminar sense sensor sentence sentiment series server service
    session set setback setting setup sex shadow shame shampoo shape sheet shelf shell shelter shirt shock
    shoe shop shore shot shoulder show shower sibling side sight sign signal signature silence silver
    similarity sims singer sink site situation size skateboarding skeleton skill skin skirt sky sleep
    smartphone smoke smoothie snack snake sneaker snow snowboarding snowshoeing soap soccer society sock
    soda sofa software soil sole solution song soul sound soup source south souvenir spa space spark
    speaker specialty speech speed spice spider spirit sponsor spoon sport spot spouse spreadsheet spring
    sprint squad square staff stage stair stakeholder stamp standard star startup statement station statue
    status steak steam step stock stone storage store storm story storyboard storytelling stove stranger
    strategy strawberry stream street strength stress string stroke structure student studio study stuff
    style subject subscription subtask subtitle success sugar suggestion suit sum summary summer sun
    sunday sunflower sunglasses sunlight sunrise sunset sunshine superhero superior supermarket supper
    support surface surgery surprise survey sushi suspense sweater sword syllabus symbol symptom syndrome
    synopsis system table tablet tag tail takeaway tale talent tank target task taste tax taxi tea teacher
    team teammate teamwork tech technique technology teenager television temper temperature template
    tennis tension tent term terrain territory test testimonial testimony text texture theater theatre
    theme theory therapist therapy thing thinking thought threat threshold thumb thunder ticket tiger time
    timeline timing tip title toast todo toe tofu toilet token tomato ton tone tongue tool toolkit tooth
    top topic total tournament towel tower town toy track trademark tradition traffic trail trailer trait
    transit transparency transport transportation trap trash treasure treatment tree trend trial tribe
    tribute trick trilogy trio trip trivia trophy trouble truck trust trustee truth turtle tutor tutorial
    twilight type umbrella uncertainty understanding unemployment union unit universe university upbeat
    upper upside urgency usage user username utility vacation validation valley value van vanilla variable
    variation variety vegan vegetable veggie vehicle vendor venue version vet veteran vibe victim victory
    video view villa village violin virtue virus vision visitor visual vitamin vocabulary voice volume
    volunteer volunteering vote vowel waffle wage waiter walk wall wallet war wardrobe warmth warning
    warranty warrior watchlist wave way weakness wealth weapon weather web webinar website wedding weed
    week weekday weekend weight welcome west wheel whiteboard wife wildlife wind window wine wing winner
    winter wisdom wishlist withdrawal witness wolf woman women wood word workday workflow workload workout
    workplace worksheet workshop world worry worth writer writing yard year yoga yogurt youth zone zoo
    """.split()  # noqa: SIM905 - words read better than hundreds of strings
)
"""Nouns that stand at the begin of a sentence without an article, and those of headings and lists."""

ADJECTIVES: Final = frozenset(
    """
    able abstract academic accurate active actual additional adequate adorable advanced affordable afraid
    algorithmic alive amazed amazing ancient angry animated annoying annual anxious appropriate artistic
    asleep attractive authentic automated automatic available average aware awesome awful awkward backward
    bad basic beautiful behavioral best better big bitter black blank blessed blind blonde bloody blue
    bold bored boring bottom brave brief bright brilliant broad broken brown bumpy burnt busy calm capable
    careful casual celebratory central certain cheap cheerful chill chilly chronic classic clean clever
    close cloudy cold colorful colourful comfortable comfy commercial common competitive complementary
    complete complex conditional confident confused consistent constant contemporary convenient cool
    corporate correct cosy cozy crazy creative creepy critical crucial crunchy cuddly cultural curious
    current cute daily damn damp dang dark darn dead deaf decent dedicated deep delicate delicious
    delighted dense depressed determined deterministic dietary different difficult digital direct dirty
    disappointed distant diverse domestic double dozens dry dual due dull dynamic eager early eastern easy
    economic educational effective efficient eight elderly electric electronic elegant eleven emotional
    empathetic empty endless engaging enjoyable enormous entire environmental epic equal essential eternal
    ethical everlasting everyday exact excellent exceptional excited exciting exclusive exhausted exotic
    expensive experienced explicit external extra extraordinary extreme fabulous fair faithful fake false
    familiar famous fancy fantastic far fascinated fascinating fast fat fatal favorable female fifth final
    financial fine firm first fit five fixed flat flexible fluffy fond foolish foreign formal forward four
    fourth fragile frank free frequent fresh friendly frightening frozen frustrated frustrating fulfilling
    full fun functional funny furious futuristic fuzzy general generic gentle genuine glad global glorious
    golden good gorgeous graceful gradual grand grateful gray great green grey gross guilty half handmade
    handsome handwritten handy happy hard harsh healthy heartfelt hearty heavy helpful hidden high
    hilarious historic historical holistic holy homemade honest honored horrible hot huge humble hundred
    hundreds hungry hybrid iconic ideal ill immediate impatient imperfect important impossible impressed
    impressive inclusive incredible incremental independent indoor informal initial inner innocent insane
    inspirational inspired inspiring instant intellectual intense interactive interested interesting
    intermediate internal international interpersonal invisible inviting jealous joint jolly joyful juicy
    junior keen key kind large last late latest lazy left legal legendary legit lengthy light lightweight
    likely literary little live local logical lone lonely long loose loud lovely low loyal lucky mad
    magical magnificent main major male mandatory manual massive mature maximum mean medical medium
    memorable mental mere messy mid middle mild million millions mini minimal minimalist minor missing
    mixed mobile moderate modern modest monetary monthly moral motivated motivational moving multi
    multiple musical mutual mysterious narrow nasty national natural naughty neat necessary negative
    nervous neural neutral new next nice nighttime nine noble noisy non nonstop normal northern nostalgic
    notable novel numb numerous nutritional obvious occasional odd official old one online only open
    operational optimal optimistic optional ordinary organic organizational organized original outdoor
    outer outgoing outstanding overnight overwhelmed overwhelming painful pale panoramic parental
    passionate patient peaceful perfect periodic permanent personal physical pink plain playful pleasant
    pleased plenty plush polite poor popular positive possible powerful practical pre precious precise
    pregnant preliminary premium pretty previous primary prime private productive professional profound
    progressive prolonged promotional proper proprietary proud provisional public pure purple qualified
    quick quiet quirky rad random rapid rare rational raw ready real realistic reasonable recent red
    refreshing regional regular regulatory relatable related relaxed relaxing relevant reliable relieved
    remarkable remote renowned resilient responsible restless retro rewarding rich ridiculous right rigid
    robust romantic rotten rough round rude rural rustic sad safe salty same satisfied satisfying scared
    scary scenic scientific seasonal second secondary secondhand secret secure selfish senior sensitive
    sensory sentimental separate serene serious seven severe shaky sharp shiny shocked shocking short shy
    sick significant silent silly similar simple sincere single six sixth skilled skinny sleek sleepy
    slight slim slow small smart smooth sneaky social societal soft solar solid solo sore sorry southern
    spare special specialized specific spectacular spicy spiritual splendid spontaneous stable standalone
    standard standardized steady steep sticky stiff straight strange strategic stressed stressful strict
    strong stubborn stunning stupid sturdy stylish sublime subsequent subtle successful sudden sunny super
    superb supplementary supportive supreme sure surprised surprising surreal suspicious sustainable sweet
    swift symbolic systematic tactile talented tall tasty temporary ten tender tens tenth terrible
    terrific thankful thematic therapeutic thick thin third thirsty thirty thorough thoughtful thousand
    thousands three thrilled thrilling tidy tight timeless tiny tired tiring tough toxic traditional
    transparent trendy tricky triple tropical true trustworthy twelve twenty two typical ugly ultimate
    ultra unable unbelievable uncertain unclear uncomfortable unconditional underrated unexpected
    unforgettable unfortunate unhealthy unified unique universal unknown unlikely unlimited unused unusual
    uplifting upper upset urban urgent used useful useless usual valid valuable vast vegetarian verbal
    versatile vibrant vintage violent virtual visible visual vital vivid vocal voluntary volunteer
    vulnerable warm waterproof weak weekly weird well western wet white whole wicked wide wild willing
    wise wonderful wooden worn worried worse worst worthy wrong yearly yellow young yummy zen
    """.split()  # noqa: SIM905 - words read better than hundreds of strings
)
