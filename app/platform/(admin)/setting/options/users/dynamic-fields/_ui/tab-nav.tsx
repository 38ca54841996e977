import Link from 'next/link'
import { getTranslations } from 'next-intl/server'
import { CurrentInView } from '@/components/ui/current-in-view'
import { localName } from '@/lib/base/i18n/local-name'
import { tabPath, typePath } from './paths'
import type { TabOfFields } from './read-fields'

type Props = { tabs: readonly TabOfFields[]; current: string; locale: string }

/** The tabs of the type, beside the open one, or above it if there is no room. */
export async function TabNav({ tabs, current, locale }: Props) {
  const t = await getTranslations('dynamic-fields')
  return (
    <nav
      aria-label={t('tabs')}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2 @min-[64rem]:sticky @min-[64rem]:top-20"
    >
      <p className="font-medium text-ink-second text-note">
        <Link
          href={typePath(tabs[0]?.type ?? 'users')}
          prefetch={false}
          className="rounded-[2px] underline-offset-4 hover:text-ink hover:underline"
        >
          {t('allTabs')}
        </Link>
      </p>
      <div className="tabs overflow-x-auto">
        <ul className="flex gap-1 @min-[64rem]:grid">
          {tabs.map((tab) => (
            <li key={tab.id} className="shrink-0 @min-[64rem]:shrink">
              <Link
                href={tabPath(tab.type, tab.id)}
                prefetch={false}
                aria-current={tab.id === current ? 'page' : undefined}
                className="grid rounded-control border border-transparent px-3 py-2 text-ink-second hover:text-ink aria-[current=page]:border-line-chosen aria-[current=page]:bg-sunken aria-[current=page]:text-ink"
              >
                <span className="break-words font-medium text-table">{localName(tab, locale)}</span>
                <span className="text-note">
                  {tab.active
                    ? t('countOfFields', { count: tab.subtypes.reduce((sum, { fields }) => sum + fields.length, 0) })
                    : t('hiddenTab')}
                </span>
              </Link>
            </li>
          ))}
        </ul>
        <CurrentInView current={current} />
      </div>
    </nav>
  )
}
