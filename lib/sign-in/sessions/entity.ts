import { defineEntity, text } from '@/lib/base/audit/entity'

export const sessionEntity = defineEntity('sessions', {
  browser: text('history.sessions.browser'),
  system: text('history.sessions.system'),
  ip: text('history.sessions.ip'),
})
