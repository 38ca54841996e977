import { db } from '@/db/client'
import { requireChangeable } from '@/lib/access/rights/service'
import { accessOf } from '@/lib/access/roles/service'
import { menuPages, userServices } from '@/lib/applications/menu/service'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { localName } from '@/lib/base/i18n/local-name'
import { notFound } from '@/lib/base/runtime/errors'
import { offerTo } from '@/lib/sign-in/attempts/sign-in-preview'
import type { readUserPreview as Call } from './contract'
import { isAccount, selectMethods, selectSchemaName } from './queries'

/**
 * Returns what a person sees and may do, by the roles that they hold; nobody signs in as them. Needs users.read. Throws
 * 404, and 403 forbiddenUser for a person who holds a method that the caller lacks: the caller learns no more of them
 * than the card shows (docs/rules/people.md#administration-of-users).
 */
export async function readUserPreview(ctx: Ctx, { params: { id } }: ServiceInput<typeof Call>) {
  requireMethod(ctx, 'users.read')
  if (!(await isAccount(id))) throw notFound()
  await requireChangeable(db(), ctx, [id])
  const [{ methods, methodIds }, offer] = await Promise.all([accessOf(id), offerTo(id)])
  if (!offer) throw notFound()
  const [menus, services, methodRows, schema] = await Promise.all([
    menuPages(methods),
    userServices({ methodIds }, ctx.domain),
    selectMethods([...methodIds], ctx.locale),
    selectSchemaName(offer.schemaId, ctx.locale),
  ])
  return {
    menus: menus.map(({ group, screens }) => ({ group, screens: screens.map(({ name }) => name) })),
    services: services.map(({ id: serviceId, ...names }) => ({ id: serviceId, name: localName(names, ctx.locale) })),
    methods: methodRows.map(({ applicationId, application, ...method }) => ({
      ...method,
      application: applicationId ? application : null,
    })),
    signIn: { schema, by: offer.by, first: offer.first, second: offer.second, stuck: offer.stuck },
  }
}
