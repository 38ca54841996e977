import { forbidden, notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import type { z } from 'zod'
import { holdsMethod } from '@/lib/kernel/access'
import type { SystemicMethod } from '@/lib/kernel/access-methods'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError } from '@/lib/kernel/errors'
import { Id } from '@/lib/kernel/http/contract'
import { type ListAddress, type PageSearch, readListAddress } from '@/lib/kernel/list-address'
import { type ScreenName, screenNamed } from '@/lib/kernel/navigation/screens'
import { pageUser } from './navigation'
import { pageContext } from './page'

/** The tabs of a card in their order, each with the method that opens it; without one the page's own method does. */
type Tabs = Readonly<Record<string, SystemicMethod | null>>

type PageProps = { params: Promise<{ id: string }>; searchParams: Promise<PageSearch> }

/** What a tab gets of its card. */
export type CardContext = {
  ctx: Ctx
  /** The object's id, of the right form. */
  id: string
  /** Reads a list that a tab shows from the card's address, as `readListAddress` does; its links stay in the tab. */
  list: <S extends z.ZodType>(schema: S) => { query: z.output<S>; address: ListAddress }
}

/**
 * Starts a protected page of one object, whose address ends with its id. `tabs` names its tabs; the first is open unless
 * `?tab=` names another. Redirects or refuses like `pageUser`; answers 404 for an id of a wrong form and a tab that
 * doesn't exist, 403 for a tab whose method the person lacks.
 */
export async function cardPageContext<T extends Tabs>(name: ScreenName, page: PageProps, tabs: T) {
  const { ctx } = await pageContext()
  const [{ id }, search] = await Promise.all([page.params, page.searchParams])
  const { path: pattern, area } = screenNamed(name)
  const path = pattern.replace('{id}', encodeURIComponent(id))
  const whole = new URLSearchParams(
    Object.entries(search).flatMap(([key, value]) => [value ?? []].flat().map((one): [string, string] => [key, one])),
  )
  const user = await pageUser(ctx, path, whole.size > 0 ? `?${whole}` : '')
  if (!Id.safeParse(id).success) notFound()

  const { tab: asked, ...rest } = search
  const names = Object.keys(tabs) as (keyof T & string)[]
  const [first] = names
  const tab = asked === undefined ? first : names.find((each) => each === asked)
  if (tab === undefined) notFound()
  const isOpen = (each: keyof T & string) => {
    const method = tabs[each]
    return !method || holdsMethod(user, method)
  }
  if (!isOpen(tab)) forbidden()
  const t = await getTranslations('ui.card')

  const hrefOf = (each: keyof T & string) => (each === first ? path : `${path}?tab=${each}`)
  const list: CardContext['list'] = (schema) => {
    const { query, address } = readListAddress(schema, path, rest)
    if (tab === first) return { query, address }
    const inTab = new URLSearchParams(address.search)
    inTab.set('tab', tab)
    return { query, address: { ...address, search: inTab.toString() } }
  }
  return {
    ctx,
    id,
    /** The open tab. */
    tab,
    /** The address of the open tab. */
    current: hrefOf(tab),
    mayWrite: area !== undefined && area !== 'any' && holdsMethod(user, `${area}.write`),
    /** What stands in place of the actions for whoever only looks. */
    readOnly: t('readOnly'),
    list,
    /** The tabs that the person may open, for Card. `labels` names all; `counts` what each holds, where it is known. */
    tabsOf: (labels: { [K in keyof T & string]: string }, counts: { [K in keyof T & string]?: number | null } = {}) =>
      names.filter(isOpen).map((each) => ({ href: hrefOf(each), label: labels[each], count: counts[each] ?? null })),
    /** Runs `read` and returns the object; 404 of the service is the page's 404, 403 its 403. */
    read: async <R>(read: () => Promise<R>): Promise<R> => {
      try {
        return await read()
      } catch (error) {
        if (error instanceof AppError && error.status === 404) notFound()
        if (error instanceof AppError && error.status === 403) forbidden()
        throw error
      }
    },
  }
}
