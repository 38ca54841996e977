/** The color of each state of a run. */
export const runTones = { running: 'info', stopped: 'warning', done: 'ok' } as const

/** The color of each status of what is synchronized: a directory, or an exchange with another system. */
export const syncTones = {
  disabled: 'neutral',
  await: 'info',
  process: 'info',
  success: 'ok',
  error: 'danger',
} as const
