import { type Bloom, mayContain } from './bloom'
import { disguises, folded } from './disguises'

/** Shorter passwords are refused anyway, for their length (docs/rules/passwords.md#rules). */
const shortest = 8
/** Of this many most common passwords, disguised forms are refused too. */
const commonest = 50_000
// letters, and the keys that have letters on a Russian keyboard
const word = /^[a-z;'[\],.`]{4,}$/

/** Returns the entries of the list, of leaked passwords sorted by frequency. For bin/make-breached.ts. */
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
 * Returns whether a password is known from leaks, or is a common word in a usual disguise. The list ships with the
 * platform and is loaded at the first call.
 */
export async function isBreached(password: string): Promise<boolean> {
  list ??= load()
  const bloom = await list
  const { whole, cores } = disguises(password)
  return (
    [...whole].some((text) => mayContain(bloom, `=${text}`)) || [...cores].some((word) => mayContain(bloom, `~${word}`))
  )
}
