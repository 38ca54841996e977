import punycode from 'punycode.js'
import { z } from 'zod'

const printableAscii = /^[\x21-\x7e]*$/
const encodedPrefix = 'xn--'

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
/** The patterns of labels of one script, or of scripts that are written together. */
const singleScriptLabels = [
  `[${latin}`,
  ...scripts.map((script) => `[\\p{sc=${script}}\\p{Mn}`),
  '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}ー',
  '[\\p{sc=Han}\\p{sc=Hangul}',
].map((letters) => new RegExp(`^${letters}0-9-]+$`, 'u'))
/** A label of only such letters of other scripts that look like Latin ones. */
const latinLooking = /^[асеорхуіјѕһԁԛԝӏҽαινορτυχκγօոսհցզԛ0-9-]+$/u

/**
 * Returns whether a label can't be mistaken for another one: it has letters of one script only, and doesn't look Latin
 * under a Latin top label.
 */
const isReadable = (label: string, top: string) =>
  singleScriptLabels.some((letters) => letters.test(label)) && !(printableAscii.test(top) && latinLooking.test(label))

/** Labels neither begin nor end with a hyphen (RFC 5890, section 2.3.1), but URL accepts such ones. */
const edgeHyphen = /(?:^|\.)-|-(?:\.|$)/

/** Full stops of other scripts, which stand for the dot of a domain (UTS 46). */
const foreignDots = /[\u3002\uff0e\uff61]/g

/** Returns the ASCII form of a domain in the domain name system (UTS 46); null for other texts. */
export function asciiDomain(domain: string): string | null {
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) || edgeHyphen.test(domain) || !URL.canParse(`http://${domain}`))
    return null
  const { hostname } = new URL(`http://${domain}`)
  return hostname.length <= 253 && hostname.split('.').every((label) => label.length <= 63) ? hostname : null
}

/** Returns an encoded label in its own letters. A label that encodes none, as earlier versions accepted, stays. */
function labelInOwnLetters(label: string): string {
  if (!label.startsWith(encodedPrefix)) return label
  try {
    const decodedLabel = punycode.toUnicode(label)
    return asciiDomain(decodedLabel) === label ? decodedLabel : label
  } catch {
    return label
  }
}

/**
 * Returns the spelling in which a domain of e-mails is stored, compared and shown: small letters of its own language,
 * but ASCII for each label that could be mistaken for another one. Null for other texts, such as one with full-width
 * letters (docs/rules/sign-in.md#e-mails-of-international-domains).
 */
export function mailDomain(typed: string): string | null {
  const text = typed.normalize('NFC').toLowerCase().replace(foreignDots, '.')
  if (printableAscii.test(text) && !text.includes(encodedPrefix)) return text
  const ascii = asciiDomain(text)
  if (ascii === null) return printableAscii.test(text) ? text : null
  const [labels, encodedLabels] = [text.split('.'), ascii.split('.')]
  const ownLabels = encodedLabels.map(labelInOwnLetters)
  // letters that are only mapped to those of a domain make a look-alike of the domain
  const isSpelled = labels.every((label, index) => label === ownLabels[index] || label === encodedLabels[index])
  if (!isSpelled || labels.length !== ownLabels.length) return null
  const top = ownLabels.at(-1) ?? ''
  return ownLabels
    .map((label, index) => (printableAscii.test(label) || isReadable(label, top) ? label : encodedLabels[index]))
    .join('.')
}

/** Returns an e-mail with its domain in ASCII, for mail servers and for standards that know no other letters. */
export function asciiEmail(email: string): string {
  if (printableAscii.test(email)) return email
  const domainStart = email.lastIndexOf('@') + 1
  return email.slice(0, domainStart) + (asciiDomain(email.slice(domainStart)) ?? email.slice(domainStart))
}

/**
 * Returns a word that ends with an international domain with the other spelling of the domain; null for other words.
 */
export function otherSpelling(word: string): string | null {
  const domainStart = word.lastIndexOf('@') + 1
  const domain = word.slice(domainStart)
  if (!domain.includes('.')) return null
  const otherDomain = printableAscii.test(domain) ? mailDomain(domain) : asciiDomain(domain.toLowerCase())
  return otherDomain === null || otherDomain === domain.toLowerCase() ? null : word.slice(0, domainStart) + otherDomain
}

/** Returns whether a text is an e-mail. An encoded top label may have digits, which the pattern doesn't allow. */
const isEmail = (ascii: string) =>
  ascii.length <= 254 && z.regexes.email.test(ascii.replace(/\.xn--[a-z0-9-]+$/, '.international'))

/**
 * Returns an e-mail as it was typed, but with an international domain in its stored spelling (`mailDomain`); null for
 * other texts. The part before the @ must be ASCII.
 */
export function spelledEmail(typed: string): string | null {
  const text = typed.trim()
  if (printableAscii.test(text) && !text.toLowerCase().includes(encodedPrefix)) return isEmail(text) ? text : null
  const domainStart = text.lastIndexOf('@') + 1
  const domain = mailDomain(text.slice(domainStart))
  if (domain === null || !printableAscii.test(text.slice(0, domainStart))) return null
  const spelled = text.slice(0, domainStart) + domain
  return isEmail(asciiEmail(spelled)) ? spelled : null
}

/** Returns an e-mail as it is stored and compared, in small letters; null for other texts. */
export const emailOf = (typed: string): string | null => spelledEmail(typed)?.toLowerCase() ?? null

/** Returns a login in small letters; one that is an e-mail has the spelling of e-mails. */
export const loginOf = (typed: string): string => emailOf(typed) ?? typed.trim().toLowerCase()

/** Transforms a text of a body into an e-mail in its stored spelling. Adds the issue errorEmail if it isn't one. */
export function toEmail(typed: string, check: z.RefinementCtx): string {
  const email = spelledEmail(typed)
  if (email === null) check.addIssue({ code: 'custom', message: 'errorEmail' })
  return email ?? ''
}
