"""The patterns of slots, as text: groups of words, and the rows that name them in braces.

A line that begins with a blank goes on from the one before, without that blank. ``<new X>`` is a new X or a
change of one; ``<now X>`` is an X beside a word for the present (``slots``). English is read widely; German,
French, Spanish, Swedish and Portuguese in their plainest words. All were chosen by hand.
"""

from typing import Final

GROUPS: Final = r"""
A_FEW: (?:[\w'/&-]+ ){0,3}?
MOVED: moved | pushed | postponed | rescheduled | re-scheduled | rebooked | re-booked | brought forward |
  delayed | changed | shifted | bumped | put back | put off | cancell?ed | called off | scrapped | switched
UP_OR_DOWN: up | down | raised | increased | bumped | upped | lowered | reduced | cut | dropped | doubled |
  halved | hiked | adjusted | changed
PHONES: phone|mobile|handset|handy|smartphone|telefon|mobil|móvil|téléphone|celular|telemóvel
PHONE_NAMES: iphone|pixel|galaxy|samsung|fairphone|xiaomi|oneplus|nokia|motorola|huawei|android
COMPUTERS: laptop|computer|pc|macbook|thinkpad|chromebook|imac|ordenador|ordinateur|dator|rechner
CARS: car|van|truck|suv|auto|wagen|voiture|coche|carro|bil|bilen|motorbike|motorcycle|scooter
TRAVEL: tak(?:e|es|ing) the \w+|drives?|driv(?:e|ing)|cycl(?:e|es|ing)|bike|biking|walk(?:s|ing)?|bus|train
 |tram|tube|metro|subway|ferry|carpool(?:ing)?|scooter|fahrrad|rad|auto|bahn|vélo|voiture|bici(?:cleta)?
 |carro|coche|cykel|cyklar|bil|tåg|comboio|ônibus|autobús|car
TO_WORK: to work|to the office|to school|to uni|commut\w+|in every (?:day|morning)|zur arbeit|au (?:travail
 |boulot)|al trabajo|(?:para|ao) o? ?trabalho|till jobbet
ROLES: gp|doctor|physician|dentist|orthodontist|therapist|psychologist|psychiatrist|counsell?or|physio
 |physiotherapist|optician|dermatologist|paediatrician|pediatrician|midwife|cardiologist|vet|hairdresser
 |barber|lawyer|solicitor|accountant|trainer|tutor|coach|nanny|babysitter|childminder|cleaner|landlord
 |landlady|professor|advisor|adviser|supervisor|mentor|hausarzt|hausärztin|zahnarzt|zahnärztin|therapeutin
 |médecin|dentiste|psy|médico|médica|dentista|terapeuta|psicólog[oa]|tandläkare|läkare|vårdcentral|teacher
 |lehrerin|lehrer|professora?|maestra|lärare
BOSSES: boss|manager|team ?lead(?:er)?|line manager|supervisor|head of department|chef|chefin|cheffe
 |vorgesetzte[rn]?|jefe|jefa|chefe|chefen|responsable|patron|patronne|lead
SCHOOLS: school|kindergarten|nursery|preschool|daycare|kita|schule|gymnasium|école|collège|lycée|crèche
 |colegio|cole|guardería|escola|creche|skola|skolan|förskola|dagis|primary|academy
UNIS: uni|university|college|universität|université|fac|universidad|faculdade|universidade|universitet
EVENTS: dentist|haircut|hairdresser|optician|physio|vet
 |flight|meeting|appointment|exam|interview|wedding|party|trip|concert|check-?up|deadline|launch
 |surgery|operation|viewing|class|lesson|reservation|booking|train|game|match|presentation|delivery|dinner
 |holiday|vacation|conference|test|workshop|call|move|visit|session|event|gig|show|defen[cs]e|hearing|due
  date|course|retreat|tour|flying|fly|marathon|race|review|demo|standup|stand-up|flug|termin|besprechung
 |prüfung|hochzeit|treffen|vol|rendez-vous|rdv|réunion|examen|mariage|vuelo|cita|reunión|boda|viaje|voo
 |consulta|reunião|casamento|viagem|prova|flyg|flyget|möte|mötet|tid|tentamen|bröllop|resa|resan
DATE: \d{1,2}(?:st|nd|rd|th)?\b|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april
 |may|june|july|august|september|october|november|december|tomorrow|next (?:week|month|year)|noon|midnight
 |(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche
 |lunes|martes|miércoles|jueves|viernes|sábado|domingo|segunda|terça|quarta|quinta|sexta|måndag|tisdag
 |onsdag|torsdag|fredag|lördag|söndag|summer|autumn|winter|spring|weekend|easter|christmas
DRUG_UNIT: \d[\d.,]* ?(?:mg|mcg|µg|micrograms?|milligrams?|ml|g|iu|units?|drops|puffs)
PETS: dog|puppy|cat|kitten|rabbit|bunny|hamster|guinea pig|parrot|budgie|goldfish|fish|turtle|tortoise
 |snake|gecko|lizard|horse|pony|ferret|rat|mouse|gerbil|chickens?|hens?|goat|hund|katze|chien|chat|perr[oa]
 |gat[oa]|cachorr[oa]|katt|katten|hunden|kanin|baby|boat|band|team|project|startup|company|app|cafe|shop
 |blog|podcast
JOBS: developer|engineer|nurse|teacher|designer|analyst|manager|consultant|assistant|accountant|chef|cook
 |lawyer|doctor|driver|barista|waiter|waitress|cashier|clerk|technician|architect|scientist|researcher
 |lecturer|librarian|journalist|editor|carpenter|electrician|plumber|mechanic|receptionist|secretary
 |salesperson|intern|apprentice|trainee|associate|director|programmer|pharmacist|paramedic|lärare
 |lehrer(?:in)?|krankenschwester|ingenieur(?:in)?|professeure?|infirmi[eè]re?|ingénieure?|profesora?
 |enfermer[oa]|ingenier[oa]|professora?|engenheir[oa]|sjuksköterska|ingenjör|säljare|verkäufer(?:in)?
 |vendedora?
AM: (?:is|are|i'm|i am|am|as|je suis|soy|ich bin|jag är|sou|estoy de)
PARTNER: boyfriend|girlfriend|husband|wife|partner|fianc[eé]e?|spouse|freund(?:in)?|mann|frau|verlobte[rn]?
 |mari|femme|copain|copine|compagnon|compagne|novi[oa]|marido|mujer|esposa|esposo|namorad[oa]|pojkvän
 |flickvän|sambo|make|maka|fru
TONGUES: english|german|french|spanish|italian|portuguese|swedish|dutch|polish|danish|norwegian|finnish
 |japanese|chinese|korean|russian|arabic|hindi|turkish|deutsch|englisch|auf deutsch|anglais|français|inglés
 |español
ASPECTS: emojis?|bullet points?|bullets|lists|headings|markdown|tables|jokes|puns|metric|imperial|celsius
 |fahrenheit|kilomet(?:re|er)s|miles|formal|casual|informal|short|shorter|brief|long|longer|detailed
 |details|concise|spelling|first name|nickname|sir|code|comments|examples|recipes?|sources|links|citations
 |summary|summaries|exclamation (?:marks|points)|swear(?:ing)?|small talk|apologi[sz]\w+|vous|tu|sie|du
 |reminders?|politics
SMOKES: smok\w*|cigar\w*|vap(?:e|es|ing|er)|a pack a day|rauch\w*|zigarett\w*|fum[aeoé]\w*|clope\w*|rök\w*
 |nicotine
DRINKS: drink(?:s|ing)?|alcohol|wine|beers?|whisk\w+|gin|cocktails?|booze|alkohol|wein|bier|vin|bière
 |alcool|vino|cerveza|vinho|cerveja|dricker|öl
MEAT: meat|fish|chicken|beef|pork|bacon|steak|burgers?|dairy|cheese|eggs?|carbs|bread|pasta|gluten|sugar
 |fleisch|viande|carne|kött|poisson|pescado|peixe|fisch|fisk
DIETS: vegan(?:e|o|a)?|vegetarian(?:o|a|sk)?|vegetarier(?:in)?|veggie|pescatarian|flexitarian|keto|paleo
 |carnivore|kosher|halal|gluten-free|dairy-free|low[- ]carb|plant-based|végétarienn?e?|végane?|vegetarisch
 |omnivore|whole30
REMOTE: remote(?:ly)?|from home|hybrid|on-?site|in[- ]person|in the office|back to the office|home ?office
 |télétravail|teletrabajo|teletrabalho|hemifrån|at the office|days? (?:a|per) week
SHIFTS: night shifts?|day shifts?|late shifts?|late shift|lates|earlies|early shifts?|shifts?|(?<=on
  )(?:nights|days)|(?<=to )(?:nights|days)|(?<=works )(?:nights|days)|(?<=work )(?:nights|days)|(?<=off
  )nights|part[- ]time|full[- ]time|hours a week|four[- ]day week|weekends|nachtschicht|frühschicht
 |spätschicht|schicht|teilzeit|vollzeit|turno|noites?|noches?|nätter|natt|skift
UNITS: ounces|pounds|grams|kilos|kilograms|metric|imperial|celsius|fahrenheit|kilomet(?:re|er)s|km|miles
 |inches|feet|cm|cent?imet(?:re|er)s|lit(?:re|er)s|gallons|cups
LENGTHS: short|shorter|brief|concise|long|longer|detailed|detail|length|lengthy|in-depth|one sentence|to
  the point
COUNTED: \d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|half
"""
"""Words by their names."""

ROWS: Final = r"""
[home]
holds: lives? (?:in|at|on|near|outside|by) | (?:i|we|user)'?(?:m| am|re| are)? (?:living|based) | resides?
  | (?:flat|apartment|house|home|place|studio|room|address)(?:'s| is)? (?:is |in |on |at |near ).* |
  (?:i've|i have|we've|we have|has|have) been (?:living )?in .*(?:for|since)\b.* | address | rents? an? .*
  | postcode | zip code | wohnen?|wohnt | habit(?:e|ons) | je vis | viv(?:o|imos) | moro|mor[ao]mos | bor
turns: (?:i|we|i've|we've|just|finally|recently|and|^)(?: have| just| finally| all| recently| both| only)*
  moved(?: up| down| over| out| back| across| away| here| house| again)* (?:to|into|in) (?!(?:days|nights
 |earl|a new (?:role|team)|my|with|together|the new)\b).* | (?:i|we|just|finally)(?:'ve| have)? (?:just
  |finally |recently )*relocated | (?:new|different) {A_FEW}(?:address|flat|apartment|place|house|home
 |postcode|city|town) | my (?:new )?address (?:is|has) (?:now|changed) | unpack\w* | settl(?:ed|ing) (?:in
 |into) | (?:now|currently) liv(?:e|ing) (?:in|at|on) | (?:living|live|based) (?:in|at|on) .* (?:now|these
  days) | (?:got|have|picked up) the keys | (?:got|have) my own (?:flat|place|apartment|house|room)(?:
  now)? | (?:bought|signed (?:the lease|for)|renting) {A_FEW}(?:house|flat|place) | (?:ich|wir) (?:bin
 |sind) .*(?:um)?gezogen | umgezogen | (?:seit|jetzt|nun) .*\bwohn\w+ | wohn\w+ (?:ich |wir )?(?:jetzt|nun
 |inzwischen|seit) .* | déménagé | (?:j'habite|nous habitons|je vis) (?:maintenant|désormais|depuis) .* |
  maintenant .*j'habite | me (?:he )?mud(?:é|ado) | nos (?:hemos )?mud(?:amos|ado) | ahora vivo | vivo
  ahora | mudei-me|mudámo-nos|me mudei|nos mudamos|mudei para|mudamos para | agora moro | moro agora |
  (?:jag|vi) (?:har )?flytta(?:t|de) till | bor (?:jag |vi )?(?:nu|numera) | nu bor (?:jag|vi) | har
  flyttat
maybe: <now (?:my|our) (?:address|flat|apartment|postcode)>
seeks: lives in home address flat
[employer]
holds: works? (?:at|for|with) | employed (?:at|by|with) | (?:job|position|role|gig) (?:at|with) | on the .*
  team | (?:do|does) .* (?:at|for) .* | teach(?:es)? | employer | i'm with | is with | (?:i'm|i am|is) an?
  .* (?:at|with|for) .* | arbeitet? | travaille | trabaj[oa] | trabalh[oa] | jobbar | arbetar | runs? .*
  (?:at|for) | hired (?:at|by)
turns: (?:just |i |i've |finally |recently )*started(?: work| working| a (?:new )?job| my (?:new )?job)?
  (?:at|with|for) (?!the (?:beginning|bottom)|\d|least|once|first).* | jumped ship | (?:i |i've |just
  |finally )*(?:joined|signed on with|signed with|got hired (?:at|by)|was hired by|hired by) (?!the
  (?:class|gym|club|choir|band|group|course|team)|an? ).* | new (?:job|employer|workplace|company|gig) |
  (?:changed|changing|switched|swapped) (?:jobs|employers|companies) | (?:first|second) (?:day|week|month)
  (?:at|with) (?!the (?:gym|beach)|school|uni).* | (?:my |was my |had my )?first (?:shift|day|week) (?:at
 |with|for) (?!the (?:gym|beach)|school|uni).* | (?:now with|now at) \w+.* | (?:i |we )?(?:now work|work
  now|working now) (?:at|for) .* | (?:i'm |am |i )?(?:now )?work(?:ing)? (?:at|for) .*\b(?:now|these days
 |nowadays|instead) | poached .* | i'm (?:now )?(?:at|with) .* (?:now|these days) | neuer job | neuen job |
  neue stelle | (?:fange|angefangen) .*\bbei | arbeite (?:jetzt|nun|seit).* | jetzt (?:arbeite|bin) ich bei
  .* | nouveau (?:travail|boulot|poste|job) | je travaille (?:maintenant|désormais) .* | nuevo (?:trabajo
 |empleo) | ahora trabajo | novo (?:emprego|trabalho) | agora trabalho | nytt jobb|bytt jobb|bytte jobb |
  ny tjänst | jobbar (?:jag )?nu | börjat? (?:jobba )?(?:på|hos)|började (?:jobba )?(?:på|hos)
maybe: <now employer|workplace>
seeks: works at job employer
[work]
holds: works?|working | (?:is|i'm|i am|am) an? .* (?:at|for|by trade|by profession)\b.* | (?:is|i'm|i am
 |am) an? (?:\w+ ){0,2}\w+(?:er|or|ist|eon|cian|grapher|keeper|worker|officer|agent|driver|smith|maker) |
  teach(?:es)? | employ\w+ | job|profession|career | (?:do|does) .* at .* | on the .* team | {AM}
  {A_FEW}(?:{JOBS}) | arbeite\w* | travaille | trabaj[oa] | trabalh[oa] | jobbar|arbetar
turns: got (?:the (?:axe|boot|sack|chop|push)|canned|axed) | (?:handed (?:in|over)|hung up|turned in) my
  (?:keys|badge|helmet|uniform|apron|boots|gloves|scrubs) | (?:my )?pension (?:starts|started|kicked in) |
  (?:got |was |been |were |got myself )(?:laid off|let go|sacked|made redundant|fired)(?! up\b) | laid off
 |made redundant | redundan\w+ | (?:handed|gave|put|turned|given|handing) in (?:my|the) (?:notice
 |resignation) | (?:gave|given) (?:my )?notice | (?:i |i've |have |just |finally |officially )*(?:resigned
 |retired|quit)(?! (?:smok|drink|vap|coffee|sugar))\b.* | (?:quit|left|lost) (?:my|the) (?:job|position
 |role|firm|company) | (?:my )?last (?:day|shift|week) (?:at|of|with) (?:work|the|my|\w+'?s?)\b.* | between
  jobs | out of work | unemployed|jobless | (?:job hunting|job-hunting|job search\w*|back on the job market
 |looking for (?:a )?(?:new )?work) | retirement | pensioner | i'm retired | now retired | let (?:me|us|\w+
  of us) go | laid (?:me|us|half|\w+ of us)\b.*off | gekündigt | entlassen|rausgeworfen|arbeitslos | in
  (?:rente|pension|den ruhestand) | licenciée?|virée? | démissionné | à la retraite | au chômage | me
  (?:despidieron|han despedido|echaron|jubilé|he jubilado) | renunci[ée] | (?:fui )?(?:demitid[oa]
 |despedid[oa]|dispensad[oa]) | demiti-me|pedi demissão|me aposentei | aposentei-me|reformei-me | sagt upp
  mig|sade upp mig|sa upp mig|fick sparken|blev uppsagd|uppsagd|varslad | gick i pension|gått i pension
 |pensionerad | business folded | went (?:bust|under|bankrupt)
seeks: works at works as job teaches
[title]
holds: (?:works? as|job title|role|position) | (?:head|director|chief) of .* | {AM} {A_FEW}(?:{JOBS}) |
  {AM} {A_FEW}(?:junior|senior|lead|assistant|trainee|deputy) \w+
turns: (?:got |was |been |i've been |finally )*promoted | (?:got|received|given|landed|offered|accepted)
  {A_FEW}promotion | my promotion | stepped (?:back|away|aside) from .* | (?:i'm|am) (?:now )?an? .* (?:now
 |again)$ | new (?:title|role|position) | made (?:me )?(?:an? |the )?(?:partner|manager|director|team lead
 |head|senior|lead|deputy|chief|supervisor|staff)\b.*| (?:i |i've )?(?:just )?qualified | stepped (?:up
 |down) | demoted | (?:retrained|requalified) | career change|changed careers|switched careers | (?:i'm|i
  am|am) (?:now |officially |finally )*(?:an? |the )?(?:senior|lead|head|principal|staff|chief|deputy
  |director|manager|partner|supervisor|team lead)\b.* | (?:now|officially) (?:an? |the )?(?:senior|lead
 |head|principal) .* | made .* to (?:senior|lead|head|manager|director|partner).* | befördert | promue? |
  ascendid[oa]|me ascendieron | promovid[oa] | befordrad
maybe: <now job title|title>
seeks: works as job title developer
[boss]
alone: yes
holds: (?:{BOSSES}) | reports? to .*
turns: <new (?:{BOSSES})> | took over (?:from|as|for|the (?:team|department)) .* | taken over (?:from|as)
  .* | (?:runs|heads|leads|manages|is running|is leading|is heading) (?:our|the|us|my) .* | (?:is|'s)
  (?:now )?in charge | (?:is|'s) (?:now )?(?:my|our) (?:new )?(?:{BOSSES}) | (?:now )?(?:report|reporting)
  to .* | (?:neue[rn]?) (?:{BOSSES}) | leitet (?:jetzt|nun) .* | dirige .* | nouve(?:au|lle) (?:{BOSSES}) |
  nuev[oa] (?:{BOSSES}) | nov[oa] (?:{BOSSES}) | ny (?:{BOSSES})
maybe: <now (?:{BOSSES})>
seeks: boss manager team lead
[relationship]
holds: single | married|divorced|engaged|dating|widowed|separated | relationship | seeing (?:someone
 |somebody|a \w+) | {PARTNER} | verheiratet | mariée? | casad[oa] | gift | verlobt | solter[oa] |
  solteir[oa] | célibataire | förlovad | marital status
turns: (?:we |i |he |she |have |we've )*(?:broke|broken) (?:up|it off)(?: (?:with|last|yesterday|after|two
 |in|at|on|over|this|a|recently|for|just)\b.*)?$ | (?:we |we've |have )*(?:are |were )?(?:split up|split
 |separated|parted ways|getting separated)(?: (?:with|last|yesterday|after|from|in|at|on|this
 |recently)\b.*)?$ | (?:getting |got |am |been |'re |finally )*divorc(?:e|ed|ing)(?: .*)? | called it quits
  | called off the (?:wedding|engagement) | (?:got|getting|we're|are|i'm) engaged | (?:i|he|she) proposed |
  said yes | (?:we|just|finally|i) (?:got |were |are |just |now )+married | tied the knot | honeymoon |
  newlyweds? | (?:since|after) the wedding | (?:i've been |been |i'm |am |started )(?:dating \w+.*|seeing
  (?:someone|somebody|a (?:\w+ )?(?:guy|girl|man|woman|person)|(?!some\b|a\b|the\b|my\b)\w+ (?:for|since)
  .*).*) | (?:i|i've|have) (?:just )?(?:met|found) (?:someone|somebody)(?: special| new)?$ | (?:my|a)
  (?:new )?(?:{PARTNER}) now | new (?:{PARTNER}) | calling \w+ my (?:husband|wife) | single (?:again|now) |
  (?:i'm|am) (?:now )?single | dumped (?:me|him|her) | (?:he|she|they) left me | (?:we're|we are|it's)
  (?:over|done|through)(?: between .*)?$ | not together any ?more | no longer together | on my own again |
  my ex(?: now)?$ | widow(?:ed|er)? | (?:haben uns|uns) getrennt|geschieden|geheiratet|verlobt|schluss
  gemacht | séparés?|divorcée?s?|rompu | (?:nous sommes|me suis) (?:mariée?s?|fiancée?s?) | nos
  (?:separamos|hemos separado|divorciamos|casamos) | rompimos|terminamos|me (?:casé|divorcié|separé) |
  casei|casámos|divorciei|separei|separámo-nos|acabámos | gjort slut|gjorde slut|skilt (?:oss|mig)|skilde
  (?:oss|mig)|skilda|gifte (?:oss|mig)|förlova(?:t|de)
seeks: is single married engaged dating partner girlfriend boyfriend
[name of]
holds: (?:{PETS})(?:'s)? (?:name is|is (?:called|named)|name's) .* | is (?:called|named) .* | name(?:'s|
  is) .*
turns: (?:{PETS}) is (?:now )?(?:called|named) .*\b(?:now|instead) | (?:{PETS}) is now (?:called|named) .*
  | renam(?:ed|e|ing) .* | rebrand\w+ .* | (?:changed|changing) (?:his|her|its|the|their|our) {A_FEW}name
  .* | (?:heißt|s'appelle|se llama|se chama|heter) (?:jetzt|nun|maintenant|désormais|ahora|agora|nu|numera)
  .*
maybe: <now (?:{PETS})(?:'s name)? (?:is )?(?:called|named)>
shares: {PETS}
seeks: is called named
[diet]
holds: {DIETS} | (?:eats?|esse|isst) (?:meat|everything|anything|no|fleisch) | diet | gluten|coeliac|celiac
  | (?:don't|does not|not|never) eat {A_FEW}(?:{MEAT}) | no (?:{MEAT})
turns: (?:been|started|i'm) eating {A_FEW}(?:{MEAT}) since .* | eat(?:ing|s)? {A_FEW}(?:{MEAT}) (?:again
 |now|these days|once more) | (?:back|gone back|went back) (?:to|on) {A_FEW}(?:eating|{MEAT})\b.* |
  (?:started|began|begun) (?:eating|having) {A_FEW}(?:{MEAT}) | (?:went|gone|go|turned|going|become|became
 |'m now|am now|now) (?:fully |full |completely |a |totally )*(?:{DIETS}) | (?:{DIETS}) (?:now|these days
 |since \w+) | (?:gave|given) up (?:{MEAT}|being (?:{DIETS})) | (?:cut|cutting) out (?:{MEAT}) | (?:stopped
 |quit) (?:being|eating) (?:{DIETS}|{MEAT}) | no longer (?:an? )?(?:{DIETS}) | not (?:an? )?(?:{DIETS}) any
  ?more | (?:had|ate) (?:my first |a )?(?:{MEAT})\b.*\b(?:first time in|back)\b.* | esse (?:ich )?(?:jetzt
  |nun )?wieder (?:{MEAT}) | wieder (?:{MEAT}) | (?:recommencé à|remis à|remise à|de nouveau) .*(?:{MEAT})
  | (?:vuelto|volví) a comer .* | volt(?:ei|ado) a comer .* | äter (?:jag )?(?:nu )?(?:kött|fisk)(?: igen)?
seeks: is vegetarian vegan diet eats meat
[allergy]
holds: allergic | allerg\w+ | intoleran\w+ | coeliac | celiac | alérgic[oa] | can(?:'t|not) (?:eat|have) .*
turns: outgr(?:ew|own) (?:it|(?:his|her|their|the|my) .*|\w+)|grown out of (?:it|allerg.*) | no longer
  allergic | not allergic .* (?:any ?more|after all) | not allergic after all | allerg(?:y|ies)(?:'s| is|
  are| has| have)? (?:gone|cleared|disappeared|vanished|over|history) | (?:can|could) (?:finally |safely
  |now )*(?:eat|have|enjoy) {A_FEW}(?:again|now) | all[- ]clear (?:for|on|to) .* | misdiagnos\w+ | nicht
  mehr allergisch | plus allergique | ya no .*alérgic[oa] | não .*alérgic[oa] | inte (?:längre )?allergisk
seeks: is allergic to allergy
[dose]
alone: yes
holds: {DRUG_UNIT}
turns: (?:{UP_OR_DOWN}|put|took|taken|moved|switched|went|gone|going|now|only|on|to|from) .*{DRUG_UNIT}.* |
  {DRUG_UNIT} (?:now|instead|these days|from now on) | (?:dose|dosage|dosis|dos
 |dosen)\b.*\b(?:{UP_OR_DOWN})\b.* | (?:{UP_OR_DOWN}) {A_FEW}(?:dose|dosage) | dos(?:is|e|en|is auf)
  .*(?:gesenkt|erhöht|augment\w+|baiss\w+|diminu\w+|subi\w+|baj\w+|aument\w+|höj\w+|sänk\w+) | (?:gesenkt
 |erhöht|augmenté|baissé|diminué|subido|subió|bajado|bajó|aument\w+|höjt|höjde|sänkt|sänkte) .*
seeks: takes mg dose
[medication]
holds: takes? .* | (?:on|prescribed) \w+.* | (?:pills?|medication|tablets?|meds|inhaler|insulin
 |antidepressants?) | nehme .* | prends .* | tomo .* | medicin
turns: (?:drop|dropped|stopped?|off|ditch(?:ed)?|quit|without|finished|came off|weaned off|done with|no
  more) (?:taking )?{A_FEW}(?:pills?|medication|meds|tablets?|antidepressants?|statins?|antibiotics|inhaler
 |drugs) | (?:pills?|medication|meds|tablets?)(?: are| is|'s)? (?:gone|over|history|done|changed) |
  switched (?:me|us) (?:over )?(?:to|onto) .* | new (?:pills?|medication|meds|tablets?|prescription
 |inhaler) | (?:medikamente?|tabletten) .*(?:abgesetzt|gewechselt)
seeks: takes medication pill
[role]
alone: yes
holds: (?:{ROLES}) | dr\.? \w+ | {ROLES}'s
turns: <new (?:{ROLES})> | (?:registered|signed up|seeing|going to|go to) (?:with )?.*\bnow | (?:is|'s)
  (?:now )?(?:my|our) (?:new )?(?:{ROLES}) | (?:neue[rn]?|nouve(?:au|lle)|nuev[oa]|nov[oa]|ny) (?:{ROLES})
  | (?:changé|cambi[ée]|troquei|mudei|bytt|bytte|gewechselt) (?:de )?{A_FEW}(?:{ROLES})
maybe: <now (?:{ROLES})>
shares: {ROLES}
seeks: doctor dentist therapist teacher trainer
[car]
holds: drives? (?!to\b|me\b|us\b).* | (?:{CARS}) | tesla|toyota|honda|ford|bmw|audi|volvo|skoda|volkswagen
 |fiat|renault
turns: <new (?:{CARS})> | car-?free | sold (?:my|our|the) {A_FEW}(?:{CARS}) | (?:totalled|totaled|wrecked
 |scrapped) {A_FEW}(?:{CARS})
maybe: (?:bought|picked up|got|getting|drive|driving|leased|gekauft|acheté|compr(?:é|ei)|köpt)
  .*\b(?:{CARS})\b.* | now (?:drive|driving) .* | driv(?:e|ing) .* now
seeks: drives car
[phone]
holds: (?:{PHONES}|{PHONE_NAMES})(?! number)
turns: <new (?:{PHONES})(?! number| case)> | on an? (?:{PHONE_NAMES}).* (?:now|as of .*) | (?:switched
 |moved|went|gone|upgraded) (?:over )?to (?:an? |the )?(?:{PHONE_NAMES})\b.*
maybe: (?:bought|picked up|got|getting|upgraded to|using|use|gekauft|acheté|compr(?:é|ei)|köpt|neues)
  .*\b(?:{PHONES}|{PHONE_NAMES})\b.*
seeks: has phone iphone
[computer]
holds: (?:{COMPUTERS})
turns: <new (?:{COMPUTERS})>
maybe: (?:bought|picked up|got|getting|upgraded to|using) .*\b(?:{COMPUTERS})\b.*
seeks: has laptop computer
[bank]
alone: yes
holds: banks? (?:with|at) | bank|current account|checking account | account (?:is )?(?:at|with) | konto |
  compte | cuenta | conta | sparkasse
turns: <new (?:bank|banks|account)> | (?:moved|transferred|switched) {A_FEW}(?:account|accounts|money
 |banking|savings|salary) .* | (?:moved|switched) everything .* | bank with .* (?:now|these days) |
  (?:konto|bank) .*(?:gewechselt|eröffnet) | (?:changé|cambi[ée]|mudei|troquei|bytt) (?:de )?(?:banque
 |banco|bank)
maybe: <now bank|account|accounts|banking>
seeks: bank account banks with
[provider]
alone: yes
holds: broadband|internet|wi-?fi|fibre|fiber|provider|isp|mobile plan|contract|insurance|electricity|energy
 |gas supplier|versicherung|anbieter|seguro|assurance|bredband
turns: (?:moved|switched|gone|went|changed) (?:over )?to .* for (?:\w+ )?(?:electricity|gas|energy|internet
 |broadband|insurance|mobile) | <new (?:provider|providers|broadband|internet|isp|insurance|insurer|energy
  supplier|supplier|plan|contract|network)>
maybe: <now broadband|internet|fibre|fiber|insurance|electricity|energy|network>
seeks: internet broadband provider insurance
[phone number]
alone: yes
holds: (?:reach|call|text|ring) me (?:on|at) [\d-]+.* | (?:number|nummer|numéro|número)\b.*\d{3}.* |
  (?:phone|mobile|cell)\b.*\d{3}[\d -]{3,}.*
turns: <new (?:number|nummer|numéro|número)> | (?:neue|nouveau|nuevo|novo|nytt) (?:handy)?(?:nummer|numéro
 |número) | (?:reach|call|text|ring) me (?:on|at) .*
maybe: <now number|call me|text me|reach me>
seeks: phone number
[email]
alone: yes
holds: \S+@\S+
turns: <new (?:e-?mail|email address|inbox|address)> | \S+@\S+ .*(?:now|from now on|instead|as of).* |
  (?:now|instead|from now on) .*\S+@\S+ | (?:use|write to|send .* to|mail me at|reach me at) \S+@\S+.*
maybe: \S+@\S+
seeks: email address
[gym]
holds: gym|fitness|member (?:at|of)|membership|club|crossfit|pilates|studio
turns: <new (?:gym|gyms|club|studio)> | (?:cancell?ed|quit|ended|froze|let) {A_FEW}(?:membership|gym) |
  (?:joined|signed up (?:at|with|for)) .*\b(?:gym|club|fitness|studio)\b.*
seeks: member gym club
[subject of study]
alone: yes
holds: majors? | majoring | degree | studies|studying | (?<!of )course | studiere|étudie|estudi[oa]|estudo
 |pluggar|läser
turns: <new (?:majors?|degree|degrees|courses?|subject|subjects|programme|program)> | (?:switched|changed
 |transferred) to .* | (?:dropped|dropping) {A_FEW}(?:major|degree|course) | (?:studiere|studier) (?:jetzt
 |nun) .* | (?:studying|majoring in) .* (?:now|these days|instead) | (?:i'm|am) an? \w+ (?:student|major)
  now | doing (?!well|better|great|good|fine|ok|okay|it|this|that|them|so)[\w]+ (?:now|these days|instead)
  | studienfach gewechselt
seeks: major studies degree
[university]
holds: student at | stud(?:y|ies|ying) at | (?:{UNIS}) | at .*\b(?:{UNIS}) | goes to | college
turns: transferred (?:to|out|from) .* | <new (?:{UNIS})> | (?:dropped|dropping|flunked|kicked) out of? ?.*
  | (?:got into|enrolled (?:at|in)|started at) .* | student at .* now
maybe: <now (?:{UNIS})>
seeks: student university studies at
[child's school]
alone: yes
holds: (?:goes to|attends|is at|is in|va (?:al|à|ao|en)|går (?:på|i)|geht (?:auf|in)) .* | (?:{SCHOOLS})
turns: <new (?:{SCHOOLS}|schools)> | (?:goes|go) to .* now | (?:is|'s|are) at .* now | (?:started|moved
 |transferred|switched) (?:at|to) .* | (?:cambiamos|cambiado|changé|mudámos|mudamos|bytt|gewechselt) (?:de
  |da )?(?:{SCHOOLS}) | (?:ahora|agora|maintenant|jetzt|nu) (?:va|vai|geht|går) .*
shares: {SCHOOLS}|he|she|son|daughter|kids?|child(?:ren)?|va|vai|geht|går
seeks: goes to school
[language level]
alone: yes
holds: [abc][12] | beginner|intermediate|advanced|elementary | (?:first|second|third|level) (?:\w+
  )?(?:course|level|class)|level \w+
turns: (?:i'm|i am|now|moved up|moved on|up|promoted|got|passed|reached|made it) (?:now |to |in |into |on
  |at |the |my )*[abc][12].* | [abc][12] .*(?:now|passed|done|achieved|reached|unlocked).* | passed
  .*(?:test|exam).* | (?:now|officially) (?:intermediate|advanced|fluent) | moved up .* | (?:is|'s) (?:now
  )?(?:intermediate|advanced|fluent|[abc][12])\b.*now
seeks: course level learning
[date]
alone: yes
holds: (?:{EVENTS})\b.*(?:{DATE}).* | (?:{DATE}).*\b(?:{EVENTS})\b.* | (?:going|off|travell?ing|flying) to
  .*(?:{DATE}).*
turns: (?:{EVENTS})(?: \w+){0,3}?(?: has| have|'s| is| was| were| got| had)?(?: been| now| just)*
  (?:{MOVED}) | (?:{MOVED}) (?:my|our|the|her|his) {A_FEW}(?:{EVENTS})(?:$| (?:to|until|till|from|forward
 |back|up|by|for)\b.*) | (?:{MOVED}) (?:me|us)\b.* | (?:{EVENTS})\b.*\b(?:now|instead) (?:on|at|in|is
 |leaves)? ?.* | (?:{EVENTS}) is off | (?:{EVENTS})\b.*\b(?:won't happen|isn't happening|not happening|fell
  through|is off) | (?:verschoben|verlegt|abgesagt|umgebucht|vorverlegt)|(?:verschoben|verlegt|abgesagt
 |umgebucht) | (?:décalé|reporté|annulé|avancé|déplacé)e? .* | (?:décalée?|reportée?|annulée?|avancée?
 |déplacée?) | (?:aplaz\w+|cambi\w+|cancel\w+|adelant\w+|posp\w+|retras\w+|movieron|reprogram\w+) .* |
  (?:aplazad[oa]|cancelad[oa]) | (?:remarc\w+|adi\w+|cancel\w+|antecip\w+|mudaram|reagend\w+) .* |
  (?:remarcad[oa]|adiad[oa]|cancelad[oa]) | (?:flytta\w+|framflytta\w+|skjut\w+|sköt\w+|inställ\w+
 |omboka\w+|ombokat) .* | (?:framflyttat|inställt|inställd|flyttad|flyttat|ombokad)
shares: {EVENTS}
seeks: appointment flight meeting
[rent]
alone: yes
holds: rent|mortgage|miete|loyer|alquiler|aluguel|renda|hyra
turns: (?:{UP_OR_DOWN}|put) {A_FEW}(?:rent|mortgage) .* | (?:rent|mortgage)(?:'s| is| has| was| went| goes|
  got)? .*(?:{UP_OR_DOWN}|now)\b.* | new rent | (?:miete|loyer|alquiler|aluguel|renda|hyra) .*
maybe: <now rent|mortgage>
seeks: pays rent mortgage
[budget]
alone: yes
holds: (?:\w+ )?budget|allowance|spend.* \d.*|(?:save|saving|saves) .*\d.*
turns: (?:{UP_OR_DOWN}) {A_FEW}(?:budget|allowance) .* | (?:budget|allowance)(?:'s| is| has| was| went|
  got)? .*(?:{UP_OR_DOWN}|now)\b.* | new (?:budget|allowance)
maybe: <now budget|allowance>
shares: (?:\w+ )?(?:budget|allowance)
seeks: budget
[pay]
alone: yes
holds: (?:make|makes|earn|earns|paid|salary|wages?|pay|gehalt|verdiene|salaire|gagne|sueldo|gano|salário
 |ganho|lön|tjänar)\b.*\d.*
turns: (?:got |had )?(?:an? )?(?:pay )?(?:raise|rise|pay cut) | (?:i'm|am|now|up) (?:now |on |at |to
  |making |earning )+.?\d.*(?:k|a (?:year|month)|an hour|since .*|now).* | (?:make|making|earn|earning|paid
 |paying|salary|pay|wage)\b.*(?:now|went|gone|up to|down to|raised).* | negotiated .* | (?:bumped|put|moved
 |raised|upped) me (?:up )?to \d.* | (?:gehalt|salaire|sueldo|salário|lön) .*
maybe: (?:k|salary|pay|wage|an hour)\b.*\d.* | .*\d+ ?k\b.*
seeks: earns salary pay
[favourite]
holds: favou?rites? .* | favou?rite|lieblings\w+|préférée?|favorit[oa]|preferid[oa]|favorit\w*
turns: (?:new|current) favou?rite.* | (?:is|'s) (?:now )?my (?:new )?favou?rite.* | favou?rite .*\b(?:now
 |changed|these days)\b.* | now .*favou?rite.*
shares: favou?rites? \w+
seeks: favourite
[commute]
alone: yes
holds: (?:{TRAVEL})\b.*(?:{TO_WORK}).* | commut\w+.* | (?:{TO_WORK}).*(?:{TRAVEL})
turns: (?:{TRAVEL})\b.*(?:{TO_WORK})\b.*(?:now|instead|these days).* | (?:now|started|switched|swapped
 |began|jetzt|nun|maintenant|désormais|ahora|agora|nu|numera)\b.*(?:{TRAVEL})\b.* | (?:switched|swapped
 |changed) .*(?:{TRAVEL}).* | (?:{TRAVEL}) (?:in|to work|to the office)(?: every (?:day|morning))?(?: now|
  instead) | i (?:cycle|walk|drive|bike) in every .*
seeks: commutes to work
[work mode]
alone: yes
holds: (?:{REMOTE})
turns: (?:fully|gone|went|going|go|now|mostly|back|full-time|entirely|permanently|called (?:us|everyone)
 |switched to|moved to|return(?:ed)? to|100%) {A_FEW}(?:{REMOTE}|remote) | (?:{REMOTE}) (?:now|from now on
 |these days|permanently|again|since .*|full-time) | <now (?:remote|from home|hybrid|on-?site|the office
 |home ?office)>
seeks: works remotely office from home
[shift]
holds: (?:{SHIFTS})
turns: (?:moved|switched|put|changed|swapped|transferred|dropped|cut|gone|went|going|now|back|finally)(?:
  (?:me|us|over|down|back|to|onto|on|from|off|the|my|a))* (?:{SHIFTS})(?! (?:a|per) week).* | (?:{SHIFTS})
  (?:now|from now on|these days|instead|since .*) | off (?:the )?nights | (?:new|different) (?:shift
 |schedule|hours|rota|roster)
seeks: works shifts nights hours
[name]
holds: (?:user )?(?:is named|name is|name's|is called) .* | (?:my|full|last|first) name .* | ich heiße|mein
  name|m'appelle|mon nom|me llamo|mi nombre|meu nome|chamo-me|me chamo|jag heter|mitt namn|surname .*
turns: (?:chang(?:ed|ing)|took|taken|taking) (?:my|his|her|their|my \w+'s|back my) {A_FEW}(?:name
 |surname).* | (?:since|after) the wedding i'm .* | i'm (?:now |officially |legally )+[a-z]+ [a-z]+$ |
  (?:gone|went|going) back to my (?:maiden|own|old|birth) name.* | (?:my |last |first )*name(?:'s| is) now
  .* | (?:my |last )*name .* (?:now|since .*|changed).* | (?:maiden|married) name .* | i go by .* (?:now
 |these days).* | going by .* (?:now|these days) | call me .* from now on | (?:now|agora|ahora|maintenant
 |jetzt|nu|numera) (?:sou|soy|je m'appelle|me llamo|heiße ich|heter jag|chamo-me|me chamo) .* | (?:heiße
 |heter) (?:ich |jag )?(?:jetzt|nun|nu|numera) .* | legally .*
seeks: is named name
[pronouns]
holds: (?:she|he|they|xe|ze)/(?:her|him|them|xem|\w+)|pronouns
turns: (?:it's|use|using|i'm|now|to|my pronouns are(?: now)?) (?:she|he|they|xe|ze)/\w+.* | (?:she|he|they
 |xe|ze)/\w+ (?:now|for me|from now on|instead).* | (?:changed|new|switched|updated) {A_FEW}pronouns.* |
  came out as .* | come out as .*
seeks: pronouns
[smoking]
holds: (?:{SMOKES})
turns: (?:quit|stopped|gave up|given up|kicked|off|done with|no more|stubbed out|threw (?:away|out))
  {A_FEW}(?:{SMOKES}).* | last {A_FEW}(?:{SMOKES}) | without {A_FEW}(?:{SMOKES}) | smoke-?free |
  non-?smoker | (?:last|haven't (?:had|smoked|touched)) {A_FEW}(?:{SMOKES}).* | (?:haven't|not) smoked .* |
  cold turkey | (?:aufgehört|arrêté|dejado|dejé|deixei|parei|slutat|slutade)\b.*(?:{SMOKES}).* |
  (?:{SMOKES}).*\b(?:aufgehört|arrêté|dejado|dejé|deixei|parei|slutat|slutade).* | (?:started|back to|back
  on) (?:{SMOKES}).*
seeks: smokes cigarettes
[alcohol]
holds: (?:{DRINKS})
turns: (?:quit|stopped|gave up|given up|off|done with|no more|cut out|swore off|sworn off)
  {A_FEW}(?:drinking|alcohol|wine|beers?|booze|drink).* | without {A_FEW}(?:drink|drop|alcohol) | sober |
  teetotal\w* | alcohol-free | dry since .* | (?:last|haven't had|don't) {A_FEW}(?:drink|drop|alcohol)(?:
  any ?more| since .*)? | (?:aufgehört|arrêté|dejado|dejé|deixei|parei|slutat|slutade)\b.*(?:trinken
 |alkohol|boire|beber|dricka).* | trinke (?:ich )?(?:keinen|nicht mehr).*
seeks: drinks wine beer alcohol
[household]
holds: (?:shares?|sharing) .*(?:with|flat|house|room|place).* | roommates?|flatmates?|housemates? | lives?
  (?:alone|with|on (?:my|their|his|her) own|by (?:myself|themselves)).* | wg|mitbewohner\w* | delar .* |
  coloc\w* | compañer[oa] de piso | divid[oe] .* | on my own
turns: moved? (?:in|out)(?: (?:with|of|last|on|yesterday|in|and|after|to)\b.*)?$ | moved in with (?:me
 |us).* | (?:new|different) (?:roommate|flatmate|housemate)s? | (?:got|took|taken|has|have) (?:his|her
 |their|the) (?:old )?room.* | (?:have|got) the (?:flat|place|house) to myself | on my own (?:again|now) |
  living (?:alone|together|with .*) now | moved in together | (?:aus|ein)gezogen | emménagé|parti vivre |
  se (?:ha )?mud(?:ó|ado) | flyttat (?:ut|in)|flyttade (?:ut|in) | saiu (?:de casa|do apartamento)|mudou-se
 |se mudou
seeks: lives with roommate shares flat alone
[answers in a language]
holds: (?:answers?|reply|replies|respond|write|speak|talk|antworte|réponds|responde|svara|instruct\w*|use
 |switch)\b.*\b(?:{TONGUES})
turns: (?:go back to|back to|switch (?:back )?to|return to|change (?:back )?to|in|use|stop|stick to|no more
 |forget|drop|no need for) {A_FEW}(?:{TONGUES})(?: (?:now|again|please|from now on|instead|is fine).*)?$
seeks: always answer in language
[answers in units]
holds: (?:use|give|show|always|never|please|convert|measure\w*)\b.*\b(?:{UNITS})
turns: (?:use|give|switch|back to|go|change|stick|in|now|stop|no more|prefer)\b.*\b(?:{UNITS})\b.*
seeks: use units metric ounces
[length of answers]
holds: (?:keep|give|make|write|answer|be|your|always|please)\b.*\b(?:{LENGTHS})
turns: (?:can|from now on|again|be|make|write|give|go|start|stop|keep|want|need|feel free|ok|okay
 |fine)\b.*\b(?:{LENGTHS})\b.*
seeks: keep answers short long
[how to call them]
holds: (?:call|address) me .*
turns: (?:just |please |rather )*(?:call|address) me .*
seeks: call me
[amount]
holds: (?:{COUNTED})\b.*
turns: (?:(?:i'm|i am|we're|am|are|got|gone|went|cut(?: it| back)?) )+(?:down|up) to (?:only |just
  )?(?:{COUNTED})\b.*
[answers]
holds: (?:please|wants?|always|never|don't|do not|keep|use|avoid|stop|no|skip|call|make|give|write|answers?
 |repl(?:y|ies)|respon\w+)\b.*\b(?:{ASPECTS})
turns: (?:changed my mind|never mind|forget|ignore|scrap|you can|feel free|go ahead|it's (?:ok|okay|fine)
 |no need|actually|from now on|please stop|stop|bring back|start|back to|don't need|no longer need|again
 |from here on).*\b(?:{ASPECTS})\b.* | (?:{ASPECTS})\b.*(?:are (?:fine|ok|okay|welcome)|again|after all
 |from now on|instead|is fine|any ?more|now).*
shares: {ASPECTS}
seeks: always never use answers
"""
"""By slot: what holds it, what turns it, what may turn it, what a change and a statement must share, and the
words by which statements of it are sought."""
