/** Returns the version of the settings that these rows are of: the newest of their times, the epoch without any. */
export const versionOf = (rows: readonly { updatedAt: Date }[]) =>
  new Date(Math.max(0, ...rows.map(({ updatedAt }) => updatedAt.getTime())))
