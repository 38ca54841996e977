import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { richOf } from '@/components/ui/rich-text'
import { searchHelp } from '@/lib/documents/help/search'
import { sectionsOf } from '@/lib/documents/help/sections'

describe('a document that is split at its headings', () => {
  const drawn = (text: string, format: 'md' | 'html') => sectionsOf(renderToStaticMarkup(richOf(text, format)))

  test('is split in markdown, with the text before the first heading', () => {
    const text =
      'Before **all**.\n\n## First [one](https://a.example)\n\n- a\n- b\n\n```\n# no heading\n```\n\n### Second\n| x | y |\n|---|---|\n| 1 | 2 |'
    expect(drawn(text, 'md')).toEqual([
      { heading: '', text: 'Before all .', part: 0 },
      { heading: 'First one', text: 'a b # no heading', part: 1 },
      { heading: 'Second', text: 'x y 1 2', part: 2 },
    ])
  })
  test('is split in HTML, without its tags and scripts', () => {
    const text = '<h1>A &amp; B</h1><p>One<br>two</p><script>alert(1)</script><h2 id="x">C</h2>'
    expect(drawn(text, 'html')).toEqual([
      { heading: 'A & B', text: 'One two', part: 1 },
      { heading: 'C', text: '', part: 2 },
    ])
  })
  test('shows signs as they were written, and reads headings with attributes', () => {
    expect(drawn('<h3 align="center">a &lt; b</h3>"x" &amp; \'y\'', 'html')).toEqual([
      { heading: 'a < b', text: '"x" & \'y\'', part: 1 },
    ])
  })
})

describe('the search over help', () => {
  const documents = [
    {
      code: 'help',
      name: 'Как войти',
      locale: 'ru',
      sections: [
        { heading: 'Не приходит код', text: 'Письмо может идти до 10 минут. Проверьте папку «Спам».', part: 1 },
        { heading: 'Забытый пароль', text: 'Нажмите «Забыли пароль?»: придёт письмо со ссылкой.', part: 2 },
      ],
    },
    { code: 'cookies', name: 'Файлы cookie', locale: 'ru', sections: [{ heading: '', text: 'Всё о них.', part: 0 }] },
  ]
  const hitsOf = (query: string) => searchHelp(documents, query).map(({ code, part }) => `${code} ${part}`)

  test('finds other forms of a word, headings first, and requires every word', () => {
    expect(hitsOf('пароля')).toEqual(['help 2'])
    expect(hitsOf('письма')).toEqual(['help 1', 'help 2'])
    expect(hitsOf('письмо спам')).toEqual(['help 1'])
    expect(hitsOf('ВСЕ')).toEqual(['cookies 0'])
    expect(hitsOf('файлы')).toEqual(['cookies 0'])
    expect(hitsOf('полёты')).toEqual([])
    expect(hitsOf('  ?! ')).toEqual([])
  })
  test('marks the matches, as text', () => {
    const [hit] = searchHelp(documents, 'спама')
    expect(hit?.excerpt.filter(({ found }) => found).map(({ text }) => text)).toEqual(['Спам'])
    expect(hit?.excerpt.map(({ text }) => text).join('')).toBe('Письмо может идти до 10 минут. Проверьте папку «Спам».')
  })
  test('a long text is cut around the first word found', () => {
    const text = `${'слово '.repeat(100)}иголка ${'слово '.repeat(100)}`
    const [hit] = searchHelp(
      [{ code: 'x', name: '', locale: 'ru', sections: [{ heading: 'h', text, part: 1 }] }],
      'иголка',
    )
    const excerpt = hit?.excerpt.map(({ text }) => text).join('') ?? ''
    expect(excerpt).toMatch(/^… (слово )+иголка (слово )*слово …$/)
    expect(excerpt.length).toBeLessThan(320)
  })
})
