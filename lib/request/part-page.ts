import { forbidden, notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { roleThatGives } from '@/lib/access/viewer-role/service'
import { holdsMethod } from '@/lib/base/context/access'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { type ScreenName, screenNamed } from '@/lib/base/navigation/screens'
import { AppError } from '@/lib/base/runtime/errors'
import { wholeSearch } from './list-tab'
import { pageUser } from './navigation'
import { pageContext } from './page'

type PageProps<P> = { params: Promise<P>; searchParams: Promise<PageSearch> }

/**
 * Starts a protected page whose address has names as parameters, such as a type and one of its parts. Redirects or
 * refuses like `pageUser`. `read` turns 404 and 403 of a service into those of the page.
 */
export async function partPageContext<P extends Record<string, string>>(name: ScreenName, page: PageProps<P>) {
  const { ctx } = await pageContext()
  const [raw, search] = await Promise.all([page.params, page.searchParams])
  const { area, path: pattern } = screenNamed(name)
  const path = pattern.replace(/\{(\w+)\}/g, (_, part: string) => raw[part] ?? '')
  const user = await pageUser(ctx, path, wholeSearch(search))
  const mayWrite = area !== undefined && area !== 'any' && holdsMethod(user, `${area}.write`)
  const t = await getTranslations('ui.card')
  const readOnlyText = async () => {
    const role = area && area !== 'any' ? await roleThatGives(user.id, `${area}.read`, ctx.locale) : null
    return role ? t('readOnlyAs', { role }) : t('readOnly')
  }
  return {
    ctx,
    search,
    /** The parameters; Next leaves them encoded. */
    params: Object.fromEntries(Object.entries(raw).map(([part, text]) => [part, decodedOrEmpty(text)])) as P,
    mayWrite,
    /** The text in place of the actions for a person who may only read. */
    readOnly: mayWrite ? undefined : await readOnlyText(),
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

/** Returns the decoded text; an empty text if its encoding is invalid. */
function decodedOrEmpty(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
