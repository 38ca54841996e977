import type { Transaction } from '@/db/client'
import type { Account } from '@/lib/account-administration/accounts/write'
import type { UserChange } from '@/lib/accounts/user-table/fields'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import type { Note } from './options'

const contacts = ['email', 'mobile'] as const

/** Runs work in a savepoint. Returns its result; rolls it back and returns the error if it is refused. */
export async function attempt<T>(tx: Transaction, work: (inner: Transaction) => Promise<T>): Promise<T | AppError> {
  try {
    return await tx.transaction(work)
  } catch (error) {
    if (error instanceof AppError && error.status < 500 && error.status !== 429) return error
    throw error
  }
}

/** Returns the fields that a refusal names; none if the change was refused for another reason. */
const refusedFields = ({ data: { errorList = [] } }: AppError): { code: string; fault: string }[] =>
  errorList.flatMap(({ field, code }) =>
    field.startsWith('values.') ? [{ code: field.slice('values.'.length), fault: code }] : [],
  )

/** Returns a change without these fields. */
export const withoutFields = ({ columns, dynamic, fields }: UserChange, codes: readonly string[]): UserChange => {
  const remaining = <T extends object>(members: T) =>
    Object.fromEntries(Object.entries(members).filter(([code]) => !codes.includes(code))) as T
  return {
    columns: remaining(columns),
    dynamic: remaining(dynamic),
    fields: fields.filter(({ code }) => !codes.includes(code)),
  }
}

type StoreOptions<T> = {
  /** The locked account; null for a new one. */
  self: Account | null
  store: (inner: Transaction, change: UserChange) => Promise<T>
  /** Fields that must not be left out. */
  needed?: readonly string[]
  /** Frees the value of a field for the account if another person gives it up; false if nobody does. */
  makeWay?: (inner: Transaction, code: string, change: UserChange) => Promise<boolean>
}

/**
 * Stores a change of an account by a provider. Leaves out and notes a value that another account has, and the removal
 * of a contact without which no administrator could sign in. Returns the result, the stored change and the notes.
 * Throws AppError if the change is refused for another reason, or because of a field in `needed`
 * (docs/rules/providers.md#absent-empty-and-broken).
 */
export async function storeFitting<T>(
  tx: Transaction,
  change: UserChange,
  { self, store, needed = [], makeWay }: StoreOptions<T>,
): Promise<{ done: T; change: UserChange; notes: Note[] }> {
  const notes: Note[] = []
  const handedOver = new Set<string>()
  for (let remaining = change; ; ) {
    const result = await attempt(tx, async (inner) => {
      for (const code of handedOver)
        if (!(await makeWay?.(inner, code, remaining))) throw fieldError(`values.${code}`, 'errorUnique')
      return store(inner, remaining)
    })
    if (!(result instanceof AppError)) return { done: result, change: remaining, notes }
    const refused = refusedFields(result)
    const untried = refused.filter(({ code, fault }) => makeWay && fault === 'errorUnique' && !handedOver.has(code))
    for (const { code } of untried) handedOver.add(code)
    if (untried.length > 0) continue
    const lostContacts = contacts.filter((kind) => self?.[kind] && remaining.columns[kind] === null)
    const excluded = refused.length > 0 ? refused : lostContacts.map((code) => ({ code, fault: result.code }))
    if (excluded.length === 0 || excluded.some(({ code }) => needed.includes(code))) throw result
    notes.push(...excluded.map(({ code, fault }) => ({ code: fault, params: { fieldCode: code } })))
    remaining = withoutFields(
      remaining,
      excluded.map(({ code }) => code),
    )
    for (const { code } of excluded) handedOver.delete(code)
  }
}
