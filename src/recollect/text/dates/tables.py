"""The words of dates, one table for each language.

A line is ``KIND value: word word``. The value is a number, a name, or both; with ``+`` after the number
every word has the next one. Words that mean the same are parted by blanks, or by ``/`` in such a row;
blanks inside a phrase are written ``_``. ``words`` says which word shared by two languages stands where.
"""

from typing import Final

ENGLISH: Final = """
DAY -2: day_before_yesterday
DAY -1: yesterday
DAY 0: today
DAY 1: tomorrow tmrw tmr tommorow tomorow
DAY 2: day_after_tomorrow
DAY -2 night: night_before_last
DAY -1 night: last_night
DAY 0 night: tonight tonite
DAY 0 morning: this_morning
DAY 0 afternoon: this_afternoon
DAY 0 evening: this_evening
OFFSET 1: day_after
OFFSET -1: day_before
OFFSET 7: a_week_on
OFFSET 14: two_weeks_on a_fortnight_on
WEEKDAY 0+: monday tuesday wednesday thursday friday saturday sunday
WEEKDAY 0+ week: monday_week tuesday_week wednesday_week thursday_week friday_week saturday_week sunday_week
SHORT_WEEKDAY 0+: mon tue/tues wed/weds thu/thur/thurs fri sat sun
MONTH 1+: january february
MARCH 3: march
MONTH 4: april
MAY 5: may
MONTH 6+: june july august september october november december
SHORT_MONTH 1+: jan feb mar apr
SHORT_MONTH 6+: jun jul aug sep
SEPT 9: sept
SHORT_MONTH 10+: oct nov dec
SEASON 3: spring
SEASON 6: summer
SEASON 9: autumn fall
SEASON 12: winter
UNIT minute: minute minutes min mins
UNIT hour: hour hours hr hrs
UNIT day: day days
UNIT week: week weeks wk wks
UNIT month: month months
UNIT year: year years yr yrs
UNIT quarter: quarter quarters
UNIT fortnight: fortnight fortnights
UNIT decade: decade decades
WEEKEND weekend: weekend week_-_end
LENGTH 30 minute: half_an_hour half_hour
LENGTH 6 month: half_a_year
LENGTH 18 month: year_and_a_half a_year_and_a_half
DAYS_END: end_of_day end_of_the_day eod
PART morning: morning
PART afternoon: afternoon
PART evening: evening
PART night: night
NOON 12: noon midday
NOON 24: midnight
HALF 30: half_past
HALF 15: quarter_past a_quarter_past
HALF -15: quarter_to a_quarter_to
OCLOCK: o_clock oclock
ORDER 1+: first second third fourth fifth
NUMBER_WORD 1: one
ONE 1: a
AN 1: an
NUMBER_WORD 2+: two/a_couple_of/a_couple/couple_of/couple three/a_few/few four five six seven eight nine ten
NUMBER_WORD 11+: eleven twelve/a_dozen
NUMBER_WORD 15: fifteen
NUMBER_WORD 20: twenty
NUMBER_WORD 30: thirty
NUMBER_WORD 40: forty
NUMBER_WORD 50: fifty
NUMBER_WORD 60: sixty
NUMBER_WORD 90: ninety
NUMBER_WORD 100: a_hundred one_hundred
LAST: last previous
PAST: past
NEXT: next
COMING: coming upcoming
THIS: this
LATER 1: after_next
LATER -1: before_last
AGO: ago back
HENCE: from_now hence
IN en: in in_about in_around
WITHIN: within
ON: on
AT 12: at around
BY: by no_later_than not_later_than
SINCE: since ever_since
UNTIL: until till til
BEFORE: before prior_to
NOT_BEFORE: not_before no_earlier_than not_earlier_than
AFTER: after
DURING: during throughout
OVER: over
FOR: for
FROM: from starting
BETWEEN: between
AND: and
TO: to through
DUE: due
OR: or
ZONE 0: utc gmt
ZONE -240: edt
ZONE -300: est cdt
ZONE -360: cst mdt
ZONE -420: mst pdt
ZONE -480: pst
ZONE 60: bst
ZONE 120: cest
ZONE unknown: pt ist jst kst aest
THE: the
OF: of
END: end
START: start beginning
MID: mid middle
EARLY: early
LATE: late
EVERY: every each every_other
NOT_A_DAY: floor century grade place anniversary birthday time edition street avenue st ave row chapter page
NOT_A_DAY: amendment generation attempt round season episode version graders
HOLIDAY christmas: christmas xmas christmas_day
EVE christmas_eve: christmas_eve
HOLIDAY boxing_day: boxing_day
EVE new_years_eve: new_year_s_eve new_years_eve
EVE new_years_day: new_year_s_day new_years_day
HOLIDAY valentines_day: valentine_s_day valentines_day
HOLIDAY halloween: halloween
HOLIDAY easter: easter easter_sunday
HOLIDAY good_friday: good_friday
HOLIDAY thanksgiving: thanksgiving thanksgiving_day
HOLIDAY black_friday: black_friday
"""

GERMAN: Final = """
DAY -2: vorgestern
DAY -1: gestern
DAY 0: heute
MORROW 1: morgen
DAY 1 morning: morgen_früh
DAY 2: übermorgen
WEEKDAY 0+: montag dienstag mittwoch donnerstag freitag samstag/sonnabend sonntag
MONTH 1+: januar/jänner februar märz/maerz
MONTH 5+: mai juni juli
MONTH 10: oktober
MONTH 12: dezember
SEASON 3: frühling frühjahr
SEASON 6: sommer
SEASON 9: herbst
UNIT minute: minuten
UNIT hour: stunde stunden
UNIT day: tag tage tagen
UNIT week: woche wochen
UNIT month: monat monate monaten monats
UNIT year: jahr jahre jahren jahres
UNIT quarter: quartal quartals
UNIT decade: jahrzehnt jahrzehnten
WEEKEND weekend: wochenende
LENGTH 30 minute: halben_stunde einer_halben_stunde
LENGTH 6 month: halben_jahr einem_halben_jahr
PART morning: früh vormittag
PART afternoon: nachmittag
PART evening: abend
PART night: nacht
PART noon: mittag
NOON 24: mitternacht
HALF -30: halb
HALF 15: viertel_nach
HALF -15: viertel_vor
OCLOCK: uhr
NUMBER_WORD 1+: ein/eine/einem/einer/einen zwei drei/ein_paar/paar vier fünf sechs sieben acht neun zehn elf
NUMBER_WORD 12+: zwölf
NUMBER_WORD 14: vierzehn
NUMBER_WORD 20: zwanzig
NUMBER_WORD 30: dreißig dreissig
LAST: letzte letzten letzter letztes letztem vorige vorigen voriges vorigem vergangene vergangenen
LAST: vergangenes
NEXT: nächste nächsten nächster nächstes nächstem
ORDER 1: erste erster erstes ersten
ORDER 2: zweite zweiter zweites zweiten
ORDER 3: dritte dritter drittes dritten
ORDER 4: vierte vierter viertes vierten
ORDER 5: fünfte fünfter fünftes fünften
LATER 1: übernächste übernächsten übernächstes
COMING: kommende kommenden kommendes kommendem
THIS: diese diesen dieser dieses diesem
VOR: vor
IN de: im
WITHIN: innerhalb_von innerhalb
ON: am an
AT 24: um gegen
BY: spätestens bis_spätestens
SINCE: seit
OR: oder
UNTIL: bis
NOT_BEFORE: nicht_vor
AFTER: nach
FROM: von vom ab
BETWEEN: zwischen
AND: und
THE: der die das dem den zum zur
END: ende
START: beginn
MID: mitte
EARLY: anfang
EVERY: jeden jede jedes
NOT_A_DAY: guten_morgen am_morgen
HOLIDAY christmas: weihnachten
EVE christmas_eve: heiligabend heilig_abend
EVE new_years_eve: silvester
EVE new_years_day: neujahr
HOLIDAY easter: ostern
"""

FRENCH: Final = """
DAY -2: avant_-_hier
HIER -1: hier
DAY 0: aujourd_hui
DAY 1: demain
DAY 2: après_-_demain
DAY 0 morning: ce_matin
DAY 0 afternoon: cet_après_-_midi
DAY 0 evening: ce_soir
DAY -1 night: cette_nuit
WEEKDAY 0+: lundi mardi mercredi jeudi vendredi samedi dimanche
MONTH 1+: janvier février mars avril
MONTH 6+: juin juillet août septembre octobre novembre décembre
SEASON 3: printemps
SEASON 6: été
SEASON 9: automne
SEASON 12: hiver
UNIT hour: heure heures
UNIT day: jour jours
UNIT week: semaine semaines
UNIT month: mois
UNIT year: année années ans l_an
LENGTH 1 year: un_an
UNIT quarter: trimestre
UNIT fortnight: quinzaine
LENGTH 30 minute: une_demi_-_heure demi_-_heure
PART morning: matin matinée
PART afternoon: après_-_midi
PART evening: soir soirée
PART night: nuit
NOON 12: midi
NOON 24: minuit
ORDINAL 1: premier première
ORDER 2: deuxième
ORDER 3: troisième
ORDER 4: quatrième
ORDER 5: cinquième
NUMBER_WORD 1+: un/une deux trois/quelques quatre cinq
NUMBER_WORD 8+: huit neuf dix onze douze
NUMBER_WORD 15: quinze
NUMBER_WORD 20: vingt
NUMBER_WORD 30: trente
LAST: dernier dernière passé passée
ROLLING -1: derniers dernières
ROLLING 1: prochains prochaines
COMING: prochain prochaine
THIS: ce cet cette
VOR: il_y_a ça_fait
IN fr: dans
IN es: en
AT 24: à vers
BY: d_ici
SINCE: depuis
UNTIL: jusqu_à jusqu_au jusqu_en
OR: ou
BEFORE: avant
NOT_BEFORE: pas_avant
AFTER: après
DURING: pendant
BETWEEN: entre
AND: et
AU: au
THE: le la les l
OF: de d du des
END: fin
START: début
MID: mi milieu
EVERY: chaque tous_les
HOLIDAY christmas: noël
EVE new_years_eve: saint_-_sylvestre
HOLIDAY easter: pâques
"""

SPANISH: Final = """
DAY -2: anteayer antier
DAY -1: ayer
DAY 0: hoy
MORROW 1: mañana
DAY 2: pasado_mañana
DAY -1 night: anoche
DAY 0 morning: esta_mañana
DAY 0 afternoon: esta_tarde
DAY 0 night: esta_noche
WEEKDAY 0+: lunes martes miércoles jueves viernes sábado domingo
MONTH 1+: enero febrero marzo abril mayo junio julio agosto septiembre/setiembre octubre noviembre diciembre
SEASON 3: primavera
SEASON 6: verano
SEASON 9: otoño
SEASON 12: invierno
UNIT minute: minuto minutos
UNIT hour: hora horas
UNIT day: día días
UNIT week: semana semanas
UNIT month: mes meses
UNIT year: año años
WEEKEND weekend: fin_de_semana
LENGTH 30 minute: media_hora
PART morning: por_la_mañana de_la_mañana la_mañana
PART afternoon: tarde por_la_tarde de_la_tarde
PART night: noche por_la_noche de_la_noche
NOON 12: mediodía
NOON 24: medianoche
HALF_AFTER 30: y_media et_demie
HALF_AFTER 15: y_cuarto et_quart
HALF_AFTER -15: menos_cuarto moins_le_quart
NUMBER_WORD 1+: una dos/un_par_de tres/unos/unas cuatro cinco seis siete ocho nueve diez once doce
NUMBER_WORD 15: quince
NUMBER_WORD 20: veinte
NUMBER_WORD 30: treinta
LAST: pasado pasada pasados pasadas último última últimos últimas
COMING: próximo próxima próximos próximas que_viene
THIS: este esta
VOR: hace
IN es: dentro_de
AT 12: a_las a_la
BY: para
ORDER 1: primero primer primera
ORDER 2: segundo segunda
ORDER 3: tercer tercero tercera
NOT_BEFORE: no_antes_de no_antes_del
SINCE: desde desde_hace
UNTIL: hasta
BEFORE: antes_de antes_del
AFTER: después_de después_del
DURING: durante
AND: y
AU: al
THE: el los las
OF: del
END: final a_fin_de
LATE: finales a_finales
START: comienzo inicio
EARLY: principios a_principios
MID: mediados a_mediados
EVERY: cada todos_los
HOLIDAY christmas: navidad
EVE christmas_eve: nochebuena
EVE new_years_eve: nochevieja
HOLIDAY easter: pascua
"""
