import { setImmediate } from 'node:timers/promises'
import { db } from '@/db/client'
import { emailsInvitedToMore, peopleWithMore } from '@/lib/access/rights/service'
import { type Held, rolesHeldBy } from '@/lib/accounts/role-holders/of-person'
import { joined, type TableField } from '@/lib/accounts/user-table/cells'
import { targetOf } from '@/lib/accounts/user-table/columns'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError } from '@/lib/base/runtime/errors'
import type { TableRow } from '@/lib/base/tables/rows'
import { contractorsHeldBy } from '@/lib/companies/contractors/of-person'
import type { FieldView } from '@/lib/fields/values/definition'
import { isDirectoryEmail } from '@/lib/identity-providers/connections/service'
import { platformSettings } from '@/lib/site/settings/service'
import { CellFault, columnOf, type RowFault, type RowInput, rowReader, rowTitle } from './cells'
import { isNothing, type RowChange, rowChanger, type ShownChange, shownChanges } from './change'
import { type Named, nameFinder } from './names'
import { lackingCode } from './offered'
import { lackingIn, type Plan } from './plan'
import { type FoundAccount, selectByKeys, selectTaken } from './queries'

/** What a row gives besides fields, that its account lacks. */
type Given = { roles: Held[]; contractors: string[] }

type Good = {
  fault?: undefined
  given: Given
  create: boolean
  /** Whether the account has all of it already. */
  same: boolean
  link: boolean
  password: 'taken' | 'left' | null
  /** Of the first rows that change something: what. */
  changes: ShownChange[]
}
export type CheckedRow = TableRow & { title: string } & ({ fault: RowFault } | Good)

/** How the faults of a change of an account name its fields. */
const prefix = 'values.'

/** Of how many rows it is shown what they change. */
const shownRows = 50

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

type Known = TableRow & { input: RowInput; named: Named }
type Fresh = Known & RowChange & { account: FoundAccount | null; lacks: Named; same: boolean }

const identifiers = ['login', 'email', 'mobile', 'externalId'] as const

/** What an account would be called after a row, where that differs from what it is called. */
function newNames({ externalId, account, change: { columns } }: Fresh) {
  const login = columns.login ?? (account ? undefined : columns.email)
  const wanted = { login, email: columns.email, mobile: columns.mobile, externalId }
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
  changeOf: Awaited<ReturnType<typeof rowChanger>>
  /** Whether people sign in with mobiles, so that each is somebody’s alone. */
  mobiles: boolean
}

/** Returns what this returns. Of somebody who holds more than the caller no fault but that is told. */
function orBeyond<T>(isBeyond: boolean | null, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw isBeyond && (error instanceof CellFault || error instanceof AppError) ? new CellFault('forbiddenUser') : error
  }
}

/** Checks rows in the order of the file, a thousand at a time. */
function checker(ctx: Ctx, { plan, fields, lacking, changeOf, mobiles }: Means) {
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
    const ids = accounts.map(({ id }) => id)
    const [beyond, hasRoles, isIn] = await Promise.all([
      peopleWithMore(db(), ctx, ids),
      rolesHeldBy(db(), ids),
      contractorsHeldBy(db(), ids),
    ])
    const lackedBy = ({ id }: FoundAccount, { roles, contractors }: Named): Named => ({
      roles: roles.filter(({ held }) => !hasRoles(id, [held])),
      contractors: contractors.filter((each) => !isIn(id, [each.id])),
    })
    const outcomes = rows.map((known): { fault: RowFault } | { fresh: Fresh } => {
      try {
        repeated(known.row, `key ${known.input.key}`, plan.by === 'externalId' ? plan.by : `values.${plan.by}`)
        const [account = null, second] = byKey.get(known.input.key) ?? []
        if (second) throw new CellFault('userImportMany')
        if (account && plan.mode === 'create') throw new CellFault('userImportExists')
        if (!account && plan.mode === 'update') throw new CellFault('userImportMissing')
        const change = orBeyond(account && beyond.has(account.id), () => changeOf(known.input, account))
        const lacks = account ? lackedBy(account, known.named) : known.named
        const isGiven = lacks.roles.length + lacks.contractors.length > 0
        const same = account !== null && !isGiven && isNothing(account, change)
        // what changes nothing concerns nobody
        if (account && !same && beyond.has(account.id)) throw new CellFault('forbiddenUser')
        const refused = lacks.roles.find((role) => role.refused)?.refused
        if (refused) throw refused
        const { columns } = change.change
        if (!account && !columns.login && !columns.email)
          throw new CellFault('errorEmpty', { column: columnOf(plan, 'values.login') })
        return { fresh: { ...known, ...change, account, lacks, same } }
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
    const invited = await emailsInvitedToMore(db(), ctx, email ?? [])
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
export async function checkRows(ctx: Ctx, plan: Plan, fields: readonly TableField[], rows: readonly TableRow[]) {
  const read = rowReader(plan, fields)
  const [changeOf, { identificationMobile }] = await Promise.all([rowChanger(ctx, plan, fields), platformSettings()])
  const means = { plan, fields, changeOf, mobiles: identificationMobile }
  const checkNext = checker(ctx, { ...means, lacking: lackingIn(plan, fields) })
  let shown = 0
  const changesOf = ({ account, lacks, change, externalId }: Fresh): ShownChange[] => {
    if (++shown > shownRows) return []
    const texts = (list: readonly { text: string }[]) => joined([...new Set(list.map(({ text }) => text))])
    const named = { roles: texts(lacks.roles), contractors: texts(lacks.contractors) }
    return shownChanges(plan, fields, { account, change, ...(externalId ? { externalId } : {}), ...named })
  }
  const inputs = rows.map(({ cells, broken }) => {
    try {
      return { input: read(cells, broken) }
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
      const named = await find(input).catch((error) => faultFrom(error, plan, fields))
      if ('code' in named) faults.set(row.row, named)
      else known.push({ ...row, input, named })
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
      const { account, change, lacks, input, same } = outcome.fresh
      const password = input.password ? (account ? 'left' : 'taken') : null
      const link = plan.sendLinks && !account && !password && Boolean(change.columns.email)
      const given = { roles: lacks.roles.map(({ held }) => held), contractors: lacks.contractors.map(({ id }) => id) }
      const changes = same ? [] : changesOf(outcome.fresh)
      checked.push({ ...row, title, given, create: !account, same, link, password, changes })
    }
  }
  return checked
}
