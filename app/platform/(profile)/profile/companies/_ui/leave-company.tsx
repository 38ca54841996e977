'use client'

import { LogOut } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import { CardActions } from '@/components/card/card-actions'
import { sends } from '@/components/form/actions'
import { useLater } from '@/components/ui/use-later'

const load = () => import('@/lib/companies/own-companies/contract').then((calls) => calls.leaveCompany)
const loadLoss = () => import('./leaving-loss').then((part) => part.LeavingLoss)

type Props = { id: string; company: string; roles: number }

/** Leaves a company, from its menu and after a question that names what the person loses. */
export function LeaveCompany({ id, company, roles }: Props) {
  const t = useTranslations('companies')
  return (
    <CardActions
      name={company}
      actions={[
        {
          kind: 'confirm',
          label: t('leave'),
          icon: LogOut,
          tone: 'danger',
          ask: { title: t('leaveTitle', { company }), text: <LeavingLossNote id={id} roles={roles} /> },
          sends: sends(load, { params: { id } }, { params: { company } }),
        },
      ]}
    />
  )
}

function LeavingLossNote({ id, roles }: { id: string; roles: number }) {
  const t = useTranslations('companies')
  const { Part, ask } = useLater(loadLoss)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the question opens
  useEffect(() => ask(), [])
  return (
    <>
      <p>{t('leaveText', { roles })}</p>
      {Part ? <Part id={id} /> : null}
    </>
  )
}
