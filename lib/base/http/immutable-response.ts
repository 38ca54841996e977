import { createHash } from 'node:crypto'

const year = 31_536_000

/** Returns the version of a body, which its address carries as `v`. */
export const versionOf = (body: string) => createHash('sha256').update(body).digest('hex').slice(0, 12)

/**
 * Answers with a body that browsers keep forever if the address names its version. Any other version, as from a process
 * of another release, and no version at all must be revalidated each time. Pages of other origins may load it.
 */
export function immutableResponse(
  request: Request,
  body: string,
  contentType: string,
  headers: Record<string, string> = {},
): Response {
  const version = versionOf(body)
  const named = new URL(request.url).searchParams.get('v') === version
  const common = {
    ...headers,
    etag: `"${version}"`,
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': named ? `public, max-age=${year}, immutable` : 'public, max-age=0, must-revalidate',
  }
  if (request.headers.get('if-none-match') === common.etag) return new Response(null, { status: 304, headers: common })
  return new Response(body, { headers: { ...common, 'content-type': contentType } })
}
