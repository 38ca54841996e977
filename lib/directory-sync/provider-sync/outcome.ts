import type { Account } from '@/lib/account-administration/accounts/write'
import type { UserChange } from '@/lib/accounts/user-table/fields'
import type { FieldError } from '@/lib/base/runtime/errors'
import type { Note, SyncPerson } from './options'

/** What was done with a person; `after` runs after the commit. */
export type Done = Pick<SyncPerson, 'action' | 'userId' | 'changed' | 'notes'> & { after: unknown[] }

/** What of a person was not written, from faults that name fields. */
export const notesOf = (faults: readonly FieldError[]): Note[] =>
  faults.map(({ code, params = {} }) => ({ code, params: params as Note['params'] }))

const same = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** Returns the codes of the fields that a change gives other values. */
export function changedFields({ columns, dynamic }: UserChange, account: Account): string[] {
  const own = account as unknown as Record<string, unknown>
  return [
    ...Object.entries(columns).flatMap(([code, value]) => (same(own[code] || null, value || null) ? [] : [code])),
    ...Object.entries(dynamic).flatMap(([code, value]) => (same(account.values[code], value) ? [] : [code])),
  ]
}
