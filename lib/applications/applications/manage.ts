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
  hasChildren,
  lockInOrder,
  lockOwnMethods,
  selectApplication,
  selectApplicationPage,
  selectDomainIds,
  selectInOrder,
  selectOwnMethods,
  storeApplication,
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

const broken = { applications_code: () => fieldError('code', 'errorUnique') }

/**
 * Replaces the fields of an application. Needs applications.write. Throws 400 by field, 404, 409 if somebody saved it
 * since, for another address 403 forbiddenAddress and 409 addressOfApi, and what `lockApplication` throws. Code and type of
 * a shipped application stay.
 */
export async function updateApplication(
  ctx: Ctx,
  { params: { id }, body }: ServiceInput<typeof calls.updateApplication>,
) {
  requireMethod(ctx, write)
  const { updatedAt, domains, ...input } = body
  await onBroken(broken, () =>
    changing(applicationCaches, async (tx) => {
      // changes of parents run one after another: several that are harmless alone could make a ring together; so do
      // changes of addresses, of which two could be the same
      if (input.parentId || input.url) await lockInOrder(tx)
      const { serviceMethods: _, ...row } = await lockApplication(tx, ctx, id, 'itself')
      await requireVersion(tx, ctx, applicationEntity, { read, id, row, updatedAt })
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
      const shown = await selectDomainIds(tx, id)
      const before = { ...recorded(applicationEntity, row), domains: shown }
      const after = { ...before, ...recorded(applicationEntity, { ...row, ...values }), domains: [...domains].sort() }
      if (!(await audit(tx, ctx, applicationEntity, id, before, after))) return
      await storeApplication(tx, id, values)
      await storeDomains(tx, id, domains)
    }),
  )
  return {}
}

/** Switches an application on or off. Needs applications.write. Throws what `setApplicationEnabled` throws. */
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
    await requireVersion(tx, ctx, applicationEntity, { read, id, row, updatedAt })
    if (menuVisible && !isShowable(row)) throw fieldError('menuVisible', 'errorMenuVisible')
    const before = { menuVisible: row.menuVisible }
    if (await audit(tx, ctx, applicationEntity, id, before, { menuVisible }))
      await storeApplication(tx, id, { menuVisible })
  })
  return {}
}

/**
 * Orders the applications, as menus show them. Needs applications.write. Throws 409 if the body doesn't name each of them
 * once, and if their order isn't the one that was read.
 */
export async function orderApplications(ctx: Ctx, { body }: ServiceInput<typeof calls.orderApplications>) {
  requireMethod(ctx, write)
  await changing(applicationCaches, async (tx) => {
    await lockInOrder(tx)
    const rows = await selectInOrder(tx)
    const wanted = [...body.order].sort((one, other) => one.order - other.order).map(({ id }) => id)
    const known = new Set(rows.map(({ id }) => id))
    const whole = wanted.length === rows.length && new Set(wanted).size === rows.length
    if (!whole || !wanted.every((id) => known.has(id))) throw new AppError(409)
    if (body.read && body.read.join() !== rows.map(({ id }) => id).join()) throw new AppError(409)
    const before = new Map(rows.map(({ id, order }) => [id, order]))
    for (const [order, id] of wanted.entries()) {
      const was = before.get(id)
      if (was === order) continue
      await storeApplication(tx, id, { order })
      await audit(tx, ctx, applicationEntity, id, { order: was }, { order })
    }
  })
  return {}
}

/** Returns the ids of an application's methods that roles or service accounts have; nobody gets one until the commit. */
export async function lockUsedMethods(tx: Transaction, applicationId: string): Promise<string[]> {
  await lockOwnMethods(tx, applicationId)
  const own = await selectOwnMethods(tx, applicationId)
  return own.flatMap(({ id, roles, accounts }) => (roles + accounts > 0 ? [id] : []))
}

/**
 * Replaces an application's own methods, which its tokens name. Needs applications.write. Throws 400 errorMethodUnknown
 * for an id of another method, 404, 409 methodUsed if a role or a service account has one that is left out or gets
 * another code, 409 addressOfApi, 409 if somebody saved the application since, and what `lockApplication` throws.
 */
export async function updateApplicationMethods(
  ctx: Ctx,
  { params: { id }, body }: ServiceInput<typeof calls.updateApplicationMethods>,
) {
  requireMethod(ctx, write)
  await changing([...applicationCaches, 'methods'], async (tx) => {
    await lockInOrder(tx)
    const row = await lockApplication(tx, ctx, id, 'itself')
    await requireVersion(tx, ctx, applicationEntity, { read, id, row, updatedAt: body.updatedAt })
    // nobody gets one meanwhile
    await lockOwnMethods(tx, id)
    const own = await selectOwnMethods(tx, id)
    const known = new Map(own.map((method) => [method.id, method]))
    const unknown = body.methods.flatMap(({ id: named }, at): FieldError[] =>
      named && !known.has(named) ? [{ field: `methods.${at}.id`, code: 'errorMethodUnknown' }] : [],
    )
    if (unknown.length > 0) throw new AppError(400, undefined, { errorList: unknown })
    const wanted = new Map(body.methods.map((method) => [method.id, method]))
    const gone = own.filter((method) => !wanted.has(method.id))
    const isKept = (method: (typeof own)[number]) => wanted.get(method.id)?.code === method.code
    if (own.some((method) => method.roles + method.accounts > 0 && !isKept(method)))
      throw new AppError(409, 'methodUsed')
    const written = body.methods.map(({ nameEn, ...method }) => ({ ...method, nameEn: nameEn || null }))
    const add = written.flatMap(({ id: named, ...method }) => (named ? [] : [method]))
    const change = written.flatMap(({ id: named, ...method }) => {
      const was = named ? known.get(named) : undefined
      const same = was && was.code === method.code && was.name === method.name && was.nameEn === method.nameEn
      return named && !same ? [{ id: named, ...method }] : []
    })
    if (add.length + change.length + gone.length === 0) return
    const isNewCode = ({ id: named, code }: (typeof written)[number]) => !named || known.get(named)?.code !== code
    if (written.some(isNewCode)) await requireOwnAddress(tx, id, row.url)
    const texts = (list: readonly { code: string; name: string }[]) =>
      list.map(({ code, name }) => `${code}: ${name}`).sort()
    await audit(tx, ctx, applicationEntity, id, { methods: texts(own) }, { methods: texts(written) })
    await storeOwnMethods(tx, id, { add, change, remove: gone.map((method) => method.id) })
  })
  return {}
}
