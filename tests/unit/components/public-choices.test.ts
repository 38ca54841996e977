import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { PublicChoices } from '@/components/shell/public-choices'

const [russian, english] = [
  { code: 'ru', name: 'Русский' },
  { code: 'en', name: 'English' },
]
const header = (languages: { code: string; name: string }[]) =>
  renderToStaticMarkup(
    createElement(PublicChoices, {
      languages,
      locale: 'ru',
      language: 'Русский',
      languageLabel: 'Язык: Русский',
      theme: 'system',
      themeLabel: 'Тема',
      themeNames: { light: 'Светлая', dark: 'Тёмная', system: 'Системная' },
      signedIn: false,
    }),
  )

test('the header of a public page offers a choice of languages only if there is more than one', () => {
  expect(header([russian, english])).toContain('Язык: Русский')
  expect(header([russian])).not.toContain('Язык: Русский')
  expect(header([russian])).toContain('Тема')
})
