import { expect, test } from 'vitest'
import { callAddress } from '@/lib/base/http/client'

test('an address repeats the key of a list, names the members of a filter and leaves out what is not there', () => {
  const query = { filter: { search: 'а б', ids: ['1', '2'], none: undefined }, ids: ['x', 'y'], sort: null }
  const address = callAddress('/setting/{id}/people', { params: { id: 'a/b' }, query })
  expect(decodeURIComponent(address)).toBe(
    '/api/v1/platform/setting/a/b/people?filter[search]=а+б&filter[ids]=1&filter[ids]=2&ids=x&ids=y',
  )
  expect(callAddress('/x', {})).toBe('/api/v1/platform/x')
})
