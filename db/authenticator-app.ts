import { sql } from 'drizzle-orm'

/** Whether an account of `users` has an authenticator app. */
export const hasAuthenticatorApp = sql<boolean>`exists (select from authenticator_apps a where a.user_id = users.id)`
