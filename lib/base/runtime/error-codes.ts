/** The code of each status for an error without a code. */
export const defaultCodes = {
  400: 'errorFields',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'notFound',
  405: 'notAllowed',
  409: 'conflict',
  413: 'tooLarge',
  415: 'unsupportedType',
  429: 'tooManyRequests',
  500: 'errorUnknown',
  503: 'unavailable',
} as const
export type ErrorStatus = keyof typeof defaultCodes

/** Returns the code for a status. Proxies in front of the platform answer with further statuses. */
export const codeOfStatus = (status: number): string =>
  (defaultCodes as Readonly<Record<number, string>>)[status] ?? (status > 500 ? 'unavailable' : 'errorUnknown')
