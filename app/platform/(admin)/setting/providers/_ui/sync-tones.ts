/** The color of each status of a synchronization. */
export const syncTones = {
  disabled: 'neutral',
  await: 'info',
  process: 'info',
  success: 'ok',
  error: 'danger',
} as const
