import { redirect } from 'next/navigation'
import type { z } from 'zod'
import { holdsMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { beginningOf, type ListAddress, type PageSearch, readListAddress } from '@/lib/base/lists/list-address'
import type { ListInput } from '@/lib/base/lists/lists'
import type { ChosenColumns } from '@/lib/base/navigation/screens'
import { type ScreenName, screenNamed } from '@/lib/base/navigation/screens'
import { AppError } from '@/lib/base/runtime/errors'
import { pageUser } from './navigation'
import { pageContext } from './page'

/** Separates some parameters of an address from the rest; a parameter that is repeated counts as missing. */
function splitParameters(search: PageSearch, names: readonly string[]) {
  const [rest, picked]: [PageSearch, Record<string, string | undefined>] = [{ ...search }, {}]
  for (const name of names) {
    const { [name]: value } = rest
    if (typeof value === 'string') picked[name] = value
    delete rest[name]
  }
  return { own: picked, rest }
}

/**
 * Starts a protected page with a list: returns the context, the list's query and address, the page's name, whether the
 * person may change the objects of the page's area, and the columns that they have chosen. `ofPage` names further
 * parameters of the address, which are returned in `own`. Redirects or refuses like `pageUser`.
 */
export async function listPageContext<S extends z.ZodType>(
  name: ScreenName,
  schema: S,
  searchParams: Promise<PageSearch>,
  ofPage: readonly string[] = [],
) {
  const { ctx } = await pageContext()
  const { path, area } = screenNamed(name)
  const { own: picked, rest } = splitParameters(await searchParams, ofPage)
  const { query, address } = readListAddress(schema, path, rest)
  const user = await pageUser(ctx, path, address.search && `?${address.search}`)
  return {
    name,
    ctx,
    query,
    address,
    own: picked,
    mayWrite: area !== undefined && area !== 'any' && holdsMethod(user, `${area}.write`),
    chosenColumns: { list: name, chosen: user.columns[name] ?? {} },
  }
}

/** What the component with the rows gets from its page, besides the query. */
export type ListContext = {
  ctx: Ctx
  address: ListAddress
  mayWrite: boolean
  /** The columns that the person has chosen. */
  chosenColumns: ChosenColumns
}

/** The same with the list's query. */
export type ListOf<S extends z.ZodType> = ListContext & { query: z.output<S> }

/** Parameters that replace those of the page in the address; empty for the page itself. */
type PageChange = Pick<ListInput<unknown, string>, 'only'> &
  Partial<Pick<ListInput<unknown, string>, 'page' | 'after' | 'before'>>

/** Returns the rows in the answer of a list; their property differs in each list. */
const rowsOf = (list: object): { id: string }[] => Object.values(list).find(Array.isArray) ?? []

/**
 * Runs `read` and returns the list. A row that was just created is added at the top, if it matches the filters and is
 * on another page. `read` spreads its parameter over its query. Redirects to the beginning of the list if the cursor is
 * no longer valid, for example in an old bookmark.
 */
export async function readList<T extends object>(
  { created, ...address }: ListAddress,
  read: (change: PageChange) => Promise<T>,
): Promise<T> {
  try {
    const list = await read({})
    const rows = rowsOf(list)
    if (!created || rows.some(({ id }) => id === created)) return list
    const createdOnly = await read({ only: created, page: 1, after: undefined, before: undefined })
    rows.unshift(...rowsOf(createdOnly).filter(({ id }) => id === created))
    return list
  } catch (error) {
    const stale = error instanceof AppError && error.data.errorList?.some(({ code }) => code === 'errorCursor')
    if (stale) redirect(beginningOf(address))
    throw error
  }
}
