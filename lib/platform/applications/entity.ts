import { applicationType } from '@/db/schema/platform'
import { choice, defineEntity, list, number, reference, text, yesNo } from '@/lib/kernel/record/entity'

export const applicationEntity = defineEntity('applications', {
  type: choice('history.applications.type', applicationType.enumValues, 'history.applications.types'),
  code: text('history.applications.code'),
  name: text('history.applications.name'),
  nameEn: text('history.applications.nameEn'),
  description: text('history.applications.description'),
  descriptionEn: text('history.applications.descriptionEn'),
  url: text('history.applications.url'),
  menuVisible: yesNo('history.applications.menuVisible'),
  parentId: reference('history.applications.parentId', 'applications'),
  actionsAccess: number('history.applications.actionsAccess'),
  /** The id of its picture. */
  iconId: text('history.applications.icon'),
  enabled: yesNo('history.applications.enabled'),
  /** Codes of the methods of its service account. */
  serviceMethods: list<string>('history.applications.serviceMethods'),
})
