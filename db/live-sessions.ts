import { and, gt, isNull, type Placeholder } from 'drizzle-orm'
import { sessions } from './schema/entry'

/** A moment, or the place of one in a prepared query. */
type Moment = Date | Placeholder

/** A condition on a row of `sessions`: it hasn't ended or expired, and the last access was after `accessedAfter`. */
export const isLive = ({ now, accessedAfter }: { now: Moment; accessedAfter: Moment }) =>
  and(isNull(sessions.endedAt), gt(sessions.expiresAt, now), gt(sessions.lastAccessAt, accessedAfter))
