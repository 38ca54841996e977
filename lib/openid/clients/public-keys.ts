import { createPublicKey } from 'node:crypto'
import type { FieldError } from '@/lib/base/runtime/errors'

type Jwk = Record<string, unknown>

/** The members of each kind of key, and the algorithms that the OpenID Provider accepts with it. */
const kinds: { [kind: string]: { members: string[]; algorithms: string[] } } = {
  RSA: { members: ['n', 'e'], algorithms: ['RS256', 'PS256'] },
  'P-256': { members: ['crv', 'x', 'y'], algorithms: ['ES256'] },
  Ed25519: { members: ['crv', 'x'], algorithms: ['EdDSA', 'Ed25519'] },
}

/** Private members; `k` is a whole symmetric key. */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv']

const kindOf = ({ kty, crv }: Jwk) => {
  if (kty === 'RSA') return kinds.RSA
  return (kty === 'EC' && crv === 'P-256') || (kty === 'OKP' && crv === 'Ed25519') ? kinds[crv] : undefined
}

const optionalText = (value: unknown) => value === undefined || (typeof value === 'string' && value !== '')

function isReadable(jwk: Jwk): boolean {
  try {
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = createPublicKey({ key: jwk, format: 'jwk' })
    const bits = details?.modulusLength ?? 0
    return type !== 'rsa' || (bits >= 2048 && bits <= 8192)
  } catch {
    return false
  }
}

/** Returns the error code of a client's key; undefined for a public signing key that the OpenID Provider can use. */
function faultOf(jwk: Jwk): string | undefined {
  if (privateMembers.some((member) => member in jwk)) return 'errorPrivateKey'
  const kind = kindOf(jwk)
  const usable =
    kind !== undefined &&
    (jwk.alg === undefined || kind.algorithms.includes(String(jwk.alg))) &&
    (jwk.use === undefined || jwk.use === 'sig') &&
    optionalText(jwk.kid) &&
    kind.members.every((member) => typeof jwk[member] === 'string')
  return usable && isReadable(jwk) ? undefined : 'errorKey'
}

/** Returns the keys reduced to the members that verification needs, or the errors of the keys. */
export function publicKeys(keys: readonly Jwk[]): { keys: Jwk[] } | { errorList: FieldError[] } {
  const kids = keys.map(({ kid }) => kid)
  const errorList = keys.flatMap((jwk, index): FieldError[] => {
    const isRepeated = keys.length > 1 && (jwk.kid === undefined || kids.indexOf(jwk.kid) < index)
    const code = faultOf(jwk) ?? (isRepeated ? 'errorKeyId' : undefined)
    return code ? [{ field: `jwks.keys.${index}`, code }] : []
  })
  if (errorList.length > 0) return { errorList }
  const storedMembers = (jwk: Jwk) => ['kty', ...(kindOf(jwk)?.members ?? []), 'kid', 'alg', 'use']
  return {
    keys: keys.map((jwk) =>
      Object.fromEntries(storedMembers(jwk).flatMap((name) => (name in jwk ? [[name, jwk[name]]] : []))),
    ),
  }
}
