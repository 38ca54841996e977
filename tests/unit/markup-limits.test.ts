import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { RichText } from '@/components/ui/rich-text'
import { documentsEn } from '@/db/seed/demo/documents-en'
import { documentsRu } from '@/db/seed/demo/documents-ru'
import { isTooTangled } from '@/lib/kernel/markup-limits'

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

test('every shipped document may be saved', () => {
  for (const { content } of [documentsRu, documentsEn].flatMap((all) => Object.values(all)))
    expect(isTooTangled(content)).toBe(false)
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
