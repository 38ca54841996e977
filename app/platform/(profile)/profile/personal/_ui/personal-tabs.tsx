import { getTranslations } from 'next-intl/server'
import { LinkTabs } from '@/components/ui/link-tabs'

const path = '/platform/profile/personal'

/** The tabs of the personal data: the data, and what was changed in them. */
export async function PersonalTabs({ current }: { current: 'data' | 'history' }) {
  const t = await getTranslations('account.tabs')
  const href = { data: path, history: `${path}/history` }
  return (
    <LinkTabs
      label={t('label')}
      current={href[current]}
      tabs={(['data', 'history'] as const).map((tab) => ({ href: href[tab], label: t(tab) }))}
    />
  )
}
