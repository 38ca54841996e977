import Link from 'next/link'
import { getFormatter, getTranslations } from 'next-intl/server'
import { Pill } from '@/components/ui/pill'
import { localName } from '@/lib/base/i18n/local-name'
import { TabOrder } from './orders'
import { TabRowMenu } from './parts'
import { tabPath } from './paths'
import type { TabOfFields } from './read-fields'

type Props = { tabs: readonly TabOfFields[]; locale: string; mayWrite: boolean }

/** The tabs of a type, each with its blocks and how many fields it has. */
export async function Tabs({ tabs, locale, mayWrite }: Props) {
  const [t, format] = await Promise.all([getTranslations('dynamic-fields'), getFormatter()])
  const items = tabs.map((tab) => {
    const name = localName(tab, locale)
    const fields = tab.subtypes.flatMap((block) => block.fields)
    const shipped = fields.some(({ systemic }) => systemic)
    return {
      id: tab.id,
      name,
      side: format.number(fields.length),
      menu: mayWrite ? (
        <TabRowMenu
          tab={{
            ...{ id: tab.id, title: tab.title, titleEn: tab.titleEn, updatedAt: tab.updatedAt },
            ...{ active: tab.active, systemic: tab.systemic, blocks: tab.subtypes.length },
          }}
          name={name}
          shipped={shipped}
        />
      ) : undefined,
      body: (
        <div className="grid gap-0.5">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Link
              href={tabPath(tab.type, tab.id)}
              prefetch={false}
              className="min-w-0 break-words rounded-[2px] font-medium underline-offset-4 hover:underline"
            >
              {name}
            </Link>
            {tab.active ? null : <Pill>{t('hidden')}</Pill>}
          </p>
          <p className="break-words text-ink-second text-note">
            {tab.subtypes.length > 0
              ? t('blocksOf', { names: tab.subtypes.map((block) => localName(block, locale)).join(', ') })
              : t('noBlocks')}
          </p>
        </div>
      ),
    }
  })
  return <TabOrder type={tabs[0]?.type ?? 'users'} items={items} mayWrite={mayWrite && items.length > 1} />
}
