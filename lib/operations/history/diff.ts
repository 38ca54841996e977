import { type Field, memberOf, type Referred } from '@/lib/base/audit/entity'
import { isSame, masked, type Plain } from '@/lib/base/audit/values'
import { mask } from '@/lib/base/text/masks'
import { hasParts, type Leaf, leavesOf } from './nested'
import { displayed, item, listDiff, type PlainDiff, type Side, secretDiff } from './shown'

/** The difference between two values of a field: for values with members, the difference at each place. */
export type Diff = PlainDiff | { kind: 'nested'; leaves: Leaf[] }

/** A recorded value without its secrets, by today's declaration of the field. */
export const withoutSecrets = (side: Side, field: Field | undefined): Plain =>
  // a cut value is a text without members
  side.length && field?.secrets ? mask : masked(side.value, field?.secrets)

/**
 * Returns the difference between two recorded values of a field; values without a declaration are shown unchanged.
 * Secrets are masked by today's declaration, even if they were recorded unmasked.
 */
export function diffOf(field: Field | undefined, before: Side, after: Side): Diff {
  const secrets = field?.secrets
  const withMask = (side: Side): Side => ({ ...side, value: withoutSecrets(side, field) })
  const [previous, current] = [withMask(before), withMask(after)]
  const isSecret = (value: Plain) => value === mask && (secrets !== undefined || !field)
  if (isSecret(previous.value) || isSecret(current.value) || (secrets && isSame(previous.value, current.value)))
    return secretDiff(previous.value, current.value)
  const parts = [previous, current].some(({ value }) => hasParts(value, field))
  // a cut value has no parts to compare
  const leaves = parts && !previous.length && !current.length ? leavesOf(field, previous.value, current.value) : []
  if (leaves.length > 0) return { kind: 'nested', leaves }
  const lists = [previous, current].map(({ value, length }) => (Array.isArray(value) && !length ? value : null))
  const [previousList, currentList] = lists
  if (
    (previousList || previous.value === null) &&
    (currentList || current.value === null) &&
    (previousList || currentList)
  )
    return listDiff(previousList ?? [], currentList ?? [], (value) => item(value, field))
  return { kind: 'value', previous: displayed(previous, field), current: displayed(current, field) }
}

/** Returns the ids in a value of a field, each with the kind of object that it refers to. */
export function idsIn(field: Field | undefined, { value, length }: Side): [Referred, string][] {
  return !field || length ? [] : idsAt(field, value)
}

function idsAt(field: Field | undefined, value: Plain): [Referred, string][] {
  if (!field || value === null) return []
  const { to, keys } = field
  if (Array.isArray(value)) return value.flatMap((inner) => idsAt(field, inner))
  if (typeof value === 'string') return typeof to === 'string' ? [[to, value]] : []
  if (typeof value !== 'object') return []
  const members = Object.entries(value).flatMap(([name, inner]): [Referred, string][] => [
    ...(keys ? [[keys, name] as [Referred, string]] : []),
    ...idsAt(memberOf(field, name), inner),
  ])
  if (typeof to !== 'object') return members
  const ownIds = Object.entries(to).flatMap(([member, referred]): [Referred, string][] => {
    const id = value[member]
    return typeof id === 'string' ? [[referred, id]] : []
  })
  return [...ownIds, ...members]
}
