"""The club's certificates: one that signs, one for the broker, perhaps one for each machine. By ``cryptography``."""

from __future__ import annotations

import datetime
import ipaddress
from dataclasses import dataclass
from typing import Any, Final

from firmware.extras.club.topics import ClubError

YEARS: Final = 5


@dataclass(frozen=True, slots=True)
class KeyPair:
    """A certificate and its key, as PEM."""

    certificate: str
    key: str


def authority(club: str) -> KeyPair:
    """A certificate that signs the club's others. Raises ClubError where ``cryptography`` is missing."""
    x509, *_ = _library()
    name = _name(x509, f"En Garde club {club}")
    return _made(
        name, name, None, extensions=((x509.BasicConstraints(ca=True, path_length=0), True), (_signs(x509), True))
    )


def signed(by: KeyPair, common_name: str, host: str = "") -> KeyPair:
    """A certificate of the club for this machine; with a ``host``, for a broker that is reached by that name."""
    x509, *_ = _library()
    extensions: tuple[tuple[Any, bool], ...] = ((x509.BasicConstraints(ca=False, path_length=None), True),)
    if host:
        names = [_host(x509, each) for each in dict.fromkeys((host, "localhost", "127.0.0.1"))]
        extensions = (*extensions, (x509.SubjectAlternativeName(names), False))
    return _made(_name(x509, common_name), None, by, extensions=extensions)


def _made(subject: Any, issuer: Any, by: KeyPair | None, extensions: tuple[tuple[Any, bool], ...]) -> KeyPair:
    x509, serialization, hashes, ec = _library()
    key = ec.generate_private_key(ec.SECP256R1())
    signing, authority_key = key, key.public_key()
    if by is not None:
        signing = serialization.load_pem_private_key(by.key.encode(), None)
        issuer, authority_key = x509.load_pem_x509_certificate(by.certificate.encode()).subject, signing.public_key()
    now = datetime.datetime.now(datetime.UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        # A Pi without a clock starts in the past: what it must believe then is valid long before.
        .not_valid_before(now - datetime.timedelta(days=365 * 10))
        .not_valid_after(now + datetime.timedelta(days=365 * YEARS))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key), critical=False)
    )
    for extension, critical in extensions:
        builder = builder.add_extension(extension, critical=critical)
    certificate = builder.sign(signing, hashes.SHA256())
    plain = serialization.NoEncryption()
    form = serialization.PrivateFormat.PKCS8
    return KeyPair(
        certificate.public_bytes(serialization.Encoding.PEM).decode(),
        key.private_bytes(serialization.Encoding.PEM, form, plain).decode(),
    )


def _name(x509: Any, common_name: str) -> Any:
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, common_name)])


def _signs(x509: Any) -> Any:
    """What the club's own certificate is for: signing the others."""
    uses = ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement")
    signs = {"key_cert_sign": True, "crl_sign": True, "encipher_only": False, "decipher_only": False}
    return x509.KeyUsage(**dict.fromkeys(uses, False), **signs)


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
