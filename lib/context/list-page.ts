import type { z } from 'zod'
import { type PageSearch, readListAddress } from '@/lib/kernel/list-address'
import { pageUser } from './navigation'
import { pageContext } from './page'

/** What a protected page with a list begins with: who asks, for what of it. Leads away or refuses like `pageUser`. */
export async function listPage<S extends z.ZodType>(schema: S, path: string, searchParams: Promise<PageSearch>) {
  const { ctx } = await pageContext()
  const { query, address } = readListAddress(schema, path, await searchParams)
  const user = await pageUser(ctx, path, address.search && `?${address.search}`)
  return { ctx, user, query, address }
}
