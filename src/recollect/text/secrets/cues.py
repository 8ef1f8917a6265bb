"""What the words of a sentence say about a secret: it is named, opened, typed, used everywhere, or talked of.

A word ending in "*" stands for every word that begins with it, one with "*" before it for every word that
ends with it, one with both for either. All words are chosen by hand.
"""

from collections.abc import Sequence
from typing import Final

from recollect.text.secrets.lexicon import NO_PASSWORD
from recollect.text.secrets.links import OF
from recollect.text.secrets.tokens import Token

CUES: Final = {
    "password": """
        *password passwords *passwd *passwort *passwörter *passworts pw pws pwd psw pswd *-pw *-passwort
        passcode* passphrase* *kennwort *kennworts *kennwörter contraseña* contrasena* *-lösen *lösenord
        *lösenordet *lösenorden *losenord *losenordet senha senhas mdp palavra-passe lösenfras* passfrase
        passfras* passsatz losungswort codeword *adgangskode wachtwoord passwörter login-pw
    """,
    "pass": """
        pass passe clave claves chave chaves key keys clé clés clef schlüssel *schlüssel *-key nyckel
        nyckeln *nyckel lösen lösenet login logins log-in logon creds credential* zugang zugänge
        *zugangsdaten *zugang anmeldedaten logindaten identifiants accès acceso accesos acesso acessos
        inlogg inloggning* *inlogg secret token tokens secrets combo codewort* kodord* losungswort*
        passwords-
    """,
    "word": "word mot palabra palavra ord ordet wort phrase phrases frase frasen satz",
    "code": """
        pin pins *pinnummer *koderna *koder pin1 pin2 *-pin *pin-code *pinkod* pincode pin-nummer puk puk1
        puk2 code codes *-code *code kod koden koder koderna *koden *kod código códigos codigo codigos
        combo combos combination* combinaison* combinación combinacion combinação combinaçao *kombination*
        otp tan digicode cvv cvc cvv2 cvc2 geheimzahl *geheimnummer zahlencode *ziffern *chiffres cifras
        dígitos siffrorna siffror digits prüfziffer cryptogramme passcode* schlosscode numéro-code
    """,
    "lock": """
        door doors *door gate gates garage garages alarm alarms safe safes vault lock locks *lock padlock*
        lockbox keybox locker lockers keypad* shed cellar intercom suitcase* deadbolt entrance lobby tür
        *tür türen tor *tor *haustür* tresor* *tresor *safe schloss *schloss schlösser spind *spind
        alarmanlage* *alarmanlage garagentor *koffer schließfach *schließfach *schlüsselkasten
        *schlüsselbox schlüsselsafe keller fahrradschloss zahlenschloss porte portail portillon cadenas
        coffre coffre-fort casier casiers antivol immeuble boîtier alarme alarma interphone verrou boîte
        consigne cave puerta portal portón candado* caja taquilla* garaje trastero edificio cerradura
        maleta portero verja dörr dörren *dörr *dörren porten *porten larm larmet *larmet *larm kassaskåp*
        *skåp *skåpet lås låset *lås *låset grind grinden *grinden garaget förråd* *förrådet parking
        parkplatz parkhaus tiefgarage schranke parkering* barrière barrier barrera barreira estacionamento
        estacionamiento entrée eingang hintertür haustür wohnung hof einfahrt cottage cabin flat house
        maison piso stuga stugan lägenhet hänglås* nyckelskåp* nyckelbox* porta portão portao cofre
        cofrinho cadeado* armário* armario garagem prédio fechadura interfone mala depósito alarmet
    """,
    "device": """
        phone phones iphone* *phone ipad ipads tablet tablets *tablet laptop laptops *laptop computer
        computers mac macbook* pc sim *-sim voicemail screen lockscreen watch *handy handy *-handy rechner
        notebook *karte karte bildschirm bildschirmsperre desktop téléphone telephone tél ordinateur ordi
        portable écran tablette carte messagerie móvil movil celular teléfono ordenador portátil portatil
        tarjeta tableta pantalla mobil mobilen *mobilen *mobil telefon telefonen *telefonen dator datorn
        *datorn *dator surfplatta* plattan platta kort kortet *kort *kortet telefone telemóvel telemovel
        computador cartão cartao tela ecrã *ipad card cards atm debit xbox playstation switch nintendo
        konsole konsol bankomat* multibanco bankkort* pdf zip zip-datei fichier archivo arquivo filen
        festplatte *platte disk drive disque disco hårddisk* usb *stick stick bios
    """,
    "network": """
        wifi wi-fi wlan *wifi* *wi-fi* *wlan* router *router* hotspot ssid fritzbox fritz!box *box
        wireless *netz netz network réseau nätet *nätet *nät nätverk* rede red roteador
    """,
    "account": """
        account accounts *konto konto konten compte comptes cuenta cuentas conta contas kontot *kontot
        netflix spotify hulu disney disney+ hbo max amazon prime paypal icloud itunes gmail outlook yahoo
        gmx hotmail facebook insta instagram twitter tiktok linkedin whatsapp telegram steam roblox
        minecraft youtube twitch zoom slack dropbox google apple ebay bank *bank banking *banking banque
        banco banken *banken online-banking bankid sparkasse mail email e-mail mails *mail mejl mejlen
        *mejlen *mejl correo courriel mailbox inbox portal portalen forum foro server *server serveur
        servidor servern vpn nas *-nas ssh ftp mysql postgres db database admin-panel dashboard panel site
        garmin strava sites website webseite app appen appli aplicación aplicativo deezer canal+ viaplay
        svt globoplay dazn sky joyn crunchyroll audible kindle duolingo canva chatgpt openai notion
        keepass bitwarden session espace intranet moodle école-directe pronote wifi-portal jira github
        gitlab wordpress uber airbnb booking vinted leboncoin wallapop mercadona mercadolibre olx blocket
        ica swish klarna kivra skatteverket elster doctolib ameli impots hacienda staging portail-client
        printer drucker skrivaren skrivare impresora impressora imprimante camera cámara kamera kameran
        câmera caméra webcam
    """,
    "user": """
        user username users user-name admin root administrator utilisateur identifiant usuario usuário
        usuaria benutzer* nutzername utilizador användare användarnamn* anvandarnamn guest gast invité
        invitado gäst convidado pi
    """,
    "log in": """
        log logs logging logged login sign signs signing einlogg* einloggen logge eingeloggt anmeld*
        anmelde connect* connecte connecter connexion entrar entro entra entras inicio iniciar logga
        loggar loggade inloggad logar acessar acceder accedo accéder access
    """,
    "open": """
        open opens opened opening unlock* disarm* deactivat* enter get gets into off öffn* geöffnet
        aufmach* auf aufgeht aufsperr* entsperr* ausschalt* abschalt* entschärf* deaktivier* aus rein
        reinkomm* ouvre ouvrir s'ouvre ouvert déverrouill* désactiv* désarm* coupe coupé abre abren abrir
        abro abrem desbloque* desactiv* apaga quita desconecta öppna* låser låses upp stäng* av desativ*
        destrav* desarm* desliga desligar låsa in ein dedans entrar entre
    """,
    "enter": """
        type typed typing enter punch press dial dials key input keyed put try tap takes take use tippe
        tippen tipp tippst eintippen eingeben eingibst gib gibst drück* drücke wähl* nimm nehm* nehme
        taper tape tapes tapez composer compose composez composes saisir saisis saisissez entrez entrer
        fais mets met mettre teclear teclea tecleas marcar marca marcas marque meter mete metes introduc*
        pulsa pulsar poner pon pones slå slår knapp* tryck* ange skriv skriver mata digita digitar digite
        digito aperta apertar tecla teclar põe coloca bota pressione escribe escribir escreve
    """,
    "use": """
        use uses used using reuse recycle nehm* nehme nimmt nutze nutz* benutz* verwend* utilise utilisais
        j'utilise mets mettais uso usaba usamos utilizo pongo ponía använd* kör körde kor utilizava usava
    """,
    "set": """
        set eingestellt einstellen stelle changed change changes reset switched swapped updated made
        picked chose went renamed is-now geändert ändere ändern umgestellt gesetzt gestellt genommen
        gewählt vergeben festgelegt changé modifié mis remplacé choisi pris défini cambié cambiado cambió
        puse puesto pusimos elegí quedó modifiqué bytte bytt ändrade ändrat satte satt ställt ställde
        valde mudei mudou troquei trocado coloquei escolhi ficou defini botei pus alterei
    """,
    "everywhere": """
        everywhere everything all every *überall* alles allem alle allen partout tout tous toutes toda
        todas todo todos tudo allt alla överallt anywhere lugar qualquer
    """,
    "question": """
        question questions *frage *frage* fragen pregunta preguntas pergunta perguntas fråga frågan frågor
        *fråga *frågan *frågor maiden solteira jeune apellido mädchenname pet pets haustier* mädchenname*
        animal mascota mascote husdjur* flicknamn* lehrer* teacher soltera grundskola *schule school école
        escuela escola lärare* professor* geburtsort hometown street cachorro *husdjuret chien hund
        biträde barndom* born naissance nacimiento nascimento födelse*
    """,
    "security": """
        security secret sicherheits* sicherheitsfrage* geheimfrage* sécurité secrète seguridad secreta
        segurança säkerhets* kontrollfråga* secreto
    """,
    "answer": """
        answer answered answers put said wrote picked gave antwort* geantwortet angegeben eingegeben
        eingetragen beantwortet hinterlegt genommen geschrieben réponse répondu répondis mis écrit
        respuesta respondí contesté puse escribí respond* svar svarade svarat skrev skrivit angav resposta
        respondi coloquei pus escrevi botei
    """,
    "say": """
        say says said tell tells sage sagen sag dire dis dites decir di diga säg säga dizer diz fala
        spoken
    """,
    "card": """
        visa mastercard amex kreditkarte* kredit* *kort kortnummer* cartão cartao tarjeta carte credit
        debit
    """,
    "new": """
        new now newest current neu neue neues jetzt aktuell inzwischen nouveau nouvelle maintenant
        désormais ahora nueva nuevo actual ny nya nytt nu numera agora nova novo atual still noch toujours
        todavía fortfarande ainda
    """,
    "old": """
        old previous before formerly was früher alt altes alte ancien ancienne avant vieja antigua antes
        gamla förr antiga velha used
    """,
    "own": """
        my our mein meine meinem meiner unser unsere mon ma mes notre nos mi mis nuestra nuestro min mitt
        vår vårt minha meu nossa nosso
    """,
    "is": """
        is it's its are was be been 's becomes became remains stays reads ist war lautet lautete sind
        heißt heisst bleibt wird est c'est était sont c'était es son era será är var blev blir lyder heter
        é foi são fica ficou equals geht
    """,
    "sign": ": = == := -> => --> → -",
    "to": "to into auf zu als à en par pour a por para till som as",
    "with": "with using via by mit per avec con usando med com über",
    "and": "and und et y e och plus then sowie & or",
    "counted": """
        room floor page flight gate line bus number numbers no nr apartment building house version street
        zimmer nummer gleis linie haus stock seite straße rue chambre salle ligne étage vol appartement
        habitación sala línea página piso vuelo calle rum sida linje flyg våning gatan vägen quarto linha
        andar voo rua chapter kapitel win windows python usb iso level platform model modell modèle modelo
        size grösse größe taille talla locker-number kurs course class psalm verse route highway a1 type
        build release ticket #
    """,
    "time": """
        at since until till from um ab bis seit gegen vers depuis jusqu'à las los hasta desde klockan kl
        sedan från às até after nach around about uhr o'clock in en on im am year jahr année año år ano
    """,
    "cost": """
        cost costs paid pay price prices kostet kosten bezahlt coûte coûté prix cuesta precio costó kostar
        kostade pris custa custou preço $ € £ worth weighs wiegt
    """,
    "other code": """
        zip postal area error dress country course discount promo* coupon* voucher* colour color source
        bar qr flight tracking order booking invoice serial model status http exit referral tax sort swift
        postleitzahl plz fehler* rabatt* gutschein* vorwahl bestell* kunden* *fehlercode *rabattcode
        rechnung* postnummer* felkod* rabattkod* riktnummer* klädkod* kurskod* erreur promo réduction
        postale remise couleur commande facture indicatif descuento cupón cupom pedido factura prefijo
        erro desconto cep ddd fatura encomenda frete beställning* faktura* order* leverans* reservation
        réservation reserva bokning* airport isbn iban license licence kfz nummernschild matrícula reg
        phone-number telefonnummer* kundennummer* ordernummer* member
    """,
    "named": """
        name named names called handle follow follows nick nickname heißt nennt folge namens s'appelle
        appelle suis nom pseudo sigo llama nombre heter heten följer kallas namn chama nome se-chama @
        kontakt contact
    """,
    "runs": """
        run runs running update updated install installed upgrade läuft laufen installiert tourne
        installer installé corre instalé instala kör installera roda instalei follow buy bought kaufe
        gekauft acheté compré köpte comprei teach watch play plays playing drive game games weighs built
        founded gebaut fertig construit construido byggd
    """,
    "policy": """
        must should need needs least minimum required require requires characters long length muss müssen
        mindestens zeichen doit doivent caractères moins debe deben mínimo caracteres mayúscula måste
        minst tecken deve precisa pelo menos manager hint field policy generator gestionnaire gestor
        gerenciador gestores administrador hanterare passwortmanager lösenordshanterare letters uppercase
        contain contains never
    """,
    "lost": """
        forgot forgotten forget lost expired expires wrong locked blocked vergessen abgelaufen falsch
        gesperrt verloren oublié perdu expiré bloqué incorrect olvidé olvidado perdí caducado bloqueado
        glömt glömde tappat spärrad esqueci perdi expirou bloquearam esquecido incorreta
    """,
    "not": """
        not no never don't isn't doesn't nicht kein keine nie ne pas jamais nunca inte aldrig não nao nem
        without ohne sans sin utan sem
    """,
    "common": """
        i you he she we they me him us them this that these those there here what which who when where why
        how can could will would should may might do does did have has had go going get got make made know
        think want need let's please thanks thank ok okay yes no hey hi hello note remember save store
        remind write keep kids call name names dog's birthday later today tomorrow tonight yesterday time
        day week month year people thing choose break way back home work school hotel house flat friend
        wife husband mum mom dad mother father son daughter and or but so if then than because about for
        from capital lowercase uppercase small help idea again sure really just sync backup mine someone
        anyone everyone fridge ich du er sie es wir ihr mich mir dich dir uns euch dies dieser diese
        dieses welche welcher was wer wann wo wie warum kann kannst können würde soll sollte habe hast hat
        haben bin bist mache machen merken merk merke notieren notiere schreib bitte danke ja nein hallo
        heute morgen gestern zeit tag woche leute ding sache zuhause arbeit schule oma opa mama papa
        kinder frau mann oder aber wenn dass damit für von im in bei nach vor mal oft immernoch ensure
        emails email consider create enable check review protect avoid include allow add set-up skills
        werden werde muss einfach sein je tu il elle nous vous ils elles moi toi lui ce cet cette ces quoi
        qui quand où comment pourquoi peux peut pouvez veux dois faut ai as a avons avez ont suis sommes
        aller vais note-le retiens rappelle merci oui non bonjour aujourd'hui demain hier temps jour
        semaine maison travail école hôtel maman mamie papi enfants femme mari ou mais si donc resté
        restée garde sauvegarde yo tú él ella nosotros ellos mí te se lo esto este esta qué quién cuándo
        dónde cómo puedo puedes quiero debo tengo tiene hay ir voy por favor gracias sí hola hoy mañana
        ayer tiempo día semana casa trabajo escuela mamá papá abuela abuelo niños mujer marido pero apunta
        guarda recuerda anota siguiendo sigue siendo del ordenador jag han hon vi ni de mig dig oss detta
        vad vem när var hur kan kunde vill ska borde har hade göra gå skriv kom ihåg tack nej hej idag
        imorgon igår tid dag vecka hem jobb jobbet skola hotell mamma pappa mormor farmor barn barnen fru
        man eller men om så på från eu você ele ela nós eles mim isso que quem quando onde como posso pode
        quero devo tenho tem há vou obrigado obrigada sim não olá hoje amanhã ontem tempo dia trabalho
        escola mãe pai avó avô crianças mulher mas então lembra continua continuo lugar
    """,
    "example": "example examples placeholder dummy sample beispiel exemple ejemplo exempel exemplo e.g z.b",
}
"""The words by what they say; a word may say several things."""
BITS: Final = {name: 1 << place for place, name in enumerate(CUES)}
FILLERS: Final = frozenset(
    """
    the a an now just still actually simply only currently always again word like probably literally
    exactly really definitely der die das dem den ein eine einfach jetzt noch immer wieder nur wohl
    derzeit aktuell le la les l' un une toujours maintenant juste simplement d\u00e9sormais el los las una
    ahora siempre solo s\u00f3lo simplemente det ett en nu fortfarande bara alltid o os as um uma agora
    ainda s\u00f3 sempre then code pin kod c\u00f3digo number
    """.split()  # noqa: SIM905 - words read better than a list of strings
)
"""What may stand between a value and what leads to it. Chosen by hand."""


def cues_of(word: str) -> int:
    """The cues of a lower-case word, as bits of ``BITS``.

    >>> [name for name, bit in BITS.items() if bit & cues_of("haust\u00fcrcode")]
    ['code', 'lock']
    """
    if (known := _EXACT.get(word)) is None and "'" in word:
        before, after = word.split("'", 1)
        word = after if len(before) <= _ELIDED else before
        known = _EXACT.get(word)
    if known is not None or len(word) < _COMPOUND or not word[0].isalpha():
        return known or 0
    bits = 0
    if is_compound(word):
        for bit, starts, ends in _COMPOUNDS:
            if word.startswith(starts) or word.endswith(ends):
                bits |= bit
    return bits | BITS["password"] if not bits & NAMING and is_misspelt(word) else bits


def words_for(*names: str) -> frozenset[str]:
    """The words with some cues, without those that stand for compounds."""
    return frozenset(word for name in names for word in CUES[name].split() if "*" not in word)


def is_compound(word: str) -> bool:
    """Whether a lower-case word begins or ends as compounds of the list do."""
    return word.startswith(_STARTS) or word.endswith(_ENDS)


def cues_of_all(tokens: Sequence[Token]) -> list[int]:
    """The cues of each word of a text; "zip code" and "password manager" name no secret."""
    cues = [0 if token.quoted and " " in token.text else cues_of(token.low) for token in tokens]
    for place, bits in enumerate(cues):
        if place > 1 and tokens[place - 2].low in _WORDS and tokens[place].low.startswith(_PASSES):
            cues[place] |= BITS["password"]
        elif bits & BITS["code"] and _is_other_code(tokens, cues, place):
            cues[place] = bits & ~BITS["code"] | BITS["other code"]
        elif bits & BITS["password"] and _is_about_passwords(tokens, place):
            cues[place] = bits & ~NAMING | BITS["policy"]
    return cues


def _is_other_code(tokens: Sequence[Token], cues: list[int], place: int) -> bool:
    """Whether a code is one of a shop, a place or an error, or a part: "zip code", "the last 4 digits"."""
    if tokens[place].low in _DIGITS and any(
        token.low in _LAST for token in tokens[max(0, place - 3) : place]
    ):
        return True
    behind = place
    while behind + 1 < len(tokens) and not tokens[behind].stop:
        behind += 1
        if tokens[behind].low not in OF:
            break
    return (cues[max(0, place - 1)] | cues[place] | cues[behind]) & BITS["other code"] != 0


def _is_about_passwords(tokens: Sequence[Token], place: int) -> bool:
    is_last = place + 1 >= len(tokens) or tokens[place].stop
    return not is_last and NO_PASSWORD.fullmatch(tokens[place + 1].low) is not None


def is_misspelt(word: str) -> bool:
    """Whether a word is one slip away from a word for passwords.

    >>> [is_misspelt(word) for word in ("passwrot", "contase\u00f1a", "snha", "passport")]
    [True, True, True, False]
    """
    return (
        word[0] in _INITIALS
        and word not in _NO_SLIPS
        and any(
            abs(len(word) - len(noun)) <= 1 and word[0] == noun[0] and _slips_once(word, noun)
            for noun in _NOUNS
        )
    )


def _slips_once(word: str, noun: str) -> bool:
    """Whether two words differ by a letter added, left out or replaced, or by two neighbours swapped."""
    first = next(
        (at for at, (a, b) in enumerate(zip(word, noun, strict=False)) if a != b), min(len(word), len(noun))
    )
    one, two = word[first:], noun[first:]
    return one[1:] in {two, two[1:]} or one == two[1:] or (one[1::-1] == two[:2] and one[2:] == two[2:])


def _exact() -> dict[str, int]:
    known: dict[str, int] = {}
    for name, text in CUES.items():
        for word in text.split():
            known[word] = known.get(word, 0) | BITS[name]
    return known


def _parts(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What words of a list begin and end with."""
    words = text.split()
    starts = tuple(word.strip("*") for word in words if word.endswith("*"))
    return starts, tuple(word.strip("*") for word in words if word.startswith("*"))


_DIGITS: Final = frozenset({"digits", "chiffres", "cifras", "dígitos", "siffror", "siffrorna", "ziffern"})
_LAST: Final = frozenset({"last", "letzten", "derniers", "últimos", "últimas", "sista"})
_WORDS: Final = frozenset({"mot", "mots", "palabra", "palavra", "frase", "phrase"})
_PASSES: Final = ("pas", "bla", "cla")
"""Two words before these, one of those before makes a password: "mot de passe"."""
NAMING: Final = BITS["password"] | BITS["pass"] | BITS["code"]
"""The cues of words that name a secret."""
TELLING: Final = NAMING | sum(
    BITS[name] for name in ("word", "user", "log in", "account", "security", "question", "card")
)
"""The cues without which no rule for a phrasing fits."""
_EXACT: Final = _exact()
_COMPOUNDS: Final = tuple((BITS[name], *_parts(text)) for name, text in CUES.items() if "*" in text)
_STARTS: Final = tuple(start for _, starts, _ in _COMPOUNDS for start in starts)
_ENDS: Final = tuple(end for _, _, ends in _COMPOUNDS for end in ends)
_COMPOUND, _ELIDED = 4, 2
"""Letters of the shortest compound, and of the longest elision ("qu'"). Chosen by hand."""
_NOUNS: Final = (
    "password",
    "passwords",
    "passwort",
    "passcode",
    "passphrase",
    "contrase\u00f1a",
    "contrasena",
    "l\u00f6senord",
    "l\u00f6senordet",
    "kennwort",
    "senha",
)
_INITIALS: Final = frozenset(noun[0] for noun in _NOUNS)
_NO_SLIPS: Final = frozenset({"passport", "senhor", "sanha", "senna", "seha", "penha", "seine"})
"""Words of their own. Chosen by hand."""
