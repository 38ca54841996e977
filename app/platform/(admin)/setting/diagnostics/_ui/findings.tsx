import { Info, TriangleAlert } from 'lucide-react'
import Link from 'next/link'
import { getFormatter, getTranslations } from 'next-intl/server'
import { buttonClasses } from '@/components/ui/button-classes'
import { Calm } from '@/components/ui/calm'
import type { SystemicMethod } from '@/lib/base/access/access-methods'
import { holdsMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { wordsOf } from '@/lib/base/i18n/words'
import { pathOfScreen, type ScreenName } from '@/lib/base/navigation/screens'
import type { Finding } from '@/lib/operations/diagnostics/contract'
import { listFindings } from '@/lib/operations/diagnostics/service'

/** The page on which each finding can be corrected, and the method that it needs. */
const places: Partial<Record<Finding['code'], { screen: ScreenName; method: SystemicMethod }>> = {
  clientsWithoutPkce: { screen: 'PlatformApplications', method: 'applications.read' },
  weakSettings: { screen: 'PlatformSettingsBase', method: 'settings.read' },
}

/** Settings that are weaker than advised, each with the page on which it can be corrected. */
export async function Findings({ ctx }: { ctx: Ctx }) {
  const [t, names, format, { findings }] = await Promise.all([
    getTranslations('diagnostics'),
    getTranslations('settings.names').then(wordsOf),
    getFormatter(),
    listFindings(ctx),
  ])
  const nameOf = (code: Finding['code'], name: string) =>
    code === 'weakSettings' && names.has(name) ? t('quoted', { name: names(name) }) : name
  return (
    <section aria-labelledby="findings" className="grid gap-3">
      <h2 id="findings" className="text-section">
        {t('findings')}
      </h2>
      {findings.length > 0 ? (
        <ul className="divide-y divide-line rounded-card border border-line bg-surface text-table">
          {findings.map(({ code, count, names: all }) => {
            const place = places[code]
            const href = place && holdsMethod(ctx, place.method) ? pathOfScreen(place.screen) : undefined
            return (
              <li key={code} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
                {
                  // as in the overview: a shipped value is no warning
                  code === 'weakSettings' ? (
                    <Info aria-hidden="true" strokeWidth={1.75} className="size-5 shrink-0 text-info" />
                  ) : (
                    <TriangleAlert aria-hidden="true" strokeWidth={1.75} className="size-5 shrink-0 text-warning" />
                  )
                }
                <p className="wrap-anywhere min-w-0 flex-1 basis-60">
                  {t(`found.${code}`, {
                    count,
                    names: format.list(
                      all.map((name) => nameOf(code, name)),
                      { type: 'unit' },
                    ),
                  })}
                </p>
                {href ? (
                  <Link href={href} prefetch={false} className={buttonClasses({ variant: 'secondary', size: 'S' })}>
                    {t('open')}
                  </Link>
                ) : null}
              </li>
            )
          })}
        </ul>
      ) : (
        <Calm title={t('calm')} text={t('calmText')} />
      )}
    </section>
  )
}
