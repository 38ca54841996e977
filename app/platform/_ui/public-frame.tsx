import type { ReactNode } from 'react'
import { Mark } from '@/components/look/mark'
import { FailurePage } from '@/components/shell/failure-page'
import { HeaderChoices } from '@/components/shell/header-choices'
import { SiteFooter } from '@/components/shell/site-footer'
import { pageContext } from '@/lib/context/page'
import { pageTheme } from '@/lib/context/theme'
import { projectInfo } from '@/lib/platform/project-info/service'

/** A page that tells what went wrong, with the header and the footer of the domain, so that people know whose it is. */
export async function PublicFailure(page: { title: string; text: string; children: ReactNode }) {
  const frame = await publicFrame()
  return <FailurePage {...page} {...frame} />
}

/** Returns the header and the footer of the domain for a `FailurePage`. */
export async function publicFrame() {
  const { ctx } = await pageContext()
  const [project, theme] = await Promise.all([projectInfo(ctx.domain), pageTheme()])
  const options = project.options[ctx.locale] ?? Object.values(project.options)[0]
  return {
    header: (
      <>
        <a
          href="/"
          className="flex min-w-0 items-center gap-3 rounded-control font-semibold text-body leading-5 md:text-section"
        >
          <Mark code={project.code} logo={project.logo} className="text-brand" />
          <span className="min-w-0 hyphens-auto break-words">{options?.projectName || options?.projectTitle}</span>
        </a>
        <HeaderChoices languages={project.locales} locale={ctx.locale} theme={theme ?? 'system'} />
      </>
    ),
    footer: <SiteFooter project={project} options={options} />,
  }
}
