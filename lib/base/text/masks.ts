/** Stands in place of a secret that is set. */
export const mask = '***'

/** The parts of an address up to its query, of its query, and its fragment with the sign. */
const split = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s

/** Returns a parameter in two parts, of which the second may be a token. Of `dG9rZW4=` nobody knows which part it is. */
function parameterOf(pair: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([^=]*=)(.*)$/s.exec(pair) ?? []
  return /^=*$/.test(value) ? ['', pair] : [name, value]
}

/**
 * Returns an address, or a path of the platform, without its user info, without the values of its parameters and without its fragment: each may be a
 * token. Everything else stays, character by character. A text that is no address is masked as a whole.
 */
export function maskedAddress(address: string): string {
  const own = /^\/(?!\/)/.test(address)
  if (!own && !URL.canParse(address)) return mask
  const { username, password, href } = own ? { username: '', password: '', href: address } : new URL(address)
  const known = username !== '' || password !== ''
  // where user info ends is the parser's matter
  const [, head = '', query, fragment] = split.exec(known ? href : address) ?? []
  const place = known ? head.replace(/^([^/]*\/\/)[^/]*@/, `$1${mask}@`) : head
  const shown = query?.split('&').map((pair) => {
    const [name, value] = parameterOf(pair)
    return value && `${name}${mask}`
  })
  return place + (shown ? `?${shown.join('&')}` : '') + (fragment ? `#${mask}` : '')
}

/** Returns whether only a part of an address is shown to others than its editors. */
export const hasSecretPart = (address: string) => maskedAddress(address) !== address

/** Returns whether somebody took an address over as it is shown to others: nobody knows what stood there. */
export const isMaskedAddress = (address: string) =>
  address === mask || (/[?&=]\*\*\*/.test(address) && !hasSecretPart(address))

/** Shorter values are words: without them a text could not be read any more. */
const shortest = 6

/** Returns the values of an address's parameters that may be tokens, as they are written and as they are meant. */
export function secretsOfAddress(address: string): string[] {
  const [, , query = ''] = split.exec(address) ?? []
  const written = query.split('&').flatMap((pair) => {
    const [, value] = parameterOf(pair)
    return [value, value.replace(/=+$/, '')]
  })
  const meant = written.flatMap(decoded)
  return [...new Set([...written, ...meant])].filter((value) => value.length >= shortest && value !== mask)
}

function decoded(value: string): string[] {
  try {
    return [decodeURIComponent(value), decodeURIComponent(value.replaceAll('+', ' '))]
  } catch {
    return []
  }
}

/** Every form in which a secret can stand in a message. */
export function formsOf(secrets: readonly string[]): string[] {
  const forms = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
  ])
  // the longest first, so that no rest of one stays
  return [...new Set(forms)].filter((form) => form !== '').sort((a, b) => b.length - a.length)
}

/** Returns a text without these secrets, in whatever form they stand in it. */
export const withoutForms = (text: string, secrets: readonly string[]) =>
  formsOf(secrets).reduce((rest, form) => rest.replaceAll(form, mask), text)
