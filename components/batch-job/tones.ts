/** The color of each status of what is synchronized: a directory, or an exchange with another system. */
export const syncTones = {
  disabled: 'neutral',
  await: 'info',
  process: 'info',
  success: 'ok',
  error: 'danger',
} as const
