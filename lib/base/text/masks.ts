/** Is shown in place of a secret that is set. */
export const mask = '***'

/** The parts of an address: before the query, the query, and the fragment with its sign. */
const addressParts = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s

/**
 * Returns a parameter in two parts, of which the second may be a token; a parameter such as `dG9rZW4=` may be one
 * itself.
 */
function parameterOf(pair: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([^=]*=)(.*)$/s.exec(pair) ?? []
  return /^=*$/.test(value) ? ['', pair] : [name, value]
}

/**
 * Returns an address, or a path of the platform, with its user info, the values of its parameters and its fragment
 * masked: each may be a token. Everything else stays, character by character. Any other text is masked as a whole.
 */
export function maskedAddress(address: string): string {
  const isPath = /^\/(?!\/)/.test(address)
  if (!isPath && !URL.canParse(address)) return mask
  const { username, password, href } = isPath ? { username: '', password: '', href: address } : new URL(address)
  const hasUserInfo = username !== '' || password !== ''
  // only the URL parser knows where user info ends
  const [, head = '', query, fragment] = addressParts.exec(hasUserInfo ? href : address) ?? []
  const base = hasUserInfo ? head.replace(/^([^/]*\/\/)[^/]*@/, `$1${mask}@`) : head
  const maskedParameters = query?.split('&').map((pair) => {
    const [name, value] = parameterOf(pair)
    return value && `${name}${mask}`
  })
  return base + (maskedParameters ? `?${maskedParameters.join('&')}` : '') + (fragment ? `#${mask}` : '')
}

/** Returns whether an address has a part that only its editors may see. */
export const hasSecretPart = (address: string) => maskedAddress(address) !== address

/** Returns whether an address is a masked one that somebody entered again, so that its hidden values are unknown. */
export const isMaskedAddress = (address: string) =>
  address === mask || (/[?&=]\*\*\*/.test(address) && !hasSecretPart(address))

/** The shortest value that may be a secret. Shorter values are words: a text without them would be unreadable. */
const minSecretLength = 6

/** Returns the values of an address's parameters that may be tokens, as they are written and decoded. */
export function secretsOfAddress(address: string): string[] {
  const [, , query = ''] = addressParts.exec(address) ?? []
  const writtenValues = query.split('&').flatMap((pair) => {
    const [, value] = parameterOf(pair)
    return [value, value.replace(/=+$/, '')]
  })
  const decodedValues = writtenValues.flatMap(decodedForms)
  return [...new Set([...writtenValues, ...decodedValues])].filter(
    (value) => value.length >= minSecretLength && value !== mask,
  )
}

function decodedForms(value: string): string[] {
  try {
    return [decodeURIComponent(value), decodeURIComponent(value.replaceAll('+', ' '))]
  } catch {
    return []
  }
}

/** Returns every form in which these secrets may appear in a message. */
export function formsOfSecrets(secrets: readonly string[]): string[] {
  const forms = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
  ])
  // the longest first, so that no part of a secret remains
  return [...new Set(forms)].filter((form) => form !== '').sort((a, b) => b.length - a.length)
}

/** Returns a text in which all forms of these secrets are masked. */
export const maskSecrets = (text: string, secrets: readonly string[]) =>
  formsOfSecrets(secrets).reduce((current, form) => current.replaceAll(form, mask), text)
