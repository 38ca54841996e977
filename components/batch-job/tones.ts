/** The color of each status of a synchronization or an exchange. */
export const syncTones = {
  disabled: 'neutral',
  await: 'info',
  process: 'info',
  success: 'ok',
  error: 'danger',
} as const
