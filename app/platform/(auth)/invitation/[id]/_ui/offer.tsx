import { useTranslations } from 'next-intl'
import { DateTime } from '@/components/ui/date-time'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import type { InvitationView } from '@/lib/joining/invitations/contract'
import { StepHeading } from '../../../_ui/step-heading'

/** Who invites to which company, whom, with which roles, and until when the invitation can be answered. */
export function Offer({ view }: { view: InvitationView }) {
  const { inviter, company, email, organizations, expiresAt } = view
  const t = useTranslations('invitation')
  return (
    <>
      <StepHeading lead={inviter ? t('lead', { inviter, company }) : t('leadNobody', { company })}>
        {t('title')}
      </StepHeading>
      <KeyValues>
        <KeyValue label={t('facts.email')}>
          <span className="min-w-0 break-words">{email}</span>
        </KeyValue>
        {organizations.map(({ organizationId, name, roles }) => (
          <KeyValue key={organizationId} label={t('facts.rolesIn', { organization: name })}>
            {roles.map((role) => role.name).join(', ')}
          </KeyValue>
        ))}
        <KeyValue label={t('facts.until')}>
          <DateTime value={expiresAt} />
        </KeyValue>
      </KeyValues>
    </>
  )
}
