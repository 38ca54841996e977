import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import { PlainChoices } from '@/components/plain/plain-choices'
import { drawn } from '../../factories/server-part'

vi.mock('next-intl/server', async () => (await import('../../factories/server-part')).serverIntl)
vi.mock('@/lib/request/page', () => ({ pageAddress: async () => '/platform/help', pageFormToken: async () => 'token' }))

const [russian, english] = [
  { code: 'ru', name: 'Русский' },
  { code: 'en', name: 'English' },
]
const header = (languages: { code: string; name: string }[]) =>
  drawn('ru', createElement(PlainChoices, { languages, locale: 'ru', theme: 'system' }))

test('the header of a public page offers a choice of languages only if there is more than one', async () => {
  expect(await header([russian, english])).toContain('value="en"')
  expect(await header([russian])).not.toContain('value="ru"')
  expect(await header([russian])).toContain('value="dark"')
})
