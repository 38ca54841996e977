import { type SQL, sql } from 'drizzle-orm'
import { invitations } from './schema/entry'

/** A condition: the invitation can still be accepted. An expired one counts as closed before the job has closed it. */
export const isOpenInvitation = (now: Date): SQL =>
  sql`(${invitations.status} = 'active' and ${invitations.expiresAt} > ${now})`
