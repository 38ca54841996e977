import { type Field, memberOf, type Referred } from '@/lib/base/audit/entity'
import { isSame, masked, type Plain } from '@/lib/base/audit/values'
import { mask } from '@/lib/base/text/masks'
import { hasParts, type Leaf, leavesOf } from './nested'
import { item, listDiff, type PlainDiff, type Side, secretDiff, shown } from './shown'

/** What differs between two values of a field: of one with members, what differs at each place of it. */
export type Diff = PlainDiff | { kind: 'nested'; leaves: Leaf[] }

/** A recorded value without its secrets, by today's declaration of the field. */
export const withoutSecrets = (side: Side, field: Field | undefined): Plain =>
  // a cut value has no members to look into any more
  side.length && field?.secrets ? mask : masked(side.value, field?.secrets)

/**
 * Returns what differs between two recorded values of a field; without a declaration they are shown as they are. Secrets
 * are masked by today's declaration too, whatever was recorded.
 */
export function diffOf(field: Field | undefined, before: Side, after: Side): Diff {
  const secrets = field?.secrets
  const hide = (side: Side): Side => ({ ...side, value: withoutSecrets(side, field) })
  const [previous, current] = [hide(before), hide(after)]
  const whole = (value: Plain) => value === mask && (secrets !== undefined || !field)
  if (whole(previous.value) || whole(current.value) || (secrets && isSame(previous.value, current.value)))
    return secretDiff(previous.value, current.value)
  const parts = [previous, current].some(({ value }) => hasParts(value, field))
  // of a value that was cut nobody can see the parts
  const leaves = parts && !previous.length && !current.length ? leavesOf(field, previous.value, current.value) : []
  if (leaves.length > 0) return { kind: 'nested', leaves }
  const lists = [previous, current].map(({ value, length }) => (Array.isArray(value) && !length ? value : null))
  const [was, is] = lists
  if ((was || previous.value === null) && (is || current.value === null) && (was || is))
    return listDiff(was ?? [], is ?? [], (value) => item(value, field))
  return { kind: 'value', previous: shown(previous, field), current: shown(current, field) }
}

/** Returns the ids that a value of a field refers to, by what they refer to. */
export function idsIn(field: Field | undefined, { value, length }: Side): [Referred, string][] {
  return !field || length ? [] : idsAt(field, value)
}

function idsAt(field: Field | undefined, value: Plain): [Referred, string][] {
  if (!field || value === null) return []
  const { to, keys } = field
  if (Array.isArray(value)) return value.flatMap((each) => idsAt(field, each))
  if (typeof value === 'string') return typeof to === 'string' ? [[to, value]] : []
  if (typeof value !== 'object') return []
  const members = Object.entries(value).flatMap(([name, each]): [Referred, string][] => [
    ...(keys ? [[keys, name] as [Referred, string]] : []),
    ...idsAt(memberOf(field, name), each),
  ])
  if (typeof to !== 'object') return members
  const own = Object.entries(to).flatMap(([member, referred]): [Referred, string][] => {
    const id = value[member]
    return typeof id === 'string' ? [[referred, id]] : []
  })
  return [...own, ...members]
}
