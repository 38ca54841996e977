import { expect, test } from 'vitest'
import { createDomain } from '@/lib/site/domains/contract'

const faultOf = (text: string, link: string) => {
  const technical = [{ title: 'Поддержка', text, link }]
  const settings = { projectTitle: 'Склад', projectName: 'Склад', technical }
  const read = createDomain.body?.safeParse({ locales: [{ localeId: crypto.randomUUID(), settings }] })
  return read?.error?.issues.find(({ message }) => message === 'errorContactText')?.path.join('.')
}

// a mail shows the text, and leads to the link
test.each([
  ['help@polaris.example', 'mailto:help@evil.example'],
  ['Пишите: help@polaris.example', 'https://evil.example/c'],
  ['https://polaris.example/help', 'https://evil.example/help'],
  ['polaris.example', 'https://evil.example/?polaris.example'],
  ['polaris.example', 'https://polaris.example.evil.example/'],
  ['help@polaris.example', 'mailto:c@evil.example?cc=help@polaris.example'],
  ['help@polaris.example', 'mailto:help@polaris.example?bcc=c@evil.example'],
  ['help@polaris.example', 'mailto:help@polaris.example?subject=1&%54o=c@evil.example'],
  ['help@polaris.example', 'mailto:help@polaris.example?subject=1&amp;CC=c@evil.example'],
  ['help@polaris.example', 'mailto:help@polaris.example#,c@evil.example'],
  ['help@polaris.example', 'mailto:help@polaris.example/,c@evil.example'],
])('a contact that shows %s can’t lead to %s', (text, link) => {
  expect(faultOf(text, link)).toBe('locales.0.settings.technical.0.text')
})

test.each([
  ['Пишите: Help@polaris.example.', 'mailto:help@polaris.example'],
  ['polaris.example/help', 'https://polaris.example/help'],
  ['Спросить', 'https://polaris.example/help'],
  ['polaris.example', 'https://www.polaris.example/help?from=mail'],
  ['help@polaris.example', 'mailto:help@polaris.example?subject=Вход&body=%2B1'],
  ['+7 900 000-00-01', 'tel:+79000000001'],
])('a contact that shows %s leads to %s', (text, link) => {
  expect(faultOf(text, link)).toBeUndefined()
})
