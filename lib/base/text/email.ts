import punycode from 'punycode.js'
import { z } from 'zod'

const plain = /^[\x21-\x7e]*$/
const encoded = 'xn--'

const latin = 'a-z\u00df-\u00f6\u00f8-\u0130\u0132-\u0137\u0139-\u0148\u014a-\u017e'
const scripts = [
  'Cyrillic',
  'Greek',
  'Armenian',
  'Georgian',
  'Hebrew',
  'Arabic',
  'Devanagari',
  'Bengali',
  'Tamil',
  'Thai',
]
/** Labels of one script, or of those that are written together. */
const ofOneScript = [
  `[${latin}`,
  ...scripts.map((script) => `[\\p{sc=${script}}\\p{Mn}`),
  '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}ー',
  '[\\p{sc=Han}\\p{sc=Hangul}',
].map((letters) => new RegExp(`^${letters}0-9-]+$`, 'u'))
/** Letters of other scripts that look like Latin ones. */
const latinLooking = /^[асеорхуіјѕһԁԛԝӏҽαινορτυχκγօոսհցզԛ0-9-]+$/u

/**
 * Returns whether people read a label as what it is: no letters of two scripts, and under a Latin top label something that
 * doesn't look Latin.
 */
const isReadable = (label: string, top: string) =>
  ofOneScript.some((letters) => letters.test(label)) && !(plain.test(top) && latinLooking.test(label))

/** Labels neither begin nor end with a hyphen (RFC 5890, section 2.3.1); URL takes such ones. */
const edgeHyphen = /(?:^|\.)-|-(?:\.|$)/

/** Full stops of other scripts, which stand for the dot of a domain (UTS 46). */
const otherDots = /[\u3002\uff0e\uff61]/g

/** Returns what a domain is called in the domain name system (UTS 46); null for what isn't a domain. */
export function asciiDomain(domain: string): string | null {
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) || edgeHyphen.test(domain) || !URL.canParse(`http://${domain}`))
    return null
  const { hostname } = new URL(`http://${domain}`)
  return hostname.length <= 253 && hostname.split('.').every((label) => label.length <= 63) ? hostname : null
}

/** Returns a label in its own letters; one that stands for none, which earlier versions took, stays. */
function ownLabel(label: string): string {
  if (!label.startsWith(encoded)) return label
  try {
    const own = punycode.toUnicode(label)
    return asciiDomain(own) === label ? own : label
  } catch {
    return label
  }
}

/**
 * Returns the one spelling in which a domain of e-mails is stored, compared and shown, in small letters: that of its own
 * language, but in ASCII each label that could be taken for another one. Null for what isn't a domain, such as one with
 * full-width letters (docs/rules/sign-in.md#e-mails-of-international-domains).
 */
export function mailDomain(typed: string): string | null {
  const text = typed.normalize('NFC').toLowerCase().replace(otherDots, '.')
  if (plain.test(text) && !text.includes(encoded)) return text
  const ascii = asciiDomain(text)
  if (ascii === null) return plain.test(text) ? text : null
  const [labels, encodedLabels] = [text.split('.'), ascii.split('.')]
  const own = encodedLabels.map(ownLabel)
  // letters that are only mapped to those of a domain are a look-alike of it
  const isSpelled = labels.every((label, n) => label === own[n] || label === encodedLabels[n])
  if (!isSpelled || labels.length !== own.length) return null
  const top = own.at(-1) ?? ''
  return own.map((label, n) => (plain.test(label) || isReadable(label, top) ? label : encodedLabels[n])).join('.')
}

/** Returns an e-mail with its domain in ASCII, for mail servers and for standards that know no other letters. */
export function asciiEmail(email: string): string {
  if (plain.test(email)) return email
  const at = email.lastIndexOf('@') + 1
  return email.slice(0, at) + (asciiDomain(email.slice(at)) ?? email.slice(at))
}

/** Returns a word that ends with an international domain, with the domain in its other spelling; null for any other word. */
export function otherSpelling(word: string): string | null {
  const at = word.lastIndexOf('@') + 1
  const domain = word.slice(at)
  if (!domain.includes('.')) return null
  const other = plain.test(domain) ? mailDomain(domain) : asciiDomain(domain.toLowerCase())
  return other === null || other === domain.toLowerCase() ? null : word.slice(0, at) + other
}

/** A top label in ASCII may have digits, which the pattern doesn't know. */
const isEmail = (ascii: string) =>
  ascii.length <= 254 && z.regexes.email.test(ascii.replace(/\.xn--[a-z0-9-]+$/, '.international'))

/**
 * Returns an e-mail with its international domain in the one spelling (`mailDomain`), otherwise as it was typed; null for
 * what isn't an e-mail. The part before the @ is ASCII.
 */
export function spelledEmail(typed: string): string | null {
  const text = typed.trim()
  if (plain.test(text) && !text.toLowerCase().includes(encoded)) return isEmail(text) ? text : null
  const at = text.lastIndexOf('@') + 1
  const domain = mailDomain(text.slice(at))
  if (domain === null || !plain.test(text.slice(0, at))) return null
  const spelled = text.slice(0, at) + domain
  return isEmail(asciiEmail(spelled)) ? spelled : null
}

/** Returns an e-mail as it is stored and compared, in small letters; null for what isn't one. */
export const emailOf = (typed: string): string | null => spelledEmail(typed)?.toLowerCase() ?? null

/** Returns a login in small letters; one that is an e-mail has the spelling of e-mails. */
export const loginOf = (typed: string): string => emailOf(typed) ?? typed.trim().toLowerCase()

/** Makes of a text in a body an e-mail in its one spelling, with the code errorEmail. */
export function toEmail(typed: string, check: z.RefinementCtx): string {
  const email = spelledEmail(typed)
  if (email === null) check.addIssue({ code: 'custom', message: 'errorEmail' })
  return email ?? ''
}
