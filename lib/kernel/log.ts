import pino from 'pino'

/** JSON lines; whoever logs an object with a secret under one of these names prints [redacted]. */
export const log = pino({
  level: process.env.LOG_LEVEL || (process.env.PLATFORM_MODE === 'test' ? 'silent' : 'info'),
  base: { pid: process.pid },
  timestamp: pino.stdTimeFunctions.isoTime,
  redact: {
    paths: [
      'password',
      'repeatPassword',
      'code',
      'secret',
      'token',
      'cookie',
      'authorization',
      'login',
      'email',
      'mobile',
    ].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
    censor: '[redacted]',
  },
})
