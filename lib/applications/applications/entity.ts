import { applicationType } from '@/db/schema/platform'
import {
  address,
  choice,
  defineEntity,
  list,
  number,
  reference,
  references,
  text,
  yesNo,
} from '@/lib/base/audit/entity'

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
  swaggerUrl: address('history.applications.swaggerUrl'),
  helpUrl: text('history.applications.helpUrl'),
  compodocUrl: address('history.applications.compodocUrl'),
  techUrl: address('history.applications.techUrl'),
  /** Networks from which its service account may call. */
  ip: list<string>('history.applications.ip'),
  domains: references('history.applications.domains', 'domains'),
  order: number('history.applications.order'),
  /** Codes of its own methods. */
  methods: list<string>('history.applications.methods'),
  /** How many sessions of people were ended, and the person if they were of one. */
  sessionsEnded: number('history.applications.sessionsEnded'),
  sessionOf: reference('history.applications.sessionOf', 'users'),
  actionsAccess: number('history.applications.actionsAccess'),
  /** The id of its picture. */
  iconId: text('history.applications.icon'),
  enabled: yesNo('history.applications.enabled'),
  /** Codes of the methods of its service account. */
  serviceMethods: list<string>('history.applications.serviceMethods'),
})
