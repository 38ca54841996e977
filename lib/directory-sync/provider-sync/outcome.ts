import type { Account } from '@/lib/account-administration/accounts/write'
import type { UserChange } from '@/lib/accounts/user-table/fields'
import type { FieldError } from '@/lib/base/runtime/errors'
import type { Note, SyncPerson } from './options'

/** The outcome of a person; `after` runs after the commit. */
export type PersonOutcome = Pick<SyncPerson, 'action' | 'userId' | 'changed' | 'notes'> & { after: unknown[] }

/** Returns notes of the fields that were not written, from faults that name fields. */
export const notesOf = (faults: readonly FieldError[]): Note[] =>
  faults.map(({ code, params = {} }) => ({ code, params: params as Note['params'] }))

const isSame = (first: unknown, second: unknown) => JSON.stringify(first ?? null) === JSON.stringify(second ?? null)

/** Returns the codes of the fields whose values a change replaces. */
export function changedFields({ columns, dynamic }: UserChange, account: Account): string[] {
  const stored = account as unknown as Record<string, unknown>
  return [
    ...Object.entries(columns).flatMap(([code, value]) => (isSame(stored[code] || null, value || null) ? [] : [code])),
    ...Object.entries(dynamic).flatMap(([code, value]) => (isSame(account.values[code], value) ? [] : [code])),
  ]
}
