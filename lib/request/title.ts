import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { z } from 'zod'
import type { Ctx } from '@/lib/base/context/ctx'
import { Id } from '@/lib/base/contracts/contract'
import { idsIn, isOpenTo, listOfCard, type ScreenName, screenNamed, screens } from '@/lib/base/navigation/screens'
import { AppError } from '@/lib/base/runtime/errors'
import { projectInfo } from '@/lib/site/project-info/service'
import { pageContext } from './page'

const projectTexts = async () => {
  const { ctx } = await pageContext()
  return (await projectInfo(ctx.domain)).options[ctx.locale]
}

/** Returns a page's title: its label, then the project's copyright title (docs/rules/pages.md#titles). */
export async function pageTitle(label: string): Promise<Metadata> {
  const title = (await projectTexts())?.copyright.title
  return { title: title ? `${label} — ${title}` : label }
}

/**
 * Returns the title of a page that search engines may list, with its description (docs/rules/pages.md#search-engines).
 * For a document, the label is its name.
 */
export async function listedPage(
  label: string,
  page: 'signIn' | 'registration' | 'help' | 'document',
): Promise<Metadata> {
  const [title, texts, t] = await Promise.all([pageTitle(label), projectTexts(), getTranslations('search-engines')])
  const description = texts?.projectName && t(page, { project: texts.projectName, name: label })
  return { ...title, description, robots: { index: true, follow: true } }
}

/**
 * Returns the title function of a card: the name of its object, then its list (docs/rules/pages.md#titles). `read`
 * returns the object's name with a service function, which checks access; for a part of an object it gets both ids. A
 * person without access to the page doesn't learn the name.
 */
export const cardTitle =
  (name: ScreenName, read: (ctx: Ctx, id: string, partId: string) => Promise<string>) =>
  async ({ params }: { params: Promise<Record<string, string>> }): Promise<Metadata> => {
    const [{ ctx }, routeParams, t] = await Promise.all([pageContext(), params, getTranslations()])
    const screen = screenNamed(name)
    if (!ctx.user || !isOpenTo(screen, ctx.user.methods)) return pageTitle(t('shell.screens.NoAccess'))
    try {
      const list = listOfCard(screen)?.name
      const [id = '', partId = ''] = idsIn(screen, routeParams).map((value) => Id.parse(value))
      const object = await read(ctx, id, partId)
      return pageTitle(list ? `${object} · ${t(`shell.screens.${list}`)}` : object)
    } catch (error) {
      const missing = error instanceof z.ZodError || (error instanceof AppError && error.status === 404)
      // the page shows any other failure
      return pageTitle(t(missing ? 'not-found.card.title' : `shell.screens.${name}`))
    }
  }

/**
 * Returns the title of a protected page. Next renders it separately from the page, so it checks access itself: a person
 * without access doesn't learn the page's name.
 */
export async function screenTitle(name: ScreenName): Promise<Metadata> {
  const [{ ctx }, t] = await Promise.all([pageContext(), getTranslations('shell.screens')])
  const screen = screens.find((candidate) => candidate.name === name)
  const accessible = screen && ctx.user && isOpenTo(screen, ctx.user.methods)
  return pageTitle(t(accessible ? name : 'NoAccess'))
}
