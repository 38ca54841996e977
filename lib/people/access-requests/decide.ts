import { db, type Transaction } from '@/db/client'
import type { ManagedContractors } from '@/db/held-roles'
import { requireMethod, requireUser } from '@/lib/kernel/access'
import type { Ctx, CtxUser } from '@/lib/kernel/ctx'
import { AppError, notFound } from '@/lib/kernel/errors'
import { emit } from '@/lib/kernel/events'
import type { VerbInput } from '@/lib/kernel/http/contract'
import { record } from '@/lib/kernel/record/record'
import {
  type ContractorAccess,
  grantable,
  isInContractor,
  joinContractor,
  keepPlaces,
  managedBy,
  requireEditable,
  requireMasterOf,
} from '@/lib/people/master-account/service'
import { changingHeldBy } from '@/lib/people/rights/administrators'
import { refreshRights } from '@/lib/people/rights/service'
import { mailSubscribed } from '@/lib/people/subscriptions/service'
import { lockAccount } from '@/lib/people/users/personal'
import { platformSettings } from '@/lib/platform/settings/service'
import type * as calls from './contract'
import { accessRequestEntity } from './entity'
import {
  type AccessRequestRow,
  lockRequest,
  selectPerson,
  selectRequest,
  selectRoleNames,
  updateRequest,
} from './queries'

type Grant = { contractorId: string; access: ContractorAccess[]; newMember: boolean }
type Decision =
  | { status: 'approved'; grant: Grant | null }
  | { status: 'failure'; reason: string }
  | { status: 'duplicate' }

type Manager = Ctx & { user: CtxUser; session: { id: string } }

const manages = (managed: ManagedContractors, contractorId: string) => managed.all || managed.ids.includes(contractorId)

const concerns = (managed: ManagedContractors, { inn, userId }: AccessRequestRow, managerId: string) =>
  userId !== managerId && (managed.all || managed.inns.includes(inn))

/**
 * Gives the person what the decision grants. Returns the contractor's name and the roles given. The manager's rights are
 * read after the locks: they may have lost them while this waited.
 */
async function give(tx: Transaction, ctx: Manager, userId: string, { contractorId, access, newMember }: Grant) {
  const roleIds = [...new Set(access.flatMap((one) => one.roles))]
  const places = access.map(({ organizationId }) => organizationId)
  const company = await keepPlaces(tx, contractorId, roleIds, places)
  const person = await lockAccount(tx, userId)
  if (!company?.enabled || !person) throw notFound()
  const roles = access.length > 0 ? await grantable(tx, ctx.user.id, contractorId, access) : []
  const managed = await managedBy(ctx.user.id, tx)
  if (!manages(managed, contractorId)) throw notFound()
  await requireEditable(tx, ctx, managed, userId)
  if (newMember && (await isInContractor([userId], contractorId, tx))) {
    const code = 'contractorExists'
    throw new AppError(409, code, { errorList: [{ field: 'contractorId', code }] })
  }
  await joinContractor(tx, ctx, { userId, contractorId, roles })
  return { company: company.name, roles }
}

type Given = { company: string; roles: { roleId: string }[] }

/**
 * Mails the person what was decided and which roles they were given, unless the setting or they themselves have switched
 * that off.
 */
async function mailDecision(tx: Transaction, ctx: Ctx, row: AccessRequestRow, decision: Decision, given: Given | null) {
  if (!(await platformSettings()).sendAccessNotify) return
  const person = await selectPerson(tx, row.userId)
  if (!person?.email || !person.enabled) return
  const link = `${ctx.domain.origin}/platform/profile/requests/access`
  const mail = {
    subscription: 'requestDecided' as const,
    cause: `access-request ${row.id}`,
    userId: person.id,
    to: person.email,
    locale: person.locale ?? ctx.locale,
  }
  const values = { name: person.firstName, company: given?.company ?? row.name, link }
  const roleIds = given?.roles.map(({ roleId }) => roleId) ?? []
  if (decision.status === 'approved') {
    const roles = await selectRoleNames(tx, roleIds, mail.locale)
    await mailSubscribed(tx, ctx, { ...mail, template: 'accessApproved', values: { ...values, roles } })
  } else if (decision.status === 'failure')
    await mailSubscribed(tx, ctx, {
      ...mail,
      template: 'accessRefused',
      values: { ...values, reason: decision.reason },
    })
  else await mailSubscribed(tx, ctx, { ...mail, template: 'accessDuplicate', values })
}

/** Decides on one request, in a transaction of its own. Throws 404, 409 requestDecided, and what granting throws. */
async function decideOne(ctx: Manager, id: string, decision: Decision) {
  const found = await selectRequest(id)
  if (!found) throw notFound()
  const afterCommit = await changingHeldBy(found.userId, async (tx) => {
    // of many requests each is decided with the rights that the manager still has
    const managed = await managedBy(ctx.user.id, tx)
    if (!concerns(managed, found, ctx.user.id)) throw notFound()
    const grant = decision.status === 'approved' ? decision.grant : null
    if (grant && !manages(managed, grant.contractorId)) throw notFound()
    // contractor and person are locked before the request, as everywhere
    const given = grant ? await give(tx, ctx, found.userId, grant) : null
    const row = await lockRequest(tx, id)
    if (!row) throw notFound()
    if (row.status !== 'considered') throw new AppError(409, 'requestDecided')
    const { status } = decision
    const values = {
      status,
      reason: decision.status === 'failure' ? decision.reason : '',
      contractorId: grant?.contractorId ?? null,
    }
    await updateRequest(tx, id, { ...values, deciderId: ctx.user.id, finishedAt: ctx.now() })
    const { reason, contractorId } = row
    await record(
      tx,
      ctx,
      accessRequestEntity,
      id,
      { status: row.status, reason, contractorId, contractorRoles: [] },
      { ...values, contractorRoles: given?.roles ?? [] },
    )
    const company = given?.company ?? row.name
    await mailDecision(tx, ctx, row, decision, given)
    const told = await emit(tx, ctx, 'accessDecided', { userId: row.userId, status, company })
    const refreshed = given ? await refreshRights(tx, ctx, { people: [row.userId] }) : undefined
    return async () => {
      await refreshed?.()
      await told()
    }
  })
  await afterCommit()
}

/**
 * Decides on requests one by one: a failure of one leaves the others. Returns the result of each in their order; the
 * failure of a single one is thrown.
 */
async function decide(ctx: Ctx, requestIds: readonly string[], decision: Decision) {
  requireUser(ctx)
  requireMethod(ctx, 'masterAccountAccess')
  const manager = ctx as Manager
  const ids = [...new Set(requestIds)]
  const results: calls.DecisionResult[] = []
  for (const requestId of ids)
    try {
      await decideOne(manager, requestId, decision)
      results.push({ requestId, code: null })
    } catch (error) {
      if (!(error instanceof AppError) || ids.length === 1) throw error
      results.push({ requestId, code: error.code })
    }
  return { results }
}

const accessOf = (list: { organizationId: string; rolesIds: string[] }[]): ContractorAccess[] =>
  list.map(({ organizationId, rolesIds }) => ({ organizationId, roles: rolesIds }))

/**
 * Throws the faults of the roles as the form names them: `contractorRoles.0.rolesIds` in place of `access.0.roles`. They
 * are checked once, before any request is decided.
 */
async function checkGrant(ctx: Manager, { contractorId, access }: Grant) {
  await requireMasterOf(ctx, contractorId)
  if (access.length === 0) return
  try {
    await grantable(db(), ctx.user.id, contractorId, access)
  } catch (error) {
    if (!(error instanceof AppError) || !error.data?.errorList) throw error
    const errorList = error.data.errorList.map(({ field, ...fault }) => ({
      ...fault,
      field: field.replace(/^access\b/, 'contractorRoles').replace(/\.roles$/, '.rolesIds'),
    }))
    throw new AppError(error.status, error.code, { ...error.data, errorList })
  }
}

/**
 * Approves requests: their people join a contractor that the caller manages, with these roles. Throws 400 by field, 403
 * forbiddenRole and forbiddenUser, 404, 409 contractorExists if the person is in it already, requestDecided, and
 * lastAdministrator.
 */
export async function approveWithContractor(ctx: Ctx, { body }: VerbInput<typeof calls.approveWithContractor>) {
  const { requestIds, contractorId, contractorRoles } = body
  const grant = { contractorId, access: accessOf(contractorRoles), newMember: true }
  await checkGrant(ctx as Manager, grant)
  return decide(ctx, requestIds, { status: 'approved', grant })
}

/** Refuses requests with a reason, which their people are told. Throws 404 and 409 requestDecided. */
export const refuseAccess = (ctx: Ctx, { body }: VerbInput<typeof calls.refuseAccess>) =>
  decide(ctx, body.requestIds, { status: 'failure', reason: body.reason })

/** Marks requests as duplicates. Throws 404 and 409 requestDecided. */
export const markDuplicate = (ctx: Ctx, { body }: VerbInput<typeof calls.markDuplicate>) =>
  decide(ctx, body.requestIds, { status: 'duplicate' })

/**
 * Approves requests whose rights are given by hand: with a contractor, the person gets these roles there and joins it if
 * need be; without one, the requests are only marked. Throws as approveWithContractor does, without contractorExists.
 */
export async function allowAccess(ctx: Ctx, { body }: VerbInput<typeof calls.allowAccess>) {
  const { requestIds, contractorId, contractorRoles } = body
  const access = accessOf(contractorRoles)
  if (!contractorId) {
    if (access.length > 0)
      throw new AppError(400, undefined, { errorList: [{ field: 'contractorId', code: 'errorEmpty' }] })
    return decide(ctx, requestIds, { status: 'approved', grant: null })
  }
  const grant = { contractorId, access, newMember: false }
  await checkGrant(ctx as Manager, grant)
  return decide(ctx, requestIds, { status: 'approved', grant })
}
