import { db, type Transaction } from '@/db/client'
import { lockEnabledAccount } from '@/lib/accounts/users/own'
import { userServices } from '@/lib/applications/menu/service'
import { audit } from '@/lib/base/audit/audit'
import { invalidate } from '@/lib/base/cache/cache'
import { callerId, requireMethod, requireUser } from '@/lib/base/context/access'
import type { Ctx, CtxUser } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { digest } from '@/lib/base/crypto/encryption'
import { emit } from '@/lib/base/events/events'
import { type Counter, loaded } from '@/lib/base/frame/badges'
import { takePoints, takeWithHidden } from '@/lib/base/limits/limits'
import { AppError, type FieldError, notFound } from '@/lib/base/runtime/errors'
import { showsContact } from '@/lib/fields/profile-fields/service'
import { sendMail } from '@/lib/messaging/sender/service'
import { platformSettings } from '@/lib/site/settings/service'
import { isKppWithoutCompany } from '../contractors/contract'
import { managedBy, requestRecipients } from '../managers/service'
import type * as calls from './contract'
import { isEmptyRow } from './contract'
import { requestDecided } from './decided'
import { accessRequestEntity } from './entity'
import {
  type AccessRequestRow,
  accessRequestRows,
  countUndecided,
  insertRequest,
  isEmailRefused,
  selectContractorRoles,
  selectRequestedRoles,
  selectRequestPage,
  selectUndecidedCompanies,
} from './queries'

type PageRow = Awaited<ReturnType<typeof selectRequestPage>>['rows'][number]
type RequestedRoles = Awaited<ReturnType<typeof selectRequestedRoles>>

const answerOf = ({ request, contractor }: PageRow, roles: RequestedRoles): calls.AccessRequest => ({
  requestId: request.id,
  requestDate: request.createdAt.toISOString(),
  responseDate: request.finishedAt?.toISOString() ?? null,
  requestCompanyName: request.name,
  requestCompanyInn: request.inn,
  requestCompanyKpp: request.kpp ?? '',
  requestCompanyRoles: roles.flatMap(({ requestId, ...role }) => (requestId === request.id ? [role] : [])),
  responseCompanyName: contractor?.name ?? null,
  responseCompanyInn: contractor?.inn ?? null,
  responseCompanyTax: contractor?.tax ?? null,
  status: request.status,
  reason: request.reason,
})

const rolesOf = async (rows: readonly PageRow[], locale: string): Promise<RequestedRoles> =>
  rows.length > 0
    ? selectRequestedRoles(
        rows.map(({ request }) => request.id),
        locale,
      )
    : []

/** Returns one page of the access requests of a person. It checks no access. */
export async function requestPageOf(
  ctx: Ctx,
  userId: string,
  query: ServiceInput<typeof calls.listAccessRequests>['query'],
) {
  const { rows, meta } = await selectRequestPage({ own: userId }, query, callerId(ctx), ctx.user?.pagination ?? null)
  const roles = await rolesOf(rows, ctx.locale)
  return { requests: rows.map((row) => answerOf(row, roles)), meta }
}

/** Returns one page of the access requests of the signed-in person. Throws 401. */
export async function listAccessRequests(ctx: Ctx, { query }: ServiceInput<typeof calls.listAccessRequests>) {
  requireUser(ctx)
  return requestPageOf(ctx, ctx.user.id, query)
}

/**
 * Returns one page of the requests of others on which the caller may decide: those that name a contractor that they
 * manage (docs/rules/access-requests.md#who-decides). Needs masterAccountAccess.
 */
export async function listIncomingRequests(ctx: Ctx, { query }: ServiceInput<typeof calls.listIncomingRequests>) {
  requireUser(ctx)
  requireMethod(ctx, 'masterAccountAccess')
  const { id, pagination } = ctx.user as CtxUser
  const [managed, email] = await Promise.all([managedBy(id), showsContact('email')])
  const scope = { manager: id, managed, email }
  const { rows, meta } = await selectRequestPage(scope, query, callerId(ctx), pagination)
  const roles = await rolesOf(rows, ctx.locale)
  const requests = rows.map((row) => ({ ...answerOf(row, roles), user: row.user, decider: row.decider }))
  return { requests, meta }
}

/** The number beside the page in the menu: how many requests a manager has to decide on, up to 100. */
export const waitingRequests: Counter<number> = {
  cache: 'waiting-requests',
  own: true,
  method: 'masterAccountAccess',
  load: async (userId) => countUndecided(userId, await managedBy(userId)),
  count: (waiting) => waiting,
}

/** Returns how many requests the caller has to decide on, up to 100. Needs masterAccountAccess. */
export async function countWaiting(ctx: Ctx): Promise<number> {
  requireUser(ctx)
  requireMethod(ctx, 'masterAccountAccess')
  return loaded(waitingRequests, ctx.user.id)
}

/**
 * Returns the roles that can be asked for: the enabled contractor roles, each with the services of this domain that its
 * methods open. Throws 401.
 */
export async function listAvailableRoles(ctx: Ctx) {
  requireUser(ctx)
  const [rows, services] = await Promise.all([selectContractorRoles(ctx.locale), allServices(ctx)])
  return {
    roles: rows.map(({ applicationIds, ...role }) => ({
      ...role,
      roleType: 'contractor' as const,
      services: services
        .filter(({ id }) => applicationIds.includes(id))
        .map(({ code, title, titleEn }) => ({ code, title, titleEn })),
    })),
  }
}

/** Returns the services of this domain that the caller can't open and for which they can ask. Throws 401. */
export async function requestableServices(ctx: Ctx) {
  requireUser(ctx)
  const [{ roles }, openServices] = await Promise.all([listAvailableRoles(ctx), userServices(ctx.user, ctx.domain)])
  const openCodes = new Set(openServices.map(({ code }) => code))
  const servicesByCode = new Map(roles.flatMap(({ services }) => services.map((service) => [service.code, service])))
  return [...servicesByCode.values()].filter(({ code }) => !openCodes.has(code))
}

/** Returns all services of the domain, also those that the caller can't open. */
const allServices = async ({ domain }: Ctx) => userServices('anybody', domain)

type Company = { inn: string; kpp: string | null }
const keyOf = ({ inn, kpp }: Company) => `${inn} ${kpp ?? ''}`

/**
 * Returns whether two requests may be about the same company. Requests from before a kpp was needed have none, and may
 * be about a company with any kpp.
 */
const mayBeSame = (a: Company, b: Company) => a.inn === b.inn && (a.kpp === b.kpp || !a.kpp || !b.kpp)

type RequestedRow = { at: number; company: calls.AskedCompany }

/** Returns the faults of the form, by field. */
async function faultsOf(rows: readonly RequestedRow[]): Promise<FieldError[]> {
  const knownRoleIds = new Set((await selectContractorRoles('ru')).map(({ roleId }) => roleId))
  const companyKeys = new Set<string>()
  return rows.flatMap(({ at, company }) => {
    const faults: FieldError[] = []
    const add = (field: string, code: string) => faults.push({ field: `companies.${at}.${field}`, code })
    if (company.name === '') add('name', 'errorEmpty')
    if (company.inn === '') add('inn', 'errorEmpty')
    else if (isKppWithoutCompany(company)) add('kpp', 'errorKppInn')
    else if (companyKeys.has(keyOf(company))) add('inn', 'errorRepeated')
    companyKeys.add(keyOf(company))
    if (!company.roles.every((id) => knownRoleIds.has(id))) add('roles', 'errorRole')
    return faults
  })
}

/** The limit of the requests of one person, so that nobody fills the lists and mailboxes of managers. */
const limitOf = (userId: string) => ({
  name: 'access-requests',
  key: userId,
  tiers: [{ points: 30, duration: 86_400 }],
})

/**
 * Asks for access to companies, a request for each; all or none (docs/rules/access-requests.md#asking). Empty rows
 * after the first one are left out. The people who may decide get a mail. Throws 401, 400 by field, 403
 * accessRequestsOff, 409 requestConsidered with the fields of companies for which the person has an undecided request,
 * 429.
 */
export async function createAccessRequests(ctx: Ctx, { body }: ServiceInput<typeof calls.createAccessRequests>) {
  requireUser(ctx)
  const { user } = ctx
  if (!(await platformSettings()).accessRequests) throw new AppError(403, 'accessRequestsOff')
  const requested = body.companies
    .map((company, at) => ({ at, company: { ...company, roles: [...new Set(company.roles)] } }))
    .filter(({ at, company }) => at === 0 || !isEmptyRow(company))
  const errorList = await faultsOf(requested)
  if (errorList.length > 0) throw new AppError(400, undefined, { errorList })
  await takePoints(limitOf(user.id))
  const showsEmail = await showsContact('email')
  const { rows, notified } = await db().transaction(async (tx) => {
    const notified = await recipientsOf(tx, requested)
    const account = await lockEnabledAccount(
      tx,
      user.id,
      notified.map(({ id }) => id),
    )
    const undecided = await selectUndecidedCompanies(
      tx,
      user.id,
      requested.map(({ company }) => columnsOf(company)),
    )
    const repeated = requested.filter(({ company }) =>
      undecided.some((undecidedCompany) => mayBeSame(undecidedCompany, columnsOf(company))),
    )
    if (repeated.length > 0) {
      const fields = repeated.map(({ at }) => ({ field: `companies.${at}.inn`, code: 'requestConsidered' }))
      throw new AppError(409, 'requestConsidered', { errorList: fields })
    }
    const rows: AccessRequestRow[] = []
    for (const { company } of requested) {
      const values = { userId: user.id, domainId: ctx.domain.id, createdAt: ctx.now(), ...columnsOf(company) }
      const row = await insertRequest(tx, values, company.roles)
      rows.push(row)
      const { userId, name, inn, kpp, status } = row
      await audit(tx, ctx, accessRequestEntity, row.id, null, { userId, name, inn, kpp, roles: company.roles, status })
    }
    // managers don't learn logins
    const email = showsEmail && !(await isEmailRefused(tx, user.id)) ? (account.email ?? '') : ''
    const person = account.fio || email
    const notifiedIds = await mailRecipients(tx, ctx, rows, { recipients: notified, person, email, userId: user.id })
    await invalidate(tx, 'waiting-requests')
    return { rows, notified: await emit(tx, ctx, 'accessRequested', { userIds: notifiedIds, person }) }
  })
  await notified()
  return { requests: rows.map(({ id }) => ({ requestId: id })) }
}

const columnsOf = ({ name, inn, kpp }: calls.AskedCompany) => ({ name, inn, kpp: kpp || null })

/**
 * The limit of mails to one address about the requests of one person: with another kpp, each request is about another
 * company.
 */
const mailLimit = (userId: string, to: string) => ({
  name: 'access-request-mails',
  key: `${userId} ${digest(to)}`,
  tiers: [{ points: 5, duration: 86_400 }],
})
const mayMail = (userId: string, to: string) => takeWithHidden([], [mailLimit(userId, to.toLowerCase())])

type Recipients = Awaited<ReturnType<typeof recipientsOf>>

/** Returns the accounts that are notified of requests for these companies. */
async function recipientsOf(tx: Transaction, rows: readonly RequestedRow[]) {
  const { accessRequestsNotifyRecipients: setting } = await platformSettings()
  return requestRecipients(tx, setting.users, [...new Set(rows.map(({ company }) => company.inn))])
}

/**
 * Mails each recipient the companies that concern them, unless they got too many mails about this person today. Returns
 * the ids of the accounts that got a mail.
 */
async function mailRecipients(
  tx: Transaction,
  ctx: Ctx,
  rows: readonly AccessRequestRow[],
  { recipients, person, email, userId }: { recipients: Recipients; person: string; email: string; userId: string },
): Promise<string[]> {
  const { accessRequestsNotifyRecipients: setting } = await platformSettings()
  const companyNames = rows.map(({ name }) => name)
  const mails = new Map<
    string,
    { to: string; id: string | null; name: string; locale: string | null; companies: Set<string> }
  >()
  for (const to of setting.emails)
    mails.set(to.toLowerCase(), { to, id: null, name: '', locale: null, companies: new Set(companyNames) })
  for (const { id, email: to, firstName, locale, inn } of recipients) {
    if (id === userId) continue
    const mail = mails.get(to.toLowerCase()) ?? { to, id, name: firstName, locale, companies: new Set<string>() }
    const rowsForRecipient = inn === null ? rows : rows.filter((row) => row.inn === inn)
    for (const row of rowsForRecipient) mail.companies.add(row.name)
    mails.set(to.toLowerCase(), { ...mail, id })
  }
  const mailsWithinLimit = await Promise.all(
    [...mails.values()].map(async (mail) => ((await mayMail(userId, mail.to)) ? [mail] : [])),
  )
  for (const { to, id, name, locale, companies } of mailsWithinLimit.flat())
    await sendMail(tx, ctx, {
      template: 'accessRequested',
      to,
      userId: id,
      locale,
      values: { name, person, email, companies: [...companies], link: `${ctx.domain.origin}${incomingPath}` },
    })
  return [...new Set(mailsWithinLimit.flat().flatMap(({ id }) => id ?? []))]
}

/** The page of the requests that a manager has to decide on. */
const incomingPath = '/platform/profile/requests/access?tab=incoming'

/**
 * Revokes a request of the signed-in person that is not decided yet. Throws 401, 404 for one of somebody else, and 409
 * requestDecided.
 */
export async function revokeAccessRequest(
  ctx: Ctx,
  { params: { requestId } }: ServiceInput<typeof calls.revokeAccessRequest>,
) {
  requireUser(ctx)
  const userId = ctx.user.id
  await db().transaction(async (tx) => {
    await lockEnabledAccount(tx, userId)
    const row = await accessRequestRows.lock(tx, requestId)
    if (row?.userId !== userId) throw notFound()
    if (row.status !== 'considered') throw await requestDecided(tx, ctx, row)
    await accessRequestRows.update(tx, requestId, { status: 'remove', finishedAt: ctx.now() })
    await audit(tx, ctx, accessRequestEntity, requestId, { status: row.status }, { status: 'remove' })
    await invalidate(tx, 'waiting-requests')
  })
  return {}
}
