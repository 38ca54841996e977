import { afterEach, expect, test, vi } from 'vitest'
import { keepChoice } from '@/components/shell/browser-cookie'

afterEach(() => vi.unstubAllGlobals())

function written(protocol: string, write: () => void) {
  const page = { cookie: '' }
  vi.stubGlobal('document', page)
  vi.stubGlobal('window', { location: { protocol, pathname: '/platform/login' } })
  write()
  return page.cookie.split('; ')
}

test('a chosen language stays in the browser for 34 560 000 seconds, and over https goes over https alone', () => {
  const attributes = ['locale=en', 'Max-Age=34560000', 'Path=/', 'SameSite=Lax']
  expect(written('http:', () => keepChoice('locale', 'en'))).toEqual(attributes)
  expect(written('https:', () => keepChoice('locale', 'en'))).toEqual([...attributes, 'Secure'])
})
