import { and, asc, inArray, isNotNull, ne, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { methods } from '@/db/schema/people'
import { applicationDomains, applications } from '@/db/schema/platform'

/**
 * Returns the applications that a service menu may show, in order, including disabled ones, with the domains that show
 * them and the methods that open them. The platform itself, drafts and external applications are not among them.
 */
export const selectMenuApplications = () =>
  db()
    .select({
      id: applications.id,
      code: applications.code,
      type: applications.type,
      enabled: applications.enabled,
      parentId: applications.parentId,
      name: applications.name,
      nameEn: applications.nameEn,
      description: applications.description,
      descriptionEn: applications.descriptionEn,
      iconId: applications.iconId,
      url: sql<string>`${applications.url}`,
      domainIds: sql<string[]>`array(
        select ad.domain_id from ${applicationDomains} ad where ad.application_id = ${applications}.id
      )`,
      methodIds: sql<string[]>`array(
        select m.id from ${methods} m where m.application_id = ${applications}.id
      )`,
    })
    .from(applications)
    .where(
      and(
        applications.menuVisible,
        isNotNull(applications.url),
        ne(applications.url, ''),
        ne(applications.code, 'platform'),
        inArray(applications.type, ['internal', 'link', 'virtual']),
      ),
    )
    .orderBy(asc(applications.order), asc(applications.name), asc(applications.id))
