/**
 * What search engines may read: everything but calls. Pages say themselves whether they may be listed, which a crawler
 * learns only if it may open them (docs/rules/pages.md#search-engines).
 */
export const GET = () =>
  new Response('User-agent: *\nDisallow: /api/\nDisallow: /oidc/\n', {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  })
