import { getTranslations } from 'next-intl/server'
import type { ProjectInfo, ProjectLocaleOptions } from '@/lib/platform/project-info/contract'
import { cn } from '../ui/cn'

const linkLook = 'rounded-[2px] underline-offset-4 transition-colors hover:text-ink hover:underline pointer-coarse:py-2'

type Entry = { url: string; text: string; mobile?: string | null }
type Props = { project: ProjectInfo; options: ProjectLocaleOptions | undefined; className?: string }

/** Help, the site, technical links, legal documents and the terms shown here, and whose platform it is. */
export async function SiteFooter({ project, options, className }: Props) {
  const t = await getTranslations('common')
  const site = options?.siteUrl ?? project.siteUrl
  const links: Entry[] = [
    ...(project.helpUrl ? [{ url: project.helpUrl, text: t('help') }] : []),
    ...(site ? [site] : []),
    ...(options?.technicalLink ?? project.technicalLinks),
    ...(options?.lawInfo.legalInfo ?? []),
    ...(options?.lawInfo.termsInfo ?? [])
      .filter(({ footerVisible }) => footerVisible)
      .map(({ link, linkTitle, title }) => ({ url: link, text: linkTitle || title })),
  ]
  return (
    <footer
      className={cn('flex flex-wrap items-start justify-between gap-x-8 gap-y-3 text-ink-second text-note', className)}
    >
      {links.length > 0 ? (
        <nav aria-label={t('footerLinks')}>
          <ul className="flex flex-wrap gap-x-5 gap-y-2">
            {links.map(({ url, text, mobile }) => (
              <li key={`${url} ${text}`}>
                <a href={url} rel="noopener" className={linkLook}>
                  {text}
                </a>
                {mobile ? (
                  <a
                    href={`tel:${mobile.replace(/[^\d+]/g, '')}`}
                    className={cn('ml-2 whitespace-nowrap tabular-nums', linkLook)}
                  >
                    {mobile}
                  </a>
                ) : null}
              </li>
            ))}
          </ul>
        </nav>
      ) : null}
      {options?.copyright.text ? (
        <p>
          {project.copyrightUrl ? (
            <a href={project.copyrightUrl} rel="noopener" className={linkLook}>
              {options.copyright.text}
            </a>
          ) : (
            options.copyright.text
          )}
        </p>
      ) : null}
    </footer>
  )
}
