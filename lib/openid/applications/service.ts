import { db } from '@/db/client'
import { allMethods } from '@/lib/access/roles/manage'
import { applicationDetails, withMaskedTechnical } from '@/lib/applications/applications/details'
import { applicationEntity } from '@/lib/applications/applications/entity'
import { applicationCaches, lockApplication } from '@/lib/applications/applications/service'
import { audit } from '@/lib/base/audit/audit'
import { changing } from '@/lib/base/audit/change'
import { recorded } from '@/lib/base/audit/entity'
import { methodsHeld, requireAnyMethod, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput, ServiceOutput } from '@/lib/base/contracts/contract'
import { platformHolder } from '@/lib/base/effective-rights/service'
import { AppError, notFound } from '@/lib/base/runtime/errors'
import { replaceLogo } from '@/lib/site/pictures/service'
import { accountClaims, mayUse, scopeClaims } from '../claims/service'
import { clientsOf } from '../clients/manage'
import { usableClient } from '../clients/service'
import { requireUsedMethodsHeld } from '../clients/used-methods'
import { needsConsent } from '../consents/service'
import * as accounts from '../service-accounts/service'
import type * as calls from './contract'
import { countGrants, isClient, removeApplication, selectApplicationMethods, selectServiceMethodNames } from './queries'

const [read, write] = ['applications.read', 'applications.write'] as const

/**
 * Returns an application with its clients. Secrets are reduced to their last characters; for callers who may not change
 * the application, parts of addresses that may be tokens are masked. Needs applications.read. Throws 404.
 */
export async function readApplicationDetails(
  ctx: Ctx,
  { params: { id } }: ServiceInput<typeof calls.readApplicationDetails>,
): Promise<ServiceOutput<typeof calls.readApplicationDetails>> {
  requireMethod(ctx, read)
  const details = await applicationDetails(id)
  const [serviceMethods, sessionCount, holds] = await Promise.all([
    selectServiceMethodNames(id),
    countGrants(id, ctx.now()),
    platformHolder(db(), ctx),
  ])
  const beyond = !serviceMethods.every(holds)
  const editor = !beyond && methodsHeld(ctx).codes.has(write)
  const clients = await clientsOf(id, ctx.now(), editor)
  const methods = serviceMethods.map(({ kind: _, ...method }) => method)
  const application = {
    ...(editor ? details : withMaskedTechnical(details)),
    clients: clients.map((client) => ({
      ...client,
      methods: client.grantTypes.includes('client_credentials') ? methods : [],
    })),
    sessionCount,
    serviceMethods: methods,
    beyond,
  }
  return { application }
}

/**
 * Deletes an application with its clients, its methods and everything that was issued to it. Needs applications.write.
 * Throws 404, 409 applicationFixed for the platform's own one, and outside of the shell for an internal one, 403
 * forbiddenMethods if a role or a service account has a method of it that the caller couldn't take, and what
 * `lockApplication` throws.
 */
export async function deleteApplication(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.deleteApplication>) {
  requireMethod(ctx, write)
  await changing([...applicationCaches, 'methods'], async (tx) => {
    const { serviceMethods, ...row } = await lockApplication(tx, ctx, id, 'itself')
    if (row.immutable || (row.type === 'internal' && !ctx.service?.shell)) throw new AppError(409, 'applicationFixed')
    // roles and service accounts lose the methods of the application
    await requireUsedMethodsHeld(tx, ctx, id, 'forbiddenMethods')
    const methods = serviceMethods.map(({ code }) => code)
    const before = { ...recorded(applicationEntity, row), serviceMethods: methods.length > 0 ? methods : null }
    await removeApplication(tx, id)
    await replaceLogo(tx, ctx, { before: row.iconId, logo: null })
    await audit(tx, ctx, applicationEntity, id, before, null)
  })
  return {}
}

/**
 * Returns the methods that a service account can hold, and which of them the caller may give it: those that the caller
 * holds platform-wide. Needs applications.write.
 */
export async function serviceMethodChoice(ctx: Ctx) {
  requireMethod(ctx, write)
  const [methodRows, holds] = await Promise.all([allMethods(ctx), platformHolder(db(), ctx)])
  const methods = methodRows.flatMap((method) =>
    accounts.isPersonal(method) ? [] : [{ ...method, grantable: holds(method) }],
  )
  return { methods }
}

/**
 * Sets the methods of a service account. Needs applications.write. Throws what the function of service accounts throws.
 */
export async function updateServiceMethods(
  ctx: Ctx,
  { params: { id }, body }: ServiceInput<typeof calls.updateServiceMethods>,
) {
  const { methods, updatedAt } = body
  try {
    await accounts.updateServiceMethods(ctx, { applicationId: id, methodIds: [...new Set(methods)], updatedAt })
  } catch (error) {
    // the contract has another name for the field
    if (!(error instanceof AppError) || !error.data.errorList) throw error
    const errorList = error.data.errorList.map((fault) => ({
      ...fault,
      field: fault.field.replace(/^methodIds/, 'methods'),
    }))
    throw new AppError(error.status, error.code, { ...error.data, errorList })
  }
  return {}
}

/**
 * Returns the claims that a client would get about the caller, and about nobody else (ADR 72). Needs applications.read.
 * Throws 404 for an unknown client. A caller that is a program has no claims.
 */
export async function previewClaims(
  ctx: Ctx,
  { params: { clientId }, query: { scope } }: ServiceInput<typeof calls.previewClaims>,
) {
  requireMethod(ctx, read)
  if (!(await isClient(clientId))) throw notFound()
  const usable = (await usableClient(clientId)) !== null
  const claimsFor = ctx.user ? await accountClaims(ctx.user.id) : null
  const claims = claimsFor ? await claimsFor(scope, clientId) : {}
  const scopes = new Set(scope.split(' '))
  return {
    clientId,
    usable,
    open: ctx.user ? await mayUse(ctx.user.id, clientId) : false,
    consent: await needsConsent(clientId),
    claims: JSON.stringify(claimsOfScopes(claims, scopes), null, 2),
  }
}

/** Returns the claims that these scopes give, as the OpenID Provider does. */
function claimsOfScopes(claims: object, scopes: ReadonlySet<string>) {
  const names = Object.entries(scopeClaims).flatMap(([scope, claimNames]) => (scopes.has(scope) ? claimNames : []))
  return Object.fromEntries(Object.entries(claims).filter(([name]) => names.includes(name)))
}

/** Returns the methods of all applications. Needs the read method of an area whose screens offer them. */
export async function filterMethods(ctx: Ctx, _: ServiceInput<typeof calls.filterMethods>) {
  requireAnyMethod(ctx, ['applications.read', 'roles.read', 'providers.read'])
  const rows = await selectApplicationMethods()
  const ids = [...new Set(rows.map(({ application }) => application.id))]
  return {
    applications: ids.flatMap((id) => {
      const applicationMethods = rows.filter(({ application }) => application.id === id)
      const [first] = applicationMethods
      return first
        ? [{ ...first.application, methods: applicationMethods.map(({ application: __, ...method }) => method) }]
        : []
    }),
  }
}
