"""The words that name a secret, or what one opens, in eight languages.

All lists are chosen by hand; ``tests/text/secret_lines.jsonl`` measures them.
"""

from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, cast

from recollect.text.secrets.stretches import Stretch
from recollect.types.regex import lazy_regex

NameKind = Literal[
    "password", "phrase", "spoken", "answer", "code", "cvc", "key",
    "wifi", "unlock", "open", "lock", "place", "account", "habit", "user", "weak", "some code", "sent",
]  # fmt: skip
SECRETS: Final = frozenset({"password", "phrase", "spoken", "answer", "code", "cvc", "key"})
"""What a word names: a secret (the first seven), or what a secret opens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A word that names a secret, or what one opens.

    Attributes:
        kind: What it names.
        language: Its language, in two letters.
        first: Its first token.
        last: Its last token.
    """

    kind: NameKind
    language: str
    first: int
    last: int


def find_names(stretch: Stretch) -> tuple[Name, ...]:
    """The words of a stretch that name a secret or what one opens, in order."""
    matches = [
        (*_group(match[0]), match.start(), match.end() - 1)
        for match in _NAME.finditer(stretch.low, *stretch.bounds)
        if not stretch.text.startswith(_REMOVED, match.end())
    ]
    if _WEAKEST.issuperset([group for group, *_ in matches]) and not _MIXED.search(
        stretch.low, *stretch.bounds
    ):
        return ()
    starts = [token.start for token in stretch.tokens]
    found = [
        (group, language, bisect_right(starts, first) - 1, bisect_right(starts, last) - 1)
        for group, language, first, last in matches
    ]
    opened = [(group, first) for group, _, first, _ in found if group in _OPENED]
    return tuple(
        Name(kind=kind, language=language, first=first, last=last)
        for group, language, first, last in found
        if "://" not in stretch.tokens[first].text
        and (kind := _kind(stretch, group, first, last, opened)) is not None
    )


@lru_cache(1024)
def _group(name: str) -> tuple[str, str]:
    """Which of the groups a name is in, and its language."""
    group = next((group for group, pattern in _GROUPS.items() if pattern.fullmatch(name)), "")
    language = next((language for language, parts in _LANGUAGES if parts.search(name)), "en")
    return "password" if group == "compound" else group, language


def _kind(
    stretch: Stretch, group: str, first: int, last: int, opened: list[tuple[str, int]]
) -> NameKind | None:
    """What a group of words names here; None where another word beside it makes it harmless."""
    if stretch.tokens[last].low.endswith(
        ("passwords", "passwörter", "contraseñas", "senhas", "wachtwoorden")
    ):
        return "weak"
    if group in {"password", "phrase"}:
        return None if _NO_PASSWORD.search(stretch.between(last + 1, last + 1)) else cast("NameKind", group)
    if group in {"weak", "wifi key"}:
        harmless = _NO_KEY.search(stretch.between(first - 1, last + 1))
        kinds = _OPENED if group == "weak" else {"wifi", "user"}
        is_named = any(abs(place - first) <= _BESIDE for kind, place in opened if kind in kinds)
        if harmless:
            return None
        return "password" if is_named else "weak" if group == "weak" else None
    if group == "bare":
        sentence = stretch.between(*stretch.sentence(first))
        harmless = _NO_CODE.search(stretch.between(first - 2, last + 2)) or _DISCOUNT.search(sentence)
        if harmless:
            return None
        if any(abs(place - first) <= _AROUND for _, place in opened):
            return "code"
        return "some code" if _CALLED_CODE.match(stretch.tokens[last].low) else None
    if group == "token":
        return "key" if _PROGRAM.search(stretch.between(*stretch.sentence(first))) else None
    return cast("NameKind", group)


def _any(words: str) -> str:
    """An alternation of words that stand between blanks; "_" is a blank, a hyphen or nothing."""
    return "|".join(word.replace("_", _BLANK) for word in words.split())


def _by_first_letters(words: list[str], depth: int = 3) -> str:
    """An alternation of words of which only those with the next letters are tried, which makes it fast."""
    letters: dict[str, list[str]] = {}
    for word in words:
        is_plain = word[:1].isalpha() and word[1:2] not in {"?", "{"}
        letters.setdefault(word[0] if depth and is_plain else "", []).append(word)
    return "|".join(
        f"{letter}(?:{_by_first_letters([word[1:] for word in some], depth - 1)})"
        if letter
        else "|".join(word.replace("_", _BLANK) for word in some)
        for letter, some in letters.items()
    )


_REMOVED: Final = " removed]"
"""What stands for a secret that was masked before, and names no other."""
_AROUND, _BESIDE = 24, 8
"""Tokens to what is opened, which tells that "code" and that "pass" names a secret. Chosen by hand."""
_OPENED: Final = {"lock", "place", "account", "unlock", "wifi", "user"}
_BLANK: Final = "[ -]?"
_WEAKEST: Final = frozenset({"account", "habit", "user", "weak", "wifi key"})
"""What is no reason for a mere number."""
_MIXED: Final = lazy_regex(r"[a-z_][!@#$%^&*_.-]?[0-9]|[0-9][a-z]{3}|[a-z]\S*[!@#$%&*]\w")
_LETTER: Final = r"[^\W\d_]"
_PASSWORDS: Final = r"""
    pas{1,2}_w(?:or|ro|oo|ar|o|r)?d pas{1,2}o(?:wr|r)d ps{1,2}wo?r?d pass_code pas{1,2}_wort kenn?wort
    contrase(?:ñ|n|ñn|ni)a contase[ñn]a contras[ñn]a l[öo]se?n?ord l[öo]snord adgangskode wacht?woo?rd
    toegangswoord palavras?_passe
"""
_SHORT_PASSWORDS: Final = r"""
    pwd? psw pswd mdp senha snha sehna mots?_de_pas{1,3}es? mot_d[eu]_pass mijn_ww mn_ww het_ww ww_voor ww_is
    parol[ae]_d['\u2019]_ordine parola_chiave la_contra_del? mi_contra_del?
"""
_PHRASES: Final = r"""
    pass_phrase pass_frase seed_phrase mnemonic_phrase recovery_phrase secret_phrase backup_phrase
    wallet_phrase
    pass_satz wacht_zin (?:(?:seed|wallet|recovery|backup)_){1,2}words 12_words?_(?:seed_)?phrase
    24_words?_(?:seed_)?phrase twelve_words?_(?:seed_)?phrase wallet_seed(?:_phrase)?
    phrase_(?:secrète|de_passe|de_récupération|mnémonique)
    frase_(?:de_paso|de_contraseña|semilla|senha|segreta)
    frase_(?:secreta|de_recuperaci[óo]n|de_recuperação|di_recupero) lösenfras(?:en)? återställningsfras(?:en)?
    herstelzin
"""
_CODES: Final = r"""
    two_step_codes? two_factor_codes? 2_step_codes? login_codes? log_in_codes? auth_codes? sms_codes?
    pin(?:_(?:code|kode|number|nummer|nr|zahl|cijfers?))?s? pin_kod(?:en)? tan etan mtan otp puk digicode
    geheim(?:zahl|nummer|code) key_codes? lock_codes? gate_codes? door_codes? entry_codes?
    keyless_codes? unlock_codes? lock_screen_codes? tür_code tor_code haus(?:tür|tor)_code
    wohnungs(?:tür|tor)_code garagen(?:tür|tor)_code codice_(?:pin|puk) cod_(?:pin|puk)
    codice_di_(?:verifica|sblocco|accesso) alarm_code zugangs_code zutritts_code sicherheits_code
    bestätigungs_code entsperr_code freischalt_code zahlen_code einmal_code safe_code tresor_code sms_code
    schloss_code verifizierungs_code anmelde_code handy_code geräte_code sperr_code
    codice_(?:d')?(?:allarme|accesso|sblocco|verifica) port_kod(?:en)? dörr_kod(?:en)? entré_kod(?:en)?
    lås_kod(?:en)? larm_kod(?:en)? engångs_kod(?:en)? verifierings_kod(?:en)? säkerhets_kod(?:en)?
    bekräftelse_kod(?:en)? inloggnings_kod(?:en)? toegangs_code deur_code voordeur_code kluis_code inlog_code
    verificatie_code bevestigings_code beveiligings_code ontgrendel_code slot_code herstel_code
    recovery_(?:codes?|keys?) backup_(?:codes?|keys?) back_up_(?:codes?|keys?) rescue_(?:codes?|keys?)
    emergency_(?:codes?|keys?) verification_codes? one_time_codes? 2fa_codes? access_codes?
    wiederherstellungs_codes? ersatz_codes? notfall_codes? backup-codes?
    codes?_de_(?:secours|récupération|sauvegarde|vérification)
    c[óo]digos?_de_(?:recuperaci[óo]n|respaldo|recuperação|reserva|backup|emergencia|verificaci[óo]n|verificação)
    återställnings_kod(?:er|erna|en)? reserv_kod(?:er|erna|en)? backup_kod(?:er|erna|en)?
"""
_CVC: Final = r"""
    cv[cvn]2? csc cid prüf(?:ziffer|nummer|zahl) kartenprüf(?:ziffer|nummer|zahl) cryptogramme security_code
    sicherheitscode code_de_sécurité código_de_(?:seguridad|segurança) säkerhetskod(?:en)? three_digits
    drei_ziffern trois_chiffres tre_cifre tres_cifras drie_cijfers
"""
_BARE: Final = r"""
    codes? c[óo]dig[oi]s? codic[ei] kod kode koden combos? combinations? combinaison combinatie combinazione
    combinaci[óo]n combinação kombination(?:en)? zahlenkombination cijfers siffrorna \d+_digits? four_digits?
    six_digits?
    eight_digits? \d_stellig\w* \d_(?:chiffres|dígitos|siffror|ziffern|cifras|cifre)
"""
_SPOKEN: Final = r"""
    cancel_word memorable_word safe_word duress_word code_word panic_word abort_word security_word
    secret_word codewort
    losungswort losung sicherheitswort mot_(?:secret|de_code|de_sécurité) palabra_(?:secreta|de_seguridad)
    kodord(?:et)? codewoord veiligheidswoord palavra_(?:secreta|de_segurança) parola_(?:segreta|di_sicurezza)
"""
_ANSWERS: Final = r"""
    security_(?:question|answer)s? secret_(?:question|answer)s? sicherheits(?:frage|antwort)
    geheim(?:frage|antwort) question_(?:de_sécurité|secrète) réponse_(?:de_sécurité|secrète)
    pregunta_(?:de_seguridad|secreta) respuesta_(?:de_seguridad|secreta) säkerhetsfrågan? kontrollfrågan?
    pergunta_(?:de_segurança|secreta) resposta_(?:de_segurança|secreta) beveiligingsvraag geheime_vraag
    domanda_(?:di_sicurezza|segreta) risposta_(?:di_sicurezza|segreta) first_pet erstes_pet maiden_name
"""
_KEYS: Final = r"""
    api_keys? api_tokens? api_secret api_access_key secret_(?:access_)?key access_(?:key|token) account_key
    private_key signing_(?:key|secret) auth_token refresh_token client_(?:key|secret) license_key ssh_key
    bot_token bearer_token live_key encryption_key apikey secretkey clé_(?:d')?api clave_(?:de_la_)?api
    chiave_api
    chave_(?:da_)?api api_schlüssel api_sleutel api_nyckel aws_secret jeton
"""
_WEAK: Final = "pass passe clave contra new_one log-?ins? creds credentials?"
_WIFI_KEYS: Final = "key schlüssel sleutel clé clef nyckeln? chave chiave"
_LOCKS: Final = r"""
    lock(?:er)?_box pad_lock(?:er)?_box bike_lock(?:er)?_box cycle_lock(?:er)?_box bicycle_lock(?:er)?_box
    door_lock(?:er)?_box combo_lock(?:er)?_box combination_lock(?:er)?_box number_lock(?:er)?_box
    gun_lock(?:er)?_box wall_lock(?:er)?_box office_lock(?:er)?_box hotel_lock(?:er)?_box safe bike_lock
    pad_lock
    combo_lock combination_lock number_lock cycle_lock bicycle_lock door_lock luggage_lock vault key_pad
    key_(?:box|safe) alarms? burglar_alarms? house_alarms? alarmanlage fahrradschloss zahlenschloss
    vorhängeschloss kofferschloss türschloss radschloss tresor coffre(?:-fort)? cadenas alarme digicode
    antivol
    boîte_à_clés? caja_fuerte candado alarma cajet[íi]n kassaskåp kassaskåpet lås låset cykellås cykellåset
    hänglås
    hänglåset larmet larm cofre cadeado cassaforte lucchetto allarme cassetta antifurto kluis(?:je|en)?
    sleutel_kluis(?:je)? kindersicherung intercom buzzer entry_system fietsslot
    hangslot
    cijferslot sleutel_kast(?:je)? front_door back_door side_door garden_door voordeur achterdeur haustür
    portier_code
"""
_PLACES: Final = r"""
    car_park garage gate doors? entrance lobby building lockers? suitcase shed gym bike luggage airbnb
    cupboard
    cabinet opener storage staff_toilet türe? tor schloss spind eingang fahrrad koffer schließfach porte
    portail
    immeuble casier vélo puerta portal taquilla garaje edificio dörren? porten skåpet grinden? cykeln? porta
    portão armário garagem prédio cancello portone armadietto boîtier skåpet gymskåpet citofono bici deur
    poort fiets flat ascenseur
    lift elevator aufzug trastero ufficio
"""
_UNLOCKS: Final = r"""
    unlock(?:s|ed)? log_on entsperr\w* déverrouill\w* desbloque\w* destrav\w* ontgrendel\w* sblocc\w+
    låser?s?_(?:\w+_)?upp komma_in
    opens_(?:with|on|by) disarms? logs?_(?:\w+_)?in(?:to)? logged_(?:\w+_)?in(?:to)? logging_in(?:to)?
    sign_in(?:to)? gets?_(?:\w+_)?in(?:to)? got_(?:\w+_)?into lets?_\w+_in s'ouvre_avec s'ouvre_sur
    débloqu\w* désactiv\w* desactiv\w* disattiv\w* deaktivier\w* uitschakel\w* abre_con
    se_abre_con abre_com se_abre_com si_apre_con gaat_open_met gaan_open_met öppnas_med eraf_met uit_met
    alarm_(?:eraf|uit)_met einloggen inloggen anmelden me_connect\w+ se_connect\w+ entr(?:o|ar|are|as|a)
    logga(?:r)?_in geht_(?:\w+_)?mit gehts_(?:\w+_)?mit i_use_for uso_(?:para|pour) usas_(?:para|pour)
    utilise_(?:para|pour)
"""
_OPENS: Final = "opens? öffnet öffnen ouvre(?:nt)? abren? apre öppnas? opent"
_WIFI: Final = "wpa2? wep livebox wi_fi wlan gästewlan gastwlan heimwlan hot_spot guest_network"
_ACCOUNTS: Final = r"""
    netflix spotify disney amazon vpn hulu hbo youtube steam icloud gmail paypal twitch roblox xbox
    playstation
    instagram insta facebook outlook hotmail gmx linkedin tiktok snapchat discord epic_games dropbox bitwarden
    keepass apple_id accounts? konto compte cuenta conta rekening admin root router mails? e_mails? mejl
    correo
    printer zoom nas ssh laptop computer pc phone iphone ipad tablet handy voicemail rechner ordinateur ordi
    portátil móvil celular ordenador dator telefono telefon telefoon téléphone telem[óo]vel notebook
    computador
    cellulare bank(?:ing)? banco banca banque banken visa mastercard amex atm sim debit bancomat carte? karte
    tarjeta cartão carta bankpas mijn_pas kort(?:et)? cards? whatsapp authenticator sms texted
"""

_SENT: Final = "texted_me sent_me envoyé enviado mandado llegado arrivato mandato geschickt gestuurd"
_HABITS: Final = (
    "everything everywhere überall partout tudo tutto todo todas_las_páginas overall alles överallt allt"
)
_USERS: Final = r"""
    users? user_names? usuario usuário benutzer(?:name)? identifiant utente gebruiker(?:snaam)? network
    netz(?:werk)? réseau rede rete netwerk box fritz\w* modem guest zugang\w* 2fa verif\w+ vérif\w+ expires
"""
_WORDS: Final = {
    "answer": _ANSWERS, "spoken": _SPOKEN, "key": _KEYS, "phrase": _PHRASES, "cvc": _CVC, "code": _CODES,
    "password": _SHORT_PASSWORDS, "bare": _BARE, "token": "token", "weak": _WEAK, "wifi key": _WIFI_KEYS,
    "unlock": _UNLOCKS, "open": _OPENS, "lock": _LOCKS,
    "place": _PLACES, "wifi": _WIFI, "account": _ACCOUNTS, "habit": _HABITS, "sent": _SENT, "user": _USERS,
}  # fmt: skip
_ENDINGS: Final = "(?:et|en|e|er|es|s|n|as)?"
_NAME: Final = lazy_regex(
    rf"(?<![^\W_])(?:{_by_first_letters(' '.join(_WORDS.values()).split())})(?!{_LETTER})"
    rf"|(?<!1)(?:{_by_first_letters((_PHRASES + _PASSWORDS).split())}){_ENDINGS}(?!{_LETTER})"
)
_OPENED_WORDS: Final = f"{_LOCKS}{_PLACES}{_WIFI} {_ACCOUNTS}{_USERS}"
OPENED: Final = lazy_regex(rf"(?<![^\W_])(?:{_by_first_letters(_OPENED_WORDS.split())})(?!{_LETTER})")
"""What a password or a code opens."""
_GROUPS: Final = {
    **{group: lazy_regex(_any(words)) for group, words in _WORDS.items()},
    "compound": lazy_regex(f"(?:{_any(_PASSWORDS)}){_ENDINGS}"),
}
_PROGRAM: Final = lazy_regex(
    r"bot\b|github|api|slack|telegram|discord|client|deploy|\bci\b|auth|curl|app\b|[:=]"
)
_NO_CODE: Final = lazy_regex(
    r"\b(?:zip|postal|post|area|dial(?:ling|ing)?|error|fehler|erreur|erro\w*|promo\w*|discount|rabatt\w*"
    r"|gutschein"
    r"|coupon|voucher|gift|colou?r|hex|dress|source|bar|qr|country|booking|reservation|flight|tracking"
    r"|order|product|item|course|airport|status|http|exit|referr?al|tax|cheat|morse|penal|sort|swift"
    r"|bic|branch|ascii|unicode|building code|conduct|review|unit|stock|part|model|color|descuento|desconto"
    r"|d'erreur|de error|de erro|de la route|de barras|pénal|promotionnel|réduction|de réduction|sconto"
    r"|fiscale|errore"
    r"|de parrainage|de descuento|de desconto|de área|de país|de reserva|postnummer|invite|vestimentaire"
    r"|friend|confirmation|reference|referenz|customer|kunden|team|class|subject|module|store|item|article"
    r"|artikel"
    r"|paint|farb|couleur"
    r"|kleur|cor|train|voo|vuelo|vol|volo|vlucht|flug|flyg|bus|event|session|join|meeting|referenc\w*"
    r"|my code|your code|foutcode|stempel|lines? of|repo|compiles?)\b"
)
"""Beside "code": no secret."""
_CALLED_CODE: Final = lazy_regex(r"[ck][oó]d")
_DISCOUNT: Final = lazy_regex(
    r"% off|\d ?%|\boff (?:at|your)|checkout|percent|prozent|pour cent|por ciento|procent|descuento"
    r"|desconto|réduction|korting"
)
_NO_PASSWORD: Final = lazy_regex(
    r"\A(?:manager|manag|policy|policies|strength|hint|field|generator|length|page|rules?|requirements?"
    r"|recovery|tests?|hash\w*|sharing|protect\w+|reset\w*|wizard|verwaltung|leak|leaks|breach|prompt|file)\b"
)
_NO_KEY: Final = lazy_regex(
    r"\b(?:boarding|bus|ski|day|season|mountain|rail|train|press|hall|museum|park|bowling|travel"
    r"|transit|lift|free|metro|city|car|spare|music|song|primary|foreign|public|main|major|minor"
    r"|success|erfolgs?|rate|house|takeaways?|ingredient|cards?|board|points?|mark|page|button|error)\b"
)
"""Beside "pass", "key" and "clave": no secret."""
_LANGUAGES: Final = (
    ("sv", lazy_regex(r"l[öo]s|kod(?:en|ord)|åter|reserv|koder|kod\b")),
    ("pt", lazy_regex(r"senha|palavra|chave|código")),
    ("it", lazy_regex(r"parola|chiave|codice")),
    ("es", lazy_regex(r"contra|clave|paso|palabra|semilla")),
    ("fr", lazy_regex(r"\bmots?\b|mdp|phrase_|secrète|clé|passe\b|cryptogramme")),
    ("nl", lazy_regex(r"woord|\bww\b|sleutel|zin\b")),
    ("de", lazy_regex(r"wort|satz|schlüssel|geheim|nummer|ziffer|zahl")),
)
"""What tells a name's language; any other is English."""
