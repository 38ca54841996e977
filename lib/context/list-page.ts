import { redirect } from 'next/navigation'
import type { z } from 'zod'
import { AppError } from '@/lib/kernel/errors'
import { beginningOf, type ListAddress, type PageSearch, readListAddress } from '@/lib/kernel/list-address'
import { pageUser } from './navigation'
import { pageContext } from './page'

/** What a protected page with a list begins with: who asks, for what of it. Leads away or refuses like `pageUser`. */
export async function listPage<S extends z.ZodType>(schema: S, path: string, searchParams: Promise<PageSearch>) {
  const { ctx } = await pageContext()
  const { query, address } = readListAddress(schema, path, await searchParams)
  const user = await pageUser(ctx, path, address.search && `?${address.search}`)
  return { ctx, user, query, address }
}

/** Reads a page's list. A cursor that no longer belongs to it, as in an old bookmark, leads to the list's beginning. */
export async function readList<T>(address: ListAddress, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const stale = error instanceof AppError && error.data.errorList?.some(({ code }) => code === 'errorCursor')
    if (stale) redirect(beginningOf(address))
    throw error
  }
}
