import { date, defineEntity, number, secret, text } from '@/lib/base/audit/entity'

export const licenseEntity = defineEntity('license', {
  key: secret('license.key'),
  domain: text('license.domain'),
  owner: text('license.owner'),
  expiresAt: date('license.expiresAt'),
  sessions: number('license.sessions'),
})
