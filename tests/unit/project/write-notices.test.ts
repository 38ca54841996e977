import { expect, test } from 'vitest'
import { openApiDocument } from '@/lib/base/http/openapi'
import { contracts } from '@/lib/wiring/contracts'
import { allShared } from '../../factories/shared-texts'

const texts = [allShared('ru', 'snackbar'), allShared('en', 'snackbar')]
const writes = contracts.filter(({ method }) => method !== 'GET')

test('every write has both its notices, with texts in every language', () => {
  expect(writes.length).toBeGreaterThan(20)
  const { paths } = openApiDocument(contracts, { version: '1', cookie: 'session' }) as {
    paths: Record<string, Record<string, Record<string, unknown>>>
  }
  for (const { name, snackbar: notice, method, path } of writes) {
    expect(notice, name).toMatch(/^[a-z]\w*$/)
    for (const key of [notice, `${notice}Error`])
      for (const words of texts) expect(words[key ?? ''], `${name}: ${key}`).toMatch(/\S/)
    expect(paths[`/api/v1/platform${path}`]?.[method.toLowerCase()]?.['x-notices'], name).toEqual({
      success: notice,
      error: `${notice}Error`,
    })
  }
})
