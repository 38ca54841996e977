type Secret = { until: string | null; beforeRights: boolean }

/**
 * Which secret of a client, the newest first, gives the application's newest right to whoever knew it before: the one to be
 * replaced, or the previous one, which still counts until a moment.
 */
export function olderSecret([current, ...previous]: readonly Secret[]): {
  is: 'current' | 'previous'
  until: string
} | null {
  if (current?.beforeRights) return { is: 'current', until: '' }
  const older = previous.find(({ beforeRights }) => beforeRights)
  return older ? { is: 'previous', until: older.until ?? '' } : null
}
