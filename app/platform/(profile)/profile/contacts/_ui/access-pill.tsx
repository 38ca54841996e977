import { useTranslations } from 'next-intl'
import { Pill } from '@/components/ui/pill'
import type { AccessStatus } from '@/lib/companies/colleagues/contract'

const tones = { invitationSent: 'info', active: 'ok', inactive: 'neutral' } as const

/** Whether a contact can work for the companies. */
export function AccessPill({ access }: { access: AccessStatus }) {
  const t = useTranslations('contacts.statuses')
  return <Pill tone={tones[access]}>{t(access)}</Pill>
}
