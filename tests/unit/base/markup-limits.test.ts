import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { RichText } from '@/components/ui/rich-text'
import { documentsEn } from '@/db/seed/demo/documents-en'
import { documentsRu } from '@/db/seed/demo/documents-ru'
import { isTooLarge, isTooTangled } from '@/lib/base/markup/markup-limits'

// rule: docs/rules/agreements.md#documents

test.each([
  ['quotes in one another', '> '.repeat(101)],
  ['quotes without spaces', `Текст\n\n${'>'.repeat(200)} a`],
  ['lists in one another', `${'- '.repeat(101)}a`],
  ['numbered lists in one another', `${'1. '.repeat(101)}a`],
  ['tags in one another', '<b>'.repeat(101)],
  ['tags in one another in capitals', '<DIV class=x>\n\n'.repeat(101)],
  ['emphasis', '*a_'.repeat(6_000)],
  ['open links', '['.repeat(10_001)],
  ['code', '`'.repeat(10_001)],
])('%s are too tangled', (_, text) => expect(isTooTangled(text)).toBe(true))

test.each([
  ['a long table', `| a | b |\n|---|---|\n${'| **a** | [b](/x) |\n'.repeat(1_200)}`],
  ['many paragraphs', '**Пункт.** Текст с _выделением_ и [ссылкой](/platform/help).\n\n'.repeat(3_000)],
  ['paragraphs of HTML that nothing closes', '<p>Текст\n<li>пункт\n<br>'.repeat(5_000)],
  ['lines between parts', `Текст\n\n${'- '.repeat(60)}\n\n${'*'.repeat(200)}\n\nТекст\n${'-'.repeat(200)}`],
  ['levels as people write them', Array.from({ length: 20 }, (_, at) => `${'  '.repeat(at)}- пункт`).join('\n')],
])('%s is a text like others', (_, text) => expect(isTooTangled(text)).toBe(false))

const table = (rows: number, columns: number, row = `${'|x'.repeat(columns)}|\n`) =>
  `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${row.repeat(rows)}`

test.each([
  ['a table of 6,500 by 5 cells', table(6_500, 5), 'md'],
  ['one in a quote', table(6_500, 5).replace(/^/gm, '> '), 'md'],
  ['rows of one cell under a wide head', table(600, 600, 'x\n'), 'md'],
  ['several tables', `${table(2_000, 5)}\nТекст\n\n`.repeat(3), 'md'],
  ['lines that end as in Windows', table(6_500, 5).replaceAll('\n', '\r\n'), 'md'],
  ['paragraphs', 'x\n\n'.repeat(30_001), 'md'],
  ['items', '- x\n'.repeat(30_001), 'md'],
  ['numbered items', '1. x\n'.repeat(30_001), 'md'],
  ['breaks', 'x  \n'.repeat(30_010), 'md'],
  ['tags', '<br>'.repeat(30_001), 'md'],
  ['tags beside code', '`x` <br>'.repeat(30_001), 'md'],
  ['tags in an indented line of a paragraph', `x\n    ${'<br>'.repeat(30_001)}`, 'md'],
  ['tags of HTML', '<br>'.repeat(30_001), 'html'],
] as const)('%s are counted as too large without reading them', (_, text, format) =>
  expect(isTooLarge(text, format)).toBe(true),
)

test.each([
  ['a table of 4,900 by 5 cells', table(4_900, 5), 'md'],
  ['a table that is code', `\`\`\`\n${table(6_500, 5)}\`\`\`\n\nТекст`, 'md'],
  ['tags that are code in a line', '`<br>` '.repeat(30_001), 'md'],
  ['tags between longer signs of code', '`` <br>`<br> `` '.repeat(15_001), 'md'],
  ['code over several lines', `\`${'<br>\n'.repeat(30_001)}\``, 'md'],
  ['code that is indented', `Текст\n\n${'    - <br>\n'.repeat(30_001)}\nТекст`, 'md'],
  ['code that is indented by tabs', `\t${'<br>'.repeat(30_001)}`, 'md'],
  ['markdown that is HTML', table(6_500, 5), 'html'],
  ['a comment', `<!--${'<br>'.repeat(30_001)}-->`, 'html'],
  ['long words', 'слово '.repeat(30_000), 'md'],
  ['lines under a table', `${table(2, 5)}\n${'слово\n'.repeat(30_000)}`, 'md'],
] as const)('%s is no reason to refuse', (_, text, format) => expect(isTooLarge(text, format)).toBe(false))

test('counting takes as long as the text is: nothing in it is read again and again', () => {
  for (const text of [
    '`',
    '`x',
    '``x`',
    '    x\n',
    '```\n',
    '<!--',
    '|-|\n',
    '- ',
    ' \n',
    '> ',
    '|\n',
    '\\\n',
    '~~~\n```\n',
  ])
    expect(isTooLarge(text.repeat(200_000 / text.length), 'md'), text).toBeTypeOf('boolean')
})

test('every shipped document may be saved', () => {
  for (const { content } of [documentsRu, documentsEn].flatMap((all) => Object.values(all)))
    expect(isTooTangled(content) || isTooLarge(content, 'md')).toBe(false)
})

test('a text that was stored before and nests too deep is shown, as it was written', () => {
  for (const text of ['<b>'.repeat(2_000), `${'> '.repeat(400)}x`, '<div>'.repeat(3_000)])
    for (const format of ['md', 'html'] as const) {
      const html = renderToStaticMarkup(RichText({ text, format }))
      expect(html).toContain('rich-text')
      expect(html).not.toMatch(/<script|on\w+=/)
    }
  expect(renderToStaticMarkup(RichText({ text: `${'<b>'.repeat(400)}<script>x</script>`, format: 'html' }))).toContain(
    '&lt;script&gt;',
  )
})

test('a preview of a text that would be refused says so above it; one of another text doesn’t', () => {
  const drawn = (text: string, format: 'md' | 'html' = 'md') =>
    renderToStaticMarkup(RichText({ text, format, fault: 'refused' }))
  for (const text of ['<b>'.repeat(101), table(6_500, 5), `${'> '.repeat(101)}x`])
    expect(drawn(text), text.slice(0, 20)).toMatch(/^refused<div class="rich-text"><p class="[^"]*whitespace-pre-line/)
  expect(drawn('<br>'.repeat(30_001), 'html')).toMatch(/^refused<div/)
  expect(drawn('*a*')).toBe('<div class="rich-text"><p><em>a</em></p></div>')
})
