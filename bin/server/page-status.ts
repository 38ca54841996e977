import type { ServerResponse } from 'node:http'

/**
 * The pages of what isn't there or isn't open. If they called `notFound` or `forbidden`, Next would leave drawing them to
 * its script in the browser.
 */
const refusals: Record<string, number> = { '/platform/404': 404, '/platform/no-access': 403 }

/** Answers a page with a status: Next answers 200 for every page that it could render. */
export function answerWithStatus(res: ServerResponse, status: number) {
  const { writeHead } = res
  res.statusCode = 200
  res.writeHead = ((given: number, ...rest: unknown[]) =>
    (writeHead as (...args: unknown[]) => typeof res).call(
      res,
      given === 200 ? status : given,
      ...rest,
    )) as typeof writeHead
}

/** Gives the page at a path its status, if it isn't 200. */
export function giveStatus(path: string, res: ServerResponse) {
  const status = Object.hasOwn(refusals, path) ? refusals[path] : undefined
  if (status) answerWithStatus(res, status)
}
