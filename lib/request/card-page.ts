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

/** What a tab gets of its card. */
export type CardContext = {
  ctx: Ctx
  /** The object's id, of the right form. */
  id: string
  /** Reads a list that a tab shows from the card's address, as `readListAddress` does; its links stay in the tab. */
  list: <S extends z.ZodType>(schema: S) => { query: z.output<S>; address: ListAddress }
}

/**
 * Starts a protected page of one object, whose address ends with its id; a part of another object has that one's id in
 * its address too. `tabs` names its tabs; the first is open unless
 * `?tab=` names another. Redirects or refuses like `pageUser`; answers 404 for an id of a wrong form and a tab that
 * doesn't exist, 403 for a tab whose method the person lacks.
 */
export async function cardPageContext<T extends CardTabs>(name: ScreenName, page: PageProps, tabs: T) {
  const { ctx } = await pageContext()
  const [params, search] = await Promise.all([page.params, page.searchParams])
  const { area } = screenNamed(name)
  const ids = idsIn(screenNamed(name), params)
  const id = ids.at(-1) ?? ''
  const path = cardPath(name, ...ids)
  const user = await pageUser(ctx, path, wholeSearch(search))
  if (ids.some((each) => !Id.safeParse(each).success)) notFound()

  const { tab: asked, ...rest } = search
  const holds = (method: SystemicMethod) => holdsMethod(user, method)
  const tab = requestedTab(tabs, asked, holds)
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
    const { query, address } = readListAddress(schema, path, rest)
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
    /** What stands in place of the actions for whoever only looks. */
    readOnly: mayWrite ? undefined : await readOnlyText(),
    list,
    /** The tabs that the person may open, for Card. `labels` names all; `counts` what each holds, where it is known. */
    tabsOf: (labels: { [K in keyof T & string]: string }, counts: { [K in keyof T & string]?: number | null } = {}) =>
      openTabs(tabs, holds).map((each) => ({
        href: tabHref(tabs, path, each),
        label: labels[each],
        count: counts[each] ?? null,
      })),
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
