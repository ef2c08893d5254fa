"""Signed JSON Web Tokens (RS256) and keys as JSON, as far as LTI 1.3 needs them. All that is cryptography is done by the program
openssl; what is here takes texts apart, and refuses whatever is not RS256 with a key of at least 2048 bits."""

import base64
import binascii
import json
import os
import pathlib
import subprocess
import tempfile

LEAST_BITS = 2048


class Refused(Exception):
    """Why a token, or a launch, is not taken: a sentence for people."""


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def decode(text):
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars="-_", validate=True)
    except (binascii.Error, ValueError):
        raise Refused("the token is no JSON Web Token") from None


def openssl(*arguments, data=b""):
    return subprocess.run(["openssl", *map(str, arguments)], input=data, capture_output=True, check=False)


def der(tag, content):
    size = len(content)
    length = bytes([size]) if size < 128 else bytes([0x82]) + size.to_bytes(2, "big")
    return bytes([tag]) + length + content


def public_key(jwk):
    """The key as the file that openssl reads: SubjectPublicKeyInfo of RFC 5280."""
    if not isinstance(jwk, dict) or jwk.get("kty") != "RSA" or not all(isinstance(jwk.get(name), str) for name in "ne"):
        raise Refused("the platform's key is none for RSA")
    modulus, exponent = (int.from_bytes(decode(jwk[name]), "big") for name in "ne")
    if not LEAST_BITS <= modulus.bit_length() <= 8192 or not 3 <= exponent < 1 << 64:
        raise Refused(f"the platform's key must have {LEAST_BITS} to 8192 bits")
    integers = b"".join(der(2, number.to_bytes(number.bit_length() // 8 + 1, "big")) for number in (modulus, exponent))
    rsa = der(0x30, bytes.fromhex("06092a864886f70d0101010500"))
    info = der(0x30, rsa + der(3, b"\0" + der(0x30, integers)))
    return f"-----BEGIN PUBLIC KEY-----\n{base64.encodebytes(info).decode('ascii')}-----END PUBLIC KEY-----\n"


def parts_of(token):
    """Header and claims, not verified yet."""
    parts = token.split(".")
    try:
        header, claims = (json.loads(decode(part)) for part in parts[:2])
    except ValueError:
        raise Refused("the token is no JSON Web Token") from None
    if len(parts) != 3 or not isinstance(header, dict) or not isinstance(claims, dict):
        raise Refused("the token is no JSON Web Token")
    if header.get("alg") != "RS256":
        raise Refused("the token must be signed with RS256")
    return header, claims


def verify(token, jwk):
    signed, _, signature = token.rpartition(".")
    with tempfile.TemporaryDirectory() as folder:
        key, file = pathlib.Path(folder, "key.pem"), pathlib.Path(folder, "signature")
        key.write_text(public_key(jwk), encoding="ascii")
        file.write_bytes(decode(signature))
        done = openssl("dgst", "-sha256", "-verify", key, "-signature", file, data=signed.encode("utf-8"))
    if done.returncode != 0:
        raise Refused("the signature of the token is wrong")


class OwnKey:
    """The key that this side signs with, in a file that is made, readable for its user alone, if it is not there yet."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        if not self.path.exists():
            made = openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", f"rsa_keygen_bits:{LEAST_BITS}")
            if made.returncode != 0:
                raise OSError(made.stderr.decode("utf-8", "replace"))
            with open(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(made.stdout)
        shown = openssl("rsa", "-in", self.path, "-noout", "-modulus").stdout.decode("ascii").strip()
        modulus = bytes.fromhex(shown.removeprefix("Modulus="))
        self.jwk = {"kty": "RSA", "alg": "RS256", "use": "sig", "n": encode(modulus), "e": "AQAB"}
        thumbprint = openssl("dgst", "-sha256", "-binary", data=f'{{"e":"AQAB","kty":"RSA","n":"{self.jwk["n"]}"}}'.encode("ascii"))
        self.jwk["kid"] = encode(thumbprint.stdout)  # RFC 7638

    def sign(self, claims):
        header = {"alg": "RS256", "typ": "JWT", "kid": self.jwk["kid"]}
        signed = ".".join(encode(json.dumps(part, separators=(",", ":")).encode("utf-8")) for part in (header, claims))
        done = openssl("dgst", "-sha256", "-sign", self.path, data=signed.encode("ascii"))
        if done.returncode != 0:
            raise OSError(done.stderr.decode("utf-8", "replace"))
        return f"{signed}.{encode(done.stdout)}"
