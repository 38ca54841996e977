import { getTranslations } from 'next-intl/server'
import { typographic } from '@/lib/base/i18n/typography'
import type { ProjectInfo, ProjectLocaleOptions } from '@/lib/site/project-info/contract'
import { cn } from '../ui/cn'

// at least 24 px high (WCAG 2.5.8)
const linkLook =
  'inline-block rounded-[2px] py-0.5 underline-offset-4 transition-colors hover:text-ink hover:underline pointer-coarse:py-2'

type Entry = { url: string; text: string; phone?: boolean }
type Props = { project: ProjectInfo; options: ProjectLocaleOptions | undefined; className?: string }

/** Help, the site, technical links, legal documents, the terms of this page, and the owner of the platform. */
export async function SiteFooter({ project, options, className }: Props) {
  const t = await getTranslations('common')
  const site = options?.siteUrl ?? project.siteUrl
  const links: Entry[] = [
    { url: project.helpUrl, text: t('help') },
    ...(site ? [site] : []),
    ...(options?.technicalLink ?? project.technicalLinks).flatMap(({ url, text, mobile }): Entry[] => [
      { url, text },
      ...(mobile && mobile !== text
        ? [{ url: `tel:${mobile.replace(/[^\d+]/g, '')}`, text: mobile, phone: true }]
        : []),
    ]),
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
          <ul className="flex flex-wrap gap-x-5 gap-y-1">
            {links.map(({ url, text, phone }) => (
              <li key={`${url} ${text}`}>
                <a href={url} rel="noopener" className={cn(phone && 'whitespace-nowrap tabular-nums', linkLook)}>
                  {typographic(text)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      ) : null}
      {options?.copyright.text ? (
        <p>
          <a href={options.siteUrl?.url ?? project.copyrightUrl} rel="noopener" className={linkLook}>
            {options.copyright.text}
          </a>
        </p>
      ) : null}
    </footer>
  )
}
