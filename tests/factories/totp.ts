import { generateSync } from 'otplib'

/** Returns the code that an authenticator app with this key shows now, or so many steps of 30 seconds later. */
export const codeOf = (key: string, steps = 0) =>
  generateSync({ secret: key, epoch: Math.floor(Date.now() / 1000) + steps * 30 })
