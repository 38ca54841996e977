import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { isOpenTo, type ScreenName, screens } from '@/lib/kernel/navigation/screens'
import { projectInfo } from '@/lib/platform/project-info/service'
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
 * Returns the title of a page that search engines may list, with its description
 * (docs/rules/pages.md#search-engines). Of a document the label is its name.
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
 * Returns the title of a protected page. Next renders it apart from the page, so this checks access itself: a person
 * without access does not learn what the page is called.
 */
export async function screenTitle(name: ScreenName): Promise<Metadata> {
  const [{ ctx }, t] = await Promise.all([pageContext(), getTranslations('shell.screens')])
  const screen = screens.find((each) => each.name === name)
  const open = screen && ctx.user && isOpenTo(screen, ctx.user.methods)
  return pageTitle(t(open ? name : 'NoAccess'))
}
