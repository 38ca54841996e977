import { isDeepStrictEqual } from 'node:util'
import { isMaskedAddress, mask, maskedAddress } from '@/lib/base/text/masks'
import { definitions, type SettingId } from '@/lib/site/settings/definitions'
import type { Change } from './contract'
import { type Content, keyOf, type Section, sections } from './format'
import type { Current } from './read'

type Loose = Record<string, unknown>
const byKey = <S extends Section>(section: S, list: Content[S]) =>
  new Map((list as Content[S][number][]).map((one) => [keyOf(section, one as never), one as unknown as Loose]))

/** One object that is to be written: as it is, and as it is to become; `null` where there is none. */
export type Step = {
  section: Section
  key: string
  before: Loose | null
  after: Loose | null
  /** The file has no secret for it. */
  secretLess?: boolean
}
type Expected = Record<Section, unknown[]>
export type Plan = { steps: Step[]; expected: Content }

/** Whether an object has a secret at all. */
const hasSecret = ({ auth, authMethod }: Loose) =>
  auth !== 'none' && (authMethod === undefined || String(authMethod).startsWith('client_secret'))

/** An address without what may be a token means the stored one, if it is that. */
function meant(before: Loose | null, after: Loose, name: string): unknown {
  const stored = before?.[name]
  return typeof stored === 'string' && maskedAddress(stored) === after[name] ? stored : after[name]
}

/** Nothing can be sent to an address of which a part is hidden. */
function withAddress(before: Loose | null, after: Loose): Loose {
  const url = meant(before, after, 'url')
  return { ...after, url, enabled: after.enabled === true && !isMaskedAddress(String(url)) }
}

/** Addresses of applications and clients that may have a token. */
const closedAddresses = ['backchannelLogoutUri', 'jwksUri', 'swaggerUrl', 'compodocUrl', 'techUrl']
const meantAddresses = (before: Loose | null, given: Loose): Loose =>
  Object.fromEntries(closedAddresses.filter((name) => name in given).map((name) => [name, meant(before, given, name)]))

/** A secret that the file hasn't got stays. */
function asWanted(before: Loose | null, given: Loose): Loose {
  const after = 'webhook' in given ? withAddress(before, given) : { ...given, ...meantAddresses(before, given) }
  if (after.secret !== null) return after
  // a receiver that doesn't know its secret refuses everything: only a file with secrets switches a webhook on
  if ('webhook' in after)
    return { ...after, secret: before?.secret ?? null, enabled: after.enabled && before?.enabled === true }
  return { ...after, secret: hasSecret(after) ? (before?.secret ?? null) : null }
}

/** Whether a setting has its default: as it stands, a configuration has only those that somebody changed. */
function isPreset({ setting, value }: Loose): boolean {
  if (!Object.hasOwn(definitions, setting as SettingId)) return false
  if (setting === 'defaultUserRole') return value === 'user'
  if (setting === 'accessRequestsNotifyRecipients') return isDeepStrictEqual(value, { emails: [] })
  return isDeepStrictEqual(value, definitions[setting as SettingId].default)
}

/** Returns an order of the file with what it doesn't name: first as it stands, then what is new. */
function wholeOrder(given: Loose, before: Loose | null, expected: Expected): Loose {
  const named = given.order as string[]
  const [kind, type, within] = (given.of as string).split('/')
  const members = (section: Section, is: (one: Loose) => boolean) =>
    (expected[section] as Loose[]).filter(is).map(({ code }) => code as string)
  const membersOf = new Map([
    ['applications', () => members('applications', () => true)],
    ['authenticationSchemas', () => members('authenticationSchemas', ({ code }) => code !== 'base')],
    ['fieldTabs', () => members('fieldTabs', (one) => one.type === type)],
    ['fieldBlocks', () => members('fieldBlocks', (one) => one.type === type && one.tab === within)],
    ['fields', () => members('fields', (one) => one.type === type && one.block === within)],
  ])
  const known = membersOf.get(kind ?? '')?.() ?? []
  const stood = ((before?.order ?? []) as string[]).filter((code) => known.includes(code))
  return { ...given, order: [...new Set([...named, ...stood, ...known])] }
}

/**
 * Returns what is to be done so that a configuration becomes that of a file, and what it is then. Without `prune` nothing
 * is deleted; what is shipped never is, and a section that the file leaves out isn't touched. Orders are expected only where
 * the file gives them.
 */
export function planOf(current: Current, file: Partial<Content>, prune: boolean): Plan {
  const steps: Step[] = []
  const expected = {} as Expected
  for (const section of sections) {
    const now = byKey(section, current.content[section])
    const given = file[section]
    if (!given) {
      expected[section] = section === 'orders' ? [] : [...now.values()]
      continue
    }
    const wanted = byKey(section, given as never)
    const result = new Map<string, Loose>()
    for (const [key, before] of now) {
      if (wanted.has(key)) continue
      if (section === 'orders') continue
      if (!prune || current.stored[section].get(key)?.shipped) result.set(key, before)
      else steps.push({ section, key, before, after: null })
    }
    for (const [key, one] of wanted) {
      const before = now.get(key) ?? null
      if (section === 'settings' && isPreset(one)) {
        if (before) steps.push({ section, key, before, after: null })
        continue
      }
      const after =
        section === 'orders'
          ? wholeOrder(one, before, expected)
          : 'secret' in one
            ? asWanted(before, one)
            : { ...one, ...meantAddresses(before, one) }
      const open = 'webhook' in one ? { url: after.url, enabled: after.enabled } : meantAddresses(before, one)
      result.set(key, 'of' in one ? after : { ...one, ...open })
      if (!isDeepStrictEqual(before, after))
        steps.push({ section, key, before, after, ...(one.secret === null ? { secretLess: true } : {}) })
    }
    expected[section] = [...result.values()]
  }
  // objects that others need are there before them, and go after them
  const rank = ({ section, after }: Step) => (after ? sections.indexOf(section) : 1_000 - sections.indexOf(section))
  return { steps: steps.sort((one, other) => rank(one) - rank(other)), expected: expected as Content }
}

/** A secret that the file hasn't got may be any. */
function settled(wanted: Loose, got: Loose | undefined): boolean {
  if (!got) return false
  return isDeepStrictEqual(wanted, wanted.secret === null ? { ...got, secret: null } : got)
}

/** Returns the objects that aren't what a plan wanted them to be, by their places. */
export function missed(plan: Plan, { content }: Current): string[] {
  return sections.flatMap((section) => {
    const got = byKey(section, content[section])
    const wanted = byKey(section, plan.expected[section] as never)
    const wrong = [...wanted].filter(([key, one]) => !settled(one, got.get(key)))
    const extra = section === 'orders' ? [] : [...got.keys()].filter((key) => !wanted.has(key))
    return [...wrong.map(([key]) => key), ...extra].map((key) => `${section}[${key}]`)
  })
}

/** The most characters of a value that a difference shows. */
const mostShown = 2_000

function shown(section: Section, name: string, value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (name === 'secret') return mask
  if ((section === 'webhooks' && name === 'url') || closedAddresses.includes(name)) return maskedAddress(String(value))
  if (name === 'logo' || name === 'icon') return (value as { type: string }).type
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 1)
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text
}

const namesOf = ({ before, after }: Step) => [...new Set([...Object.keys(after ?? {}), ...Object.keys(before ?? {})])]

/** Returns a plan as people read it: by object and field, secrets masked. */
export const changesOf = (plan: Plan): Change[] =>
  plan.steps.map((step) => {
    const { section, key, before, after } = step
    const fields = namesOf(step).flatMap((field) => {
      const [was, is] = [before?.[field], after?.[field]]
      if (isDeepStrictEqual(was, is)) return []
      return [{ field, before: shown(section, field, was), after: shown(section, field, is) }]
    })
    return { section, key, kind: before ? (after ? 'update' : 'delete') : 'create', fields }
  })
