/**
 * Lets search engines read everything but calls. Each page states itself whether it may be listed, and a crawler must
 * open it to read that (docs/rules/pages.md#search-engines).
 */
export const GET = () =>
  new Response('User-agent: *\nDisallow: /api/\nDisallow: /oidc/\n', {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  })
