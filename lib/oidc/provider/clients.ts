import Provider, { type Client, type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider'
import { deviceGrant, signingAlgs } from '@/lib/oidc/clients/contract'

type Validating = (token: string, client: Client) => Promise<unknown>

const algorithmOf = (token: string): unknown => {
  try {
    return JSON.parse(Buffer.from(token.split('.', 1)[0] ?? '', 'base64url').toString()).alg
  } catch {
    return undefined
  }
}

/**
 * What clients may, in the words of RFC 6749; `sid` for all of them; and hints by whichever of our algorithms an
 * ID token was signed: a client may have chosen another one since.
 */
export function amendClients(provider: Provider): void {
  const client = provider.Client.prototype
  const { grantTypeAllowed, responseTypeAllowed } = client
  client.includeSid = () => true
  client.grantTypeAllowed = function (this: Client, grant) {
    const allowed = grantTypeAllowed.call(this, grant)
    const { oidc } = (Provider.ctx ?? {}) as Partial<KoaContextWithOIDC>
    // asked for by the request itself, not by what looks whether there could be such tokens
    const asked = oidc?.route === 'device_authorization' ? deviceGrant : oidc?.params?.grant_type
    const decides = oidc?.route === 'device_authorization' || oidc?.route === 'token'
    if (!allowed && decides && grant === asked) throw new errors.UnauthorizedClient('the client may not use this grant')
    return allowed
  }
  client.responseTypeAllowed = function (this: Client, type) {
    if (!responseTypeAllowed.call(this, type)) throw new errors.UnauthorizedClient('the client may not ask for a code')
    return true
  }

  const tokens = provider.IdToken as unknown as { validate: Validating }
  const validate = tokens.validate.bind(tokens)
  tokens.validate = (token, owner) => {
    const alg = signingAlgs.find((one) => one === algorithmOf(token))
    return validate(token, alg ? Object.create(owner, { idTokenSignedResponseAlg: { value: alg } }) : owner)
  }
}

/** Seconds ahead at which a client's assertion ends at the latest. */
const longestAssertion = 3_600

/**
 * A client's assertion is made for us alone: an assertion for another endpoint may have come by a mix-up. It ends soon,
 * since until then it is kept, so that it isn't used again.
 */
export const assertOfClient: NonNullable<Configuration['assertJwtClientAuthClaimsAndHeader']> = (
  { oidc },
  { aud, exp },
) => {
  if (aud !== oidc.issuer) throw new errors.InvalidClientAuth('the audience must be the issuer, as text')
  const ahead = typeof exp === 'number' ? exp - Date.now() / 1000 : Number.NaN
  if (!(ahead <= longestAssertion)) throw new errors.InvalidClientAuth('the end must be within an hour')
}

/**
 * Whether a page may call in the name of a client: one at the origin of its redirect addresses, for a client without
 * a secret; userinfo for all, since whoever has a token may use it.
 */
export const mayCallFrom: NonNullable<Configuration['clientBasedCORS']> = ({ oidc }, origin, client) => {
  if (oidc.route !== 'userinfo' && client.clientAuthMethod !== 'none') return false
  return (client.redirectUris ?? []).some((address) => {
    const url = URL.parse(address)
    return url !== null && /^https?:$/.test(url.protocol) && url.origin === origin
  })
}
