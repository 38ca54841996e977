import type { Transaction } from '@/db/client'
import type { Account } from '@/lib/account-administration/accounts/write'
import type { UserChange } from '@/lib/accounts/user-table/fields'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import type { Note } from './options'

const contacts = ['email', 'mobile'] as const

/** Does something or, if it is refused, nothing of it; returns its result or the refusal. */
export async function attempted<T>(tx: Transaction, work: (inner: Transaction) => Promise<T>): Promise<T | AppError> {
  try {
    return await tx.transaction(work)
  } catch (error) {
    if (error instanceof AppError && error.status < 500 && error.status !== 429) return error
    throw error
  }
}

/** The fields that a refused change names; none if it was refused for another reason. */
const refusedFields = ({ data: { errorList = [] } }: AppError): { code: string; fault: string }[] =>
  errorList.flatMap(({ field, code }) =>
    field.startsWith('values.') ? [{ code: field.slice('values.'.length), fault: code }] : [],
  )

/** A change without some of its fields. */
export const withoutFields = ({ columns, dynamic, fields }: UserChange, codes: readonly string[]): UserChange => {
  const left = <T extends object>(of: T) =>
    Object.fromEntries(Object.entries(of).filter(([code]) => !codes.includes(code))) as T
  return { columns: left(columns), dynamic: left(dynamic), fields: fields.filter(({ code }) => !codes.includes(code)) }
}

type Storing<T> = {
  /** The locked account; null for a new one. */
  self: Account | null
  store: (inner: Transaction, change: UserChange) => Promise<T>
  /** Fields without which nothing is stored. */
  needed?: readonly string[]
  /** Lets the account have the value of a field that somebody gives up; false if nobody does. */
  makeWay?: (inner: Transaction, code: string, change: UserChange) => Promise<boolean>
}

/**
 * Stores what a provider says of somebody; a value that somebody else has is left out and noted, and so is the end of a
 * contact without which no administrator could sign in. Returns the result and what was stored. Throws AppError if it is
 * refused for another reason, or for a field that is needed (docs/rules/providers.md#absent-empty-and-broken).
 */
export async function storeFitting<T>(
  tx: Transaction,
  change: UserChange,
  { self, store, needed = [], makeWay }: Storing<T>,
): Promise<{ done: T; change: UserChange; notes: Note[] }> {
  const notes: Note[] = []
  const ways = new Set<string>()
  for (let left = change; ; ) {
    const done = await attempted(tx, async (inner) => {
      for (const code of ways)
        if (!(await makeWay?.(inner, code, left))) throw fieldError(`values.${code}`, 'errorUnique')
      return store(inner, left)
    })
    if (!(done instanceof AppError)) return { done, change: left, notes }
    const refused = refusedFields(done)
    const untried = refused.filter(({ code, fault }) => makeWay && fault === 'errorUnique' && !ways.has(code))
    for (const { code } of untried) ways.add(code)
    if (untried.length > 0) continue
    const lost = contacts.filter((kind) => self?.[kind] && left.columns[kind] === null)
    const out = refused.length > 0 ? refused : lost.map((code) => ({ code, fault: done.code }))
    if (out.length === 0 || out.some(({ code }) => needed.includes(code))) throw done
    notes.push(...out.map(({ code, fault }) => ({ code: fault, params: { fieldCode: code } })))
    left = withoutFields(
      left,
      out.map(({ code }) => code),
    )
    for (const { code } of out) ways.delete(code)
  }
}
