import { useTranslations } from 'next-intl'
import { DateTime } from '@/components/ui/date-time'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import type { InvitationView } from '@/lib/joining/invitations/contract'

/** Shows whom the invitation is for, which roles it grants and until when it is valid. */
export function InvitationFacts({ view: { email, organizations, expiresAt } }: { view: InvitationView }) {
  const t = useTranslations('invitation.facts')
  return (
    <KeyValues>
      <KeyValue label={t('email')}>
        <span className="min-w-0 break-words">{email}</span>
      </KeyValue>
      {organizations.map(({ organizationId, name, roles }) => (
        <KeyValue key={organizationId} label={t('rolesIn', { organization: name })}>
          {roles.map((role) => role.name).join(', ')}
        </KeyValue>
      ))}
      <KeyValue label={t('until')}>
        <DateTime value={expiresAt} />
      </KeyValue>
    </KeyValues>
  )
}
