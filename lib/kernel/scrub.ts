type Pattern = [RegExp, string | ((match: string) => string)]

const guid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

const email: Pattern = [/[^\s<>"'(),;:=]+@[^\s<>"'(),;:]+/g, '(e-mail)']
/** argon2, scrypt, bcrypt: $name$parameters$salt$hash. */
const hash: Pattern = [/\$\w[\w-]*\$[^\s"']+/g, '(hash)']
/** By chance one token in a thousand has no digit; no name of ours is as long. */
const isMixed = (text: string) => /[a-z]/.test(text) && /[A-Z]/.test(text) && (/\d/.test(text) || text.length >= 32)
/** A path has slashes as base64 has, but no part that mixes both cases and digits. */
const isRandom = (run: string) =>
  isMixed(run) && (!run.startsWith('/') || run.split('/').some((part) => part.length >= 8 && isMixed(part)))
/** Digests, tokens, sealed values: long, of letters and digits. */
const tokens: Pattern[] = [
  [/(?=[\w+=-]*\d)(?=[\w+=-]*[a-z])[\w+=-]{20,}/gi, '(token)'],
  [/[\w+/=-]{20,}/g, (run) => (isRandom(run) ? '(token)' : run)],
]
/** The GUID of a link is a key. */
const ids: Pattern = [new RegExp(guid, 'gi'), '(id)']
const mobile: Pattern = [/\+\d{10,15}/g, '(number)']

const all: Pattern[] = [
  [/\b[a-z][a-z\d+.-]*:\/\/[^\s"'<>]+/gi, '(address)'],
  email,
  hash,
  ids,
  ...tokens,
  mobile,
  [/\d[\d\s()-]{8,}\d/g, '(number)'],
]
const wholeGuid = new RegExp(`^${guid}$`, 'i')
const light = [email, hash, ids, ...tokens, mobile]

const replaced = (text: string, patterns: Pattern[]) =>
  patterns.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead as string), text)

/** Signs of a text that are looked at: what somebody else says may be of any length, and patterns look ahead. */
const longest = 4_000

/** The beginning of a text, cut between words, so that no half of a secret is left which nobody knows for one. */
export function beginning(said: string): string {
  const end = said.length <= longest ? said.length : said.slice(0, longest).search(/\s\S*$/)
  return said.slice(0, Math.max(0, end))
}

/** What somebody else said, without addresses, e-mails, numbers, ids, tokens and hashes. */
export const scrub = (said: string) => replaced(said, all)

/** A value that we chose to log ourselves: an id stays readable, and of an address host and path. */
export function scrubLightly(value: string): string {
  if (wholeGuid.test(value)) return value
  return replaced(value.replace(/(\/\/)[^\s/@]*@/g, '$1').replace(/(:\/\/[^\s?#]*)[?#]\S*/g, '$1'), light)
}
