import { describe, expect, test } from 'vitest'
import { GET as image } from '@/app/style/[styleCode]/images/[image]/route'
import { GET as sheet } from '@/app/style/[styleCode]/style.css/route'
import { styleImageAddress, styleSheetAddress } from '@/lib/site/domains/style-templates'

const styleCss = (styleCode: string, query = '', headers = {}) =>
  sheet(new Request(`http://localhost/style/${styleCode}/style.css${query}`, { headers }), {
    params: Promise.resolve({ styleCode }),
  })
const picture = (styleCode: string, name: string, query = '') =>
  image(new Request(`http://localhost/style/${styleCode}/images/${name}${query}`), {
    params: Promise.resolve({ styleCode, image: name }),
  })
const queryOf = (address: string) => address.slice(address.indexOf('?'))

describe('a style sheet', () => {
  test('contains only variables, those of its style', async () => {
    const css = await (await styleCss('partners')).text()
    expect(css).toMatch(/^html:root\{(--brand(-ink|-tint)?-on-(light|dark):#[\da-f]{6};){6}\}\n$/)
    expect(css).not.toBe(await (await styleCss('default')).text())
  })
  test('of an unknown code is the default one', async () => {
    const standard = await (await styleCss('default')).text()
    for (const code of ['nothing', '__proto__', 'constructor', '}body{display:none'])
      expect(await (await styleCss(code)).text(), code).toBe(standard)
  })
  test('is cached forever at the address with its version, otherwise revalidated', async () => {
    const version = queryOf(styleSheetAddress('partners'))
    expect((await styleCss('partners', version)).headers.get('cache-control')).toBe(
      'public, max-age=31536000, immutable',
    )
    for (const query of ['', '?v=older', queryOf(styleSheetAddress('default'))]) {
      const answer = await styleCss('partners', query)
      expect(answer.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
      const again = await styleCss('partners', query, { 'if-none-match': answer.headers.get('etag') ?? '' })
      expect([again.status, await again.text()]).toEqual([304, ''])
    }
  })
})

describe('a style’s pictures', () => {
  test('are its own, have no rights, and are cached the same way', async () => {
    const bodies = new Set<string>()
    for (const code of ['default', 'partners'])
      for (const name of ['logo', 'miniLogo'] as const) {
        const answer = await picture(code, `${name}.svg`, queryOf(styleImageAddress(code, name)))
        expect(answer.headers.get('content-type')).toBe('image/svg+xml')
        expect(answer.headers.get('content-security-policy')).toMatch(/(^|; )sandbox(;|$)/)
        expect(answer.headers.get('cache-control')).toContain('immutable')
        const svg = await answer.text()
        expect(svg).toMatch(/^<svg [^>]+>/)
        expect(svg).not.toMatch(/script|on\w+=|href/i)
        bodies.add(svg)
      }
    expect(bodies.size).toBe(4)
    expect(await (await picture('nothing', 'logo.svg')).text()).toBe(
      await (await picture('default', 'logo.svg')).text(),
    )
  })
  test('are only these two', async () => {
    for (const name of ['other.svg', 'logo.png', 'logo.svg.html', 'constructor'])
      expect((await picture('default', name)).status, name).toBe(404)
  })
})
