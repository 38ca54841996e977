import { setImmediate } from 'node:timers/promises'
import { db } from '@/db/client'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError } from '@/lib/kernel/errors'
import type { TableRow } from '@/lib/kernel/tables/rows'
import type { FieldView } from '@/lib/people/fields/definition'
import { isDirectoryEmail } from '@/lib/people/providers/service'
import { emailsBeyond, peopleBeyond } from '@/lib/people/rights/service'
import { changeChecker, type UserChange } from '@/lib/people/user-administration/fields'
import { platformSettings } from '@/lib/platform/settings/service'
import { CellFault, columnOf, type RowFault, type RowInput, rowReader, rowTitle } from './cells'
import { type Given, nameFinder } from './names'
import { lackingCode } from './offered'
import { lackingIn, type Plan, targetOf } from './plan'
import { type FoundAccount, selectByKeys, selectTaken } from './queries'

export type CheckedRow = TableRow & { title: string } & (
    | { fault: RowFault }
    | { fault?: undefined; given: Given; create: boolean; link: boolean; password: 'taken' | 'left' | null }
  )

/** How the faults of a change of an account name its fields. */
const prefix = 'values.'

/** How many rows are compared with the accounts at once. */
const atOnce = 1_000

/** A required field that no column of the file holds. */
type Lacking = ReturnType<typeof lackingIn>[number]

/**
 * Returns the fault of a row from what checking it threw. What a cell says comes before `lacking` columns, which are the
 * matter of the whole file. Anything else is no fault of the row, and is thrown on.
 */
export function faultFrom(
  error: unknown,
  plan: Plan,
  fields: readonly FieldView[],
  lacking: readonly Lacking[] = [],
): RowFault {
  if (error instanceof CellFault) return error.fault
  if (!(error instanceof AppError) || error.status >= 500 || error.status === 429) throw error
  const faults = error.data.errorList ?? []
  const lacks = ({ field }: { field: string }) =>
    lacking.some(({ id }) => field.startsWith(prefix) && targetOf(field.slice(prefix.length)) === id)
  const fault = faults.find((each) => !lacks(each))
  if (!fault && faults.length > 0)
    return { code: lackingCode, params: { names: lacking.map(({ title }) => title).join(', ') } }
  if (!fault) return { code: error.code, params: {} }
  const column = columnOf(plan, fault.field, fields)
  return { code: fault.code, params: { ...fault.params, ...(column ? { column } : {}) } }
}

type Known = TableRow & { input: RowInput; given: Given }
type Fresh = Known & { account: FoundAccount | null; change: UserChange }

const identifiers = ['login', 'email', 'mobile', 'externalId'] as const

/** What an account would be called after a row, where that differs from what it is called. */
function newNames({ input, account, change: { columns } }: Fresh) {
  const login = columns.login ?? (account ? undefined : columns.email)
  const wanted = { login, email: columns.email, mobile: columns.mobile, externalId: input.externalId }
  const now = {
    login: account?.login,
    email: account?.email?.toLowerCase(),
    mobile: account?.mobile,
    externalId: account?.externalId,
  }
  return identifiers.flatMap((kind) => {
    const value = wanted[kind]
    return value && value !== now[kind] ? [{ kind, value }] : []
  })
}

/** Remembers in which row something was first; throws CellFault when another row has it too. */
function createRepeats(plan: Plan) {
  const first = new Map<string, number>()
  return (row: number, name: string, target: string) => {
    const before = first.get(name)
    if (before !== undefined && before !== row)
      throw new CellFault('userImportRepeated', { row: before, column: columnOf(plan, target) })
    first.set(name, row)
  }
}

type Means = {
  plan: Plan
  fields: readonly FieldView[]
  lacking: readonly Lacking[]
  check: Awaited<ReturnType<typeof changeChecker>>
  /** Whether people sign in with mobiles, so that each is somebody’s alone. */
  mobiles: boolean
}

/** Checks rows in the order of the file, a thousand at a time. */
function checker(ctx: Ctx, { plan, fields, lacking, check, mobiles }: Means) {
  const repeated = createRepeats(plan)
  const claimed = new Map<string, boolean>()
  const isClaimed = async (email: string) => {
    const domain = email.slice(email.lastIndexOf('@'))
    const known = claimed.get(domain) ?? (await isDirectoryEmail(email))
    claimed.set(domain, known)
    return known
  }
  return async (rows: readonly Known[]) => {
    const accounts = await selectByKeys(db(), plan.by, [...new Set(rows.map(({ input }) => input.key))])
    const keyOf = (account: FoundAccount) =>
      plan.by === 'externalId' ? account.externalId : account[plan.by]?.toLowerCase()
    const byKey = Map.groupBy(accounts, keyOf)
    const beyond = await peopleBeyond(
      db(),
      ctx,
      accounts.map(({ id }) => id),
    )
    const outcomes = rows.map((known): { fault: RowFault } | { fresh: Fresh } => {
      try {
        repeated(known.row, `key ${known.input.key}`, plan.by === 'externalId' ? plan.by : `values.${plan.by}`)
        const [account = null, second] = byKey.get(known.input.key) ?? []
        if (second) throw new CellFault('userImportMany')
        if (account && plan.mode === 'create') throw new CellFault('userImportExists')
        if (!account && plan.mode === 'update') throw new CellFault('userImportMissing')
        if (account && beyond.has(account.id)) throw new CellFault('forbiddenUser')
        const { externalId } = known.input
        // by it a directory knows its people: whoever changes it signs in as somebody else
        if (account?.providerId && externalId && externalId !== account.externalId)
          throw new CellFault('errorDirectoryField', { column: columnOf(plan, 'externalId') })
        const change = check(known.input.values, account)
        if (!account && !change.columns.login && !change.columns.email)
          throw new CellFault('errorEmpty', { column: columnOf(plan, 'values.login') })
        return { fresh: { ...known, account, change } }
      } catch (error) {
        return { fault: faultFrom(error, plan, fields, lacking) }
      }
    })
    const names = outcomes.flatMap((each) => ('fresh' in each ? newNames(each.fresh) : []))
    const valuesOf = (kind: string) => names.flatMap((name) => (name.kind === kind ? [name.value] : []))
    const [login, email, mobile, externalId] = identifiers.map(valuesOf)
    const taken = await selectTaken({
      ...{ login: login ?? [], email: email ?? [] },
      ...{ mobile: mobile ?? [], externalId: externalId ?? [] },
    })
    const invited = await emailsBeyond(db(), ctx, email ?? [])
    const requireFree = async (fresh: Fresh) => {
      for (const { kind, value } of newNames(fresh)) {
        const field = kind === 'externalId' ? kind : `values.${kind}`
        const others = (taken.get(`${kind} ${value}`) ?? []).filter((id) => id !== fresh.account?.id)
        if (kind === 'email' && (await isClaimed(value)))
          throw new CellFault('errorEmailOfDirectory', { column: columnOf(plan, field) })
        if (kind === 'email' && invited.has(value)) throw new CellFault('forbiddenUser')
        if (others.length > 0) throw new CellFault('errorUnique', { column: columnOf(plan, field) })
        if (kind !== 'mobile' || mobiles) repeated(fresh.row, `${kind} ${value}`, field)
      }
    }
    const checked: ({ fault: RowFault } | { fresh: Fresh })[] = []
    for (const outcome of outcomes)
      checked.push(
        'fault' in outcome
          ? outcome
          : await requireFree(outcome.fresh).then(
              () => outcome,
              (error) => ({ fault: faultFrom(error, plan, fields) }),
            ),
      )
    return checked
  }
}

/**
 * Checks the rows of a file: each with what it would do, or its first fault. Stores nothing. A row is checked again when
 * its turn comes, and unique fields are compared only then (docs/rules/people.md#import-of-accounts).
 */
export async function checkRows(ctx: Ctx, plan: Plan, fields: readonly FieldView[], rows: readonly TableRow[]) {
  const read = rowReader(plan, fields)
  const [check, { identificationMobile }] = await Promise.all([changeChecker(ctx), platformSettings()])
  const means = { plan, fields, check, mobiles: identificationMobile }
  const checkNext = checker(ctx, { ...means, lacking: lackingIn(plan, fields) })
  const inputs = rows.map(({ cells }) => {
    try {
      return { input: read(cells) }
    } catch (error) {
      return { fault: faultFrom(error, plan, fields) }
    }
  })
  const find = await nameFinder(
    ctx,
    inputs.flatMap(({ input }) => (input ? [input] : [])),
  )
  const checked: CheckedRow[] = []
  for (let from = 0; from < rows.length; from += atOnce) {
    // others are answered meanwhile
    await setImmediate()
    const part = rows.slice(from, from + atOnce)
    const faults = new Map<number, RowFault>()
    const known: Known[] = []
    for (const [at, row] of part.entries()) {
      const { input, fault } = inputs[from + at] ?? {}
      if (fault) faults.set(row.row, fault)
      if (!input) continue
      const given = await find(input).catch((error) => faultFrom(error, plan, fields))
      if ('code' in given) faults.set(row.row, given)
      else known.push({ ...row, input, given })
    }
    const outcomes = await checkNext(known)
    const done = new Map(known.map(({ row }, at) => [row, outcomes[at]]))
    for (const row of part) {
      const title = rowTitle(plan, row.cells)
      const outcome = done.get(row.row)
      const fault = faults.get(row.row) ?? (outcome && 'fault' in outcome ? outcome.fault : undefined)
      if (fault || !outcome || 'fault' in outcome) {
        checked.push({ ...row, title, fault: fault ?? { code: 'errorUnknown', params: {} } })
        continue
      }
      const { account, change, given, input } = outcome.fresh
      const password = input.password ? (account ? 'left' : 'taken') : null
      const link = plan.sendLinks && !account && !password && Boolean(change.columns.email)
      checked.push({ ...row, title, given, create: !account, link, password })
    }
  }
  return checked
}
