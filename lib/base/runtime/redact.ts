type Pattern = [RegExp, string | ((match: string) => string)]

/** The pattern of an id. */
export const guid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

const email: Pattern = [/[^\s<>"'(),;:=]+@[^\s<>"'(),;:]+/g, '(e-mail)']
/** argon2, scrypt, bcrypt: $name$parameters$salt$hash. */
const hash: Pattern = [/\$\w[\w-]*\$[^\s"']+/g, '(hash)']
/**
 * Whether a text mixes cases and digits. One random token in a thousand has no digit; our names are below 32
 * characters.
 */
const isMixed = (text: string) => /[a-z]/.test(text) && /[A-Z]/.test(text) && (/\d/.test(text) || text.length >= 32)
/**
 * Returns whether a sequence of characters looks random. Paths have slashes like base64, but no part that mixes cases
 * and digits.
 */
const isRandom = (run: string) =>
  isMixed(run) && (!run.startsWith('/') || run.split('/').some((part) => part.length >= 8 && isMixed(part)))
/** Digests, tokens and encrypted values: long sequences of letters and digits. */
const tokens: Pattern[] = [
  [/(?=[\w+=-]*\d)(?=[\w+=-]*[a-z])[\w+=-]{20,}/gi, '(token)'],
  [/[\w+/=-]{20,}/g, (run) => (isRandom(run) ? '(token)' : run)],
]
/** Ids. The GUID of a link is a secret. */
const ids: Pattern = [new RegExp(guid, 'gi'), '(id)']
const mobile: Pattern = [/\+\d{10,15}/g, '(number)']

const foreignPatterns: Pattern[] = [
  [/\b[a-z][a-z\d+.-]*:\/\/[^\s"'<>]+/gi, '(address)'],
  email,
  hash,
  ids,
  ...tokens,
  mobile,
  [/\d[\d\s()-]{8,}\d/g, '(number)'],
]
const wholeGuid = new RegExp(`^${guid}$`, 'i')
const ownPatterns = [email, hash, ids, ...tokens, mobile]

const replaced = (text: string, patterns: Pattern[]) =>
  patterns.reduce((current, [pattern, replacement]) => current.replace(pattern, replacement as string), text)

/** The most characters that are searched: foreign texts may be of any length, and patterns look ahead. */
const maxCharacters = 4_000

/**
 * Returns the beginning of a text, cut between words, so that no half of a secret is left, which no pattern would
 * recognize.
 */
export function beginning(text: string): string {
  const end = text.length <= maxCharacters ? text.length : text.slice(0, maxCharacters).search(/\s\S*$/)
  return text.slice(0, Math.max(0, end))
}

/** Removes addresses, e-mails, numbers, ids, tokens and hashes from a text of foreign origin. */
export const redact = (text: string) => replaced(text, foreignPatterns)

/** Removes secrets from a value that our code logs: an id stays, and an address keeps its host and path. */
export function redactSecrets(value: string): string {
  if (wholeGuid.test(value)) return value
  return replaced(value.replace(/(\/\/)[^\s/@]*@/g, '$1').replace(/(:\/\/[^\s?#]*)[?#]\S*/g, '$1'), ownPatterns)
}
