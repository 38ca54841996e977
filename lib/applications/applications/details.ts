import { db } from '@/db/client'
import { notFound } from '@/lib/base/runtime/errors'
import { maskedAddress } from '@/lib/base/text/masks'
import { shownApplication } from './manage'
import { selectApplication, selectDomainIds, selectDomainNames, selectOwnMethods } from './queries'

/** Returns an application with its domains, parent and own methods, for its card. It checks no access. Throws 404. */
export async function applicationDetails(id: string) {
  const row = await selectApplication(id)
  if (!row) throw notFound()
  const { application } = row
  const [domains, methods, parent] = await Promise.all([
    selectDomainIds(db(), id),
    selectOwnMethods(db(), id),
    application.parentId ? selectApplication(application.parentId) : undefined,
  ])
  return {
    ...shownApplication(row),
    swaggerUrl: application.swaggerUrl ?? '',
    helpUrl: application.helpUrl ?? '',
    compodocUrl: application.compodocUrl ?? '',
    techUrl: application.techUrl ?? '',
    ip: application.ip,
    domains,
    parent: parent
      ? { id: parent.application.id, name: parent.application.name, nameEn: parent.application.nameEn }
      : null,
    methods: methods.map((method) => ({ ...method, nameEn: method.nameEn ?? '' })),
    createdAt: application.createdAt.toISOString(),
  }
}

type Technical = { swaggerUrl: string; compodocUrl: string; techUrl: string }
const masked = (address: string) => address && maskedAddress(address)

/** Returns an application with masked technical addresses, as callers see it who may not change it. */
export const withMaskedTechnical = <A extends Technical>(application: A): A => ({
  ...application,
  swaggerUrl: masked(application.swaggerUrl),
  compodocUrl: masked(application.compodocUrl),
  techUrl: masked(application.techUrl),
})

/** Returns these domains with the comments by which people recognize them, sorted by comment. It checks no access. */
export const domainsNamed = async (ids: readonly string[]) => (ids.length > 0 ? selectDomainNames(ids) : [])
