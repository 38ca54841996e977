import { db, type Transaction } from '@/db/client'
import { audit } from '@/lib/base/audit/audit'
import { changing } from '@/lib/base/audit/change'
import { requireVersion } from '@/lib/base/audit/conflict'
import { recorded } from '@/lib/base/audit/entity'
import { callerId, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { onBroken } from '@/lib/base/postgres/constraints'
import { AppError, type FieldError, fieldError } from '@/lib/base/runtime/errors'
import { apiAddress, requireMovable, requireOwnAddress } from './address'
import type * as calls from './contract'
import { isShowable } from './contract'
import { applicationEntity } from './entity'
import {
  applicationRows,
  hasChildren,
  lockInOrder,
  lockOwnMethods,
  selectApplication,
  selectApplicationPage,
  selectDomainIds,
  selectInOrder,
  selectOwnMethods,
  storeDomains,
  storeOwnMethods,
} from './queries'
import * as applications from './service'

const { applicationCaches, lockApplication, requirePlace, stored } = applications
const [read, write] = ['applications.read', 'applications.write'] as const
type Row = Awaited<ReturnType<typeof selectApplicationPage>>['rows'][number]['application']

/** Returns an application as answers show it. */
export const shownApplication = ({
  application: row,
  clientId,
  clientCount,
}: {
  application: Row
  clientId: string | null
  clientCount: number
}) => ({
  id: row.id,
  type: row.type,
  enabled: row.enabled,
  code: row.code,
  name: row.name,
  nameEn: row.nameEn ?? '',
  url: row.url,
  version: row.version,
  description: row.description,
  descriptionEn: row.descriptionEn ?? '',
  menuVisible: row.menuVisible,
  order: row.order,
  parentId: row.parentId,
  iconId: row.iconId,
  immutable: row.immutable,
  actionsAccess: row.actionsAccess,
  clientId,
  clientCount,
  updatedAt: row.updatedAt.toISOString(),
})

/** Returns one page of applications. Needs applications.read. */
export async function listApplications(ctx: Ctx, { query }: ServiceInput<typeof calls.listApplications>) {
  requireMethod(ctx, read)
  const { rows, meta } = await selectApplicationPage(query, callerId(ctx), ctx.user?.pagination ?? null, ctx.locale)
  return { applications: rows.map(shownApplication), meta }
}

/** Returns all applications in the order of menus. Needs applications.read. */
export async function orderedApplications(ctx: Ctx) {
  requireMethod(ctx, read)
  return selectInOrder(db())
}

/** Returns the names of an application; null for an unknown id. Needs applications.read. */
export async function applicationNamed(ctx: Ctx, id: string) {
  requireMethod(ctx, read)
  const row = await selectApplication(id)
  return row ? { id, name: row.application.name, nameEn: row.application.nameEn } : null
}

/** Creates an application. Needs applications.write. Throws what `createApplication` of the service throws. */
export async function createApplication(ctx: Ctx, { body }: ServiceInput<typeof calls.createApplication>) {
  return applications.createApplication(ctx, body)
}

const constraintErrors = { applications_code: () => fieldError('code', 'errorUnique') }

/**
 * Replaces the fields of an application. Code and type of a shipped application can't change. Needs applications.write.
 * Throws 400 by field, 404, 409 if somebody saved it since, for another address 403 forbiddenAddress and 409
 * addressOfApi, and what `lockApplication` throws.
 */
export async function updateApplication(
  ctx: Ctx,
  { params: { id }, body }: ServiceInput<typeof calls.updateApplication>,
) {
  requireMethod(ctx, write)
  const { updatedAt, domains, ...input } = body
  await onBroken(constraintErrors, () =>
    changing(applicationCaches, async (tx) => {
      // changes of parents run one after another, because two valid changes could make a ring; so do changes of
      // addresses, because two of them could set the same address
      if (input.parentId || input.url) await lockInOrder(tx)
      const { serviceMethods: _, ...row } = await lockApplication(tx, ctx, id, 'itself')
      await requireVersion(tx, ctx, applicationEntity, { id, row, updatedAt })
      const fixed = row.immutable || row.type === 'internal'
      if (input.type !== row.type && (fixed || input.type === 'internal')) throw fieldError('type', 'errorInternal')
      if (row.immutable && input.code !== row.code) throw fieldError('code', 'errorCodeFixed')
      if (row.type === 'virtual' && input.type !== 'virtual' && (await hasChildren(tx, id)))
        throw fieldError('type', 'errorVirtualUsed')
      await requirePlace(tx, { id, type: input.type, parentId: input.parentId, domains })
      if (apiAddress(input.url) !== apiAddress(row.url)) {
        await requireMovable(tx, ctx, await lockUsedMethods(tx, id))
        await requireOwnAddress(tx, id, input.url)
      }
      const values = stored(input)
      const currentDomains = await selectDomainIds(tx, id)
      const before = { ...recorded(applicationEntity, row), domains: currentDomains }
      const after = { ...before, ...recorded(applicationEntity, { ...row, ...values }), domains: [...domains].sort() }
      if (!(await audit(tx, ctx, applicationEntity, id, before, after))) return
      await applicationRows.update(tx, id, values)
      await storeDomains(tx, id, domains)
    }),
  )
  return {}
}

/** Enables or disables an application. Needs applications.write. Throws what `setApplicationEnabled` throws. */
export async function enableApplication(
  ctx: Ctx,
  { params: { id }, body }: ServiceInput<typeof calls.enableApplication>,
) {
  await applications.setApplicationEnabled(ctx, { id, ...body })
  return {}
}

/**
 * Shows an application in menus, or hides it. Needs applications.write. Throws 400 errorMenuVisible for one that menus
 * can't show, 404, 409 if somebody saved it since, and what `lockApplication` throws.
 */
export async function showApplication(ctx: Ctx, { params: { id }, body }: ServiceInput<typeof calls.showApplication>) {
  requireMethod(ctx, write)
  const { menuVisible, updatedAt } = body
  await changing(applicationCaches, async (tx) => {
    const row = await lockApplication(tx, ctx, id, 'itself')
    await requireVersion(tx, ctx, applicationEntity, { id, row, updatedAt })
    if (menuVisible && !isShowable(row)) throw fieldError('menuVisible', 'errorMenuVisible')
    const before = { menuVisible: row.menuVisible }
    if (await audit(tx, ctx, applicationEntity, id, before, { menuVisible }))
      await applicationRows.update(tx, id, { menuVisible })
  })
  return {}
}

/**
 * Stores the order in which menus show the applications. Needs applications.write. Throws 409 if the body doesn't name
 * each of them once, and if their order has changed since it was read.
 */
export async function orderApplications(ctx: Ctx, { body }: ServiceInput<typeof calls.orderApplications>) {
  requireMethod(ctx, write)
  await changing(applicationCaches, async (tx) => {
    await lockInOrder(tx)
    const rows = await selectInOrder(tx)
    const orderedIds = [...body.order].sort((first, second) => first.order - second.order).map(({ id }) => id)
    const existingIds = new Set(rows.map(({ id }) => id))
    const isComplete = orderedIds.length === rows.length && new Set(orderedIds).size === rows.length
    if (!isComplete || !orderedIds.every((id) => existingIds.has(id))) throw new AppError(409)
    if (body.read && body.read.join() !== rows.map(({ id }) => id).join()) throw new AppError(409)
    const before = new Map(rows.map(({ id, order }) => [id, order]))
    for (const [order, id] of orderedIds.entries()) {
      const orderBefore = before.get(id)
      if (orderBefore === order) continue
      await applicationRows.update(tx, id, { order })
      await audit(tx, ctx, applicationEntity, id, { order: orderBefore }, { order })
    }
  })
  return {}
}

/** Returns the ids of an application's methods that roles or service accounts have, and locks its methods. */
export async function lockUsedMethods(tx: Transaction, applicationId: string): Promise<string[]> {
  await lockOwnMethods(tx, applicationId)
  const ownMethods = await selectOwnMethods(tx, applicationId)
  return ownMethods.flatMap(({ id, roles, accounts }) => (roles + accounts > 0 ? [id] : []))
}

/**
 * Replaces an application's own methods, which its tokens name. Needs applications.write. Throws 400 errorMethodUnknown
 * for an unknown id, 404, 409 methodUsed if a role or a service account has a method that is left out or gets another
 * code, 409 addressOfApi, 409 if somebody saved the application since, and what `lockApplication` throws.
 */
export async function updateApplicationMethods(
  ctx: Ctx,
  { params: { id }, body }: ServiceInput<typeof calls.updateApplicationMethods>,
) {
  requireMethod(ctx, write)
  await changing([...applicationCaches, 'methods'], async (tx) => {
    await lockInOrder(tx)
    const row = await lockApplication(tx, ctx, id, 'itself')
    await requireVersion(tx, ctx, applicationEntity, { id, row, updatedAt: body.updatedAt })
    // no role and no service account can get one of them before the commit
    await lockOwnMethods(tx, id)
    const ownMethods = await selectOwnMethods(tx, id)
    const byId = new Map(ownMethods.map((method) => [method.id, method]))
    const unknown = body.methods.flatMap(({ id: methodId }, index): FieldError[] =>
      methodId && !byId.has(methodId) ? [{ field: `methods.${index}.id`, code: 'errorMethodUnknown' }] : [],
    )
    if (unknown.length > 0) throw new AppError(400, undefined, { errorList: unknown })
    const newMethods = new Map(body.methods.map((method) => [method.id, method]))
    const removed = ownMethods.filter((method) => !newMethods.has(method.id))
    const isKept = (method: (typeof ownMethods)[number]) => newMethods.get(method.id)?.code === method.code
    if (ownMethods.some((method) => method.roles + method.accounts > 0 && !isKept(method)))
      throw new AppError(409, 'methodUsed')
    const written = body.methods.map(({ nameEn, ...method }) => ({ ...method, nameEn: nameEn || null }))
    const add = written.flatMap(({ id: methodId, ...method }) => (methodId ? [] : [method]))
    const change = written.flatMap(({ id: methodId, ...method }) => {
      const before = methodId ? byId.get(methodId) : undefined
      const isSame =
        before && before.code === method.code && before.name === method.name && before.nameEn === method.nameEn
      return methodId && !isSame ? [{ id: methodId, ...method }] : []
    })
    if (add.length + change.length + removed.length === 0) return
    const isNewCode = ({ id: methodId, code }: (typeof written)[number]) =>
      !methodId || byId.get(methodId)?.code !== code
    if (written.some(isNewCode)) await requireOwnAddress(tx, id, row.url)
    const texts = (list: readonly { code: string; name: string }[]) =>
      list.map(({ code, name }) => `${code}: ${name}`).sort()
    await audit(tx, ctx, applicationEntity, id, { methods: texts(ownMethods) }, { methods: texts(written) })
    await storeOwnMethods(tx, id, { add, change, remove: removed.map((method) => method.id) })
  })
  return {}
}
