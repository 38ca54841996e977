import type { useTranslations } from 'next-intl'
import { Pill } from '@/components/ui/pill'

type State = { type: 'draft' | 'other'; enabled: boolean; base: boolean }

/** Whether a domain serves people: a draft and a disabled one don't. */
export function DomainPill({ type, enabled, t }: State & { t: ReturnType<typeof useTranslations<'domains'>> }) {
  if (!enabled) return <Pill>{t('states.off')}</Pill>
  if (type === 'draft') return <Pill tone="info">{t('states.draft')}</Pill>
  return <Pill tone="ok">{t('states.serves')}</Pill>
}
