'use client'

import { UserMinus, UserRoundCog } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import { CardActions } from '@/components/card/card-actions'
import { sends } from '@/components/form/actions'
import { useLater } from '@/components/ui/use-later'
import type { ContactContractor } from '@/lib/companies/colleagues/contract'

const removal = () => import('@/lib/companies/colleagues/contract').then((calls) => calls.removeContact)
const loadForm = () => import('./roles-form').then((part) => part.RolesForm)
const loadLoss = () => import('./removal-loss').then((part) => part.RemovalLoss)

type Props = { userId: string; person: string; contractor: ContactContractor; last: boolean }

/** What a manager can do with a contact in one company: change the roles, and remove the contact from it. */
export function ContactActions({ userId, person, contractor, last }: Props) {
  const t = useTranslations('contacts')
  const router = useRouter()
  const { id: contractorId, name: company } = contractor
  return (
    <CardActions
      name={company}
      actions={[
        {
          kind: 'dialog',
          label: t('changeRoles'),
          icon: UserRoundCog,
          title: t('rolesTitle', { person }),
          text: t('rolesText', { company }),
          body: (done) => <Form userId={userId} person={person} contractor={contractor} onDone={done} />,
        },
        {
          kind: 'confirm',
          label: t('remove'),
          verb: t('removeVerb'),
          icon: UserMinus,
          tone: 'danger',
          ask: {
            title: t('removeTitle', { person, company }),
            text: <RemovalLossNote userId={userId} contractorId={contractorId} />,
          },
          sends: sends(
            removal,
            { query: { userId, contractorId } },
            {
              params: { person, company },
              // a person who is no contact any more has no card
              onDone: () => last && router.replace('/platform/profile/contacts'),
            },
          ),
        },
      ]}
    />
  )
}

type FormProps = Omit<Props, 'last'> & { onDone: () => void }

function Form(props: FormProps) {
  const { Part, ask } = useLater(loadForm)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the dialog opens
  useEffect(() => ask(), [])
  return Part ? <Part {...props} /> : null
}

function RemovalLossNote({ userId, contractorId }: { userId: string; contractorId: string }) {
  const t = useTranslations('contacts')
  const { Part, ask } = useLater(loadLoss)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the question opens
  useEffect(() => ask(), [])
  return Part ? <Part userId={userId} contractorId={contractorId} /> : <p role="status">{t('counting')}</p>
}
