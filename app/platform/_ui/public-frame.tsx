import type { ReactNode } from 'react'
import { PlainChoices } from '@/components/plain/plain-choices'
import { FailurePage } from '@/components/shell/failure-page'
import { PublicHeader } from '@/components/shell/public-header'
import { SiteFooter } from '@/components/shell/site-footer'
import { isPlainPage, pageContext } from '@/lib/request/page'
import { pageTheme } from '@/lib/request/theme'
import { projectInfo } from '@/lib/site/project-info/service'
import { PlainParts } from './plain-parts'

/**
 * A page that tells what went wrong, with the header and the footer of the domain, so that people recognize the domain.
 */
export async function PublicFailure(page: { title: string; text: string; children: ReactNode }) {
  const frame = await publicFrame()
  return <FailurePage {...page} {...frame} />
}

/** Returns the header and the footer of the domain for a `FailurePage`. */
async function publicFrame() {
  const { ctx } = await pageContext()
  const [project, theme, isPlain] = await Promise.all([projectInfo(ctx.domain), pageTheme(), isPlainPage()])
  const options = project.options[ctx.locale] ?? Object.values(project.options)[0]
  return {
    header: (
      <PublicHeader project={project} options={options} home className="py-3 md:pt-7">
        <PlainChoices languages={project.locales} locale={ctx.locale} theme={theme ?? 'system'} className="ml-auto" />
      </PublicHeader>
    ),
    footer: (
      <>
        <SiteFooter project={project} options={options} />
        {isPlain ? <PlainParts /> : null}
      </>
    ),
  }
}
