/** Minutes after its last access in which a session counts as active (docs/rules/sessions.md#list). */
const activeMinutes = 5

/** Returns whether a session is in use now: its last access is stored to the minute. */
export const isActiveNow = (lastAccess: string, now: Date): boolean =>
  now.getTime() - Date.parse(lastAccess) < activeMinutes * 60_000
