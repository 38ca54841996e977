import { providerType } from '@/db/schema/people'
import { choice, date, defineEntity, list, references, secret, text, yesNo } from '@/lib/base/audit/entity'

export const providerEntity = defineEntity('providers', {
  type: choice('providers.type', providerType.enumValues, 'providers.types'),
  enabled: yesNo('providers.enabled'),
  name: text('providers.name'),
  url: text('providers.url'),
  realm: text('providers.realm'),
  clientId: text('providers.clientId'),
  clientSecret: secret('providers.clientSecret'),
  /** The moment when the secret was read. */
  secretRead: date('providers.secretRead'),
  emailDomains: list<string>('providers.emailDomains'),
  /** Ids of the domains whose sign-in pages offer it. */
  domains: references('providers.domains', 'domains'),
  scopes: list<string>('providers.scopes'),
})
