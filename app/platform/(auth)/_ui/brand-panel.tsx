import { getTranslations } from 'next-intl/server'
import { Guilloche } from '@/components/look/guilloche'
import { Card } from '@/components/ui/card'
import { TextLink } from '@/components/ui/text-link'
import { typographic } from '@/lib/base/i18n/typography'
import type { ProjectInfo } from '@/lib/site/project-info/contract'

type Banner = ProjectInfo['options'][string]['authBanners'][number]

/** The domain's panel of the page: its color, the guilloche, and its banners as cards. */
export async function BrandPanel({ banners }: { banners: Banner[] }) {
  const t = await getTranslations('common')
  return (
    <div
      data-brand
      // the color reaches the edge of a phone in landscape, the banners stay beside the cut-out
      className="bg-brand-tint [grid-area:brand] -mr-[env(safe-area-inset-right)] max-sm:-ml-[env(safe-area-inset-left)] print:hidden forced-colors:max-sm:border-y forced-colors:sm:border-l"
    >
      {/* it stays visible while a long form scrolls */}
      <div className="relative isolate flex min-h-28 flex-col justify-end overflow-hidden px-4 py-8 xs:px-6 sm:sticky sm:top-0 sm:min-h-dvh sm:px-8 sm:py-12 md:px-12">
        <Guilloche
          form="rosette"
          className="-top-40 -right-40 -z-10 w-[26rem] sm:-top-[14vmin] sm:-right-[16vmin] sm:w-[max(38rem,min(92vmin,60vw))]"
        />
        <Guilloche form="band" className="inset-x-0 bottom-10 -z-10 h-32 max-sm:hidden" />
        {banners.length > 0 ? (
          <section
            aria-label={t('announcements')}
            className="mr-[env(safe-area-inset-right)] grid gap-3 max-sm:ml-[env(safe-area-inset-left)] sm:max-w-[26rem]"
          >
            {banners.map(({ id, title, text, link }) => (
              <Card key={id} className="grid gap-1">
                <h2 className="text-section">{typographic(title)}</h2>
                <p className="whitespace-pre-line text-ink-second">{typographic(text)}</p>
                {link ? (
                  <p className="mt-1">
                    <TextLink href={link} aria-label={`${t('more')}: ${title}`}>
                      {t('more')}
                    </TextLink>
                  </p>
                ) : null}
              </Card>
            ))}
          </section>
        ) : null}
      </div>
    </div>
  )
}
