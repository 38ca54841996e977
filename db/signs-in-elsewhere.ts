import { sql } from 'drizzle-orm'

/**
 * Whether a directory keeps an account of `users` and its person can sign in there: the directory is enabled, and a
 * domain offers it or it claims mail domains. The first factor is then proven there
 * (docs/rules/providers.md#accounts-of-providers).
 */
export const signsInElsewhere = sql<boolean>`exists (
  select from providers p
  where p.id = users.provider_id and p.enabled
    and (cardinality(p.email_domains) > 0 or exists (select from provider_domains pd where pd.provider_id = p.id))
)`
