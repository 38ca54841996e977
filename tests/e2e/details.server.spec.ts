import { expect, test } from './turn'

test('robots.txt lets search engines read pages, and no calls', async () => {
  const answer = await fetch(`${process.env.PUBLIC_URL}/robots.txt`)
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
  expect((await answer.text()).trim().split('\n')).toEqual(['User-agent: *', 'Disallow: /api/', 'Disallow: /oidc/'])
})
