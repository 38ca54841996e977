import { type Database, db, type Transaction } from '@/db/client'
import { audit } from '@/lib/base/audit/audit'
import { changing } from '@/lib/base/audit/change'
import { switchEnabled } from '@/lib/base/audit/switch-enabled'
import { cached } from '@/lib/base/cache/cache'
import { holdsMethod, type Method, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { platformHolder } from '@/lib/base/effective-rights/service'
import { AppError, fieldError, notFound } from '@/lib/base/runtime/errors'
import { codesLike, latinCode } from '@/lib/base/text/latin-code'
import type { ApplicationInput, SetApplicationEnabled } from './contract'
import { applicationEntity } from './entity'
import {
  applicationRows,
  insertApplication,
  selectApplication,
  selectApplicationByCode,
  selectEnabledAddresses,
  selectKnownDomains,
  selectServiceMethods,
  standsInside,
  storeDomains,
} from './queries'

/** Names of the caches that a change of an application invalidates. */
export const applicationCaches = ['applications', 'oidc-clients'] as const

/**
 * The level of actionsAccess from which each part of an application is read-only (docs/rules/access.md#applications). A
 * command in the shell changes what an installation needs of a shipped client, such as its secret.
 */
const lockedFrom = { itself: 2, clients: 1 } as const
const shellLockedFrom = 2
type Part = keyof typeof lockedFrom

/**
 * Whether a part is read-only for the caller. Commands may change shipped applications too, but not the platform's own.
 */
const isFixed = (ctx: Ctx, { actionsAccess }: { actionsAccess: number }, part: Part) =>
  actionsAccess >= (ctx.service?.shell ? shellLockedFrom : lockedFrom[part])

const holdsAll = async (run: Database | Transaction, ctx: Ctx, methods: readonly Method[]) =>
  methods.length === 0 || methods.every(await platformHolder(run, ctx))

/**
 * Locks an application for a change of itself or of its clients. Returns it with the methods of its service account.
 * Throws 404; 409 applicationFixed if this part of it is read-only; 403 forbiddenApplication if its service account
 * holds a method that the caller doesn't hold platform-wide: a person who can change an application can act as it.
 */
export async function lockApplication(tx: Transaction, ctx: Ctx, id: string, part: Part) {
  const row = await applicationRows.lock(tx, id)
  if (!row) throw notFound()
  if (isFixed(ctx, row, part)) throw new AppError(409, 'applicationFixed')
  const serviceMethods = await selectServiceMethods(tx, id)
  if (!(await holdsAll(tx, ctx, serviceMethods))) throw new AppError(403, 'forbiddenApplication')
  return { ...row, serviceMethods }
}

/** Returns whether the caller holds each method of an application's service account, which a change of it needs. */
export const holdsApplication = async (ctx: Ctx, id: string): Promise<boolean> =>
  holdsAll(db(), ctx, await selectServiceMethods(db(), id))

/** Returns whether the caller may change this part of an application now, for data that only its editors see. */
export async function mayChangeApplication(ctx: Ctx, id: string, part: Part): Promise<boolean> {
  if (!holdsMethod(ctx, 'applications.write')) return false
  const row = await selectApplication(id)
  if (!row || isFixed(ctx, row.application, part)) return false
  return holdsApplication(ctx, id)
}

type Optional = 'ip' | 'domains' | 'swaggerUrl' | 'helpUrl' | 'compodocUrl' | 'techUrl'
type NewApplication = Omit<ApplicationInput, Optional> & Partial<Pick<ApplicationInput, Optional>>
const texts = ['nameEn', 'descriptionEn', 'swaggerUrl', 'helpUrl', 'compodocUrl', 'techUrl'] as const

/** Returns values as they are stored: null for an empty optional text. */
export const stored = <V extends { [K in (typeof texts)[number]]?: string | undefined }>(values: V) => ({
  ...values,
  ...(Object.fromEntries(texts.map((name) => [name, values[name] || null])) as Record<
    (typeof texts)[number],
    string | null
  >),
})

type Place = { id?: string; type: string; parentId: string | null; domains: readonly string[] }

/**
 * Throws 400 by field for a parent if neither it nor the application is virtual, or if it is below the application
 * itself, and for a domain that doesn't exist. A change of a parent must have locked all applications before.
 */
export async function requirePlace(tx: Transaction, { id, type, parentId, domains }: Place) {
  if (parentId) {
    const parent = parentId === id ? undefined : await applicationRows.lock(tx, parentId)
    if (!parent || (type !== 'virtual' && parent.type !== 'virtual')) throw fieldError('parentId', 'errorParent')
    if (id && (await standsInside(tx, parentId, id))) throw fieldError('parentId', 'errorParent')
  }
  const existingIds = await selectKnownDomains(tx, domains)
  const index = domains.findIndex((domain) => !existingIds.has(domain))
  if (index >= 0) throw fieldError(`domains.${index}`, 'errorDomain')
}

/**
 * Creates an application, the last in the order of menus. Returns its id and code. An application of type internal is
 * part of an installation: only a command in the shell can create it, and its clients are read-only afterwards. Needs
 * applications.write. Throws 400 by field: for a code that another one has, and for a type or a parent that isn't
 * allowed.
 */
export async function createApplication(ctx: Ctx, input: NewApplication) {
  requireMethod(ctx, 'applications.write')
  const { type, code, parentId, domains = [], ip = [], ...fields } = input
  const internal = type === 'internal'
  if (internal && !ctx.service?.shell) throw fieldError('type', 'errorInternal')
  return changing(applicationCaches, async (tx) => {
    await requirePlace(tx, { type, parentId, domains })
    const values = { ...stored(fields), ip, type, parentId, actionsAccess: internal ? 1 : 0 }
    for (const candidate of code ? [code] : codesLike(latinCode(fields.name, 'application'))) {
      const row = await insertApplication(tx, { ...values, code: candidate, createdAt: ctx.now() })
      if (!row) continue
      await storeDomains(tx, row.id, domains)
      await audit(tx, ctx, applicationEntity, row.id, null, { ...values, domains, code: candidate })
      return row
    }
    throw fieldError('code', 'errorUnique')
  })
}

/** Returns the id of the application with this code; null if there is none. */
export const applicationId = async (code: string): Promise<string | null> =>
  (await selectApplicationByCode(code))?.id ?? null

/**
 * Enables or disables an application. Menus show a disabled one as unavailable; its clients and its service account are
 * refused at once. Needs applications.write. Throws 404, 409 applicationFixed, 409 if somebody has changed it since
 * `updatedAt`, and 403 forbiddenApplication.
 */
export async function setApplicationEnabled(ctx: Ctx, { id, ...body }: SetApplicationEnabled) {
  requireMethod(ctx, 'applications.write')
  await changing(applicationCaches, async (tx) => {
    await lockApplication(tx, ctx, id, 'itself')
    await switchEnabled(tx, ctx, { params: { id }, body }, { ...applicationRows, entity: applicationEntity })
  })
}

/** Returns the origins of the enabled applications' addresses, cached. */
const applicationOrigins = () =>
  cached('applications:origins', async () => {
    const rows = await selectEnabledAddresses()
    return new Set(rows.flatMap(({ url }) => (url && URL.canParse(url) ? [new URL(url).origin] : [])))
  })

/** Returns whether an absolute http(s) address has the origin of an enabled application. */
export async function isApplicationAddress(address: string): Promise<boolean> {
  if (address.length > 2048 || !/^https?:\/\/[^\\\s]+$/i.test(address) || !URL.canParse(address)) return false
  const { origin, username, password } = new URL(address)
  return !username && !password && (await applicationOrigins()).has(origin)
}
