import { redirect } from 'next/navigation'
import type { z } from 'zod'
import { AppError } from '@/lib/kernel/errors'
import { beginningOf, type ListAddress, type PageSearch, readListAddress } from '@/lib/kernel/list-address'
import { pageUser } from './navigation'
import { pageContext } from './page'

/**
 * Starts a protected page with a list: returns the context, the user, the list's query and its address. Redirects or
 * refuses like `pageUser`.
 */
export async function listPageContext<S extends z.ZodType>(schema: S, path: string, searchParams: Promise<PageSearch>) {
  const { ctx } = await pageContext()
  const { query, address } = readListAddress(schema, path, await searchParams)
  const user = await pageUser(ctx, path, address.search && `?${address.search}`)
  return { ctx, user, query, address }
}

/**
 * Runs `read` and returns the list. Redirects to the beginning of the list when its cursor is no longer valid, as in an
 * old bookmark.
 */
export async function readList<T>(address: ListAddress, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const stale = error instanceof AppError && error.data.errorList?.some(({ code }) => code === 'errorCursor')
    if (stale) redirect(beginningOf(address))
    throw error
  }
}
