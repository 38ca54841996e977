import type { Transaction } from '@/db/client'
import { holdsMethod, requireMethod } from '@/lib/kernel/access'
import { audit } from '@/lib/kernel/audit'
import { cached } from '@/lib/kernel/cache'
import { changing } from '@/lib/kernel/change'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError, notFound } from '@/lib/kernel/errors'
import type { SetApplicationEnabled } from './contract'
import { enabledAddresses, lockApplication, serviceMethodsOf, storeEnabled } from './queries'

/** What a change of an application makes every process read anew. */
export const applicationCaches = ['applications', 'oidc-clients'] as const

/**
 * From which level of an application's actionsAccess on its parts can't be changed (decisions.md section 3). Secrets
 * don't come with an application: each installation has its own, and must be able to replace one that got out.
 */
const lockedFrom = { itself: 2, clients: 1, secrets: 2 } as const

/**
 * Holds an application for a change of itself or of its clients; gives it with its service account's methods. Throws
 * 404; 409 when this part of it comes as it is; 403 forbiddenApplication when its service account holds a method that
 * the caller lacks: who could change it could act as it.
 */
export async function holdApplication(tx: Transaction, ctx: Ctx, id: string, part: keyof typeof lockedFrom) {
  const row = await lockApplication(tx, id)
  if (!row) throw notFound()
  if (row.actionsAccess >= lockedFrom[part]) throw new AppError(409, 'applicationFixed')
  const serviceMethods = await serviceMethodsOf(tx, id)
  if (!serviceMethods.every((method) => holdsMethod(ctx, method))) throw new AppError(403, 'forbiddenApplication')
  return { ...row, serviceMethods }
}

/**
 * Opens or closes an application: closed, it is in no menu as usable, and its clients and its service account are
 * refused at once. Needs applications.write. Throws 404, 409 applicationFixed, 403 forbiddenApplication.
 */
export async function setApplicationEnabled(ctx: Ctx, { id, enabled }: SetApplicationEnabled) {
  requireMethod(ctx, 'applications.write')
  await changing(applicationCaches, async (tx) => {
    const before = await holdApplication(tx, ctx, id, 'itself')
    if (before.enabled === enabled) return
    await storeEnabled(tx, id, enabled)
    const changes = { enabled: { previous: before.enabled, current: enabled } }
    await audit(tx, ctx, { type: 'update', entity: 'applications', entityId: id, changes })
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
