import type { Kind } from './definitions'

/** A setting in calls (docs/rules/settings.md#calls): `value`, or `value_props` for a value with parts or with ids. */
export type WireSetting = { value?: unknown; value_props?: unknown }

const inProps: readonly Kind[] = ['role', 'networkAliases']

/** Returns a stored value as calls have it. */
export function toWire(kind: Kind, stored: unknown): { value: unknown; value_props: unknown } {
  if (kind === 'duration') {
    const { value, unit } = stored as { value: number; unit: string }
    return { value, value_props: { unit } }
  }
  if (kind === 'recipients') return { value: null, value_props: stored }
  if (inProps.includes(kind)) return { value: null, value_props: { value: stored } }
  return { value: stored, value_props: null }
}

/** Returns the value to store from the value of a call. */
export function fromWire(kind: Kind, { value, value_props: props }: WireSetting): unknown {
  if (kind === 'duration') return { value, ...(props as object) }
  if (kind === 'recipients') return props
  if (inProps.includes(kind)) return (props as { value?: unknown } | undefined)?.value
  // an empty address is stored as null
  return kind === 'url' && value === '' ? null : value
}
