"""Names that are known beforehand: given names, places, brands; days, peoples and acronyms that are none.

Chosen by hand, the commonest only. A name need not stand here to be found; those that do are found where
capitals tell nothing: at the begin of a sentence, alone, and in German.
"""

from typing import Final

GIVEN: Final = frozenset(
    """
    Aaron Abby Abdul Abdullah Abigail Adam Adele Adrian Adriana Adrián Agnes Agnès Ahmad Ahmed Aiden Aisha
    Alan Alba Albert Alberto Alejandra Alejandro Aleksandr Alessandro Alex Alexa Alexander Alexandra
    Alexandre Alexis Alfred Ali Alice Alicia Alina Alison Allison Alma Amanda Amber Amelia Amina Amir Amy
    Amélie Ana Anaïs Andrea Andreas Andrei Andrew Andrés Andy Angel Angela Angelina Anita Anja Anke Ann
    Anna Anne Annette Annie Anthony Antoine Anton Antonia Antonio Ariana Arjun Arthur Arun Ashley Astrid
    Audrey August Aurélie Axel Ayesha Ayşe Barbara Bart Bea Beatrice Beatriz Becky Begoña Bella Ben
    Benjamin Benoît Bernard Bernd Bernhard Beth Betty Bianca Bill Billy Birgit Björn Bob Bobby Boris Brad
    Bradley Brandon Brenda Brian Bridget Brigitte Bruce Bruno Bryan Caleb Calvin Cameron Camila Camille
    Carl Carla Carlo Carlos Carmen Carol Carolina Caroline Carrie Casey Cassandra Catarina Catherine
    Cecilia Charles Charlie Charlotte Chen Chiara Chloe Chloé Chris Christa Christian Christina Christine
    Christoph Christophe Christopher Cindy Claire Clara Claude Claudia Claudio Claus Cody Colin Connor
    Conor Craig Cristina Cynthia Cédric Daisy Dan Dana Daniel Daniela Danielle Danny Daphne Darren Dave
    David Dawn Dean Debbie Deborah Denise Dennis Derek Detlef Diana Diane Diego Dieter Dirk Dmitri Dolores
    Dominic Dominik Don Donald Donna Dora Doris Dorothy Doug Douglas Drew Duncan Dylan Eddie Edgar Edith
    Eduardo Edward Edwin Elaine Eleanor Elena Eli Elias Elif Elijah Elisa Elisabeth Elise Elizabeth Ella
    Ellen Ellie Emil Emilia Emilie Emilio Emily Emma Emmanuel Enrique Eric Erica Erik Erika Ernst Esme
    Esther Ethan Eugene Eva Evan Eve Evelyn Fabian Faith Fatima Federica Felicia Felix Femke Fernanda
    Fernando Finn Fiona Florence Florian Frances Francesca Francesco Francis Francisco Franck Frank Franz
    François Françoise Fred Freddie Frederick Frida Friedrich Fritz Frédéric Gabriel Gabriela Gabriele
    Gabriella Gail Gareth Gary Gavin Gaël Geoff George Georgia Gerald Gerhard Gina Giorgio Giovanni Gisela
    Giulia Giulio Giuseppe Gloria Gonzalo Gordon Grace Graham Greg Gregory Greta Gudrun Guillaume Gustavo
    Gökhan Günter Günther Hanna Hannah Hannelore Hans Harold Harriet Harry Harvey Hassan Heather Hector
    Heidi Heike Heinrich Heinz Helen Helena Helga Helmut Henri Henrik Henry Herbert Hiroshi Holger Holly
    Hope Horst Howard Hugo Hussein Héctor Hélène Ian Ibrahim Ida Ignacio Igor Ingrid Inès Inés Irene Irina
    Iris Isaac Isabel Isabella Isabelle Ivan Ivy Iván Jack Jackie Jackson Jacob Jacqueline Jacques Jade
    Jaime Jake Jakob James Jamie Jan Jana Jane Janet Janice Jasmine Jason Javier Jay Jean Jeff Jeffrey Jen
    Jenna Jennifer Jenny Jens Jeremy Jeroen Jerry Jesse Jessica Jessie Jesús Jill Jim Jimmy Joan Joanna
    Joanne Joaquin Joaquín Joe Joel Johan Johann Johanna Johannes John Johnny Jolene Jon Jonas Jonathan
    Joost Jordan Jordi Jorge Josef Joseph Josephine Josh Joshua José Joy Joyce Juan Juana Judith Judy
    Jules Julia Julian Juliana Julie Juliette Julio Justin Jérôme Jörg Jürgen Kai Karen Karin Karl Karsten
    Kate Katharina Katherine Kathleen Kathrin Kathy Katie Katja Katrin Kayla Keith Kelly Ken Kenji Kenneth
    Kerstin Kevin Khalid Kim Kimberly Klaus Konrad Kristen Kristin Kristina Kurt Kyle Larry Lars Laura
    Lauren Laurent Lea Leah Leila Lena Leo Leon Leonard Leonardo Leonie Leroy Leslie Lewis Liam Lilly Lily
    Linda Lindsay Lisa Liz Lola Lorena Lorenzo Lothar Louis Louise Loïc Luc Luca Lucas Lucia Lucie Lucy
    Lucía Luigi Luis Luisa Lukas Luke Luna Lutz Lydia Lynn Léa Léo Mabel Madeleine Madison Maggie Malik
    Manfred Manuel Manuela Marc Marcel Marcela Marco Marcos Marcus Margaret Margarita Margot Maria Marian
    Mariana Marie Marina Mario Marion Marisol Mark Markus Marlene Marta Martha Martin Martina Martín
    Marvin Mary María Mateo Mathieu Matt Matteo Matthew Matthias Matthieu Maureen Maurice Max Maxim
    Maximilian Maya Maëlle Megan Mehmet Mei Mel Melanie Melissa Mercedes Mia Micah Michael Michaela Michel
    Michele Michelle Miguel Mikael Mike Mila Milan Miles Minh Miranda Miriam Mirko Mitchell Mohamed
    Mohammed Moira Molly Monica Monika Monique Morgan Moritz Moses Muhammad Murat Mustafa Mélanie Mónica
    Nadia Nadine Nancy Naomi Natalia Natalie Natasha Nate Nathalie Nathan Neil Nelly Nelson Niamh Nicholas
    Nick Nico Nicola Nicolas Nicole Nicolás Niklas Nils Nina Noah Noelle Nora Norbert Norman Noémie Océane
    Olaf Oleg Olga Oliver Olivia Omar Oscar Oskar Otis Otto Owen Pablo Paige Pamela Paola Paolo Pascal
    Patricia Patricio Patrick Paul Paula Pauline Pedro Penelope Penny Pete Peter Petra Phil Philip Philipp
    Philippe Phoebe Pia Pierre Pieter Pilar Priya Rachel Rafael Rainer Raj Ralf Ralph Ramón Raphael Raquel
    Rashid Ravi Raymond Raúl Rebecca Renata Renate René Ricardo Richard Rick Rita Rob Robert Roberta
    Roberto Robin Rocío Rodrigo Roger Roland Rolf Ron Ronald Ronja Rosa Rosalie Rose Rosie Ross
    Roxanne Roy Ruben Rubén Rudi Rudolf Rupert Russell Ruth Ryan Rémi Rüdiger Sabine Sabrina Sally Salma
    Sam Samantha Samir Samuel Sandra Sandrine Sanne Sara Sarah Sascha Sasha Scott Sean Sebastian Sebastián
    Serena Sergei Sergio Seth Shane Sharon Shauna Sheila Shelby Sherry Shirley Sigrid Silke Silvia Simon
    Simona Simone Sinead Sofia Sofía Sonia Sonja Sonya Sophia Sophie Stacy Stan Stanley Stefan Stefanie
    Stella Stephan Stephanie Stephen Steve Steven Stuart Stéphane Sue Susan Susanna Susanne Susie Suzanne
    Sven Svetlana Sylvia Sylvie Sébastien Tamara Tanja Tanya Tara Tariq Tatiana Taylor Ted Teresa Terry
    Tess Theo Theodor Theodore Theresa Thierry Thomas Thorsten Théo Thérèse Tiago Tiffany Tilly Tim Timo
    Timothy Tina Tobias Toby Todd Tom Tommy Tomás Toni Tony Tracy Travis Trevor Trisha Trudy Tyler Udo
    Ulrich Ulrike Ursula Ute Uwe Valentina Valeria Valerie Vanessa Vera Veronica Verónica Vicky Victor
    Victoria Viktor Vincent Viola Virginia Vivian Vladimir Volker Walter Wanda Warren Wayne Wendy Werner
    Wilhelm Will Willem William Winston Wolfgang Xavier Ximena Yara Yasmin Yolanda Yuki Yusuf Yves Yvonne
    Zachary Zainab Zoe Zoé Álvaro Ángel Élodie Étienne Íñigo Óscar Александр Алексей Андрей Анна Дмитрий
    Екатерина Елена Иван Мария Михаил Наталья Ольга Сергей Татьяна
    """.split()  # noqa: SIM905 - words read better than hundreds of strings
)
"""Given names of English, German, French and Spanish speakers, and the commonest of others."""

PLACES: Final = frozenset(
    """
    Aachen Afghanistan Africa Afrika Afrique Alabama Alaska Albania Algeria Allemagne Alpen Alps Amsterdam
    Anchorage Andalucía Angleterre Argentina Argentinien Arizona Arkansas Asia Asien Athen Athens Atlanta
    Auckland Austin Australia Australien Austria Bali Baltimore Bangkok Bangladesh Barcelona Basel Bavaria
    Bayern Beijing Belgien Belgique Belgium Bergen Berlin Bern Bilbao Birmingham Bogotá Bolivia Bonn
    Bordeaux Boston Boulder Brasilien Brazil Bremen Brighton Brisbane Bristol Britain Britannien Brooklyn
    Brussels Bruxelles Brüssel Budapest Bulgaria Cairo Calgary California Cambodia Cambridge Canada
    Cardiff Carolina Chicago Chile China Cologne Colombia Colorado Connecticut Copenhagen Croatia Cuba
    Dallas Damascus Delaware Delhi Denmark Denver Detroit Deutschland Dortmund Dresden Dubai Dublin
    Duisburg Dänemark Düsseldorf Earth Ecuador Edinburgh Egypt Eindhoven England Erfurt Erlangen Espagne
    España Essen Estonia Ethiopia Europa Europe Finland Finnland Florence Florenz Florida France Frankfurt
    Frankreich Freiburg Galway Geneva Genf Genève Georgia Germany Ghana Glasgow Granada Graz Greece
    Greenland Griechenland Grèce Guatemala Göteborg Göttingen Halle Hamburg Hannover Hawaii Heidelberg
    Helsinki Hiroshima Holland Honduras Houston Hungary Iceland Idaho Illinois India Indiana Indien
    Indonesia Innsbruck Iowa Iran Iraq Ireland Irland Island Israel Istanbul Italia Italie Italien Italy
    Jakarta Jamaica Japan Japon Jena Jerusalem Johannesburg Jordan Kalifornien Kanada Kansas Karlsruhe
    Kassel Kentucky Kenya Kiel Kiew Kolumbien Kopenhagen Korea Krakau Kroatien Kuwait Kyiv Kyoto Köln
    Lagos Laos Lebanon Leeds Leipzig Libya Lille Lima Linz Lisboa Lisbon Lissabon Lithuania Liverpool
    London Londres Louisiana Luxembourg Luxemburg Luzern Lyon Madagascar Madrid Mailand Maine Mainz
    Malaysia Mallorca Malta Manchester Manhattan Mannheim Marokko Marrakesh Marseille Maryland
    Massachusetts Melbourne Memphis Mexico Mexiko Miami Michigan Milan Milano Minneapolis Minnesota
    Mississippi Missouri Montana Montreal Montréal Moon Morocco Moscow Moskau Mumbai Munich Myanmar México
    München Münster Nairobi Nantes Naples Neapel Nebraska Nepal Netherlands Nevada Nicaragua Niederlande
    Nigeria Norway Norwegen Nürnberg Oakland Ohio Oklahoma Oman Ontario Oregon Orlando Osaka Oslo Ottawa
    Oxford Pakistan Palermo Panama Paraguay Paris Pennsylvania Perth Peru Perú Philadelphia Philippines
    Phoenix Poland Polen Portland Porto Portugal Potsdam Prag Prague Pyrenees Qatar Quebec Quito Québec
    Rom Roma Romania Rome Rostock Rotterdam Rumänien Russia Russland Rwanda Saarbrücken Sacramento
    Salamanca Salzburg Santiago Schottland Schweden Schweiz Scotland Seattle Senegal Seoul Serbia Sevilla
    Seville Shanghai Siberia Sicily Singapore Slovakia Slovenia Somalia Spain Spanien Stockholm Strasbourg
    Straßburg Stuttgart Sudan Suisse Sweden Switzerland Sydney Syria Taiwan Tanzania Teheran Tennessee
    Texas Thailand Tokio Tokyo Toronto Toulouse Trier Tschechien Tunisia Tübingen Türkei Uganda Ukraine
    Ulm Ungarn Uruguay Utah Utrecht Valencia Vancouver Venedig Venezuela Venice Vermont Vienna Vietnam
    Virginia Wales Warsaw Warschau Washington Weimar Wien Wiesbaden Wisconsin Wyoming Würzburg Yorkshire
    Zagreb Zambia Zimbabwe Zurich Zürich Österreich Москва Россия
    """.split()  # noqa: SIM905 - words read better than hundreds of strings
)
"""Countries and large cities, as English, German, French and Spanish spell them."""

MADE: Final = frozenset(
    """
    Adidas Airbnb Aldi Alexa Allianz Amazon Android Anthropic Apple Audi Azure Bayer Bitcoin Bluetooth
    Boeing Bosch Chrome Claude Coursera Dell Discord Disney Docker Dropbox Duolingo Edeka Etsy Excel
    Expedia Facebook Figma Firefox Flask Gemini Gmail Google Honda Huawei Hulu Instagram Intel Java Kindle
    Kotlin Lego Lidl Linux Lyft Mercedes Messenger Meta Microsoft Mozilla Netflix Nike Nintendo Nokia
    Notion Nvidia Oracle Outlook Pepsi Photoshop Pinterest Pixar Porsche Python Reddit Redis Rewe Rust
    Samsung Siemens Signal Siri Skype Slack Snapchat Sony Spotify Starbucks Steam Swift Telegram Tesla
    Tinder Toyota Trello Twitch Twitter Uber Ubuntu Udemy Vodafone Volkswagen Walmart Wikipedia Windows
    Word Xbox Xerox Yahoo Zalando Zara Zoom
    """.split()  # noqa: SIM905 - words read better than hundreds of strings
)
"""Firms and products. Those that are English words, too, are found inside a sentence only."""

DAYS: Final = frozenset(
    """
    abril advent agosto août apr april aug august avril bc bce ce cest cet chanukah christmas dec december
    dezember diciembre dienstag dimanche diwali domingo donnerstag décembre easter edt eid enero est feb
    febrero februar february freitag fri friday fridays février gmt halloween hanukkah jan januar january
    janvier jeudi jueves juillet juin jul juli julio july jun june juni junio jänner kwanzaa lent lundi
    lunes mai mar march mardi mars martes marzo may mayo mercredi mittwoch miércoles mon monday mondays
    montag märz navidad nochebuena nov november novembre noviembre noël oct october octobre octubre
    oktober ostern pascua passover pdt pfingsten pst pâques ramadan samedi samstag sat saturday saturdays
    sep sept september septembre septiembre silvester sonnabend sonntag sun sunday sundays sábado
    thanksgiving thu thur thurs thursday thursdays tue tues tuesday tuesdays utc vendredi viernes wed
    wednesday wednesdays weihnachten xmas
    """.split()  # noqa: SIM905 - words read better than hundreds of strings
)
"""Days, months and holidays, in lower case: times, which the dates tell."""

PEOPLES: Final = frozenset(
    """
    afghan african african-american albanian alemana alemán algerian allemand allemande american
    amerikaner anglais anglaise arab arabic argentinian armenian asian atheist australian austrian
    bavarian belgian bengali bolivian brazilian british buddhism buddhist bulgarian californian canadian
    cantonese caribbean catalan catholic celtic chilean chinese chinesisch christian christianity
    colombian communist croatian cuban czech danish democrat democratic deutsch deutsche deutschen
    deutscher deutsches dutch eastern ecuadorian egyptian englisch english english-speaking engländer
    espagnol espagnole español española estonian ethiopian european filipino finnish flemish francesa
    francés franzose französisch français française françaises french freudian gaelic georgian german
    ghanaian greek hawaiian hebrew hindi hindu hinduism hispanic hungarian icelandic indian indonesian
    inglesa inglés iranian iraqi irish islam islamic israeli italian italiana italiano italien italienisch
    italienne jamaican japanese japanisch jew jewish jordanian judaism kenyan korean kurdish latein latin
    latina latino latinx latvian lebanese lithuanian malay malaysian mandarin maori marxist mexican
    mexicana mexicano mongolian mormon moroccan muslim nepali nigerian nordic northern norwegian pakistani
    palestinian persian peruvian polish polnisch portugiesisch portuguese protestant punjabi quaker
    republican roman romanian russian russisch sanskrit saudi scandinavian scot scottish serbian sikh
    slavic slovak slovenian somali southern spanisch spanish swahili swedish swiss syrian taiwanese tamil
    thai tibetan tunisian turkish türkisch ukrainian urdu venezuelan victorian vietnamese viking welsh
    western yiddish yoruba zulu
    """.split()  # noqa: SIM905 - words read better than hundreds of strings
)
"""Peoples, languages and creeds, in lower case: no names alone; they may begin one ("French Open")."""

EVERYDAY: Final = frozenset(
    """
    ac adhd ag ai am aob api apis app ar asap atm b2b b2c bbq bc bf bff bmi brb btw bv byo bzw cbt cc cd
    ceo cfo cgi ci cli cms co co2 coo corp cpr cpu crm ct cta cto cv db diy dj dm dna dob doi dui dvd
    e-book e-mail ebitda edv eg ekg eod eom er eta etc etf ev faq fmla fomo fps ft fyi gb gdp gf ghz gm
    gmbh gmo gpa gps gpu gui h2o hd hdmi hdr hi-fi hiit hip-hop hno hoa hp hq hr hvac hz id idk ii iii inc
    iou ip iq ira irl isbn iso isp it iv ivf ix jk jpg jr k-pop kb kg khz km kph kpi kpis kw kwh lan lcd
    led lg lkw llc llm lmk lo-fi lol lp ltd mb mba mc md mf mfa mfg mhz ml mlm mp3 mp4 mph mri ms mvp mw n
    na nb nda ngo nlp no nsfw nv ob obgyn ocd ok ok'd omg oop os ot ota otp ova pc pdf pe pg pg-13 ph.d
    phd pi pin pkw plc plz pm pms pn png po poc pos pov pp ppc ppl pr prs ps pt pto ptsd q qa qos qr ram
    rip rn rna roi rom rpg rpm rsvp sa sarl sas sat sci-fi sdk seo sim sla sme smh sms so sos spa spf sr
    srl ssd ssn std stem suv t-shirt tb tba tbc tbd tbh td tgif tl tldr tmi toc todo tv tvs ufo ug ui uri
    url urls usb ux vat vc vfx vi vii viii vip vips voip vpn vr vs wc wfh wi-fi wifi wip wlan wtf www
    x-ray xi xii xiii xiv xl xs xv xxl yolo zb zip
    """.split()  # noqa: SIM905 - words read better than hundreds of strings
)
"""Acronyms of common nouns, units and legal forms, in lower case: no names by themselves."""
