type Secret = { until: string | null; beforeRights: boolean }

/**
 * Returns which secret of a client, the newest first, gives the application's newest method to people who knew it
 * before: the current one, or the previous one, which is valid until a moment.
 */
export function olderSecret([current, ...previous]: readonly Secret[]): {
  is: 'current' | 'previous'
  until: string
} | null {
  if (current?.beforeRights) return { is: 'current', until: '' }
  const older = previous.find(({ beforeRights }) => beforeRights)
  return older ? { is: 'previous', until: older.until ?? '' } : null
}
