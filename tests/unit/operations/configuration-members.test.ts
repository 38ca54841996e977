import { expect, test } from 'vitest'
import { z } from 'zod'
import { membersOf } from '@/lib/operations/configuration-file/members'

const form = z.strictObject({
  code: z.string(),
  link: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  origins: z.array(z.string()).default([]),
  items: z.array(z.strictObject({ value: z.string(), enabled: z.boolean() })),
  value: z.unknown(),
})

test('an object has the members of its section in their order, and no other column', () => {
  const row = {
    ...{ id: '1', secret: 'encrypted', value: { any: null }, items: [{ id: '2', enabled: false, value: null }] },
    ...{ origins: ['https://app.example'], to: null, from: new Date(0), link: null, code: 'one' },
  }
  expect(JSON.stringify(membersOf(form, row))).toBe(
    JSON.stringify({
      ...{ code: 'one', link: '', from: '1970-01-01T00:00:00.000Z', to: null, origins: ['https://app.example'] },
      ...{ items: [{ value: '', enabled: false }], value: { any: null } },
    }),
  )
})
