"""A club's broker: its settings, certificates, passwords and rights, a card for each machine, and a start for a demo.

The broker is Mosquitto; we write none of our own. ``mosquitto.conf`` is for 2.0, the one in Debian 12 and 13, and
``mosquitto-2.1.conf`` for 2.1 and later, which deprecate ``password_file`` and ``acl_file`` for plugins and lose them
in 3.0. Source: mosquitto.conf(5) of 2.0.11 and 2.1.2, and the latter's ChangeLog.
"""

from __future__ import annotations

import base64
import datetime
import hashlib
import ipaddress
import re
import secrets
import shutil
import socket
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from firmware.core.io.files import append_stream, make_folder, read_text, write_whole
from firmware.extras.club.card import DEFAULT_PORT, JoinCard, read_card, write_card
from firmware.extras.club.messages import DESK, HALL, LISTENER, RESERVED, ROOT, ClubError, good_name

PATIENCE_S: Final = 5.0
SETTINGS_OF_2_0: Final = "mosquitto.conf"
SETTINGS: Final = "mosquitto-2.1.conf"
"""For Mosquitto 2.1 and later."""
_PLUGINS: Final = ("/usr/lib/*-linux-gnu*", "/usr/lib64", "/usr/lib", "/usr/local/lib*", "/opt/homebrew/lib")
_PLACES: Final = ("/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto", "/opt/homebrew/sbin/mosquitto")


def mosquitto() -> str:
    """Where Mosquitto is; empty where it is not installed."""
    return shutil.which("mosquitto") or next((place for place in _PLACES if Path(place).is_file()), "")


def settings_of(version: str) -> str:
    """The settings' file for the Mosquitto whose ``-h`` begins like this: ``mosquitto version 2.0.11``."""
    found = re.search(r"version (\d+)\.(\d+)", version)
    return SETTINGS if found is not None and (int(found[1]), int(found[2])) >= (2, 1) else SETTINGS_OF_2_0


def settings_here() -> str:
    """The settings' file for the Mosquitto of this machine; for 2.0 where there is none."""
    if not (program := mosquitto()):
        return SETTINGS_OF_2_0
    told = subprocess.run([program, "-h"], capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    return settings_of(told.stdout)


def library(name: str) -> str:
    """Where this plugin of Mosquitto is; its bare name, which the system's linker looks for, where it is not here."""
    root = Path("/")
    places = (place for folder in _PLUGINS for place in sorted(root.glob(f"{folder[1:]}/{name}")))
    return str(next(places, name))


def free_port() -> int:
    """A port of loopback that nobody has now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Broker:
    """Mosquitto with the configuration in ``folder``, until ``stop``."""

    def __init__(self, folder: Path, port: int) -> None:
        """Raises ClubError where there is none, or it does not come up."""
        self._program, self._folder, self._port = mosquitto(), folder, port
        if not self._program:
            raise ClubError("there is no broker on this machine; install Mosquitto: sudo apt-get install mosquitto.")
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start it, again after ``stop``. Raises ClubError."""
        command = [self._program, "-c", str(self._folder / settings_here())]
        with append_stream(self._folder / "mosquitto.log") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            if self._process.poll() is not None:
                break
            try:
                socket.create_connection(("127.0.0.1", self._port), 0.5).close()
            except OSError:
                time.sleep(0.03)
            else:
                return
        self.stop()
        raise ClubError(f"Mosquitto did not come up; {self._folder / 'mosquitto.log'} says why.")

    @property
    def pid(self) -> int:
        """Its process; 0 where it is stopped."""
        return 0 if self._process is None else self._process.pid

    def stop(self, *, at_once: bool = False) -> None:
        """Stop it; ``at_once`` as a power cut would."""
        if self._process is None:
            return
        if at_once:
            self._process.kill()
        else:
            self._process.terminate()
        try:
            self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None


YEARS: Final = 5


@dataclass(frozen=True, slots=True)
class KeyPair:
    """A certificate and its key, as PEM."""

    certificate: str
    key: str


def certificate(common_name: str, by: KeyPair | None = None, host: str = "") -> KeyPair:
    """A certificate signed ``by`` another; without one the club's own, which signs the others. With a ``host`` it is
    for a broker that is reached by that name. Raises ClubError where ``cryptography`` is missing."""
    x509, serialization, hashes, ec = _library()
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, common_name)])
    issuer, signing = subject, key
    if by is not None:
        signing = serialization.load_pem_private_key(by.key.encode(), None)
        issuer = x509.load_pem_x509_certificate(by.certificate.encode()).subject
    now, days = datetime.datetime.now(datetime.UTC), datetime.timedelta(days=365)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        # A Pi without a clock starts in the past: what it must believe then is valid long before.
        .not_valid_before(now - 10 * days)
        .not_valid_after(now + YEARS * days)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signing.public_key()), critical=False)
        .add_extension(x509.BasicConstraints(ca=by is None, path_length=None if by else 0), critical=True)
    )
    if by is None:
        uses = ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement")
        signs = {"key_cert_sign": True, "crl_sign": True, "encipher_only": False, "decipher_only": False}
        builder = builder.add_extension(x509.KeyUsage(**dict.fromkeys(uses, False), **signs), critical=True)
    if host:
        names = [_host(x509, each) for each in dict.fromkeys((host, "localhost", "127.0.0.1"))]
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    form, plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    return KeyPair(
        builder.sign(signing, hashes.SHA256()).public_bytes(serialization.Encoding.PEM).decode(),
        key.private_bytes(serialization.Encoding.PEM, form, plain).decode(),
    )


def _host(x509: Any, host: str) -> Any:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _library() -> tuple[Any, Any, Any, Any]:
    try:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec
    except ImportError as error:
        raise ClubError(
            "certificates need cryptography, which is not installed: in the program's folder, CLUB=1 make setup."
        ) from error
    return x509, serialization, hashes, ec


MAX_TABLES: Final = 400
ROUNDS: Final = 101
"""Of the password's digest, as Mosquitto's own tool has it; our passwords are drawn, nobody guesses them."""


@dataclass(frozen=True, slots=True)
class Founding:
    """A club to be made ready in ``folder``. ``host`` is the name or address its machines reach the broker at.

    ``certificates``: machines show one instead of a password. ``tls`` is off only for a demo on loopback.
    """

    club: str
    folder: Path
    host: str
    tables: tuple[str, ...]
    port: int = DEFAULT_PORT
    certificates: bool = False
    tls: bool = True
    address: str = ""


def found(wanted: Founding) -> tuple[JoinCard, ...]:
    """Write everything; gives the cards, the hall's and the desk's first, the listener's last.

    A folder that has a club already is left as it is: new passwords would shut its tables out. Raises ClubError
    and OSError.
    """
    good_name(wanted.club, "the club's name")
    if not 1 <= len(wanted.tables) <= MAX_TABLES or len(set(wanted.tables)) < len(wanted.tables):
        raise ClubError(f"a club has 1 to {MAX_TABLES} tables, each with a name of its own, not {len(wanted.tables)}.")
    for table in wanted.tables:
        good_name(table, "a table's name")
    if (wanted.folder / SETTINGS_OF_2_0).exists():
        raise ClubError(
            f"{wanted.folder} holds a club already; name another folder with --out, or move that one away: its cards "
            "would no longer open anything."
        )
    make_folder(wanted.folder, private=True)
    wanted.folder.chmod(0o700)
    ours = certificate(f"En Garde club {wanted.club}") if wanted.tls else KeyPair("", "")
    if wanted.tls:
        broker = certificate(wanted.host, ours, wanted.host)
        for name, content in (
            ("ca.pem", ours.certificate),
            ("ca.key", ours.key),
            ("broker.pem", broker.certificate),
            ("broker.key", broker.key),
        ):
            write_whole(wanted.folder / name, content, private=True)
    cards = tuple(_card(wanted, ours, machine) for machine in (HALL, DESK, *wanted.tables, LISTENER))
    passwords = "".join(f"{card.user}:{digest(card.password)}\n" for card in cards)
    write_whole(wanted.folder / "passwords", passwords, private=True)
    for card in cards:
        write_card(wanted.folder / "cards" / f"{card.table}.toml", card)
    _write_settings(wanted)
    return cards


def renew(folder: Path) -> None:
    """Write the settings of the club in this folder anew, those of before kept under ``.before``; its cards and
    passwords stay. Raises ClubError, OSError."""
    wanted = _founded(folder)
    for name in _settings(wanted):
        if (folder / name).exists():
            write_whole(folder / f"{name}.before", read_text(folder / name), private=True)
    _write_settings(wanted)


def are_old(folder: Path) -> bool:
    """Whether the club in this folder has settings of an earlier version: a line is missing, whatever else is there.

    Raises ClubError, OSError.
    """
    wanted = _founded(folder)
    for name, text in _settings(wanted).items():
        path = folder / name
        there = set(read_text(path).splitlines()) if path.exists() else set()
        if not there.issuperset(line for line in text.splitlines() if not line.startswith("#")):
            return True
    return False


def _founded(folder: Path) -> Founding:
    """The plan of the club in this folder, read from its cards."""
    card = read_card(folder / "cards" / f"{HALL}.toml")
    tables = tuple(path.stem for path in sorted((folder / "cards").glob("*.toml")) if path.stem not in RESERVED)
    return Founding(card.club, folder, card.host, tables, card.port, bool(card.certificate), bool(card.ca))


def _settings(wanted: Founding) -> dict[str, str]:
    files = {name: configuration(wanted, name) for name in (SETTINGS_OF_2_0, SETTINGS)}
    return {"access": access(wanted.club, wanted.tables), **files}


def _write_settings(wanted: Founding) -> None:
    for name, text in _settings(wanted).items():
        write_whole(wanted.folder / name, text, private=True)


def configuration(wanted: Founding, name: str) -> str:
    """The settings of this ``name``. Nobody comes in without a name, under which alone the broker knows them, and what
    is kept survives the broker."""
    folder = wanted.folder.absolute()
    lines = [f"# The broker of the club {wanted.club}: mosquitto -c {folder / name}", "allow_anonymous false"]
    for option, file in (("password_file", folder / "passwords"), ("acl_file", folder / "access")):
        plugin = [f"global_plugin {library(f'mosquitto_{option}.so')}", f"plugin_opt_{option} {file}"]
        lines += plugin if name == SETTINGS else [f"{option} {file}"]
    if owner := _owner(folder):
        # Begun as root it would become a user of its own, who may not read the club's folder; else this says nothing.
        lines.append(f"user {owner}")
    lines += [
        "persistence true",
        f"persistence_location {folder}/",
        "autosave_interval 5",
        "max_inflight_messages 500",
        "max_queued_messages 500000",
        "max_packet_size 65536",
        "persistent_client_expiration 30d",
        f"listener {wanted.port}{f' {wanted.address}' if wanted.address else ''}",
        "use_username_as_clientid true",
    ]
    if wanted.tls:
        lines += [
            f"cafile {folder / 'ca.pem'}",
            f"certfile {folder / 'broker.pem'}",
            f"keyfile {folder / 'broker.key'}",
            "tls_version tlsv1.2",
        ]
    if wanted.certificates:
        lines += ["require_certificate true", "use_identity_as_username true"]
    return "\n".join(lines) + "\n"


def _owner(folder: Path) -> str:
    """The owner of the club's folder; empty where the system has no name for them."""
    try:
        return folder.owner()
    except (KeyError, NotImplementedError):
        return ""


def access(club: str, tables: Sequence[str]) -> str:
    """Mosquitto's access file: a table has its own topics, the hall all of the club, the desk its own commands."""
    ours = f"{ROOT}/{club}"
    parts = [
        f"user {HALL}\ntopic readwrite {ours}/#\ntopic write homeassistant/#\n",
        f"user {DESK}\ntopic read {ours}/#\ntopic write {ours}/{DESK}/do\n",
        f"user {LISTENER}\ntopic read {ours}/#\n",
    ]
    for table in tables:
        own = (f"topic write {ours}/{table}/{what}" for what in ("status", "state", "event", "said", "confirmed"))
        parts.append("\n".join((f"user {user_of(table)}", *own, f"topic read {ours}/{table}/hall/#", "")))
    return "\n".join(parts)


def user_of(machine: str) -> str:
    """The user name of a machine at the broker."""
    return machine if machine in RESERVED else f"table-{machine}"


def digest(password: str, salt: bytes | None = None) -> str:
    """A password as Mosquitto keeps it: PBKDF2 with SHA-512, form 7."""
    salt = salt if salt is not None else secrets.token_bytes(12)
    made = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ROUNDS)
    return f"$7${ROUNDS}${base64.b64encode(salt).decode()}${base64.b64encode(made).decode()}"


def _card(wanted: Founding, ours: KeyPair, machine: str) -> JoinCard:
    user = user_of(machine)
    mine = certificate(user, ours) if wanted.certificates and wanted.tls else KeyPair("", "")
    password, where = secrets.token_urlsafe(18), (wanted.host, wanted.port)
    return JoinCard(wanted.club, machine, *where, user, password, ours.certificate, mine.certificate, mine.key)
