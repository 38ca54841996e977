import { redirect } from 'next/navigation'
import type { z } from 'zod'
import { holdsMethod } from '@/lib/kernel/access'
import { AppError } from '@/lib/kernel/errors'
import { beginningOf, type ListAddress, type PageSearch, readListAddress } from '@/lib/kernel/list-address'
import { type ScreenName, screenNamed } from '@/lib/kernel/navigation/screens'
import { pageUser } from './navigation'
import { pageContext } from './page'

/**
 * Starts a protected page with a list: returns the context, the list's query and address, the page's name, and whether
 * the person may change what the page's area lists. Redirects or refuses like `pageUser`.
 */
export async function listPageContext<S extends z.ZodType>(
  name: ScreenName,
  schema: S,
  searchParams: Promise<PageSearch>,
) {
  const { ctx } = await pageContext()
  const { path, area } = screenNamed(name)
  const { query, address } = readListAddress(schema, path, await searchParams)
  const user = await pageUser(ctx, path, address.search && `?${address.search}`)
  return {
    name,
    ctx,
    query,
    address,
    mayWrite: area !== undefined && area !== 'any' && holdsMethod(user, `${area}.write`),
  }
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
