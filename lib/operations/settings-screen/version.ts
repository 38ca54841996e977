/** Returns the version of the settings with these rows: the newest of their times, the epoch without rows. */
export const versionOf = (rows: readonly { updatedAt: Date }[]) =>
  new Date(Math.max(0, ...rows.map(({ updatedAt }) => updatedAt.getTime())))
