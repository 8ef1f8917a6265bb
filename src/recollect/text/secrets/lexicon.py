"""What names a secret in English, German, French, Spanish, Swedish and Portuguese, and what it opens.

All lists are chosen by hand; ``tests/text/secret_lines.jsonl`` measures them.
"""

import re
from typing import Final

_LETTER: Final = r"[^\W\d_]"


def _any(words: str) -> str:
    """An alternation of words that stand between blanks; "_" is a blank, a hyphen or nothing."""
    return "|".join(word.replace("_", "[ -]?") for word in words.split())


_LONG_PASSWORDS: Final = r"""
    pas{1,2}_?w(?:or|ro|oo|ar|o|r)?d pas{1,2}o(?:wr|r)d pssword pass_?code pas{1,2}_?wort kenn?wort
    contrase(?:ñ|n|ñn|ni)a contase[ñn]a l[öo]se?n?ord l[öo]snord adgangskode wachtwoord
"""
_SHORT_PASSWORDS: Final = "pwd? psw pswd mdp senha mots?_de_pass?es? mot_d[eu]_pass palavras?_passe"
_PHRASES: Final = r"""
    pass_?phrase pass_?frase (?:seed|mnemonic|recovery|secret|backup|wallet)_phrase pass_?satz
    (?:seed|wallet|recovery|backup)_words (?:12|24|twelve)_words?_(?:seed_)?phrase wallet_seed(?:_phrase)?
    phrase_(?:secrète|de_passe|de_récupération|mnémonique)
    frase_(?:de_paso|de_contraseña|secreta|semilla|de_recuperaci[óo]n|de_recuperação|senha)
    lösenfras(?:en)? återställningsfras(?:en)?
"""
_CODES: Final = r"""
    pin(?:_?(?:code|kode|number|nummer|nr|zahl))? pin_?kod(?:en)? geheim(?:zahl|nummer|code) e?tan otp puk
    digicode
    (?:haus)?tür-?code (?:tor|pin|alarm|zugangs|zutritts|sicherheits|bestätigungs|entsperr)-?code
    (?:freischalt|zahlen|einmal|safe|tresor|sms|garagen|schloss|verifizierungs|anmelde)-?code
    (?:port|dörr|entré|lås|larm|engångs|verifierings|säkerhets|bekräftelse|inloggnings)-?kod(?:en)?
    (?!(?:post|fel|rabatt|färg|käll|streck|lands?|kampanj|presentkorts?|boknings|produkt|maskin|dress|qr)-?kod)\w{3,}-?kod(?:en)?
"""
_CVC: Final = r"""
    cv[cvn]2? csc cid (?:karten)?prüf(?:ziffer|nummer|zahl) cryptogramme security_code sicherheitscode
    code_de_sécurité código_de_(?:seguridad|segurança) säkerhetskod(?:en)?
"""
_BARE_CODES: Final = r"""
    (?:key|door|gate|entry|pass|lock)?codes? c[óo]digos? kod kode koden combos? combinations? combinaison
    combinaci[óo]n combinação kombination(?:en)? zahlenkombination
    (?:\d+|four|six|eight)_digits? \d_?stellig\w* \d_(?:chiffres|dígitos|siffror|ziffern|cifras)
"""
_LISTS: Final = r"""
    (?:recovery|backup|back_up|rescue|emergency)_(?:codes?|keys?)
    (?:backup|wiederherstellungs|ersatz|notfall|recovery)[- ]?codes?
    codes?_de_(?:secours|récupération|sauvegarde)
    c[óo]digos?_de_(?:recuperaci[óo]n|respaldo|recuperação|reserva|backup|emergencia)
    (?:återställnings|reserv|backup)-?kod(?:er|erna|en)?
"""
_SPOKEN: Final = r"""
    (?:cancel|safe|duress|code|panic|abort|security|secret)_word codewort losungswort losung sicherheitswort
    mot_(?:secret|de_code|de_sécurité) palabra_(?:secreta|de_seguridad) kodord(?:et)?
    palavra_(?:secreta|de_segurança)
"""
_WEAK: Final = "pass passe clave chave schlüssel clé nyckeln? key"

NOUNS: Final = re.compile(
    rf"(?<!{_LETTER})(?P<list>{_any(_LISTS)})(?!{_LETTER})"
    rf"|(?P<phrase>{_any(_PHRASES)})(?!{_LETTER})"
    rf"|(?<!{_LETTER})(?P<spoken>{_any(_SPOKEN)})(?!{_LETTER})"
    rf"|(?<!1)(?P<password>{_any(_LONG_PASSWORDS)}|(?<!{_LETTER})(?:{_any(_SHORT_PASSWORDS)}))"
    rf"(?:et|en|e|er|es|s|n)?(?!{_LETTER})"
    rf"|(?<!{_LETTER})(?:(?P<cvc>{_any(_CVC)})|(?P<code>{_any(_CODES)})|(?P<bare>{_any(_BARE_CODES)})"
    rf"|(?P<weak>{_WEAK.replace(' ', '|')}))(?!{_LETTER})"
)
"""What names a secret, in lower case; the group is what kind of value it has."""

LOCKS: Final = re.compile(
    r"(?<!parent)(?:lock(?!down)|\bsafe\b(?! (?:to|and|from))|vault|\bdoor|gate\b|garage|alarm|keypad"
    r"|entrance|entry|lobby|elevator|building|suitcase|\bshed|\bgym|bike|luggage|airbnb|t[üu]r\b"
    r"|\btor\b|tresor|schloss|spind|eingang|fahrrad|koffer|schließfach|porte\b|portail|immeuble|coffre"
    r"|cadenas|casier|antivol|puerta|portal\b|caja fuerte|candado|taquilla|garaje|edificio|dörr"
    r"|\bport(?:en)?\b|larm|kassaskåp|\blås|skåp|grind|cykel|porta\b|portão|cofre|cadeado|armário"
    r"|garagem|prédio|digicode|interfon|portero|keybox|lockbox)"
)
"""What opens by a code."""
ACCOUNTS: Final = re.compile(
    r"bank|\bcards?\b|debit|visa\b|mastercard|amex|\batm\b|\bsim\b|phone|ipad|tablet|laptop|voicemail"
    r"|\bsms\b|texted|2fa|\bmfa\b|one[- ]time|verif|secur|access|unlock|log ?in|sign[- ]?in"
    r"|authenticat|paypal|karte|handy|bestätigung|einmal|zugang|sicherheit|banque|carte|téléphone"
    r"|vérif|sécurité|accès|connexion|banco|tarjeta|móvil|celular|seguridad|acceso|kort|mobil|verifier"
    r"|engång|säkerhet|inlogg|cartão|telem[óo]vel|segurança|acesso|whatsapp|google|telegram"
    r"|share (?:this|it)|expires"
    r"|usage unique|uso único|desbloque|entsperr"
)
"""What sends or asks for a code."""
WIRELESS: Final = re.compile(
    r"wi-?fi|wlan|router|\bbox\b|netflix|spotify|disney|amazon|\bvpn\b|account|konto|compte|cuenta"
    r"|\bconta\b|log ?in|logon|\buser|usuario|usuário|benutzer|identifiant|utilisateur|användar"
    r"|e-?mail|\bmejl|correo|portal|laptop|computer|guest|server|admin|printer|zoom|ssh|hotspot"
    r"|network|netz|hulu|\bhbo|youtube|steam|icloud|gmail|paypal|twitch|roblox|xbox|playstation"
)
"""What makes "pass", "clave" or "key" a password."""
ACCESS: Final = re.compile(
    r"gets? (?:[a-z]+ )?in(?:to)?\b|log ?(?:[a-z]+ )?in|sign ?in|unlock|admin|\bvpn\b|wi-?fi|wlan"
    r"|router|einlogg|anmeld|zugang|entrar|connecter|acc[eé]d|iniciar sesi|logga in|server|portal"
    r"|conta\b|compte|cuenta|konto|account|laptop|computer|\bpc\b"
)
"""What a strong password gives access to."""
NO_CODE: Final = re.compile(
    r"\b(?:zip|postal|post|area|dial(?:ling|ing)?|error|fehler|erreur|erro|promo\w*|discount|rabatt\w*"
    r"|coupon|voucher|gift|colou?r|hex|dress|source|bar|qr|country|booking|reservation|flight|tracking"
    r"|order|product|item|course|airport|status|http|exit|referr?al|tax|cheat|morse|penal|sort|swift"
    r"|bic|branch|ascii|unicode|building|conduct|review|unit|stock|part|model|color|descuento|desconto"
    r"|d'erreur|de error|de erro|de la route|de barras|pénal|promotionnel|réduction|de réduction"
    r"|de parrainage|de descuento|de desconto|de área|de country|de país|de reserva|postnummer|invite"
    r"|friend|my code|your code)\b"
)
"""Beside "code": no secret."""
NO_PASSWORD: Final = re.compile(
    r"\b(?:boarding|bus|ski|day|season|mountain|rail|train|press|hall|museum|park|bowling|travel"
    r"|transit|lift|free|metro|city|car|spare|music|song|primary|foreign|public|main|major|minor"
    r"|success|erfolgs?|rate|manager|reset|policy|policies|strength|hint|field|generator|length|page"
    r"|rules?|requirements?|recovery|tests?|hashes|hash|sharing|protected|protection)\b"
)
"""Beside "pass", "key", "clave" and after "password": no secret."""
LANGUAGES: Final = (
    ("sv", re.compile(r"l[öo]s|kod(?:en|ord)|åter|reserv|koder|kod\b")),
    ("pt", re.compile(r"senha|palavra|chave|código")),
    ("es", re.compile(r"contras|clave|paso|palabra|semilla")),
    ("fr", re.compile(r"\bmots?\b|mdp|phrase_|secrète|clé|passe\b|cryptogramme")),
    ("de", re.compile(r"wort|satz|schlüssel|geheim|nummer|ziffer|zahl")),
)
"""What tells a noun's language; any other is English."""
UNITS: Final = re.compile(
    r"[ -]?(?:(?:or more|random|of|out of|more) ){0,2}(?:char|letter|digit|symbol|bit|byte|word|month"
    r"|day|year|week|hour|minute|second|times?\b|encrypt|hash|%|percent|attempt|tr(?:y|ies)|people"
    r"|users|points?|euro|dollar|\$|€|kg|km|cm|mm\b|zeichen|stell|ziffer|buchstab|tage|jahr|stunde"
    r"|minute|mal\b|versuch|caract|chiffre|lettre|jour|mois|ans\b|fois|dígito|letra|día|mes(?:es)?\b"
    r"|año|veces|intento|tecken|siffr|bokst|dag|månad|år\b|gång|dias|anos|vezes|tentativ|lines|mb\b"
    r"|gb\b|am\b|pm\b|uhr|h\b)",
    re.IGNORECASE,
)
"""Behind a number that counts something."""
