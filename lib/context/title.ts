import type { Metadata } from 'next'
import { projectInfo } from '@/lib/platform/project-info/service'
import { pageContext } from './page'

/** A page's title: its label, then the project's copyright title (portal.md section 2). */
export async function pageTitle(label: string): Promise<Metadata> {
  const { ctx } = await pageContext()
  const { options } = await projectInfo(ctx.domain)
  const title = options[ctx.locale]?.copyright.title
  return { title: title ? `${label} — ${title}` : label }
}
