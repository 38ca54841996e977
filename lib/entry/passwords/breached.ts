import { type Bloom, mayHold } from './bloom'
import { disguises, folded } from './disguises'

/** Passwords shorter than this are refused by their length (docs/rules/passwords.md#rules). */
const shortest = 8
/** So many of the most common passwords are words that disguises are looked for. */
const commonest = 50_000
// letters, and the keys beside them that have letters on a Russian keyboard
const word = /^[a-z;'[\],.`]{4,}$/

/** What the list is made of, from leaked passwords in the order of how common they are. For bin/make-breached.ts. */
export function breachedEntries(passwords: readonly string[]): Set<string> {
  const entries = new Set<string>()
  passwords.forEach((password, rank) => {
    const text = folded(password)
    if ([...text].length >= shortest) entries.add(`=${text}`)
    if (rank < commonest && word.test(text)) entries.add(`~${text}`)
  })
  return entries
}

let list: Promise<Bloom> | undefined

async function load(): Promise<Bloom> {
  const { default: file } = await import('./breached.json')
  return { bits: file.bits, hashes: file.hashes, bytes: Buffer.from(file.data, 'base64') }
}

/**
 * Whether a password is known from leaks, or a common word in a usual disguise. Looked up in a list that ships with
 * the platform and is read at the first look.
 */
export async function isBreached(password: string): Promise<boolean> {
  list ??= load()
  const bloom = await list
  const { whole, cores } = disguises(password)
  return [...whole].some((text) => mayHold(bloom, `=${text}`)) || [...cores].some((word) => mayHold(bloom, `~${word}`))
}
