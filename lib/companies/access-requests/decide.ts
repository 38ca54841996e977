import { db, type Transaction } from '@/db/client'
import type { ManagedContractors } from '@/db/held-roles'
import { changingRolesOf } from '@/lib/access/rights/last-administrator'
import { refreshRights, staysAsStrongWith } from '@/lib/access/rights/service'
import { accessOf } from '@/lib/access/roles/service'
import { lockAccounts } from '@/lib/accounts/users/personal'
import { userServices } from '@/lib/applications/menu/service'
import { audit } from '@/lib/base/audit/audit'
import { invalidate } from '@/lib/base/cache/cache'
import { requireMethod, requireUser } from '@/lib/base/context/access'
import type { Ctx, CtxDomain, CtxUser } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { emit } from '@/lib/base/events/events'
import { languageFrom } from '@/lib/base/mail-and-sms/queue'
import { AppError, notFound } from '@/lib/base/runtime/errors'
import { mailSubscribed } from '@/lib/messaging/subscriptions/service'
import { servedDomain } from '@/lib/site/domains/service'
import { platformSettings } from '@/lib/site/settings/service'
import {
  assignableRoles,
  type ContractorAccess,
  isInContractor,
  joinContractor,
  lockMembershipRows,
  managedBy,
  requireManagerOf,
} from '../managers/service'
import type * as calls from './contract'
import { requestDecided } from './decided'
import { accessRequestEntity } from './entity'
import { type AccessRequestRow, accessRequestRows, selectPerson, selectRoleNames } from './queries'

type AccessGrant = { contractorId: string; access: ContractorAccess[]; newMember: boolean }
type Decision =
  | { status: 'approved'; grant: AccessGrant | null }
  | { status: 'failure'; reason: string }
  | { status: 'duplicate' }

type ManagerCtx = Ctx & { user: CtxUser; session: { id: string } }

const manages = (managed: ManagedContractors, contractorId: string) => managed.all || managed.ids.includes(contractorId)

const mayDecideOn = (managed: ManagedContractors, { inn, userId }: AccessRequestRow, managerId: string) =>
  userId !== managerId && (managed.all || managed.inns.includes(inn))

const lockGrantRows = (tx: Transaction, { contractorId, access }: AccessGrant) =>
  lockMembershipRows(
    tx,
    contractorId,
    access.flatMap(({ roles }) => roles),
    access.map(({ organizationId }) => organizationId),
  )

type Company = Awaited<ReturnType<typeof lockMembershipRows>>

/**
 * Gives a person the access that a decision grants. Returns the contractor's name, the roles given, and the ids of the
 * methods that the person held before. Throws 404, 403 forbiddenUser, 409 contractorExists, and what `assignableRoles`
 * throws.
 */
async function giveAccess(
  tx: Transaction,
  ctx: ManagerCtx,
  { userId, managed, company }: { userId: string; managed: ManagedContractors; company: Company },
  { contractorId, access, newMember }: AccessGrant,
) {
  if (!company?.enabled || !manages(managed, contractorId)) throw notFound()
  const roles = access.length > 0 ? await assignableRoles(tx, ctx.user.id, contractorId, access) : []
  const givenRoleIds = roles.map(({ roleId }) => roleId)
  // roles that the person holds already don't change, so they aren't checked
  if (!(await staysAsStrongWith(tx, { giverId: ctx.user.id, userId, now: ctx.now() }, givenRoleIds)))
    throw new AppError(403, 'forbiddenUser')
  if (newMember && (await isInContractor([userId], contractorId, tx))) {
    const code = 'contractorExists'
    throw new AppError(409, code, { errorList: [{ field: 'contractorId', code }] })
  }
  const { methodIds: methodIdsBefore } = await accessOf(userId, tx)
  await joinContractor(tx, ctx, { userId, contractorId, roles })
  return { company: company.name, roles, before: methodIdsBefore }
}

/** `before`: the ids of the methods that the person held before. */
type GivenAccess = { company: string; roles: { roleId: string }[]; before: ReadonlySet<string> }

/** Returns how many services of the domain a person can open now and couldn't open with the methods held before. */
async function countOpenedServices(
  tx: Transaction,
  userId: string,
  methodIdsBefore: ReadonlySet<string>,
  domain: CtxDomain,
) {
  const { methodIds } = await accessOf(userId, tx)
  const [servicesNow, servicesBefore] = await Promise.all([
    userServices({ methodIds }, domain),
    userServices({ methodIds: methodIdsBefore }, domain),
  ])
  return servicesNow.filter(({ id }) => !servicesBefore.some((service) => service.id === id)).length
}

/**
 * Mails a person the decision, the roles that they were given and whether services opened for them, unless a setting or
 * their subscription has switched this off. The mail is of the domain on which they asked.
 */
async function mailDecision(
  tx: Transaction,
  { now, domain: ownDomain }: Ctx,
  row: AccessRequestRow,
  decision: Decision,
  given: GivenAccess | null,
) {
  if (!(await platformSettings()).sendAccessNotify) return
  const person = await selectPerson(tx, row.userId)
  if (!person?.email || !person.enabled) return
  const ctx = { now, domain: row.domainId ? await servedDomain(row.domainId) : ownDomain }
  const link = `${ctx.domain.origin}/platform/profile/requests/access`
  const mail = {
    subscription: 'requestDecided' as const,
    cause: `access-request ${row.id}`,
    userId: person.id,
    to: person.email,
    locale: languageFrom(ctx.domain, person.locale),
  }
  const values = { name: person.firstName, company: given?.company ?? row.name, link }
  const roleIds = given?.roles.map(({ roleId }) => roleId) ?? []
  if (decision.status === 'approved') {
    const roles = await selectRoleNames(tx, roleIds, mail.locale)
    const isAnyOpened = given && (await countOpenedServices(tx, row.userId, given.before, ctx.domain)) > 0
    const opened = isAnyOpened ? ('yes' as const) : ('no' as const)
    await mailSubscribed(tx, ctx, { ...mail, template: 'accessApproved', values: { ...values, roles, opened } })
  } else if (decision.status === 'failure')
    await mailSubscribed(tx, ctx, {
      ...mail,
      template: 'accessRefused',
      values: { ...values, reason: decision.reason },
    })
  else await mailSubscribed(tx, ctx, { ...mail, template: 'accessDuplicate', values })
}

/**
 * Decides on one request, in a transaction of its own. Throws 404, 409 requestDecided with who decided and when, 409
 * requesterDisabled for an approval of somebody whose account is disabled, and what granting throws.
 */
async function decideOne(ctx: ManagerCtx, id: string, decision: Decision) {
  const request = await accessRequestRows.select(id)
  if (!request) throw notFound()
  const managerId = ctx.user.id
  if (!mayDecideOn(await managedBy(managerId), request, managerId)) throw notFound()
  const afterCommit = await changingRolesOf(request.userId, async (tx) => {
    const grant = decision.status === 'approved' ? decision.grant : null
    // the order of locks for every decision, as everywhere: places, then person and manager, then the request (ADR 98)
    const contractor = grant ? await lockGrantRows(tx, grant) : null
    const people = await lockAccounts(tx, [request.userId, managerId])
    const row = await accessRequestRows.lock(tx, id)
    // the manager may have lost their rights while this transaction waited for the locks
    const managed = await managedBy(managerId, tx)
    if (!row || !mayDecideOn(managed, row, managerId)) throw notFound()
    if (row.status !== 'considered') throw await requestDecided(tx, ctx, row)
    const person = people.find((each) => each.id === row.userId)
    if (!person) throw notFound()
    if (decision.status === 'approved' && !person.enabled) throw new AppError(409, 'requesterDisabled')
    const givenAccess = grant
      ? await giveAccess(tx, ctx, { userId: row.userId, managed, company: contractor }, grant)
      : null
    const { status } = decision
    const values = {
      status,
      reason: decision.status === 'failure' ? decision.reason : '',
      contractorId: grant?.contractorId ?? null,
    }
    await accessRequestRows.update(tx, id, { ...values, deciderId: ctx.user.id, finishedAt: ctx.now() })
    const { reason, contractorId } = row
    await audit(
      tx,
      ctx,
      accessRequestEntity,
      id,
      { status: row.status, reason, contractorId, contractorRoles: [] },
      { ...values, contractorRoles: givenAccess?.roles ?? [] },
    )
    await invalidate(tx, 'waiting-requests')
    const company = givenAccess?.company ?? row.name
    await mailDecision(tx, ctx, row, decision, givenAccess)
    const notified = await emit(tx, ctx, 'accessDecided', { userId: row.userId, status, company })
    const refreshed = givenAccess ? await refreshRights(tx, ctx, { people: [row.userId] }) : undefined
    return async () => {
      await refreshed?.()
      await notified()
    }
  })
  await afterCommit()
}

/**
 * Decides on requests one by one: if one fails, the others are still decided. Returns the result of each in their
 * order. If there is only one, its error is thrown.
 */
async function decide(ctx: Ctx, requestIds: readonly string[], decision: Decision) {
  requireUser(ctx)
  requireMethod(ctx, 'masterAccountAccess')
  const manager = ctx as ManagerCtx
  const ids = [...new Set(requestIds)]
  const results: calls.DecisionResult[] = []
  for (const requestId of ids)
    try {
      await decideOne(manager, requestId, decision)
      results.push({ requestId, code: null })
    } catch (error) {
      if (!(error instanceof AppError) || ids.length === 1) throw error
      const { decided } = error.data
      results.push({ requestId, code: error.code, ...(decided ? { decided } : {}) })
    }
  return { results }
}

const accessOfForm = (list: { organizationId: string; rolesIds: string[] }[]): ContractorAccess[] =>
  list.map(({ organizationId, rolesIds }) => ({ organizationId, roles: rolesIds }))

/**
 * Checks a grant once, before any request is decided. Throws the faults of the roles as the form names them:
 * `contractorRoles.0.rolesIds` in place of `access.0.roles`.
 */
async function checkGrant(ctx: ManagerCtx, { contractorId, access }: AccessGrant) {
  await requireManagerOf(ctx, contractorId)
  if (access.length === 0) return
  try {
    await assignableRoles(db(), ctx.user.id, contractorId, access)
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
export async function approveWithContractor(ctx: Ctx, { body }: ServiceInput<typeof calls.approveWithContractor>) {
  const { requestIds, contractorId, contractorRoles } = body
  const grant = { contractorId, access: accessOfForm(contractorRoles), newMember: true }
  await checkGrant(ctx as ManagerCtx, grant)
  return decide(ctx, requestIds, { status: 'approved', grant })
}

/** Refuses requests with a reason, which is mailed to their people. Throws 404 and 409 requestDecided. */
export const refuseAccess = (ctx: Ctx, { body }: ServiceInput<typeof calls.refuseAccess>) =>
  decide(ctx, body.requestIds, { status: 'failure', reason: body.reason })

/** Marks requests as duplicates. Throws 404 and 409 requestDecided. */
export const markDuplicate = (ctx: Ctx, { body }: ServiceInput<typeof calls.markDuplicate>) =>
  decide(ctx, body.requestIds, { status: 'duplicate' })

/**
 * Approves requests; their rights are chosen by hand. With a contractor, each person gets these roles there and joins
 * it if necessary; without one, the requests are only marked as approved. Throws as approveWithContractor does, without
 * contractorExists.
 */
export async function allowAccess(ctx: Ctx, { body }: ServiceInput<typeof calls.allowAccess>) {
  const { requestIds, contractorId, contractorRoles } = body
  const access = accessOfForm(contractorRoles)
  if (!contractorId) {
    if (access.length > 0)
      throw new AppError(400, undefined, { errorList: [{ field: 'contractorId', code: 'errorEmpty' }] })
    return decide(ctx, requestIds, { status: 'approved', grant: null })
  }
  const grant = { contractorId, access, newMember: false }
  await checkGrant(ctx as ManagerCtx, grant)
  return decide(ctx, requestIds, { status: 'approved', grant })
}
