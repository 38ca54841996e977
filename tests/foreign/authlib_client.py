"""A client as Authlib makes it: without PKCE, the secret by Basic."""

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor

import requests
from authlib.integrations.requests_client import OAuth2Session
from joserfc import jwt
from joserfc.jwk import KeySet

issuer, client_id = os.environ["ISSUER"], os.environ["CLIENT_ID"]
metadata = requests.get(f"{issuer}/.well-known/openid-configuration").json()
settings = {
    "client_id": client_id,
    "client_secret": os.environ["CLIENT_SECRET"],
    "redirect_uri": os.environ["REDIRECT_URI"],
    "scope": "openid profile email",
}


def session(**more):
    return OAuth2Session(**settings, **more)


url, state = session().create_authorization_url(metadata["authorization_endpoint"], nonce="a nonce")
print(url, flush=True)

app = session(state=state)
token = app.fetch_token(metadata["token_endpoint"], authorization_response=sys.stdin.readline().strip())
keys = KeySet.import_key_set(requests.get(metadata["jwks_uri"]).json())
claims = jwt.decode(token["id_token"], keys, algorithms=["RS256"]).claims
jwt.JWTClaimsRegistry(
    iss={"essential": True, "value": issuer},
    aud={"essential": True, "value": client_id},
    nonce={"essential": True, "value": "a nonce"},
).validate(claims)
info = app.get(metadata["userinfo_endpoint"]).json()


def renew(_):
    """One of the requests that meet, each renewing by itself."""
    return session().refresh_token(metadata["token_endpoint"], refresh_token=token["refresh_token"])


with ThreadPoolExecutor(6) as pool:
    renewed = [answer["refresh_token"] for answer in pool.map(renew, range(6))]
known = app.introspect_token(metadata["introspection_endpoint"], token=renewed[0]).json()
revoked = app.revoke_token(metadata["revocation_endpoint"], token=renewed[0])
after = app.introspect_token(metadata["introspection_endpoint"], token=renewed[0]).json()
print(
    json.dumps(
        {
            "sub": claims["sub"],
            "sid": claims["sid"],
            "userinfo": info["sub"],
            "renewed": len(set(renewed)) == 1 and renewed[0] != token["refresh_token"],
            "active": known["active"],
            "revoked": revoked.status_code,
            "after": after["active"],
        }
    )
)
