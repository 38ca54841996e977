import { forbidden, notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import type { z } from 'zod'
import { roleThatGives } from '@/lib/access/viewer-role/service'
import type { SystemicMethod } from '@/lib/base/access/access-methods'
import { holdsMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { Id } from '@/lib/base/contracts/contract'
import { type ListAddress, type PageSearch, readListAddress } from '@/lib/base/lists/list-address'
import { type CardTabs, openTabs, requestedTab, tabHref } from '@/lib/base/navigation/card-tabs'
import { cardPath, idsIn, type ScreenName, screenNamed } from '@/lib/base/navigation/screens'
import { AppError } from '@/lib/base/runtime/errors'
import { inTab, wholeSearch } from './list-tab'
import { pageUser } from './navigation'
import { pageContext } from './page'

type PageProps = { params: Promise<Record<string, string>>; searchParams: Promise<PageSearch> }

/** What a tab gets from its card's page. */
export type CardContext = {
  ctx: Ctx
  /** The object's id, with a valid format. */
  id: string
  /** Reads the query of a tab's list from the card's address, as `readListAddress` does; its links stay in the tab. */
  list: <S extends z.ZodType>(schema: S) => { query: z.output<S>; address: ListAddress }
}

/**
 * Starts a protected page of one object, whose address ends with the object's id; for a part of another object, that
 * object's id is in the address too. `tabs` has the card's tabs; the first one is open unless `?tab=` names another.
 * Redirects or refuses like `pageUser`; answers 404 for an id with an invalid format and for an unknown tab, and 403
 * for a tab whose method the person lacks.
 */
export async function cardPageContext<T extends CardTabs>(name: ScreenName, page: PageProps, tabs: T) {
  const { ctx } = await pageContext()
  const [params, search] = await Promise.all([page.params, page.searchParams])
  const { area } = screenNamed(name)
  const ids = idsIn(screenNamed(name), params)
  const id = ids.at(-1) ?? ''
  const path = cardPath(name, ...ids)
  const user = await pageUser(ctx, path, wholeSearch(search))
  if (ids.some((item) => !Id.safeParse(item).success)) notFound()

  const { tab: tabName, ...otherParameters } = search
  const holds = (method: SystemicMethod) => holdsMethod(user, method)
  const tab = requestedTab(tabs, tabName, holds)
  if (tab === 404) notFound()
  if (tab === 403) forbidden()
  const mayWrite = area !== undefined && area !== 'any' && holdsMethod(user, `${area}.write`)
  const t = await getTranslations('ui.card')
  const readOnlyText = async () => {
    const role = area && area !== 'any' ? await roleThatGives(user.id, `${area}.read`, ctx.locale) : null
    return role ? t('readOnlyAs', { role }) : t('readOnly')
  }

  const current = tabHref(tabs, path, tab)
  const list: CardContext['list'] = (schema) => {
    const { query, address } = readListAddress(schema, path, otherParameters)
    if (current === path) return { query, address }
    return { query, address: inTab(address, tab) }
  }
  return {
    ctx,
    id,
    /** The open tab. */
    tab,
    /** The address of the open tab. */
    current,
    mayWrite,
    /** The text in place of the actions for a person who may only read. */
    readOnly: mayWrite ? undefined : await readOnlyText(),
    list,
    /**
     * The tabs that the person may open, for Card. `labels` has the texts of all; `counts` the number of items, if
     * known.
     */
    tabsOf: (labels: { [K in keyof T & string]: string }, counts: { [K in keyof T & string]?: number | null } = {}) =>
      openTabs(tabs, holds).map((item) => ({
        href: tabHref(tabs, path, item),
        label: labels[item],
        count: counts[item] ?? null,
      })),
    /** Runs `read` and returns the object; turns 404 and 403 of the service into those of the page. */
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
