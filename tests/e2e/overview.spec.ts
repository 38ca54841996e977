import { screenAt } from '@/lib/base/navigation/screens'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { asOwn } from './signed-in'
import { spokenIn } from './spoken'

// What the overview of the administration counts leads to its list (docs/rules/administration-screens.md#overview).

const { language } = spokenIn(import.meta.filename)
const overview = '/platform/setting'

/** The addresses of the links in a part of a page. */
const linksIn = (html: string, part: string) => {
  const [, inside = ''] =
    new RegExp(`<section[^>]*aria-labelledby="${part}"[^>]*>(.*?)</section>`, 's').exec(html) ?? []
  return [...inside.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))
}

test('each figure and each matter of the overview leads to its page', { tag: '@full' }, async ({
  context,
  baseURL,
}) => {
  await asOwn(context, 'administrator', language)
  const open = async (path: string) => {
    const answer = await context.request.get(`${baseURL}${path}`)
    expect([path, answer.status()]).toEqual([path, 200])
    return answer.text()
  }
  const html = await open(overview)
  const [figures, matters] = [linksIn(html, 'figures'), linksIn(html, 'matters')]
  expect(figures.length).toBeGreaterThan(1)
  expect(matters.length).toBeGreaterThan(0)
  const reached: (string | undefined)[] = []
  for (const path of figures) {
    expect(await open(path)).toMatch(/<h1[^>]*>[^<]*\S/)
    reached.push(screenAt(path.split('?')[0] ?? '')?.name)
  }
  // each leads to a list of its own
  expect(reached).not.toContain(undefined)
  expect(reached).not.toContain(screenAt(overview)?.name)
  expect(new Set(reached).size).toBe(figures.length)
  for (const path of matters) {
    const [where, hash] = path.split('#')
    const html = await open(where || overview)
    if (hash) expect(html).toContain(`id="${hash}"`)
  }
})
