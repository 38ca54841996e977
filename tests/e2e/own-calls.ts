import { z } from 'zod'
import { contract, Done, Id } from '@/lib/base/contracts/contract'
import { file, fileAnswer } from '@/lib/base/contracts/file'
import { route } from '@/lib/request/route'

/** Calls that take and return files. `ownRoutes` puts them in place of some of a server's own. */
const odd = { tag: 'files', summary: '' } as const
const path = '/setting/network-aliases'
const picture = file({ types: ['image/png', 'text/plain'], max: 8 * 1024 ** 2 })

/** How many sources of files are open, and how many rows they have made so far. */
let open = 0
let made = 0

export const take = route(
  contract({
    ...odd,
    name: 'take',
    method: 'POST',
    path,
    access: 'public',
    body: z.strictObject({ title: z.string(), picture: picture.optional() }),
    response: z.strictObject({
      name: z.string(),
      size: z.number(),
      digest: z.string(),
      open: z.number(),
      made: z.number(),
    }),
  }),
  async (_, { body }) => ({
    name: body.picture?.name ?? '',
    size: body.picture?.size ?? 0,
    digest: body.picture?.digest ?? '',
    open,
    made,
  }),
)

export const put = route(
  contract({
    ...odd,
    name: 'put',
    method: 'PUT',
    path: `${path}/{id}`,
    access: 'user',
    params: z.strictObject({ id: Id }),
    body: picture,
    response: Done,
  }),
  async () => ({}),
)

const row = `Строка;${'x'.repeat(1000)}\n`

async function* rows(count: number, failAt: number) {
  open++
  try {
    for (let n = 0; n < count; n++) {
      if (n === failAt) throw new Error('the source is gone')
      made++
      yield row
    }
  } finally {
    open--
  }
}

const number = z.coerce.number().int()

export const give = route(
  contract({
    ...odd,
    name: 'give',
    method: 'GET',
    path,
    access: 'public',
    query: z.strictObject({ rows: number, failAt: number.optional() }),
    response: fileAnswer({ types: ['text/csv'] }),
  }),
  async (_, { query }) => ({
    name: 'Список «людей».csv',
    type: 'text/csv',
    size: query.rows * Buffer.byteLength(row),
    chunks: rows(query.rows, query.failAt ?? -1),
  }),
)
