/** The color of each status of an exchange. */
export const exchangeTones = {
  disabled: 'neutral',
  await: 'info',
  process: 'info',
  success: 'ok',
  error: 'danger',
} as const
