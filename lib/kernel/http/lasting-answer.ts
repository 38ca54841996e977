import { createHash } from 'node:crypto'

const year = 31_536_000

/** What a lasting address carries as `v`: it changes with the body. */
export const versionOf = (body: string) => createHash('sha256').update(body).digest('hex').slice(0, 12)

/**
 * Answers with a body that browsers keep for good if the address names its version. Another version, such as that of
 * a process being replaced, and none at all are asked about again each time. Pages of other origins may show it.
 */
export function lastingAnswer(
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
