import { isDeepStrictEqual } from 'node:util'
import { isMaskedAddress, mask, maskedAddress } from '@/lib/base/text/masks'
import type { Change } from './contract'
import { wholeOrder } from './orders'
import type { Current } from './read'
import { addressesOf, type Content, keyOf, placeOf, type Section, sections } from './sections'
import { isPreset } from './settings'

export type Loose = Record<string, unknown>
const byKey = <S extends Section>(section: S, list: Content[S]) =>
  new Map((list as Content[S][number][]).map((object) => [keyOf(section, object as never), object as unknown as Loose]))

/** An object that is to be written: its state before and after; `null` where there is none. */
export type Step = {
  section: Section
  key: string
  before: Loose | null
  after: Loose | null
  /** The file has no secret for it. */
  secretLess?: boolean
}
export type Expected = Record<Section, unknown[]>
export type Plan = { steps: Step[]; expected: Content }

/** Whether an object has a secret at all. */
const hasSecret = ({ auth, authMethod }: Loose) =>
  auth !== 'none' && (authMethod === undefined || String(authMethod).startsWith('client_secret'))

/** Returns the stored address if the file's one is its masked form; otherwise the address of the file. */
function unmasked(before: Loose | null, after: Loose, name: string): unknown {
  const storedAddress = before?.[name]
  return typeof storedAddress === 'string' && maskedAddress(storedAddress) === after[name] ? storedAddress : after[name]
}

/** Returns an object as it is to be stored: a secret, or a part of an address, that the file doesn't have stays. */
function asStored(section: Section, before: Loose | null, object: Loose): Loose {
  const addresses = addressesOf(section).map((name) => [name, unmasked(before, object, name)])
  const after: Loose = { ...object, ...Object.fromEntries(addresses) }
  // nothing can be sent to an address that stays masked
  if (section === 'webhooks') after.enabled = after.enabled === true && !isMaskedAddress(String(after.url))
  if (after.secret !== null) return after
  // a receiver that doesn't know its secret refuses everything, so only a file with secrets switches a webhook on
  if (section === 'webhooks')
    return { ...after, secret: before?.secret ?? null, enabled: after.enabled && before?.enabled === true }
  return { ...after, secret: hasSecret(after) ? (before?.secret ?? null) : null }
}

/**
 * Returns the steps that turn a configuration into that of a file, and the expected result. Without `prune` nothing is
 * deleted; shipped objects never are, and a section that the file leaves out isn't changed. Orders are expected only
 * where the file gives them.
 */
export function planOf(current: Current, file: Partial<Content>, prune: boolean): Plan {
  const steps: Step[] = []
  const expected = {} as Expected
  for (const section of sections) {
    const currentObjects = byKey(section, current.content[section])
    const fileObjects = file[section]
    if (!fileObjects) {
      expected[section] = section === 'orders' ? [] : [...currentObjects.values()]
      continue
    }
    const wantedObjects = byKey(section, fileObjects as never)
    const result = new Map<string, Loose>()
    for (const [key, before] of currentObjects) {
      if (wantedObjects.has(key)) continue
      if (section === 'orders') continue
      if (!prune || current.stored[section].get(key)?.shipped) result.set(key, before)
      else steps.push({ section, key, before, after: null })
    }
    for (const [key, object] of wantedObjects) {
      const before = currentObjects.get(key) ?? null
      if (section === 'settings' && isPreset(object)) {
        if (before) steps.push({ section, key, before, after: null })
        continue
      }
      const after = section === 'orders' ? wholeOrder(object, before, expected) : asStored(section, before, object)
      result.set(key, 'secret' in object ? { ...after, secret: object.secret } : after)
      if (!isDeepStrictEqual(before, after))
        steps.push({ section, key, before, after, ...(object.secret === null ? { secretLess: true } : {}) })
    }
    expected[section] = [...result.values()]
  }
  // objects that others refer to are written before them and deleted after them
  const rank = ({ section, after }: Step) => (after ? sections.indexOf(section) : 1_000 - sections.indexOf(section))
  return { steps: steps.sort((object, right) => rank(object) - rank(right)), expected: expected as Content }
}

/** Whether a stored object is as wanted. A secret that the file doesn't have may have any value. */
function matches(expected: Loose, stored: Loose | undefined): boolean {
  if (!stored) return false
  return isDeepStrictEqual(expected, expected.secret === null ? { ...stored, secret: null } : stored)
}

/** Returns the places of the objects that aren't as the plan expects them. */
export function mismatches(plan: Plan, { content }: Current): string[] {
  return sections.flatMap((section) => {
    const storedObjects = byKey(section, content[section])
    const expected = byKey(section, plan.expected[section] as never)
    const different = [...expected].filter(([key, object]) => !matches(object, storedObjects.get(key)))
    const extra = section === 'orders' ? [] : [...storedObjects.keys()].filter((key) => !expected.has(key))
    return [...different.map(([key]) => key), ...extra].map((key) => placeOf({ section, key }))
  })
}

/** The largest number of characters of a value that a difference shows. */
const longestValue = 2_000

function displayed(section: Section, name: string, value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (name === 'secret') return mask
  if (addressesOf(section).includes(name)) return maskedAddress(String(value))
  if (name === 'logo' || name === 'icon') return (value as { type: string }).type
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 1)
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text
}

const namesOf = ({ before, after }: Step) => [...new Set([...Object.keys(after ?? {}), ...Object.keys(before ?? {})])]

/** Returns a plan for people: by object and field, with secrets masked. */
export const changesOf = (plan: Plan): Change[] =>
  plan.steps.map((step) => {
    const { section, key, before, after } = step
    const fields = namesOf(step).flatMap((field) => {
      const [oldValue, newValue] = [before?.[field], after?.[field]]
      if (isDeepStrictEqual(oldValue, newValue)) return []
      return [{ field, before: displayed(section, field, oldValue), after: displayed(section, field, newValue) }]
    })
    return { section, key, kind: before ? (after ? 'update' : 'delete') : 'create', fields }
  })
