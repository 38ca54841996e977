import { describe, expect, it } from 'vitest'
import { cleanSvg } from '@/lib/base/pictures/svg'
import { AppError } from '@/lib/base/runtime/errors'
import { caseNumbers, eachRound } from '../../factories/random-cases'

const svg = (inner: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"${attributes}>${inner}</svg>`
const shape = '<path d="M0 0h10v10z" fill="#0b6b57"/>'
const cleaned = (source: string) => cleanSvg(Buffer.from(source))
const faultOf = (source: string) => {
  try {
    cleaned(source)
    return null
  } catch (error) {
    if (error instanceof AppError) return error.data.errorList?.[0]
    throw error
  }
}
const codeOf = (source: string) => faultOf(source)?.code

/** What must never be in a drawing, however it was written. */
const forbidden =
  /script|alert|on\w+\s*=|javascript|data:|https?:\/\/(?!www\.w3\.org\/)|<(a|use|image|foreignobject|iframe|style|animate|set|html|body|!)/i

const hostile = {
  'a script': svg(`<script>alert(1)</script>${shape}`),
  'a script in CDATA': svg(`<script><![CDATA[alert(1)]]></script>${shape}`),
  'a script with another prefix': svg(`<x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script>${shape}`),
  'an event handler': svg(shape, ' onload="alert(1)" ONCLICK=alert(1)'),
  'a handler on a shape': svg('<path d="M0 0" onmouseover="alert(1)"/>'),
  'a link': svg(`<a href="javascript:alert(1)" xlink:href="https://evil.example/">${shape}</a>`),
  'a picture of another server': svg(`<image href="https://evil.example/a.png"/>${shape}`),
  'a picture with data': svg(`<image href="data:image/svg+xml;base64,PHN2Zz4="/>${shape}`),
  'another server in a fill': svg('<path d="M0 0" fill="url(https://evil.example/#a)"/>'),
  'another server behind an escape': svg('<path d="M0 0" fill="u\\72l(https://evil.example/a)"/>'),
  'another server in a style': svg(
    '<path d="M0 0" style="fill:url(//evil.example/a);background:url(https://evil.example)"/>',
  ),
  'foreign content': svg(
    `<foreignObject><body><iframe src="javascript:alert(1)"></iframe></body></foreignObject>${shape}`,
  ),
  'a use of itself': svg(`<g id="a"><use href="#a"/><use xlink:href="data:x#a"/></g>${shape}`),
  'animation of an address': svg(`<a><animate attributeName="href" values="javascript:alert(1)"/></a>${shape}`),
  'a set of a handler': svg(`<set attributeName="onmouseover" to="alert(1)"/>${shape}`),
  'an end of the drawing': `${svg(shape)}<img src=x onerror=alert(1)>`,
  'HTML that leaves the drawing': svg(`<p><img src=x onerror="alert(1)"></p>${shape}`),
  entities: `<!DOCTYPE svg [<!ENTITY a "<script>alert(1)</script>">]>${svg(`<text>&a;</text>${shape}`)}`,
  'a comment that closes early': svg(`<!--><script>alert(1)</script>-->${shape}`),
  'a title that closes early': svg(`<title><style><img src=x onerror=alert(1)></style></title>${shape}`),
  'a gradient of another file': svg(`<linearGradient id="a" href="https://evil.example/#b"/>${shape}`),
}

describe('drawings of logos', () => {
  it.each(Object.entries(hostile))('nothing runs and nothing is loaded: %s', (_, source) => {
    let clean = ''
    try {
      clean = cleaned(source)
    } catch (error) {
      // a refusal is as good
      expect(error).toBeInstanceOf(AppError)
    }
    expect(clean).not.toMatch(forbidden)
  })

  it('random nestings of hostile parts leave nothing behind', () => {
    const parts = ['<g>', '</g>', '<svg>', '</svg>', '<p>', '<math>', '<title>', '</title>', '<desc>', '<mtext>', shape]
    const bad = [
      '<script>alert(1)</script>',
      '<a href=javascript:alert(1)>',
      '<img src=x onerror=alert(1)>',
      '<!--',
      '-->',
    ]
    const random = caseNumbers(7)
    const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T
    for (const _ of eachRound(400)) {
      const inner = Array.from({ length: 12 }, () => pick(pick([parts, bad, parts]))).join('')
      let clean = ''
      try {
        clean = cleaned(svg(inner))
      } catch (error) {
        expect(error).toBeInstanceOf(AppError)
      }
      expect(clean, inner).not.toMatch(/<script|<a |<img|onerror|javascript:|<!--/i)
      expect(clean === '' ? '' : cleaned(clean), inner).toBe(clean)
    }
  })

  it('a logo keeps its looks, those of the attribute style too', () => {
    const clean = cleaned(
      svg(
        '<defs><linearGradient id="g"><stop offset="0" style="stop-color:#fff;stop-opacity:.5"/></linearGradient></defs>' +
          '<path d="M0 0h1" fill="url(#g)" style="stroke:#000;stroke-linecap:round;stroke-width:2px"/><text x="1">R &amp; D</text>',
      ),
    )
    expect(clean).toContain('<stop offset="0" stop-color="#fff" stop-opacity=".5" />')
    expect(clean).toContain('fill="url(#g)" stroke="#000" stroke-linecap="round" stroke-width="2px"')
    expect(clean).toContain('<text x="1">R &#x26; D</text>')
    expect(clean).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/)
  })

  it('a logo keeps its shifts, turns and colors, and what one sign can’t hold in XML', () => {
    const inner =
      '<g transform="translate(1, 2) rotate(-45.5 1,2)"><path d="M0 0h1" transform="matrix(1 0 0 1 0 0)" fill="url(#g) rgb(1, 2, 3)" /></g>'
    expect(cleaned(svg(inner))).toContain(inner)
    expect(cleaned(svg(`<text id="a&lt;&quot;&#1;">&lt;&#xffff;<![CDATA[<b>&]]></text>`))).toContain(
      '<text id="a&#x3C;&#x22; ">&#x3C; &#x3C;b&#x3E;&#x26;</text>',
    )
    for (const value of [
      'url(//evil.example)',
      'rgb(url(//evil.example))',
      'url(url(#a)//evil)',
      'u\\72l(#a)',
      'calc(1)',
    ])
      expect(cleaned(svg(`<path fill="${value}"/>`)), value).not.toContain('fill')
  })

  it('what is no logo is refused', () => {
    for (const source of ['<p>no</p>', svg(''), svg('<g></g>'), `${svg(shape)}${svg(shape)}`, 'text'])
      expect(codeOf(source), source).toBe('errorPicture')
    expect(codeOf(svg(`<style>path{fill:red}</style>${shape}`))).toBe('errorPictureStyles')
  })

  it('what is more than a logo can be is refused while it is read, and told how much may be', () => {
    const params = { kilobytes: 256, elements: 5000, depth: 100 }
    for (const source of [
      svg(`${'<g>'.repeat(200)}${shape}`),
      svg(shape.repeat(6000)),
      svg(`<g id="${'x'.repeat(300_000)}"/>${shape}`),
      // a reader of HTML would open each of them anew in each paragraph
      `<svg/><p>${Array.from({ length: 90 }, (_, at) => `<b id="a${at}">`).join('')}${'<p>x'.repeat(15_000)}`,
    ])
      expect(faultOf(source)).toEqual({ field: 'file', code: 'errorPictureLarge', params })
    for (const sign of ['<', '<!ENTITY', '<!--', '<![CDATA[', '&', '&#', '"', "<g a='", '(', 'url(', 'rgb(', 'style="'])
      for (const begin of ['', '<svg>', '<svg d="', '<svg style="', '<svg><g>'])
        expect(codeOf(begin + sign.repeat(Math.floor(250_000 / sign.length))), begin + sign).toMatch(/^errorPicture/)
  })

  it('of random trees the list stays, in its order, and nothing is opened twice', () => {
    const random = caseNumbers(19)
    const names = ['g', 'path', 'text', 'b', 'p', 'a', 'nobr', 'svg', 'switch', 'title', 'foreignObject', 'clipPath']
    const allowedNames = /^(g|path|text|svg|clipPath)$/
    const removedNames = /^(title|foreignObject)$/
    /** Returns a tree as it is written, and the elements that must stay of it. */
    const tree = (depth: number): [string, string] => {
      const name = names[random(names.length)] as string
      const inner = Array.from({ length: depth > 6 ? 0 : random(4) }, () => tree(depth + 1))
      const [source, stay] = [0, 1].map((at) => inner.map((each) => each[at]).join('')) as [string, string]
      const expected = removedNames.test(name) ? '' : allowedNames.test(name) ? `<${name}>${stay}</${name}>` : stay
      return [`<${name} x:a="1" onload="alert(1)">${source}</${name}>`, expected]
    }
    for (const _ of eachRound(300)) {
      const [source, cleanSource] = tree(0)
      expect(cleaned(svg(source + shape)).replace(/<(\w+) \/>/g, '<$1></$1>')).toBe(
        `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 10 10">${cleanSource}${shape.replace('/>', ' />')}</svg>`,
      )
    }
  })
})
