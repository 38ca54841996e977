import { sql } from 'drizzle-orm'

/** Whether an account of `users` has a passkey. */
export const hasPasskey = sql<boolean>`exists (select from passkeys p where p.user_id = users.id)`
