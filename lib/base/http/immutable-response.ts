import { createHash } from 'node:crypto'

const year = 31_536_000

/** Returns the version of a body, which its address has as the parameter `v`. */
export const versionOf = (body: string) => createHash('sha256').update(body).digest('hex').slice(0, 12)

/**
 * Answers with a body that browsers cache forever if the address has its version. An address with another version, such
 * as one of another release, or without a version must be revalidated each time. Pages of other origins may load the
 * body.
 */
export function immutableResponse(
  request: Request,
  body: string,
  contentType: string,
  headers: Record<string, string> = {},
): Response {
  const version = versionOf(body)
  const isVersionNamed = new URL(request.url).searchParams.get('v') === version
  const common = {
    ...headers,
    etag: `"${version}"`,
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': isVersionNamed ? `public, max-age=${year}, immutable` : 'public, max-age=0, must-revalidate',
  }
  if (request.headers.get('if-none-match') === common.etag) return new Response(null, { status: 304, headers: common })
  return new Response(body, { headers: { ...common, 'content-type': contentType } })
}
