import type { Transaction } from '@/db/client'
import { holdsMethod, requireMethod } from '@/lib/kernel/access'
import { cached } from '@/lib/kernel/cache'
import { changing } from '@/lib/kernel/change'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError, fieldError, notFound } from '@/lib/kernel/errors'
import { codesLike, latinCode } from '@/lib/kernel/latin-code'
import { record } from '@/lib/kernel/record/record'
import { switchEnabled } from '@/lib/kernel/toggle'
import type { ApplicationInput, SetApplicationEnabled } from './contract'
import { applicationEntity } from './entity'
import {
  applicationByCode,
  applicationRows,
  enabledAddresses,
  insertApplication,
  lockApplication,
  serviceMethodsOf,
} from './queries'

/** What a change of an application makes every process read anew. */
export const applicationCaches = ['applications', 'oidc-clients'] as const

/**
 * From which level of an application's actionsAccess on its parts can't be changed (docs/rules/access.md#applications).
 * Secrets don't come with an application: each installation has its own, and must be able to replace one that got out.
 */
const lockedFrom = { itself: 2, clients: 1, secrets: 2 } as const
const shellLockedFrom = 2

/**
 * Holds an application for a change of itself or of its clients; gives it with its service account's methods. Throws
 * 404; 409 when this part of it comes as it is; 403 forbiddenApplication when its service account holds a method that
 * the caller lacks: who could change it could act as it.
 */
export async function holdApplication(tx: Transaction, ctx: Ctx, id: string, part: keyof typeof lockedFrom) {
  const row = await lockApplication(tx, id)
  if (!row) throw notFound()
  // whoever installs applications at the shell ships them; the platform's own stays as it is
  if (row.actionsAccess >= (ctx.service?.shell ? shellLockedFrom : lockedFrom[part]))
    throw new AppError(409, 'applicationFixed')
  const serviceMethods = await serviceMethodsOf(tx, id)
  if (!serviceMethods.every((method) => holdsMethod(ctx, method))) throw new AppError(403, 'forbiddenApplication')
  return { ...row, serviceMethods }
}

/**
 * Creates an application behind the others; returns its id and code. One of type internal comes with an installation,
 * so it is created at the shell alone, and its clients are read-only afterwards. Needs applications.write. Throws 400
 * by field: for a code that is taken, a type or a parent that can't be.
 */
export async function createApplication(ctx: Ctx, input: ApplicationInput) {
  requireMethod(ctx, 'applications.write')
  const { type, code, nameEn, parentId, ...rest } = input
  const internal = type === 'internal'
  if (internal && !ctx.service?.shell) throw fieldError('type', 'errorInternal')
  return changing(applicationCaches, async (tx) => {
    if (parentId && (await lockApplication(tx, parentId))?.type !== 'virtual')
      throw fieldError('parentId', 'errorParent')
    const values = { ...rest, type, nameEn: nameEn || null, parentId, actionsAccess: internal ? 1 : 0 }
    for (const free of code ? [code] : codesLike(latinCode(rest.name, 'application'))) {
      const row = await insertApplication(tx, { ...values, code: free, createdAt: ctx.now() })
      if (!row) continue
      await record(tx, ctx, applicationEntity, row.id, null, { ...values, code: free })
      return row
    }
    throw fieldError('code', 'errorUnique')
  })
}

/** The id of the application with this code; null when there is none. */
export const applicationId = async (code: string): Promise<string | null> => (await applicationByCode(code))?.id ?? null

/**
 * Opens or closes an application: closed, it is in no menu as usable, and its clients and its service account are
 * refused at once. Needs applications.write. Throws 404, 409 applicationFixed, 409 if somebody
 * changed it since `updatedAt`, 403 forbiddenApplication.
 */
export async function setApplicationEnabled(ctx: Ctx, { id, ...body }: SetApplicationEnabled) {
  requireMethod(ctx, 'applications.write')
  await changing(applicationCaches, async (tx) => {
    await holdApplication(tx, ctx, id, 'itself')
    await switchEnabled(tx, ctx, { params: { id }, body }, { ...applicationRows, entity: applicationEntity })
  })
}

/** Origins of the enabled applications' addresses. */
const applicationOrigins = () =>
  cached('applications:origins', async () => {
    const rows = await enabledAddresses()
    return new Set(rows.flatMap(({ url }) => (url && URL.canParse(url) ? [new URL(url).origin] : [])))
  })

/** Whether an absolute http(s) address belongs to a registered application. */
export async function isApplicationAddress(address: string): Promise<boolean> {
  if (address.length > 2048 || !/^https?:\/\/[^\\\s]+$/i.test(address) || !URL.canParse(address)) return false
  const { origin, username, password } = new URL(address)
  return !username && !password && (await applicationOrigins()).has(origin)
}
