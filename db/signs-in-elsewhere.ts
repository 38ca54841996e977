import { sql } from 'drizzle-orm'

/**
 * Whether a directory keeps an account of `users` through which people can sign in: it is enabled, and a domain offers it
 * or it claims mail domains. Then the first factor is proven there (docs/rules/providers.md#accounts-of-providers).
 */
export const signsInElsewhere = sql<boolean>`exists (
  select from providers p
  where p.id = users.provider_id and p.enabled
    and (cardinality(p.email_domains) > 0 or exists (select from provider_domains pd where pd.provider_id = p.id))
)`
