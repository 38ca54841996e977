import { defineEntity, list, text } from '@/lib/base/audit/entity'

export const consentEntity = defineEntity(
  'consents',
  {
    /** The client's id, for a consent that was given. */
    client: text('history.consents.client'),
    /** The application's name, for one that was withdrawn. */
    application: text('history.consents.application'),
    scopes: list<string>('history.consents.scopes'),
  },
  { area: 'users' },
)
