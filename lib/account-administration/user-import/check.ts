import { db } from '@/db/client'
import { emailsInvitedToMore, peopleWithMore } from '@/lib/access/rights/service'
import { type PlacedRole, rolesHeldBy } from '@/lib/accounts/role-holders/of-person'
import { joined, longestCell, partsOf, type TableField } from '@/lib/accounts/user-table/cells'
import { targetOf } from '@/lib/accounts/user-table/columns'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError } from '@/lib/base/runtime/errors'
import { inTurns } from '@/lib/base/runtime/turns'
import type { TableRow } from '@/lib/base/tables/rows'
import { contractorsHeldBy } from '@/lib/companies/contractors/of-person'
import type { FieldView } from '@/lib/fields/values/definition'
import { isDirectoryEmail } from '@/lib/identity-providers/connections/service'
import { platformSettings } from '@/lib/site/settings/service'
import { CellFault, columnOf, type RowFault, type RowInput, rowReader, rowTitle } from './cells'
import { changesNothing, type RowChange, rowChanger, type ShownChange, shownChanges } from './change'
import { type Named, nameFinder } from './names'
import { type importTargets, missingFieldCode } from './offered'
import { missingFields, type Plan } from './plan'
import { type ImportAccount, selectByKeys, selectIdentifierHolders } from './queries'

/** The roles and contractors of a row that its account lacks. */
type Assignments = { roles: PlacedRole[]; contractors: string[] }

type RowOutcome = {
  fault?: undefined
  given: Assignments
  create: boolean
  /** Whether the account has everything that the row contains. */
  same: boolean
  link: boolean
  password: 'taken' | 'left' | null
  /** The key of an authenticator app. */
  app: 'taken' | 'left' | null
  /** What the row changes; only the first rows that change something have it. */
  changes: ShownChange[]
}
export type CheckedRow = TableRow & { title: string } & ({ fault: RowFault } | RowOutcome)

/** How faults of a change of an account begin the names of its fields. */
const fieldPrefix = 'values.'

/** For how many rows the changes are shown. */
const maxShownRows = 50

/** How many rows are compared with the accounts at once. */
const rowsPerStep = 500

/** A required field that no column of the file holds. */
type MissingField = ReturnType<typeof missingFields>[number]

/**
 * Returns the fault of a row from the error that its check threw. A fault of a cell comes before `lacking` columns,
 * which concern the whole file. Throws any error again that isn't a fault of the row.
 */
export function faultFrom(
  error: unknown,
  plan: Plan,
  fields: readonly FieldView[],
  lacking: readonly MissingField[] = [],
): RowFault {
  if (error instanceof CellFault) return error.fault
  if (!(error instanceof AppError) || error.status >= 500 || error.status === 429) throw error
  const faults = error.data.errorList ?? []
  const isOfMissingField = ({ field }: { field: string }) =>
    lacking.some(({ id }) => field.startsWith(fieldPrefix) && targetOf(field.slice(fieldPrefix.length)) === id)
  const fault = faults.find((each) => !isOfMissingField(each))
  if (!fault && faults.length > 0)
    return { code: missingFieldCode, params: { names: lacking.map(({ title }) => title).join(', ') } }
  if (!fault) return { code: error.code, params: {} }
  const column = columnOf(plan, fault.field, fields)
  return { code: fault.code, params: { ...fault.params, ...(column ? { column } : {}) } }
}

type ReadRow = TableRow & { input: RowInput; named: Named }
type ComparedRow = ReadRow & RowChange & { account: ImportAccount | null; lacks: Named; same: boolean }

const identifiers = ['login', 'email', 'mobile', 'externalId'] as const

/** Returns the identifiers that an account would get from a row and doesn't have yet. */
function newIdentifiers({ externalId, account, change: { columns } }: ComparedRow) {
  const login = columns.login ?? (account ? undefined : columns.email)
  const next = { login, email: columns.email, mobile: columns.mobile, externalId }
  const current = {
    login: account?.login,
    email: account?.email?.toLowerCase(),
    mobile: account?.mobile,
    externalId: account?.externalId,
  }
  return identifiers.flatMap((kind) => {
    const value = next[kind]
    return value && value !== current[kind] ? [{ kind, value }] : []
  })
}

/** Returns a function that remembers the first row with a name, and throws CellFault if another row has it too. */
function createRepeats(plan: Plan) {
  const firstRows = new Map<string, number>()
  return (row: number, name: string, target: string) => {
    const firstRow = firstRows.get(name)
    if (firstRow !== undefined && firstRow !== row)
      throw new CellFault('userImportRepeated', { row: firstRow, column: columnOf(plan, target) })
    firstRows.set(name, row)
  }
}

type CheckContext = {
  plan: Plan
  fields: readonly FieldView[]
  lacking: readonly MissingField[]
  changeOf: Awaited<ReturnType<typeof rowChanger>>
  /** Whether people sign in with mobiles, so that two accounts can't share one. */
  mobiles: boolean
}

/**
 * Returns the result of `work`. If the account holds more than the caller, every fault becomes forbiddenUser, so that
 * the caller learns nothing of the account.
 */
function hidingFaults<T>(isUnchangeable: boolean | null, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw isUnchangeable && (error instanceof CellFault || error instanceof AppError)
      ? new CellFault('forbiddenUser')
      : error
  }
}

/** Returns a function that checks the next rows of the file. */
function createChecker(ctx: Ctx, { plan, fields, lacking, changeOf, mobiles }: CheckContext) {
  const requireFirst = createRepeats(plan)
  const claimedDomains = new Map<string, boolean>()
  const isClaimed = async (email: string) => {
    const domain = email.slice(email.lastIndexOf('@'))
    const entry = claimedDomains.get(domain) ?? (await isDirectoryEmail(email))
    claimedDomains.set(domain, entry)
    return entry
  }
  return async (rows: readonly ReadRow[]) => {
    const accounts = await selectByKeys(db(), plan.by, [...new Set(rows.map(({ input }) => input.key))])
    const keyOf = (account: ImportAccount) =>
      plan.by === 'externalId' ? account.externalId : account[plan.by]?.toLowerCase()
    const byKey = Map.groupBy(accounts, keyOf)
    const ids = accounts.map(({ id }) => id)
    const [unchangeable, hasRoles, isIn] = await Promise.all([
      peopleWithMore(db(), ctx, ids),
      rolesHeldBy(db(), ids),
      contractorsHeldBy(db(), ids),
    ])
    const missingOf = ({ id }: ImportAccount, { roles, contractors }: Named): Named => ({
      roles: roles.filter(({ held: placed }) => !hasRoles(id, [placed])),
      contractors: contractors.filter((each) => !isIn(id, [each.id])),
    })
    const compare = (entry: ReadRow): { fault: RowFault } | { fresh: ComparedRow } => {
      try {
        requireFirst(entry.row, `key ${entry.input.key}`, plan.by === 'externalId' ? plan.by : `values.${plan.by}`)
        const [account = null, second] = byKey.get(entry.input.key) ?? []
        if (second) throw new CellFault('userImportMany')
        if (account && plan.mode === 'create') throw new CellFault('userImportExists')
        if (!account && plan.mode === 'update') throw new CellFault('userImportMissing')
        const change = hidingFaults(account && unchangeable.has(account.id), () => changeOf(entry.input, account))
        const missing = account ? missingOf(account, entry.named) : entry.named
        const givesSomething = missing.roles.length + missing.contractors.length > 0
        const isUnchanged = account !== null && !givesSomething && changesNothing(account, change)
        // a row that changes nothing needs no rights
        if (account && !isUnchanged && unchangeable.has(account.id)) throw new CellFault('forbiddenUser')
        const refusal = missing.roles.find((role) => role.refused)?.refused
        if (refusal) throw refusal
        const { columns } = change.change
        if (!account && !columns.login && !columns.email)
          throw new CellFault('errorEmpty', { column: columnOf(plan, 'values.login') })
        return { fresh: { ...entry, ...change, account, lacks: missing, same: isUnchanged } }
      } catch (error) {
        return { fault: faultFrom(error, plan, fields, lacking) }
      }
    }
    const outcomes: ReturnType<typeof compare>[] = []
    for await (const entry of inTurns(rows)) outcomes.push(compare(entry))
    const identifiersToCheck = outcomes.flatMap((each) => ('fresh' in each ? newIdentifiers(each.fresh) : []))
    const valuesOf = (kind: string) =>
      identifiersToCheck.flatMap((identifier) => (identifier.kind === kind ? [identifier.value] : []))
    const [login, email, mobile, externalId] = identifiers.map(valuesOf)
    const holders = await selectIdentifierHolders({
      ...{ login: login ?? [], email: email ?? [] },
      ...{ mobile: mobile ?? [], externalId: externalId ?? [] },
    })
    const invitedEmails = await emailsInvitedToMore(db(), ctx, email ?? [])
    const requireFree = async (compared: ComparedRow) => {
      for (const { kind, value } of newIdentifiers(compared)) {
        const field = kind === 'externalId' ? kind : `values.${kind}`
        const otherIds = (holders.get(`${kind} ${value}`) ?? []).filter((id) => id !== compared.account?.id)
        if (kind === 'email' && (await isClaimed(value)))
          throw new CellFault('errorEmailOfDirectory', { column: columnOf(plan, field) })
        if (kind === 'email' && invitedEmails.has(value)) throw new CellFault('forbiddenUser')
        if (otherIds.length > 0) throw new CellFault('errorUnique', { column: columnOf(plan, field) })
        if (kind !== 'mobile' || mobiles) requireFirst(compared.row, `${kind} ${value}`, field)
      }
    }
    const checked: ({ fault: RowFault } | { fresh: ComparedRow })[] = []
    for await (const outcome of inTurns(outcomes))
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

/** Returns what the cells of roles and contractors name, of all rows. */
async function namesOfFile({ columns }: Plan, rows: readonly TableRow[]) {
  const cellsOf = async (target: (typeof importTargets)[number]) => {
    const index = columns.indexOf(target)
    const texts = new Set<string>()
    if (index >= 0) for await (const { cells } of inTurns(rows)) texts.add((cells[index] ?? '').slice(0, longestCell))
    return [...texts].flatMap(partsOf)
  }
  return { roles: await cellsOf('roles'), contractors: await cellsOf('contractors') }
}

/**
 * Checks the rows of a file. Yields for each what it would do, or its first fault, and takes it out of `rows`, so that
 * the memory of a large file is free again. Stores nothing. A row is checked again when it is written, and unique fields
 * are compared only then (docs/rules/people.md#import-of-accounts).
 */
export async function* checkRows(
  ctx: Ctx,
  plan: Plan,
  fields: readonly TableField[],
  rows: TableRow[],
): AsyncGenerator<CheckedRow> {
  const readRow = rowReader(plan, fields)
  const [changeOf, { identificationMobile }] = await Promise.all([rowChanger(ctx, plan, fields), platformSettings()])
  const context = { plan, fields, changeOf, mobiles: identificationMobile }
  const checkNext = createChecker(ctx, { ...context, lacking: missingFields(plan, fields) })
  let shownCount = 0
  const changesOf = ({ account, lacks, change, externalId }: ComparedRow): ShownChange[] => {
    if (++shownCount > maxShownRows) return []
    const texts = (list: readonly { text: string }[]) => joined([...new Set(list.map(({ text }) => text))])
    const named = { roles: texts(lacks.roles), contractors: texts(lacks.contractors) }
    return shownChanges(plan, fields, { account, change, ...(externalId ? { externalId } : {}), ...named })
  }
  const findNames = await nameFinder(ctx, [await namesOfFile(plan, rows)])
  while (rows.length > 0) {
    const part = rows.splice(0, rowsPerStep)
    const faults = new Map<number, RowFault>()
    const readRows: ReadRow[] = []
    for await (const row of inTurns(part)) {
      try {
        const input = readRow(row.cells, row.broken)
        readRows.push({ ...row, input, named: await findNames(input) })
      } catch (error) {
        faults.set(row.row, faultFrom(error, plan, fields))
      }
    }
    const outcomes = await checkNext(readRows)
    const outcomeByRow = new Map(readRows.map(({ row }, index) => [row, outcomes[index]]))
    for await (const row of inTurns(part)) {
      const title = rowTitle(plan, row.cells)
      const outcome = outcomeByRow.get(row.row)
      const fault = faults.get(row.row) ?? (outcome && 'fault' in outcome ? outcome.fault : undefined)
      if (fault || !outcome || 'fault' in outcome) {
        yield { ...row, title, fault: fault ?? { code: 'errorUnknown', params: {} } }
        continue
      }
      const { account, change, lacks, input, same } = outcome.fresh
      const outcomeOf = (secret: string | undefined) =>
        secret ? (account ? ('left' as const) : ('taken' as const)) : null
      const [password, app] = [outcomeOf(input.password), outcomeOf(input.appKey)]
      const link = plan.sendLinks && !account && !password && Boolean(change.columns.email)
      const given = {
        roles: lacks.roles.map(({ held: placed }) => placed),
        contractors: lacks.contractors.map(({ id }) => id),
      }
      const changes = same ? [] : changesOf(outcome.fresh)
      yield { ...row, title, given, create: !account, same, link, password, app, changes }
    }
  }
}
